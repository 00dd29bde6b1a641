"""`python -m tests.rulebook > docs/rules.md`: the page of rules, made from the knobs and presets of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

from bot.engine.formats import FORMATS
from bot.engine.match import apply_all, new_match
from bot.engine.record import Record
from bot.engine.rules import KNOBS, PRESETS, Rules, Value
from bot.engine.views import public_view, showdown_view
from cogs.text import rules as words
from cogs.text.knobs import NUMBER, WORDS, said
from cogs.text.sheet import score_sheet

DOCUMENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "000": '"Laying Off in Gin Rummy: The Rules"',
        "001": '"Gin Rummy Rules" (A. Lemus)',
        "002": '"What is a Knock?"',
        "003": '"Gin Rummy Knock Rules", in two parts',
        "004": '"Gin Rummy Rules and How to Play"',
        "P": "Pagat's page on gin rummy",
        "B": "Bicycle's rules",
        "W": "Wikipedia's article",
        "C": "the rules of cardgames.io",
        "N": "the rules of the EAAI challenge, under which playing programs are compared",
        "R": "Rubl's rules",
        "G": "the tournament rules that OpenSpiel follows",
        "A": "mobile apps",
    }
)
"""Who says what, by the mark that stands for it below."""

KNOB_SOURCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "format": "001 rotation and teams; 003 penalty; P winner stays; P B partners",
        "cards_dealt": "003",
        "first_dealer": "001 P the lowest card",
        "next_dealer": "001 loser; P B winner; 004 W N alternate",
        "void_redeal": "001 P N the same dealer",
        "knock_limit": "000 P B W the upcard",
        "oklahoma_ace": "P 1; B R gin only",
        "spade_doubles": "P B W",
        "oklahoma_boxes": "P",
        "discard_drawn": "003 P B W N not from the pile; 001 never; G 004 free",
        "gin_bonus": "000 to 004 W N C R 25; P B and 004's third house rule 20",
        "undercut_bonus": "000 to 004 W N C 25; R 20; P B 10; 004's third house rule 20 or 10",
        "big_gin_bonus": "002 30; 003 W C 31",
        "undercut_on_tie": "000 002 003 004 P B W N on; 001 and 003's second part off",
        "lay_off": "004's first house rule off",
        "lay_off_mode": "002 automatic; 000 optional",
        "lay_off_chain": "000 on; 003's penalty game off",
        "last_discard": "001 both; P G the wall",
        "stock_out": "003's penalty game reshuffles",
        "target": "all",
        "deals": "a match of an agreed length",
        "game_bonus": "all",
        "line_bonus": "004 P B 20; 001 003 W C R 25",
        "line_credit": "all at the end; A at once",
        "shutout": "001 plus 100; P B the match bonus doubled; 003 W C the deals doubled; 004's fourth house rule "
        "and R both",
        "shutout_needs": "003 every deal won",
        "winner": "001 003 004 the highest total; P the first",
        "scoring": "W",
        "aces": "all low; W the others",
    }
)
"""Where each knob's values come from."""

PRESET_SOURCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "classic": "004 with its second house rule",
        "standard": "000",
        "strict": "001",
        "express": "002",
        "big": "003, first part",
        "penalty": "003, second part; the target of 100 is ours",
        "oklahoma": "000, P, B",
        "quick": "004, first house rule",
        "free_discard": "004 without its second house rule",
        "low": "004, third house rule",
        "even": "004, third house rule",
        "blitz": "004, fourth house rule",
        "traditional": "P, B",
        "tournament": "G",
        "research": "N",
        "straight": "W",
        "hollywood": "W",
        "round_the_corner": "W",
        "rotation": "001",
        "winner_stays": "P",
        "partners": "001, P",
    }
)
"""Where each preset comes from."""

SHEETS: Final = (
    "004-score-sheet",
    *(f"preset-{name}" for name in ("blitz", "hollywood", "rotation", "partners", "penalty")),
)
"""The records whose score sheets the page shows."""


def page(records: Path) -> str:
    """The whole page, in Markdown.

    Args:
        records: the folder of the records whose score sheets it shows.
    """
    return "\n\n".join((_INTRODUCTION, _presets(), _knobs(), _sheets(records), _sources())) + "\n"


_INTRODUCTION: Final = """\
# The rules

This page is made from the very values the engine plays by: `python -m tests.rulebook > docs/rules.md` writes it anew.
A system of rules is a set of knobs; a preset is a named row of them; a server may save house rules of its own.
In a challenge and in a record, rules are written as a preset and the knobs that differ: `classic target=150`."""


def _presets() -> str:
    rows = ["| preset | players | what sets it apart from `classic` | source |", "| --- | --- | --- | --- |"]
    for preset in PRESETS:
        rules = Rules.parse(preset)
        seats = FORMATS[rules.format].seats
        players = str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
        target = "" if rules.target == Rules().target else f"{said('target', rules.target).short}, "
        rows.append(f"| `{preset}` | {players} | {target}{words.differences(rules)} | {PRESET_SOURCES[preset]} |")
    return "\n".join(("## Presets\n", *rows))


def _knobs() -> str:
    rows = ["| knob | value | what it means | source |", "| --- | --- | --- | --- |"]
    for name, knob in KNOBS.items():
        usual = cast(Value, getattr(Rules(), name))
        shown: list[tuple[str, str]] = []
        for value, told in WORDS[name].items():
            text = _numbers(knob.numbers, usual) if value == NUMBER else _value(knob.print(value), value == usual)
            shown.append((text, told.long.format(n="n")))
        for place, (text, meaning) in enumerate(shown):
            first = place == 0
            rows.append(
                f"| {f'`{name}`' if first else ''} | {text} | {meaning} | {KNOB_SOURCES[name] if first else ''} |"
            )
    return "\n".join(("## Knobs\n", f"The value in bold is the usual one. {words.SCORES}\n", *rows))


def _value(text: str, usual: bool) -> str:
    return f"**`{text}`**" if usual else f"`{text}`"


def _numbers(numbers: range, usual: Value) -> str:
    span = f"n from `{numbers[0]}` to `{numbers[-1]}`"
    return f"{span}; **`{usual}`**" if usual in numbers and not isinstance(usual, bool) else span


def _sheets(records: Path) -> str:
    parts = [
        "## Score sheets\n",
        "Each is of a record that the tests replay. A letter stands for a seat, from A; partners share a column.\n",
    ]
    for name in SHEETS:
        record = Record.parse((records / f"{name}.gin").read_text())
        match = apply_all(new_match(record.rules, record.seats), record.actions)
        deals = [showdown_view(match, deal.number, deal.board) for deal in match.finished]
        sheet = score_sheet("ABCD", match.sides, deals, public_view(match).score)
        parts.append(f"`{record.rules}`\n\n{sheet}\n")
    return "\n".join(parts).rstrip()


def _sources() -> str:
    rows = [f"- {mark}: {title}" for mark, title in DOCUMENTS.items()]
    return "\n".join(("## Sources\n", *rows))


if __name__ == "__main__":
    print(page(Path("tests/records")), end="")
