"""Drawn texts are short."""

from __future__ import annotations

from datetime import date

import pytest

from cardart.text.phrases import dates, deal_step, short_date, short_number, shortest_number, total
from tests.cardart.views import replay_views


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (-980, "−980"), (1240, "1,240"), (-9999, "−9,999"), (35_400, "35k"), (-35_400, "−35k")],
)
def test_numbers_are_short(number: int, text: str) -> None:
    """A number of five digits is shortened to thousands. Four digits have a comma, negative numbers a minus sign."""
    assert short_number(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1080, "1,080"), (9999, "9,999"), (10_000, "10k"), (35_500, "36k")],
)
def test_shortest_numbers_are_rounded_to_thousands(number: int, text: str) -> None:
    """A number of five digits is rounded to thousands."""
    assert shortest_number(number) == text


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (9999, "9,999"), (11_880, "11,880"), (99_999, "99,999"), (100_000, "100k")]
)
def test_totals_are_full_below_a_hundred_thousand(number: int, text: str) -> None:
    """A total has all its digits unless there are more than five."""
    assert total(number) == text


def test_steps_are_named_with_their_deal() -> None:
    """A title has the deal and the step number, but only the deal before the first step and at the showdown."""
    over = replay_views(0)[0].showdown
    assert deal_step(over, 9, 10) == ("Deal 1, step ", "9", " of 10")
    assert deal_step(over, 0, 10) == deal_step(over, 11, 10) == ("Deal 1",)


def test_dates_are_short() -> None:
    """A date has the day, a short name of the month and, unless omitted, the year."""
    assert (short_date(date(2026, 11, 3)), short_date(date(2027, 1, 31), year=False)) == ("3 Nov 2026", "31 Jan")


@pytest.mark.parametrize(
    ("first", "text"),
    [
        (date(2027, 1, 10), "10 Jan 2027"),
        (date(2027, 1, 4), "4–10 Jan 2027"),
        (date(2026, 1, 4), "4 Jan 2026 – 10 Jan 2027"),
        (date(2026, 12, 30), "30 Dec 2026 – 10 Jan 2027"),
    ],
)
def test_periods_do_not_repeat_themselves(first: date, text: str) -> None:
    """A period of days has a month or a year twice only if they differ."""
    assert dates(first, date(2027, 1, 10)) == text
    assert dates(date(2026, 10, 19), date(2026, 11, 29)) == "19 Oct – 29 Nov 2026"
