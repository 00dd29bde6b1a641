"""The final places of seats, from which ratings are computed."""

from __future__ import annotations

import pytest

from bot.engine.deals.moves import RESIGN, Seat
from bot.engine.matches.match import Match, Play, apply
from bot.engine.rules import Rules
from bot.play.standing.ratings import places
from tests.engine.decks import random_actions, random_finished_match


def finished_match(rules: str, seats: int, seed: int = 3) -> Match:
    """Return a random match that was played to its end."""
    return random_finished_match(seed, Rules.parse(rules), seats)[1]


@pytest.mark.parametrize("rules", ["classic target=10", "penalty target=10"])
def test_the_winner_of_two_is_first(rules: str) -> None:
    """Of two players, the winner is first, by points or by the fewest penalty points."""
    match = finished_match(rules, 2)
    assert match.score.winner is not None
    assert places(match)[match.score.winner] == 1
    assert sorted(places(match)) == [1, 2]


def test_a_drawn_match_is_a_tie() -> None:
    """In a drawn match both players are first. With these seeds they have the same points."""
    for seed in (15, 33):
        match = finished_match("classic target=none deals=2 winner=highest_total game_bonus=0", 2, seed)
        assert match.score.winner is None
        assert places(match) == (1, 1)


def test_partners_share_a_place() -> None:
    """Partners (seats 0 and 2, or 1 and 3) share a place."""
    assert places(finished_match("partners target=10", 4)) in ((1, 2, 1, 2), (2, 1, 2, 1))


@pytest.mark.parametrize(("rules", "seats"), [("rotation target=30", 3), ("penalty target=60", 4)])
@pytest.mark.parametrize("seed", range(4))
def test_places_of_several_players_follow_the_score(rules: str, seats: int, seed: int) -> None:
    """With more players, the winner is first and the others follow by points or penalty points."""
    match = finished_match(rules, seats, seed)
    seat_places, score = places(match), match.score
    assert score.winner is None or seat_places[score.winner] == 1
    merit = [-points for points in score.scores] if "penalty" in rules else list(score.totals)
    for index in range(seats):
        for other in range(seats):
            if seat_places[index] < seat_places[other] and score.winner not in (index, other):
                assert merit[index] >= merit[other]


@pytest.mark.parametrize(("rules", "seats"), [("rotation", 3), ("winner_stays", 3), ("penalty", 4)])
def test_a_resigning_player_of_several_is_last(rules: str, seats: int) -> None:
    """With three or four players and no teams, a player who resigns is last and the others share first place."""
    match = next(after for _, _, after in random_actions(1, Rules.parse(rules), seats=seats) if after.finished)
    assert places(apply(match, Play(Seat(1), RESIGN))) == tuple(seats if seat == 1 else 1 for seat in range(seats))


def test_the_side_of_a_resigning_player_loses() -> None:
    """With two sides, the side of the player who resigns loses."""
    for rules, seats, expected in (("classic", 2, (2, 1)), ("partners", 4, (2, 1, 2, 1))):
        match = next(after for _, _, after in random_actions(1, Rules.parse(rules), seats=seats) if after.finished)
        assert places(apply(match, Play(Seat(0), RESIGN))) == expected
