"""What cannot be delivered: it holds up nothing else, is not tried in vain, and leaves nothing behind."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.play.application import Application
from bot.play.guilds.guilds import KEPT_FOR
from bot.play.outbox.outbox import EDITABLE_FOR
from bot.play.refusals import Frozen
from bot.values.challenges import Challenge
from bot.values.outbox import MessageKind, OutboxMessage
from tests.helpers.clock import Clock
from tests.helpers.messages import Post
from tests.helpers.table import CHANNEL, ELSEWHERE, GUILD, NORTH, SOUTH, Players, dm_of, interaction

TABLE, HAND, SHOWDOWN = MessageKind.TABLE, MessageKind.HAND, MessageKind.SHOWDOWN
CHALLENGE, LEFTOVER = MessageKind.CHALLENGE, MessageKind.LEFTOVER


async def due(app: Application, *under_way: int) -> list[OutboxMessage]:
    """The messages that are to be begun, while others are under way."""
    ids = [one for group in await app.outbox.due(under_way) for one in group]
    found = [await app.outbox.current(one) for one in ids]
    return [one for one in found if one is not None]


@pytest.mark.slow
async def test_messages_under_way_keep_no_other_from_its_place(app: Application) -> None:
    """However many deliveries hang, the next in the line begins; and of what hangs nothing is begun twice."""
    for at in range(65):
        await app.challenges.issue((at + 1, "N"), (), GUILD, CHANNEL, interaction())
    first = [one for group in await app.outbox.due() for one in group]
    assert len(first) == 64
    ((last,),) = await app.outbox.due(first)
    assert last not in first
    assert await app.outbox.due([*first, last]) == ()


async def test_a_table_waits_for_the_showdown_under_way(app: Application, players: Players, post: Post) -> None:
    """What comes after a message under way is not due, so nobody asks in vain; what comes before it is."""
    card = await players.begin("classic target=1000")
    await post.deliver()
    await players.move(card.id, "take")
    (table, *_) = await due(app)
    assert table.kind is TABLE
    await players.move(card.id, "gin")
    (showdown,) = await due(app, table.id)
    assert showdown.kind is SHOWDOWN
    assert await app.outbox.due({showdown.id}) == ()
    await post.send(showdown)
    assert next(one.kind for one in await due(app)) is TABLE


async def test_a_message_that_was_replaced_goes_in_the_end(
    app: Application, players: Players, post: Post, clock: Clock
) -> None:
    """The new one counts at once; the old ones are tried again, each on its own, until they are gone for good."""
    card = await players.begin()
    await post.deliver()
    for tables in (2, 3):
        clock.pass_by(EDITABLE_FOR)
        await app.tables.repost(card.id, NORTH[0], CHANNEL)
        for notice in await due(app):
            if notice.kind is LEFTOVER:
                await app.outbox.failed(notice, "503", timedelta(minutes=1))
            else:
                await post.send(notice)
        assert len(post.of(TABLE)) == tables
    for notice in await due(app):
        assert (notice.kind, notice.content) == (LEFTOVER, None)
        await app.outbox.failed(notice, "503", timedelta(minutes=1))
    assert await post.deliver() == []
    clock.pass_by(timedelta(minutes=1))
    assert await post.deliver() == [("remove", LEFTOVER)] * 2
    (table,) = post.of(TABLE)
    assert await app.outbox.find(TABLE, card.id) == (CHANNEL, table.id)
    assert await app.outbox.next_due() is None


async def test_a_server_that_forgot_everything_has_nothing_left_over(
    app: Application, players: Players, post: Post
) -> None:
    """Where no message is there any more, none is to be removed."""
    card = await players.begin()
    await post.deliver()
    await app.tables.repost(card.id, NORTH[0], CHANNEL)
    (table,) = await due(app)
    await post.send(table)
    assert [one.kind for one in await due(app)] == [LEFTOVER]
    await app.outbox.forget_posts()
    assert LEFTOVER not in [one.kind for one in await due(app)]


async def test_a_refused_hand_is_taken_back(app: Application, players: Players, post: Post) -> None:
    """In a running match the hand that could not be brought up to date is to go."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    await players.move(card.id, "pass")
    hand = next(one for one in await due(app) if one.kind is HAND and one.person_id == NORTH[0])
    await app.outbox.shown(hand)
    await app.outbox.dm_refused(NORTH[0])
    await post.deliver()
    assert post.of(HAND, dm_of(NORTH)) == []


async def test_an_invitation_that_lapsed_unseen_stays_unseen(
    app: Application, players: Players, post: Post, clock: Clock
) -> None:
    """Withdrawn or expired before it was posted, it is not; one that was declined is, for its challenger to see."""
    made = await app.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, interaction())
    await app.challenges.withdraw(NORTH[0], made.id)
    assert await post.deliver() == []
    await app.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, interaction())
    clock.pass_by(timedelta(days=1))
    await app.challenges.expire()
    assert await post.deliver() == []
    made = await app.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, interaction())
    await app.challenges.decline(SOUTH[0], made.id)
    assert await post.deliver() == [("post", CHALLENGE)]
    (message,) = post.of(CHALLENGE)
    assert isinstance(message.notice.content, Challenge)


async def test_nothing_is_sent_where_the_bot_was_removed(
    app: Application, players: Players, post: Post, clock: Clock
) -> None:
    """Tables, hands and invitations of that server wait without being due, and those of others go out."""
    await players.reach(NORTH, SOUTH)
    await players.begin()
    await app.challenges.issue(NORTH, (), GUILD, CHANNEL, interaction())
    await app.guilds.left(GUILD)
    assert await app.outbox.due() == ()
    assert await app.outbox.next_due() is None
    await players.begin(channel_id=ELSEWHERE, guild_id=GUILD + 1)
    await post.deliver()
    assert {one.channel_id for one in post.messages.values()} == {ELSEWHERE, dm_of(NORTH), dm_of(SOUTH)}
    clock.pass_by(timedelta(days=29))
    await app.guilds.joined({GUILD})
    await post.deliver()
    assert len(post.of(TABLE, CHANNEL)) == 1
    assert len(post.of(CHALLENGE, CHANNEL)) == 2


async def test_a_match_rests_where_the_bot_was_removed(app: Application, players: Players, post: Post) -> None:
    """No move, ending or rematch is taken from anywhere until the bot is back; then the match goes on as it stood."""
    over = await players.begin("classic target=10", channel_id=ELSEWHERE)
    await players.win(over.id)
    card = await players.begin()
    before = await app.lookup.table(card.id)
    await app.guilds.left(GUILD)
    for refused in (
        players.move(card.id, "take"),
        app.endings.resign(SOUTH[0], card.id, interaction()),
        app.endings.call_off(NORTH[0], card.id),
        app.tables.repost(card.id, NORTH[0], CHANNEL),
        app.endings.rematch(NORTH[0], over.id),
    ):
        with pytest.raises(Frozen):
            await refused
    assert await app.lookup.table(card.id) == before
    await app.guilds.joined_only({GUILD})
    await players.move(card.id, "take")
    await post.deliver()
    (table,) = post.of(TABLE)
    assert table.notice.content == await app.lookup.table(card.id)


async def test_who_plays_where_the_bot_was_removed_is_forgotten_like_others(app: Application, players: Players) -> None:
    """*Forget me* asks no server: the match that rests is resigned, and goes with the server."""
    card = await players.begin()
    await app.guilds.left(GUILD)
    assert await app.people.forget(SOUTH[0]) == 1
    assert (await app.lookup.table(card.id)).match.players[1].id is None


async def test_a_purged_server_leaves_nothing_over(
    app: Application, players: Players, post: Post, clock: Clock
) -> None:
    """The messages that were still to be removed there are forgotten with it."""
    card = await players.begin()
    await post.deliver()
    await app.tables.repost(card.id, NORTH[0], CHANNEL)
    (table,) = await due(app)
    await post.send(table)
    (leftover,) = await due(app)
    await app.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR + timedelta(seconds=1))
    await app.guilds.purge()
    assert await app.outbox.current(leftover.id) is None
