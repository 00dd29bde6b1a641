"""Rules in words: in one line, in a few words, and in full, from the very values the engine plays by."""

from __future__ import annotations

from textwrap import shorten
from typing import Final, cast

from bot.engine.rules import KNOBS, Rules, Value
from cogs.text.knobs import said

MENU: Final = 100
"""So many characters a line of a menu or a completion has."""


def changed(rules: Rules) -> tuple[str, ...]:
    """The knobs that differ from the usual rules, in their order; what only follows from others is left out."""
    usual = Rules()
    return tuple(knob for knob in KNOBS if matters(rules, knob) and getattr(rules, knob) != getattr(usual, knob))


def name(rules: Rules, system: str | None = None) -> str:
    """The rules by the name they were agreed by, a preset's or a app rule's, and what they go to."""
    ends = [said(knob, getattr(rules, knob)).short for knob in ("target", "deals") if getattr(rules, knob) is not None]
    return f"**{system or rules.preset}** rules {' or '.join(ends)}"


def differences(rules: Rules) -> str:
    """What sets rules apart from the usual ones, in a few words."""
    knobs = [knob for knob in changed(rules) if knob not in ("target", "deals")]
    return ", ".join(said(knob, getattr(rules, knob)).short for knob in knobs) or "the usual rules"


def written(rules: Rules) -> str:
    """The rules as people write them: the preset, and what differs from it."""
    preset = Rules.parse(rules.preset)
    knobs = [knob for knob in KNOBS if getattr(rules, knob) != getattr(preset, knob)]
    return " ".join((rules.preset, *(f"{knob}={KNOBS[knob].print(getattr(rules, knob))}" for knob in knobs)))


def brief(text: str) -> str:
    """A text as long as a menu or a completion shows it, cut between words."""
    return shorten(text, MENU, placeholder=" …")


def line(rules: Rules, system: str | None = None) -> str:
    """The rules in one line: their name, what they go to, and how they differ from the usual ones."""
    return f"{name(rules, system)} · {differences(rules)}"


def explained(rules: Rules) -> str:
    """The rules in full: first what differs from `classic`, then the rest, a line each."""
    different = changed(rules)
    rest = [knob for knob in KNOBS if knob not in different and matters(rules, knob) and knob not in _ABSENT]
    parts: list[str] = []
    if different:
        parts += ["**Not as in classic**", *_lines(rules, different), "**As in classic**"]
    return "\n".join((*parts, *_lines(rules, rest)))


_GIN_ONLY: Final = "Gin scores the opponent's deadwood and the gin bonus."
SCORES: Final = (
    "A knock scores the difference of the two deadwoods, gin the opponent's deadwood and the gin bonus, an undercut "
    "the difference and the undercut bonus for the opponent."
)
"""How a deal scores, but for penalty points and where there is no knocking."""

_ABSENT: Final = ("deals", "scoring", "shutout", "big_gin_bonus", "spade_doubles", "oklahoma_boxes")
"""The knobs whose usual value is that there is no such thing, which goes without saying."""


def _lines(rules: Rules, knobs: tuple[str, ...] | list[str]) -> list[str]:
    lines = {knob: said(knob, cast(Value, getattr(rules, knob))).long for knob in knobs}
    if "format" in lines and rules.format != "penalty":
        lines["format"] += f" {_GIN_ONLY if rules.knock_limit == 0 else SCORES}"
    return [f"- {line}" for line in lines.values()]


def matters(rules: Rules, knob: str) -> bool:
    """Whether a knob means anything beside the others, or says more than the format does."""
    penalty, knocking = rules.format == "penalty", rules.knock_limit != 0
    match knob:
        case "oklahoma_ace" | "spade_doubles" | "oklahoma_boxes":
            return rules.knock_limit == "upcard"
        case "undercut_bonus" | "undercut_on_tie" | "lay_off":
            return knocking
        case "lay_off_mode" | "lay_off_chain":
            return knocking and rules.lay_off
        case "last_discard":
            return rules.stock_out == "void"
        case "next_dealer":
            return rules.format == "duel"
        case "shutout_needs":
            return rules.shutout is not False
        case "line_credit":
            return rules.line_bonus > 0
        case "cards_dealt" | "game_bonus" | "line_bonus" | "winner":
            return not penalty
        case _:
            return True
