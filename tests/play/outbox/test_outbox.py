"""The outbox and the courier through everything ordinary: old, deleted, refused, failed, doubtful and interrupted."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.play.application import Application
from bot.play.outbox.outbox import EDITABLE_FOR, REPOST_AFTER
from bot.store.database import Database
from bot.values.matches import Ping
from bot.values.outbox import MessageKind, OutboxMessage
from bot.values.people import Push
from tests.helpers.clock import Clock
from tests.helpers.messages import Post
from tests.helpers.shufflers import GIN_AT_ONCE, RiggedShuffler
from tests.helpers.table import CHANNEL, ELSEWHERE, GUILD, NORTH, SOUTH, Players, dm_of, interaction

TABLE, HAND, PUSH = MessageKind.TABLE, MessageKind.HAND, MessageKind.PUSH
SHOWDOWN, END, CHALLENGE = MessageKind.SHOWDOWN, MessageKind.END, MessageKind.CHALLENGE
LEFTOVER = MessageKind.LEFTOVER


async def due_of(app: Application, kind: MessageKind) -> OutboxMessage:
    """The one message of a kind that is due."""
    found = [await app.outbox.current(one) for group in await app.outbox.due() for one in group]
    (notice,) = [one for one in found if one is not None and one.kind is kind]
    return notice


async def test_an_old_message_is_posted_afresh(app: Application, players: Players, post: Post, clock: Clock) -> None:
    """To the moment: below an hour a message is edited, then replaced, and nobody is called by that."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    clock.pass_by(EDITABLE_FOR - timedelta(seconds=1))
    await players.move(card.id, "take")
    assert await post.deliver() == [("edit", TABLE), ("edit", HAND), ("edit", HAND)]
    clock.pass_by(timedelta(seconds=1))
    await app.endings.keep_playing(NORTH[0], card.id)
    assert await post.deliver() == [("post", TABLE), *[("post", HAND)] * 2, *[("remove", LEFTOVER)] * 3]
    assert (len(post.of(TABLE)), len(post.of(HAND))) == (1, 2)
    assert not any(message.calls for message in (*post.of(TABLE), *post.of(HAND)))
    await app.endings.keep_playing(NORTH[0], card.id)
    assert await post.deliver() == [("edit", TABLE), ("edit", HAND), ("edit", HAND)]


async def test_an_offer_calls_those_who_are_asked(app: Application, players: Players, post: Post) -> None:
    """By direct message or in the channel, as a turn would; the call in the channel goes with the offer."""
    await players.reach(NORTH)
    card = await players.begin()
    await players.move(card.id, "take")
    await post.deliver()
    await app.endings.call_off(SOUTH[0], card.id)
    assert ("post", HAND) in await post.deliver()
    (hand,) = post.of(HAND)
    assert hand.calls
    await app.endings.keep_playing(NORTH[0], card.id)
    await post.deliver()
    assert post.of(PUSH) == []
    await app.endings.call_off(NORTH[0], card.id)
    await post.deliver()
    (call,) = post.of(PUSH)
    assert isinstance(call.notice.content, Ping)
    assert (call.notice.content.person_id, call.notice.content.to_act) == (SOUTH[0], False)
    await app.endings.keep_playing(SOUTH[0], card.id)
    await post.deliver()
    assert post.of(PUSH) == []


@pytest.mark.slow
async def test_in_slow_play_a_turn_calls_once(app: Application, players: Players, post: Post, clock: Clock) -> None:
    """With hours between all moves each player is called at the beginning of each turn of theirs, and never else."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    calls: list[tuple[int, ...]] = []
    for move in ("pass", "pass", "draw", "x Qh", "draw", "x 2h"):
        known = set(post.nonces.values())
        clock.pass_by(timedelta(hours=5))
        await players.move(card.id, move)
        await post.deliver()
        called = [one.channel_id for one in post.of(HAND) if one.id not in known and one.calls]
        calls.append(tuple(seat for seat, person in enumerate(players.people) if dm_of(person) in called))
    assert calls == [(1,), (0,), (), (1,), (), (0,)]


async def test_a_table_asked_for_is_posted_afresh(app: Application, players: Players, post: Post) -> None:
    """`/gin table` brings a fresh table down at once, however young the old one is."""
    card = await players.begin()
    await post.deliver()
    await app.tables.repost(card.id, NORTH[0], CHANNEL)
    assert await post.deliver() == [("post", TABLE), ("remove", LEFTOVER)]
    assert len(post.of(TABLE)) == 1


async def test_a_deleted_message_comes_back(app: Application, players: Players, post: Post, clock: Clock) -> None:
    """It is posted again, but not within a minute of its last post, however often moves ask for it."""
    card = await players.begin()
    await post.deliver()
    for move in ("pass", "pass"):
        post.messages.pop(post.of(TABLE)[0].id)
        for _ in range(3):
            await app.endings.call_off(NORTH[0], card.id)
            await post.deliver()
            assert post.of(TABLE) == []
            clock.pass_by(REPOST_AFTER / 4)
        await players.move(card.id, move)
        await post.deliver()
        assert post.of(TABLE) == []
        next_due = await app.outbox.next_due()
        assert next_due is not None
        assert clock.now < next_due <= clock.now + REPOST_AFTER
        clock.now = next_due
        await post.deliver()
        (table,) = post.of(TABLE)
        assert table.notice.content == await app.lookup.table(card.id)


async def test_a_deleted_table_is_posted_at_once_when_asked_for(app: Application, players: Players, post: Post) -> None:
    """A table that somebody deleted comes at once with `/gin table`."""
    card = await players.begin()
    await post.deliver()
    post.messages.pop(post.of(TABLE)[0].id)
    await players.move(card.id, "take")
    await post.deliver()
    assert post.of(TABLE) == []
    await app.tables.repost(card.id, NORTH[0], CHANNEL)
    await post.deliver()
    assert len(post.of(TABLE)) == 1


async def test_closed_direct_messages_become_a_ping(app: Application, players: Players, post: Post) -> None:
    """Refused once, nothing more is sent that way; whoever is to act is called in the channel, once, in each match."""
    await players.reach(NORTH, SOUTH)
    first = await players.begin()
    await players.begin(channel_id=ELSEWHERE)
    notices = [await app.outbox.current(one) for group in await app.outbox.due() for one in group]
    refused = [one for one in notices if one and one.kind is HAND and one.person_id == NORTH[0]]
    assert len(refused) == 2
    for _ in refused:
        await app.outbox.dm_refused(NORTH[0])
    await post.deliver()
    assert [message.channel_id for message in post.of(PUSH)] == [CHANNEL, ELSEWHERE]
    assert post.of(HAND, dm_of(NORTH)) == []
    assert len(post.of(HAND, dm_of(SOUTH))) == 2
    assert (await app.people.preferences(NORTH[0])).dm_works is False
    await app.outbox.dm_refused(NORTH[0])
    assert await post.deliver() == []
    await players.move(first.id, "take", "x Qh")
    await post.deliver()
    assert [message.channel_id for message in post.of(PUSH)] == [ELSEWHERE]


@pytest.mark.slow
@pytest.mark.parametrize(("push", "pings"), [(Push.NONE, 0), (Push.BOTH, 1), (Push.CHANNEL, 1)])
async def test_a_refusal_pings_no_more_than_chosen(
    app: Application, players: Players, post: Post, push: Push, pings: int
) -> None:
    """Who wants no push gets none for it, and who has a ping already gets no second one."""
    await app.people.prefer(NORTH, push=push)
    await players.reach(NORTH, SOUTH)
    await players.begin()
    await post.deliver()
    await app.outbox.dm_refused(NORTH[0])
    await post.deliver()
    assert len(post.of(PUSH)) == pings
    assert [what for what, kind in post.log if kind is PUSH] == []


async def test_direct_messages_opened_again(app: Application, players: Players, post: Post) -> None:
    """After a refusal, opening them anew brings the hand back."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    await app.outbox.dm_refused(NORTH[0])
    await post.deliver()
    assert post.of(HAND, dm_of(NORTH)) == []
    await players.reach(NORTH)
    await post.deliver()
    (hand,) = post.of(HAND, dm_of(NORTH))
    assert hand.notice.content == await app.lookup.hand(NORTH[0], card.id)


async def test_a_homeless_match_has_nowhere_to_post(app: Application, players: Players, post: Post) -> None:
    """While its channel is gone nothing public is tried; once moved it has a table there, and hands all the while."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    await app.outbox.channel_deleted(CHANNEL)
    await players.win(card.id)
    await post.deliver()
    assert post.of(TABLE) == post.of(SHOWDOWN) == []
    assert len(post.of(HAND)) == 2
    await app.tables.repost(card.id, SOUTH[0], ELSEWHERE)
    await post.deliver()
    assert [message.channel_id for message in post.of(TABLE)] == [ELSEWHERE]


async def test_a_failure_waits_and_keeps_its_nonce(
    app: Application, players: Players, post: Post, clock: Clock
) -> None:
    """What failed is due again after the wait with the same nonce, counts its tries, and is in doubt until posted."""
    clock.pass_by(timedelta(seconds=1))
    await players.begin()
    first = await due_of(app, TABLE)
    assert (first.may_be_there, first.attempts) == (False, 0)
    await app.outbox.failed(first, "503", timedelta(seconds=10))
    await post.deliver()
    assert post.of(TABLE) == []
    assert await app.outbox.next_due() == clock.now + timedelta(seconds=10)
    clock.pass_by(timedelta(seconds=10))
    again = await due_of(app, TABLE)
    assert (again.may_be_there, again.attempts, again.nonce) == (True, 1, first.nonce)
    await post.deliver()
    await app.tables.repost((await app.lookup.hands(NORTH[0]))[0].match.id, NORTH[0], CHANNEL)
    fresh = await due_of(app, TABLE)
    assert (fresh.may_be_there, fresh.attempts) == (False, 0)
    assert fresh.nonce != first.nonce


async def test_a_change_after_a_failure_leaves_the_doubt(app: Application, players: Players, clock: Clock) -> None:
    """A new move makes a failed message due at once, and it is still in doubt: an earlier try may be in the channel."""
    clock.pass_by(timedelta(seconds=1))
    card = await players.begin()
    first = await due_of(app, TABLE)
    await app.outbox.failed(first, "503", timedelta(minutes=10))
    await players.move(card.id, "pass")
    again = await due_of(app, TABLE)
    assert (again.may_be_there, again.attempts, again.nonce) == (True, 1, first.nonce)


async def test_after_a_restart_what_was_due_is_in_doubt(
    app: Application, database: Database, players: Players, post: Post, clock: Clock
) -> None:
    """A post that was made but not reported before the process died is found by its nonce, moves since or not."""
    clock.pass_by(timedelta(seconds=1))
    card = await players.begin()
    notice = await due_of(app, TABLE)
    assert notice.channel_id is not None
    post.post(notice, notice.channel_id)
    clock.pass_by(timedelta(seconds=1))
    restarted = Application(database, shuffler=RiggedShuffler(GIN_AT_ONCE), clock=clock)
    clock.pass_by(timedelta(seconds=1))
    await Players(restarted).move(card.id, "pass")
    again = await due_of(restarted, TABLE)
    assert again.may_be_there
    post.app = restarted
    await post.deliver()
    assert len(post.of(TABLE)) == 1
    await Players(restarted).move(card.id, "pass")
    assert not (await due_of(restarted, TABLE)).may_be_there


async def test_a_change_during_a_delivery_is_delivered_next(app: Application, players: Players, post: Post) -> None:
    """What changes between composing a message and reporting it stays due, be it an edit or a new turn's post."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    notices = [await app.outbox.current(one) for group in await app.outbox.due() for one in group]
    await players.move(card.id, "pass")
    for notice in notices:
        assert notice is not None
        await post.send(notice)
    log = await post.deliver()
    assert ("edit", TABLE) in log
    (hand,) = post.of(HAND, dm_of(SOUTH))
    assert hand.notice.content == await app.lookup.hand(SOUTH[0], card.id)
    assert hand.calls
    assert await app.outbox.next_due() is None


async def test_a_turn_that_is_over_pings_nobody(app: Application, players: Players, post: Post, clock: Clock) -> None:
    """A ping that was not delivered in time is dropped; one that was is removed, and the next turn has a new one."""
    card = await players.begin()
    ping = await due_of(app, PUSH)
    await app.outbox.failed(ping, "503", timedelta(minutes=1))
    await players.move(card.id, "pass")
    await post.deliver()
    (other,) = post.of(PUSH)
    assert other.notice.person_id == SOUTH[0]
    clock.pass_by(timedelta(minutes=1))
    await players.move(card.id, "pass")
    await post.deliver()
    (mine,) = post.of(PUSH)
    assert (mine.notice.person_id, mine.id != other.id) == (NORTH[0], True)


@pytest.mark.slow
async def test_messages_of_a_match_go_out_in_order(app: Application, players: Players, post: Post) -> None:
    """Showdown before end before table before hands before pings, whatever was asked for first, and in whole groups."""
    cards = [await players.begin("classic target=1000", channel_id=CHANNEL + at) for at in range(5)]
    for card in cards:
        await players.win(card.id)
    await app.challenges.issue(NORTH, [], GUILD, CHANNEL, interaction())
    groups = await app.outbox.due()
    kinds: list[list[MessageKind]] = []
    for group in groups:
        sent: list[MessageKind] = []
        for one in group:
            notice = await app.outbox.current(one)
            if notice is not None:
                await post.send(notice)
                sent.append(notice.kind)
        kinds.append(sent)
    assert kinds.count([SHOWDOWN, TABLE, PUSH, PUSH]) == 5
    assert kinds.count([CHALLENGE]) == len(kinds) - 5
    await post.deliver()
    assert len(post.of(SHOWDOWN)) == 5


async def test_where_a_message_stands(app: Application, players: Players, post: Post) -> None:
    """The place of a table is known once it is posted."""
    card = await players.begin()
    assert await app.outbox.find(TABLE, card.id) is None
    await post.deliver()
    (table,) = post.of(TABLE)
    assert await app.outbox.find(TABLE, card.id) == (CHANNEL, table.id)


async def test_waiting_ends_when_somebody_stirs(app: Application, players: Players) -> None:
    """A change wakes the courier at once, also one that came before it lay down; else it sleeps for as long as told."""
    await players.begin()
    async with asyncio.timeout(30):
        await app.outbox.wait(timedelta(hours=1))
        await app.outbox.wait(timedelta(milliseconds=1))
        waiting = asyncio.create_task(app.outbox.wait(timedelta(hours=1)))
        await asyncio.sleep(0)
        assert not waiting.done()
        app.outbox.notify()
        await waiting


async def test_the_index_serves_the_courier(database: Database) -> None:
    """Looking for what is due reads the index of unfinished messages, not every message there ever was."""
    query = "EXPLAIN QUERY PLAN SELECT * FROM notice WHERE wanted > shown AND due_at <= 5 ORDER BY due_at, id"
    plan = (await database.read(lambda transaction: transaction.execute(text(query)))).all()
    assert [row.detail for row in plan if "notice_due" in row.detail]
