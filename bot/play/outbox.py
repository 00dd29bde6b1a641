"""What must be told to whom: messages are asked for in the transaction that changes a match, and served to the courier.

One row stands for one message as it should be, so a burst of changes is one edit to the newest state.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Container, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import Any, Final, TypeVar

from bot.engine.moves import Seat
from bot.play.boards import Board, Boards, seat_at
from bot.play.invitations import invitation_of
from bot.play.values import (
    ChallengeStatus,
    EndPost,
    Invitation,
    Notice,
    NoticeKind,
    OwnHand,
    Ping,
    Push,
    ShowdownPost,
    Table,
)
from bot.store import challenges, matches, notices, people
from bot.store.database import Database, Transaction
from bot.store.rows import MatchRow, NoticeRow, PersonRow

EDITABLE_FOR: Final = timedelta(hours=1)
"""Edits of older messages meet a quota of their own at Discord (error 30046), so an older table or hand, which changes
often, is posted afresh."""

REPOST_AFTER: Final = timedelta(minutes=1)
"""A message that somebody deletes comes back, but not more often than this."""

ANSWERED_WITHIN: Final = timedelta(seconds=5)
"""A click on one's own hand is answered on the spot; only if that fails does the courier bring it up to date."""

_AT_ONCE: Final = 64

_LAPSED: Final = (ChallengeStatus.WITHDRAWN, ChallengeStatus.EXPIRED)

Result = TypeVar("Result")
Content = Table | OwnHand | ShowdownPost | EndPost | Ping | Invitation | None


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to a match, as far as messages care.

    `boards` are those that look otherwise than before (None: all); `began` are the seats whose turn begins with it;
    `ended` the places, in the order of ending, of deals that are over with it; `clicked` is the seat whose own direct
    message the change came from; `fresh_table` asks for the tables to be posted afresh, as the end of a deal does;
    `offered` tells that a seat offers what others are asked to agree to.
    """

    boards: tuple[int, ...] | None = None
    began: tuple[Seat, ...] = ()
    ended: tuple[int, ...] = ()
    clicked: Seat | None = None
    fresh_table: bool = False
    offered: bool = False


def reachable(person: PersonRow | None) -> bool:
    """Whether a person's hand goes to them by direct message."""
    return person is not None and person.hand_by_dm and person.dm_channel_id is not None and person.dm_closed_at is None


def pushed_by_dm(person: PersonRow) -> bool:
    """Whether a new direct message tells the person of their turn."""
    return reachable(person) and person.push in (Push.DM, Push.BOTH)


def pushed_in_channel(person: PersonRow) -> bool:
    """Whether a ping in the channel tells the person of their turn: by choice, or because direct messages fail."""
    return person.push in (Push.CHANNEL, Push.BOTH) or (person.push == Push.DM and not reachable(person))


async def tell(transaction: Transaction, board: Board, change: Change, now: datetime) -> None:
    """Ask for every message that a change of a match calls for; `board` is the match after it."""
    asked = board.asked if change.offered else ()
    await notices.want(transaction, list(_wanted(board, change, asked, now)))
    if board.row.pinged:
        keep = (*board.to_act, *asked)
        await notices.dismiss(transaction, NoticeKind.PUSH, board.row.id, board.row.revision, now, keep=keep)


async def tell_hands(transaction: Transaction, person_id: int, now: datetime) -> None:
    """Ask for a person's hands where they go by direct message, and for their removal where they do not."""
    for row in await matches.running_of(transaction, person_id):
        seat = next(seat for seat in row.seats if seat.person is not None and seat.person.id == person_id)
        await matches.revise(transaction, row.id)
        revised = replace(row, revision=row.revision + 1)
        if reachable(seat.person):
            await notices.want(transaction, [_want(revised, NoticeKind.HAND, now, seat.seat)])
        else:
            await notices.dismiss(transaction, NoticeKind.HAND, row.id, revised.revision, now, only=seat.seat)


def _want(
    row: MatchRow, kind: NoticeKind, due_at: datetime, part: int = 0, *, fresh: bool = False, gone: bool = False
) -> dict[str, Any]:
    return {
        "kind": kind,
        "subject": row.id,
        "part": part,
        "wanted": row.revision,
        "fresh": row.revision if fresh else 0,
        "gone": gone,
        "due_at": due_at,
    }


def _wanted(board: Board, change: Change, asked: tuple[Seat, ...], now: datetime) -> Iterator[dict[str, Any]]:
    row, every = board.row, range(1, board.match.format.boards + 1)
    boards = every if change.boards is None or not board.running else change.boards
    for place in change.ended:
        yield _want(row, NoticeKind.SHOWDOWN, now, place, fresh=True)
    if not board.running:
        yield _want(row, NoticeKind.END, now)
    for one in boards:
        afresh = board.running and (bool(change.ended) or change.fresh_table)
        yield _want(row, NoticeKind.TABLE, now, one - 1, fresh=afresh, gone=not board.running)
    for seat in row.seats:
        person, called = seat.person, seat.seat in (*change.began, *asked)
        if person is None or board.board_of(Seat(seat.seat)) not in boards:
            continue
        if reachable(person):
            fresh = called and board.running and pushed_by_dm(person)
            answered = change.clicked == seat.seat and not fresh
            yield _want(row, NoticeKind.HAND, now + ANSWERED_WITHIN if answered else now, seat.seat, fresh=fresh)
        if called and (pushed_in_channel(person) or (not board.running and person.push != Push.NONE)):
            yield _want(row, NoticeKind.PUSH, now, seat.seat, fresh=True)


class Outbox:
    """Serves the courier: what is due, what it shows now, and what became of it."""

    def __init__(self, database: Database, boards: Boards, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._boards = boards
        self._clock = clock
        self._opened_at = clock()
        self._stirred = asyncio.Event()

    def stir(self) -> None:
        """Tell the courier that there may be work."""
        self._stirred.set()

    async def write(self, work: Callable[[Transaction], Awaitable[Result]]) -> Result:
        """Do a piece of work that may ask for messages, and tell the courier once it is committed."""
        done = await self._database.write(work)
        self.stir()
        return done

    async def wait(self, longest: timedelta) -> None:
        """Wait until there may be work: for `longest`, or until somebody stirs."""
        with contextlib.suppress(TimeoutError):
            # Not `wait_for`: before Python 3.12 it loses a cancellation that comes along with the event.
            async with asyncio.timeout(longest.total_seconds()):
                await self._stirred.wait()
        self._stirred.clear()

    async def due(self, under_way: Container[int] = ()) -> tuple[tuple[int, ...], ...]:
        """The ids of messages to deliver now: one group for each match or invitation, each in the order to send.

        What is `under_way` is left out, and so is what comes after it in its group, or the order would be lost. At most
        `_AT_ONCE` groups, those that wait longest first.
        """
        rows = await self._database.read(lambda transaction: notices.due(transaction, self._clock()))
        order = list(NoticeKind)
        groups: dict[tuple[bool, int], list[NoticeRow]] = {}
        for row in rows:
            groups.setdefault((row.kind is NoticeKind.CHALLENGE, row.subject), []).append(row)
        ordered = (sorted(group, key=lambda row: (order.index(row.kind), row.part)) for group in groups.values())
        free = (tuple(takewhile(lambda one: one not in under_way, (row.id for row in group))) for group in ordered)
        return tuple(islice(filter(None, free), _AT_ONCE))

    async def next_due(self) -> datetime | None:
        """When the next message is due; None while none is."""
        return await self._database.read(notices.next_due)

    async def current(self, notice_id: int) -> Notice | None:
        """A message as it should be now; None where nothing is to be done (yet): a table comes after the showdown."""

        async def work(transaction: Transaction) -> Notice | None:
            row = await notices.load(transaction, notice_id)
            if row is None or row.wanted <= row.shown:
                return None
            if row.kind is NoticeKind.TABLE and await notices.awaits_showdown(transaction, row.subject):
                return None
            return await self._notice(transaction, row)

        return await self._database.read(work)

    async def posted(self, notice: Notice, channel_id: int, message_id: int) -> None:
        """A new message was posted; the one it replaces, if any, is to be removed."""
        now = self._clock()
        await self._database.write(
            lambda transaction: notices.mark_posted(
                transaction, notice.id, notice.revision, channel_id, message_id, now
            )
        )

    async def shown(self, notice: Notice) -> None:
        """The message there was brought up to date, or never can be."""
        await self._database.write(lambda transaction: notices.mark_shown(transaction, notice.id, notice.revision))

    async def removed(self, notice: Notice) -> None:
        """No message is there any more, and none is wanted in its place, or there is nowhere to post it."""

        async def work(transaction: Transaction) -> None:
            if notice.kind is NoticeKind.LEFTOVER:
                await notices.remove(transaction, notice.id)
            else:
                await notices.forget_message(transaction, notice.id)
                await notices.mark_shown(transaction, notice.id, notice.revision)

        await self._database.write(work)

    async def lost(self, notice: Notice) -> None:
        """The message was not there any more: it is to be posted again, at most once in `REPOST_AFTER`."""

        async def work(transaction: Transaction) -> None:
            row = await notices.load(transaction, notice.id)
            await notices.forget_message(transaction, notice.id)
            if row is not None and row.posted_at is not None:
                due_at = max(self._clock(), row.posted_at + REPOST_AFTER)
                await notices.postpone(transaction, notice.id, due_at, notices.DELETED)

        await self._database.write(work)

    async def failed(self, notice: Notice, trouble: str, wait: timedelta) -> None:
        """It could not be delivered: try again after a while."""
        due_at = self._clock() + wait
        await self._database.write(lambda transaction: notices.postpone(transaction, notice.id, due_at, trouble))

    async def place_of(self, kind: NoticeKind, subject: int, part: int = 0) -> tuple[int, int] | None:
        """The channel and message of a table (`part` is its board less one) or an invitation; None while not posted."""
        row = await self._database.read(lambda transaction: notices.of(transaction, kind, subject, part))
        if row is None or row.channel_id is None or row.message_id is None:
            return None
        return row.channel_id, row.message_id

    async def begin_anew(self) -> None:
        """The server forgot every message, as the sandbox does when it stops: post again what is still of use."""
        await self._database.write(lambda transaction: notices.begin_anew(transaction, self._clock()))

    async def homeless(self, channel_id: int) -> None:
        """A channel is gone: its match goes on without a table until a player moves it."""
        await self._database.write(lambda transaction: matches.lose_home(transaction, channel_id))

    async def dm_refused(self, person_id: int) -> None:
        """A person takes no direct messages: remember it, and call them in the channel where it is their turn."""
        now = self._clock()

        async def work(transaction: Transaction) -> None:
            person = await people.load(transaction, person_id)
            if person is None or person.dm_closed_at is not None:
                return
            await people.change(transaction, person_id, dm_closed_at=now)
            await tell_hands(transaction, person_id, now)
            # Whoever wants both has the ping already, or will not have it.
            if person.push == Push.DM:
                rows = await matches.running_of(transaction, person_id)
                boards = [await self._boards.of(transaction, row) for row in rows]
                turns = [(board.row, seat) for board in boards if (seat := seat_at(board, person_id)) in board.to_act]
                pings = [_want(row, NoticeKind.PUSH, now, seat, fresh=True) for row, seat in turns]
                await notices.want(transaction, pings)

        await self._database.write(work)

    async def answered(self, hand: OwnHand, message_id: int) -> None:
        """A message shows a player's hand already: the answer to their click on it brought it up to date."""

        async def work(transaction: Transaction) -> None:
            row = await notices.of(transaction, NoticeKind.HAND, hand.card.id, hand.view.seat)
            if row is not None and row.message_id == message_id and row.fresh <= row.posted:
                await notices.mark_shown(transaction, row.id, hand.card.revision)

        await self._database.write(work)

    async def _notice(self, transaction: Transaction, row: NoticeRow) -> Notice:
        person: PersonRow | None = None
        channel_id: int | None
        content: Content
        if row.kind is NoticeKind.CHALLENGE:
            challenge = await challenges.load(transaction, row.subject)
            # Nobody misses an invitation that was over before anyone saw it.
            unseen = row.message_id is None and challenge is not None and challenge.status in _LAPSED
            content = None if challenge is None or unseen else await invitation_of(transaction, challenge)
            channel_id = None if challenge is None else challenge.channel_id
            revision = row.wanted if challenge is None else challenge.revision
        elif row.kind is NoticeKind.LEFTOVER:
            content, channel_id, revision = None, None, row.wanted
        else:
            board = await self._boards.load(transaction, row.subject)
            revision = board.row.revision
            channel_id = None if board.row.homeless else board.row.channel_id
            if row.kind in (NoticeKind.HAND, NoticeKind.PUSH):
                person = board.row.seats[row.part].person
            if row.kind is NoticeKind.HAND:
                channel_id = person.dm_channel_id if person is not None and reachable(person) else None
            content = None if row.gone else self._content(board, row, person)
        old = row.posted_at is not None and self._clock() - row.posted_at >= EDITABLE_FOR
        aged = old and row.kind in (NoticeKind.TABLE, NoticeKind.HAND)
        return Notice(
            id=row.id,
            kind=row.kind,
            wanted=row.wanted,
            revision=max(revision, row.wanted),
            content=content,
            channel_id=channel_id,
            message_channel_id=row.channel_id,
            message_id=row.message_id,
            post=row.message_id is None or row.fresh > row.posted or aged,
            nonce=f"{row.id}.{row.posts}",
            silent=row.kind in (NoticeKind.TABLE, NoticeKind.HAND) and row.fresh <= row.posted,
            doubtful=row.attempts > 0 or row.due_at <= self._opened_at,
            attempts=row.attempts,
            person_id=None if person is None else person.id,
        )

    def _content(self, board: Board, row: NoticeRow, person: PersonRow | None) -> Content:
        match row.kind:
            case NoticeKind.TABLE:
                return board.table(row.part + 1) if board.running else None
            case NoticeKind.SHOWDOWN:
                return board.showdown(row.part)
            case NoticeKind.END:
                return board.end()
            case NoticeKind.HAND:
                # A match that ends tells so in the hands that are there, and posts no new ones.
                unseen = not board.running and row.message_id is None
                return None if unseen or person is None else board.hand(Seat(row.part), self._clock())
            case NoticeKind.PUSH:
                mine, asked = row.part in board.to_act, row.part in board.asked
                if person is None or not (mine or asked):
                    return None
                return Ping(board.card, Seat(row.part), person.id, mine, board.against(Seat(row.part)))
            case NoticeKind.CHALLENGE | NoticeKind.LEFTOVER:
                return None
