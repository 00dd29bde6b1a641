"""What cannot be delivered: it holds up nothing else, is not tried in vain, and leaves nothing behind."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.play.guilds import KEPT_FOR
from bot.play.house import House
from bot.play.outbox import EDITABLE_FOR
from bot.play.refusals import Frozen
from bot.play.values import Invitation, Notice, NoticeKind
from tests.helpers.clock import Clock
from tests.helpers.messages import Post
from tests.helpers.table import CHANNEL, ELSEWHERE, GUILD, NORTH, SOUTH, Players, dm_of, interaction

TABLE, HAND, SHOWDOWN = NoticeKind.TABLE, NoticeKind.HAND, NoticeKind.SHOWDOWN
CHALLENGE, LEFTOVER = NoticeKind.CHALLENGE, NoticeKind.LEFTOVER


async def due(house: House, *under_way: int) -> list[Notice]:
    """The messages that are to be begun, while others are under way."""
    ids = [one for group in await house.outbox.due(under_way) for one in group]
    found = [await house.outbox.current(one) for one in ids]
    return [one for one in found if one is not None]


@pytest.mark.slow
async def test_messages_under_way_keep_no_other_from_its_place(house: House) -> None:
    """However many deliveries hang, the next in the line begins; and of what hangs nothing is begun twice."""
    for at in range(65):
        await house.challenges.issue((at + 1, "N"), (), GUILD, CHANNEL, interaction())
    first = [one for group in await house.outbox.due() for one in group]
    assert len(first) == 64
    ((last,),) = await house.outbox.due(first)
    assert last not in first
    assert await house.outbox.due([*first, last]) == ()


async def test_a_table_waits_for_the_showdown_under_way(house: House, players: Players, post: Post) -> None:
    """What comes after a message under way is not due, so nobody asks in vain; what comes before it is."""
    card = await players.begin("classic target=1000")
    await post.deliver()
    await players.move(card.id, "take")
    (table, *_) = await due(house)
    assert table.kind is TABLE
    await players.move(card.id, "gin")
    (showdown,) = await due(house, table.id)
    assert showdown.kind is SHOWDOWN
    assert await house.outbox.due({showdown.id}) == ()
    await post.send(showdown)
    assert next(one.kind for one in await due(house)) is TABLE


async def test_a_message_that_was_replaced_goes_in_the_end(
    house: House, players: Players, post: Post, clock: Clock
) -> None:
    """The new one counts at once; the old ones are tried again, each on its own, until they are gone for good."""
    card = await players.begin()
    await post.deliver()
    for tables in (2, 3):
        clock.pass_by(EDITABLE_FOR)
        await house.tables.show(card.id, NORTH[0], CHANNEL)
        for notice in await due(house):
            if notice.kind is LEFTOVER:
                await house.outbox.failed(notice, "503", timedelta(minutes=1))
            else:
                await post.send(notice)
        assert len(post.of(TABLE)) == tables
    for notice in await due(house):
        assert (notice.kind, notice.content) == (LEFTOVER, None)
        await house.outbox.failed(notice, "503", timedelta(minutes=1))
    assert await post.deliver() == []
    clock.pass_by(timedelta(minutes=1))
    assert await post.deliver() == [("remove", LEFTOVER)] * 2
    (table,) = post.of(TABLE)
    assert await house.outbox.place_of(TABLE, card.id) == (CHANNEL, table.id)
    assert await house.outbox.next_due() is None


async def test_a_server_that_forgot_everything_has_nothing_left_over(
    house: House, players: Players, post: Post
) -> None:
    """Where no message is there any more, none is to be removed."""
    card = await players.begin()
    await post.deliver()
    await house.tables.show(card.id, NORTH[0], CHANNEL)
    (table,) = await due(house)
    await post.send(table)
    assert [one.kind for one in await due(house)] == [LEFTOVER]
    await house.outbox.begin_anew()
    assert LEFTOVER not in [one.kind for one in await due(house)]


async def test_a_refused_hand_is_taken_back(house: House, players: Players, post: Post) -> None:
    """In a running match the hand that could not be brought up to date is to go."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    await players.move(card.id, "pass")
    hand = next(one for one in await due(house) if one.kind is HAND and one.person_id == NORTH[0])
    await house.outbox.shown(hand)
    await house.outbox.dm_refused(NORTH[0])
    await post.deliver()
    assert post.of(HAND, dm_of(NORTH)) == []


async def test_an_invitation_that_lapsed_unseen_stays_unseen(
    house: House, players: Players, post: Post, clock: Clock
) -> None:
    """Withdrawn or expired before it was posted, it is not; one that was declined is, for its challenger to see."""
    made = await house.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, interaction())
    await house.challenges.withdraw(NORTH[0], made.id)
    assert await post.deliver() == []
    await house.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, interaction())
    clock.pass_by(timedelta(days=1))
    await house.challenges.expire()
    assert await post.deliver() == []
    made = await house.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, interaction())
    await house.challenges.decline(SOUTH[0], made.id)
    assert await post.deliver() == [("post", CHALLENGE)]
    (message,) = post.of(CHALLENGE)
    assert isinstance(message.notice.content, Invitation)


async def test_nothing_is_sent_where_the_bot_was_removed(
    house: House, players: Players, post: Post, clock: Clock
) -> None:
    """Tables, hands and invitations of that server wait without being due, and those of others go out."""
    await players.reach(NORTH, SOUTH)
    await players.begin()
    await house.challenges.issue(NORTH, (), GUILD, CHANNEL, interaction())
    await house.guilds.left(GUILD)
    assert await house.outbox.due() == ()
    assert await house.outbox.next_due() is None
    await players.begin(channel_id=ELSEWHERE, guild_id=GUILD + 1)
    await post.deliver()
    assert {one.channel_id for one in post.messages.values()} == {ELSEWHERE, dm_of(NORTH), dm_of(SOUTH)}
    clock.pass_by(timedelta(days=29))
    await house.guilds.present({GUILD})
    await post.deliver()
    assert len(post.of(TABLE, CHANNEL)) == 1
    assert len(post.of(CHALLENGE, CHANNEL)) == 2


async def test_a_match_rests_where_the_bot_was_removed(house: House, players: Players, post: Post) -> None:
    """No move, ending or rematch is taken from anywhere until the bot is back; then the match goes on as it stood."""
    over = await players.begin("classic target=10", channel_id=ELSEWHERE)
    await players.win(over.id)
    card = await players.begin()
    before = await house.lookup.table(card.id)
    await house.guilds.left(GUILD)
    for refused in (
        players.move(card.id, "take"),
        house.endings.resign(SOUTH[0], card.id, interaction()),
        house.endings.call_off(NORTH[0], card.id),
        house.tables.show(card.id, NORTH[0], CHANNEL),
        house.endings.rematch(NORTH[0], over.id),
    ):
        with pytest.raises(Frozen):
            await refused
    assert await house.lookup.table(card.id) == before
    await house.guilds.present_only({GUILD})
    await players.move(card.id, "take")
    await post.deliver()
    (table,) = post.of(TABLE)
    assert table.notice.content == await house.lookup.table(card.id)


async def test_who_plays_where_the_bot_was_removed_is_forgotten_like_others(house: House, players: Players) -> None:
    """*Forget me* asks no server: the match that rests is resigned, and goes with the server."""
    card = await players.begin()
    await house.guilds.left(GUILD)
    assert await house.people.forget(SOUTH[0]) == 1
    assert (await house.lookup.table(card.id)).card.players[1].id is None


async def test_a_purged_server_leaves_nothing_over(house: House, players: Players, post: Post, clock: Clock) -> None:
    """The messages that were still to be removed there are forgotten with it."""
    card = await players.begin()
    await post.deliver()
    await house.tables.show(card.id, NORTH[0], CHANNEL)
    (table,) = await due(house)
    await post.send(table)
    (leftover,) = await due(house)
    await house.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR + timedelta(seconds=1))
    await house.guilds.purge()
    assert await house.outbox.current(leftover.id) is None
