"""The standings in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from bot.model.ids import PersonId
from bot.model.ratings import Rating
from bot.model.seasons import Award, Awarded, Podium
from bot.model.standings import Leaderboard, Movement, Order, Ranked, Standing
from bot.model.statistics import Category
from cogs.standings import leaderboard_text as leaderboard


def test_a_line_has_every_kind_of_result() -> None:
    """Draws and matches without a result are listed if there are any, so that the numbers add up."""
    tally = (7, 4, 130, 2, 0)
    some = Standing(*tally, person_id=PersonId(1), name="North", matches=6, won=3, lost=1, drawn=1, net=-20)
    only = Standing(*tally, person_id=PersonId(1), name="North", matches=3, won=3, lost=0, drawn=0, net=20)
    assert leaderboard.line(Ranked(2, some), Order.WINS, Category.POINTS).splitlines() == [
        "**2.** ⁨North⁩: **3** won, 1 lost, 1 drawn, 1 more without a result",
        "-# 130 points · net −20 · deals 7–4 · 2 gins",
    ]
    assert leaderboard.line(Ranked(1, only), Order.WINS, Category.POINTS).startswith(
        "**1.** ⁨North⁩: **3** won, 0 lost\n"
    )


def test_a_line_begins_with_the_sort_key() -> None:
    """A line begins with the rating, the points, or (for penalty rules) the net points, depending on the order."""
    sums = (7, 4, 130, 0, 0, 6, 3, 3, 0, -20)
    standing = Standing(*sums, person_id=PersonId(1), name="North", rating=Rating(1512.4, 80.0), rated=6)
    heads = {
        (order, category): leaderboard.line(Ranked(1, standing), order, category).splitlines()[0]
        for order in Order
        for category in (Category.POINTS, Category.PENALTY)
    }
    assert heads[Order.RATING, Category.POINTS] == "**1.** ⁨North⁩: rating **1512**, 3 won, 3 lost"
    assert heads[Order.POINTS, Category.POINTS] == "**1.** ⁨North⁩: **130** points, 3 won, 3 lost"
    assert heads[Order.POINTS, Category.PENALTY] == "**1.** ⁨North⁩: net **−20**, 3 won, 3 lost"


def test_a_fact_appears_once() -> None:
    """The number that sorts the row is not repeated below it, and counts have plurals."""
    standing = Standing(*(7, 4, 53, 1, 2, 2, 1, 1, 0, 34), person_id=PersonId(1), name="North")
    below = {
        category: leaderboard.line(Ranked(1, standing), Order.POINTS, category).splitlines()[1]
        for category in (Category.POINTS, Category.PENALTY)
    }
    assert below == {
        Category.POINTS: "-# net +34 · deals 7–4 · 1 gin · 2 undercuts",
        Category.PENALTY: "-# 53 penalty points · deals 7–4 · 1 gin · 2 undercuts",
    }


def test_a_missing_order_by_rating_is_explained() -> None:
    """The text says why a season or a single ruleset is not sorted by rating. Other boards need no explanation."""
    explained = [
        leaderboard.without_ratings(*board) for board in (("2026-11", None), ("all", "classic"), ("all", None))
    ]
    assert [text is None for text in explained] == [False, False, True]
    assert len({*explained}) == 3


def test_a_line_shows_the_movement() -> None:
    """An arrow or `new` follows the place. Arrows are explained, also for readers who are not on the page."""
    standing = Standing(*[0] * 10, person_id=PersonId(1), name="North")
    marks = {2: "▲2 ", -11: "▼11 ", 0: "", None: "*new* "}
    for places, mark in marks.items():
        row = Ranked(3, standing, Movement(places))
        assert leaderboard.line(row, Order.WINS, Category.POINTS).startswith(f"**3.** {mark}⁨North⁩: ")
        explained = leaderboard.MOVEMENTS_EXPLAINED if places else None
        on_page = Leaderboard(Order.WINS, 3, 0, 1, [row], None, None)
        assert leaderboard.movements_explained(on_page) == explained
        own = Leaderboard(Order.WINS, 30, 0, 3, (), standing, 30, own_movement=row.movement)
        assert leaderboard.movements_explained(own) == explained
        shown = leaderboard.own_place(own, PersonId(1), Category.POINTS)
        assert shown is not None
        assert shown.startswith(f"You: **30.** {mark}⁨North⁩: ")


def test_an_unranked_player_sees_the_missing_matches() -> None:
    """Players whose ratings do not appear yet are named with their matches, or counted if they are many.

    Their own text has the number of missing matches.
    """
    standing = Standing(*[0] * 10, person_id=PersonId(1), name="North", rating=Rating(1512.4, 219.0), rated=9)
    board = Leaderboard(Order.RATING, 0, 0, 1, (), standing, None, [standing], 1)
    own_place = leaderboard.own_place(board, PersonId(1), Category.POINTS)
    assert own_place == "Your rating appears after about 1 more match to 100 points."
    named, counted = leaderboard.unranked(board), leaderboard.unranked(replace(board, provisional_people=23))
    assert named is not None
    assert "North⁩ (9 matches)" in named
    assert counted is not None
    assert ("North" in counted, "23" in counted) == (False, True)
    assert leaderboard.unranked(replace(board, provisional=(), provisional_people=0)) is None
    unrated = leaderboard.own_place(replace(board, own=replace(standing, rating=None)), PersonId(1), Category.POINTS)
    assert unrated not in (None, own_place)


def test_seasons_have_names() -> None:
    """A season is named after its month or its quarter, with its first day if it began late.

    In a sentence, a quarter has an article.
    """
    periods = ["all", "recent", "2026-03", "2026-Q1", "2026-Q4"]
    assert [leaderboard.period_name(period) for period in periods] == [
        *("all time", "last 30 days", "March 2026", "1st quarter of 2026", "4th quarter of 2026")
    ]
    late = datetime(2026, 11, 30, 1, 8, tzinfo=UTC)
    assert leaderboard.period_name("2026-11", late) == "November 2026, from 30 Nov"
    assert leaderboard.began_late(None) is None
    assert leaderboard.not_listed(Category.TEAMS, None, "2026-Q3").endswith(" in the 3rd quarter of 2026.")
    assert leaderboard.not_listed(Category.TEAMS, None, "all").endswith("here yet.")


def test_the_result_of_a_season_has_a_title_and_podiums() -> None:
    """The title has the season's name, each category has its podium, and an award names everyone who shares it."""
    assert leaderboard.season_is_over("2026-11") == "November 2026 is over"
    assert leaderboard.season_is_over("2026-Q4") == "The 4th quarter of 2026 is over"
    some = Standing(*(7, 4, 130, 2, 0), person_id=PersonId(1), name="No*th", matches=6, won=3, lost=2, drawn=1, net=-20)
    shown = Podium(Category.TEAMS, (Ranked(1, some), Ranked(1, some)), 2)
    row = "**1.** ⁨No\\*th⁩: **3** won, 2 lost, 1 drawn"
    assert leaderboard.podium(shown).splitlines() == ["**Team matches**", row, row]
    assert leaderboard.superlatives(()) is None
    large = Awarded(Award.DEAL, None, 1, PersonId(1), "North", 1_234)
    assert leaderboard.superlatives([large]) == "Largest deal: ⁨North⁩ (1,234 points)"
    gins = [Awarded(Award.GINS, None, 1, PersonId(person), f"P{person}", 2) for person in (1, 2, 3, 4, 5, 1)]
    assert leaderboard.superlatives(gins[:3]) == "Most gins: ⁨P1⁩, ⁨P2⁩ and ⁨P3⁩ (2 each)"
    assert leaderboard.superlatives(gins) == "Most gins: ⁨P1⁩, ⁨P2⁩, ⁨P3⁩ and 2 more (2 each)"


def test_below_a_podium_are_champions_and_people_without_a_step() -> None:
    """The text below a podium's picture names all champions, people after the third, and awards that people share."""
    some = Standing(*(7, 4, 130, 2, 0), person_id=PersonId(1), name="No*th", matches=5, won=3, lost=2, drawn=0, net=-20)
    people = [replace(some, person_id=PersonId(person), name=f"P{person}") for person in (2, 3, 4)]
    alone = Podium(Category.TEAMS, (Ranked(1, some), *(Ranked(2, person) for person in people[:2])), 3)
    assert leaderboard.below_podium(alone) == "**Champion in team matches:** ⁨No\\*th⁩"
    tied = Podium(
        Category.TEAMS, tuple(Ranked(1 + 2 * (place > 1), row) for place, row in enumerate((some, *people))), 4
    )
    assert leaderboard.below_podium(tied).splitlines() == [
        "**Champions in team matches:** ⁨No\\*th⁩ and ⁨P2⁩",
        "**3.** ⁨P4⁩: **3** won, 2 lost",
    ]
    gins = [Awarded(Award.GINS, None, 1, PersonId(person), f"P{person}", 2) for person in (1, 2)]
    streak = Awarded(Award.STREAK, None, 1, PersonId(1), "P1", 3)
    assert leaderboard.superlatives([*gins, streak], only_shared=True) == "Most gins: ⁨P1⁩ and ⁨P2⁩ (2 each)"
    assert leaderboard.superlatives([streak], only_shared=True) is None


def test_a_finished_season_names_its_champions() -> None:
    """The text has the champions of the category, and the holders of other awards."""
    first = Awarded(Award.PODIUM, Category.POINTS, 1, PersonId(1), "North", 3)
    gins = Awarded(Award.GINS, None, 1, PersonId(1), "North", 1)
    told = leaderboard.awards([first, gins], Category.POINTS)
    assert told == "**Champion of this season:** ⁨North⁩\nMost gins: ⁨North⁩ (1)"
    assert leaderboard.awards([first], Category.TEAMS) is None
