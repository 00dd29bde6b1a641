"""The final places of seats, from which ratings are computed."""

from __future__ import annotations

import pytest

from bot.engine.match import Match, Play, apply
from bot.engine.moves import RESIGN, Seat
from bot.engine.rules import Rules
from bot.play.standing.places import places
from tests.engine.decks import finished, random_actions


def played(rules: str, seats: int, seed: int = 3) -> Match:
    """Return a random match that was played to its end."""
    return finished(seed, Rules.parse(rules), seats)[1]


@pytest.mark.parametrize("rules", ["classic target=10", "penalty target=10"])
def test_of_two_the_winner_is_first(rules: str) -> None:
    """Of two players, the winner is first, by points or by the fewest penalty points."""
    match = played(rules, 2)
    assert match.score.winner is not None
    assert places(match)[match.score.winner] == 1
    assert sorted(places(match)) == [1, 2]


def test_a_drawn_match_is_a_tie() -> None:
    """In a drawn match both are first. With these seeds both have the same points."""
    for seed in (15, 33):
        match = played("classic target=none deals=2 winner=highest_total game_bonus=0", 2, seed)
        assert match.score.winner is None
        assert places(match) == (1, 1)


def test_partners_share_a_place() -> None:
    """Partners, seats 0 and 2 or 1 and 3, share a place."""
    assert places(played("partners target=10", 4)) in ((1, 2, 1, 2), (2, 1, 2, 1))


@pytest.mark.parametrize(("rules", "seats"), [("rotation target=30", 3), ("penalty target=60", 4)])
@pytest.mark.parametrize("seed", range(4))
def test_of_several_everyone_has_a_place_by_their_score(rules: str, seats: int, seed: int) -> None:
    """With more players, the winner is first and the others follow by points or penalty points."""
    match = played(rules, seats, seed)
    found, score = places(match), match.score
    assert score.winner is None or found[score.winner] == 1
    merit = [-points for points in score.scores] if "penalty" in rules else list(score.totals)
    for one in range(seats):
        for other in range(seats):
            if found[one] < found[other] and score.winner not in (one, other):
                assert merit[one] >= merit[other]


@pytest.mark.parametrize(("rules", "seats"), [("rotation", 3), ("winner_stays", 3), ("penalty", 4)])
def test_of_several_whoever_gives_up_is_last(rules: str, seats: int) -> None:
    """With more players, the one who resigns is last and the others share the first place."""
    match = next(after for _, _, after in random_actions(1, Rules.parse(rules), seats=seats) if after.finished)
    assert places(apply(match, Play(Seat(1), RESIGN))) == tuple(seats if seat == 1 else 1 for seat in range(seats))


def test_of_two_the_other_wins() -> None:
    """With two sides, the side of the player who resigns loses."""
    for rules, seats, expected in (("classic", 2, (2, 1)), ("partners", 4, (2, 1, 2, 1))):
        match = next(after for _, _, after in random_actions(1, Rules.parse(rules), seats=seats) if after.finished)
        assert places(apply(match, Play(Seat(0), RESIGN))) == expected
