"""What the outbox asks for after each change, and that it stops asking once it is told of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.play.application import Application
from bot.play.outbox.outbox import ANSWERED_WITHIN
from bot.values.challenges import Challenge
from bot.values.matches import MatchSummary, OwnHand, Ping, Showdown, Table
from bot.values.outbox import MessageKind
from bot.values.people import Push
from tests.helpers.clock import Clock
from tests.helpers.messages import Post
from tests.helpers.table import CHANNEL, GUILD, NORTH, SOUTH, Players, dm_of, interaction

TABLE, HAND, PUSH, LEFTOVER = MessageKind.TABLE, MessageKind.HAND, MessageKind.PUSH, MessageKind.LEFTOVER
SHOWDOWN, END, CHALLENGE = MessageKind.SHOWDOWN, MessageKind.END, MessageKind.CHALLENGE


async def test_nothing_is_due_in_an_empty_house(app: Application, post: Post) -> None:
    """Without matches there is nothing to deliver, now or later."""
    assert await app.outbox.due() == ()
    assert await app.outbox.next_due() is None
    assert await app.outbox.current(1) is None
    assert await post.deliver() == []


async def test_an_invitation_is_one_message_in_its_channel(app: Application, post: Post) -> None:
    """It is posted once, and edited when it is settled; a settled one that nobody saw is posted as it is then."""
    made = await app.challenges.issue(NORTH, [SOUTH[0]], GUILD, CHANNEL, interaction())
    assert await post.deliver() == [("post", CHALLENGE)]
    await app.challenges.decline(SOUTH[0], made.id)
    assert await post.deliver() == [("edit", CHALLENGE)]
    (message,) = post.of(CHALLENGE, CHANNEL)
    assert isinstance(message.notice.content, Challenge)
    assert message.notice.content.status == "declined"
    assert message.calls


async def test_an_expired_invitation_is_brought_up_to_date(app: Application, post: Post, clock: Clock) -> None:
    """A day later the same message says that it expired: an old invitation is edited, not posted anew."""
    await app.challenges.issue(NORTH, [], GUILD, CHANNEL, interaction())
    await post.deliver()
    clock.pass_by(timedelta(days=1))
    await app.challenges.expire()
    assert await post.deliver() == [("edit", CHALLENGE)]
    await app.challenges.expire()
    assert await post.deliver() == []


async def test_a_match_begins_with_its_table_and_hands(app: Application, players: Players, post: Post) -> None:
    """The table in the channel, both hands by direct message, and a notification for who is to act alone."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    assert await post.deliver() == [("post", CHALLENGE), ("post", TABLE), ("post", HAND), ("post", HAND)]
    (table,) = post.of(TABLE, CHANNEL)
    assert isinstance(table.notice.content, Table)
    for seat, person in enumerate(players.people):
        (hand,) = post.of(HAND, dm_of(person))
        assert isinstance(hand.notice.content, OwnHand)
        assert (hand.notice.content.view.seat, hand.notice.person_id) == (seat, person[0])
        assert hand.notice.content == await app.lookup.hand(person[0], card.id)
        assert hand.calls == (seat == 0)
    assert post.of(PUSH) == []


@pytest.mark.slow
async def test_hands_go_only_where_direct_messages_do(app: Application, players: Players, post: Post) -> None:
    """Without a direct message channel, or against the person's wish, there is no hand message but a ping in turn."""
    await players.reach(SOUTH)
    await app.people.prefer(SOUTH, hand_by_dm=False)
    await players.begin()
    await post.deliver()
    assert post.of(HAND) == []
    (ping,) = post.of(PUSH, CHANNEL)
    assert isinstance(ping.notice.content, Ping)
    assert (ping.notice.content.seat, ping.notice.content.person_id, ping.notice.person_id) == (0, NORTH[0], NORTH[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("push", "reachable", "called", "pinged"),
    [
        (Push.DM, True, True, False),
        (Push.DM, False, False, True),
        (Push.CHANNEL, True, False, True),
        (Push.CHANNEL, False, False, True),
        (Push.BOTH, True, True, True),
        (Push.BOTH, False, False, True),
        (Push.NONE, True, False, False),
        (Push.NONE, False, False, False),
    ],
)
async def test_one_push_a_turn_as_chosen(
    app: Application, players: Players, post: Post, push: Push, reachable: bool, called: bool, pinged: bool
) -> None:
    """When a turn begins the person hears of it as they chose, and not again within the turn; then the ping goes."""
    await app.people.prefer(SOUTH, push=push)
    await players.reach(NORTH, *([SOUTH] if reachable else []))
    card = await players.begin()
    await post.deliver()
    before = {message.id for message in post.of(HAND, dm_of(SOUTH))}
    await players.move(card.id, "pass")
    await post.deliver()
    fresh = [one for one in post.of(HAND, dm_of(SOUTH)) if one.id not in before]
    assert [one.calls for one in fresh] == ([True] if called else [])
    assert len(post.of(HAND, dm_of(SOUTH))) == int(reachable)
    assert len(post.of(PUSH)) == int(pinged)
    count = len(post.nonces)
    await players.move(card.id, "take")
    await post.deliver()
    assert len(post.nonces) == count
    await players.move(card.id, "x 2h")
    await post.deliver()
    assert post.of(PUSH) == []


async def test_a_burst_of_changes_is_one_edit(app: Application, players: Players, post: Post) -> None:
    """However much happens between two rounds, the table is edited once, to the newest state."""
    card = await players.begin()
    await post.deliver()
    await players.move(card.id, "pass", "pass", "draw", "x Qh", "draw")
    done = await post.deliver()
    assert done.count(("edit", TABLE)) == 1
    (table,) = post.of(TABLE)
    assert table.notice.content == await app.lookup.table(card.id)


async def test_a_deal_ends_with_its_showdown_above_a_fresh_table(
    app: Application, players: Players, post: Post
) -> None:
    """The showdown is a lasting post of its own, the table comes afresh below it, and every showdown stays."""
    card = await players.begin("classic target=1000")
    await players.reach(NORTH, SOUTH)
    await post.deliver()
    await players.win(card.id)
    done = await post.deliver()
    public = [one for one in done if one[1] in (SHOWDOWN, TABLE)]
    assert public == [("post", SHOWDOWN), ("post", TABLE)]
    await players.win(card.id)
    await players.win(card.id)
    await post.deliver()
    shown = [one.notice.content for one in post.of(SHOWDOWN, CHANNEL)]
    assert [one.view.number for one in shown if isinstance(one, Showdown)] == [1, 2, 3]
    assert len(post.of(TABLE)) == 1
    assert len(post.of(HAND)) == 2


async def test_a_match_ends_with_its_sheet(app: Application, players: Players, post: Post) -> None:
    """The last showdown, then the end; the table and pings go, hands say that it is over, and nothing is left to do."""
    await players.reach(NORTH)
    card = await players.begin("classic target=10")
    await post.deliver()
    await players.win(card.id)
    done = await post.deliver()
    assert done == [("post", SHOWDOWN), ("post", END), ("remove", TABLE), ("edit", HAND)]
    (end,) = post.of(END, CHANNEL)
    assert isinstance(end.notice.content, MatchSummary)
    assert end.calls
    assert [deal.number for deal in end.notice.content.deals] == [1]
    assert (post.of(TABLE), post.of(PUSH)) == ([], [])
    await app.endings.rematch(NORTH[0], card.id)
    assert sorted(await post.deliver()) == [("edit", END), ("edit", HAND), ("post", PUSH)]
    assert await app.outbox.next_due() is None


async def test_a_match_called_off_takes_its_ping_with_it(app: Application, players: Players, post: Post) -> None:
    """Cancelled amid a turn, the call to whoever was to act is removed, as is the table."""
    card = await players.begin()
    await post.deliver()
    assert len(post.of(PUSH)) == 1
    await app.endings.cancel(card.id, GUILD)
    await post.deliver()
    assert (post.of(PUSH), post.of(TABLE)) == ([], [])
    assert len(post.of(END)) == 1


async def test_proposals_are_shown_to_both(app: Application, players: Players, post: Post) -> None:
    """An offer to call the match off reaches the table and both hands, and notifies the one who is asked."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    await app.endings.call_off(NORTH[0], card.id)
    assert await post.deliver() == [("edit", TABLE), ("edit", HAND), ("post", HAND), ("remove", LEFTOVER)]
    assert [message.calls for message in post.of(HAND, dm_of(SOUTH))] == [True]


async def test_a_click_on_ones_own_message_needs_no_delivery(app: Application, players: Players, post: Post) -> None:
    """The answer shows the hand, so the courier leaves it; only if nobody says that it was shown does it follow."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    (message,) = post.of(HAND, dm_of(NORTH))
    moves = (await app.lookup.hand(NORTH[0], card.id)).view.moves
    hand = await app.turns.move(NORTH[0], card.id, moves[1], interaction(), in_own_message=True)
    await app.outbox.hand_answered(hand, message.id)
    await post.deliver()
    assert message.edits == 0
    hand = await app.turns.move(NORTH[0], card.id, hand.view.moves[0], interaction(), in_own_message=True)
    await post.deliver()
    assert message.edits == 0
    clock = app.clock
    assert isinstance(clock, Clock)
    clock.pass_by(ANSWERED_WITHIN)
    await post.deliver()
    assert message.edits == 1
    await app.outbox.hand_answered(hand, message.id)
    assert await app.outbox.next_due() is None


async def test_an_answer_in_an_older_message_does_not_count(app: Application, players: Players, post: Post) -> None:
    """A click on a hand message that a newer one replaced leaves the newer one to the courier."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    (message,) = post.of(HAND, dm_of(NORTH))
    hand = await players.move(card.id, "take")
    await app.outbox.hand_answered(hand, message.id + 999)
    await post.deliver()
    assert message.edits == 1


async def test_a_new_turn_is_not_swallowed_by_an_answer(app: Application, players: Players, post: Post) -> None:
    """A click answered in the old message, just when the person's turn begins, does not keep the call from them."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    (message,) = post.of(HAND, dm_of(SOUTH))
    await players.move(card.id, "pass")
    await app.outbox.hand_answered(await app.lookup.hand(SOUTH[0], card.id), message.id)
    await post.deliver()
    (fresh,) = post.of(HAND, dm_of(SOUTH))
    assert fresh.id != message.id
    assert fresh.calls


async def test_switching_hands_off_and_on(app: Application, players: Players, post: Post) -> None:
    """Off takes the message back; on brings it again at once, quietly, and the next change is not lost."""
    await players.reach(NORTH, SOUTH)
    card = await players.begin()
    await post.deliver()
    await app.people.prefer(NORTH, hand_by_dm=False)
    assert await post.deliver() == [("remove", HAND)]
    await app.people.prefer(NORTH, hand_by_dm=True)
    assert await post.deliver() == [("post", HAND)]
    (message,) = post.of(HAND, dm_of(NORTH))
    assert not message.calls
    await players.move(card.id, "take")
    assert ("edit", HAND) in await post.deliver()
    assert message.notice.content == await app.lookup.hand(NORTH[0], card.id)


async def test_a_channel_that_becomes_known_amid_a_match(app: Application, players: Players, post: Post) -> None:
    """Whoever opens their direct messages while a match runs has the hand at once."""
    card = await players.begin()
    await post.deliver()
    await players.reach(SOUTH)
    assert await post.deliver() == [("post", HAND)]
    (message,) = post.of(HAND, dm_of(SOUTH))
    assert message.notice.content == await app.lookup.hand(SOUTH[0], card.id)
