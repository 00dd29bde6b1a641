"""Queries about messages as they should be: the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    RowMapping,
    Table,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import ChallengeStatus, MatchStatus, NoticeKind, NoticeRow

_NOTICE: Final = tables.notice.c

DELETED: Final = "deleted"
"""The trouble of a message that somebody deleted."""

_UPSERT: Final = insert(tables.notice)
_UNDELIVERED: Final = _NOTICE.wanted > _NOTICE.shown
_HELD_BACK: Final = and_(_NOTICE.trouble == DELETED, _UPSERT.excluded.fresh == 0)
_WANT: Final = _UPSERT.on_conflict_do_update(
    index_elements=["kind", "subject", "part"],
    set_={
        "wanted": _UPSERT.excluded.wanted,
        "fresh": func.max(_NOTICE.fresh, _UPSERT.excluded.fresh),
        "gone": _UPSERT.excluded.gone,
        # What was due before stays due since then: a try of it may have succeeded unseen.
        "due_at": case(
            (_HELD_BACK, func.max(_NOTICE.due_at, _UPSERT.excluded.due_at)),
            (_UNDELIVERED, func.min(_NOTICE.due_at, _UPSERT.excluded.due_at)),
            else_=_UPSERT.excluded.due_at,
        ),
    },
)

_BEFORE: Final = tables.notice.alias()
_NEXT_LEFTOVER: Final = (
    select(func.coalesce(func.max(_BEFORE.c.part) + 1, 0))
    .where(_BEFORE.c.kind == NoticeKind.LEFTOVER, _BEFORE.c.subject == _NOTICE.subject)
    .correlate(tables.notice)
    .scalar_subquery()
)
_SET_ASIDE: Final = insert(tables.notice).from_select(
    [
        *("kind", "subject", "part", "channel_id", "message_id", "due_at"),
        *("wanted", "gone", "shown", "fresh", "posted", "posts", "attempts"),
    ],
    select(
        *(literal(NoticeKind.LEFTOVER.value), _NOTICE.subject, _NEXT_LEFTOVER),
        *(_NOTICE.channel_id, _NOTICE.message_id, bindparam("at", type_=tables.Moment)),
        *(literal(1), literal(1), literal(0), literal(0), literal(0), literal(0), literal(0)),
    ).where(_NOTICE.id == bindparam("notice_id"), _NOTICE.message_id.is_not(None)),
)


def _removed_the_bot(subjects: Table) -> ColumnElement[bool]:
    """Whether the server of a notice's match or invitation removed the bot."""
    servers = subjects.join(tables.guild, tables.guild.c.id == subjects.c.guild_id)
    left = tables.guild.c.left_at.is_not(None)
    return exists().select_from(servers).where(subjects.c.id == _NOTICE.subject, left)


_FROZEN: Final = or_(
    and_(_NOTICE.kind == NoticeKind.CHALLENGE, _removed_the_bot(tables.challenge)),
    and_(_NOTICE.kind.not_in((NoticeKind.CHALLENGE, NoticeKind.LEFTOVER)), _removed_the_bot(tables.match)),
)
_WAITING: Final = and_(_UNDELIVERED, ~_FROZEN)


async def want(transaction: Transaction, rows: Sequence[dict[str, Any]]) -> None:
    """Ask for messages: each row has kind, subject, part, wanted (a revision), fresh (one, or 0), gone and due_at."""
    blank = {"shown": 0, "posted": 0, "posts": 0, "attempts": 0}
    if rows:
        await transaction.execute(_WANT, [blank | row for row in rows])


async def dismiss(
    transaction: Transaction,
    kind: NoticeKind,
    subject: int,
    wanted: int,
    at: datetime,
    *,
    keep: Sequence[int] = (),
    only: int | None = None,
) -> None:
    """Ask for the removal of a subject's messages of a kind: of all parts but those to keep, or of one only."""
    row = update(tables.notice).where(_NOTICE.kind == kind, _NOTICE.subject == subject, _NOTICE.gone.is_(False))
    if keep:
        row = row.where(_NOTICE.part.not_in(keep))
    if only is not None:
        row = row.where(_NOTICE.part == only)
    await transaction.execute(row.values(wanted=wanted, gone=True, due_at=at))


async def begin_anew(transaction: Transaction, at: datetime) -> None:
    """No message is there any more: ask for those of running matches and pending invitations again."""
    await transaction.execute(delete(tables.notice).where(_NOTICE.kind == NoticeKind.LEFTOVER))
    running = select(tables.match.c.id).where(tables.match.c.status == MatchStatus.RUNNING)
    pending = select(tables.challenge.c.id).where(tables.challenge.c.status == ChallengeStatus.PENDING)
    of_matches = and_(_NOTICE.kind.in_((NoticeKind.TABLE, NoticeKind.HAND)), _NOTICE.subject.in_(running))
    of_challenges = and_(_NOTICE.kind == NoticeKind.CHALLENGE, _NOTICE.subject.in_(pending))
    row = update(tables.notice).where(_NOTICE.gone.is_(False), or_(of_matches, of_challenges))
    await transaction.execute(
        row.values(message_id=None, posts=_NOTICE.posts + 1, shown=_NOTICE.wanted - 1, due_at=at, trouble=None)
    )


async def due(transaction: Transaction, at: datetime) -> tuple[NoticeRow, ...]:
    """The messages that are to be sent, edited or removed by now, oldest first; none where the bot was removed."""
    query = select(tables.notice).where(_WAITING, _NOTICE.due_at <= at)
    rows = await transaction.execute(query.order_by(_NOTICE.due_at, _NOTICE.id))
    return tuple(map(_row, rows.mappings()))


async def next_due(transaction: Transaction) -> datetime | None:
    """When the next message is due."""
    query = select(func.min(_NOTICE.due_at, type_=tables.Moment)).where(_WAITING)
    return (await transaction.execute(query)).scalar()


async def load(transaction: Transaction, notice_id: int) -> NoticeRow | None:
    """One message by its id."""
    row = (await transaction.execute(select(tables.notice).where(_NOTICE.id == notice_id))).mappings().first()
    return None if row is None else _row(row)


async def awaits_showdown(transaction: Transaction, match_id: int) -> bool:
    """Whether a showdown of a match is still to be posted, and was not tried in vain."""
    query = select(_NOTICE.id).where(
        _NOTICE.kind == NoticeKind.SHOWDOWN,
        _NOTICE.subject == match_id,
        _NOTICE.wanted > _NOTICE.shown,
        _NOTICE.attempts == 0,
    )
    return (await transaction.execute(query.limit(1))).first() is not None


async def of(transaction: Transaction, kind: NoticeKind, subject: int, part: int = 0) -> NoticeRow | None:
    """One message by what it shows."""
    query = select(tables.notice).where(_NOTICE.kind == kind, _NOTICE.subject == subject, _NOTICE.part == part)
    row = (await transaction.execute(query)).mappings().first()
    return None if row is None else _row(row)


async def mark_posted(
    transaction: Transaction, notice_id: int, shown: int, channel_id: int, message_id: int, at: datetime
) -> None:
    """A new message is there, and any earlier one is to be removed."""
    await transaction.execute(_SET_ASIDE, {"notice_id": notice_id, "at": at})
    row = update(tables.notice).where(_NOTICE.id == notice_id)
    await transaction.execute(
        row.values(
            shown=shown,
            posted=shown,
            channel_id=channel_id,
            message_id=message_id,
            posted_at=at,
            posts=_NOTICE.posts + 1,
            attempts=0,
            trouble=None,
        )
    )


async def mark_shown(transaction: Transaction, notice_id: int, shown: int) -> None:
    """The message there shows this revision, or nothing is to be shown of it."""
    row = update(tables.notice).where(_NOTICE.id == notice_id, _NOTICE.shown < shown)
    await transaction.execute(row.values(shown=shown, attempts=0, trouble=None))


async def forget_message(transaction: Transaction, notice_id: int) -> None:
    """The message is not there any more."""
    row = update(tables.notice).where(_NOTICE.id == notice_id)
    await transaction.execute(row.values(message_id=None, channel_id=None, posts=_NOTICE.posts + 1))


async def remove(transaction: Transaction, notice_id: int) -> None:
    """Nothing more is wanted of it, ever."""
    await transaction.execute(delete(tables.notice).where(_NOTICE.id == notice_id))


async def postpone(transaction: Transaction, notice_id: int, due_at: datetime, trouble: str) -> None:
    """It could not be delivered: try again later."""
    row = update(tables.notice).where(_NOTICE.id == notice_id)
    await transaction.execute(row.values(attempts=_NOTICE.attempts + 1, due_at=due_at, trouble=trouble))


def _row(row: RowMapping) -> NoticeRow:
    values: dict[str, Any] = {**row, "kind": NoticeKind(row["kind"])}
    return NoticeRow(**values)
