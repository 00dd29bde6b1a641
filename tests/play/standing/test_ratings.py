"""Ratings change by match results and converge to the order of strength."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.standings import FIRST_RATING, UNCERTAIN_DEVIATION, Rating
from bot.play.standing.ratings import rate

TWO = ((0,), (1,))
THREE = ((0,), (1,), (2,))
TEAMS = ((0, 2), (1, 3))

ratings = st.builds(Rating, st.floats(500, 2500), st.floats(80, 500))


def test_a_match_of_two_strangers() -> None:
    """Between equals the winner gains as much as the loser loses, a draw changes nothing, and sigma decreases."""
    winner, loser = rate(TWO, (1, 2), (FIRST_RATING, FIRST_RATING))
    assert (winner.number, loser.number) == (1658, 1342)
    assert winner.sigma == loser.sigma < FIRST_RATING.sigma
    assert [rating.number for rating in rate(TWO, (1, 1), (FIRST_RATING, FIRST_RATING))] == [1500, 1500]


@given(ratings, ratings)
def test_winning_never_lowers_a_rating(first: Rating, second: Rating) -> None:
    """A winner's rating never falls, and rises more against a stronger opponent."""
    winner, loser = rate(TWO, (1, 2), (first, second))
    assert winner.mu >= first.mu
    assert loser.mu <= second.mu
    (over_stronger, _) = rate(TWO, (1, 2), (first, Rating(second.mu + 200, second.sigma)))
    assert over_stronger.mu >= winner.mu


def test_teams_and_tables_of_three() -> None:
    """Partners' ratings change equally. Of three players, those in better places are rated higher; ties stay equal."""
    team = rate(TEAMS, (1, 2, 1, 2), (FIRST_RATING,) * 4)
    assert team[0] == team[2]
    assert team[1] == team[3]
    assert team[0].mu > team[1].mu
    three = rate(THREE, (2, 1, 3), (FIRST_RATING,) * 3)
    assert three[1].mu > three[0].mu > three[2].mu
    last_resigned = rate(THREE, (1, 1, 3), (FIRST_RATING,) * 3)
    assert last_resigned[0] == last_resigned[1]
    assert last_resigned[2].mu < FIRST_RATING.mu < last_resigned[0].mu


@given(ratings, ratings, ratings)
def test_ratings_are_deterministic(first: Rating, second: Rating, third: Rating) -> None:
    """Equal inputs give bit-identical ratings."""
    assert rate(THREE, (1, 2, 2), (first, second, third)) == rate(THREE, (1, 2, 2), (first, second, third))


def test_a_question_mark_marks_uncertain_ratings() -> None:
    """Between equal players, ratings have a question mark for at least ten matches, and none after twenty."""
    one = other = FIRST_RATING
    shown: list[str] = []
    for number in range(20):
        places = (1, 2) if number % 2 else (2, 1)
        one, other = rate(TWO, places, (one, other))
        shown.append(str(one))
    assert [text.endswith("?") for text in shown].index(False) in range(10, 20)
    assert not shown[-1].endswith("?")
    assert one.sigma < UNCERTAIN_DEVIATION


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_players_of_known_strength_are_ordered(seed: int) -> None:
    """If each of six players beats the next in 7 of 10 matches, their ratings end up in that order."""
    random, strengths = Random(seed), [1000 - 100 * index for index in range(6)]
    current = [FIRST_RATING] * 6
    sums = [0.0] * 6
    pairs = list(combinations(range(6), 2))
    for round_ in range(60):
        random.shuffle(pairs)
        for pair in pairs:
            players = list(pair)
            if round_ % 3 == 0:
                players.append(random.choice([index for index in range(6) if index not in pair]))
            performed = {player: strengths[player] + 120 * random.gauss(0, 1) for player in players}
            order = sorted(players, key=lambda player: -performed[player])
            sides = tuple((seat,) for seat in range(len(players)))
            places = [1 + order.index(player) for player in players]
            after = rate(sides, places, [current[player] for player in players])
            for player, rating in zip(players, after, strict=True):
                current[player] = rating
        if round_ >= 20:
            sums = [total + rating.mu for total, rating in zip(sums, current, strict=True)]
    assert sorted(sums, reverse=True) == sums
