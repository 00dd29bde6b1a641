"""What the outbox asks for after each change, and that it stops asking once it is told of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.play.application import Application
from bot.play.outbox.changes import ANSWERED_WITHIN
from bot.values.challenges import Challenge
from bot.values.ids import MessageId, OutboxId
from bot.values.matches import MatchSummary, OwnHand, Ping, Showdown, Table
from bot.values.outbox import MessageKind
from bot.values.people import Push
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, GUILD, NORTH, SOUTH, Players, dm_of, interaction, place, prefer

TABLE, HAND, PING = MessageKind.TABLE, MessageKind.HAND, MessageKind.PING
SHOWDOWN, END, CHALLENGE = MessageKind.SHOWDOWN, MessageKind.END, MessageKind.CHALLENGE


async def test_nothing_is_due_in_an_empty_house(app: Application, courier: FakeCourier) -> None:
    """Without matches there is nothing to deliver, now or later."""
    assert await app.outbox.due((), 64) == ()
    assert await app.outbox.next_due() is None
    assert await app.outbox.current(OutboxId(1)) is None
    assert await courier.deliver() == []


async def test_a_challenge_is_one_message_in_its_channel(app: Application, courier: FakeCourier) -> None:
    """It is posted once, and edited when it is settled; a settled one that nobody saw is posted as it is then."""
    made = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    assert await courier.deliver() == [("post", CHALLENGE)]
    await app.challenges.decline(SOUTH.id, made.id)
    assert await courier.deliver() == [("edit", CHALLENGE)]
    (message,) = courier.of(CHALLENGE, CHANNEL)
    assert isinstance(message.shown.content, Challenge)
    assert message.shown.content.status == "declined"
    assert message.notifies


async def test_an_expired_challenge_is_brought_up_to_date(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """A day later the same message says that it expired: an old challenge is edited, not posted anew."""
    await app.challenges.issue(NORTH, [], place(), interaction())
    await courier.deliver()
    clock.pass_by(timedelta(days=1))
    await app.challenges.expire()
    assert await courier.deliver() == [("edit", CHALLENGE)]
    await app.challenges.expire()
    assert await courier.deliver() == []


async def test_a_match_begins_with_its_table_and_hands(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """The table in the channel, both hands by direct message, and a notification for who is to act alone."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    assert await courier.deliver() == [("post", CHALLENGE), ("post", TABLE), ("post", HAND), ("post", HAND)]
    (table,) = courier.of(TABLE, CHANNEL)
    assert isinstance(table.shown.content, Table)
    for seat, person in enumerate(players.people):
        (hand,) = courier.of(HAND, dm_of(person))
        assert isinstance(hand.shown.content, OwnHand)
        assert (hand.shown.content.view.seat, hand.shown.person_id) == (seat, person.id)
        assert hand.shown.content == await app.lookup.hand(person.id, match.id)
        assert hand.notifies == (seat == 0)
    assert courier.of(PING) == []


@pytest.mark.slow
async def test_hands_go_only_where_direct_messages_do(app: Application, players: Players, courier: FakeCourier) -> None:
    """Without a direct message channel, or against the person's wish, there is no hand message but a ping in turn."""
    await players.reach(SOUTH)
    await prefer(app, SOUTH, hand_by_dm=False)
    await players.begin()
    await courier.deliver()
    assert courier.of(HAND) == []
    (ping,) = courier.of(PING, CHANNEL)
    assert isinstance(ping.shown.content, Ping)
    assert (ping.shown.content.seat, ping.shown.content.person_id, ping.shown.person_id) == (0, NORTH.id, NORTH.id)


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
    app: Application, players: Players, courier: FakeCourier, push: Push, reachable: bool, called: bool, pinged: bool
) -> None:
    """When a turn begins the person hears of it as they chose, and not again within the turn; then the ping goes."""
    await prefer(app, SOUTH, push=push)
    await players.reach(NORTH, *([SOUTH] if reachable else []))
    match = await players.begin()
    await courier.deliver()
    before = {message.id for message in courier.of(HAND, dm_of(SOUTH))}
    await players.move(match.id, "pass")
    await courier.deliver()
    fresh = [one for one in courier.of(HAND, dm_of(SOUTH)) if one.id not in before]
    assert [one.notifies for one in fresh] == ([True] if called else [])
    assert len(courier.of(HAND, dm_of(SOUTH))) == int(reachable)
    assert len(courier.of(PING)) == int(pinged)
    count = len(courier.nonces)
    await players.move(match.id, "take")
    await courier.deliver()
    assert len(courier.nonces) == count
    await players.move(match.id, "x 2h")
    await courier.deliver()
    assert courier.of(PING) == []


async def test_a_burst_of_changes_is_one_edit(app: Application, players: Players, courier: FakeCourier) -> None:
    """However much happens between two rounds, the table is edited once, to the newest state."""
    match = await players.begin()
    await courier.deliver()
    await players.move(match.id, "pass", "pass", "draw", "x Qh", "draw")
    done = await courier.deliver()
    assert done.count(("edit", TABLE)) == 1
    (table,) = courier.of(TABLE)
    assert table.shown.content == await app.lookup.table(match.id)


async def test_a_deal_ends_with_its_showdown_above_a_fresh_table(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """The showdown is a lasting post of its own, the table comes afresh below it, and every showdown stays."""
    match = await players.begin("classic target=1000")
    await players.reach(NORTH, SOUTH)
    await courier.deliver()
    await players.win(match.id)
    done = await courier.deliver()
    public = [one for one in done if one[1] in (SHOWDOWN, TABLE)]
    assert public == [("post", SHOWDOWN), ("post", TABLE), ("remove", TABLE)]
    await players.win(match.id)
    await players.win(match.id)
    await courier.deliver()
    shown = [one.shown.content for one in courier.of(SHOWDOWN, CHANNEL)]
    assert [one.view.number for one in shown if isinstance(one, Showdown)] == [1, 2, 3]
    assert len(courier.of(TABLE)) == 1
    assert len(courier.of(HAND)) == 2


async def test_a_match_ends_with_its_sheet(app: Application, players: Players, courier: FakeCourier) -> None:
    """The last showdown, then the end; the table and pings go, hands say that it is over, and nothing is left to do."""
    await players.reach(NORTH)
    match = await players.begin("classic target=10")
    await courier.deliver()
    await players.win(match.id)
    done = await courier.deliver()
    assert done == [("post", SHOWDOWN), ("post", END), ("remove", TABLE), ("edit", HAND)]
    (end,) = courier.of(END, CHANNEL)
    assert isinstance(end.shown.content, MatchSummary)
    assert end.notifies
    assert [deal.number for deal in end.shown.content.deals] == [1]
    assert (courier.of(TABLE), courier.of(PING)) == ([], [])
    await app.endings.rematch(NORTH.id, match.id)
    assert sorted(await courier.deliver()) == [("edit", END), ("edit", HAND), ("post", PING)]
    assert await app.outbox.next_due() is None


async def test_a_match_called_off_takes_its_ping_with_it(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """Cancelled amid a turn, the call to whoever was to act is removed, as is the table."""
    match = await players.begin()
    await courier.deliver()
    assert len(courier.of(PING)) == 1
    await app.endings.cancel(match.id, GUILD)
    await courier.deliver()
    assert (courier.of(PING), courier.of(TABLE)) == ([], [])
    assert len(courier.of(END)) == 1


async def test_proposals_are_shown_to_both(app: Application, players: Players, courier: FakeCourier) -> None:
    """An offer to call the match off reaches the table and both hands, and notifies the one who is asked."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    await app.endings.call_off(NORTH.id, match.id)
    assert await courier.deliver() == [("edit", TABLE), ("edit", HAND), ("post", HAND), ("remove", HAND)]
    assert [message.notifies for message in courier.of(HAND, dm_of(SOUTH))] == [True]


async def test_a_click_on_ones_own_message_needs_no_delivery(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """The answer shows the hand, so the courier leaves it; only if nobody says that it was shown does it follow."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (message,) = courier.of(HAND, dm_of(NORTH))
    moves = (await app.lookup.hand(NORTH.id, match.id)).view.moves
    hand = await app.turns.move(NORTH.id, match.id, moves[1], interaction(), in_own_message=True)
    await app.outbox.hand_answered(hand, message.id)
    await courier.deliver()
    assert message.edits == 0
    hand = await app.turns.move(NORTH.id, match.id, hand.view.moves[0], interaction(), in_own_message=True)
    await courier.deliver()
    assert message.edits == 0
    clock = app.clock
    assert isinstance(clock, Clock)
    clock.pass_by(ANSWERED_WITHIN)
    await courier.deliver()
    assert message.edits == 1
    await app.outbox.hand_answered(hand, message.id)
    assert await app.outbox.next_due() is None


async def test_an_answer_in_an_older_message_does_not_count(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """A click on a hand message that a newer one replaced leaves the newer one to the courier."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (message,) = courier.of(HAND, dm_of(NORTH))
    hand = await players.move(match.id, "take")
    await app.outbox.hand_answered(hand, MessageId(message.id + 999))
    await courier.deliver()
    assert message.edits == 1


async def test_a_new_turn_is_not_swallowed_by_an_answer(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """A click answered in the old message, just when the person's turn begins, does not keep the call from them."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (message,) = courier.of(HAND, dm_of(SOUTH))
    await players.move(match.id, "pass")
    await app.outbox.hand_answered(await app.lookup.hand(SOUTH.id, match.id), message.id)
    await courier.deliver()
    (fresh,) = courier.of(HAND, dm_of(SOUTH))
    assert fresh.id != message.id
    assert fresh.notifies


async def test_switching_hands_off_and_on(app: Application, players: Players, courier: FakeCourier) -> None:
    """Off takes the message back; on brings it again at once, quietly, and the next change is not lost."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    await prefer(app, NORTH, hand_by_dm=False)
    assert await courier.deliver() == [("remove", HAND)]
    await prefer(app, NORTH, hand_by_dm=True)
    assert await courier.deliver() == [("post", HAND)]
    (message,) = courier.of(HAND, dm_of(NORTH))
    assert not message.notifies
    await players.move(match.id, "take")
    assert ("edit", HAND) in await courier.deliver()
    assert message.shown.content == await app.lookup.hand(NORTH.id, match.id)


async def test_a_channel_that_becomes_known_amid_a_match(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """Whoever opens their direct messages while a match runs has the hand at once."""
    match = await players.begin()
    await courier.deliver()
    await players.reach(SOUTH)
    assert await courier.deliver() == [("post", HAND)]
    (message,) = courier.of(HAND, dm_of(SOUTH))
    assert message.shown.content == await app.lookup.hand(SOUTH.id, match.id)
