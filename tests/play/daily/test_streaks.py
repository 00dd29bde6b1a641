"""Streaks in the deals of the day survive the days on which people could not play."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from bot.model.streaks import NO_STREAKS, Streaks
from bot.play.refusals import NoDaily
from tests.helpers.daily_players import DAY, DailyPlayers
from tests.helpers.table import NORTH, OTHER_GUILD, SOUTH

pytestmark = pytest.mark.both_databases

HOUR = timedelta(hours=1)


async def play(daily_players: DailyPlayers, days: int) -> None:
    """Let North finish the deals of some days. Then it is the next day."""
    for _ in range(days):
        await daily_players.finish()
        await daily_players.run()


async def test_a_streak_counts_days_in_a_row_on_all_servers(daily_players: DailyPlayers) -> None:
    """Each finished day adds one, wherever the person played, and today does not end the streak."""
    await play(daily_players, 2)
    await daily_players.finish(NORTH, OTHER_GUILD)
    assert await daily_players.streaks() == Streaks(3, 3)
    await daily_players.run()
    assert await daily_players.streaks() == Streaks(3, 3)
    assert await daily_players.streaks(SOUTH) == NO_STREAKS


@pytest.mark.parametrize("begins", [False, True])
async def test_a_missed_day_ends_a_streak(daily_players: DailyPlayers, begins: bool) -> None:
    """A day on which the person did not play, or did not finish, ends the streak."""
    await play(daily_players, 2)
    if begins:
        await daily_players.begin()
    await daily_players.run()
    assert await daily_players.streaks() == Streaks(0, 2)
    await play(daily_players, 1)
    assert await daily_players.streaks() == Streaks(1, 2)


async def test_a_streak_has_ended_before_the_missed_day_is_closed(daily_players: DailyPlayers) -> None:
    """In the minutes between midnight and the closing of the missed deal, the streak has ended too."""
    await play(daily_players, 2)
    await daily_players.run(12 * HOUR + timedelta(minutes=1))
    assert await daily_players.streaks() == Streaks(0, 2)


@pytest.mark.parametrize("days", [1, 3])
async def test_a_streak_survives_days_without_the_bot(daily_players: DailyPlayers, days: int) -> None:
    """Days on which the bot did not run do not end a streak, although nobody played."""
    await play(daily_players, 2)
    await daily_players.be_down(days * DAY)
    await daily_players.run()
    assert await daily_players.streaks() == Streaks(2, 2)
    await daily_players.finish()
    assert await daily_players.streaks() == Streaks(3, 3)


@pytest.mark.parametrize(("down", "survives"), [(11, False), (12, True)])
async def test_half_a_day_of_outages_saves_a_streak(daily_players: DailyPlayers, down: int, survives: bool) -> None:
    """A missed day does not end a streak if outages had at least half of it, in one piece or in several."""
    await play(daily_players, 2)
    await daily_players.finish()
    await daily_players.run(12 * HOUR)
    await daily_players.be_down((down - 6) * HOUR)
    await daily_players.run(2 * HOUR)
    await daily_players.be_down(6 * HOUR)
    await daily_players.run(12 * HOUR)
    assert (await daily_players.streaks()).current == (3 if survives else 0)


async def test_a_day_of_outages_counts_if_it_was_finished(daily_players: DailyPlayers) -> None:
    """A person who finished the deal before a long outage has that day in their streak."""
    await play(daily_players, 2)
    await daily_players.finish()
    await daily_players.be_down()
    assert await daily_players.streaks() == Streaks(3, 3)


async def test_a_shard_that_was_down_saves_streaks(daily_players: DailyPlayers) -> None:
    """If only one of several shards was down, the day ends no streak."""
    await play(daily_players, 2)
    await daily_players.run(shards=[1])
    await daily_players.run()
    assert await daily_players.streaks() == Streaks(2, 2)


async def test_a_streak_survives_a_try_that_was_called_off(daily_players: DailyPlayers) -> None:
    """If a person's try is called off before the end of the day, the streak continues, before and after the closing."""
    await play(daily_players, 2)
    await daily_players.begin()
    await daily_players.call_off()
    for span in (HOUR, 11 * HOUR + timedelta(minutes=1), HOUR):
        await daily_players.run(span)
        assert await daily_players.streaks() == Streaks(2, 2)
    await daily_players.finish()
    assert await daily_players.streaks() == Streaks(3, 3)


async def test_a_streak_survives_a_deal_that_was_called_off(daily_players: DailyPlayers) -> None:
    """If today's deal is called off because a backup was restored, nobody's streak ends."""
    await play(daily_players, 2)
    await daily_players.app.restoring.call_off()
    await daily_players.run()
    assert await daily_players.streaks() == Streaks(2, 2)


async def test_a_streak_survives_a_deal_that_was_closed_too_early(daily_players: DailyPlayers) -> None:
    """If the clock was ahead and closed today's deal, which then cannot be played, nobody's streak ends."""
    await play(daily_players, 2)
    await daily_players.run(11 * HOUR)
    daily_players.clock.pass_by(DAY)
    await daily_players.do_chores()
    daily_players.clock.pass_by(-DAY)
    await daily_players.run()
    assert await daily_players.streaks() == Streaks(2, 2)


@pytest.mark.thorough
async def test_a_streak_survives_deals_that_began_too_early(daily_players: DailyPlayers) -> None:
    """If the clock was ahead for days, the deals that it used up end nobody's streak when their days come."""
    await play(daily_players, 2)
    daily_players.clock.pass_by(2 * DAY)
    await daily_players.run(3 * DAY)
    daily_players.clock.pass_by(-5 * DAY)
    played = 2
    for _ in range(8):
        with suppress(NoDaily):
            await daily_players.finish()
            played += 1
        await daily_players.run()
    assert await daily_players.streaks() == Streaks(played, played)
    assert played < 10


async def test_a_try_from_the_future_counts_when_its_day_comes(daily_players: DailyPlayers) -> None:
    """A deal that a person finished while the clock was ahead counts on its day, and not before."""
    await play(daily_players, 2)
    daily_players.clock.pass_by(DAY)
    await daily_players.finish()
    daily_players.clock.pass_by(-DAY)
    assert await daily_players.streaks() == Streaks(2, 2)
    await daily_players.finish()
    await daily_players.run()
    assert await daily_players.streaks() == Streaks(4, 4)


async def test_a_streak_is_forgotten(daily_players: DailyPlayers) -> None:
    """A forgotten person has no streak, and other people keep theirs."""
    await daily_players.finish(SOUTH)
    await play(daily_players, 1)
    await daily_players.app.people.forget(NORTH.id)
    assert await daily_players.streaks() == NO_STREAKS
    assert await daily_players.streaks(SOUTH) == Streaks(1, 1)
