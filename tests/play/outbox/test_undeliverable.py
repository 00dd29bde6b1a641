"""What cannot be delivered: it holds up nothing else, is not tried in vain, and leaves nothing behind."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.play.application import Application
from bot.play.guilds.guilds import KEPT_FOR
from bot.play.outbox.outbox import EDITABLE_FOR, Failed, WasShown
from bot.play.refusals import Frozen
from bot.values.challenges import Challenge
from bot.values.outbox import MessageKind, OutboxMessage
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, ELSEWHERE, GUILD, NORTH, OTHER_GUILD, SOUTH, Players, dm_of, interaction, place

TABLE, HAND, SHOWDOWN = MessageKind.TABLE, MessageKind.HAND, MessageKind.SHOWDOWN
CHALLENGE = MessageKind.CHALLENGE


async def due(app: Application, *under_way: int) -> list[OutboxMessage]:
    """The messages that are to be begun, while others are under way."""
    ids = [one for group in await app.outbox.due(under_way) for one in group]
    found = [await app.outbox.current(one) for one in ids]
    return [one for one in found if one is not None]


@pytest.mark.slow
async def test_messages_under_way_keep_no_other_from_its_place(app: Application) -> None:
    """However many deliveries hang, the next in the line begins; and of what hangs nothing is begun twice."""
    for at in range(65):
        await app.challenges.issue((at + 1, "N"), (), place(), interaction())
    first = [one for group in await app.outbox.due() for one in group]
    assert len(first) == 64
    ((last,),) = await app.outbox.due(first)
    assert last not in first
    assert await app.outbox.due([*first, last]) == ()


async def test_a_table_waits_for_the_showdown_under_way(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """What comes after a message under way is not due, so nobody asks in vain; what comes before it is."""
    match = await players.begin("classic target=1000")
    await courier.deliver()
    await players.move(match.id, "take")
    (table, *_) = await due(app)
    assert table.kind is TABLE
    await players.move(match.id, "gin")
    (showdown,) = await due(app, table.id)
    assert showdown.kind is SHOWDOWN
    assert await app.outbox.due({showdown.id}) == ()
    await courier.deliver_one(showdown)
    assert next(one.kind for one in await due(app)) is TABLE


async def test_a_message_that_was_replaced_goes_in_the_end(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """The new one counts at once; the old ones are tried again, each on its own, until they are gone for good."""
    match = await players.begin()
    await courier.deliver()
    for tables in (2, 3):
        clock.pass_by(EDITABLE_FOR)
        await app.tables.repost(match.id, NORTH.id, place())
        for message in await due(app):
            if message.kind is LEFTOVER:
                await app.outbox.record([Failed(message, "503", timedelta(minutes=1))])
            else:
                await courier.deliver_one(message)
        assert len(courier.of(TABLE)) == tables
    for message in await due(app):
        assert (message.kind, message.content) == (LEFTOVER, None)
        await app.outbox.record([Failed(message, "503", timedelta(minutes=1))])
    assert await courier.deliver() == []
    clock.pass_by(timedelta(minutes=1))
    assert await courier.deliver() == [("remove")] * 2
    (table,) = courier.of(TABLE)
    assert await app.outbox.find(TABLE, match.id) == (CHANNEL, table.id)
    assert await app.outbox.next_due() is None


async def test_a_server_that_forgot_everything_has_nothing_left_over(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """Where no message is there any more, none is to be removed."""
    match = await players.begin()
    await courier.deliver()
    await app.tables.repost(match.id, NORTH.id, place())
    (table,) = await due(app)
    await courier.deliver_one(table)
    assert [one.kind for one in await due(app)] == [LEFTOVER]
    await app.outbox.forget_posts()
    assert LEFTOVER not in [one.kind for one in await due(app)]


async def test_a_refused_hand_is_taken_back(app: Application, players: Players, courier: FakeCourier) -> None:
    """In a running match the hand that could not be brought up to date is to go."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    await players.move(match.id, "pass")
    hand = next(one for one in await due(app) if one.kind is HAND and one.person_id == NORTH.id)
    await app.outbox.record([WasShown(hand)])
    await app.outbox.dm_refused(NORTH.id)
    await courier.deliver()
    assert courier.of(HAND, dm_of(NORTH)) == []


async def test_a_challenge_that_lapsed_unseen_stays_unseen(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """Withdrawn or expired before it was posted, it is not; one that was declined is, for its challenger to see."""
    made = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    await app.challenges.withdraw(NORTH.id, made.id)
    assert await courier.deliver() == []
    await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    clock.pass_by(timedelta(days=1))
    await app.challenges.expire()
    assert await courier.deliver() == []
    made = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    await app.challenges.decline(SOUTH.id, made.id)
    assert await courier.deliver() == [("post", CHALLENGE)]
    (message,) = courier.of(CHALLENGE)
    assert isinstance(message.shown.content, Challenge)


async def test_nothing_is_sent_where_the_bot_was_removed(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """Tables, hands and challenges of that server wait without being due, and those of others go out."""
    await players.reach(NORTH, SOUTH)
    await players.begin()
    await app.challenges.issue(NORTH, (), place(), interaction())
    await app.guilds.left(GUILD)
    assert await app.outbox.due() == ()
    assert await app.outbox.next_due() is None
    await players.begin(channel_id=ELSEWHERE, guild_id=OTHER_GUILD)
    await courier.deliver()
    assert {one.channel_id for one in courier.messages.values()} == {ELSEWHERE, dm_of(NORTH), dm_of(SOUTH)}
    clock.pass_by(timedelta(days=29))
    await app.guilds.joined(GUILD)
    await courier.deliver()
    assert len(courier.of(TABLE, CHANNEL)) == 1
    assert len(courier.of(CHALLENGE, CHANNEL)) == 2


async def test_a_match_rests_where_the_bot_was_removed(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """No move, ending or rematch is taken from anywhere until the bot is back; then the match goes on as it stood."""
    over = await players.begin("classic target=10", channel_id=ELSEWHERE)
    await players.win(over.id)
    match = await players.begin()
    before = await app.lookup.table(match.id)
    await app.guilds.left(GUILD)
    for refused in (
        players.move(match.id, "take"),
        app.endings.resign(SOUTH.id, match.id, interaction()),
        app.endings.call_off(NORTH.id, match.id),
        app.tables.repost(match.id, NORTH.id, place()),
        app.endings.rematch(NORTH.id, over.id),
    ):
        with pytest.raises(Frozen):
            await refused
    assert await app.lookup.table(match.id) == before
    await app.guilds.joined_only({GUILD})
    await players.move(match.id, "take")
    await courier.deliver()
    (table,) = courier.of(TABLE)
    assert table.shown.content == await app.lookup.table(match.id)


async def test_who_plays_where_the_bot_was_removed_is_forgotten_like_others(app: Application, players: Players) -> None:
    """*Forget me* asks no server: the match that rests is resigned, and goes with the server."""
    match = await players.begin()
    await app.guilds.left(GUILD)
    assert await app.people.forget(SOUTH.id) == 1
    assert (await app.lookup.table(match.id)).match.players[1].id is None


async def test_a_purged_server_leaves_nothing_over(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """The messages that were still to be removed there are forgotten with it."""
    match = await players.begin()
    await courier.deliver()
    await app.tables.repost(match.id, NORTH.id, place())
    (table,) = await due(app)
    await courier.deliver_one(table)
    (leftover,) = await due(app)
    await app.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR + timedelta(seconds=1))
    await app.guilds.purge()
    assert await app.outbox.current(leftover.id) is None
