"""Rules in words: in one line, in a few words, and in full, from the very options the engine plays by."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import shorten
from typing import Final

from bot.engine.limits import MAX_TURNS
from bot.engine.rules import OPTIONS, Choice, Rules

MENU: Final = 100
"""The most characters in a line of a menu or a completion."""

SCORES: Final = (
    "A knock scores the difference between the two deadwoods, gin the opponent's deadwood plus the gin bonus. "
    "An undercut scores the difference plus the undercut bonus for the opponent."
)
"""How a deal scores, except in penalty points and where there is no knocking."""

LIMIT: Final = f"A deal is void if nobody has gone out in {MAX_TURNS} turns each."
"""The limit on every deal, whatever its rules."""

DIFFERENT: Final = "Different from classic"
SAME: Final = "-# All that follows is as in classic."

TOPICS: Final[Mapping[str, Sequence[str]]] = {
    "Players and cards": ("format", "cards_dealt", "aces"),
    "The deal": ("first_dealer", "next_dealer", "opening"),
    "A turn": ("discard_drawn", "knock_limit", "oklahoma_ace", "spade_doubles"),
    "After a knock": ("lay_off", "lay_off_mode", "lay_off_chain", "undercut_on_tie"),
    "When the stock runs out": ("last_discard", "stock_out", "void_redeal"),
    "Points for a deal": ("gin_bonus", "big_gin_bonus", "undercut_bonus", "oklahoma_boxes"),
    "The match": ("target", "deals", "scoring", "winner"),
    "Bonuses at the end": ("game_bonus", "line_bonus", "line_credit", "shutout", "shutout_needs"),
}
"""The headings of the rules, and the options below each."""

_OF_LIMIT: Final = "When the stock runs out"
"""The heading below which the limit on every deal stands."""

_ENDS: Final = ("target", "deals")
"""The options that say when a match ends, which the name of rules always tells."""

_GIN_SCORES: Final = "Gin scores the opponent's deadwood plus the gin bonus."


def meaning(rules: Rules, option: str) -> Choice:
    """Return what the value of an option means."""
    return OPTIONS[option].text(getattr(rules, option))


def changed(rules: Rules) -> tuple[str, ...]:
    """Return the options that matter and differ from the usual rules, in their order."""
    usual = Rules()
    return tuple(
        name
        for name, option in OPTIONS.items()
        if option.matters(rules) and getattr(rules, name) != getattr(usual, name)
    )


def name(rules: Rules, ruleset: str | None = None) -> str:
    """Return the name of a preset or house rule, and the target: `**classic** rules to 100`.

    A preset of which more than that was changed is `**classic** rules (changed) to 100`.
    """
    return _name(rules, ruleset, bold)


def plain_name(rules: Rules, ruleset: str | None = None) -> str:
    """Return the same for places without markdown, such as menus: `classic rules to 100`."""
    return _name(rules, ruleset, str)


def _name(rules: Rules, ruleset: str | None, write: Callable[[str], str]) -> str:
    called = ruleset or rules.preset
    is_changed = called == rules.preset and not set(_changed_from_preset(rules)).issubset(_ENDS)
    return f"{titled(called, write)}{' (changed)' if is_changed else ''} {ends(rules)}"


def titled(called: str, write: Callable[[str], str] = str) -> str:
    """Return what rules are called in a sentence: `classic rules`, `Mum's rules`."""
    return write(called) + ("" if called.casefold().endswith("rules") else " rules")


def ends(rules: Rules) -> str:
    """Return when a match ends: `to 100`, `for 5 scored deals`."""
    return " or ".join(meaning(rules, option).short for option in _ENDS if getattr(rules, option) is not None)


def bold(name: str) -> str:
    """Return the name of rules in bold. Names have no character that Markdown gives a meaning.

    One that is written from right to left is isolated, which keeps the rest of the line in order.
    """
    from_right = any(unicodedata.bidirectional(char) in ("R", "AL") for char in name)
    return f"**\u2068{name}\u2069**" if from_right else f"**{name}**"


def differences(rules: Rules) -> str:
    """Return in a few words what sets rules apart from the usual ones."""
    options = [option for option in changed(rules) if option not in _ENDS]
    return ", ".join(meaning(rules, option).short for option in options) or "the usual rules"


def written(rules: Rules) -> str:
    """Return rules as people write them: the preset, and what differs from it."""
    return " ".join((rules.preset, *map(rules.written, _changed_from_preset(rules))))


def _changed_from_preset(rules: Rules) -> list[str]:
    preset = Rules.parse(rules.preset)
    return [option for option in OPTIONS if getattr(rules, option) != getattr(preset, option)]


def brief(text: str) -> str:
    """Cut a text between words to the length that a menu or a completion shows."""
    return shorten(text, MENU, placeholder=" …")


def line(rules: Rules, ruleset: str | None = None) -> str:
    """Return the rules in one line: their name, the target, and how they differ from the usual ones."""
    return f"{name(rules, ruleset)} · {differences(rules)}"


def explained(rules: Rules) -> str:
    """Return the rules in full under headings: first what differs from `classic`, then the rest by topic."""
    different, parts = changed(rules), list[str]()
    if different:
        parts += [f"### {DIFFERENT}", *_lines(rules, different), SAME]
    for topic, options in TOPICS.items():
        same = [
            name
            for name in options
            if name not in different and OPTIONS[name].matters(rules) and not OPTIONS[name].optional
        ]
        lines = _lines(rules, same) + ([f"- {LIMIT}"] if topic == _OF_LIMIT else [])
        parts += [f"### {topic}", *lines] if lines else []
    return "\n".join(parts)


def _lines(rules: Rules, options: Iterable[str]) -> list[str]:
    lines = {option: meaning(rules, option).long for option in options}
    if "format" in lines and rules.format != "penalty":
        lines["format"] += f" {_GIN_SCORES if rules.knock_limit == 0 else SCORES}"
    return [f"- {line}" for line in lines.values()]
