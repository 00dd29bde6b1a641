"""Luck statistics in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.luck.measures import NO_LUCK, Luck
from bot.model.statistics import Category
from cogs.standings import luck_text as texts
from tests.cogs.standings.test_profile_text import MIXED

MANY_DEALS = replace(MIXED, luck=Luck(214, 12241, 1070, 718, 21, 4))


def test_each_measure_has_its_expected_range() -> None:
    """Each mean, percentage and count is followed by the range in which chance alone puts 19 of 20 players."""
    assert (texts.luck(MANY_DEALS) or "").splitlines() == [
        "**Luck in 214 deals** (in brackets: the range for 19 out of 20 players)",
        "Opening deadwood: **57.2** on average (54.6 to 58.3)",
        "Useful draws: **67.1%** (64.3% to 70.0%)",
        "Gins: **21** (14 to 32)",
        "Undercuts: **4** (2 to 12)",
    ]


def test_values_outside_the_range_are_marked() -> None:
    """A value outside its range is marked as above or below."""
    text = texts.luck(replace(MANY_DEALS, luck=Luck(214, 12241 + 2140, 1070, 600, 40, 4))) or ""
    assert "Opening deadwood: **67.2** on average (54.6 to 58.3) · above\n" in text
    assert "Useful draws: **56.1%** (64.3% to 70.0%) · below\n" in text
    assert "Gins: **40** (14 to 32) · above\n" in text
    assert text.endswith("Undercuts: **4** (2 to 12)")


@pytest.mark.parametrize(("deals", "so_far"), [(0, "(0 so far)"), (1, "(1 so far)"), (29, "(29 so far)")])
def test_few_deals_have_no_statistics(deals: int, so_far: str) -> None:
    """With too few deals, the text has only their number and the required number."""
    few = replace(MIXED, luck=replace(NO_LUCK, deals=deals, opening=56 * deals))
    text = texts.luck(few) or ""
    assert "30 two-player classic deals" in text
    assert so_far in text
    assert texts.about(few, own=True) is None


def test_without_draws_the_percentage_is_missing() -> None:
    """A player who never drew has no percentage of useful draws, but all other lines."""
    text = texts.luck(replace(MANY_DEALS, luck=Luck(40, 2240, 0, 0, 40, 0))) or ""
    assert "Useful draws" not in text
    assert "Gins: **40**" in text


def test_other_categories_have_no_luck_statistics() -> None:
    """Team deals and penalty points have no luck statistics."""
    for category in (Category.TEAMS, Category.PENALTY):
        other = replace(MANY_DEALS, category=category)
        assert texts.luck(other) is None
        assert texts.about(other, own=True) is None


def test_the_small_print_addresses_the_right_person() -> None:
    """The small print says *you* on the player's own profile, and *they* otherwise."""
    assert "how you play" in (texts.about(MANY_DEALS, own=True) or "")
    assert "how they play" in (texts.about(MANY_DEALS, own=False) or "")
