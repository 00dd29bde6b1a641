"""Forgotten people are erased from every database file, byte for byte."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.model.matches import Shortcut
from bot.model.outbox import MessageKind
from bot.play.application import Application
from bot.play.outbox.changes import CLICK_ANSWER_DELAY
from bot.play.people import erasure
from bot.play.people.erasure import COPY_RETENTION
from bot.store import erasures, tables
from bot.store.database import Database
from bot.store.sqlite import backup, copy_before_update
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import GUILD, NORTH, Players, dm_of, interaction
from tests.helpers.traces import traces
from tests.play.people.somebody import SOMEBODY, use_every_feature

pytestmark = pytest.mark.sqlite


@pytest.fixture
def path(database: Database, tmp_path: Path) -> Path:
    return tmp_path / "deadwood.db"


@pytest.fixture(autouse=True)
def no_quiet_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let erasures start immediately, without waiting for a pause in play."""
    monkeypatch.setattr(erasure, "QUIET_TIME", timedelta())


@pytest.mark.thorough
async def test_moves_do_not_wait_for_an_erasure(
    app: Application, players: Players, database: Database, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While people play, an erasure is postponed; it is done once they stop."""
    monkeypatch.setattr(erasure, "QUIET_TIME", timedelta(hours=1))
    match = await players.begin()
    await players.move(match.id, "pass")
    await app.people.forget(NORTH.id)
    for _ in range(3):
        await app.erasure.run()
    assert await requested_erasure(database) is not None
    assert traces(path.parent, NORTH.id)
    monkeypatch.setattr(erasure, "QUIET_TIME", timedelta())
    await app.erasure.run()
    assert await requested_erasure(database) is None
    assert traces(path.parent, NORTH.id) == set()


@pytest.mark.thorough
async def test_an_erasure_waits_for_a_limited_time(
    app: Application, players: Players, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After `MAX_WAIT`, an erasure is done even while people play. When the bot starts, it is done without waiting."""
    monkeypatch.setattr(erasure, "QUIET_TIME", timedelta(hours=1))
    match = await players.begin()
    await players.move(match.id, "pass")
    await app.people.forget(NORTH.id)
    monkeypatch.setattr(erasure, "MAX_WAIT", timedelta())
    await app.erasure.run()
    assert await requested_erasure(database) is None
    monkeypatch.undo()
    await players.move((await players.begin()).id, "pass")
    await app.people.forget(SOMEBODY.id)
    assert await requested_erasure(database) is not None
    await Application(database).erasure.run()
    assert await requested_erasure(database) is None


@pytest.mark.nightly
async def test_a_forgotten_person_is_in_no_file(app: Application, courier: FakeCourier, path: Path) -> None:
    """A forgotten person's id and name are in no file: not in the database, its log, its copies or a later backup."""
    await use_every_feature(app, courier)
    copy_before_update(path, "9999")
    copy_before_update(path, "9998.part")
    traces_found = traces(path.parent, SOMEBODY.id, SOMEBODY.name)
    assert {form for _, form in traces_found} == {"integer", "varint", "text"}
    assert {name for name, _ in traces_found} >= {f"{path.name}-wal", f"{path.name}.before-9999"}
    await app.people.forget(SOMEBODY.id)
    backup(f"sqlite:///{path}", path.with_name("later.db"))
    assert traces(path.parent, SOMEBODY.id, SOMEBODY.name) == set()
    assert not list(path.parent.glob("*.before-*"))
    assert traces(path.parent, NORTH.id)


@pytest.mark.nightly
async def test_channels_of_deleted_hands_are_erased(
    app: Application, courier: FakeCourier, database: Database, path: Path
) -> None:
    """After a forgotten person's hands are deleted, no file contains the id of their direct message channel."""
    await use_every_feature(app, courier)
    await app.people.forget(SOMEBODY.id)
    assert traces(path.parent, dm_of(SOMEBODY))
    await courier.deliver()
    await Application(database).erasure.run()
    assert traces(path.parent, dm_of(SOMEBODY), SOMEBODY.id, SOMEBODY.name) == set()
    assert await requested_erasure(database) is None


@pytest.mark.nightly
@pytest.mark.parametrize("first", nightly_after(1, ["the person", "the server"]))
async def test_hands_of_a_server_that_removed_the_bot_are_erased(
    app: Application, courier: FakeCourier, database: Database, path: Path, first: str
) -> None:
    """If a person is forgotten before or after a server removes the bot, the person's hands there are erased."""
    await use_every_feature(app, courier)
    if first == "the server":
        await app.guilds.save_left(GUILD)
    await app.people.forget(SOMEBODY.id)
    await app.guilds.save_left(GUILD)
    await courier.deliver()
    await Application(database).erasure.run()
    assert traces(path.parent, dm_of(SOMEBODY), SOMEBODY.id, SOMEBODY.name) == set()


@pytest.mark.nightly
async def test_a_delivery_recorded_late_is_erased(
    app: Application, courier: FakeCourier, database: Database, clock: Clock, path: Path
) -> None:
    """A delivery recorded after the recipient was forgotten does not store the recipient's channel again."""
    players = Players(app, (SOMEBODY, NORTH))
    await players.open_dms(SOMEBODY, NORTH)
    match = await players.begin("classic target=10")
    await players.move(match.id, "take")
    await courier.deliver()
    (hand,) = courier.of_kind(MessageKind.HAND, dm_of(SOMEBODY))
    final_hand = await app.turns.move(SOMEBODY.id, match.id, Shortcut.GIN, interaction(), in_own_message=True)
    app.outbox.note_hand_answered(final_hand, hand.id)
    await app.people.forget(SOMEBODY.id)
    await app.outbox.record_answered()
    clock.pass_by(CLICK_ANSWER_DELAY)
    await courier.deliver()
    await Application(database).erasure.run()
    assert traces(path.parent, dm_of(SOMEBODY)) == set()


async def replace_hand(app: Application, courier: FakeCourier) -> None:
    """Play until a new hand message is due, and make the courier fail to delete the one that it replaces."""
    players = Players(app, (NORTH, SOMEBODY))
    await players.open_dms(SOMEBODY, NORTH)
    match = await players.begin("classic target=1000")
    await courier.deliver()
    courier.cannot_delete_replaced = True
    await players.move(match.id, "pass")


@pytest.mark.nightly
async def test_an_undeletable_hand_is_forgotten(
    app: Application, courier: FakeCourier, database: Database, path: Path
) -> None:
    """The record of a replaced hand that could not be deleted is removed when its person is forgotten."""
    await replace_hand(app, courier)
    for message in await courier.due():
        await courier.deliver_one(message)
    assert dm_of(SOMEBODY) in [message.posted.channel_id for message in (await app.outbox.work()).stale]
    await app.people.forget(SOMEBODY.id)
    for message in await courier.due():
        await courier.deliver_one(message)
    await Application(database).erasure.run()
    assert traces(path.parent, dm_of(SOMEBODY)) == set()


@pytest.mark.nightly
async def test_a_delivery_in_progress_leaves_no_replaced_hand(
    app: Application, courier: FakeCourier, database: Database, path: Path
) -> None:
    """If a person is forgotten during the delivery of a new hand, no record of the replaced hand message remains."""
    await replace_hand(app, courier)
    on_their_way = [courier.send(message) for message in await courier.due()]
    await app.people.forget(SOMEBODY.id)
    await app.outbox.record(on_their_way)
    for message in await courier.due():
        await courier.deliver_one(message)
    await Application(database).erasure.run()
    assert dm_of(SOMEBODY) not in [message.posted.channel_id for message in (await app.outbox.work()).stale]
    assert traces(path.parent, dm_of(SOMEBODY)) == set()


@pytest.mark.nightly
async def test_a_failed_erasure_is_repeated(app: Application, players: Players, database: Database, path: Path) -> None:
    """A failed erasure, here because a reader blocks the log, stays requested and is repeated later."""
    await players.begin()
    async with database.read() as reading:
        await reading.execute(select(tables.person))
        await app.people.forget(NORTH.id)
    assert traces(path.parent, NORTH.id)
    assert await requested_erasure(database) is not None
    await app.erasure.run()
    assert traces(path.parent, NORTH.id), "a second attempt must wait"
    await Application(database).erasure.run()
    assert traces(path.parent, NORTH.id) == set()


@pytest.mark.thorough
async def test_forgetting_succeeds_if_the_erasure_fails(
    app: Application, players: Players, database: Database, path: Path
) -> None:
    """A person is forgotten even if the erasure fails, here because a copy cannot be deleted."""
    await players.begin()
    os.mkdir(f"{path}.before-9999")
    assert await app.people.forget(NORTH.id) == 1
    assert (await app.exports.export(NORTH.id))["person"] is None
    assert await requested_erasure(database) is not None


async def test_update_copies_are_kept_for_a_month(app: Application, clock: Clock, path: Path) -> None:
    """Database copies made before updates are deleted after a month; newer copies and other files stay."""
    ages = {"before-0001": timedelta(0), "before-0002": timedelta(seconds=-1), "other": timedelta(days=999)}
    for name, age in ages.items():
        file = path.with_name(f"{path.name}.{name}")
        file.touch()
        created_at = (clock.now - COPY_RETENTION - age).timestamp()
        os.utime(file, (created_at, created_at))
    await app.erasure.run()
    assert {name for name in ages if path.with_name(f"{path.name}.{name}").exists()} == {"before-0002", "other"}


async def requested_erasure(database: Database) -> str | None:
    async with database.read() as transaction:
        return await erasures.pending_request(transaction)
