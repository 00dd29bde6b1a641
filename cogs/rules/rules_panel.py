"""Explanations of rules, menus to choose rules, and challenge drafts with options to change one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import discord

from bot.engine.errors import GinError
from bot.engine.rules import OPTIONS, Rules, Value
from bot.model.challenges import Challenge
from bot.model.clocks import Clock
from bot.model.guilds import NamedRules
from bot.model.rule_texts import RULE_TEXTS, Menu
from cogs.actions import Action, Subject
from cogs.kit.components import button, menu
from cogs.kit.layout import Accent, Row, message
from cogs.kit.messages import Message
from cogs.words import clocks
from cogs.words import rules as texts
from cogs.words.names import joined, mention


def rules_page(rules: Rules, ruleset: str | None = None, notice: str | None = None) -> Message:
    """Return rules in plain words. `ruleset` is the name under which they were agreed."""
    return message(Accent.WAITING, texts.name(rules, ruleset), texts.explained(rules), title="The rules", notice=notice)


def rules_menus(
    subject: int | Subject, action: Action, offered: Sequence[NamedRules], chosen: str, label: str = ""
) -> Iterator[Row]:
    """Yield one menu of presets and one of house rules, because a single menu might be too small. Omit empty menus."""
    for house, placeholder, argument in ((False, "Rules …", None), (True, "House rules …", "house")):
        listed = [named_rules for named_rules in offered if named_rules.house == house]
        choices = [
            rules_option(named_rules.name, named_rules.rules, chosen=named_rules.name == chosen, label=label)
            for named_rules in listed
        ]
        if choices:
            yield [menu(subject, 0, action, placeholder, choices, argument=argument)]


def rules_option(name: str, rules: Rules, *, chosen: bool, label: str = "") -> discord.SelectOption:
    """Return named rules as a menu option, with their title and their differences from the usual rules.

    Differences that the title already names are left out.
    """
    title, differences = f"{label}{texts.PRESET_TITLES.get(name, name)}", texts.differences(rules)
    description = None if differences.casefold() in title.casefold() else texts.brief(differences)
    return discord.SelectOption(label=title, description=description, value=name, default=chosen)


def draft(shown: Challenge, offered: Sequence[NamedRules], open_option: str | None = None) -> Message:
    """Return a draft's rules with menus for the ruleset, the options, and the values of the open option."""
    people = joined([mention(player) for player in shown.named]) or "anyone"
    return message(
        Accent.YOURS,
        f"For {people}: {texts.line(shown.rules, shown.ruleset)}",
        clocks.of_match(shown.clock),
        f"-# To reuse these rules: `/gin challenge rules: {texts.written(shown.rules)}`",
        title="Your challenge",
        rows=[
            *rules_menus(shown.id, Action.DRAFT_RULES, offered, shown.ruleset),
            *_option_menus(shown, "Change the rules of play …", Menu.PLAY, open_option),
            *_option_menus(shown, "Change the scoring …", Menu.SCORING, open_option, argument="scoring"),
            [menu(shown.id, 0, Action.DRAFT_CLOCK, "Clock …", clock_options(shown.clock))],
            [
                button(shown.id, 0, Action.DRAFT_SEND, "Send the challenge", discord.ButtonStyle.success),
                button(shown.id, 0, Action.CHALLENGE_RULES, "Rules"),
                button(shown.id, 0, Action.DRAFT_DROP, "Cancel"),
            ],
        ],
    )


def clock_options(chosen: Clock) -> list[discord.SelectOption]:
    """Return the usual clocks as menu options, and the chosen clock if it is not among them."""
    offered = list(dict.fromkeys((*clocks.usual_clocks(), chosen)))
    return [
        discord.SelectOption(
            label=f"{clocks.short(clock).capitalize()}{'; late players lose' if clock.flags else ''}",
            description=None if clock.time is None else f"{clock}: {clocks.with_ending(clock)}",
            value=str(clock),
            default=clock == chosen,
        )
        for clock in offered
    ]


def _option_menus(
    shown: Challenge, placeholder: str, which: Menu, open_option: str | None, argument: str | None = None
) -> Iterator[Row]:
    """Yield a menu of options, then a menu of the open option's values."""
    rules = shown.rules
    titles = {option: entry.title for option, entry in RULE_TEXTS.items() if entry.menu is which}
    choices = [
        discord.SelectOption(
            label=title,
            description=texts.meaning(rules, option).short,
            value=option,
            default=option == open_option,
        )
        for option, title in titles.items()
        if OPTIONS[option].matters(rules) and len([*islice(allowed_values(rules, option), 2)]) > 1
    ]
    yield [menu(shown.id, 0, Action.DRAFT_OPTION, placeholder, choices, argument=argument)]
    if open_option is not None and open_option in titles:
        values = [_value_choice(rules, open_option, value) for value in allowed_values(rules, open_option)]
        yield [menu(shown.id, 0, Action.DRAFT_VALUE, f"{titles[open_option]} …", values, argument=open_option)]


def _value_choice(rules: Rules, option: str, value: Value) -> discord.SelectOption:
    label, now = RULE_TEXTS[option].text(value).short, getattr(rules, option)
    is_now = now == value and type(now) is type(value)
    return discord.SelectOption(label=label, value=OPTIONS[option].print(value), default=is_now)


def allowed_values(rules: Rules, option: str) -> Iterator[Value]:
    """Yield the values of an option that are valid together with the other options.

    If the values are numbers, yield only the usual ones and the current one. The command accepts any other number:
    `rules: classic target=175`.
    """
    declared, now = OPTIONS[option], getattr(rules, option)
    numbers = {*RULE_TEXTS[option].usual, *([now] if now in declared.numbers else [])}
    for value in (*declared.named_values, *sorted(numbers)):
        changes: dict[str, Any] = {option: value}
        try:
            replace(rules, **changes)
        except GinError:
            continue
        yield value
