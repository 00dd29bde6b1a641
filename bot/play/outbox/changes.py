"""Requests for messages, saved in the transaction that changes a match, a challenge or a preference.

Each row describes the wanted state of one message, so a burst of changes becomes one edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.engine.moves import Seat
from bot.play.loading.loaded_match import LoadedMatch, hand_channel
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import matches, outbox
from bot.store.rows import OutboxRow, PersonRow, WantedMessage
from bot.values.challenges import Challenge
from bot.values.ids import ChainId, GuildId, PersonId
from bot.values.matches import MatchInfo
from bot.values.outbox import MessageKind, Posted
from bot.values.people import Push

ANSWERED_WITHIN: Final = timedelta(seconds=5)
"""Delay before the courier updates a clicked hand message. Usually, the answer to the click updates it first."""


COMMITTED_WITHIN: Final = timedelta(seconds=2)
"""Maximum delay of a challenge while its commitment is being posted."""


@dataclass(frozen=True, slots=True)
class Change:
    """The part of a change of a match that matters for its messages."""

    boards: tuple[int, ...] | None = None
    """The boards that look different; None for all of them."""
    turn_began: tuple[Seat, ...] = ()
    """The seats whose turn begins."""
    ended_deals: tuple[int, ...] = ()
    """The numbers of deals that ended, in order of ending."""
    clicked_by: Seat | None = None
    """The seat whose own hand message was clicked."""
    called: tuple[Seat, ...] = ()
    """The seats to notify although it is not their turn: a clock has run out, or the match is over."""
    repost_table: bool = False
    """True if the tables should be posted again rather than edited, as at the end of a deal."""
    asks: frozenset[PersonId] | None = None
    """The people to notify of a proposal or of the question about a vacant seat.

    None if no question was asked, answered or withdrawn."""


def where_posted(row: OutboxRow) -> Posted | None:
    """Return the location of a message; None if it is not posted."""
    if row.channel_id is None or row.message_id is None:
        return None
    return Posted(row.channel_id, row.message_id)


async def enqueue_match(unit: UnitOfWork, loaded: LoadedMatch, change: Change) -> None:
    """Request all messages that a change of a match requires. `loaded` is the match after the change."""
    vacant = loaded.info.vacant_seat
    # A question about a vacant seat stays until it is answered, regardless of other changes.
    asks, asked = change.asks or frozenset(), () if change.asks is None and vacant is None else loaded.asked
    told = tuple(seat for seat in asked if loaded.info.players[seat].id in asks)
    wanted = list(_wanted(loaded, change, told, unit.now))
    pinged = [Seat(one.part) for one in wanted if one.kind is MessageKind.PING]
    kept = (*asked, *pinged) if vacant is None else (*asked, *pinged, vacant)
    await outbox.want(unit.transaction, [*wanted, *_pings_done_with(loaded, kept, unit.now)])
    # Computers move immediately. Their moves will request the delivery.
    if not (loaded.info.practice and loaded.computers_to_act):
        unit.couriers_called.add(loaded.info.guild_id)


async def enqueue_hands(unit: UnitOfWork, person_id: PersonId) -> None:
    """Request a person's hands if they go by direct message; otherwise request their removal."""
    running = await matches.running_of(unit.transaction, person_id)
    await matches.lock(unit.transaction, [row.info.id for row in running])
    for row in running:
        seat = next(seat for seat in row.seats if seat.person is not None and seat.person.id == person_id)
        await matches.revise(unit.transaction, row.info.id)
        revised = replace(row.info, revision=row.info.revision + 1)
        if hand_channel(seat.person) is not None:
            await outbox.want(unit.transaction, [_want(revised, MessageKind.HAND, unit.now, seat.seat)])
        else:
            await outbox.want_removed(unit.transaction, revised, MessageKind.HAND, seat.seat, unit.now)
        unit.couriers_called.add(row.info.guild_id)


async def enqueue_lost_seat(unit: UnitOfWork, loaded: LoadedMatch, seat: Seat) -> None:
    """Update the hand message of a player, if it exists, to say that a computer took over their seat."""
    message = await outbox.find(unit.transaction, MessageKind.HAND, loaded.info.id, seat)
    if message is not None and not message.removed:
        await outbox.want(unit.transaction, [_want(loaded.info, MessageKind.HAND, unit.now, seat)])


async def enqueue_pings(unit: UnitOfWork, person_id: PersonId) -> None:
    """Request a ping to a person in each running match that waits for them. See `enqueue_ping`."""
    for loaded in await unit.restore_readable(await matches.running_of(unit.transaction, person_id)):
        await enqueue_ping(unit, loaded, person_id)


async def enqueue_reminder(unit: UnitOfWork, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
    """Remind a player through their usual channels that it is their turn: one message covers all their matches.

    Return the match with its new revision.
    """
    person = loaded.row.seats[seat].person
    if person is None:
        return loaded
    by_dm, push = hand_channel(person) is not None, person.preferences.push
    if by_dm and push in (Push.DM, Push.BOTH):
        await outbox.want_again(unit.transaction, MessageKind.REMINDER, person.id, unit.now)
    if _is_pinged(person, by_dm=by_dm):
        await matches.revise(unit.transaction, loaded.info.id)
        info = replace(loaded.info, revision=loaded.info.revision + 1)
        loaded = replace(loaded, row=replace(loaded.row, info=info))
        await outbox.want(unit.transaction, [_want(info, MessageKind.PING, unit.now, seat, repost=True)])
    unit.couriers_called.update((None, loaded.info.guild_id))
    return loaded


async def withdraw_reminders(unit: UnitOfWork, was: LoadedMatch, seats: Iterable[Seat]) -> None:
    """Remove a match from the reminders of players who were reminded of their turns in it."""
    for seat in seats:
        row = was.row.seats[seat]
        if row.reminded_at is not None and row.person is not None:
            await outbox.want_edited(unit.transaction, MessageKind.REMINDER, row.person.id, unit.now)
            unit.couriers_called.add(None)


async def update_reminder(unit: UnitOfWork, loaded: LoadedMatch, seat: Seat) -> None:
    """Request an update of the reminders of a turn, because they show the remaining time and it has changed."""
    row = loaded.row.seats[seat]
    if row.reminded_at is not None and row.person is not None:
        await outbox.want_edited(unit.transaction, MessageKind.REMINDER, row.person.id, unit.now)
        if row.pinged:
            await outbox.want(unit.transaction, [_want(loaded.info, MessageKind.PING, unit.now, seat)])
        unit.couriers_called.update((None, loaded.info.guild_id))


async def enqueue_ping(unit: UnitOfWork, loaded: LoadedMatch, person_id: PersonId, *, called: bool = False) -> None:
    """Request a ping to a player if it is their turn, an offer waits for them, or they may call the match off.

    With `called`, request it in any case.
    """
    seat = loaded.seat_of(person_id)
    if called or seat in (*loaded.to_act, *loaded.asked) or loaded.may_call_off(seat, unit.now):
        await outbox.want(unit.transaction, [_want(loaded.info, MessageKind.PING, unit.now, seat, repost=True)])
        unit.couriers_called.add(loaded.info.guild_id)


async def enqueue_challenge(
    unit: UnitOfWork, challenge: Challenge, *, repost: bool = False, committed: bool = False
) -> None:
    """Request a challenge's message. Posting it again notifies the named people.

    If the challenge was just `committed`, its message follows the commitment, so that people see that before they
    accept.
    """
    due_at = unit.now + COMMITTED_WITHIN if committed else unit.now
    await outbox.want(unit.transaction, [_want(challenge, MessageKind.CHALLENGE, due_at, repost=repost)])
    unit.couriers_called.add(challenge.guild_id)


async def enqueue_commitment(unit: UnitOfWork, chain_id: ChainId, guild_id: GuildId | None) -> None:
    """Request the message with the commitment of a chain. It is posted once and never changes."""
    commitment = MessageKind.COMMITMENT
    await outbox.want(unit.transaction, [WantedMessage(commitment, chain_id, 0, guild_id, 1, 0, False, unit.now)])
    unit.couriers_called.add(guild_id)


async def discard_challenge(unit: UnitOfWork, challenge: Challenge) -> None:
    """Request the deletion of a removed challenge's message."""
    message = await outbox.find(unit.transaction, MessageKind.CHALLENGE, challenge.id)
    if message is None:
        return
    if (posted := where_posted(message)) is not None:
        await outbox.add_stale(unit.transaction, challenge.guild_id, posted, unit.now)
    await outbox.remove(unit.transaction, message.id)
    unit.couriers_called.add(challenge.guild_id)


async def discard_reminder(unit: UnitOfWork, person_id: PersonId) -> None:
    """Request the deletion of the reminder and its row for a person who is being forgotten."""
    message = await outbox.find(unit.transaction, MessageKind.REMINDER, person_id)
    if message is None:
        return
    if where_posted(message) is None:
        await outbox.remove(unit.transaction, message.id)
    else:
        await outbox.want_edited(unit.transaction, MessageKind.REMINDER, person_id, unit.now)
    unit.couriers_called.add(None)


def _wanted(loaded: LoadedMatch, change: Change, asked: tuple[Seat, ...], now: datetime) -> Iterator[WantedMessage]:
    match, all_boards = loaded.info, range(1, loaded.state.format.boards + 1)
    boards = all_boards if change.boards is None or not loaded.running else change.boards
    if not match.practice:
        yield from _wanted_in_channel(loaded, change, boards, now)
    for seat in loaded.row.seats:
        person, called = seat.person, seat.seat in (*change.turn_began, *change.called, *asked)
        if person is None or loaded.state.deal_of(Seat(seat.seat)).board not in boards:
            continue
        by_dm, push = hand_channel(person) is not None, person.preferences.push
        # Computers move immediately, so a player whose opponents are all computers is watching.
        called = called and not match.is_alone(Seat(seat.seat))
        if by_dm:
            # A new direct message notifies the person of their turn. An edited one does not.
            repost = called and push in (Push.DM, Push.BOTH)
            answered = change.clicked_by == seat.seat and not repost
            due_at = now + ANSWERED_WITHIN if answered else now
            yield _want(match, MessageKind.HAND, due_at, seat.seat, repost=repost)
        # A ping notifies them by choice, or because direct messages do not reach them.
        if called and _is_pinged(person, by_dm=by_dm):
            yield _want(match, MessageKind.PING, now, seat.seat, repost=True)
        elif seat.pinged and change.asks is not None and seat.seat in (*loaded.to_act, *loaded.asked):
            # The ping shows the proposal, with buttons to answer.
            yield _want(match, MessageKind.PING, now, seat.seat)


def _is_pinged(person: PersonRow, *, by_dm: bool) -> bool:
    push = person.preferences.push
    return push in (Push.CHANNEL, Push.BOTH) or (push is Push.DM and not by_dm)


def _wanted_in_channel(
    loaded: LoadedMatch, change: Change, boards: Iterable[int], now: datetime
) -> Iterator[WantedMessage]:
    match = loaded.info
    for place in change.ended_deals:
        yield _want(match, MessageKind.SHOWDOWN, now, place, repost=True)
    if not loaded.running:
        yield _want(match, MessageKind.END, now)
    for board in boards:
        repost = loaded.running and (bool(change.ended_deals) or change.repost_table)
        table = _want(match, MessageKind.TABLE, now, board - 1, repost=repost)
        yield table if loaded.running else replace(table, removed=True)


def _pings_done_with(loaded: LoadedMatch, kept: tuple[Seat, ...], now: datetime) -> Iterator[WantedMessage]:
    """Yield the removal of pings to players whose turn it is not, except those in `kept`."""
    for seat in loaded.row.seats:
        if seat.pinged and seat.seat not in (*loaded.to_act, *kept):
            yield replace(_want(loaded.info, MessageKind.PING, now, seat.seat), removed=True)


def _want(
    subject: MatchInfo | Challenge, kind: MessageKind, due_at: datetime, part: int = 0, *, repost: bool = False
) -> WantedMessage:
    revision, reposted = subject.revision, subject.revision if repost else 0
    return WantedMessage(kind, subject.id, part, subject.guild_id, revision, reposted, removed=False, due_at=due_at)
