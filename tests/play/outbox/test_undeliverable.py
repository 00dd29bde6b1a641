"""Undeliverable messages do not block others, and leave nothing behind."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.model.challenges import Challenge
from bot.model.ids import PersonId
from bot.model.outbox import MessageKind, PostedMessage
from bot.model.people import Person
from bot.play.application import Application
from bot.play.guilds.guilds import RETENTION
from bot.play.outbox.outbox import MAX_EDIT_AGE, Failed, WasShown, Work
from bot.play.refusals import Frozen
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    OTHER_GUILD,
    SOUTH,
    WEST,
    Players,
    dm_of,
    interaction,
    place,
)

TABLE, HAND, SHOWDOWN = MessageKind.TABLE, MessageKind.HAND, MessageKind.SHOWDOWN
CHALLENGE = MessageKind.CHALLENGE


@pytest.mark.parametrize("count", [7, pytest.param(65, marks=pytest.mark.nightly)])
async def test_deliveries_in_progress_do_not_block_others(app: Application, count: int) -> None:
    """Deliveries in progress do not block other deliveries and are not started twice."""
    for number in range(count):
        await app.challenges.issue(Person(PersonId(number + 1), "N"), (), place(), interaction())
    first = (await app.outbox.work(limit=count - 1)).groups
    busy = [group.subject for group in first]
    assert len(set(busy)) == count - 1
    (last,) = (await app.outbox.work(busy, limit=count - 1)).groups
    assert last.subject not in busy
    assert (await app.outbox.work([*busy, last.subject], limit=count)).groups == ()


@pytest.mark.thorough
async def test_a_table_waits_for_the_showdown(app: Application, players: Players, courier: FakeCourier) -> None:
    """A table is sent after the showdown, and alone it is due only once the showdown is recorded as posted.

    While some messages of a match are being delivered, no others of that match are due.
    """
    match = await players.begin("classic target=1000")
    await courier.deliver()
    await players.move(match.id, "take", "gin")
    (group,) = (await app.outbox.work()).groups
    assert (await app.outbox.work({group.subject})).groups == ()
    assert group.messages is not None
    showdown, table, *_ = group.messages
    assert (showdown.kind, table.kind) == (SHOWDOWN, TABLE)
    assert await app.outbox.current([table.id]) == ()
    await courier.deliver_one(showdown)
    assert await app.outbox.current([table.id]) == (table,)


@pytest.mark.thorough
async def test_a_failed_showdown_does_not_block_the_table(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """If an attempt to post the showdown failed, the table is posted without it."""
    match = await players.begin("classic target=1000")
    await courier.deliver()
    await players.win(match.id)
    (showdown,) = [message for message in await courier.due() if message.kind is SHOWDOWN]
    await app.outbox.record([Failed(showdown, "503", timedelta(minutes=1))])
    assert TABLE in [message.kind for message in await courier.due()]


@pytest.mark.nightly
async def test_a_replaced_message_is_deleted_in_the_end(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A new post is recorded immediately. The message that it replaces is deleted separately, with retries."""
    match = await players.begin()
    await courier.deliver()
    courier.cannot_delete_replaced = True
    for tables in (2, 3):
        clock.pass_by(MAX_EDIT_AGE)
        await app.tables.repost(match.id, NORTH.id, place())
        for message in await courier.due():
            await courier.deliver_one(message)
        assert len(courier.of_kind(TABLE)) == tables
    stale = (await app.outbox.work()).stale
    old, newer, newest = courier.of_kind(TABLE)
    assert [message.posted for message in stale] == [PostedMessage(CHANNEL, old.id), PostedMessage(CHANNEL, newer.id)]
    assert [message.posted for message in (await app.outbox.work((), {stale[0].id})).stale] == [
        PostedMessage(CHANNEL, newer.id)
    ]
    assert (await app.outbox.work(limit=1)).stale == stale[:1]
    for posted in stale:
        await app.outbox.save_stale_failed(posted, "503", timedelta(minutes=1))
    assert await courier.deliver() == []
    assert (await app.outbox.work()).next_due == clock.now + timedelta(minutes=1)
    assert (await app.outbox.work((), {message.id for message in stale})).next_due is None
    clock.pass_by(timedelta(minutes=1))
    assert [message.attempts for message in (await app.outbox.work()).stale] == [1, 1]
    assert await courier.deliver() == [("remove", TABLE)] * 2
    assert courier.of_kind(TABLE) == [newest]
    assert await app.outbox.find(TABLE, match.id) == PostedMessage(CHANNEL, newest.id)
    assert await app.outbox.work() == Work()


async def test_forgotten_posts_are_not_stale(app: Application, players: Players, courier: FakeCourier) -> None:
    """After `forget_posts`, no replaced messages wait for deletion, and the table is posted again."""
    match = await players.begin()
    await courier.deliver()
    courier.cannot_delete_replaced = True
    await app.tables.repost(match.id, NORTH.id, place())
    (table,) = await courier.due()
    await courier.deliver_one(table)
    assert len((await app.outbox.work()).stale) == 1
    await app.outbox.forget_posts()
    assert (await app.outbox.work()).stale == ()
    assert [(message.kind, message.needs_post, message.posted) for message in await courier.due()] == [
        (TABLE, True, None)
    ]


@pytest.mark.thorough
async def test_a_refused_hand_is_removed(app: Application, players: Players, courier: FakeCourier) -> None:
    """If direct messages are refused during a match, the player's earlier hand is removed."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    await players.move(match.id, "pass")
    hand = next(message for message in await courier.due() if message.kind is HAND and message.person_id == NORTH.id)
    await app.outbox.record([WasShown(hand)])
    await app.outbox.save_dm_refused(NORTH.id)
    await courier.deliver()
    assert courier.of_kind(HAND, dm_of(NORTH)) == []


@pytest.mark.nightly
async def test_a_challenge_closed_before_its_post_is_not_posted(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A challenge that was withdrawn or expired before its post is not posted, but a declined one is."""
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    await app.challenges.withdraw(NORTH.id, challenge.id)
    assert await courier.deliver() == []
    await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    clock.pass_by(timedelta(days=1))
    await app.challenges.expire()
    assert await courier.deliver() == []
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    await app.challenges.decline(SOUTH.id, challenge.id)
    assert await courier.deliver() == [("post", CHALLENGE)]
    (message,) = courier.of_kind(CHALLENGE)
    assert isinstance(message.shown.content, Challenge)


@pytest.mark.thorough
async def test_nothing_is_sent_to_servers_without_the_bot(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """While the bot is removed from a server, only messages for other servers are delivered."""
    await players.open_dms(NORTH, SOUTH)
    await players.begin()
    await app.challenges.issue(NORTH, (), place(), interaction())
    await app.guilds.save_left(GUILD)
    assert await app.outbox.work() == Work()
    await players.begin(channel_id=ELSEWHERE, guild_id=OTHER_GUILD)
    await courier.deliver()
    assert {message.channel_id for message in courier.messages.values()} == {ELSEWHERE, dm_of(NORTH), dm_of(SOUTH)}
    clock.pass_by(timedelta(days=29))
    await app.guilds.save_joined(GUILD)
    await courier.deliver()
    assert len(courier.of_kind(TABLE, CHANNEL)) == 1
    assert len(courier.of_kind(CHALLENGE, CHANNEL)) == 2


@pytest.mark.thorough
async def test_matches_are_frozen_on_servers_without_the_bot(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """While the bot is removed from a server, moves, endings and rematches are refused; later the match continues."""
    finished = await players.begin("classic target=10", channel_id=ELSEWHERE)
    await players.win(finished.id)
    match = await players.begin()
    before = await app.lookup.table(match.id)
    await app.guilds.save_left(GUILD)
    for action in (
        players.move(match.id, "take"),
        app.endings.resign(SOUTH.id, match.id, interaction()),
        app.endings.call_off(NORTH.id, match.id),
        app.tables.repost(match.id, NORTH.id, place()),
        app.endings.rematch(NORTH.id, finished.id),
    ):
        with pytest.raises(Frozen):
            await action
    assert await app.lookup.table(match.id) == before
    await app.guilds.save_all_joined({GUILD})
    await players.move(match.id, "take")
    await courier.deliver()
    (table,) = courier.of_kind(TABLE)
    assert table.shown.content == await app.lookup.table(match.id)


async def test_forgetting_works_on_servers_without_the_bot(app: Application, players: Players) -> None:
    """Forgetting a person resigns their matches even on servers that removed the bot."""
    match = await players.begin()
    await app.guilds.save_left(GUILD)
    assert await app.people.forget(SOUTH.id) == 1
    assert (await app.lookup.table(match.id)).match.players[1].id is None


@pytest.mark.nightly
async def test_a_purged_server_leaves_no_stale_messages(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """When a server is purged, its replaced messages that wait for deletion are dropped."""
    match = await players.begin()
    await courier.deliver()
    courier.cannot_delete_replaced = True
    await app.tables.repost(match.id, NORTH.id, place())
    (table,) = await courier.due()
    await courier.deliver_one(table)
    assert len((await app.outbox.work()).stale) == 1
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + timedelta(seconds=1))
    await app.guilds.purge()
    assert (await app.outbox.work()).stale == ()
    assert await app.outbox.current([table.id]) == ()


@pytest.mark.nightly
async def test_purging_a_server_leaves_the_stale_messages_of_others(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A purge keeps other servers' messages that wait for deletion, even if a match and a challenge share an id."""
    courier.cannot_delete_replaced = True
    match = await players.begin(channel_id=ELSEWHERE, guild_id=OTHER_GUILD)
    lobby = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction(), rules="penalty")
    purged = await players.begin()
    assert (match.id, lobby.id, purged.id) == (1, 2, 2)
    await courier.deliver()
    await app.lobbies.invite(EAST.id, lobby.id, [WEST.id])
    for channel_match in (match, purged):
        assert channel_match.channel_id is not None
        assert channel_match.guild_id is not None
        await app.tables.repost(channel_match.id, NORTH.id, place(channel_match.channel_id, channel_match.guild_id))
    for message in await courier.due():
        await courier.deliver_one(message)
    assert len((await app.outbox.work()).stale) == 3
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + timedelta(seconds=1))
    await app.guilds.purge()
    (remaining,) = (await app.outbox.work()).stale
    assert remaining.posted.channel_id == ELSEWHERE
    assert await app.outbox.find(TABLE, match.id) is not None
    assert await app.outbox.find(MessageKind.CHALLENGE, 1) is not None
