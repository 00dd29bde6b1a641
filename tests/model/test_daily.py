"""The ranking of people's results in the deals of the day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from bot.engine.deals.showdown import OutcomeKind
from bot.model.daily import DailyResult, DailyTotal, rank, totals, unfinished_result
from bot.model.ids import MatchId, PersonId
from bot.model.statistics import Player

DAY = date(2026, 12, 1)
ANNA, BEN, CLEO, DORA = (Player(PersonId(number), name) for number, name in enumerate(("anna", "Ben", "cleo", "Dora")))


def result(
    player: Player, points: int | None = None, turns: int | None = None, *, is_finished: bool = True, days: int = 0
) -> DailyResult:
    """Return a result of a day."""
    kind = OutcomeKind.KNOCK if is_finished else None
    is_running = points is None
    return DailyResult(DAY + timedelta(days=days), player, MatchId(1), points, turns, kind, is_running)


def placed(*results: DailyResult) -> list[tuple[int, str | None]]:
    """Return the places and names of the ranking."""
    return [(ranked.place, ranked.total.player.name) for ranked in rank(totals(results))]


def test_more_points_and_then_fewer_turns_come_first() -> None:
    """People are ranked by points, and those with equal points by turns."""
    results = result(ANNA, -5, 3), result(BEN, 20, 9), result(CLEO, 20, 8), result(DORA, 31, 20)
    assert placed(*results) == [(1, "Dora"), (2, "cleo"), (3, "Ben"), (4, "anna")]


def test_equal_results_share_a_place() -> None:
    """People with equal results share a place, and are named in the order of their names; the next place is free."""
    results = result(DORA, 1, 2), result(CLEO, 20, 8), result(BEN, 20, 8), result(ANNA, 30, 8)
    assert placed(*results) == [(1, "anna"), (2, "Ben"), (2, "cleo"), (4, "Dora")]


def test_the_only_finisher_is_ahead_of_those_who_have_their_result() -> None:
    """If a single person finished, the unfinished tries count as the same result, but share no place with it."""
    results = result(ANNA, 32, 9, is_finished=False), result(BEN, 32, 9), result(CLEO, 32, 9, is_finished=False)
    assert placed(*results) == [(1, "Ben"), (2, "anna"), (2, "cleo")]


def test_a_person_who_has_finished_nothing_comes_last() -> None:
    """A try that is not finished never beats a finished one, even one of another day that lost more points."""
    results = result(ANNA, -25, 0, is_finished=False), result(BEN, -29, 8, days=1)
    assert placed(*results) == [(1, "Ben"), (2, "anna")]


def test_results_of_several_days_are_added() -> None:
    """A person's total has the sums of their points and turns, and the numbers of finished and unfinished tries."""
    results = result(ANNA, 20, 8), result(ANNA, -7, 11, is_finished=False, days=1), result(ANNA, 5, 2, days=2)
    assert totals(results) == (DailyTotal(ANNA, 18, 21, 2, 1),)


def test_a_try_without_points_does_not_count() -> None:
    """A person whose only try has no points, because it is running or nobody finished, is not ranked."""
    results = result(ANNA, is_finished=False), result(BEN, 20, 8), result(BEN, is_finished=False, days=1)
    assert totals(results) == (DailyTotal(BEN, 20, 8, 1, 0),)


@pytest.mark.parametrize(("worst", "expected"), [((62, 5), (-25, 5)), ((-40, 9), (-40, 9)), (None, (-25, 0))])
def test_an_unfinished_try_never_pays(worst: tuple[int, int] | None, expected: tuple[int, int]) -> None:
    """An unfinished try counts as the worst finished result, but never as more than minus 25."""
    assert unfinished_result(worst) == expected
