"""The options of a challenge before it goes out: its rules, and menus that change one of them at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

import discord

from bot.engine.errors import GinError
from bot.engine.rules import KNOBS, Rules, Value
from bot.values.challenges import Challenge
from bot.values.guilds import NamedRules
from cogs.kit.answers import Message
from cogs.kit.components import button, menu
from cogs.panels.layout import Accent, Row, message
from cogs.text import rules as texts
from cogs.text.knobs import TITLES, said
from cogs.text.people import joined, name

PLAY: Final = (
    *("first_dealer", "next_dealer", "void_redeal", "knock_limit", "oklahoma_ace", "spade_doubles", "discard_drawn"),
    *("lay_off", "lay_off_mode", "lay_off_chain", "last_discard", "stock_out", "aces"),
)
SCORING: Final = (
    *("target", "deals", "gin_bonus", "undercut_bonus", "undercut_on_tie", "big_gin_bonus", "oklahoma_boxes"),
    *("game_bonus", "line_bonus", "line_credit", "shutout", "shutout_needs", "winner", "scoring"),
)
"""The knobs as two menus show them; format and cards dealt are the preset's own."""

NUMBERS: Final[Mapping[str, Sequence[int]]] = MappingProxyType(
    {
        "knock_limit": (0, 5, 7, 10, 15, 20),
        "gin_bonus": (0, 10, 20, 25, 30, 50),
        "undercut_bonus": (0, 10, 20, 25, 30, 50),
        "big_gin_bonus": (30, 31, 50, 75),
        "target": (10, 25, 50, 75, 100, 125, 150, 200, 250, 500),
        "deals": (1, 3, 5, 7, 10, 20),
        "game_bonus": (0, 50, 100, 150, 200),
        "line_bonus": (0, 10, 20, 25),
    }
)
"""The numbers that the menus offer; any other goes into the command: `rules: classic target=175`."""


def options(draft: Challenge, offers: Sequence[NamedRules], knob: str | None = None) -> Message:
    """A draft's rules in words, with menus for the preset, for a knob, and for the values of the knob that is open."""
    subject, agreed = draft.id, draft.rules
    rows: list[Row] = [
        *rules_menus(subject, "draft_preset", offers, draft.ruleset),
        *_knob_menus(draft, "Change the play …", PLAY, knob),
        *_knob_menus(draft, "Change the scoring …", SCORING, knob, argument="scoring"),
    ]
    rows.append(
        [
            button(subject, 0, "draft_send", "Send the challenge", discord.ButtonStyle.success),
            button(subject, 0, "challenge_rules", "Rules"),
            button(subject, 0, "draft_drop", "Forget it"),
        ]
    )
    whom = joined([name(player) for player in draft.named]) or "anyone"
    return message(
        Accent.YOURS,
        f"For {whom}: {texts.line(agreed, draft.ruleset)}.",
        f"-# Written out: `{texts.written(agreed)}`, as `/gin challenge rules:` takes it, with any numbers.",
        title="Your challenge, before it goes out",
        rows=rows,
    )


def _knob_menus(
    draft: Challenge, placeholder: str, knobs: Sequence[str], chosen: str | None, argument: str | None = None
) -> list[Row]:
    """A menu of knobs, and beneath it the values of the one of them that is open."""
    subject, rules = draft.id, draft.rules
    rows: list[Row] = [[menu(subject, 0, "draft_knob", placeholder, _knobs(rules, knobs, chosen), argument=argument)]]
    if chosen is not None and chosen in knobs:
        values = [_option(rules, chosen, value) for value in allowed(rules, chosen)]
        rows.append([menu(subject, 0, "draft_value", f"{TITLES[chosen]} …", values, argument=chosen)])
    return rows


def rules_menus(subject: int | str, verb: str, offers: Sequence[NamedRules], chosen: str, label: str = "") -> list[Row]:
    """A menu of the presets, and one of the server's app rules where there are any: one alone would grow too long."""
    rows: list[Row] = []
    for app, placeholder, argument in ((False, "Rules …", None), (True, "Application rules …", "app")):
        listed = [one for one in offers if one.house == app]
        lines = [rules_option(one.name, one.rules, chosen=one.name == chosen, label=label) for one in listed]
        if lines:
            rows.append([menu(subject, 0, verb, placeholder, lines, argument=argument)])
    return rows


def rules_option(name: str, rules: Rules, *, chosen: bool, label: str = "") -> discord.SelectOption:
    """Named rules in a menu, with what sets them apart."""
    told = texts.brief(texts.differences(rules))
    return discord.SelectOption(label=f"{label}{name}", description=told, value=name, default=chosen)


def allowed(rules: Rules, knob: str) -> Iterator[Value]:
    """The values of a knob that go with the rest of the rules, of the numbers those that are usual."""
    now: Value = getattr(rules, knob)
    numbers = {
        *NUMBERS.get(knob, KNOBS[knob].numbers[:3]),
        *([now] if isinstance(now, int) and now is not True else []),
    }
    values = [*KNOBS[knob].names, *sorted(number for number in numbers if number in KNOBS[knob].numbers)]
    return (value for value in values if _goes(rules, knob, value))


def _goes(rules: Rules, knob: str, value: Value) -> bool:
    changes: dict[str, Any] = {knob: value}
    try:
        replace(rules, **changes)
    except GinError:
        return False
    return True


def _knobs(rules: Rules, knobs: Sequence[str], chosen: str | None) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=TITLES[knob],
            description=said(knob, getattr(rules, knob)).short,
            value=knob,
            default=knob == chosen,
        )
        for knob in _changeable(rules, knobs)
    ]


def _changeable(rules: Rules, knobs: Sequence[str]) -> Iterator[str]:
    for knob in knobs:
        if texts.matters(rules, knob) and len([*islice(allowed(rules, knob), 2)]) > 1:
            yield knob


def _option(rules: Rules, knob: str, value: Value) -> discord.SelectOption:
    now = getattr(rules, knob)
    return discord.SelectOption(
        label=said(knob, value).short,
        value=KNOBS[knob].print(value),
        default=now == value and type(now) is type(value),
    )
