"""`python -m tests.rulebook > docs/rules.md`: the page of rules, made from the options and presets of the engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.engine.formats import FORMATS
from bot.engine.match import apply_all, new_match
from bot.engine.record import Record
from bot.engine.rules import OPTIONS, PRESETS, Option, Rules, Value
from bot.engine.rules.option import Numbers
from bot.engine.rules.rules import DEFAULTS
from bot.engine.rules.sources import SOURCES
from bot.engine.views import public_view, showdown_view
from cogs.text import rules as texts
from cogs.text.sheet import score_sheet

SHEETS: Final = (
    "004-score-sheet",
    *(f"preset-{name}" for name in ("blitz", "hollywood", "rotation", "partners", "penalty")),
)
"""The records whose score sheets the page shows."""


def page(records: Path) -> str:
    """Return the whole page, in Markdown.

    Args:
        records: the folder of the records whose score sheets it shows.
    """
    return "\n\n".join((_INTRODUCTION, _presets(), _options(), _sheets(records), _sources())) + "\n"


_INTRODUCTION: Final = """\
# The rules

This page is generated from the same declarations that the engine plays by: `python -m tests.rulebook > docs/rules.md`
updates it. Rules are a value for each option. A preset is a set of rules with a name, and a server can save house
rules of its own. In a challenge and in a record, rules are written as a preset and the options that differ from it:
`classic target=150`. Every source has a short title here; [Sources](#sources) has the full citations."""


def _presets() -> str:
    rows = ["| preset | players | what sets it apart from `classic` | source |", "| --- | --- | --- | --- |"]
    for name, preset in PRESETS.items():
        rules = Rules.parse(name)
        seats = FORMATS[rules.format].seats
        players = str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
        target = "" if rules.target == DEFAULTS["target"] else f"{texts.meaning(rules, 'target').short}, "
        rows.append(f"| `{name}` | {players} | {target}{texts.differences(rules)} | {preset.source} |")
    return "\n".join(("## Presets\n", *rows))


def _options() -> str:
    rows = ["| option | value | what it means | source |", "| --- | --- | --- | --- |"]
    for name, option in OPTIONS.items():
        first, source = f"`{name}`", option.sources
        for value, meaning in _values(option, DEFAULTS[name]):
            rows.append(f"| {first} | {value} | {meaning} | {source} |")
            first = source = ""
    return "\n".join(("## Options\n", f"The value in bold is the usual one. {texts.SCORES}\n", *rows))


def _values(option: Option, default: Value) -> Iterator[tuple[str, str]]:
    """Yield each value as people write it, and what it means."""
    for one in option.values:
        if isinstance(one, Numbers):
            span = f"n from `{one.range[0]}` to `{one.range[-1]}`"
            is_default = default in one.range
            yield f"{span}; **`{default}`**" if is_default else span, one.long.format(n="n")
        else:
            written = f"`{option.print(one.value)}`"
            yield f"**{written}**" if one.value == default else written, one.long


def _sheets(records: Path) -> str:
    parts = [
        "## Score sheets\n",
        "Each sheet is of a record that the tests replay. A letter stands for a seat; partners share a column.\n",
    ]
    for name in SHEETS:
        record = Record.parse((records / f"{name}.gin").read_text())
        match = apply_all(new_match(record.rules, record.seats), record.actions)
        deals = [showdown_view(match, deal.number, deal.board) for deal in match.finished]
        sheet = score_sheet(public_view(match), deals, "ABCD")
        parts.append(f"`{record.rules}`\n\n{sheet}\n")
    return "\n".join(parts).rstrip()


def _sources() -> str:
    """Return the citations, and the targets of the links that the short titles in the tables are."""
    rows = [f"- **{title}**: {citation}" for title, citation in SOURCES.items()]
    links = [f"[{title}]: {_link(citation)}" for title, citation in SOURCES.items()]
    return "\n".join(("## Sources\n", *rows, "", *links))


def _link(citation: str) -> str:
    found = re.search("<(http.*)>", citation)
    return found[1] if found else "#sources"


if __name__ == "__main__":
    print(page(Path("tests/records")), end="")
