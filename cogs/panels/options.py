"""The options of a challenge before it goes out: its rules, and menus that change one of them at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import discord

from bot.engine.errors import GinError
from bot.engine.rules import OPTIONS, Menu, Rules, Value
from bot.play.values import Invitation, Offer
from cogs.answers import Message
from cogs.panels.layout import Accent, Row, message
from cogs.presses import button, menu
from cogs.words import rules as words
from cogs.words.people import joined, name


def options(draft: Invitation, offers: Sequence[Offer], chosen: str | None = None) -> Message:
    """A draft's rules in words, with menus for the preset, the options, and the values of the option that is open."""
    subject, agreed = draft.id, draft.rules
    rows: list[Row] = [
        *rules_menus(subject, "draft_preset", offers, draft.system),
        *_option_menus(draft, "Change the play …", Menu.PLAY, chosen),
        *_option_menus(draft, "Change the scoring …", Menu.SCORING, chosen, argument="scoring"),
    ]
    rows.append(
        [
            button(subject, 0, "draft_send", "Send the challenge", discord.ButtonStyle.success),
            button(subject, 0, "challenge_rules", "Rules"),
            button(subject, 0, "draft_drop", "Forget it"),
        ]
    )
    people = joined([name(player) for player in draft.named]) or "anyone"
    return message(
        Accent.YOURS,
        f"For {people}: {words.line(agreed, draft.system)}.",
        f"-# Written out: `{words.written(agreed)}`, as `/gin challenge rules:` takes it, with any numbers.",
        title="Your challenge, before it goes out",
        rows=rows,
    )


def _option_menus(
    draft: Invitation, placeholder: str, shown: Menu, chosen: str | None, argument: str | None = None
) -> list[Row]:
    """A menu of options, and beneath it the values of the one that is open."""
    subject, rules = draft.id, draft.rules
    names = [name for name, option in OPTIONS.items() if option.menu is shown]
    options = _options(rules, names, chosen)
    rows: list[Row] = [[menu(subject, 0, "draft_option", placeholder, options, argument=argument)]]
    if chosen is not None and chosen in names:
        values = [_value(rules, chosen, value) for value in allowed(rules, chosen)]
        rows.append([menu(subject, 0, "draft_value", f"{OPTIONS[chosen].title} …", values, argument=chosen)])
    return rows


def rules_menus(subject: int | str, verb: str, offers: Sequence[Offer], chosen: str, label: str = "") -> list[Row]:
    """A menu of the presets, and one of the server's house rules where there are any: one alone would grow too long."""
    rows: list[Row] = []
    for house, placeholder, argument in ((False, "Rules …", None), (True, "House rules …", "house")):
        listed = [one for one in offers if one.house == house]
        lines = [rules_option(one.name, one.rules, chosen=one.name == chosen, label=label) for one in listed]
        if lines:
            rows.append([menu(subject, 0, verb, placeholder, lines, argument=argument)])
    return rows


def rules_option(name: str, rules: Rules, *, chosen: bool, label: str = "") -> discord.SelectOption:
    """Named rules in a menu, with what sets them apart."""
    told = words.brief(words.differences(rules))
    return discord.SelectOption(label=f"{label}{name}", description=told, value=name, default=chosen)


def allowed(rules: Rules, name: str) -> Iterator[Value]:
    """Yield the values of an option that go with the rest of the rules; of its numbers, the usual ones and the present.

    Any other number goes into the command: `rules: classic target=175`.
    """
    option, now = OPTIONS[name], getattr(rules, name)
    numbers = {*option.usual_numbers, *([now] if now in option.numbers else [])}
    return (value for value in (*option.named, *sorted(numbers)) if _goes(rules, name, value))


def _goes(rules: Rules, name: str, value: Value) -> bool:
    changes: dict[str, Any] = {name: value}
    try:
        replace(rules, **changes)
    except GinError:
        return False
    return True


def _options(rules: Rules, names: Iterable[str], chosen: str | None) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=OPTIONS[name].title,
            description=words.meaning(rules, name).short,
            value=name,
            default=name == chosen,
        )
        for name in names
        if OPTIONS[name].matters(rules) and len([*islice(allowed(rules, name), 2)]) > 1
    ]


def _value(rules: Rules, name: str, value: Value) -> discord.SelectOption:
    option, now = OPTIONS[name], getattr(rules, name)
    return discord.SelectOption(
        label=option.text(value).short,
        value=option.print(value),
        default=now == value and type(now) is type(value),
    )
