"""Rules: explained, offered in menus, and changed an option at a time before a challenge is sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import discord

from bot.engine.errors import GinError
from bot.engine.rules import OPTIONS, Menu, Rules, Value
from bot.values.challenges import Challenge
from bot.values.clocks import Clock
from bot.values.guilds import NamedRules
from cogs.kit.actions import Action, Subject
from cogs.kit.components import button, menu
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, Row, message
from cogs.text import clocks
from cogs.text import rules as texts
from cogs.text.people import joined, mention


def rules_page(rules: Rules, ruleset: str | None = None, notice: str | None = None) -> Message:
    """Return rules in plain words, under the name they were agreed by."""
    return message(Accent.WAITING, texts.line(rules, ruleset), texts.explained(rules), title="The rules", notice=notice)


def rules_menus(
    subject: int | Subject, action: Action, offered: Sequence[NamedRules], chosen: str, label: str = ""
) -> Iterator[Row]:
    """Yield a menu of the presets, and one of the server's house rules if it has any. Both in one could be too long."""
    for house, placeholder, argument in ((False, "Rules …", None), (True, "House rules …", "house")):
        listed = [one for one in offered if one.house == house]
        choices = [rules_option(one.name, one.rules, chosen=one.name == chosen, label=label) for one in listed]
        if choices:
            yield [menu(subject, 0, action, placeholder, choices, argument=argument)]


def rules_option(name: str, rules: Rules, *, chosen: bool, label: str = "") -> discord.SelectOption:
    """Return named rules as a menu option, with how they differ from the usual ones."""
    description = texts.brief(texts.differences(rules))
    return discord.SelectOption(label=f"{label}{name}", description=description, value=name, default=chosen)


def draft(shown: Challenge, offered: Sequence[NamedRules], open_option: str | None = None) -> Message:
    """Return a draft's rules with menus for the ruleset, the options, and the values of the option that is open."""
    people = joined([mention(player) for player in shown.named]) or "anyone"
    return message(
        Accent.YOURS,
        f"For {people}: {texts.line(shown.rules, shown.ruleset)}.",
        clocks.of_match(shown.clock),
        f"-# Written out: `{texts.written(shown.rules)}`. `/gin challenge rules:` takes this too, with any numbers.",
        title="Your challenge, before it is sent",
        rows=[
            *rules_menus(shown.id, Action.DRAFT_RULES, offered, shown.ruleset),
            *_option_menus(shown, "Change how it is played …", Menu.PLAY, open_option),
            *_option_menus(shown, "Change how it is scored …", Menu.SCORING, open_option, argument="scoring"),
            [menu(shown.id, 0, Action.DRAFT_CLOCK, "Clock …", clock_options(shown.clock))],
            [
                button(shown.id, 0, Action.DRAFT_SEND, "Send the challenge", discord.ButtonStyle.success),
                button(shown.id, 0, Action.CHALLENGE_RULES, "Rules"),
                button(shown.id, 0, Action.DRAFT_DROP, "Discard it"),
            ],
        ],
    )


def clock_options(chosen: Clock) -> list[discord.SelectOption]:
    """Return the usual clocks as menu options, and the one that is chosen now if it is another."""
    offered = list(dict.fromkeys((*clocks.usual_clocks(), chosen)))
    return [
        discord.SelectOption(
            label=f"{clocks.short(one)}{', then lost' if one.flags else ''}",
            description=f"{one}: {clocks.named(one)}",
            value=str(one),
            default=one == chosen,
        )
        for one in offered
    ]


def _option_menus(
    shown: Challenge, placeholder: str, which: Menu, open_option: str | None, argument: str | None = None
) -> Iterator[Row]:
    """Yield a menu of options, and below it the values of the one that is open."""
    rules = shown.rules
    options = {option: declared for option, declared in OPTIONS.items() if declared.menu is which}
    choices = [
        discord.SelectOption(
            label=declared.title,
            description=texts.meaning(rules, option).short,
            value=option,
            default=option == open_option,
        )
        for option, declared in options.items()
        if declared.matters(rules) and len([*islice(allowed(rules, option), 2)]) > 1
    ]
    yield [menu(shown.id, 0, Action.DRAFT_OPTION, placeholder, choices, argument=argument)]
    if open_option is not None and open_option in options:
        values = [_value_choice(rules, open_option, value) for value in allowed(rules, open_option)]
        yield [menu(shown.id, 0, Action.DRAFT_VALUE, f"{options[open_option].title} …", values, argument=open_option)]


def _value_choice(rules: Rules, option: str, value: Value) -> discord.SelectOption:
    declared, now = OPTIONS[option], getattr(rules, option)
    is_now = now == value and type(now) is type(value)
    return discord.SelectOption(label=declared.text(value).short, value=declared.print(value), default=is_now)


def allowed(rules: Rules, option: str) -> Iterator[Value]:
    """Yield the values of an option that fit the other options: of numbers, the usual ones and the present one.

    Any other number can be typed in the command: `rules: classic target=175`.
    """
    declared, now = OPTIONS[option], getattr(rules, option)
    numbers = {*declared.numbers.usual, *([now] if now in declared.numbers.range else [])}
    for value in (*declared.named, *sorted(numbers)):
        changes: dict[str, Any] = {option: value}
        try:
            replace(rules, **changes)
        except GinError:
            continue
        yield value
