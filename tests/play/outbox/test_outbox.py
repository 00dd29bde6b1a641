"""Delivery of messages that are old, deleted, refused, failed or recorded late, and the order of deliveries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import delete, text

from bot.engine.deals.moves import PASS, Move
from bot.model.challenges import Challenge
from bot.model.ids import ChannelId
from bot.model.matches import Ping, Shortcut
from bot.model.outbox import MessageKind, OutboxMessage, PostedMessage, Topic
from bot.model.people import Push
from bot.opponent.play.levels import Level
from bot.play.application import Application
from bot.play.outbox.changes import COMMITMENT_DELAY
from bot.play.outbox.outbox import (
    MAX_EDIT_AGE,
    REPOST_INTERVAL,
    Failed,
    MessageGroup,
    Outcome,
    Subject,
    WasMissing,
    WasPosted,
    WasRemoved,
    WasShown,
    WasTooOld,
    Work,
)
from bot.store import outbox as stored_outbox
from bot.store import tables
from bot.store.database import Database
from bot.store.rows import OutboxRow, WantedMessage
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, NORTH, SOUTH, Players, dm_of, interaction, place, prefer

TABLE, HAND, PING = MessageKind.TABLE, MessageKind.HAND, MessageKind.PING
SHOWDOWN, END, CHALLENGE = MessageKind.SHOWDOWN, MessageKind.END, MessageKind.CHALLENGE
COMMITMENT = MessageKind.COMMITMENT


async def due_of(courier: FakeCourier, kind: MessageKind) -> OutboxMessage:
    """Return the only due message of a kind."""
    (message,) = [message for message in await courier.due() if message.kind is kind]
    return message


@pytest.mark.thorough
async def test_an_old_message_is_posted_again(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A message that is an hour old is replaced instead of edited, without a notification."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    clock.pass_by(MAX_EDIT_AGE - timedelta(seconds=1))
    await players.move(match.id, "take")
    assert await courier.deliver() == [("edit", TABLE), ("edit", HAND), ("edit", HAND)]
    clock.pass_by(timedelta(seconds=1))
    await app.endings.decline(NORTH.id, match.id)
    replaced = [("post", TABLE), ("remove", TABLE), *[("post", HAND), ("remove", HAND)] * 2]
    assert await courier.deliver() == replaced
    assert (len(courier.of_kind(TABLE)), len(courier.of_kind(HAND))) == (1, 2)
    assert not any(message.notifies for message in (*courier.of_kind(TABLE), *courier.of_kind(HAND)))
    await app.endings.decline(NORTH.id, match.id)
    assert await courier.deliver() == [("edit", TABLE), ("edit", HAND), ("edit", HAND)]


@pytest.mark.thorough
async def test_a_proposal_notifies_those_who_are_asked(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """A proposal notifies those who must answer, by direct message or ping; the ping is removed with the proposal."""
    await players.open_dms(NORTH)
    match = await players.begin()
    await players.move(match.id, "take")
    await courier.deliver()
    await app.endings.call_off(SOUTH.id, match.id)
    assert ("post", HAND) in await courier.deliver()
    (hand,) = courier.of_kind(HAND)
    assert hand.notifies
    await app.endings.decline(NORTH.id, match.id)
    await courier.deliver()
    assert courier.of_kind(PING) == []
    await app.endings.call_off(NORTH.id, match.id)
    await courier.deliver()
    (call,) = courier.of_kind(PING)
    assert isinstance(call.shown.content, Ping)
    assert (call.shown.content.person_id, call.shown.content.is_turn) == (SOUTH.id, False)
    await app.endings.decline(SOUTH.id, match.id)
    await courier.deliver()
    assert courier.of_kind(PING) == []


async def test_a_turns_ping_also_shows_proposals(app: Application, players: Players, courier: FakeCourier) -> None:
    """A ping for a turn also shows an open proposal. When the proposal is answered, the ping is edited."""
    await players.open_dms(NORTH)
    match = await players.begin()
    await players.move(match.id, "take", "x Qh")
    await app.endings.call_off(NORTH.id, match.id)
    await courier.deliver()
    for answer in (app.endings.decline, app.endings.call_off, app.endings.decline):
        (call,) = courier.of_kind(PING)
        await answer(SOUTH.id, match.id)
        assert ("edit", PING) in await courier.deliver()
        assert [message.id for message in courier.of_kind(PING)] == [call.id]
        assert isinstance(call.shown.content, Ping)
        assert call.shown.content.match.proposals == (await app.lookup.info(match.id)).proposals


@pytest.mark.nightly
async def test_slow_turns_notify_once(app: Application, players: Players, courier: FakeCourier, clock: Clock) -> None:
    """With hours between moves, each player is notified at the start of their turn and not otherwise."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    notified_seats: list[tuple[int, ...]] = []
    for move in ("pass", "pass", "draw", "x Qh", "draw", "x 2h"):
        ids_before = set(courier.nonces.values())
        clock.pass_by(timedelta(hours=5))
        await players.move(match.id, move)
        await courier.deliver()
        notified_channels = [
            message.channel_id for message in courier.of_kind(HAND) if message.id not in ids_before and message.notifies
        ]
        notified_seats.append(
            tuple(seat for seat, person in enumerate(players.people) if dm_of(person) in notified_channels)
        )
    assert notified_seats == [(1,), (0,), (), (1,), (), (0,)]


async def test_a_table_is_posted_again_on_request(app: Application, players: Players, courier: FakeCourier) -> None:
    """`/gin table` posts the table again immediately, however new the last post is."""
    match = await players.begin()
    await courier.deliver()
    await app.tables.repost(match.id, NORTH.id, place())
    assert await courier.deliver() == [("post", TABLE), ("remove", TABLE)]
    assert len(courier.of_kind(TABLE)) == 1


@pytest.mark.thorough
async def test_a_deleted_message_is_reposted(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A deleted message is reposted immediately, and then at most once a minute."""
    match = await players.begin()
    await courier.deliver()
    courier.messages.pop(courier.of_kind(TABLE)[0].id)
    await players.move(match.id, "pass")
    await courier.deliver()
    for move in ("pass", "draw"):
        courier.messages.pop(courier.of_kind(TABLE)[0].id)
        for _ in range(3):
            await app.endings.call_off(NORTH.id, match.id)
            await courier.deliver()
            assert courier.of_kind(TABLE) == []
            clock.pass_by(REPOST_INTERVAL / 4)
        await players.move(match.id, move)
        await courier.deliver()
        assert courier.of_kind(TABLE) == []
        clock.pass_by(REPOST_INTERVAL / 4)
        await courier.deliver()
        (table,) = courier.of_kind(TABLE)
        assert table.shown.content == await app.lookup.table(match.id)
    clock.pass_by(2 * REPOST_INTERVAL)
    courier.messages.pop(courier.of_kind(TABLE)[0].id)
    await app.endings.call_off(NORTH.id, match.id)
    await courier.deliver()
    assert len(courier.of_kind(TABLE)) == 1


@pytest.mark.parametrize("outcome", [WasMissing, WasTooOld])
async def test_a_replaced_message_pings_nobody_again(
    app: Application, courier: FakeCourier, outcome: Callable[[OutboxMessage], Outcome]
) -> None:
    """A lobby whose message was deleted, or allows no further edits, is posted again at once, but pings nobody."""
    lobby = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), rules="rotation")
    assert lobby.pinged == (SOUTH.id,)
    await courier.deliver()
    (old,) = courier.of_kind(CHALLENGE)
    await app.challenges.accept(EAST, lobby.id)
    await app.outbox.record([outcome(await due_of(courier, CHALLENGE))])
    replaced = [("remove", CHALLENGE)] if outcome is WasTooOld else []
    if outcome is WasMissing:
        courier.messages.pop(old.id)
    assert await courier.deliver() == [("post", CHALLENGE), *replaced]
    (new,) = courier.of_kind(CHALLENGE)
    assert isinstance(new.shown.content, Challenge)
    assert (new.shown.content.pinged, new.shown.was_deleted) == ((), True)
    assert new.id != old.id
    await app.challenges.withdraw(NORTH.id, lobby.id)
    assert await courier.deliver() == [("edit", CHALLENGE)]
    assert await app.outbox.work() == Work()


async def test_a_message_that_was_replaced_meanwhile_is_not_replaced_again(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """That Discord refused an edit does not matter if the message has been posted again since then."""
    match = await players.begin()
    await courier.deliver()
    await players.move(match.id, "pass")
    late = await due_of(courier, TABLE)
    await app.tables.repost(match.id, NORTH.id, place())
    await courier.deliver()
    (table,) = courier.of_kind(TABLE)
    await app.outbox.record([WasTooOld(late)])
    assert await courier.deliver() == []
    assert courier.of_kind(TABLE) == [table]


async def test_a_deleted_table_is_reposted_despite_clock_jumps(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """If the clock jumps a day ahead and back, a deleted table is still reposted within a minute."""
    match = await players.begin()
    await courier.deliver()
    for jump in (timedelta(days=1), timedelta(days=-1)):
        clock.pass_by(jump)
        courier.messages.pop(courier.of_kind(TABLE)[0].id)
        await players.move(match.id, "pass")
        await courier.deliver()
    clock.pass_by(REPOST_INTERVAL)
    await courier.deliver()
    assert len(courier.of_kind(TABLE)) == 1


@pytest.mark.thorough
async def test_a_deleted_table_is_posted_at_once_on_request(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """`/gin table` reposts a deleted table immediately, even if it was reposted less than a minute ago."""
    match = await players.begin()
    await courier.deliver()
    for move in ("pass", "pass"):
        courier.messages.pop(courier.of_kind(TABLE)[0].id)
        await players.move(match.id, move)
        await courier.deliver()
    assert courier.of_kind(TABLE) == []
    await app.tables.repost(match.id, NORTH.id, place())
    await courier.deliver()
    assert len(courier.of_kind(TABLE)) == 1


@pytest.mark.nightly
async def test_closed_direct_messages_become_a_ping(app: Application, players: Players, courier: FakeCourier) -> None:
    """After a refused direct message, no more are sent. The player gets one ping in each match where they must move."""
    await players.open_dms(NORTH, SOUTH)
    first = await players.begin()
    await players.begin(channel_id=ELSEWHERE)
    messages = await courier.due()
    refused = [message for message in messages if message.kind is HAND and message.person_id == NORTH.id]
    assert len(refused) == 2
    for _ in refused:
        await app.outbox.save_dm_refused(NORTH.id)
    await courier.deliver()
    assert [message.channel_id for message in courier.of_kind(PING)] == [CHANNEL, ELSEWHERE]
    assert courier.of_kind(HAND, dm_of(NORTH)) == []
    assert len(courier.of_kind(HAND, dm_of(SOUTH))) == 2
    assert (await app.people.settings(NORTH.id)).dm_works is False
    await app.outbox.save_dm_refused(NORTH.id)
    assert await courier.deliver() == []
    await players.move(first.id, "take", "x Qh")
    await courier.deliver()
    assert [message.channel_id for message in courier.of_kind(PING)] == [ELSEWHERE]


@pytest.mark.thorough
@pytest.mark.parametrize(("push", "pings"), nightly_after(1, [(Push.BOTH, 1), (Push.NONE, 0), (Push.CHANNEL, 1)]))
async def test_refused_direct_messages_ping_as_preferred(
    app: Application, players: Players, courier: FakeCourier, push: Push, pings: int
) -> None:
    """After a refused direct message, a person is pinged only if they want notifications, and never twice."""
    await prefer(app, NORTH, push=push)
    await players.open_dms(NORTH, SOUTH)
    await players.begin()
    await courier.deliver()
    await app.outbox.save_dm_refused(NORTH.id)
    await courier.deliver()
    assert len(courier.of_kind(PING)) == pings
    assert [action for action, kind in courier.log if kind is PING] == []


@pytest.mark.nightly
async def test_direct_messages_opened_again(app: Application, players: Players, courier: FakeCourier) -> None:
    """After a refused direct message, the hand is posted again once direct messages work again."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    await app.outbox.save_dm_refused(NORTH.id)
    await courier.deliver()
    assert courier.of_kind(HAND, dm_of(NORTH)) == []
    await players.open_dms(NORTH)
    await courier.deliver()
    (hand,) = courier.of_kind(HAND, dm_of(NORTH))
    assert hand.shown.content == await app.lookup.hand(NORTH.id, match.id)


@pytest.mark.nightly
async def test_a_deleted_channel_gets_no_posts(app: Application, players: Players, courier: FakeCourier) -> None:
    """If a match's channel is deleted, only hands are posted until the match is moved to another channel."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    await app.outbox.save_channel_deleted(CHANNEL)
    await players.win(match.id)
    await courier.deliver()
    assert courier.of_kind(TABLE) == courier.of_kind(SHOWDOWN) == []
    assert len(courier.of_kind(HAND)) == 2
    await app.tables.repost(match.id, SOUTH.id, place(ELSEWHERE))
    await courier.deliver()
    assert [message.channel_id for message in courier.of_kind(TABLE)] == [ELSEWHERE]


async def test_a_failure_waits_and_keeps_its_nonce(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A message that failed is due again after the wait, with the same nonce and a count of its attempts."""
    clock.pass_by(timedelta(seconds=1))
    await players.begin()
    first = await due_of(courier, TABLE)
    assert (first.may_be_posted, first.attempts) == (False, 0)
    await app.outbox.record([Failed(first, "503", timedelta(seconds=10))])
    await courier.deliver()
    assert courier.of_kind(TABLE) == []
    assert (await app.outbox.work()).next_due == clock.now + timedelta(seconds=10)
    clock.pass_by(timedelta(seconds=10))
    retry = await due_of(courier, TABLE)
    assert (retry.may_be_posted, retry.attempts, retry.nonce) == (True, 1, first.nonce)
    await courier.deliver()
    await app.tables.repost((await app.lookup.hands(NORTH.id))[0].match.id, NORTH.id, place())
    fresh = await due_of(courier, TABLE)
    assert (fresh.may_be_posted, fresh.attempts) == (False, 0)
    assert fresh.nonce != first.nonce


async def test_a_change_after_a_failure_keeps_may_be_posted(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A move makes a failed message due immediately. The first attempt still counts as possibly successful."""
    clock.pass_by(timedelta(seconds=1))
    match = await players.begin()
    first = await due_of(courier, TABLE)
    await app.outbox.record([Failed(first, "503", timedelta(minutes=10))])
    await players.move(match.id, "pass")
    retry = await due_of(courier, TABLE)
    assert (retry.may_be_posted, retry.attempts, retry.nonce) == (True, 1, first.nonce)


@pytest.mark.nightly
async def test_after_a_restart_a_post_may_be_there(
    app: Application, database: Database, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A post that was not recorded before a crash is found by its nonce, with or without later moves."""
    clock.pass_by(timedelta(seconds=1))
    match = await players.begin()
    message = await due_of(courier, TABLE)
    assert message.channel_id is not None
    courier.post(message, message.channel_id)
    clock.pass_by(timedelta(seconds=1))
    restarted = Application(database, shuffler=RiggedShuffler(IMMEDIATE_GIN), clock=clock)
    clock.pass_by(timedelta(seconds=1))
    await Players(restarted).move(match.id, "pass")
    courier.app = restarted
    retry = await due_of(courier, TABLE)
    assert retry.may_be_posted
    await courier.deliver()
    assert len(courier.of_kind(TABLE)) == 1
    await Players(restarted).move(match.id, "pass")
    assert not (await due_of(courier, TABLE)).may_be_posted


@pytest.mark.thorough
@pytest.mark.parametrize("found", nightly_after(1, [True, False]))
async def test_a_post_recorded_late_leaves_one_table(
    app: Application, database: Database, players: Players, courier: FakeCourier, clock: Clock, found: bool
) -> None:
    """If a process records its post of a table after another process posted a newer one, only the newest stays."""
    match = await players.begin()
    late = courier.send(await due_of(courier, TABLE))
    assert isinstance(late, WasPosted)
    if not found:
        courier.nonces.clear()
    courier.app = other = Application(database, clock=clock)
    await courier.deliver()
    await other.tables.repost(match.id, NORTH.id, place())
    await courier.deliver()
    newest = courier.of_kind(TABLE)[-1]
    assert newest.id != late.posted.message_id
    await app.outbox.record([late])
    await courier.deliver()
    assert [table.id for table in courier.of_kind(TABLE)] == [newest.id]
    await other.tables.repost(match.id, NORTH.id, place())
    await courier.deliver()
    assert len(courier.of_kind(TABLE)) == 1


@pytest.mark.nightly
async def test_a_missing_message_recorded_late_is_reposted_once(
    app: Application, database: Database, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """If a table is recorded as missing only after another process reposted it, there is no second repost."""
    match = await players.begin()
    await courier.deliver()
    courier.messages.pop(courier.of_kind(TABLE)[0].id)
    await players.move(match.id, "pass")
    late = courier.send(await due_of(courier, TABLE))
    assert isinstance(late, WasMissing)
    courier.app = Application(database, clock=clock)
    await courier.deliver()
    (table,) = courier.of_kind(TABLE)
    await app.outbox.record([late])
    clock.pass_by(REPOST_INTERVAL)
    await players.move(match.id, "pass")
    await courier.deliver()
    assert courier.of_kind(TABLE) == [table]


@pytest.mark.nightly
async def test_a_removal_recorded_late_loses_no_message(
    app: Application, database: Database, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """If a ping's removal is recorded after another process posted the next one, the next one is removed later."""
    match = await players.begin()
    await courier.deliver()
    await players.move(match.id, "pass")
    (call,) = [message for message in await courier.due() if message.kind is PING and message.posted is not None]
    late = courier.send(call)
    assert isinstance(late, WasRemoved)
    courier.app = Application(database, clock=clock)
    await courier.deliver()
    await players.move(match.id, "pass")
    await courier.deliver()
    assert [message.shown.person_id for message in courier.of_kind(PING)] == [NORTH.id]
    await app.outbox.record([late])
    await players.move(match.id, "draw", "x Qh")
    await courier.deliver()
    assert [message.shown.person_id for message in courier.of_kind(PING)] == [SOUTH.id]


@pytest.mark.nightly
async def test_a_failure_recorded_late_does_not_delay_a_repost(
    app: Application, database: Database, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A failure or edit recorded late does not delay a repost by another process."""
    match = await players.begin()
    await courier.deliver()
    await players.move(match.id, "pass")
    message = await due_of(courier, TABLE)
    courier.messages.pop(courier.of_kind(TABLE)[0].id)
    other = Application(database, clock=clock)
    await other.outbox.record([WasMissing(message)])
    await app.outbox.record([WasShown(message), Failed(message, "503", timedelta(hours=1))])
    courier.app = other
    await courier.deliver()
    assert len(courier.of_kind(TABLE)) == 1


@pytest.mark.thorough
async def test_a_change_during_a_delivery_is_delivered_next(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """A change between composing and recording a message stays due."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    messages = await courier.due()
    await players.move(match.id, "pass")
    for message in messages:
        await courier.deliver_one(message)
    log = await courier.deliver()
    assert ("edit", TABLE) in log
    (hand,) = courier.of_kind(HAND, dm_of(SOUTH))
    assert hand.shown.content == await app.lookup.hand(SOUTH.id, match.id)
    assert hand.notifies
    assert await app.outbox.work() == Work()


@pytest.mark.thorough
async def test_late_pings_are_dropped(app: Application, players: Players, courier: FakeCourier, clock: Clock) -> None:
    """A ping that was not delivered during its turn is dropped; a delivered one is removed after the turn."""
    match = await players.begin()
    ping = await due_of(courier, PING)
    await app.outbox.record([Failed(ping, "503", timedelta(minutes=1))])
    await players.move(match.id, "pass")
    await courier.deliver()
    (other,) = courier.of_kind(PING)
    assert other.shown.person_id == SOUTH.id
    clock.pass_by(timedelta(minutes=1))
    await players.move(match.id, "pass")
    await courier.deliver()
    (mine,) = courier.of_kind(PING)
    assert (mine.shown.person_id, mine.id != other.id) == (NORTH.id, True)


@pytest.mark.thorough
async def test_messages_of_a_match_go_out_in_order(app: Application, players: Players, courier: FakeCourier) -> None:
    """The messages of a match are delivered as a group in order: showdown, table, pings."""
    matches = [
        await players.begin("classic target=1000", channel_id=ChannelId(CHANNEL + number)) for number in range(5)
    ]
    for match in matches:
        await players.win(match.id)
    await app.challenges.issue(NORTH, [], place(), interaction())
    groups = (await app.outbox.work()).groups
    kinds: list[list[MessageKind]] = []
    for group in groups:
        sent: list[MessageKind] = []
        for message in await app.outbox.current(group.ids):
            await courier.deliver_one(message)
            sent.append(message.kind)
        kinds.append(sent)
    assert kinds.count([SHOWDOWN, TABLE, PING, PING]) == 5
    assert kinds.count([CHALLENGE]) + kinds.count([COMMITMENT]) == len(kinds) - 5
    await courier.deliver()
    assert len(courier.of_kind(SHOWDOWN)) == 5


async def test_find_a_posted_message(app: Application, players: Players, courier: FakeCourier) -> None:
    """A table message can be found once it is posted."""
    match = await players.begin()
    assert await app.outbox.find(TABLE, match.id) is None
    await courier.deliver()
    (table,) = courier.of_kind(TABLE)
    assert await app.outbox.find(TABLE, match.id) == PostedMessage(CHANNEL, table.id)


async def test_waiting_ends_with_a_notification(app: Application, players: Players) -> None:
    """`wait` ends after a notification, even if that came before the wait."""
    await players.begin()
    async with asyncio.timeout(60):
        await app.outbox.wait(timedelta(hours=1))
        await app.outbox.wait(timedelta(milliseconds=1))
        waiting = asyncio.create_task(app.outbox.wait(timedelta(hours=1)))
        await asyncio.sleep(0)
        assert not waiting.done()
        app.outbox.notify()
        await waiting


@pytest.mark.sqlite
async def test_due_messages_are_found_by_an_index(database: Database) -> None:
    """The query for due messages uses the index of undelivered messages."""
    query = (
        "EXPLAIN QUERY PLAN SELECT * FROM outbox_message"
        " WHERE wanted_revision > shown_revision AND due_at <= 5 ORDER BY due_at, id"
    )
    plan = await fetch(database, text(query))
    assert [detail for *_, detail in plan if "outbox_message_due" in detail]


@pytest.mark.nightly
async def test_work_returns_at_most_the_requested_groups(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """`work` returns at most `limit` groups of messages, longest waiting first, and none that is being delivered."""
    subjects: list[Subject] = []
    for number, person in enumerate((NORTH, SOUTH, EAST)):
        challenge = await app.challenges.issue(person, [], place(), interaction())
        match = await players.begin(channel_id=ChannelId(CHANNEL + number))
        subjects += [
            (Topic.CHALLENGE, challenge.id),
            (Topic.CHALLENGE, challenge.id + 1),
            (Topic.MATCH, match.id),
        ]
        clock.pass_by(COMMITMENT_DELAY)
        for commitment in [message for message in await courier.due() if message.kind is COMMITMENT]:
            await courier.deliver_one(commitment)
    assert [group.subject for group in (await app.outbox.work()).groups] == subjects
    assert [group.subject for group in (await app.outbox.work(limit=2)).groups] == subjects[:2]
    assert [group.subject for group in (await app.outbox.work(subjects[:2], limit=2)).groups] == subjects[2:4]
    assert [group.subject for group in (await app.outbox.work({subjects[0], subjects[2]})).groups] == [
        subject for subject in subjects if subject not in (subjects[0], subjects[2])
    ]
    assert (await app.outbox.work(limit=len(subjects))).next_due is None
    assert (await app.outbox.work(limit=4)).next_due == clock.now - 2 * COMMITMENT_DELAY
    assert await app.outbox.work(subjects) == Work()


async def test_a_match_and_a_challenge_with_the_same_id(app: Application, players: Players) -> None:
    """Even with the same id, the messages of a match and of a challenge are delivered independently."""
    match = await players.begin()
    both = [group.subject for group in (await app.outbox.work()).groups]
    assert sorted(both) == [(Topic.CHAIN, match.id), (Topic.CHALLENGE, match.id), (Topic.MATCH, match.id)]
    *both, commitment = both
    for busy, other in (both, both[::-1]):
        (group,) = (await app.outbox.work([commitment, busy])).groups
        assert group.subject == other


async def test_work_reads_a_bounded_number_of_rows(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of rows read depends on the number of groups requested, not on the number of due messages."""
    wanted = [
        WantedMessage(TABLE, subject, part, None, 1, 0, False, clock.now)
        for subject in range(1, 101)
        for part in (0, 1)
    ]
    async with database.write() as transaction:
        stored_outbox.request(transaction, wanted)
    row_counts: list[int] = []
    query = stored_outbox.due

    async def spy(*args: Any) -> tuple[OutboxRow, ...]:
        rows = await query(*args)
        row_counts.append(len(rows))
        return rows

    monkeypatch.setattr(stored_outbox, "due", spy)
    assert len((await app.outbox.work(limit=5)).groups) == 5
    assert len((await app.outbox.work([(Topic.MATCH, subject) for subject in range(1, 50)], limit=3)).groups) == 3
    assert max(row_counts) <= 4 * 5


async def deliver_group(courier: FakeCourier, group: MessageGroup) -> None:
    """Deliver a group as the real courier does: permanent messages are recorded immediately."""
    outcomes: list[Outcome] = []
    assert group.messages is not None
    for message in group.messages:
        outcomes.append(courier.send(message))
        if message.kind in (SHOWDOWN, END):
            await courier.app.outbox.record(outcomes)
            outcomes = []
    await courier.app.outbox.record(outcomes)


def commit_count() -> float:
    """Return the number of commits of write transactions so far."""
    return REGISTRY.get_sample_value("deadwood_commit_seconds_count") or 0


@pytest.mark.thorough
@pytest.mark.parametrize(("before", "move", "max_commits"), [((), PASS, 2), (("take",), Shortcut.GIN, 3)])
async def test_a_click_takes_few_commits(
    app: Application,
    players: Players,
    courier: FakeCourier,
    before: tuple[str, ...],
    move: Move | Shortcut,
    max_commits: int,
) -> None:
    """A move and its deliveries take at most two commits, or three if a showdown is posted."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    if before:
        await players.move(match.id, *before)
        await courier.deliver()
    (own,) = courier.of_kind(HAND, dm_of(NORTH))
    (other,) = courier.of_kind(HAND, dm_of(SOUTH))
    before_move = commit_count()
    hand = await app.turns.move(NORTH.id, match.id, move, interaction(), in_own_message=True)
    app.outbox.note_hand_answered(hand, own.id)
    while groups := (await app.outbox.work(limit=8)).groups:
        for group in groups:
            await deliver_group(courier, group)
    await app.outbox.record_answered()
    assert 1 < commit_count() - before_move <= max_commits
    assert own.edits == (1 if before else 0)
    (new_hand,) = courier.of_kind(HAND, dm_of(SOUTH))
    assert (new_hand.notifies, new_hand.id != other.id) == (True, True)
    assert await app.outbox.work() == Work()


async def test_an_answer_for_a_deleted_message_is_dropped(
    app: Application, players: Players, courier: FakeCourier, database: Database
) -> None:
    """Recording the answer to a click is tried only once if the hand's row has been deleted."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (own,) = courier.of_kind(HAND, dm_of(NORTH))
    hand = await app.turns.move(NORTH.id, match.id, PASS, interaction(), in_own_message=True)
    app.outbox.note_hand_answered(hand, own.id)
    await execute(database, delete(tables.outbox_message))
    before = commit_count()
    for _ in range(5):
        await app.outbox.record_answered()
    assert commit_count() == before + 1


async def test_answers_in_several_matches_are_recorded_together(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """Recording answers takes one transaction, in however many matches people have clicked."""
    await players.open_dms(NORTH, SOUTH)
    for person in (NORTH, SOUTH):
        hand, _ = await app.practice.start(person, None, interaction(), level=Level.NOVICE)
        await courier.deliver()
        (own,) = courier.of_kind(HAND, dm_of(person))
        app.outbox.note_hand_answered(hand, own.id)
    before = commit_count()
    await app.outbox.record_answered()
    assert commit_count() == before + 1
    await app.outbox.record_answered()
    assert commit_count() == before + 1
