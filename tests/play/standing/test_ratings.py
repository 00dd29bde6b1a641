"""Ratings change by match results and converge to the order of strength."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.play.standing.ratings import rate
from bot.values.standings import FIRST_RATING, UNCERTAIN, Rating

TWO = ((0,), (1,))
THREE = ((0,), (1,), (2,))
TEAMS = ((0, 2), (1, 3))

ratings = st.builds(Rating, st.floats(500, 2500), st.floats(80, 500))


def test_a_match_of_two_strangers() -> None:
    """Between equals the winner gains as much as the loser loses, a draw changes nothing, and sigma decreases."""
    winner, loser = rate(TWO, (1, 2), (FIRST_RATING, FIRST_RATING))
    assert (winner.number, loser.number) == (1658, 1342)
    assert winner.sigma == loser.sigma < FIRST_RATING.sigma
    assert [one.number for one in rate(TWO, (1, 1), (FIRST_RATING, FIRST_RATING))] == [1500, 1500]


@given(ratings, ratings)
def test_winning_never_costs(first: Rating, second: Rating) -> None:
    """A winner's rating never falls, and rises more against a stronger opponent."""
    winner, loser = rate(TWO, (1, 2), (first, second))
    assert winner.mu >= first.mu
    assert loser.mu <= second.mu
    (over_stronger, _) = rate(TWO, (1, 2), (first, Rating(second.mu + 200, second.sigma)))
    assert over_stronger.mu >= winner.mu


def test_teams_and_tables_of_three() -> None:
    """Partners' ratings change together; with three players ratings follow the places, and ties change equally."""
    team = rate(TEAMS, (1, 2, 1, 2), (FIRST_RATING,) * 4)
    assert team[0] == team[2]
    assert team[1] == team[3]
    assert team[0].mu > team[1].mu
    three = rate(THREE, (2, 1, 3), (FIRST_RATING,) * 3)
    assert three[1].mu > three[0].mu > three[2].mu
    quit_by_last = rate(THREE, (1, 1, 3), (FIRST_RATING,) * 3)
    assert quit_by_last[0] == quit_by_last[1]
    assert quit_by_last[2].mu < FIRST_RATING.mu < quit_by_last[0].mu


@given(ratings, ratings, ratings)
def test_the_same_numbers_come_of_the_same(first: Rating, second: Rating, third: Rating) -> None:
    """Equal inputs give bit-identical ratings."""
    assert rate(THREE, (1, 2, 2), (first, second, third)) == rate(THREE, (1, 2, 2), (first, second, third))


def test_a_question_mark_goes_with_certainty() -> None:
    """A rating between equals shows a question mark for the first ten matches or more, and none after twenty."""
    one = other = FIRST_RATING
    shown: list[str] = []
    for number in range(20):
        places = (1, 2) if number % 2 else (2, 1)
        one, other = rate(TWO, places, (one, other))
        shown.append(str(one))
    assert [text.endswith("?") for text in shown].index(False) in range(10, 20)
    assert not shown[-1].endswith("?")
    assert one.sigma < UNCERTAIN


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_players_of_known_strength_are_ordered(seed: int) -> None:
    """Six players, each beating the next in 7 of 10 matches, are rated in order, in duels and in threes."""
    random, strengths = Random(seed), [1000 - 100 * place for place in range(6)]
    found = [FIRST_RATING] * 6
    sums = [0.0] * 6
    pairs = list(combinations(range(6), 2))
    for round_ in range(60):
        random.shuffle(pairs)
        for pair in pairs:
            players = list(pair)
            if round_ % 3 == 0:
                players.append(random.choice([one for one in range(6) if one not in pair]))
            performed = {one: strengths[one] + 120 * random.gauss(0, 1) for one in players}
            order = sorted(players, key=lambda one: -performed[one])
            sides = tuple((seat,) for seat in range(len(players)))
            places = [1 + order.index(one) for one in players]
            after = rate(sides, places, [found[one] for one in players])
            for one, rating in zip(players, after, strict=True):
                found[one] = rating
        if round_ >= 20:
            sums = [total + rating.mu for total, rating in zip(sums, found, strict=True)]
    assert sorted(sums, reverse=True) == sums
