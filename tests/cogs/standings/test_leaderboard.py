"""The leaderboard of a server."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.model.ids import ChannelId, PersonId
from bot.model.people import Person as Player
from bot.model.seasons import Seasons
from bot.model.standings import ALL_TIME, RECENT, Leaderboard, Order
from bot.model.statistics import Category
from bot.play import refusals as why
from bot.play.standing import leaderboards
from bot.sandbox import Message, Person
from cardart.text.alt_text import standings
from cogs.actions import Action
from cogs.showdowns.showdown_text import ratings
from cogs.standings import leaderboard_text as texts
from cogs.standings.leaderboard_panel import with_plain_name
from tests.cogs.scenes import Scene, buttons, open_match_scene, open_scene, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import controls
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import Players, interaction, prefer
from tests.play.finished import save_finished_deal, save_finished_match

_channel_ids = count(9_000)
"""Ids of channels that do not exist: the bot can post nothing there."""


async def _win_match(scene: Scene, *names: str) -> None:
    """Have the first of two people, by default North and South, win a match in a channel that does not exist."""
    players = Players(scene.bot.app, tuple(person_of(scene.bot.person(name)) for name in names or ("North", "South")))
    match = await players.begin("classic target=10", ChannelId(next(_channel_ids)), scene.guild_id)
    await players.win(match.id)


async def _resign_match(scene: Scene, rules: str, *people: Player, loser: int) -> None:
    """Have people play one deal of a match, and have `people[loser]` resign. The match's channel does not exist."""
    match = await Players(scene.bot.app, people).begin(rules, ChannelId(next(_channel_ids)), scene.guild_id)
    await save_finished_deal(scene.bot.database, match.id)
    await scene.bot.app.endings.resign(people[loser].id, match.id, interaction())


async def _show_leaderboard(scene: Scene, person: Person | None = None, **options: object) -> Message:
    """Have a person, by default North, use `/gin leaderboard`, and return the answer."""
    return (await scene.use(person or scene.north, "gin leaderboard", scene.channel, **options)).message


async def _board_page(scene: Scene, category: Category = Category.POINTS, **shown: Any) -> Leaderboard:
    """Return a page of the leaderboard as North would see it."""
    boards = scene.bot.app.leaderboards
    return await boards.page(scene.guild_id, PersonId(scene.north.id), category=category, **shown)


def _rank_rows(board: Leaderboard) -> list[tuple[int, str, int]]:
    """Return the rank, name and number of wins in each row."""
    return [(row.place, row.standing.name, row.standing.won) for row in board.rows]


def _lists_board(message: Message, board: Leaderboard, category: Category = Category.POINTS) -> bool:
    """Return True if a message lists the rows of a leaderboard page: in its picture or, without one, as text.

    The text below a picture must not repeat them.
    """
    lines = texts.lines(board, category)
    if not message.images:
        return bool(board.rows) and lines in message.text
    named = [replace(row, standing=with_plain_name(row.standing)) for row in board.rows]
    described = standings(named, board.order, category, own_id=None)
    return str(message.images[0].alt).startswith(described) and lines not in message.text


def _button_filters(message: Message, action: Action = Action.LEADERBOARD) -> list[str | None]:
    """Return the filters (period, order and rules) of a leaderboard's buttons."""
    return [control.event.argument for control in controls(message) if control.action is action]


async def test_the_leaderboard_shows_the_viewers_rank(tmp_path: Path) -> None:
    """The leaderboard has a picture, and the viewer's rank as text; viewers without a rank are told why."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        empty = await _show_leaderboard(scene)
        assert texts.NOBODY in empty.text
        assert (empty.images, buttons(empty)) == ([], [])
        await _win_match(scene)
        board = await _board_page(scene)
        assert _rank_rows(board) == [(1, "North", 1), (2, "South", 0)]
        shown = await _show_leaderboard(scene)
        assert _lists_board(shown, board)
        assert str(texts.own_place(board, PersonId(scene.north.id), Category.POINTS)) in shown.text
        (picture,) = shown.images
        assert "1. North: 1 match, 1 won (100%), 0 lost, 85 points, net +85, deals 1–0, 1 gin." in str(picture.alt)
        by_points = await _show_leaderboard(scene, order=Order.POINTS)
        assert _lists_board(by_points, await _board_page(scene, order=Order.POINTS))
        other = await _show_leaderboard(scene, scene.east)
        assert texts.not_listed(Category.POINTS, None, ALL_TIME) in other.text


@pytest.mark.thorough
async def test_unranked_people_read_what_is_compared(tmp_path: Path) -> None:
    """A person without a rank is told which matches count. With pictures off, the leaderboard is only text."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await _win_match(scene)
        await prefer(scene.bot.app, person_of(scene.south), pictures=False)
        words = await _show_leaderboard(scene, scene.south)
        assert words.images == []
        assert _lists_board(words, await _board_page(scene))
        activity = await scene.press(scene.south, words, Action.ACTIVITY)
        assert activity.message.images == []
        assert "1 match, 1 deal, 2 players" in activity.text
        recent = await _show_leaderboard(scene, scene.east, period=RECENT)
        assert texts.not_listed(Category.POINTS, None, RECENT) in recent.text
        classic = await _show_leaderboard(scene, scene.east, rules="classic")
        assert texts.not_listed(Category.POINTS, "classic", ALL_TIME) in classic.text


@pytest.mark.thorough
async def test_the_activity_has_its_own_page(tmp_path: Path) -> None:
    """The activity page has a picture with all numbers; buttons switch between it and the standings."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await _win_match(scene)
        shown = await _show_leaderboard(scene)
        (picture,) = shown.images
        await scene.press(scene.north, shown, Action.ACTIVITY)
        (chart,) = shown.images
        assert "1 match, 1 deal, 2 players" in str(chart.alt)
        assert shown.text == "### Activity: matches for points"
        assert buttons(shown) == [Action.LEADERBOARD]
        await scene.press(scene.north, shown, Action.LEADERBOARD)
        assert [str(image.alt) for image in shown.images] == [str(picture.alt)]
        teams = await _show_leaderboard(scene, rules=Category.TEAMS)
        assert teams.images == []
        quiet = await scene.press(scene.north, teams, Action.ACTIVITY)
        assert quiet.message.images == []
        assert texts.NOTHING_PLAYED in quiet.text


@pytest.mark.thorough
async def test_the_last_thirty_days_have_their_own_page(tmp_path: Path) -> None:
    """A match from last month is in the all-time list but not in the last 30 days, and buttons switch between them."""
    clock = Clock()
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        await _win_match(scene)
        await scene.advance(clock, timedelta(days=31))
        await scene.bot.app.leaderboards.run_upkeep()
        panel = await _show_leaderboard(scene, period=RECENT)
        assert texts.NOBODY_LATELY in panel.text
        turned = await scene.press(scene.north, panel, Action.LEADERBOARD, "all//points")
        assert turned.message is panel
        assert _lists_board(panel, await _board_page(scene))
        await scene.press(scene.north, panel, Action.LEADERBOARD, "recent//points")
        assert texts.NOBODY_LATELY in panel.text


@pytest.mark.nightly
async def test_incomparable_rulesets_have_separate_boards(tmp_path: Path) -> None:
    """There are separate leaderboards for points, teams, penalty points, and each ruleset; completions list them."""
    async with open_scene(tmp_path) as scene:
        await scene.bot.app.rulebook.save(scene.guild_id, "Friday night", "straight target=10")
        four = [person_of(player) for player in (scene.north, scene.south, scene.east, scene.west)]
        await _resign_match(scene, "classic", *four[:2], loser=0)
        await _resign_match(scene, "Friday night", *four[:2], loser=1)
        await _resign_match(scene, "partners", *four, loser=0)
        await _resign_match(scene, "penalty", *four[:2], loser=1)
        await _resign_match(scene, "rotation", *four[:3], loser=2)
        expected = {
            "points": (Category.POINTS, None, [(1, "North", 1), (1, "South", 1), (3, "East", 0)]),
            "teams": (Category.TEAMS, None, [(1, "South", 1), (1, "West", 1), (3, "North", 0), (3, "East", 0)]),
            "penalty": (Category.PENALTY, None, [(1, "North", 1), (2, "South", 0)]),
            "friday night": (Category.POINTS, "Friday night", [(1, "North", 1), (2, "South", 0)]),
        }
        for typed, (category, ruleset, ranks) in expected.items():
            board = await _board_page(scene, category, ruleset=ruleset)
            assert sorted(_rank_rows(board)) == sorted(ranks)
            assert _lists_board(await _show_leaderboard(scene, rules=typed), board, category)
        assert (await _show_leaderboard(scene, rules="straight")).text == texts.nothing_with("straight")
        asked = await scene.north.complete("gin leaderboard", scene.channel, option="rules", value="")
        values = [choice["value"] for choice in (await asked.answer()).choices]
        assert values == ["points", "teams", "penalty", "classic", "Friday night", "rotation", "partners"]
        panel = await _show_leaderboard(scene, rules="Friday night")
        await scene.press(scene.north, panel, Action.LEADERBOARD, "recent//Friday night")
        assert texts.period_name(RECENT) in panel.text
        assert _button_filters(panel) == [
            "all//Friday night",
            "recent/points/Friday night",
            "recent//teams",
            "recent//penalty",
        ]
        await scene.press(scene.north, panel, Action.LEADERBOARD, "recent//teams")
        assert _lists_board(panel, await _board_page(scene, Category.TEAMS, period=RECENT), Category.TEAMS)
        assert _button_filters(panel, Action.ACTIVITY) == ["recent//teams"]


@pytest.mark.thorough
async def test_a_long_leaderboard_has_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Buttons turn the pages of a leaderboard back and forth."""
    # Make the pages short: with the usual ten rows, the test would need six matches to get a second page.
    monkeypatch.setattr(leaderboards, "PAGE_SIZE", 1)
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await _win_match(scene, "South", "East")
        pages = [await _board_page(scene, page=page) for page in range(2)]
        assert [_rank_rows(page) for page in pages] == [[(1, "South", 1)], [(2, "East", 0)]]
        panel = await _show_leaderboard(scene)
        # Only the button that turns the page has the filters `all//points`: all time, default order, points.
        for page in (0, 1, 0):
            assert _lists_board(panel, pages[page])
            assert not _lists_board(panel, pages[1 - page])
            assert texts.not_listed(Category.POINTS, None, ALL_TIME) in panel.text
            await scene.press(scene.north, panel, Action.LEADERBOARD, "all//points")


@pytest.mark.nightly
async def test_a_page_has_ten_people(tmp_path: Path) -> None:
    """Of twelve people, ten are on the first page and two on the second."""
    async with open_scene(tmp_path) as scene:
        for number in range(4_000, 4_012, 2):
            people = (Player(PersonId(number), "A" * 32), Player(PersonId(number + 1), "*" * 32))
            await _resign_match(scene, "classic", *people, loser=0)
        pages = [await _board_page(scene, page=page) for page in range(2)]
        assert [len(page.rows) for page in pages] == [10, 2]
        (picture,) = (await _show_leaderboard(scene)).images
        assert str(picture.alt).count(": 1 match, ") == 10


async def _win_long_matches(scene: Scene, count: int) -> None:
    """Have North win matches to 100 against South."""
    north, south = person_of(scene.north), person_of(scene.south)
    for _ in range(count):
        await save_finished_match(scene.bot.database, Clock(), north, south, void=False, guild_id=scene.guild_id)


async def test_ratings_are_the_default_once_settled(tmp_path: Path) -> None:
    """Once a rating is settled, the default order is by rating, and before that by wins. Others can be chosen."""
    async with open_scene(tmp_path) as scene:
        await _win_long_matches(scene, 1)
        nobody = await _show_leaderboard(scene, order=Order.RATING)
        board = await _board_page(scene, order=Order.RATING)
        assert texts.NOBODY_RATED in nobody.text
        for said in (texts.own_place(board, PersonId(scene.north.id), Category.POINTS), texts.unranked(board)):
            assert str(said) in nobody.text
        assert (await _board_page(scene)).order is Order.WINS
        await _win_long_matches(scene, 14)
        board = await _board_page(scene)
        assert board.order is Order.RATING
        panel = await _show_leaderboard(scene)
        assert _lists_board(panel, board)
        assert texts.RATINGS_EXPLAINED in panel.text
        assert all(row.standing.rating and row.standing.rating.is_settled for row in board.rows)
        assert f"rating {board.rows[0].standing.rating}" in str(panel.images[0].alt)
        assert _button_filters(panel) == ["recent//points", "all/wins/points", "all/points/points"]
        for period in (ALL_TIME, RECENT):
            await scene.press(scene.north, panel, Action.LEADERBOARD, f"{period}/points/points")
            board = await _board_page(scene, period=period, order=Order.POINTS)
            assert [row.standing.points for row in board.rows] == [750, 150]
            assert _lists_board(panel, board)
        only = await _show_leaderboard(scene, rules="classic", order=Order.RATING)
        assert _button_filters(only) == ["recent/rating/classic", "all/points/classic"]
        assert str(texts.without_ratings(ALL_TIME, "classic")) in only.text


@pytest.mark.thorough
async def test_the_result_shows_rating_changes(tmp_path: Path) -> None:
    """The result says once after how many matches the ratings of both players appear."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10, open_dms=False) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end, match = await scene.wait_for_post(Action.REMATCH), await scene.match()
        assert [change and change.after.is_settled for change in match.ratings] == [False, False]
        assert str(ratings(match)) in end.text


async def test_without_seasons_the_answer_says_how_to_enable_them(tmp_path: Path) -> None:
    """If seasons are switched off, the answer to a request for one says how to switch them on."""
    async with open_scene(tmp_path) as scene:
        assert (await _show_leaderboard(scene, period="this season")).text == texts.no_seasons()


@pytest.mark.thorough
async def test_the_current_season_is_shown_first(tmp_path: Path) -> None:
    """With seasons, the current one is shown first; buttons lead to the previous one and to all time."""
    clock = Clock()
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        settings = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        await scene.change_setting(scene.north, settings, Action.SET_SEASONS, Seasons.MONTHLY)
        assert texts.NOBODY in (await _show_leaderboard(scene)).text
        await _win_match(scene)
        panel, month = await _show_leaderboard(scene), f"{clock.now:%Y-%m}"
        assert _lists_board(panel, await _board_page(scene, period=month))
        assert texts.period_name(month) in panel.text
        assert _button_filters(panel) == ["recent//points", "all//points", f"{month}/points/points"]
        began_late_at = (await _board_page(scene, period=month)).began_late_at
        assert began_late_at is not None
        late = (texts.period_name(month, began_late_at), str(texts.began_late(began_late_at)))
        assert all(said in panel.text for said in late)
        await scene.advance(clock, timedelta(days=31))
        now = f"{clock.now:%Y-%m}"
        panel = await _show_leaderboard(scene)
        assert texts.nobody(await _board_page(scene, period=now), now, played=True) in panel.text
        assert _button_filters(panel)[:3] == [f"{month}//points", "recent//points", "all//points"]
        assert not any(said in panel.text for said in ("from 1", "Counted"))
        await scene.bot.app.leaderboards.run_upkeep()
        await scene.press(scene.north, panel, Action.LEADERBOARD, f"{month}//points")
        assert _lists_board(panel, await _board_page(scene, period=month))
        assert all(said in panel.text for said in late)
        awards = await scene.bot.app.leaderboards.awards(scene.guild_id, month)
        assert str(texts.awards(awards, Category.POINTS)) in panel.text
        by_rating = await _show_leaderboard(scene, period="season", order=Order.RATING)
        assert str(texts.without_ratings(now, None)) in by_rating.text
        await scene.press(scene.north, panel, Action.LEADERBOARD, f"{now}//points")
        assert panel.text.endswith(texts.nobody(await _board_page(scene, period=now), now, played=True))


@pytest.mark.thorough
async def test_the_time_zone_of_seasons_can_be_chosen(tmp_path: Path) -> None:
    """Time zones are completed while typing; an unknown one is refused."""
    async with open_scene(tmp_path) as scene:
        await scene.use(scene.north, "gin-admin time_zone", scene.channel, zone="europe/berlin")
        assert (await scene.bot.app.guilds.settings(scene.guild_id)).time_zone == "Europe/Berlin"
        wrong = await scene.use(scene.north, "gin-admin time_zone", scene.channel, zone="Atlantis")
        assert scene.error_type(wrong) is why.UnknownTimeZone
        asked = await scene.north.complete("gin-admin time_zone", scene.channel, option="zone", value="new york")
        assert [choice["value"] for choice in (await asked.answer()).choices] == ["America/New_York"]


# The test below compares the exact wording of panels. `test_leaderboard_text.py` tests lines and ranks.
@pytest.mark.thorough
async def test_leaderboard_texts(tmp_path: Path) -> None:
    """The title names the matches that are compared, and each button names its page."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await _win_match(scene)
        panel = await _show_leaderboard(scene)
        assert panel.text == "### Leaderboard: matches for points, all time\nYour place: **1** of 2"
        assert str(panel.images[0].alt) == (
            "Most matches won. 1. North: 1 match, 1 won (100%), 0 lost, 85 points, net +85, deals 1–0, 1 gin. "
            "2. South: 1 match, 0 won (0%), 1 lost, 0 points, net −85, deals 0–1. Your place: 1."
        )
        assert [button.label for button in panel.buttons] == ["Activity", "Last 30 days", "By rating", "By points"]
        await scene.press(scene.north, panel, Action.ACTIVITY)
        assert panel.text == "### Activity: matches for points"
        assert str(panel.images[0].alt).startswith("Today so far, ")
        assert [button.label for button in panel.buttons] == ["Standings"]
        await prefer(scene.bot.app, person_of(scene.north), pictures=False)
        in_words = await _show_leaderboard(scene)
        assert in_words.text.startswith(
            "### Leaderboard: matches for points, all time\n**1.** ⁨North⁩: **1** won, 0 lost\n"
        )
        assert in_words.text.endswith("\nYour place: **1** of 2")
        await scene.press(scene.north, in_words, Action.ACTIVITY)
        assert in_words.text.startswith("### Activity: matches for points\nToday so far: ")
        teams = await _show_leaderboard(scene, rules="teams", period="recent")
        assert teams.text.startswith("### Leaderboard: team matches, last 30 days\n")
