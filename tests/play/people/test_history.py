"""Head-to-head comparisons and paged match histories."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.model.history import Ending, PageKey
from bot.model.ids import MatchId
from bot.model.matches import MatchKind
from bot.model.people import ShowsProfileTo
from bot.model.statistics import Category, Player, Results
from bot.play.application import Application
from bot.play.refusals import ProfileHidden
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.table import EAST, ELSEWHERE, GUILD, NORTH, OTHER_GUILD, SOUTH, WEST, Players, interaction, prefer
from tests.play.finished import save_finished_match


async def test_two_people_are_compared_from_both_sides(app: Application, database: Database, clock: Clock) -> None:
    """Two people see the same numbers in a comparison, mirrored. Matches against others do not count."""
    for winner, loser in ((NORTH, SOUTH), (NORTH, SOUTH), (SOUTH, NORTH), (NORTH, EAST), (EAST, SOUTH)):
        await save_finished_match(database, clock, winner, loser)
        clock.pass_by(timedelta(hours=1))
    await save_finished_match(database, clock, SOUTH, NORTH, drawn=True)
    north, south = await app.history.versus(NORTH, SOUTH, GUILD), await app.history.versus(SOUTH, NORTH, GUILD)
    assert [player.name for player in north.players] == ["North", "South"]
    assert [meeting.ending for meeting in north.meetings] == [Ending.FIRST, Ending.FIRST, Ending.SECOND, Ending.DRAWN]
    assert [meeting.points for meeting in north.meetings] == [(50, 10), (50, 10), (10, 50), (10, 50)]
    assert (north.points, north.gins, north.longest_streaks) == ((120, 120), (2, 2), (2, 1))
    assert (south.points, south.gins, south.longest_streaks) == ((120, 120), (2, 2), (1, 2))
    assert [meeting.points for meeting in south.meetings] == [meeting.points[::-1] for meeting in north.meetings]
    assert south.count(Ending.SECOND) == north.count(Ending.FIRST) == 2


async def test_only_counted_matches_are_compared(app: Application, database: Database, clock: Clock) -> None:
    """Casual matches, other servers' matches and matches before a reset are not compared."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await save_finished_match(database, clock, NORTH, SOUTH, kind=MatchKind.CASUAL)
    assert len((await app.history.versus(NORTH, SOUTH, GUILD)).meetings) == 1
    assert (await app.history.versus(NORTH, SOUTH, OTHER_GUILD)).meetings == ()
    clock.pass_by(timedelta(seconds=1))
    await app.leaderboards.reset(GUILD)
    assert (await app.history.versus(NORTH, SOUTH, GUILD)).meetings == ()


async def test_categories_are_compared_separately(app: Application, database: Database, clock: Clock) -> None:
    """By default, people are compared in the category that they played most; on request, in others."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    for _ in range(2):
        await save_finished_match(database, clock, SOUTH, NORTH, 4, category=Category.PENALTY, ruleset="penalty")
    shown = await app.history.versus(NORTH, SOUTH, GUILD)
    assert (shown.category, shown.categories) == (Category.PENALTY, (Category.PENALTY, Category.POINTS))
    assert shown.points == (20, 8)
    assert (await app.history.versus(NORTH, SOUTH, GUILD, Category.POINTS)).points == (50, 10)
    assert (await app.history.versus(NORTH, SOUTH, GUILD, Category.TEAMS)).category is shown.category


@pytest.mark.thorough
async def test_partners_are_compared_with_the_other_side(app: Application) -> None:
    """A comparison of opponents has their teams' points. A comparison of partners only has their joint results."""
    table = Players(app, (NORTH, SOUTH, EAST, WEST))
    match = await table.begin("partners target=10")
    for board in (1, 2):
        await table.move_on_board(board, match.id, "take", "gin")
    seats = {player.id: seat for seat, player in enumerate(match.players)}
    partner = next(person for person in (SOUTH, EAST, WEST) if (seats[person.id] - seats[NORTH.id]) % 2 == 0)
    against = await app.history.versus(NORTH, next(person for person in (SOUTH, EAST) if person != partner), GUILD)
    assert (against.category, len(against.meetings), against.together.matches) == (Category.TEAMS, 1, 0)
    assert sorted(against.points) == [0, 170]
    together = await app.history.versus(NORTH, partner, GUILD)
    assert together.meetings == ()
    assert together.together in (Results(1, 1, 0, 0), Results(1, 0, 1, 0))


@pytest.mark.thorough
async def test_comparisons_of_three_players(app: Application) -> None:
    """A match of three can be won by the player who is not compared. After a resignation, the others have no result."""
    table = Players(app, (NORTH, SOUTH, EAST))
    match = await table.begin("rotation target=10")
    winner = await table.to_act(match.id)
    await table.win(match.id)
    first, second = (person for person in table.people if person != winner)
    assert [meeting.ending for meeting in (await app.history.versus(first, second, GUILD)).meetings] == [Ending.OTHERS]
    assert [meeting.ending for meeting in (await app.history.versus(first, winner, GUILD)).meetings] == [Ending.SECOND]
    resigned = await table.begin("rotation target=1000")
    await table.win(resigned.id)
    await app.endings.resign(first.id, resigned.id, interaction())
    versus = await app.history.versus(first, second, GUILD)
    assert [meeting.ending for meeting in versus.meetings] == [Ending.OTHERS, Ending.NONE]


async def test_names_are_shown_only_for_players_of_the_server(
    app: Application, database: Database, clock: Clock
) -> None:
    """A person's name is shown only if they have played on this server."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await app.people.save_person(EAST)
    assert (await app.history.versus(NORTH, Player(SOUTH.id, None), GUILD)).players[1].name == "South"
    assert (await app.history.versus(NORTH, Player(EAST.id, None), GUILD)).players[1].name is None
    profiles = app.profiles.profile
    assert (await profiles(Player(SOUTH.id, None), GUILD, viewer_id=EAST.id)).player.name == "South"
    assert (await profiles(Player(EAST.id, None), GUILD, viewer_id=SOUTH.id)).player.name is None


async def test_a_profile_can_be_limited_to_people_one_played(
    app: Application, database: Database, clock: Clock
) -> None:
    """A person can hide their profile, comparisons and history from people with whom they have not played."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await prefer(app, SOUTH, shows_profile_to=ShowsProfileTo.PLAYED)
    for viewer in (NORTH, SOUTH):
        assert (await app.profiles.profile(SOUTH, GUILD, viewer_id=viewer.id)).played_matches
        assert await app.history.matches(viewer.id, SOUTH.id, GUILD, None, 9)
    assert (await app.history.versus(NORTH, SOUTH, GUILD)).meetings
    for request in (
        app.profiles.profile(SOUTH, GUILD, viewer_id=EAST.id),
        app.history.versus(EAST, SOUTH, GUILD),
        app.history.matches(EAST.id, SOUTH.id, GUILD, None, 9),
    ):
        with pytest.raises(ProfileHidden):
            await request
    await save_finished_match(database, clock, EAST, SOUTH, kind=MatchKind.CASUAL)
    assert (await app.profiles.profile(SOUTH, GUILD, viewer_id=EAST.id)).played_matches


async def test_practice_is_shown_to_oneself_only(app: Application, database: Database, clock: Clock) -> None:
    """A profile shows practice results only to its owner."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    assert (await app.profiles.profile(NORTH, GUILD, viewer_id=SOUTH.id)).practice == {}


async def test_pages_contain_every_match_once(app: Application, database: Database, clock: Clock) -> None:
    """Paging through the history in either direction shows every match once, even if several ended simultaneously."""
    for number in range(11):
        await save_finished_match(database, clock, *((NORTH, SOUTH) if number % 2 else (SOUTH, NORTH)))
        if number % 3 == 0:
            clock.pass_by(timedelta(minutes=1))
    read, key = list[MatchId](), None
    while page := await app.history.matches(NORTH.id, NORTH.id, GUILD, key, 4):
        read += [entry.match.id for entry in page]
        last = page[-1].match
        assert last.ended_at is not None
        key = PageKey(last.ended_at, last.id)
    assert read == list(range(11, 0, -1))
    assert key is not None
    back = list[MatchId]()
    key = PageKey(key.ended_at, key.match_id, newer=True)
    while page := await app.history.matches(NORTH.id, NORTH.id, GUILD, key, 4):
        back += [entry.match.id for entry in page]
        last = page[-1].match
        assert last.ended_at is not None
        key = PageKey(last.ended_at, last.id, newer=True)
    assert back == list(range(2, 12))
    (newest,) = await app.history.matches(NORTH.id, NORTH.id, GUILD, None, 1)
    assert [(result.points, result.won) for result in newest.results] == [(50, True), (10, False)]


@pytest.mark.nightly
async def test_history_of_all_servers(app: Application, players: Players) -> None:
    """If no server is given, the history has the finished matches of all servers, not running or cancelled ones."""
    finished_ids = list[MatchId]()
    for guild_id, channel_id in ((GUILD, ELSEWHERE), (OTHER_GUILD, ELSEWHERE)):
        match = await players.begin("classic target=10", channel_id, guild_id)
        await players.win(match.id)
        finished_ids.append(match.id)
    called_off = await players.begin()
    for person in players.people:
        await app.endings.call_off(person.id, called_off.id)
    await players.begin()
    found = await app.history.matches(NORTH.id, NORTH.id, None, None, 9)
    assert [entry.match.id for entry in found] == finished_ids[::-1]
    found = await app.history.matches(NORTH.id, NORTH.id, OTHER_GUILD, None, 9)
    assert [entry.match.id for entry in found] == finished_ids[1:]
