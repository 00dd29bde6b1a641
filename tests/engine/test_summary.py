"""What a match amounts to, as plain data; whole records with their JSON are in `tests/records`."""

from __future__ import annotations

import json

from bot.engine.cards import parse_cards
from bot.engine.match import Cut, Match, Play, Shuffle, apply, apply_all, new_match
from bot.engine.moves import Move, Seat
from bot.engine.rules import Rules
from bot.engine.summary import summary
from tests.engine.decks import GIN_HAND, POOR_HAND, deck

FRESH = apply(new_match(Rules(), 2), Cut(parse_cards("Kd 7h")))
BEGUN = apply(FRESH, Shuffle(1, Seat(1), deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks")))


def after(match: Match, *moves: str) -> Match:
    """The match after moves of seat 0."""
    return apply_all(match, [Play(Seat(0), Move.parse(move)) for move in moves])


def test_a_match_that_has_not_begun() -> None:
    """Before the first deal there is nothing but noughts."""
    assert summary(FRESH) == {
        "deals": [],
        "scores": [0, 0],
        "bonuses": {"line": [0, 0], "game": [0, 0], "shutout": [0, 0]},
        "totals": [0, 0],
        "winner": None,
        "margin": None,
        "resigned": None,
    }


def test_the_deal_in_play_is_unfinished() -> None:
    """The deal in play has no winner, no points and no deadwood; its seats are in order of play."""
    assert summary(BEGUN)["deals"] == [
        {
            "deal": 1,
            "dealer": 1,
            "seats": [0, 1],
            "winner": None,
            "kind": "unfinished",
            "deadwood": [None, None],
            "points": 0,
        }
    ]


def test_deadwood_is_by_seat_whoever_deals() -> None:
    """With seat 0 as dealer its deadwood still comes first."""
    fresh = apply(new_match(Rules(), 2), Cut(parse_cards("7h Kd")))
    begun = apply(fresh, Shuffle(1, Seat(0), deck(POOR_HAND, f"{GIN_HAND} Qh", "Ks")))
    over = apply(begun, Play(Seat(1), Move.parse("pass")))
    (only,) = summary(after(over, "take", "k Qh"))["deals"]
    assert (only["dealer"], only["seats"], only["winner"], only["deadwood"]) == (0, [1, 0], 0, [0, 60])
    assert (only["kind"], only["points"]) == ("gin", 85)


def test_a_resignation_names_the_seat() -> None:
    """The seat that resigned is named, the other wins, and the margin may be negative."""
    won = after(BEGUN, "take", "k Qh")
    told = summary(after(won, "resign"))
    assert (told["resigned"], told["winner"], told["margin"], told["totals"]) == (0, 1, -105, [105, 0])


def test_a_summary_is_plain_data() -> None:
    """A summary survives JSON unchanged, without values of the engine's own types."""
    told = summary(after(BEGUN, "take", "k Qh", "resign"))
    assert json.loads(json.dumps(told)) == told
    assert type(told["deals"][0]["kind"]) is str
