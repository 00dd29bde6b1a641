"""A system clock that jumps forward a day and back delays nothing by a day."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from bot.play.application import Application, now
from bot.play.refusals import ChallengeClosed
from bot.store import moments, tables
from bot.store.database import Database
from bot.values.challenges import EXPIRES_AFTER
from bot.values.clocks import NO_CLOCK_FOR
from bot.values.ids import ChannelId, GuildId
from bot.values.seasons import Seasons
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch, opened
from tests.helpers.table import EAST, ELSEWHERE, NORTH, SOUTH, Players, change_settings, interaction, place
from tests.helpers.writes import writes_of

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("restarted", [False, True])
async def test_what_a_clock_that_was_ahead_put_off_is_due_in_time(
    app: Application, players: Players, clock: Clock, restarted: bool
) -> None:
    """After a clock that was ahead is set back, a match is abandoned and a challenge expires on time."""
    match = await players.begin()
    if not restarted:
        await app.moments.repair()
    clock.pass_by(DAY)
    await Players(app).look_at_times()
    waiting = await players.to_act(match.id)
    await players.move(match.id, "pass")
    challenge = await app.challenges.issue(EAST, [SOUTH.id], place(ELSEWHERE), interaction())
    clock.pass_by(-DAY)
    await Players(app).look_at_times()
    await app.moments.repair()
    assert not (await app.lookup.hand(waiting.id, match.id)).may_claim
    clock.pass_by(EXPIRES_AFTER)
    await Players(app).look_at_times()
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(SOUTH, challenge.id)
    clock.pass_by(NO_CLOCK_FOR - EXPIRES_AFTER)
    await Players(app).look_at_times()
    assert (await app.lookup.hand(waiting.id, match.id)).may_claim


async def test_a_clock_that_jumps_during_a_repair_is_noticed_by_the_next(
    app: Application, players: Players, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the clock jumps during a repair, the next repair also corrects the rows saved in between."""
    match = await players.begin()
    bring_back = app.moments._bring_back  # pyright: ignore[reportPrivateUsage]

    async def jump(table: moments.Table) -> bool:
        found = await bring_back(table)
        if clock.now < began + DAY:
            clock.pass_by(DAY)
            await players.move(match.id, "pass")
        return found

    began = clock.now
    with monkeypatch.context() as patch:
        patch.setattr(app.moments, "_bring_back", jump)
        await app.moments.repair()
    clock.pass_by(-DAY)
    await app.moments.repair()
    assert (await app.lookup.info(match.id)).moved_at == began


async def test_a_clock_that_goes_right_changes_nothing(app: Application, players: Players, clock: Clock) -> None:
    """If the clock is right, repairs change nothing."""
    match = await players.begin()
    await app.moments.repair()
    moved_at = (await app.lookup.info(match.id)).moved_at
    clock.pass_by(MINUTE)
    await app.moments.repair()
    assert (await app.lookup.info(match.id)).moved_at == moved_at


@pytest.mark.thorough
@pytest.mark.sqlite
async def test_a_start_writes_nothing_if_nothing_is_wrong(
    app: Application, database: Database, players: Players, clock: Clock
) -> None:
    """A start without future times writes nothing, even if the clock is a minute slow."""
    await live_a_day(app, players)
    clock.pass_by(DAY)
    with writes_of(database) as writes:
        await Application(database, clock=clock).moments.repair()
        await app.moments.repair()
        clock.pass_by(-MINUTE)
        await app.moments.repair()
    assert writes == []


@pytest.mark.thorough
@pytest.mark.sqlite
async def test_what_is_wrong_is_repaired_in_portions(
    app: Application, database: Database, players: Players, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each write of a repair changes few rows, and in the end no time is in the future."""
    monkeypatch.setattr(moments, "MAX_AT_ONCE", 2)
    clock.pass_by(DAY)
    await live_a_day(app, players)
    clock.pass_by(-2 * DAY)
    with writes_of(database) as writes:
        await Application(database, clock=clock).moments.repair()
    assert len(writes) > 5
    assert max(write.rows for write in writes) <= 4
    async with database.read() as transaction:
        for table in moments.TABLES:
            assert await moments.ahead(transaction, table, clock.now, clock.now + EXPIRES_AFTER) == ()
    due = select(tables.match.c.time_due_at).where(tables.IS_RUNNING)
    assert all(at == clock.now for (at,) in await fetch(database, due))


async def live_a_day(app: Application, players: Players) -> None:
    """Create rows in each table that stores a time."""
    for number in range(5):
        match = await players.begin(channel_id=ChannelId(1000 + number))
        await players.move(match.id, "pass")
        await app.challenges.issue(EAST, [SOUTH.id], place(ChannelId(2000 + number)), interaction())
        await app.guilds.left(GuildId(500 + number))
    await app.holidays.take(NORTH, 3)
    await app.outages.beat([0], 1, newly=[0])
    await change_settings(app, seasons=Seasons.MONTHLY)


@pytest.mark.thorough
@pytest.mark.postgresql
@pytest.mark.parametrize(("ahead", "told"), [(0, 0), (60, 1), (-60, 1)])
async def test_a_clock_that_differs_from_the_databases_is_told(tmp_path: Path, ahead: int, told: int) -> None:
    """A difference between the bot's clock and the database's is logged, whichever of them is wrong."""
    async with opened(tmp_path / "deadwood.db") as database:
        with capture_logs() as lines:
            await Application(database, clock=lambda: now() + timedelta(seconds=ahead)).moments.repair()
    assert [round(line["seconds_ahead"]) for line in lines] == [ahead] * told
