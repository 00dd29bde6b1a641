"""The housekeeping removes old challenges in batches, and writes nothing if there is nothing to do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from bot.model.challenges import CHALLENGE_LIFETIME, ChallengeStatus
from bot.play.application import Application
from bot.play.challenges.challenges import EXPIRED_PER_TRANSACTION
from bot.play.outbox.offers import PING_PERIOD
from bot.play.refusals import NoChallenge
from bot.store import tables
from bot.store.challenges import MAX_ROWS_PER_CHALLENGE, RETENTION
from bot.store.database import Database
from bot.store.matches import MAX_SEATS
from bot.store.removal import MAX_ROWS
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.table import EAST, NORTH, SOUTH, Players, interaction, place
from tests.helpers.writes import collect_writes


async def row_counts(database: Database, *names: str) -> list[int]:
    """Return the number of rows in each of the named tables."""
    queries = [select(func.count()).select_from(tables.metadata.tables[name]) for name in names]
    return [(await fetch(database, query))[0][0] for query in queries]


@pytest.mark.thorough
async def test_closed_challenges_are_removed_after_a_month(
    app: Application, database: Database, players: Players, clock: Clock, courier: FakeCourier
) -> None:
    """A month after closing, challenges are deleted with their guests and messages. Open ones and matches stay."""
    match = await players.begin("classic target=10")
    declined = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
    await app.challenges.decline(SOUTH.id, declined.id)
    withdrawn = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
    await app.challenges.withdraw(EAST.id, withdrawn.id)
    expired = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
    await courier.deliver()
    clock.pass_by(CHALLENGE_LIFETIME)
    await app.challenges.expire()
    assert (await app.challenges.get(expired.id)).status is ChallengeStatus.EXPIRED
    await courier.deliver()
    clock.pass_by(RETENTION - timedelta(seconds=1))
    await app.challenges.expire()
    assert (await row_counts(database, "challenge"))[0] >= 3
    pending = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    draft = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction(), draft=True)
    clock.pass_by(timedelta(seconds=1))
    await app.challenges.expire()
    for closed in (declined, withdrawn, expired):
        with pytest.raises(NoChallenge):
            await app.challenges.get(closed.id)
    assert {pending.id, draft.id} == {
        challenge_id for (challenge_id,) in await fetch(database, select(tables.challenge.c.id))
    }
    shown = select(tables.outbox_message.c.subject_id).where(tables.outbox_message.c.kind == "challenge")
    assert await fetch(database, shown) == [(pending.id,)]
    assert {challenge_id for (challenge_id,) in await fetch(database, select(tables.guest.c.challenge_id))} == {
        pending.id,
        draft.id,
    }
    assert (await app.lookup.table(match.id)).match.id == match.id


@pytest.mark.sqlite
async def test_idle_housekeeping_writes_nothing(
    app: Application, database: Database, players: Players, clock: Clock
) -> None:
    """The housekeeping writes nothing if there is nothing to do."""
    await players.begin()
    await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
    await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), draft=True)
    with collect_writes(database) as writes:
        for chore in (app.challenges.expire, app.guilds.purge, app.leaderboards.run_upkeep, app.outages.forget_old):
            await chore()
    assert writes == []
    clock.pass_by(max(CHALLENGE_LIFETIME, PING_PERIOD))
    with collect_writes(database) as writes:
        await app.challenges.expire()
    assert 0 < len(writes) < 10
    assert all(write.rows for write in writes)


@pytest.mark.sqlite
async def test_challenges_expire_in_batches(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Challenges expire and are deleted in transactions of limited size."""
    max_rows = MAX_ROWS_PER_CHALLENGE
    for module in ("bot.store.challenges", "bot.play.loading.leftovers"):
        monkeypatch.setattr(f"{module}.MAX_ROWS", max_rows)
    monkeypatch.setattr("bot.play.challenges.challenges.EXPIRED_PER_TRANSACTION", 3)
    for _ in range(8):
        issued = await app.challenges.issue(EAST, [SOUTH.id, NORTH.id], place(), interaction(), rules="penalty")
        await app.challenges.withdraw(EAST.id, issued.id)
    async with database.write() as transaction:
        await transaction.execute(tables.challenge.update().values(status=ChallengeStatus.PENDING))
    clock.pass_by(CHALLENGE_LIFETIME)
    with collect_writes(database) as writes:
        await app.challenges.expire()
    assert len(writes) >= 3
    clock.pass_by(RETENTION)
    with collect_writes(database) as removal_writes:
        await app.challenges.expire()
    assert max(write.rows for write in (*writes, *removal_writes)) <= max_rows
    assert await row_counts(database, "challenge", "guest", "chain", "outbox_message") == [0, 0, 0, 0]


def test_a_challenge_has_few_rows() -> None:
    """A challenge with its guests, hash chain and shuffle words has few rows, so a batch stays within `MAX_ROWS`."""
    assert 1 + MAX_SEATS + 1 + 1 + MAX_SEATS <= MAX_ROWS_PER_CHALLENGE
    assert EXPIRED_PER_TRANSACTION * MAX_ROWS_PER_CHALLENGE <= MAX_ROWS
