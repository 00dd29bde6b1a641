"""Players who did not end a match themselves get one notification of its end, in the way they prefer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.engine.deals.moves import Seat
from bot.engine.matches.match import Forfeit
from bot.model.clocks import CLAIM_TIME_WITHOUT_CLOCK
from bot.model.ids import MatchId, PersonId
from bot.model.matches import OwnHand, Ping
from bot.model.outbox import MessageKind
from bot.model.people import Push
from bot.play.application import Application
from bot.play.outbox.outbox import Failed
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import EAST, GUILD, MANAGER, NORTH, SOUTH, Players, dm_of, interaction, prefer
from tests.play.matches.times import ClockDriver

HAND, PING, END = MessageKind.HAND, MessageKind.PING, MessageKind.END

START_DELAY = timedelta(seconds=1)
"""Time to wait after a process starts, so that new messages are not mistaken for those of an earlier process."""

End = Callable[[Application, Players, Clock, MatchId], Awaitable[object]]


async def _by_a_move(_: Application, players: Players, clock: Clock, match_id: MatchId) -> None:
    await players.win(match_id)


async def _by_resigning(app: Application, players: Players, clock: Clock, match_id: MatchId) -> None:
    await app.endings.resign(SOUTH.id, match_id, interaction())


async def _by_a_claim(app: Application, players: Players, clock: Clock, match_id: MatchId) -> None:
    clock.pass_by(CLAIM_TIME_WITHOUT_CLOCK)
    await players.run_timekeeper()
    await app.endings.claim(SOUTH.id, match_id, interaction())


async def _by_agreement(app: Application, players: Players, clock: Clock, match_id: MatchId) -> None:
    await app.endings.call_off(NORTH.id, match_id)
    await app.endings.call_off(SOUTH.id, match_id)


async def _by_a_manager(app: Application, players: Players, clock: Clock, match_id: MatchId) -> None:
    await app.endings.cancel(match_id, GUILD, MANAGER)


async def _by_a_manager_who_plays(app: Application, players: Players, clock: Clock, match_id: MatchId) -> None:
    await app.endings.cancel(match_id, GUILD, NORTH.id)


async def _by_forgetting_a_player(app: Application, players: Players, clock: Clock, match_id: MatchId) -> None:
    await app.people.forget(NORTH.id)


ENDS: tuple[tuple[End, set[PersonId]], ...] = (
    (_by_a_move, {SOUTH.id}),
    (_by_resigning, {NORTH.id}),
    (_by_a_claim, {NORTH.id}),
    (_by_agreement, {NORTH.id}),
    (_by_a_manager, {NORTH.id, SOUTH.id}),
    (_by_a_manager_who_plays, {SOUTH.id}),
    (_by_forgetting_a_player, {SOUTH.id}),
)


@pytest.mark.thorough
@pytest.mark.parametrize(("end", "notified"), nightly_after(3, ENDS))
@pytest.mark.parametrize("by_dm", nightly_after(1, [True, False]))
async def test_players_who_did_not_end_a_match_are_notified_once(
    app: Application,
    players: Players,
    courier: FakeCourier,
    clock: Clock,
    end: End,
    notified: set[PersonId],
    *,
    by_dm: bool,
) -> None:
    """A new direct message or a ping notifies every player except the one who ended the match."""
    if by_dm:
        await players.open_dms(NORTH, SOUTH)
    match = await players.begin("classic target=10")
    await courier.deliver()
    before = {message.id for message in (*courier.of_kind(HAND), *courier.of_kind(PING))}
    await end(app, players, clock, match.id)
    await courier.deliver()
    notifications = [
        message
        for message in (*courier.of_kind(HAND), *courier.of_kind(PING))
        if message.id not in before and message.notifies
    ]
    assert sorted(notification.shown.person_id or 0 for notification in notifications) == sorted(notified)
    assert {notification.shown.kind for notification in notifications} == {HAND if by_dm else PING}
    for posted in notifications:
        assert isinstance(posted.shown.content, OwnHand) or (
            isinstance(posted.shown.content, Ping) and posted.shown.content.is_over
        )
    assert len(courier.of_kind(PING)) == (0 if by_dm else len(notified))
    assert len(courier.of_kind(END)) == 1


async def test_a_flag_notifies_both_players(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """If a match ends automatically because time ran out, both players are notified."""
    await Players(app).open_dms(NORTH, SOUTH)
    times = ClockDriver(app, database, clock)
    await times.begin("10m+20s flag")
    await courier.deliver()
    await times.pass_by(CLAIM_TIME_WITHOUT_CLOCK)
    await courier.deliver()
    for person in (NORTH, SOUTH):
        (hand,) = courier.of_kind(HAND, dm_of(person))
        assert hand.notifies
        assert isinstance(hand.shown.content, OwnHand)
        assert hand.shown.content.view.public.forfeit == Forfeit(Seat(0), on_time=True)


@pytest.mark.parametrize(
    ("push", "hands", "pings"),
    nightly_after(1, [(Push.BOTH, 1, 1), (Push.DM, 1, 0), (Push.CHANNEL, 0, 1), (Push.NONE, 0, 0)]),
)
async def test_the_end_is_notified_as_preferred(
    app: Application, players: Players, courier: FakeCourier, push: Push, hands: int, pings: int
) -> None:
    """Players are notified of the end by direct message, ping, both or neither, as preferred. Hands always show it."""
    await players.open_dms(NORTH, SOUTH)
    await prefer(app, SOUTH, push=push)
    match = await players.begin("classic target=10")
    await courier.deliver()
    (before,) = courier.of_kind(HAND, dm_of(SOUTH))
    await players.win(match.id)
    done = await courier.deliver()
    (after,) = courier.of_kind(HAND, dm_of(SOUTH))
    assert (after.id != before.id, after.notifies, len(courier.of_kind(PING))) == (bool(hands), bool(hands), pings)
    assert after.shown.content == await app.lookup.hand(SOUTH.id, match.id)
    # A player who prefers direct messages is notified by a new post of the hand, which replaces the previous one.
    assert [kind for kind in done if kind[1] in (HAND, PING)].count(("post", HAND)) == hands
    assert done.count(("post", PING)) == pings


async def test_the_end_is_notified_once_across_restarts(
    app: Application, database: Database, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """Players are notified of the end once, even if the process crashes before, during or after the delivery."""
    await players.open_dms(NORTH)
    match = await players.begin("classic target=10")
    await courier.deliver()
    posts = len(courier.nonces)
    await app.endings.resign(SOUTH.id, match.id, interaction())
    for lost in ("before", "unrecorded", "after"):
        restarted = Application(database, shuffler=RiggedShuffler(), clock=clock)
        courier.app = restarted
        for message in await courier.due() if lost == "unrecorded" else ():
            courier.send(message)
        if lost == "after":
            await courier.deliver()
    courier.app = Application(database, shuffler=RiggedShuffler(), clock=clock)
    assert await courier.deliver() == []
    (hand,) = courier.of_kind(HAND)
    assert (hand.channel_id, hand.notifies, hand.shown.person_id) == (dm_of(NORTH), True, NORTH.id)
    # The two posts are the hand (by direct message) and the score sheet (in the channel).
    assert len(courier.nonces) == posts + 2


async def test_closed_direct_messages_at_the_end_become_a_ping(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """If direct messages are closed, the player is notified of the end by a ping."""
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin("classic target=10")
    await courier.deliver()
    await players.win(match.id)
    (refused,) = [message for message in await courier.due() if message.kind is HAND and message.person_id == SOUTH.id]
    await app.outbox.save_dm_refused(SOUTH.id, refused.id)
    await courier.deliver()
    (ping,) = courier.of_kind(PING)
    assert isinstance(ping.shown.content, Ping)
    assert (ping.shown.person_id, ping.shown.content.is_over) == (SOUTH.id, True)


async def test_ending_a_match_before_the_first_delivery(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """A player who ends a match before the hand for their turn was posted gets no hand; the opponent gets theirs."""
    clock.pass_by(START_DELAY)
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin("classic target=10")
    await app.endings.resign(NORTH.id, match.id, interaction())
    await courier.deliver()
    (hand,) = courier.of_kind(HAND)
    assert (hand.channel_id, hand.notifies) == (dm_of(SOUTH), True)
    assert courier.of_kind(PING) == []


@pytest.mark.parametrize("fate", nightly_after(1, ["killed", "failed before", "failed after"]))
@pytest.mark.parametrize("moves", [(), pytest.param(("pass", "pass"), marks=pytest.mark.thorough)])
async def test_ending_a_match_after_an_unrecorded_post(
    app: Application,
    database: Database,
    players: Players,
    courier: FakeCourier,
    clock: Clock,
    moves: tuple[str, ...],
    fate: str,
) -> None:
    """If a hand was posted but Discord's response was lost, that hand shows the end, and no second one is posted."""
    clock.pass_by(START_DELAY)
    await players.open_dms(NORTH)
    match = await players.begin("classic target=10")
    if moves:
        await courier.deliver()
        await players.move(match.id, *moves)
    (hand,) = [message for message in await courier.due() if message.kind is HAND]
    courier.send(replace(hand, posted=None))
    failed = Failed(hand, "no answer", timedelta())
    if fate == "failed before":
        await app.outbox.record([failed])
    if fate == "killed":
        clock.pass_by(START_DELAY)
        app = courier.app = Application(database, shuffler=RiggedShuffler(), clock=clock)
    await app.endings.resign(NORTH.id, match.id, interaction())
    if fate == "failed after":
        await app.outbox.record([failed])
    await courier.deliver()
    (left,) = courier.of_kind(HAND)
    assert left.shown.content == await app.lookup.hand(NORTH.id, match.id)
    assert ("post", HAND) not in courier.log


@pytest.mark.thorough
async def test_all_but_the_last_to_agree_are_notified(app: Application, courier: FakeCourier) -> None:
    """Of three who call off a match, the two who agreed first are notified of the end."""
    players = Players(app, (NORTH, SOUTH, EAST))
    await players.open_dms(*players.people)
    match = await players.begin("rotation")
    for person in (NORTH, SOUTH):
        await app.endings.call_off(person.id, match.id)
    await courier.deliver()
    before = {message.id for message in courier.of_kind(HAND)}
    await app.endings.call_off(EAST.id, match.id)
    await courier.deliver()
    fresh = [message for message in courier.of_kind(HAND) if message.id not in before]
    assert sorted(message.shown.person_id or 0 for message in fresh) == [NORTH.id, SOUTH.id]
    assert all(message.notifies for message in fresh)
