"""Positions as JSON."""

from __future__ import annotations

import json
import re

import pytest

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Move, Seat
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.errors import GinError
from bot.engine.rules import Rules
from bot.opponent.play.position_json import position_from_json, position_to_json
from tests.helpers.processes import ROOT
from tests.opponent.helpers import each_table, positions

QUESTION = """{"id": 17, "seed": 904, "rules": "research", "number": 3, "seat": 0, "dealer": 1, "phase": "discard",
 "score": [40, 25], "hand": "2c 3c 4c 9d 9h 9s Kd Qh 5s 6s 7s", "fresh": "7s", "upcard": "Jc", "discards": "Jc Ks 8d",
 "stock": 28, "hand_sizes": [11, 10], "knock_limit": 10,
 "happenings": [[0, "pass"], [1, "pass"], [0, "draw"], [0, "x Ks"], [1, "draw"], [1, "x 8d"], [0, "draw"]],
 "past": [{"number": 1, "dealer": 1, "kind": "knock", "knocker": 0, "winner": 0, "points": 40, "deadwood": [3, 43],
  "hands": ["Ac 2c 3c 9d 9h 9s 5s 6s 7s 3d", "Kc Qc Jd Td 8h 7d 6d 4h 2h Ah"], "happenings": [[0, "k 4d"]]},
  {"number": 2, "dealer": 0, "kind": "void", "knocker": null, "winner": null, "points": 0, "deadwood": null,
  "hands": null, "happenings": []}],
 "moves": ["x 2c", "x 7s", "k Kd", "k Qh"]}"""
"""A question in JSON, in which a referee asks for a move in a two-player match."""


@each_table(2)
def test_positions_round_trip_through_json(preset: str, seats: int) -> None:
    """Positions round-trip through JSON in every format."""
    for _, _, position in positions(Rules.parse(preset), seats, preset, limit=150):
        assert position_from_json(json.loads(json.dumps(position_to_json(position)))) == position


def test_a_duel_needs_fewer_keys() -> None:
    """The JSON of a two-player position may omit the seats, which follow from the dealer, and the melds of a knock."""
    position = position_from_json(json.loads(QUESTION))
    assert position.seats == (Seat(0), Seat(1))
    assert (position.phase, position.new_card, position.discards[-1]) == (
        Phase.DISCARD,
        Card.parse("7s"),
        Card.parse("8d"),
    )
    assert position.moves[-1] == Move.parse("k Qh")
    assert [deal.kind for deal in position.past] == [OutcomeKind.KNOCK, OutcomeKind.VOID]


@pytest.mark.parametrize(("name", "value"), [("hand", "2c 3c XX"), ("rules", "whist"), ("moves", ["fold"])])
def test_invalid_notation_is_refused(name: str, value: object) -> None:
    """Invalid notation raises the engine's error."""
    with pytest.raises(GinError):
        position_from_json(json.loads(QUESTION) | {name: value})


def documented_keys() -> tuple[set[str], set[str]]:
    """Return the keys in the table of `docs/opponent.md`, and the optional ones among them."""
    page = (ROOT / "docs" / "opponent.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `([a-z_]+)` \| (.*) \|$", page.partition("## Ask it")[2].partition("\n## ")[0], re.MULTILINE
    )
    return {name for name, _ in rows}, {name for name, meaning in rows if meaning.startswith("optional")}


def test_the_page_lists_every_key() -> None:
    """`docs/opponent.md` lists every key that is written or read, and a position without a required key is refused."""
    names, optional = documented_keys()
    written = {
        name
        for *_, position in positions(Rules.parse("research"), 2, "names", limit=1)
        for name in position_to_json(position)
    }
    assert names == written | {"id", "seed", "dealer"}
    question = json.loads(QUESTION)
    assert question.keys() == names - optional
    required = names - optional - {"id", "seed", "dealer"}
    for name in required:
        with pytest.raises(KeyError, match=name):
            position_from_json({key: value for key, value in question.items() if key != name})
