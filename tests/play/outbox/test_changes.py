"""The messages that change with a match, a challenge or a preference."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.model.challenges import Challenge
from bot.model.ids import MessageId, OutboxId
from bot.model.matches import MatchSummary, OwnHand, Ping, Showdown, Table
from bot.model.outbox import MessageKind
from bot.model.people import Push
from bot.play.application import Application
from bot.play.outbox.changes import CLICK_ANSWER_DELAY
from bot.play.outbox.outbox import Work
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, GUILD, NORTH, SOUTH, Players, dm_of, interaction, place, prefer

TABLE, HAND, PING = MessageKind.TABLE, MessageKind.HAND, MessageKind.PING
SHOWDOWN, END, CHALLENGE = MessageKind.SHOWDOWN, MessageKind.END, MessageKind.CHALLENGE
COMMITMENT, REMATCH = MessageKind.COMMITMENT, MessageKind.REMATCH


async def test_nothing_is_due_at_first(app: Application, courier: FakeCourier) -> None:
    """Without matches nothing is due, now or later."""
    assert await app.outbox.work() == Work()
    assert await app.outbox.current([OutboxId(1)]) == ()
    assert await courier.deliver() == []


async def test_a_challenge_is_one_message_in_its_channel(app: Application, courier: FakeCourier) -> None:
    """A challenge is posted once, before its commitment, and edited when it closes."""
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    assert await courier.deliver() == [("post", CHALLENGE), ("post", COMMITMENT)]
    await app.challenges.decline(SOUTH.id, challenge.id)
    assert await courier.deliver() == [("edit", CHALLENGE)]
    (message,) = courier.of_kind(CHALLENGE, CHANNEL)
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
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    in_channel = [("post", CHALLENGE), ("post", COMMITMENT), ("post", TABLE)]
    assert await courier.deliver() == [*in_channel, ("post", HAND), ("post", HAND)]
    (table,) = courier.of_kind(TABLE, CHANNEL)
    assert isinstance(table.shown.content, Table)
    for seat, person in enumerate(players.people):
        (hand,) = courier.of_kind(HAND, dm_of(person))
        assert isinstance(hand.shown.content, OwnHand)
        assert (hand.shown.content.view.seat, hand.shown.person_id) == (seat, person.id)
        assert hand.shown.content == await app.lookup.hand(person.id, match.id)
        assert hand.notifies == (seat == 0)
    assert courier.of_kind(PING) == []


@pytest.mark.nightly
async def test_a_ping_replaces_an_undeliverable_hand(app: Application, players: Players, courier: FakeCourier) -> None:
    """A ping replaces the hand if the person has no direct message channel or wants no hand there."""
    await players.open_dms(SOUTH)
    await prefer(app, SOUTH, hand_by_dm=False)
    await players.begin()
    await courier.deliver()
    assert courier.of_kind(HAND) == []
    (ping,) = courier.of_kind(PING, CHANNEL)
    assert isinstance(ping.shown.content, Ping)
    assert (ping.shown.content.seat, ping.shown.content.person_id, ping.shown.person_id) == (0, NORTH.id, NORTH.id)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("push", "reachable", "messaged", "pinged"),
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
async def test_a_turn_notifies_once_as_preferred(
    app: Application, players: Players, courier: FakeCourier, push: Push, reachable: bool, messaged: bool, pinged: bool
) -> None:
    """A turn notifies its player once, in the preferred way, and the ping is removed after the turn."""
    await prefer(app, SOUTH, push=push)
    await players.open_dms(NORTH, *([SOUTH] if reachable else []))
    match = await players.begin()
    await courier.deliver()
    before = {message.id for message in courier.of_kind(HAND, dm_of(SOUTH))}
    await players.move(match.id, "pass")
    await courier.deliver()
    fresh = [message for message in courier.of_kind(HAND, dm_of(SOUTH)) if message.id not in before]
    assert [message.notifies for message in fresh] == ([True] if messaged else [])
    assert len(courier.of_kind(HAND, dm_of(SOUTH))) == int(reachable)
    assert len(courier.of_kind(PING)) == int(pinged)
    count = len(courier.nonces)
    await players.move(match.id, "take")
    await courier.deliver()
    assert len(courier.nonces) == count
    await players.move(match.id, "x 2h")
    await courier.deliver()
    assert courier.of_kind(PING) == []


@pytest.mark.nightly
async def test_a_burst_of_changes_is_one_edit(app: Application, players: Players, courier: FakeCourier) -> None:
    """After several changes between deliveries the table is edited once, to the latest state."""
    match = await players.begin()
    await courier.deliver()
    await players.move(match.id, "pass", "pass", "draw", "x Qh", "draw")
    done = await courier.deliver()
    assert done.count(("edit", TABLE)) == 1
    (table,) = courier.of_kind(TABLE)
    assert table.shown.content == await app.lookup.table(match.id)


@pytest.mark.thorough
async def test_a_deal_ends_with_a_showdown_above_a_new_table(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """The showdown is a separate, permanent message, and the table is posted again below it."""
    match = await players.begin("classic target=1000")
    await players.open_dms(NORTH, SOUTH)
    await courier.deliver()
    await players.win(match.id)
    done = await courier.deliver()
    public = [delivery for delivery in done if delivery[1] in (SHOWDOWN, TABLE)]
    assert public == [("post", SHOWDOWN), ("post", TABLE), ("remove", TABLE)]
    await players.win(match.id)
    await players.win(match.id)
    await courier.deliver()
    shown = [message.shown.content for message in courier.of_kind(SHOWDOWN, CHANNEL)]
    assert [showdown.view.number for showdown in shown if isinstance(showdown, Showdown)] == [1, 2, 3]
    assert len(courier.of_kind(TABLE)) == 1
    assert len(courier.of_kind(HAND)) == 2


@pytest.mark.thorough
async def test_a_match_ends_with_its_summary(app: Application, players: Players, courier: FakeCourier) -> None:
    """One message shows the last showdown and the end, tables are removed, and hands show the end."""
    await players.open_dms(NORTH)
    match = await players.begin("classic target=10")
    await courier.deliver()
    await players.win(match.id)
    done = await courier.deliver()
    assert done == [("post", END), ("remove", TABLE), ("edit", HAND), ("post", PING)]
    (end,) = courier.of_kind(END, CHANNEL)
    assert isinstance(end.shown.content, MatchSummary)
    assert end.notifies
    assert [deal.number for deal in end.shown.content.deals] == [1]
    assert courier.of_kind(TABLE) == []
    await app.endings.rematch(NORTH.id, match.id)
    done = [("edit", END), ("edit", HAND), ("post", COMMITMENT), ("post", REMATCH), ("remove", PING)]
    assert sorted(await courier.deliver()) == done
    assert await app.outbox.work() == Work()


async def test_a_cancelled_match_removes_its_ping(app: Application, players: Players, courier: FakeCourier) -> None:
    """Cancelling a match removes the table and the ping for the current turn."""
    match = await players.begin()
    await courier.deliver()
    assert len(courier.of_kind(PING)) == 1
    await prefer(app, SOUTH, push=Push.NONE)
    await app.endings.cancel(match.id, GUILD, NORTH.id)
    await courier.deliver()
    assert (courier.of_kind(PING), courier.of_kind(TABLE)) == ([], [])
    assert len(courier.of_kind(END)) == 1


async def test_proposals_are_shown_to_both(app: Application, players: Players, courier: FakeCourier) -> None:
    """A proposal to cancel is shown on the table and in both hands, and notifies the opponent."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    await app.endings.call_off(NORTH.id, match.id)
    assert await courier.deliver() == [("edit", TABLE), ("edit", HAND), ("post", HAND), ("remove", HAND)]
    assert [message.notifies for message in courier.of_kind(HAND, dm_of(SOUTH))] == [True]


@pytest.mark.thorough
async def test_an_answered_click_needs_no_delivery(app: Application, players: Players, courier: FakeCourier) -> None:
    """The answer to a click updates the hand. The courier edits the hand only if no answer is noted in time."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (message,) = courier.of_kind(HAND, dm_of(NORTH))
    moves = (await app.lookup.hand(NORTH.id, match.id)).view.moves
    hand = await app.turns.move(NORTH.id, match.id, moves[1], interaction(), in_own_message=True)
    app.outbox.note_hand_answered(hand, message.id)
    await courier.deliver()
    assert message.edits == 0
    hand = await app.turns.move(NORTH.id, match.id, hand.view.moves[0], interaction(), in_own_message=True)
    await courier.deliver()
    assert message.edits == 0
    clock = app.clock
    assert isinstance(clock, Clock)
    clock.pass_by(CLICK_ANSWER_DELAY)
    await courier.deliver()
    assert message.edits == 1
    app.outbox.note_hand_answered(hand, message.id)
    assert await app.outbox.work() == Work()


@pytest.mark.thorough
@pytest.mark.parametrize("was_due", [False, True])
async def test_an_answer_by_another_process_needs_no_delivery(
    app: Application, players: Players, courier: FakeCourier, was_due: bool
) -> None:
    """If another process reports the answer to a click, the hand is not edited again, unless an edit was due before."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (message,) = courier.of_kind(HAND, dm_of(NORTH))
    if was_due:
        await players.move(match.id, "take")
    move = (await app.lookup.hand(NORTH.id, match.id)).view.moves[1]
    hand = await app.turns.move(NORTH.id, match.id, move, interaction(), in_own_message=True)
    app.share.grant({}, 1)
    app.outbox.note_hand_answered(hand, message.id)
    await app.outbox.record_answered()
    app.share.grant({0: app.clock()}, 1)
    clock = app.clock
    assert isinstance(clock, Clock)
    clock.pass_by(CLICK_ANSWER_DELAY)
    await courier.deliver()
    assert message.edits == was_due


@pytest.mark.nightly
async def test_an_answer_in_an_older_message_does_not_count(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """If the answer to a click updated a hand message that has been replaced, the courier updates the newer message."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (message,) = courier.of_kind(HAND, dm_of(NORTH))
    hand = await players.move(match.id, "take")
    app.outbox.note_hand_answered(hand, MessageId(message.id + 999))
    await courier.deliver()
    assert message.edits == 1


@pytest.mark.thorough
async def test_an_answer_does_not_suppress_a_turns_notification(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """If the answer to a click updates a player's hand when their turn starts, they are still notified of the turn."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    (message,) = courier.of_kind(HAND, dm_of(SOUTH))
    await players.move(match.id, "pass")
    app.outbox.note_hand_answered(await app.lookup.hand(SOUTH.id, match.id), message.id)
    await courier.deliver()
    (fresh,) = courier.of_kind(HAND, dm_of(SOUTH))
    assert fresh.id != message.id
    assert fresh.notifies


@pytest.mark.nightly
async def test_switching_hands_off_and_on(app: Application, players: Players, courier: FakeCourier) -> None:
    """Turning off hands in direct messages removes the player's hand; turning them on posts the hand silently."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    await courier.deliver()
    await prefer(app, NORTH, hand_by_dm=False)
    assert await courier.deliver() == [("remove", HAND)]
    await prefer(app, NORTH, hand_by_dm=True)
    assert await courier.deliver() == [("post", HAND)]
    (message,) = courier.of_kind(HAND, dm_of(NORTH))
    assert not message.notifies
    await players.move(match.id, "take")
    assert ("edit", HAND) in await courier.deliver()
    assert message.shown.content == await app.lookup.hand(NORTH.id, match.id)


async def test_direct_messages_opened_during_a_match(app: Application, players: Players, courier: FakeCourier) -> None:
    """If direct messages open during a match, the player's hand is sent."""
    match = await players.begin()
    await courier.deliver()
    await players.open_dms(SOUTH)
    assert await courier.deliver() == [("post", HAND)]
    (message,) = courier.of_kind(HAND, dm_of(SOUTH))
    assert message.shown.content == await app.lookup.hand(SOUTH.id, match.id)
