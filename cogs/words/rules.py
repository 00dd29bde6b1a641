"""Rules in words, composed of the texts of their options: in a few words, in one line, and in full."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import shorten
from typing import Final

from bot.engine.limits import MAX_TURNS_PER_PLAYER
from bot.engine.rules import OPTIONS, PRESETS, Rules
from bot.model.guilds import NamedRules
from bot.model.rule_texts import RULE_TEXTS, ValueText
from bot.model.words import count

MAX_LINE_LENGTH: Final = 100
"""Maximum length of a line in a menu or a completion."""

SCORES: Final = (
    "A knock scores the difference in deadwood. Gin scores the opponent's deadwood plus the gin bonus. An undercut "
    "gives the opponent the difference plus the undercut bonus."
)
"""The scoring of a deal, in all rules except those with penalty points or without knocking."""

LIMIT: Final = (
    f"If everyone has had {MAX_TURNS_PER_PLAYER} turns and nobody has gone out, the deal is void: nobody scores."
)
"""The sentence about the maximum length of a deal. It applies to all rules."""

DIFFERENT: Final = "Differences from classic"
SAME: Final = "-# Everything else is the same as in classic."

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
"""The headings of the rules, with the options below each."""

PRESET_TITLES: Final[Mapping[str, str]] = {
    "classic": "Classic",
    "standard": "Classic, with manual lay-offs",
    "strict": "Strict: no undercut on a tie",
    "express": "Classic, with a bonus for big gin",
    "big": "Bonus for big gin; shutouts double the deal points",
    "penalty": "Penalty points: fewest points wins",
    "oklahoma": "Oklahoma: the upcard sets the knock limit",
    "quick": "Quick: no lay-offs",
    "free_discard": "Classic, but you can discard any card",
    "low": "Low bonuses: 20 for gin, 10 for an undercut",
    "even": "Equal bonuses: 20 for gin or an undercut",
    "blitz": "Blitz: shutouts double the deal points and the match bonus",
    "traditional": "Traditional: low bonuses, and the winner deals",
    "tournament": "Tournament: you can go out with the last discard",
    "research": "Research: no bonuses at the end",
    "straight": "Straight gin: no knocking",
    "hollywood": "Hollywood: three games at once",
    "round_the_corner": "Round the corner: K-A-2 is a run",
    "rotation": "For three players: the dealer sits out",
    "strict_rotation": "For three players, strict: the dealer sits out",
    "winner_stays": "For three players: the loser sits out",
    "partners": "Partners: two against two",
    "strict_partners": "Partners, strict: two against two",
}
"""The titles of presets in menus: each names the main difference from the others."""

_LIMIT_TOPIC: Final = "When the stock runs out"
"""The heading below which `LIMIT` appears."""

_END_OPTIONS: Final = ("target", "deals")
"""The options that determine the end of a match. They follow the name of the rules: `Classic, first to 100`."""

_GIN_SCORES: Final = "Gin scores the opponent's deadwood plus the gin bonus."


def meaning(rules: Rules, option: str) -> ValueText:
    """Return the meaning of an option's value in these rules, in words."""
    return RULE_TEXTS[option].text(getattr(rules, option))


def changed(rules: Rules) -> tuple[str, ...]:
    """Return the relevant options that differ from the usual rules, in display order."""
    usual = Rules()
    return tuple(
        name
        for name, option in OPTIONS.items()
        if option.matters(rules) and getattr(rules, name) != getattr(usual, name)
    )


def name(rules: Rules, ruleset: str | None = None) -> str:
    """Return the name of a preset or of house rules, with the end of the match: `**Classic**, first to 100`.

    If options other than the target were changed in a preset: `**Classic** (changed), first to 100`.
    """
    return _name(rules, ruleset, bold)


def plain_name(rules: Rules, ruleset: str | None = None) -> str:
    """Return the same as `name` without markdown, for menus: `Classic, first to 100`."""
    return _name(rules, ruleset, str)


def _name(rules: Rules, ruleset: str | None, write: Callable[[str], str]) -> str:
    called = ruleset or rules.preset
    is_changed = called == rules.preset and _is_changed(rules)
    title = called.replace("_", " ").capitalize() if called in PRESETS else called
    return f"{write(title)}{' (changed)' if is_changed else ''}, {end_text(rules)}"


def name_in_sentence(called: str, write: Callable[[str], str] = str) -> str:
    """Return the name of rules in a sentence: `classic rules`, `Mum's rules`."""
    return write(called) + ("" if called.casefold().endswith("rules") else " rules")


def end_text(rules: Rules) -> str:
    """Return the end of a match in words: `first to 100`, `5 deals`, `first to 100 or 5 deals`."""
    target = "up to" if rules.format == "penalty" else "first to"
    ends = list[str]()
    if rules.target is not None:
        ends.append(f"{target} {rules.target}")
    if rules.deals is not None:
        ends.append(count(rules.deals, "deal"))
    return " or ".join(ends)


def bold(name: str) -> str:
    """Return the name of rules in bold. Names do not contain Markdown characters.

    A right-to-left name is isolated, which keeps the order of the rest of the line.
    """
    from_right = any(unicodedata.bidirectional(char) in ("R", "AL") for char in name)
    return f"**\u2068{name}\u2069**" if from_right else f"**{name}**"


def differences(rules: Rules) -> str:
    """Return the differences from the usual rules in a few words; empty if there are none."""
    return ", ".join(meaning(rules, option).short for option in changed(rules) if option not in _END_OPTIONS)


def written(rules: Rules, base: NamedRules | None = None) -> str:
    """Return rules in notation: the name of a preset or of the house rules `base`, and the options that differ."""
    named = base or NamedRules(rules.preset, Rules.parse(rules.preset), house=False)
    return " ".join((named.name, *map(rules.option_text, _changed(rules, named.rules))))


def _is_changed(rules: Rules) -> bool:
    """Return True if rules differ from their preset, not counting the end of a match."""
    return not set(_changed(rules, Rules.parse(rules.preset))).issubset(_END_OPTIONS)


def _changed(rules: Rules, base: Rules) -> list[str]:
    return [option for option in OPTIONS if getattr(rules, option) != getattr(base, option)]


def brief(text: str) -> str:
    """Cut a text between words to the maximum length of a menu line or completion."""
    return shorten(text, MAX_LINE_LENGTH, placeholder=" …")


def line(rules: Rules, ruleset: str | None = None) -> str:
    """Return rules in one line: their name, the end of the match, and any differences from the usual rules."""
    return " · ".join(filter(None, (name(rules, ruleset), differences(rules))))


def short_line(rules: Rules, ruleset: str | None = None) -> str:
    """Return the name of an unchanged preset, which can be looked up, or other rules with their differences."""
    is_preset = (ruleset or rules.preset) == rules.preset
    return line(rules, ruleset) if _is_changed(rules) or not is_preset else name(rules, ruleset)


def explained(rules: Rules) -> str:
    """Return rules in full under headings: first the differences from `classic`, then the rest by topic."""
    different, parts = changed(rules), list[str]()
    if different:
        parts += [f"### {DIFFERENT}", *_lines(rules, different), SAME]
    for topic, options in TOPICS.items():
        same = [
            name
            for name in options
            if name not in different and OPTIONS[name].matters(rules) and not RULE_TEXTS[name].optional
        ]
        lines = _lines(rules, same) + ([f"- {LIMIT}"] if topic == _LIMIT_TOPIC else [])
        parts += [f"### {topic}", *lines] if lines else []
    return "\n".join(parts)


def _lines(rules: Rules, options: Iterable[str]) -> list[str]:
    lines = {option: meaning(rules, option).long for option in options}
    if "format" in lines and rules.format != "penalty":
        lines["format"] += f" {_GIN_SCORES if rules.knock_limit == 0 else SCORES}"
    return [f"- {line}" for line in lines.values()]
