"""A match's result as JSON data. Complete records with their JSON are in `tests/records`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.engine.cards.cards import parse_cards
from bot.engine.deals.moves import Move, Seat
from bot.engine.matches.match import Cut, Match, Play, Shuffle, apply, apply_all, new_match
from bot.engine.rules import Rules
from bot.engine.to_json import match_to_json
from tests.engine.decks import GIN_HAND, POOR_HAND, deck, random_finished_match

FRESH = apply(new_match(Rules(), 2), Cut(parse_cards("Kd 7h")))
STARTED = apply(FRESH, Shuffle(1, Seat(1), deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks")))


def after(match: Match, *moves: str) -> Match:
    """Return the match after moves of seat 0."""
    return apply_all(match, [Play(Seat(0), Move.parse(move)) for move in moves])


def test_a_match_that_has_not_begun() -> None:
    """Before the first deal, the JSON lists no deals, and all numbers are 0."""
    assert match_to_json(FRESH) == {
        "deals": [],
        "scores": [0, 0],
        "bonuses": {"line": [0, 0], "game": [0, 0], "shutout": [0, 0]},
        "totals": [0, 0],
        "winner": None,
        "margin": None,
        "resigned": None,
    }


def test_the_deal_in_play_is_unfinished() -> None:
    """The deal in play has no winner, points or deadwood. Its seats are in order of play."""
    assert match_to_json(STARTED)["deals"] == [
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


def test_deadwood_is_listed_by_seat() -> None:
    """Deadwood is listed by seat, even if seat 0 is the dealer."""
    fresh = apply(new_match(Rules(), 2), Cut(parse_cards("7h Kd")))
    begun = apply(fresh, Shuffle(1, Seat(0), deck(POOR_HAND, f"{GIN_HAND} Qh", "Ks")))
    over = apply(begun, Play(Seat(1), Move.parse("pass")))
    (only,) = match_to_json(after(over, "take", "k Qh"))["deals"]
    assert (only["dealer"], only["seats"], only["winner"], only["deadwood"]) == (0, [1, 0], 0, [0, 60])
    assert (only["kind"], only["points"]) == ("gin", 85)


def test_a_resignation_names_the_seat() -> None:
    """The seat that resigned is named, the other seat wins, and the margin may be negative."""
    won = after(STARTED, "take", "k Qh")
    result = match_to_json(after(won, "resign"))
    assert (result["resigned"], result["winner"], result["margin"], result["totals"]) == (0, 1, -105, [105, 0])


def test_a_loss_on_time_names_the_seat() -> None:
    """A loss on time differs from a resignation only in the key that names the seat."""
    lost, resigned = (match_to_json(after(STARTED, "take", word)) for word in ("time", "resign"))
    assert (lost.pop("lost_on_time"), lost.pop("resigned"), resigned.pop("resigned")) == (0, None, 0)
    assert lost == resigned


def random_match(rules: str, seats: int) -> dict[str, Any]:
    """Return the JSON of a random match, after checking that it contains only JSON types."""
    _, match = random_finished_match(5, Rules.parse(rules), seats)
    result = match_to_json(match)
    assert json.loads(json.dumps(result)) == result
    return result


def test_a_player_who_sits_out_has_no_deadwood() -> None:
    """If a third player sits out, `seats` lists the two who played, and the third player's deadwood is null."""
    for only in random_match("rotation target=20", 3)["deals"]:
        assert len(only["seats"]) == 2
        assert only["dealer"] not in only["seats"]
        assert only["deadwood"][only["dealer"]] is None


def test_partners_are_listed_by_team_and_board() -> None:
    """In a match of partners, each deal number is listed once for each board. Scores and totals are by team."""
    result = random_match("partners target=60", 4)
    assert [(deal["deal"], deal["board"]) for deal in result["deals"]] == [
        (number, board) for number in range(1, len(result["deals"]) // 2 + 1) for board in (1, 2)
    ]
    assert len(result["scores"]) == len(result["totals"]) == len(result["bonuses"]["line"]) == 2
    assert len(result["deals"][0]["deadwood"]) == 4


def test_hollywood_has_three_columns_that_add_up() -> None:
    """In Hollywood, each column has the fields of a match, and the top level has the columns' sums."""
    result = random_match("hollywood target=40 shutout=plus_100", 2)
    columns = result["columns"]
    assert len(columns) == 3
    for side in (0, 1):
        assert result["totals"][side] == sum(column["totals"][side] for column in columns)
        assert result["scores"][side] == sum(column["scores"][side] for column in columns)
        for bonus in ("line", "game", "shutout"):
            assert result["bonuses"][bonus][side] == sum(column["bonuses"][bonus][side] for column in columns)
    assert all(column["winner"] in (0, 1) for column in columns)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_penalty_points_add_up_over_the_deals(seats: int) -> None:
    """In the penalty game, a deal's points are the sum of its losers' penalties, and totals are penalty points."""
    result = random_match("penalty target=40", seats)
    assert sum(result["scores"]) == sum(deal["points"] for deal in result["deals"])
    assert result["totals"] == result["scores"]
    assert result["totals"][result["winner"]] == min(result["totals"])


def test_a_summary_is_plain_data() -> None:
    """A summary round-trips through JSON and contains no engine types."""
    result = match_to_json(after(STARTED, "take", "k Qh", "resign"))
    assert json.loads(json.dumps(result)) == result
    assert type(result["deals"][0]["kind"]) is str
