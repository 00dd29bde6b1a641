"""Ratings change by match results and converge to the order of strength."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.rules import Rules
from bot.model.ratings import FIRST_RATING, Rating
from bot.play.standing.ratings import rate, relative_length

TWO = ((0,), (1,))
THREE = ((0,), (1,), (2,))
TEAMS = ((0, 2), (1, 3))

CLASSIC = Rules.parse("classic")

ratings = st.builds(Rating, st.floats(500, 2500), st.floats(80, 250))


def test_a_match_of_two_strangers() -> None:
    """Between equals the winner gains as much as the loser loses, a draw changes nothing, and sigma decreases."""
    winner, loser = rate(TWO, (1, 2), (FIRST_RATING, FIRST_RATING), CLASSIC)
    assert (winner.number, loser.number) == (1563, 1437)
    assert winner.sigma == loser.sigma < FIRST_RATING.sigma
    assert [rating.number for rating in rate(TWO, (1, 1), (FIRST_RATING, FIRST_RATING), CLASSIC)] == [1500, 1500]


@given(ratings, ratings)
def test_winning_never_lowers_a_rating(first: Rating, second: Rating) -> None:
    """A winner's rating never falls, and rises more against a stronger opponent."""
    winner, loser = rate(TWO, (1, 2), (first, second), CLASSIC)
    assert winner.mu >= first.mu
    assert loser.mu <= second.mu
    (over_stronger, _) = rate(TWO, (1, 2), (first, Rating(second.mu + 200, second.sigma)), CLASSIC)
    assert over_stronger.mu >= winner.mu


def test_teams_and_tables_of_three() -> None:
    """Partners' ratings change equally. Of three players, those in better places are rated higher; ties stay equal."""
    team = rate(TEAMS, (1, 2, 1, 2), (FIRST_RATING,) * 4, CLASSIC)
    assert team[0] == team[2]
    assert team[1] == team[3]
    assert team[0].mu > team[1].mu
    three = rate(THREE, (2, 1, 3), (FIRST_RATING,) * 3, CLASSIC)
    assert three[1].mu > three[0].mu > three[2].mu
    last_resigned = rate(THREE, (1, 1, 3), (FIRST_RATING,) * 3, CLASSIC)
    assert last_resigned[0] == last_resigned[1]
    assert last_resigned[2].mu < FIRST_RATING.mu < last_resigned[0].mu


@given(ratings, ratings, ratings)
def test_ratings_are_deterministic(first: Rating, second: Rating, third: Rating) -> None:
    """Equal inputs give bit-identical ratings."""
    assert rate(THREE, (1, 2, 2), (first, second, third), CLASSIC) == rate(
        THREE, (1, 2, 2), (first, second, third), CLASSIC
    )


def test_ten_matches_to_100_settle_a_rating() -> None:
    """Between equals, the rating of a new player is settled after ten matches to 100, as the player was told."""
    one = other = FIRST_RATING
    told = list[int]()
    while not one.is_settled:
        told.append(one.matches_until_settled)
        places = (1, 2) if len(told) % 2 else (2, 1)
        one, other = rate(TWO, places, (one, other), CLASSIC)
    assert told == [*range(10, 0, -1)]
    assert one.matches_until_settled == 0


def test_short_matches_bring_a_rating_nearer() -> None:
    """The number of missing matches to 100 never rises with matches to 50, and falls to 0 after some 20 of them."""
    one = other = FIRST_RATING
    told = list[int]()
    while not one.is_settled:
        told.append(one.matches_until_settled)
        places = (1, 2) if len(told) % 2 else (2, 1)
        one, other = rate(TWO, places, (one, other), Rules.parse("classic target=50"))
    assert told == sorted(told, reverse=True)
    assert {*told} == {*range(1, 11)}
    assert 15 <= len(told) <= 25


@pytest.mark.parametrize(
    ("rules", "length"),
    [
        ("classic", 1),
        ("oklahoma", 1),
        ("classic target=50", 0.5),
        ("classic target=17", 0.17),
        ("classic target=10", 0.17),
        ("classic target=none deals=3", 0.51),
        ("classic target=50 deals=1", 0.17),
        ("classic target=none deals=20", 1),
    ],
)
def test_short_matches_weigh_less(rules: str, length: float) -> None:
    """The weight of a match is its length in deals by its rules, relative to a match to 100, and at most 1."""
    assert relative_length(Rules.parse(rules)) == pytest.approx(length)
    (won, _), (full, _) = (
        rate(TWO, (1, 2), (FIRST_RATING, FIRST_RATING), some) for some in (Rules.parse(rules), CLASSIC)
    )
    assert 0 < won.mu - FIRST_RATING.mu <= full.mu - FIRST_RATING.mu
    assert (won.mu < full.mu) == (length < 1)
    assert (won.sigma > full.sigma) == (length < 1)


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
            after = rate(sides, places, [current[player] for player in players], CLASSIC)
            for player, rating in zip(players, after, strict=True):
                current[player] = rating
        if round_ >= 20:
            sums = [total + rating.mu for total, rating in zip(sums, current, strict=True)]
    assert sorted(sums, reverse=True) == sums
