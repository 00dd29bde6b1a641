"""The housekeeping removes old challenges in batches, and writes nothing if there is nothing to do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from bot.play.application import Application
from bot.play.challenges.challenges import MAX_EXPIRED_AT_ONCE
from bot.play.outbox.offers import COUNTED_FOR
from bot.play.refusals import NoChallenge
from bot.store import tables
from bot.store.challenges import KEPT_FOR, MAX_ROWS_OF_ONE
from bot.store.database import Database
from bot.store.matches import MAX_SEATS
from bot.store.removal import MAX_ROWS
from bot.values.challenges import EXPIRES_AFTER, ChallengeStatus
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.table import EAST, NORTH, SOUTH, Players, interaction, place
from tests.helpers.writes import writes_of


async def rows(database: Database, *names: str) -> list[int]:
    """Return the number of rows in each table."""
    queries = [select(func.count()).select_from(tables.metadata.tables[name]) for name in names]
    return [(await fetch(database, query))[0][0] for query in queries]


@pytest.mark.thorough
async def test_closed_challenges_are_removed_after_a_month(
    app: Application, database: Database, players: Players, clock: Clock, courier: FakeCourier
) -> None:
    """Closed challenges are deleted after a month with their guests and messages; open ones and matches stay."""
    match = await players.begin("classic target=10")
    declined = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
    await app.challenges.decline(SOUTH.id, declined.id)
    withdrawn = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
    await app.challenges.withdraw(EAST.id, withdrawn.id)
    expired = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
    await courier.deliver()
    clock.pass_by(EXPIRES_AFTER)
    await app.challenges.expire()
    assert (await app.challenges.get(expired.id)).status is ChallengeStatus.EXPIRED
    await courier.deliver()
    clock.pass_by(KEPT_FOR - timedelta(seconds=1))
    await app.challenges.expire()
    assert (await rows(database, "challenge"))[0] >= 3
    pending = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    draft = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction(), draft=True)
    clock.pass_by(timedelta(seconds=1))
    await app.challenges.expire()
    for gone in (declined, withdrawn, expired):
        with pytest.raises(NoChallenge):
            await app.challenges.get(gone.id)
    assert {pending.id, draft.id} == {one for (one,) in await fetch(database, select(tables.challenge.c.id))}
    shown = select(tables.outbox_message.c.subject_id).where(tables.outbox_message.c.kind == "challenge")
    assert await fetch(database, shown) == [(pending.id,)]
    assert {one for (one,) in await fetch(database, select(tables.guest.c.challenge_id))} == {pending.id, draft.id}
    assert (await app.lookup.table(match.id)).match.id == match.id


@pytest.mark.sqlite
async def test_nothing_is_written_while_there_is_nothing_to_do(
    app: Application, database: Database, players: Players, clock: Clock
) -> None:
    """The housekeeping writes nothing if there is nothing to do."""
    await players.begin()
    await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
    await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), draft=True)
    with writes_of(database) as writes:
        for chore in (app.challenges.expire, app.guilds.purge, app.leaderboards.tidy, app.outages.forget_old):
            await chore()
    assert writes == []
    clock.pass_by(max(EXPIRES_AFTER, COUNTED_FOR))
    with writes_of(database) as writes:
        await app.challenges.expire()
    assert 0 < len(writes) < 10
    assert all(write.rows for write in writes)


@pytest.mark.sqlite
async def test_many_challenges_expire_in_portions(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Challenges expire and are deleted in transactions of limited size."""
    most = MAX_ROWS_OF_ONE
    for module in ("bot.store.challenges", "bot.play.loading.leftovers"):
        monkeypatch.setattr(f"{module}.MAX_ROWS", most)
    monkeypatch.setattr("bot.play.challenges.challenges.MAX_EXPIRED_AT_ONCE", 3)
    for _ in range(8):
        issued = await app.challenges.issue(EAST, [SOUTH.id, NORTH.id], place(), interaction(), rules="penalty")
        await app.challenges.withdraw(EAST.id, issued.id)
    async with database.write() as transaction:
        await transaction.execute(tables.challenge.update().values(status=ChallengeStatus.PENDING))
    clock.pass_by(EXPIRES_AFTER)
    with writes_of(database) as writes:
        await app.challenges.expire()
    assert len(writes) >= 3
    clock.pass_by(KEPT_FOR)
    with writes_of(database) as more:
        await app.challenges.expire()
    assert max(write.rows for write in (*writes, *more)) <= most
    assert await rows(database, "challenge", "guest", "chain", "outbox_message") == [0, 0, 0, 0]


def test_a_challenge_has_few_rows() -> None:
    """One challenge, with its guests, chain and words, fits into the limit for a transaction."""
    assert 1 + MAX_SEATS + 1 + 1 + MAX_SEATS <= MAX_ROWS_OF_ONE
    assert MAX_EXPIRED_AT_ONCE * MAX_ROWS_OF_ONE <= MAX_ROWS
