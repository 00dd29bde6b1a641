"""People's results in the deals of the day, on a server."""

from __future__ import annotations

import pytest

from bot.engine.deals.showdown import OutcomeKind
from bot.model.daily import UNFINISHED_AT_MOST, rank, totals, unfinished_result
from bot.model.daily_standings import DailyPeriod
from bot.model.ids import GuildId
from bot.model.streaks import NO_STREAKS, Streaks
from bot.play.guilds.guilds import RETENTION
from tests.helpers.daily_players import DAY, DailyPlayers
from tests.helpers.table import EAST, GUILD, NORTH, OTHER_GUILD, SOUTH

pytestmark = pytest.mark.both_databases


async def test_a_try_counts_where_the_person_opened_it(daily_players: DailyPlayers) -> None:
    """A result is on each server on which the person opened the deal before they finished it, and on no other."""
    await daily_players.begin(NORTH, OTHER_GUILD)
    await daily_players.finish()
    await daily_players.begin(NORTH, GuildId(OTHER_GUILD + 1))
    await daily_players.finish(SOUTH, None)
    for guild_id in (GUILD, OTHER_GUILD):
        (own,) = await daily_players.results(guild_id=guild_id)
        assert (own.player.id, own.kind, own.is_running) == (NORTH.id, OutcomeKind.GIN, False)
    assert await daily_players.results(guild_id=GuildId(OTHER_GUILD + 1)) == []


async def test_a_running_try_has_no_points(daily_players: DailyPlayers) -> None:
    """While the deal is open, an unfinished try has no points, and is still running."""
    await daily_players.finish()
    await daily_players.begin(SOUTH)
    first, second = await daily_players.results()
    assert (first.is_finished, first.is_running) == (True, False)
    assert (second.points, second.is_finished, second.is_running) == (None, False, True)


async def test_an_unfinished_try_counts_as_the_worst_result(daily_players: DailyPlayers) -> None:
    """Once the deal is closed, an unfinished try has the worst finished result, but never one that pays."""
    await daily_players.finish()
    await daily_players.begin(SOUTH)
    await daily_players.run()
    first, second = await daily_players.results(2)
    assert first.points is not None
    assert first.turns is not None
    assert (second.points, second.turns) == unfinished_result((first.points, first.turns))
    assert second.points == UNFINISHED_AT_MOST
    assert (second.is_finished, second.is_running, second.kind) == (False, False, None)


async def test_the_worst_result_stays_when_its_person_is_forgotten(daily_players: DailyPlayers) -> None:
    """Forgetting the person with the worst result changes no other result."""
    await daily_players.finish()
    await daily_players.begin(SOUTH)
    await daily_players.run()
    _, before = await daily_players.results(2)
    await daily_players.app.people.forget(NORTH.id)
    assert await daily_players.results(2) == [before]


async def test_an_unfinished_try_costs_points_if_nobody_finished(daily_players: DailyPlayers) -> None:
    """If nobody finished a deal, unfinished tries have the most that they can have."""
    await daily_players.begin()
    await daily_players.run()
    (own,) = await daily_players.results(2)
    assert (own.points, own.turns, own.is_running) == (UNFINISHED_AT_MOST, 0, False)


async def test_an_unfinished_try_counts_as_nothing_if_the_bot_was_down(daily_players: DailyPlayers) -> None:
    """If people could not play for half of the day, unfinished tries have no points."""
    await daily_players.run(DAY / 2)
    await daily_players.finish()
    await daily_players.begin(SOUTH)
    await daily_players.be_down()
    await daily_players.run()
    first, second = await daily_players.results(3)
    assert (first.is_finished, first.points is None) == (True, False)
    assert (second.is_finished, second.points, second.is_running) == (False, None, False)


async def test_a_try_that_was_called_off_counts_on_no_server(daily_players: DailyPlayers) -> None:
    """If something ends a person's try before the end of the day, it is in no result of that day."""
    await daily_players.finish()
    await daily_players.begin(SOUTH)
    await daily_players.call_off(SOUTH)
    await daily_players.run()
    (only,) = await daily_players.results(2)
    assert only.player.id == NORTH.id


async def test_the_database_adds_up_the_same_totals(daily_players: DailyPlayers) -> None:
    """The database and the model compute the same totals, also with unfinished and running tries."""
    for day, finishers in enumerate([(NORTH, SOUTH), (SOUTH,), (), (NORTH, EAST)]):
        for person in (NORTH, SOUTH, EAST)[: day + 1]:
            await daily_players.begin(person)
        for person in finishers:
            await daily_players.finish(person)
        if day < 3:
            await daily_players.run()
    results = await daily_players.results(7)
    assert {result.is_running for result in results} == {True, False}
    board = await daily_players.app.daily_standings.board(GUILD, NORTH.id, DailyPeriod.ALL)
    expected = rank(totals(results))
    assert [(row.place, row.total) for row in board.rows] == [(row.place, row.total) for row in expected]
    assert sum(row.total.unfinished for row in board.rows) == 4
    assert board.playing == 1


async def test_forgotten_people_are_not_listed(daily_players: DailyPlayers) -> None:
    """The standings list everybody whose results count on the server, except people who were forgotten."""
    await daily_players.finish(NORTH)
    await daily_players.finish(SOUTH)
    await daily_players.app.people.forget(NORTH.id)
    board = await daily_players.app.daily_standings.board(GUILD, NORTH.id)
    assert [row.total.player.id for row in board.rows] == [SOUTH.id]
    assert (board.own, board.streaks) == (None, NO_STREAKS)


async def test_a_server_that_returns_begins_again(daily_players: DailyPlayers) -> None:
    """Once the data of a server that removed the bot are deleted, its standings are empty."""
    await daily_players.finish()
    app, clock = daily_players.app, daily_players.clock
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + DAY)
    await app.guilds.purge()
    assert await daily_players.results(RETENTION.days + 9) == []
    assert await daily_players.streaks() == Streaks(1, 1)


async def test_only_the_given_days_are_returned(daily_players: DailyPlayers) -> None:
    """The first and the last day are included, and no others."""
    for person in (NORTH, SOUTH, EAST):
        await daily_players.finish(person)
        await daily_players.run(2 * DAY)
    everyone = [own.player.id for own in await daily_players.results(7)]
    assert everyone == [NORTH.id, SOUTH.id, EAST.id]
    assert [own.player.id for own in await daily_players.results(5)] == everyone[1:]
    assert [own.player.id for own in await daily_players.results(3)] == everyone[2:]
