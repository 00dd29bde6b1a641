"""The messages that change with a match, a challenge or a preference."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.play.application import Application
from bot.play.outbox.changes import ANSWERED_WITHIN
from bot.play.outbox.outbox import Work
from bot.values.challenges import Challenge
from bot.values.ids import MessageId, OutboxId
from bot.values.matches import MatchSummary, OwnHand, Ping, Showdown, Table
from bot.values.outbox import MessageKind
from bot.values.people import Push
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, GUILD, NORTH, SOUTH, Players, dm_of, interaction, place, prefer

TABLE, HAND, PING = MessageKind.TABLE, MessageKind.HAND, MessageKind.PING
SHOWDOWN, END, CHALLENGE = MessageKind.SHOWDOWN, MessageKind.END, MessageKind.CHALLENGE
COMMITMENT = MessageKind.COMMITMENT


async def test_nothing_is_due_at_first(app: Application, courier: FakeCourier) -> None:
    """Without matches nothing is due, now or later."""
    assert await app.outbox.work() == Work()
    assert await app.outbox.current(OutboxId(1)) is None
    assert await courier.deliver() == []


async def test_a_challenge_is_one_message_in_its_channel(app: Application, courier: FakeCourier) -> None:
    """A challenge is posted once, after its commitment, and edited when it closes."""
    made = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    assert await courier.deliver() == [("post", COMMITMENT), ("post", CHALLENGE)]
    await app.challenges.decline(SOUTH.id, made.id)
    assert await courier.deliver() == [("edit", CHALLENGE)]
    (message,) = courier.of(CHALLENGE, CHANNEL)
    assert isinstance(message.shown.content, Challenge)
    assert message.shown.content.status == "declined"
    assert message.notifies


async def test_an_expired_challenge_is_brought_up_to_date(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """The message of an expired challenge is edited, not posted again."""
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
    """The table is posted in the channel, the hands by direct message, and only the player to move is notified."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    in_channel = [("post", COMMITMENT), ("post", CHALLENGE), ("post", TABLE)]
    assert await courier.deliver() == [*in_channel, ("post", HAND), ("post", HAND)]
    (table,) = courier.of(TABLE, CHANNEL)
    assert isinstance(table.shown.content, Table)
    for seat, person in enumerate(players.people):
        (hand,) = courier.of(HAND, dm_of(person))
        assert isinstance(hand.shown.content, OwnHand)
        assert (hand.shown.content.view.seat, hand.shown.person_id) == (seat, person.id)
        assert hand.shown.content == await app.lookup.hand(person.id, match.id)
        assert hand.notifies == (seat == 0)
    assert courier.of(PING) == []


@pytest.mark.nightly
async def test_hands_go_only_where_direct_messages_do(app: Application, players: Players, courier: FakeCourier) -> None:
    """A ping replaces the hand if the person has no direct message channel or wants no hand there."""
    await players.reach(SOUTH)
    await prefer(app, SOUTH, hand_by_dm=False)
    await players.begin()
    await courier.deliver()
    assert courier.of(HAND) == []
    (ping,) = courier.of(PING, CHANNEL)
    assert isinstance(ping.shown.content, Ping)
    assert (ping.shown.content.seat, ping.shown.content.person_id, ping.shown.person_id) == (0, NORTH.id, NORTH.id)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("push", "reachable", "called", "pinged"),
    nightly_after(
        2,
        [
            (Push.BOTH, True, True, True),
            (Push.DM, False, False, True),
            (Push.DM, True, True, False),
            (Push.CHANNEL, True, False, True),
            (Push.CHANNEL, False, False, True),
            (Push.BOTH, False, False, True),
            (Push.NONE, True, False, False),
            (Push.NONE, False, False, False),
        ],
    ),
)
async def test_one_notification_a_turn_as_chosen(
    app: Application, players: Players, courier: FakeCourier, push: Push, reachable: bool, called: bool, pinged: bool
) -> None:
    """A turn notifies its player once, in the preferred way, and the ping is removed after the turn."""
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


@pytest.mark.nightly
async def test_a_burst_of_changes_is_one_edit(app: Application, players: Players, courier: FakeCourier) -> None:
    """After several changes between deliveries the table is edited once, to the latest state."""
    match = await players.begin()
    await courier.deliver()
    await players.move(match.id, "pass", "pass", "draw", "x Qh", "draw")
    done = await courier.deliver()
    assert done.count(("edit", TABLE)) == 1
    (table,) = courier.of(TABLE)
    assert table.shown.content == await app.lookup.table(match.id)


@pytest.mark.thorough
async def test_a_deal_ends_with_a_showdown_above_a_new_table(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """The showdown is a separate, permanent message, and the table is posted again below it."""
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


@pytest.mark.thorough
async def test_a_match_ends_with_its_summary(app: Application, players: Players, courier: FakeCourier) -> None:
    """After the last showdown the summary is posted, tables are removed, and hands show the end."""
    await players.reach(NORTH)
    match = await players.begin("classic target=10")
    await courier.deliver()
    await players.win(match.id)
    done = await courier.deliver()
    assert done == [("post", SHOWDOWN), ("post", END), ("remove", TABLE), ("edit", HAND), ("post", PING)]
    (end,) = courier.of(END, CHANNEL)
    assert isinstance(end.shown.content, MatchSummary)
    assert end.notifies
    assert [deal.number for deal in end.shown.content.deals] == [1]
    assert courier.of(TABLE) == []
    await app.endings.rematch(NORTH.id, match.id)
    done = [("edit", END), ("edit", HAND), ("post", COMMITMENT), ("post", PING), ("remove", PING)]
    assert sorted(await courier.deliver()) == done
    assert await app.outbox.work() == Work()


async def test_a_cancelled_match_removes_its_ping(app: Application, players: Players, courier: FakeCourier) -> None:
    """Cancelling a match removes the table and the ping for the current turn."""
    match = await players.begin()
    await courier.deliver()
    assert len(courier.of(PING)) == 1
    await prefer(app, SOUTH, push=Push.NONE)
    await app.endings.cancel(match.id, GUILD, NORTH.id)
    await courier.deliver()
    assert (courier.of(PING), courier.of(TABLE)) == ([], [])
    assert len(courier.of(END)) == 1


async def test_proposals_are_shown_to_both(app: Application, players: Players, courier: FakeCourier) -> None:
    """A proposal to cancel is shown on the table and in both hands, and notifies the opponent."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    await app.endings.call_off(NORTH.id, match.id)
    assert await courier.deliver() == [("edit", TABLE), ("edit", HAND), ("post", HAND), ("remove", HAND)]
    assert [message.notifies for message in courier.of(HAND, dm_of(SOUTH))] == [True]


@pytest.mark.thorough
async def test_a_click_on_ones_own_message_needs_no_delivery(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """If a click's answer updates the hand, the courier does not, unless no answer is reported in time."""
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
    assert await app.outbox.work() == Work()


@pytest.mark.thorough
@pytest.mark.parametrize("was_due", [False, True])
async def test_a_click_that_reached_another_process_needs_no_delivery(
    app: Application, players: Players, courier: FakeCourier, was_due: bool
) -> None:
    """A reported answer needs no delivery in another process either, unless a change was already due."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (message,) = courier.of(HAND, dm_of(NORTH))
    if was_due:
        await players.move(match.id, "take")
    move = (await app.lookup.hand(NORTH.id, match.id)).view.moves[1]
    hand = await app.turns.move(NORTH.id, match.id, move, interaction(), in_own_message=True)
    app.share.grant({}, 1)
    await app.outbox.hand_answered(hand, message.id)
    await app.outbox.record()
    app.share.grant({0: app.clock()}, 1)
    clock = app.clock
    assert isinstance(clock, Clock)
    clock.pass_by(ANSWERED_WITHIN)
    await courier.deliver()
    assert message.edits == was_due


@pytest.mark.nightly
async def test_an_answer_in_an_older_message_does_not_count(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """An answer in a replaced hand message does not count, so the courier updates the newer message."""
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (message,) = courier.of(HAND, dm_of(NORTH))
    hand = await players.move(match.id, "take")
    await app.outbox.hand_answered(hand, MessageId(message.id + 999))
    await courier.deliver()
    assert message.edits == 1


@pytest.mark.thorough
async def test_a_new_turn_is_not_swallowed_by_an_answer(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """An answer at the start of the person's turn does not suppress the notification."""
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


@pytest.mark.nightly
async def test_switching_hands_off_and_on(app: Application, players: Players, courier: FakeCourier) -> None:
    """Switching hands off removes the message; switching them on posts it again silently and keeps it updated."""
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


async def test_direct_messages_opened_during_a_match(app: Application, players: Players, courier: FakeCourier) -> None:
    """The hand is sent as soon as direct messages work."""
    match = await players.begin()
    await courier.deliver()
    await players.reach(SOUTH)
    assert await courier.deliver() == [("post", HAND)]
    (message,) = courier.of(HAND, dm_of(SOUTH))
    assert message.shown.content == await app.lookup.hand(SOUTH.id, match.id)
