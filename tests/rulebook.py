"""`python -m tests.rulebook > docs/rules.md`: the rules page, generated from the options, their texts and presets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from bot.engine.matches.formats import FORMATS
from bot.engine.matches.views import public_view, showdown_view
from bot.engine.records.record import Record
from bot.engine.rules import OPTIONS, PRESETS, VERSIONS, Rules, Value
from bot.engine.rules.rules import DEFAULTS
from bot.model.rule_texts import RULE_TEXTS
from cogs.showdowns.score_sheet import score_sheet
from cogs.words import rules as texts

SHEETS: Final = (
    "004-score-sheet",
    *(f"preset-{name}" for name in ("blitz", "hollywood", "rotation", "partners", "penalty")),
)
"""Names of the match records whose score sheets are shown on the page."""

SOURCES: Final[Mapping[str, str]] = {
    "Laying Off": '"Laying Off in Gin Rummy: The Rules", one of a set of articles on knocking, undercuts and gin.',
    "Lemus": 'Alan Lemus, "Gin Rummy Rules", an article with questions and answers at its end.',
    "Yimmaw": '"What is a Knock?", the page on knocking of the game site Yimmaw.com.',
    "Knock Rules": '"Gin Rummy Knock Rules", an article in two parts: the game for two, and a game for two to four '
    "with penalty points.",
    "How to Play": '"Gin Rummy Rules and How to Play", an article with a score sheet and four house rules.',
    "Pagat": 'John McLeod, "Gin Rummy", Card Games Website: <https://www.pagat.com/rummy/ginrummy.html>.',
    "Bicycle": 'The United States Playing Card Company, "Gin Rummy", Bicycle Cards: '
    "<https://bicyclecards.com/how-to-play/gin-rummy>.",
    "Wikipedia": '"Gin rummy", Wikipedia: <https://en.wikipedia.org/wiki/Gin_rummy>.',
    "CardGames.io": '"Gin Rummy", CardGames.io: <https://cardgames.io/ginrummy/>.',
    "EAAI": 'Todd W. Neller, "Gin Rummy EAAI Undergraduate Research Challenge", Gettysburg College, '
    "the rules under which playing programs are compared: <http://cs.gettysburg.edu/~tneller/games/ginrummy/eaai/>.",
    "Rubl": '"Gin Rummy Rules", Rubl: <https://www.rubl.com/rules/gin_rummy_rules.html>.',
    "GRA": "Gin Rummy Association, the tournament rules that OpenSpiel follows: "
    "<http://ginrummytournaments.com/pdfs/GRA_Rules.pdf>.",
}
"""Full citations of the rules' sources, keyed by the short titles that options and presets use."""


def page(records: Path) -> str:
    """Return the page in Markdown.

    Args:
        records: the folder with the records in `SHEETS`.
    """
    return "\n\n".join((_IN_SHORT, _CONTENTS, _presets(), _options(), _sheets(records), _sources())) + "\n"


IN_SHORT_ASSUMES: Final[Mapping[str, Value]] = {
    "format": "duel",
    "void_redeal": "same_dealer",
    "opening": "offer",
    "discard_drawn": "not_from_pile",
    "big_gin_bonus": None,
    "undercut_on_tie": True,
    "lay_off": True,
    "lay_off_mode": "automatic",
    "last_discard": "void",
    "stock_out": "void",
    "line_credit": "at_end",
    "shutout": False,
    "winner": "highest_total",
    "scoring": "single",
    "aces": "low",
}
"""The values of options that the summary at the top of the page describes in words."""

_IN_SHORT: Final = """\
# The rules

These are the usual rules, `classic`; `/gin rules` explains the rules of your match.

- **Melds**: a *set* is three or four cards of one rank, and a *run* is three or more cards of one suit in a row.
  The ace is low.
- **Deadwood**: the cards of a hand that are in no meld; an ace counts 1, a face card 10, others their number.
- **The deal**: two players get {cards_dealt} cards each; the *upcard* starts the discard pile, the rest is the stock.
  The player who did not deal can take the upcard, then the dealer can; if both pass, the first draws from the stock.
- **A turn**: draw a card from the stock or take the top of the discard pile, then discard a card.
  You can't discard a card that you have just taken from the pile.
- **Knock**: if your deadwood is {knock_limit} or less after your discard, you can knock: both hands are laid down.
- **Lay off**: your opponent's deadwood that fits your melds is added to them; the bot does that.
- **Scoring**: you score the difference between the two deadwoods.
- **Undercut**: if your opponent then has no more deadwood than you, they score the difference plus {undercut_bonus}.
- **Gin**: without deadwood you score your opponent's deadwood plus {gin_bonus}, and nothing is laid off.
- **Void**: if two cards are left in the stock and nobody goes out, nobody scores, and the same player deals again.
- **The match**: a player who reaches {target} points ends it and adds {game_bonus}; each deal won adds {line_bonus}.
  The higher total wins.""".format_map(DEFAULTS)

_CONTENTS: Final = """\
[Presets](#presets) · [Options](#options) · [Score sheets](#score-sheets) · [Sources](#sources)

This page is generated from the declarations that the engine plays by.
`python -m tests.rulebook > docs/rules.md` updates it.

A set of rules has a value for each option.
A preset is a set of rules with a name, and a server can save house rules of its own.
In a challenge and in a record, rules are written as a preset and the options that differ: `classic target=150`.
Every source has a short title here; [Sources](#sources) has the full citations."""


def _presets() -> str:
    rows = ["| preset | players | what sets it apart from `classic` | source |", "| --- | --- | --- | --- |"]
    for name, preset in PRESETS.items():
        rules = Rules.parse(name)
        seats = FORMATS[rules.format].seats
        players = str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
        target = "" if rules.target == DEFAULTS["target"] else f"{texts.meaning(rules, 'target').short}, "
        rows.append(f"| `{name}` | {players} | {target}{texts.differences(rules)} | {preset.source} |")
    return "\n".join(("## Presets\n", *rows, "", *_earlier_presets()))


def _earlier_presets() -> Iterator[str]:
    """Yield a sentence for each earlier record version in which names of presets meant different rules."""
    for version, changes in VERSIONS.items():
        if changes:
            rows = [(name, Rules.parse(name, version), row) for name, row in changes.items()]
            expansions = [
                f"`{name}` means `{' '.join((name, *map(rules.option_text, row)))}`" for name, rules, row in rows
            ]
            yield f"In records of version {version}, {' and '.join(expansions)}."


_TIME: Final = """\
With a clock that ends a match automatically, the partners whose time runs out first, on either board, lose.
If it runs out on both boards at the same moment, the team whose turn it was on board 1 loses.
No clock runs for a person who plays with computers alone."""


def _options() -> str:
    rows = ["| option | value | what it means | source |", "| --- | --- | --- | --- |"]
    for name, entry in RULE_TEXTS.items():
        name_cell, source = f"`{name}`", entry.sources
        for value, meaning in _values(name):
            rows.append(f"| {name_cell} | {value} | {meaning} | {source} |")
            name_cell = source = ""
    scores = f"The value in bold is the usual one. {texts.SCORES}"
    limit = f"{texts.LIMIT} No source has this limit: we added it so that no deal is endless."
    prose = (_by_sentence(scores), _by_sentence(limit), _TIME)
    return "\n".join(("## Options\n", *(f"{paragraph}\n" for paragraph in prose), *rows))


def _by_sentence(text: str) -> str:
    """Return a text with each sentence on a line of its own."""
    return text.replace(". ", ".\n")


def _values(name: str) -> Iterator[tuple[str, str]]:
    """Yield the written form and the meaning of each value of an option."""
    option, entry, default = OPTIONS[name], RULE_TEXTS[name], DEFAULTS[name]
    if entry.numbers is not None:
        span = f"n from `{option.numbers[0]}` to `{option.numbers[-1]}`"
        yield f"{span}; **`{default}`**" if default in option.numbers else span, entry.numbers.long.format(n="n")
    for value, text in entry.values.items():
        written = f"`{option.print(value)}`"
        yield f"**{written}**" if value == default else written, text.long


def _sheets(records: Path) -> str:
    parts = [
        "## Score sheets\n",
        "Each sheet comes from a record that the tests replay.\nA letter stands for a seat; partners share a column.\n",
    ]
    for name in SHEETS:
        record = Record.parse((records / f"{name}.gin").read_text())
        match = record.replay()
        deals = [showdown_view(match, deal.number, deal.board) for deal in match.finished]
        sheet = score_sheet(public_view(match), deals, "ABCD")
        parts.append(f"`{record.rules}`\n\n{sheet}\n")
    return "\n".join(parts).rstrip()


def _sources() -> str:
    """Return the section with all citations, and a link target for each short title in the tables."""
    rows = [f"- **{title}**: {citation}" for title, citation in SOURCES.items()]
    links = [f"[{title}]: {_link(citation)}" for title, citation in SOURCES.items()]
    return "\n".join(("## Sources\n", *rows, "", *links))


def _link(citation: str) -> str:
    url = re.search("<(http.*)>", citation)
    return url[1] if url else "#sources"


if __name__ == "__main__":
    print(page(Path("tests/records")), end="")
