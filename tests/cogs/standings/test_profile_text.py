"""The texts of a profile."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.model.ids import PersonId
from bot.model.people import Preferences
from bot.model.ratings import Rating
from bot.model.statistics import Category, PlayedMatch, Player, Profile, Rank, Results, Rival, Title
from bot.opponent.play.levels import Level
from cogs.standings import profile_text as texts
from cogs.standings.profile_panel import profile as panel
from cogs.words.ratings import appears_after
from tests.cogs.samples import LONGEST_NAME, MESSAGE_LIMIT, NOW, button_labels, length, opened_pictures, text_of
from tests.gallery.sample_profiles import activity

_NORTH, _SOUTH = PersonId(1), PersonId(2)


def profile(*played: tuple[bool | None, bool, int]) -> Profile:
    """Return a profile with one match per tuple of three values: won (None without a winner), drawn, and net points."""
    return Profile(
        player=Player(_NORTH, "North"),
        category=Category.POINTS,
        categories=(Category.POINTS,),
        played_matches=tuple(PlayedMatch(NOW + timedelta(days=day), *result) for day, result in enumerate(played)),
        deals_won=9,
        deals_lost=7,
        points=310,
        gins=2,
        undercuts=0,
        rival=Rival(Player(_SOUTH, "South"), 3, 2, 1),
        practice={},
    )


MIXED = profile((True, False, 60), (True, False, 20), (False, False, -100), (None, True, 5), (None, False, -3))


def test_a_profile_has_all_its_facts_as_text() -> None:
    """The text has all results, the winning percentage, points, deals by kind, and the most frequent opponent."""
    assert texts.facts(MIXED).splitlines() == [
        "**4** matches: **2** won (50%), 1 lost, 1 drawn, 1 more without a result",
        "Net points **−18** (your points minus the best opponent's points)",
        "Best streak: **2** won in a row",
        "Deals: **9** won (7 by knocking and 2 with gin), 7 lost · 310 points",
        "Last 5: won, won, lost, neither, neither",
        "Most often against ⁨South⁩: 3 matches, **2** won, 1 lost",
    ]


def test_below_the_picture_are_the_facts_that_it_leaves_out() -> None:
    """The text below a profile's picture repeats only the place, and says how net points are counted."""
    ranked = replace(MIXED, rank=Rank(Rating(1658, 150), 3, 24), titles=(Title("2026-10", Category.POINTS),))
    assert texts.below_picture(ranked).splitlines() == [
        "**Champion of October 2026 (points)**",
        "-# 2 won, 1 lost, 1 drawn, 1 more without a result · 310 points · place 3 of 24",
        "-# Net points: your points minus the best opponent's points.",
    ]
    provisional = replace(MIXED, category=Category.PENALTY, rank=Rank(Rating(1658, 240), None, 3))
    assert texts.below_picture(provisional, own=False).splitlines() == [
        "Their rating appears after about 8 more matches to 100 points.",
        "-# 2 won, 1 lost, 1 drawn, 1 more without a result · 310 penalty points",
        "-# Net points: the best opponent's points minus their points.",
    ]


async def test_the_picture_is_followed_by_the_buttons() -> None:
    """Below the picture are few words, and luck comes after the buttons. Without it, all facts are in words."""
    lucky = replace(
        MIXED,
        categories=(Category.TEAMS, Category.POINTS),
        luck=replace(MIXED.luck, deals=40, opening=2200, draws=200, useful=130),
    )
    async with opened_pictures() as pictures:
        shown = await panel(lucky, _NORTH, Preferences(), pictures)
        in_words = await panel(lucky, _NORTH, Preferences(pictures=False), pictures)
    assert texts.below_picture(lucky) in text_of(shown)
    assert texts.facts(lucky) not in text_of(shown)
    assert "-# Opening deadwood: **55.0** on average" in text_of(shown)
    assert text_of(shown.without_files()) == text_of(in_words)
    assert button_labels(shown.without_files()) == button_labels(shown) == button_labels(in_words)
    assert texts.facts(lucky) in text_of(in_words)
    assert "\nOpening deadwood: **55.0** on average" in text_of(in_words)


def test_penalty_points_are_named() -> None:
    """For penalty rules, the text says *penalty points*, and that fewer are better."""
    text = texts.facts(replace(MIXED, category=Category.PENALTY))
    assert "the best opponent's points minus your points" in text
    assert "· 310 penalty points" in text


def test_activity_has_the_numbers_of_the_chart() -> None:
    """The text has the totals, the busiest day or week, and the numbers of each, oldest first."""
    assert texts.activity_text(activity((3, 4), (0, 0), (1, 2))) == (
        "The last 3 weeks: 4 matches, 24 deals, 4 players\nBusiest week: 9 Nov\n"
        "Matches each week: 3 0 1\nPlayers each week: 4 0 2"
    )
    assert texts.activity_text(activity((3, 4), (5, 2), is_daily=True)) == (
        "The last 2 days: 8 matches, 48 deals, 4 players\nBusiest day: Mon 23 Nov\n"
        "Matches each day: 3 5\nPlayers each day: 4 2"
    )
    assert texts.activity_text(activity((1, 2), is_daily=True)) == "Today so far: 1 match, 6 deals, 2 players"


async def test_the_message_fits_and_has_category_buttons() -> None:
    """A profile with the longest names fits, and has buttons for other categories. An empty profile says so."""
    long = replace(MIXED, player=Player(_NORTH, LONGEST_NAME), rival=Rival(Player(_SOUTH, LONGEST_NAME), 1, 0, 0))
    async with opened_pictures() as pictures:
        shown = await panel(
            replace(long, categories=(Category.TEAMS, Category.POINTS)), _NORTH, Preferences(), pictures
        )
        plain = await panel(long, _NORTH, Preferences(pictures=False), pictures)
        empty = await panel(replace(profile(), rival=None), _NORTH, Preferences(), pictures)
        others = await panel(long, _SOUTH, Preferences(pictures=False), pictures)
        unknown = await panel(replace(profile(), rival=None), _SOUTH, Preferences(), pictures)
    assert length(shown.without_files()) < MESSAGE_LIMIT / 2
    assert button_labels(shown) == ["Team matches"]
    assert LONGEST_NAME not in str(shown.attached[0].alt)
    assert (plain.attached, empty.attached) == ((), ())
    assert "You haven't finished a match here yet" in text_of(empty)
    assert button_labels(others) == ["Versus"]
    assert ("(your points minus" in text_of(plain), "(their points minus" in text_of(others)) == (True, True)
    assert "hasn't finished a match here yet" in text_of(unknown)


def test_practice_results_are_by_level() -> None:
    """Practice has a result for each level; without practice the line is missing."""
    assert texts.practice(MIXED) is None
    results = Results(matches=4, won=3, lost=1, drawn=0)
    practised = replace(MIXED, practice={Level.NOVICE: results, Level.CASUAL: results})
    assert texts.practice(practised) == ("Practice: *novice* 3 of 4 won, *casual* 3 of 4 won")


def test_a_champion_has_the_newest_titles() -> None:
    """A champion's three newest titles are listed, the others counted. A ranked player's place follows the rating."""
    october, quarter = Title("2026-10", Category.POINTS), Title("2026-Q3", Category.PENALTY)
    first_lines = {
        count: texts.facts(replace(MIXED, titles=(october, quarter, *[october] * count)[:count])).splitlines()[0]
        for count in (1, 2, 5)
    }
    first, second = "October 2026 (points)", "the 3rd quarter of 2026 (penalty points)"
    assert first_lines[1] == f"**Champion of {first}**"
    assert first_lines[2] == f"**Champion of {first} and {second}**"
    assert first_lines[5] == f"**Champion of {first}, {second}, {first} and 2 more**"
    provisional, settled = Rating(1658, 240), Rating(1658, 150)
    assert "1658" not in texts.facts(replace(MIXED, rank=Rank(provisional, None, 3)))
    assert appears_after(provisional) in texts.facts(replace(MIXED, rank=Rank(provisional, None, 3)))
    assert "Rating **1658**, place **1,002** of 3,000\n" in texts.facts(replace(MIXED, rank=Rank(settled, 1002, 3000)))
    assert "Rating" not in texts.facts(MIXED)
