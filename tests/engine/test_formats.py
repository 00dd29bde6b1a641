"""What deals add up to in a duel, who deals, and when the match is over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.cards import DECK
from bot.engine.deal import Deal, Phase, start
from bot.engine.formats import FORMATS, Duel
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.showdown import Kind, Outcome

ENDLESS = Rules(target=None, deals=1000)


def over(number: int, winner: int | None, points: int = 0, dealer: int = 1) -> Deal:
    """A finished deal that a seat won with so many points; void where nobody did."""
    end = Outcome(Kind.VOID) if winner is None else Outcome(Kind.KNOCK, winner=Seat(winner), difference=points)
    return replace(start(ENDLESS, number, (Seat(1 - dealer), Seat(dealer)), DECK), phase=Phase.DONE, outcome=end)


def deals(*results: tuple[int | None, int]) -> list[Deal]:
    """Finished deals from their winners and points."""
    return [over(number, winner, points) for number, (winner, points) in enumerate(results, 1)]


def test_a_duel_is_for_two() -> None:
    """Two seats, no fewer and no more."""
    assert list(FORMATS["duel"].seats()) == [2]


@pytest.mark.parametrize("first_dealer", [0, 1])
def test_the_deal_alternates_but_not_after_a_void_deal(first_dealer: int) -> None:
    """The first dealer is given; after a scored deal the other deals; after a void one the same again."""
    dealer, other = Seat(first_dealer), Seat(1 - first_dealer)
    assert Duel().next_order(ENDLESS, [], dealer) == (other, dealer)
    assert Duel().next_order(ENDLESS, [over(1, 0, 5, dealer=dealer)], dealer) == (dealer, other)
    assert Duel().next_order(ENDLESS, [over(1, 1, 5, dealer=dealer)], dealer) == (dealer, other)
    assert Duel().next_order(ENDLESS, [over(1, None, dealer=dealer)], dealer) == (other, dealer)


def test_nothing_is_over_before_the_target() -> None:
    """At 99 of 100 the match runs: no winner, no margin, no game bonus; boxes are counted as they are won."""
    score = Duel().score(Rules(), deals((0, 99), (None, 0), (1, 30)), None)
    assert (score.over, score.winner, score.margin) == (False, None, None)
    assert (score.scores, score.deals_won, score.line, score.game) == ((99, 30), (1, 1), (20, 20), (0, 0))
    assert score.totals == (119, 50)


def test_the_target_ends_the_match() -> None:
    """At exactly the target the match is over, and its first to reach it has the game bonus."""
    score = Duel().score(Rules(), deals((1, 60), (0, 10), (1, 40)), None)
    assert (score.over, score.winner, score.margin) == (True, 1, 240 - 30)
    assert (score.line, score.game, score.shutout, score.totals) == ((20, 40), (0, 100), (0, 0), (30, 240))


def test_lines_do_not_count_towards_the_target() -> None:
    """Four deals of 20 points with 25 a line are 80, not 180."""
    score = Duel().score(Rules(line_bonus=25), deals((0, 20), (0, 20), (0, 20), (0, 20)), None)
    assert (score.over, score.scores, score.totals) == (False, (80, 0), (180, 0))


def test_the_highest_total_wins_not_the_first_to_the_target() -> None:
    """With a small game bonus many boxes beat the target; the margin is against the winner's total."""
    rules = Rules(game_bonus=0, line_bonus=50)
    score = Duel().score(rules, deals((1, 40), (1, 30), (1, 29), (0, 100)), None)
    assert (score.totals, score.winner, score.margin) == ((150, 249), 1, 99)


def test_an_agreed_number_of_scored_deals_ends_the_match() -> None:
    """Void deals do not count; the one ahead in deal points has the game bonus."""
    rules = Rules(target=None, deals=2)
    assert not Duel().score(rules, deals((0, 10), (None, 0)), None).over
    score = Duel().score(rules, deals((0, 10), (None, 0), (1, 12)), None)
    assert (score.over, score.winner, score.totals, score.margin) == (True, 1, (30, 132), 102)


@pytest.mark.parametrize(
    ("rules", "results", "winner"),
    [
        (Rules(target=None, deals=2, line_bonus=10), ((0, 5), (1, 5)), None),
        (Rules(target=None, deals=3, line_bonus=10, game_bonus=0), ((0, 20), (1, 5), (1, 5)), 0),
        (Rules(target=None, deals=3, line_bonus=0, game_bonus=0), ((0, 10), (1, 5), (1, 5)), 1),
    ],
    ids=["drawn", "more deal points", "more deals won"],
)
def test_equal_totals(rules: Rules, results: tuple[tuple[int, int], ...], winner: int | None) -> None:
    """Equal totals go to more deal points, then to more deals won, then the match is drawn; the margin is 0."""
    score = Duel().score(rules, deals(*results), None)
    assert score.totals[0] == score.totals[1]
    assert (score.over, score.winner, score.margin) == (True, winner, 0)


def test_a_resignation_ends_a_duel_at_once() -> None:
    """Scores and lines stand, there is no game bonus, and the other wins whatever the totals."""
    score = Duel().score(Rules(), deals((0, 80), (1, 10)), Seat(0))
    assert (score.over, score.winner, score.margin) == (True, 1, 30 - 100)
    assert (score.totals, score.game) == ((100, 30), (0, 0))
