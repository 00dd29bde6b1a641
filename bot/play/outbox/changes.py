"""Requests for messages, made in the transaction that changes a match, a challenge or a preference.

Each row describes one message as it should be, so a burst of changes becomes one edit to the newest state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.engine.moves import Seat
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import matches, outbox, stale_messages
from bot.store.outbox import WantedMessage
from bot.store.rows import ChallengeRow, MatchRow, PersonRow
from bot.values.ids import PersonId
from bot.values.outbox import MessageKind, Posted
from bot.values.people import Push

ANSWERED_WITHIN: Final = timedelta(seconds=5)
"""A click on a person's own hand message is answered by updating it. The courier only does so if that fails."""


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to a match, as far as its messages are concerned."""

    boards: tuple[int, ...] | None = None
    """The boards that look different; None for all of them."""
    turn_began: tuple[Seat, ...] = ()
    """The seats whose turn begins."""
    ended_deals: tuple[int, ...] = ()
    """The places, in the order of ending, of deals that ended."""
    clicked_by: Seat | None = None
    """The seat whose own hand message the change came from."""
    repost_table: bool = False
    """Whether to post the tables again rather than edit them, as at the end of a deal."""
    proposed: bool = False
    """Whether a seat proposes something that the others are asked to agree to."""


def gets_hand_by_dm(person: PersonRow | None) -> bool:
    """Return whether a person's hand goes to them by direct message."""
    if person is None or person.dm_channel_id is None or person.dm_closed_at is not None:
        return False
    return person.preferences.hand_by_dm


def _is_notified_by_dm(person: PersonRow) -> bool:
    """Return whether a new direct message tells the person of their turn."""
    return gets_hand_by_dm(person) and person.preferences.push in (Push.DM, Push.BOTH)


def _is_pinged(person: PersonRow) -> bool:
    """Return whether a ping tells the person of their turn: by choice, or because direct messages do not reach them."""
    push = person.preferences.push
    return push in (Push.CHANNEL, Push.BOTH) or (push is Push.DM and not gets_hand_by_dm(person))


async def enqueue_match(unit: UnitOfWork, loaded: LoadedMatch, change: Change) -> None:
    """Ask for every message that a change of a match calls for; `loaded` is the match after the change."""
    asked = loaded.asked if change.proposed else ()
    await outbox.want(unit.transaction, list(_wanted(loaded, change, asked, unit.now)))
    if loaded.row.pinged:
        row, keep = loaded.row, (*loaded.to_act, *asked)
        await outbox.want_removed(unit.transaction, MessageKind.PING, row.id, row.revision, unit.now, keep=keep)
    unit.enqueued = True


async def enqueue_hands(unit: UnitOfWork, person_id: PersonId) -> None:
    """Ask for a person's hands if they go by direct message, and for their removal if not."""
    for row in await matches.running_of(unit.transaction, person_id):
        seat = next(seat for seat in row.seats if seat.person is not None and seat.person.id == person_id)
        await matches.revise(unit.transaction, row.id)
        revision = row.revision + 1
        if gets_hand_by_dm(seat.person):
            hand = _want(row, revision, MessageKind.HAND, unit.now, seat.seat)
            await outbox.want(unit.transaction, [hand])
        else:
            await outbox.want_removed(unit.transaction, MessageKind.HAND, row.id, revision, unit.now, only=seat.seat)
    unit.enqueued = True


async def enqueue_pings(unit: UnitOfWork, person_id: PersonId) -> None:
    """Ask for a ping to a person in each match where it is their turn."""
    for row in await matches.running_of(unit.transaction, person_id):
        loaded = await unit.restore(row)
        seat = loaded.seat_of(person_id)
        if seat in loaded.to_act:
            ping = _want(row, row.revision, MessageKind.PING, unit.now, seat, repost=True)
            await outbox.want(unit.transaction, [ping])
    unit.enqueued = True


async def enqueue_challenge(unit: UnitOfWork, row: ChallengeRow, *, repost: bool = False) -> None:
    """Ask for a challenge's message; one that is posted again notifies those it names."""
    wanted = WantedMessage(
        kind=MessageKind.CHALLENGE,
        subject_id=row.id,
        part=0,
        wanted_revision=row.revision,
        repost_revision=row.revision if repost else 0,
        removed=False,
        due_at=unit.now,
    )
    await outbox.want(unit.transaction, [wanted])
    unit.enqueued = True


async def discard_challenge(unit: UnitOfWork, row: ChallengeRow) -> None:
    """Ask for the message of a challenge to be deleted, before the challenge itself is forgotten."""
    message = await outbox.find(unit.transaction, MessageKind.CHALLENGE, row.id)
    if message is None:
        return
    if message.channel_id is not None and message.message_id is not None:
        posted = Posted(message.channel_id, message.message_id)
        await stale_messages.add(unit.transaction, row.guild_id, posted, unit.now)
    await outbox.remove(unit.transaction, message.id)
    unit.enqueued = True


def _wanted(loaded: LoadedMatch, change: Change, asked: tuple[Seat, ...], now: datetime) -> Iterator[WantedMessage]:
    row, all_boards = loaded.row, range(1, loaded.state.format.boards + 1)
    boards = all_boards if change.boards is None or not loaded.running else change.boards
    for place in change.ended_deals:
        yield _want(row, row.revision, MessageKind.SHOWDOWN, now, place, repost=True)
    if not loaded.running:
        yield _want(row, row.revision, MessageKind.END, now)
    for board in boards:
        repost = loaded.running and (bool(change.ended_deals) or change.repost_table)
        yield _want(row, row.revision, MessageKind.TABLE, now, board - 1, repost=repost, removed=not loaded.running)
    for seat in row.seats:
        person, called = seat.person, seat.seat in (*change.turn_began, *asked)
        if person is None or loaded.board_of(Seat(seat.seat)) not in boards:
            continue
        if gets_hand_by_dm(person):
            repost = called and loaded.running and _is_notified_by_dm(person)
            answered = change.clicked_by == seat.seat and not repost
            due_at = now + ANSWERED_WITHIN if answered else now
            yield _want(row, row.revision, MessageKind.HAND, due_at, seat.seat, repost=repost)
        told_of_rematch = not loaded.running and person.preferences.push is not Push.NONE
        if called and (_is_pinged(person) or told_of_rematch):
            yield _want(row, row.revision, MessageKind.PING, now, seat.seat, repost=True)


def _want(
    row: MatchRow,
    revision: int,
    kind: MessageKind,
    due_at: datetime,
    part: int = 0,
    *,
    repost: bool = False,
    removed: bool = False,
) -> WantedMessage:
    return WantedMessage(kind, row.id, part, revision, revision if repost else 0, removed, due_at)
