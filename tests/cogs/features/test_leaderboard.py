"""The leaderboard of a server."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.play import refusals as why
from bot.play.standing import leaderboards
from bot.sandbox import Message, Person
from bot.values.ids import ChannelId, PersonId
from bot.values.people import Person as Player
from bot.values.seasons import Seasons
from bot.values.standings import ALL_TIME, RECENT, Leaderboard, Order
from bot.values.statistics import Category
from cogs.kit.actions import Action
from cogs.text import leaderboard as texts
from cogs.text.showdown import ratings
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import controls
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import Players, interaction, prefer
from tests.play.finished import save_a_deal

_channels = count(9_000)
"""Ids of channels that are on no server, so that nothing is posted."""


async def _gin(scene: Scene, *names: str) -> None:
    """Have the first of two people, by default North and South, win a match in a channel that does not exist."""
    players = Players(scene.alive.app, tuple(person_of(scene.alive.person(one)) for one in names or ("North", "South")))
    match = await players.begin("classic target=10", ChannelId(next(_channels)), scene.guild_id)
    await players.win(match.id)


async def _resign(scene: Scene, rules: str, *people: Player, loser: int) -> None:
    """Have people play a match in a channel that does not exist, until one of them resigns after a deal."""
    match = await Players(scene.alive.app, people).begin(rules, ChannelId(next(_channels)), scene.guild_id)
    await save_a_deal(scene.alive.database, match.id)
    await scene.alive.app.endings.resign(people[loser].id, match.id, interaction())


async def _look(scene: Scene, person: Person | None = None, **options: object) -> Message:
    """Have a person, by default North, use `/gin leaderboard`, and return the answer."""
    return (await scene.use(person or scene.north, "gin leaderboard", scene.channel, **options)).message


async def _board(scene: Scene, category: Category = Category.POINTS, **shown: Any) -> Leaderboard:
    """Return a page of the leaderboard as North would see it."""
    boards = scene.alive.app.leaderboards
    return await boards.page(scene.guild_id, PersonId(scene.north.id), category=category, **shown)


def _ranks(board: Leaderboard) -> list[tuple[int, str, int]]:
    """Return the rank, name and number of wins in each row."""
    return [(row.place, row.standing.name, row.standing.won) for row in board.rows]


def _shows(message: Message, board: Leaderboard, category: Category = Category.POINTS) -> bool:
    """Return True if a message lists a page."""
    return bool(board.rows) and texts.lines(board, category) in message.text


def _turns(message: Message, action: Action = Action.LEADERBOARD) -> list[str | None]:
    """Return the filters (period, order and rules) of a leaderboard's buttons."""
    return [one.event.argument for one in controls(message) if one.action is action]


async def test_the_leaderboard_ranks_and_always_tells_ones_own_place(tmp_path: Path) -> None:
    """The winner is first, in a picture and in text; a spectator reads that they have no finished match."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        empty = await _look(scene)
        assert texts.NOBODY in empty.text
        assert (empty.images, buttons(empty)) == ([], [])
        await _gin(scene)
        board = await _board(scene)
        assert _ranks(board) == [(1, "North", 1), (2, "South", 0)]
        shown = await _look(scene)
        assert _shows(shown, board)
        assert str(texts.own_place(board, PersonId(scene.north.id), Category.POINTS)) in shown.text
        (picture,) = shown.images
        assert "1. North: 1 match, 1 won (100%)" in str(picture.alt)
        by_points = await _look(scene, order=Order.POINTS)
        assert _shows(by_points, await _board(scene, order=Order.POINTS))
        other = await _look(scene, scene.east)
        assert texts.not_listed(Category.POINTS, None, ALL_TIME) in other.text


@pytest.mark.thorough
async def test_who_is_not_listed_reads_what_is(tmp_path: Path) -> None:
    """The player's rank is shown with pictures off too. A person without a rank reads which matches that is about."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await _gin(scene)
        await prefer(scene.alive.app, person_of(scene.south), pictures=False)
        words = await _look(scene, scene.south)
        assert words.images == []
        assert _shows(words, await _board(scene))
        assert (await scene.press(scene.south, words, Action.ACTIVITY)).message.images == []
        recent = await _look(scene, scene.east, period=RECENT)
        assert texts.not_listed(Category.POINTS, None, RECENT) in recent.text
        classic = await _look(scene, scene.east, rules="classic")
        assert texts.not_listed(Category.POINTS, "classic", ALL_TIME) in classic.text


@pytest.mark.thorough
async def test_the_activity_is_a_page_of_its_own(tmp_path: Path) -> None:
    """The activity is a picture and the same numbers as text, and buttons switch between it and the standings."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await _gin(scene)
        shown = await _look(scene)
        (picture,) = shown.images
        await scene.press(scene.north, shown, Action.ACTIVITY)
        (chart,) = shown.images
        assert ": 1, 2; otherwise none." in str(chart.alt)
        assert ": 0 0 0 0 0 1\n" in shown.text
        assert buttons(shown) == [Action.LEADERBOARD]
        await scene.press(scene.north, shown, Action.LEADERBOARD)
        assert [str(one.alt) for one in shown.images] == [str(picture.alt)]
        teams = await _look(scene, rules=Category.TEAMS)
        assert teams.images == []
        quiet = await scene.press(scene.north, teams, Action.ACTIVITY)
        assert quiet.message.images == []
        assert texts.NOTHING_PLAYED in quiet.text


@pytest.mark.thorough
async def test_the_last_thirty_days_are_a_page_of_their_own(tmp_path: Path) -> None:
    """A match from last month is in the all-time list but not in the last 30 days, and buttons switch between them."""
    clock = Clock()
    async with clubhouse(tmp_path, GIN_AT_ONCE, clock=clock) as scene:
        await _gin(scene)
        await scene.age(clock, timedelta(days=31))
        await scene.alive.app.leaderboards.tidy()
        panel = await _look(scene, period=RECENT)
        assert texts.NOBODY_LATELY in panel.text
        turned = await scene.press(scene.north, panel, Action.LEADERBOARD, "all//points")
        assert turned.message is panel
        assert _shows(panel, await _board(scene))
        await scene.press(scene.north, panel, Action.LEADERBOARD, "recent//points")
        assert texts.NOBODY_LATELY in panel.text


@pytest.mark.thorough
async def test_rule_systems_are_kept_apart_where_they_cannot_be_compared(tmp_path: Path) -> None:
    """Points, teams and penalty points have separate lists, as has each ruleset; the filters have completions."""
    async with clubhouse(tmp_path) as scene:
        await scene.alive.app.rulebook.save(scene.guild_id, "Friday night", "straight target=10")
        four = [person_of(one) for one in (scene.north, scene.south, scene.east, scene.west)]
        await _resign(scene, "classic", *four[:2], loser=0)
        await _resign(scene, "Friday night", *four[:2], loser=1)
        await _resign(scene, "partners", *four, loser=0)
        await _resign(scene, "penalty", *four[:2], loser=1)
        await _resign(scene, "rotation", *four[:3], loser=2)
        expected = {
            "points": (Category.POINTS, None, [(1, "North", 1), (1, "South", 1), (3, "East", 0)]),
            "teams": (Category.TEAMS, None, [(1, "South", 1), (1, "West", 1), (3, "North", 0), (3, "East", 0)]),
            "penalty": (Category.PENALTY, None, [(1, "North", 1), (2, "South", 0)]),
            "friday night": (Category.POINTS, "Friday night", [(1, "North", 1), (2, "South", 0)]),
        }
        for typed, (category, ruleset, ranks) in expected.items():
            board = await _board(scene, category, ruleset=ruleset)
            assert sorted(_ranks(board)) == sorted(ranks)
            assert _shows(await _look(scene, rules=typed), board, category)
        assert (await _look(scene, rules="straight")).text == texts.nothing_with("straight")
        asked = await scene.north.complete("gin leaderboard", scene.channel, option="rules", value="")
        values = [choice["value"] for choice in (await asked.answer()).choices]
        assert values == ["points", "teams", "penalty", "classic", "Friday night", "rotation", "partners"]
        panel = await _look(scene, rules="Friday night")
        await scene.press(scene.north, panel, Action.LEADERBOARD, "recent//Friday night")
        assert texts.period_name(RECENT) in panel.text
        assert _turns(panel) == [
            "all//Friday night",
            "recent/points/Friday night",
            "recent//teams",
            "recent//penalty",
        ]
        await scene.press(scene.north, panel, Action.LEADERBOARD, "recent//teams")
        assert _shows(panel, await _board(scene, Category.TEAMS, period=RECENT), Category.TEAMS)
        assert _turns(panel, Action.ACTIVITY) == ["recent//teams"]


@pytest.mark.thorough
async def test_a_long_leaderboard_has_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Buttons turn the pages back and forth."""
    # Ten rows per page would take six matches.
    monkeypatch.setattr(leaderboards, "PAGE", 1)
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await _gin(scene, "South", "East")
        pages = [await _board(scene, page=page) for page in range(2)]
        assert [_ranks(page) for page in pages] == [[(1, "South", 1)], [(2, "East", 0)]]
        panel = await _look(scene)
        # The only button that keeps the filters turns the page.
        for page in (0, 1, 0):
            assert _shows(panel, pages[page])
            assert not _shows(panel, pages[1 - page])
            assert texts.not_listed(Category.POINTS, None, ALL_TIME) in panel.text
            await scene.press(scene.north, panel, Action.LEADERBOARD, "all//points")


@pytest.mark.nightly
async def test_a_page_has_ten_people(tmp_path: Path) -> None:
    """Of twelve people, ten are on the first page and two on the second."""
    async with clubhouse(tmp_path) as scene:
        for number in range(4_000, 4_012, 2):
            people = (Player(PersonId(number), "A" * 32), Player(PersonId(number + 1), "*" * 32))
            await _resign(scene, "classic", *people, loser=0)
        pages = [await _board(scene, page=page) for page in range(2)]
        assert [len(page.rows) for page in pages] == [10, 2]
        assert (await _look(scene)).text.count("\n-# ") == 10


@pytest.mark.thorough
async def test_ratings_lead_once_there_are_five_matches(tmp_path: Path) -> None:
    """From the fifth match on, the default order is by rating, before that by wins. The order can be chosen."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 5) as scene:
        await _gin(scene)
        nobody = await _look(scene, order=Order.RATING)
        assert texts.NOBODY_RATED in nobody.text
        board = await _board(scene, order=Order.RATING)
        assert str(texts.own_place(board, PersonId(scene.north.id), Category.POINTS)) in nobody.text
        for _ in range(4):
            await _gin(scene)
        board = await _board(scene)
        assert board.order is Order.RATING
        panel = await _look(scene)
        assert _shows(panel, board)
        assert texts.RATINGS_EXPLAINED in panel.text
        assert [str(row.standing.rating) for row in board.rows] == ["2011?", "989?"]
        assert "rating 2011?" in str(panel.images[0].alt)
        assert _turns(panel) == ["recent//points", "all/wins/points", "all/points/points"]
        for period in (ALL_TIME, RECENT):
            await scene.press(scene.north, panel, Action.LEADERBOARD, f"{period}/points/points")
            board = await _board(scene, period=period, order=Order.POINTS)
            assert [row.standing.points for row in board.rows] == [425, 0]
            assert _shows(panel, board)
        only = await _look(scene, rules="classic", order=Order.RATING)
        assert _turns(only) == ["recent/rating/classic", "all/points/classic"]


@pytest.mark.thorough
async def test_the_end_of_a_match_tells_how_ratings_changed(tmp_path: Path) -> None:
    """The result shows the old and new ratings of both players."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, open_dms=False) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end, match = await scene.post(Action.REMATCH), await scene.match()
        changes = [(str(one.before), str(one.after)) for one in match.ratings if one is not None]
        assert changes == [("1500?", "1658?"), ("1500?", "1342?")]
        assert str(ratings(match)) in end.text


async def test_without_seasons_none_is_shown(tmp_path: Path) -> None:
    """Without seasons, the answer to a request for one says how to switch them on."""
    async with clubhouse(tmp_path) as scene:
        assert (await _look(scene, period="this season")).text == texts.no_seasons()


@pytest.mark.thorough
async def test_a_season_is_what_is_shown_first(tmp_path: Path) -> None:
    """With seasons, the current one is shown first; buttons lead to the previous one and to all time."""
    clock = Clock()
    async with clubhouse(tmp_path, GIN_AT_ONCE, clock=clock) as scene:
        settings = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        await scene.change(scene.north, settings, Action.SET_SEASONS, Seasons.MONTHLY)
        assert texts.NOBODY in (await _look(scene)).text
        await _gin(scene)
        panel, month = await _look(scene), f"{clock.now:%Y-%m}"
        assert _shows(panel, await _board(scene, period=month))
        assert texts.period_name(month) in panel.text
        orders = [f"{month}/{order}/points" for order in (Order.RATING, Order.POINTS)]
        assert _turns(panel) == ["recent//points", "all//points", *orders]
        await scene.age(clock, timedelta(days=31))
        now = f"{clock.now:%Y-%m}"
        panel = await _look(scene)
        assert texts.nobody(await _board(scene, period=now), now, played=True) in panel.text
        assert _turns(panel)[:3] == [f"{month}//points", "recent//points", "all//points"]
        await scene.alive.app.leaderboards.tidy()
        await scene.press(scene.north, panel, Action.LEADERBOARD, f"{month}//points")
        assert _shows(panel, await _board(scene, period=month))
        awards = await scene.alive.app.leaderboards.awards(scene.guild_id, month)
        assert str(texts.awards(awards, Category.POINTS)) in panel.text
        await scene.press(scene.north, panel, Action.LEADERBOARD, f"{now}//points")
        assert texts.not_listed(Category.POINTS, None, now) in panel.text


@pytest.mark.thorough
async def test_the_time_zone_of_seasons_can_be_chosen(tmp_path: Path) -> None:
    """Time zones are completed while typing; an unknown one is refused."""
    async with clubhouse(tmp_path) as scene:
        await scene.use(scene.north, "gin-admin time_zone", scene.channel, zone="europe/berlin")
        assert (await scene.alive.app.guilds.settings(scene.guild_id)).time_zone == "Europe/Berlin"
        wrong = await scene.use(scene.north, "gin-admin time_zone", scene.channel, zone="Atlantis")
        assert scene.refusal(wrong) is why.UnknownTimeZone
        asked = await scene.north.complete("gin-admin time_zone", scene.channel, option="zone", value="new york")
        assert [choice["value"] for choice in (await asked.answer()).choices] == ["America/New_York"]


# The texts of this feature. `tests/cogs/text/test_leaderboard.py` has the texts of lines and ranks.
@pytest.mark.thorough
async def test_what_a_leaderboard_says(tmp_path: Path) -> None:
    """The title names the compared matches, and each button names its page."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await _gin(scene)
        panel = await _look(scene)
        assert panel.text.startswith("### Leaderboard: matches for points, all time\n**1.** ⁨North⁩: **1** won, 0 lost\n")
        assert panel.text.endswith("\nYour place: **1** of 2")
        assert str(panel.images[0].alt) == (
            "Most matches won. 1. North: 1 match, 1 won (100%), net +85. 2. South: 1 match, 0 won (0%), net −85. "
            "Your place: 1."
        )
        assert [button.label for button in panel.buttons] == ["Activity", "Last 30 days", "By rating", "By points"]
        await scene.press(scene.north, panel, Action.ACTIVITY)
        assert panel.text.startswith("### Activity: matches for points\nMatches in each of the last 6 weeks: ")
        assert [button.label for button in panel.buttons] == ["Standings"]
        teams = await _look(scene, rules="teams", period="recent")
        assert teams.text.startswith("### Leaderboard: team matches, last 30 days\n")
