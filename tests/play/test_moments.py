"""If the system clock jumps a day ahead and back, times that were stored in between are corrected."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from bot.model.challenges import CHALLENGE_LIFETIME
from bot.model.clocks import CLAIM_TIME_WITHOUT_CLOCK
from bot.model.ids import ChannelId, GuildId
from bot.model.seasons import Seasons
from bot.play.application import Application, utc_now
from bot.play.refusals import ChallengeClosed
from bot.store import moments, tables
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch, open_new_database
from tests.helpers.table import EAST, ELSEWHERE, NORTH, SOUTH, Players, change_settings, interaction, place
from tests.helpers.writes import collect_writes

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("restarted", [False, True])
async def test_deadlines_are_corrected_after_the_clock_was_ahead(
    app: Application, players: Players, clock: Clock, restarted: bool
) -> None:
    """After a clock that was ahead is set back, a match can be claimed and a challenge expires on time."""
    match = await players.begin()
    if not restarted:
        await app.time_repair.repair()
    clock.pass_by(DAY)
    await Players(app).run_timekeeper()
    waiting = await players.to_act(match.id)
    await players.move(match.id, "pass")
    challenge = await app.challenges.issue(EAST, [SOUTH.id], place(ELSEWHERE), interaction())
    clock.pass_by(-DAY)
    await Players(app).run_timekeeper()
    await app.time_repair.repair()
    assert not (await app.lookup.hand(waiting.id, match.id)).may_claim
    clock.pass_by(CHALLENGE_LIFETIME)
    await Players(app).run_timekeeper()
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(SOUTH, challenge.id)
    clock.pass_by(CLAIM_TIME_WITHOUT_CLOCK - CHALLENGE_LIFETIME)
    await Players(app).run_timekeeper()
    assert (await app.lookup.hand(waiting.id, match.id)).may_claim


async def test_a_clock_jump_during_a_repair_is_corrected_by_the_next(
    app: Application, players: Players, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the clock jumps ahead during a repair, the next repair corrects the rows saved after the jump."""
    match = await players.begin()
    bring_back = app.time_repair._repair_rows  # pyright: ignore[reportPrivateUsage]

    async def jump(table: moments.Table) -> bool:
        is_repaired = await bring_back(table)
        if clock.now < started_at + DAY:
            clock.pass_by(DAY)
            await players.move(match.id, "pass")
        return is_repaired

    started_at = clock.now
    with monkeypatch.context() as patch:
        patch.setattr(app.time_repair, "_repair_rows", jump)
        await app.time_repair.repair()
    clock.pass_by(-DAY)
    await app.time_repair.repair()
    assert (await app.lookup.info(match.id)).moved_at == started_at


async def test_repairs_change_nothing_if_the_clock_is_right(app: Application, players: Players, clock: Clock) -> None:
    """If the clock was never ahead, repairs do not change stored times."""
    match = await players.begin()
    await app.time_repair.repair()
    moved_at = (await app.lookup.info(match.id)).moved_at
    clock.pass_by(MINUTE)
    await app.time_repair.repair()
    assert (await app.lookup.info(match.id)).moved_at == moved_at


@pytest.mark.thorough
@pytest.mark.sqlite
async def test_a_repair_without_future_times_writes_nothing(
    app: Application, database: Database, players: Players, clock: Clock
) -> None:
    """A repair writes nothing if no stored time is more than a minute in the future."""
    await fill_tables_with_times(app, players)
    clock.pass_by(DAY)
    with collect_writes(database) as writes:
        await Application(database, clock=clock).time_repair.repair()
        await app.time_repair.repair()
        clock.pass_by(-MINUTE)
        await app.time_repair.repair()
    assert writes == []


@pytest.mark.thorough
@pytest.mark.sqlite
async def test_repairs_are_done_in_batches(
    app: Application, database: Database, players: Players, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each transaction of a repair changes few rows, and in the end no stored time is in the future."""
    monkeypatch.setattr(moments, "MAX_REPAIRED_ROWS", 2)
    clock.pass_by(DAY)
    await fill_tables_with_times(app, players)
    clock.pass_by(-2 * DAY)
    with collect_writes(database) as writes:
        await Application(database, clock=clock).time_repair.repair()
    assert len(writes) > 5
    assert max(write.rows for write in writes) <= 4
    async with database.read() as transaction:
        for table in moments.REPAIRED_TABLES:
            assert await moments.keys_in_future(transaction, table, clock.now, clock.now + CHALLENGE_LIFETIME) == ()
    due = select(tables.match.c.time_due_at).where(tables.IS_RUNNING)
    assert all(at == clock.now for (at,) in await fetch(database, due))


async def fill_tables_with_times(app: Application, players: Players) -> None:
    """Create rows in each table that stores a time."""
    for number in range(5):
        match = await players.begin(channel_id=ChannelId(1000 + number))
        await players.move(match.id, "pass")
        await app.challenges.issue(EAST, [SOUTH.id], place(ChannelId(2000 + number)), interaction())
        await app.guilds.save_left(GuildId(500 + number))
    await app.holidays.take(NORTH, 3)
    await app.outages.beat([0], 1, newly=[0])
    await change_settings(app, seasons=Seasons.MONTHLY)


@pytest.mark.thorough
@pytest.mark.postgresql
@pytest.mark.parametrize(("ahead", "told"), [(0, 0), (60, 1), (-60, 1)])
async def test_a_clock_difference_with_the_database_is_logged(tmp_path: Path, ahead: int, told: int) -> None:
    """A difference between the bot's clock and the database's is logged, whichever of them is wrong."""
    async with open_new_database(tmp_path / "deadwood.db") as database:
        with capture_logs() as lines:
            await Application(database, clock=lambda: utc_now() + timedelta(seconds=ahead)).time_repair.repair()
    assert [round(line["seconds_ahead"]) for line in lines] == [ahead] * told
