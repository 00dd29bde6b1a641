"""Queries about the outbox: the desired and actual state of messages, and stale messages that must be deleted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Text,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from bot.engine.deals.moves import Seat
from bot.model.ids import ChannelId, GuildId, MatchId, MessageId, OutboxId
from bot.model.matches import MatchInfo
from bot.model.outbox import MessageKind, PostedMessage, StaleMessage, Subject, Topic
from bot.model.shards import Shards
from bot.store import tables
from bot.store.columns import is_listed
from bot.store.on_shards import ShardQuery
from bot.store.rows import OutboxRow, Upsert, WantedMessage, columns_of, read_row, upsert
from bot.store.statements import Row, Statement
from bot.store.transaction import Transaction

_MESSAGE: Final = tables.outbox_message.c
_STALE: Final = tables.stale_message.c

MAX_DELAY: Final = timedelta(hours=1)
"""Maximum delay until the next attempt to deliver a message.

A message with a due time further in the future is due now: that time was saved while the clock was ahead.
"""

DELETED: Final = "deleted"
"""Value of `problem` for a message that was deleted on Discord."""

TOO_OLD: Final = "too old"
"""Value of `problem` for a message of which Discord accepts no further edits."""

GONE: Final = (DELETED, TOO_OLD)
"""Values of `problem` for a message that must be posted again."""

FAILING_ATTEMPTS: Final = 10
"""Number of attempts after which a delivery counts as failing."""

_KIND_ORDER: Final = list(MessageKind)
_UNDELIVERED: Final = _MESSAGE.wanted_revision > _MESSAGE.shown_revision
_IS_CHALLENGE: Final = _MESSAGE.kind == MessageKind.CHALLENGE
_TOPIC: Final = case(
    *((_MESSAGE.kind == kind, Topic.of(kind)) for kind in MessageKind if Topic.of(kind) is not Topic.MATCH),
    else_=Topic.MATCH,
)


def _is_hand_of_forgotten() -> ColumnElement[bool]:
    """Return the condition for messages with the hands of forgotten people."""
    seat = tables.seat.c
    has_no_person = exists().where(
        seat.match_id == _MESSAGE.subject_id, seat.seat == _MESSAGE.part, seat.person_id.is_(None)
    )
    return and_(_MESSAGE.kind == MessageKind.HAND, has_no_person)


_FROZEN: Final = and_(
    exists().where(tables.guild.c.id == _MESSAGE.guild_id, tables.guild.c.left_at.is_not(None)),
    ~_is_hand_of_forgotten(),
)
"""SQL condition for messages held back while the bot is removed from their server.

Hands of forgotten people are never held back.
"""


def _joined(first: ColumnElement[Any], second: ColumnElement[Any]) -> ColumnElement[str]:
    """Return two values as one text, as in `_texts`."""
    return cast(first, Text).concat(" ").concat(cast(second, Text))


def _texts(pairs: Iterable[tuple[object, object]]) -> list[str]:
    return [f"{first} {second}" for first, second in pairs]


def _is_due(due_at: ColumnElement[datetime]) -> ColumnElement[bool]:
    """Return the condition for rows that are due, or whose due time was saved while the clock was ahead."""
    return or_(due_at <= bindparam("now"), due_at > bindparam("at_latest"))


_DELIVERABLE: Final = (_UNDELIVERED, ~_FROZEN)
_WAITING: Final = (
    *_DELIVERABLE,
    ~is_listed(_joined(_TOPIC, _MESSAGE.subject_id), "busy"),
)
_NOT_BUSY: Final = ~is_listed(_STALE.id, "busy_stale")
_IS_ANSWERED: Final = and_(
    _MESSAGE.kind == MessageKind.HAND, is_listed(_joined(_MESSAGE.subject_id, _MESSAGE.part), "answered")
)
_DUE: Final = ShardQuery(
    lambda is_on: (
        select(tables.outbox_message)
        .where(*_WAITING, _is_due(_MESSAGE.due_at), is_on(_MESSAGE.guild_id))
        .order_by(_MESSAGE.due_at, _MESSAGE.id)
        .limit(bindparam("limit"))
    )
)
_DUE_STALE: Final = ShardQuery(
    lambda is_on: (
        select(tables.stale_message)
        .where(_is_due(_STALE.due_at), _NOT_BUSY, is_on(_STALE.guild_id))
        .order_by(_STALE.due_at, _STALE.id)
        .limit(bindparam("limit"))
    )
)
_NEXT_DUE: Final = ShardQuery(
    lambda is_on: select(
        select(func.min(_MESSAGE.due_at))
        .where(*_DELIVERABLE, _MESSAGE.due_at > bindparam("now"), ~_IS_ANSWERED, is_on(_MESSAGE.guild_id))
        .scalar_subquery()
        .label("message_at"),
        select(func.min(_STALE.due_at)).where(_NOT_BUSY, is_on(_STALE.guild_id)).scalar_subquery().label("stale_at"),
    )
)
_BACKLOG: Final = ShardQuery(
    lambda is_on: select(
        func.count().filter(_is_due(_MESSAGE.due_at)).label("due"),
        func.min(_MESSAGE.due_at).label("first_due_at"),
        func.count().filter(_MESSAGE.attempts >= FAILING_ATTEMPTS).label("failing"),
    ).where(*_DELIVERABLE, is_on(_MESSAGE.guild_id))
)
_LOAD: Final = select(tables.outbox_message).where(_MESSAGE.id == bindparam("outbox_id"))
_LOAD_ALL: Final = select(tables.outbox_message).where(_MESSAGE.id.in_(bindparam("outbox_ids", expanding=True)))
_IN_CHANNEL: Final[BindParameter[int]] = bindparam("wanted_channel")
_MATCH_IN_CHANNEL: Final = exists().where(
    tables.match.c.id == _MESSAGE.subject_id, tables.match.c.channel_id == _IN_CHANNEL
)
_CHALLENGE_IN_CHANNEL: Final = exists().where(
    tables.challenge.c.id == _MESSAGE.subject_id, tables.challenge.c.channel_id == _IN_CHANNEL
)
_CHAIN_IN_CHANNEL: Final = exists().where(
    tables.chain.c.id == _MESSAGE.subject_id,
    or_(
        exists().where(
            tables.challenge.c.id == tables.chain.c.challenge_id, tables.challenge.c.channel_id == _IN_CHANNEL
        ),
        exists().where(
            tables.match.c.id == func.coalesce(tables.chain.c.match_id, tables.chain.c.rematch_of),
            tables.match.c.channel_id == _IN_CHANNEL,
        ),
    ),
)
_PROBLEMS_IN: Final = (
    select(_MESSAGE.problem)
    .where(
        _UNDELIVERED,
        _MESSAGE.guild_id == bindparam("wanted_guild"),
        _MESSAGE.problem.in_(bindparam("problems", expanding=True)),
        or_(
            and_(_TOPIC == Topic.MATCH, _MESSAGE.kind != MessageKind.HAND, _MATCH_IN_CHANNEL),
            and_(_IS_CHALLENGE, _CHALLENGE_IN_CHANNEL),
            and_(_MESSAGE.kind == MessageKind.COMMITMENT, _CHAIN_IN_CHANNEL),
        ),
    )
    .order_by(_MESSAGE.due_at.desc())
)
_FIND: Final = Statement(
    lambda _: select(tables.outbox_message).where(
        _MESSAGE.kind == bindparam("wanted_kind"),
        _MESSAGE.subject_id == bindparam("wanted_subject"),
        _MESSAGE.part == bindparam("wanted_part"),
    )
)
_AWAITED_SHOWDOWN: Final = (
    select(_MESSAGE.id)
    .where(
        _MESSAGE.kind == MessageKind.SHOWDOWN,
        _MESSAGE.subject_id == bindparam("match_id"),
        _UNDELIVERED,
        _MESSAGE.attempts == 0,
    )
    .limit(1)
)


_SHOWN: Final[Mapping[str, Any]] = {"shown_revision": bindparam("revision"), "attempts": 0, "problem": None}
_IS_UNCHANGED: Final = _MESSAGE.id == bindparam("outbox_id"), _MESSAGE.posts == bindparam("seen_posts")
_SHOWS_OLDER: Final = _MESSAGE.shown_revision < bindparam("revision")
_SAVE_SHOWN: Final = Statement(
    lambda _: update(tables.outbox_message).where(*_IS_UNCHANGED, _SHOWS_OLDER).values(**_SHOWN)
)
_SAVE_POSTED: Final = Statement(
    lambda _: (
        update(tables.outbox_message)
        .where(*_IS_UNCHANGED)
        .values(**_SHOWN, posted_revision=bindparam("revision"), posts=_MESSAGE.posts + 1)
    ),
    ("posted_at", "channel_id", "message_id"),
)
_IS_ANSWERED_HAND: Final = (
    _MESSAGE.kind == MessageKind.HAND,
    _MESSAGE.subject_id == bindparam("of_match"),
    _MESSAGE.part == bindparam("seat"),
    _MESSAGE.message_id == bindparam("posted_id"),
    _MESSAGE.repost_revision <= _MESSAGE.posted_revision,
    _SHOWS_OLDER,
)
_SAVE_ANSWERED: Final = Statement(lambda _: update(tables.outbox_message).where(*_IS_ANSWERED_HAND).values(**_SHOWN))
_SAVE_ANSWERED_ELSEWHERE: Final = Statement(
    lambda _: (
        update(tables.outbox_message)
        .where(
            *_IS_ANSWERED_HAND,
            # A click does not postpone a message that is due (see `request`). So if the message is not due now, it was
            # not due before the click either.
            _MESSAGE.wanted_revision == bindparam("revision"),
            _MESSAGE.due_at > bindparam("now"),
            _MESSAGE.attempts == 0,
        )
        .values(**_SHOWN)
    )
)


def _build_request(dialect: str) -> Upsert:
    row = upsert(dialect, tables.outbox_message)
    inserted = row.excluded
    # If the post was deleted on Discord, keep the time of the next attempt, unless this request asks for a new post.
    is_held_back = and_(_MESSAGE.problem == DELETED, inserted.repost_revision == 0)
    return row.on_conflict_do_update(
        index_elements=["kind", "subject_id", "part"],
        set_={
            "wanted_revision": inserted.wanted_revision,
            "repost_revision": _greater(_MESSAGE.repost_revision, inserted.repost_revision),
            "guild_id": inserted.guild_id,
            "removed": inserted.removed,
            "due_at": case(
                (is_held_back, _greater(_MESSAGE.due_at, inserted.due_at)),
                # Do not postpone an undelivered message: if it is due, another process may have posted it already.
                (and_(_UNDELIVERED, _MESSAGE.due_at < inserted.due_at), _MESSAGE.due_at),
                else_=inserted.due_at,
            ),
        },
    )


_INITIAL_VALUES: Final = {"shown_revision": 0, "posted_revision": 0, "posts": 0, "attempts": 0}
_REQUEST: Final = Statement(_build_request, [*(field.name for field in fields(WantedMessage)), *_INITIAL_VALUES])


def _greater(first: ColumnElement[int], second: ColumnElement[int]) -> ColumnElement[int]:
    return case((first > second, first), else_=second)


def request(transaction: Transaction, messages: Sequence[WantedMessage]) -> None:
    """Request new messages, or updates about one match, challenge, person or season. See `Transaction.queue`.

    Requests are saved in the order in which the messages are sent. Deliveries are saved in the same order, which
    prevents deadlocks.
    """
    ordered = sorted(messages, key=lambda message: send_order(message.kind, message.part))
    if ordered:
        transaction.queue(_REQUEST, [_INITIAL_VALUES | columns_of(message) for message in ordered])


def send_order(kind: MessageKind, part: int) -> tuple[int, int]:
    """Return the sort key for sending messages about the same subject."""
    return _KIND_ORDER.index(kind), part


async def request_removal(
    transaction: Transaction, match: MatchInfo, kind: MessageKind, part: int, at: datetime
) -> None:
    """Request the deletion of a match's message, if it exists."""
    row = update(tables.outbox_message).where(
        _MESSAGE.kind == kind, _MESSAGE.subject_id == match.id, _MESSAGE.part == part, _MESSAGE.removed.is_(false())
    )
    await transaction.execute(row.values(wanted_revision=match.revision, removed=True, due_at=at))


async def hand_over(
    transaction: Transaction, kind: MessageKind, subject_id: int, new_kind: MessageKind, new_subject_id: int
) -> None:
    """Make a message the message of another subject. Outcomes of its earlier deliveries no longer count."""
    row = update(tables.outbox_message).where(_MESSAGE.kind == kind, _MESSAGE.subject_id == subject_id)
    revisions = dict.fromkeys(("wanted_revision", "repost_revision", "shown_revision", "posted_revision"), 0)
    values = {"kind": new_kind, "subject_id": new_subject_id, "posts": _MESSAGE.posts + 1, **revisions}
    await transaction.execute(row.values(**values, attempts=0, problem=None))


async def request_repost(transaction: Transaction, kind: MessageKind, subject_id: int, at: datetime) -> None:
    """Request a new post of a message. See `request_reposts`."""
    await request_reposts(transaction, kind, {subject_id: at})


async def request_reposts(transaction: Transaction, kind: MessageKind, due_at: Mapping[int, datetime]) -> None:
    """Request new posts of messages whose subjects, such as people, have no revision numbers.

    The outbox numbers the revisions of such messages. `due_at` has the time for each subject.
    """
    new = {
        "kind": kind,
        "part": 0,
        "wanted_revision": 1,
        "repost_revision": 1,
        "removed": False,
        **_INITIAL_VALUES,
    }
    row = upsert(transaction.dialect.name, tables.outbox_message).values(
        [new | {"subject_id": subject_id, "due_at": at} for subject_id, at in due_at.items()]
    )
    revisions = dict.fromkeys(("wanted_revision", "repost_revision"), _MESSAGE.wanted_revision + 1)
    changes = revisions | {"due_at": row.excluded.due_at}
    await transaction.execute(row.on_conflict_do_update(index_elements=["kind", "subject_id", "part"], set_=changes))


async def request_edit(transaction: Transaction, kind: MessageKind, subject_id: int, at: datetime) -> None:
    """Request an edit of a message whose subject has no revision number, such as a person.

    Do nothing if the message does not exist.
    """
    row = update(tables.outbox_message).where(_MESSAGE.kind == kind, _MESSAGE.subject_id == subject_id)
    await transaction.execute(row.values(wanted_revision=_MESSAGE.wanted_revision + 1, due_at=at))


async def request_revision(
    transaction: Transaction, kind: MessageKind, subject_id: int, part: int, revision: int, at: datetime
) -> None:
    """Request an edit of a message, so that it shows a newer revision. Do nothing if the message is not posted."""
    row = update(tables.outbox_message).where(
        *(_MESSAGE.kind == kind, _MESSAGE.subject_id == subject_id, _MESSAGE.part == part),
        *(_MESSAGE.message_id.is_not(None), _MESSAGE.wanted_revision < revision),
    )
    await transaction.execute(row.values(wanted_revision=revision, due_at=at))


async def try_again(transaction: Transaction, outbox_id: OutboxId, at: datetime, *, elsewhere: bool) -> None:
    """Make a message that was never posted due at the time `at`, even if it was given up.

    If it is now posted `elsewhere`, outcomes of its earlier deliveries no longer count.
    """
    row = update(tables.outbox_message).where(_MESSAGE.id == outbox_id, _MESSAGE.posted_revision == 0)
    values = {"posts": _MESSAGE.posts + 1, "attempts": 0} if elsewhere else {}
    await transaction.execute(row.values(**values, shown_revision=0, due_at=at, problem=None))


async def make_due_earlier(transaction: Transaction, kind: MessageKind, subject_id: int, at: datetime) -> None:
    """Make a message due at the time `at`, if it would be due later and no attempt to deliver it has failed."""
    row = update(tables.outbox_message).where(_MESSAGE.kind == kind, _MESSAGE.subject_id == subject_id)
    await transaction.execute(row.where(_MESSAGE.due_at > at, _MESSAGE.attempts == 0).values(due_at=at))


async def cancel_reposts(
    transaction: Transaction, match: MatchInfo, kind: MessageKind, parts: Collection[int], at: datetime
) -> None:
    """Cancel pending reposts of a match's messages, so that they do not notify anyone.

    Still delete the messages that the reposts would replace: a repost may have succeeded without the bot's knowledge.
    """
    to_repost = and_(
        _MESSAGE.kind == kind,
        _MESSAGE.subject_id == match.id,
        _MESSAGE.part.in_(parts),
        _MESSAGE.repost_revision > _MESSAGE.posted_revision,
    )
    columns = (_MESSAGE.id, _MESSAGE.posts, _MESSAGE.channel_id, _MESSAGE.message_id)
    rows = await transaction.execute(select(*columns).where(to_repost))
    for row in rows.all():
        values: dict[str, object] = {"repost_revision": _MESSAGE.posted_revision}
        if row.message_id is not None:
            await add_stale(
                transaction, match.guild_id or GuildId(0), PostedMessage(row.channel_id, row.message_id), at
            )
            values |= {"message_id": None, "channel_id": None, "attempts": _greater(_MESSAGE.attempts, literal(1))}
        await _update_unless_changed(transaction, row.id, row.posts, **values)


async def remove_unposted(transaction: Transaction, kind: MessageKind, subject_id: int, part: int) -> None:
    """Delete a message from the outbox if it was never posted."""
    unposted = (_MESSAGE.kind == kind, _MESSAGE.subject_id == subject_id, _MESSAGE.part == part)
    await transaction.execute(delete(tables.outbox_message).where(*unposted, _MESSAGE.message_id.is_(None)))


async def request_all_again(transaction: Transaction, at: datetime) -> None:
    """Request all messages of running matches and pending challenges again, because the posted ones no longer exist."""
    running = select(tables.match.c.id).where(tables.IS_RUNNING)
    pending = select(tables.challenge.c.id).where(tables.IS_PENDING)
    kinds = MessageKind.CARD, MessageKind.TABLE, MessageKind.HAND
    of_matches = and_(_MESSAGE.kind.in_(kinds), _MESSAGE.subject_id.in_(running))
    of_challenges = and_(_IS_CHALLENGE, _MESSAGE.subject_id.in_(pending))
    row = update(tables.outbox_message).where(_MESSAGE.removed.is_(false()), or_(of_matches, of_challenges))
    row = row.values(message_id=None, posts=_MESSAGE.posts + 1, shown_revision=_MESSAGE.wanted_revision - 1)
    await transaction.execute(row.values(due_at=at, problem=None))
    await transaction.execute(delete(tables.stale_message))


async def due(
    transaction: Transaction, shards: Shards, at: datetime, busy: Collection[Subject], limit: int
) -> tuple[OutboxRow, ...]:
    """Return messages of these shards that are due, oldest first, except messages about busy subjects.

    Messages of servers that removed the bot are held back, except the hands of forgotten people, which must be deleted.
    """
    rows = await _DUE.fetch(transaction, shards, {"busy": _texts(busy), "limit": limit, **_due_parameters(at)})
    return tuple(read_row(OutboxRow, row) for row in rows)


async def next_due(
    transaction: Transaction,
    shards: Shards,
    at: datetime,
    answered: Collection[tuple[MatchId, Seat]],
    busy_stale: Collection[int],
) -> tuple[datetime | None, datetime | None]:
    """Return the earliest due times of messages and of stale messages of these shards; None if there are none.

    Messages that are due already do not count, nor do the hands in `answered` and busy stale messages.
    """
    parameters = {"now": at, "answered": _texts(answered), "busy_stale": busy_stale}
    (row,) = await _NEXT_DUE.fetch(transaction, shards, parameters)
    return row["message_at"], row["stale_at"]


async def backlog(transaction: Transaction, shards: Shards, at: datetime) -> tuple[int, datetime | None, int]:
    """Return the number of due messages of these shards, the earliest due time, and the number of failing messages.

    Messages of servers that removed the bot are excluded, as in `due`.
    """
    (row,) = await _BACKLOG.fetch(transaction, shards, _due_parameters(at))
    return row["due"], row["first_due_at"], row["failing"]


async def undelivered(transaction: Transaction, kind: MessageKind) -> int:
    """Return the number of messages of a kind that are not up to date on Discord."""
    query = select(func.count()).select_from(tables.outbox_message).where(_UNDELIVERED, _MESSAGE.kind == kind)
    return (await transaction.execute(query)).scalar_one()


async def problems_in(
    transaction: Transaction, guild_id: GuildId, channel_id: ChannelId, problems: Collection[str]
) -> tuple[str, ...]:
    """Return those problems of a channel's undelivered messages that are among `problems`.

    The messages are sorted by the time of their next attempt, latest first.
    """
    values = {"wanted_guild": guild_id, "wanted_channel": channel_id, "problems": [*problems]}
    return tuple((await transaction.execute(_PROBLEMS_IN, values)).scalars())


async def load(transaction: Transaction, outbox_id: OutboxId) -> OutboxRow | None:
    return _read((await transaction.execute(_LOAD, {"outbox_id": outbox_id})).mappings().first())


async def load_all(transaction: Transaction, outbox_ids: Collection[OutboxId]) -> tuple[OutboxRow, ...]:
    """Return these messages, in any order."""
    rows = await transaction.execute(_LOAD_ALL, {"outbox_ids": [*outbox_ids]})
    return tuple(read_row(OutboxRow, row) for row in rows.mappings())


async def find(transaction: Transaction, kind: MessageKind, subject_id: int, part: int = 0) -> OutboxRow | None:
    """Return a message by its kind, subject and part."""
    parameters = {"wanted_kind": kind, "wanted_subject": subject_id, "wanted_part": part}
    return _read(next(iter(await transaction.fetch(_FIND, parameters)), None))


async def of_match(transaction: Transaction, match_id: MatchId) -> tuple[OutboxRow, ...]:
    kinds = [kind for kind in MessageKind if Topic.of(kind) is Topic.MATCH]
    query = select(tables.outbox_message).where(_MESSAGE.kind.in_(kinds), _MESSAGE.subject_id == match_id)
    return tuple(read_row(OutboxRow, row) for row in (await transaction.execute(query)).mappings())


async def awaits_showdown(transaction: Transaction, match_id: MatchId) -> bool:
    """Return True if a showdown of a match is still waiting for its first delivery attempt."""
    return (await transaction.execute(_AWAITED_SHOWDOWN, {"match_id": match_id})).first() is not None


async def save_posted(
    transaction: Transaction, outbox_id: OutboxId, posts: int, revision: int, posted: PostedMessage, at: datetime
) -> bool:
    """Save a new post and the revision that it shows.

    Return False if the message has changed. See `_update_unless_changed`.
    """
    values = {"posted_at": at, "channel_id": posted.channel_id, "message_id": posted.message_id}
    identity = {"outbox_id": outbox_id, "seen_posts": posts}
    return await transaction.change(_SAVE_POSTED, {"revision": revision, **values, **identity}) == 1


def save_shown(transaction: Transaction, outbox_id: OutboxId, posts: int, revision: int) -> None:
    """Mark a revision as shown, or as impossible to show, unless the message has changed.

    See `_update_unless_changed` and `Transaction.queue`.
    """
    transaction.queue(_SAVE_SHOWN, [{"outbox_id": outbox_id, "seen_posts": posts, "revision": revision}])


def save_answered(
    transaction: Transaction,
    match_id: MatchId,
    seat: Seat,
    message_id: MessageId,
    revision: int,
    at: datetime,
    *,
    is_own: bool,
) -> None:
    """Mark a revision as shown by a hand's message, because the answer to a click has updated the message.

    Do nothing if the message was posted again since, or must be posted again. Unless the delivery `is_own` to this
    process, also do nothing if the message was due before the click: another process may be showing an older state.
    See `Transaction.queue`.
    """
    parameters = {"of_match": match_id, "seat": seat, "posted_id": message_id, "revision": revision}
    if is_own:
        transaction.queue(_SAVE_ANSWERED, [parameters])
    else:
        transaction.queue(_SAVE_ANSWERED_ELSEWHERE, [{**parameters, "now": at}])


async def save_removed(transaction: Transaction, outbox_id: OutboxId, posts: int, revision: int) -> bool:
    """Mark a message as permanently deleted. Return False if it has changed. See `_update_unless_changed`."""
    values = {"shown_revision": _greater(_MESSAGE.shown_revision, literal(revision)), "attempts": 0, "problem": None}
    return await _update_unless_changed(
        transaction, outbox_id, posts, **values, message_id=None, channel_id=None, posts=posts + 1
    )


async def save_missing(
    transaction: Transaction, outbox_id: OutboxId, posts: int, due_at: datetime, problem: str = DELETED
) -> bool:
    """Save that a message was deleted on Discord, or is `TOO_OLD` for edits, and must be posted again at `due_at`.

    Return False if the message has changed. See `_update_unless_changed`.
    """
    values = {"attempts": _MESSAGE.attempts + 1, "due_at": due_at, "problem": problem}
    return await _update_unless_changed(
        transaction, outbox_id, posts, **values, message_id=None, channel_id=None, posts=posts + 1
    )


async def postpone(transaction: Transaction, outbox_id: OutboxId, posts: int, due_at: datetime, problem: str) -> None:
    """Save the reason for a failed delivery and the time of the next attempt, unless the message has changed.

    See `_update_unless_changed`.
    """
    await _update_unless_changed(
        transaction, outbox_id, posts, attempts=_MESSAGE.attempts + 1, due_at=due_at, problem=problem
    )


async def remove(transaction: Transaction, outbox_id: OutboxId) -> None:
    await transaction.execute(delete(tables.outbox_message).where(_MESSAGE.id == outbox_id))


async def add_stale(transaction: Transaction, guild_id: GuildId, posted: PostedMessage, due_at: datetime) -> None:
    """Request the deletion of a message that was replaced by a newer post."""
    values = columns_of(posted) | {"guild_id": guild_id, "attempts": 0, "due_at": due_at}
    await transaction.execute(insert(tables.stale_message).values(values))


async def due_stale(
    transaction: Transaction, shards: Shards, at: datetime, busy: Collection[int], limit: int
) -> tuple[StaleMessage, ...]:
    """Return stale messages of these shards that are due for deletion, oldest first, except busy ones."""
    parameters = {"busy_stale": busy, "limit": limit, **_due_parameters(at)}
    return tuple(read_row(StaleMessage, row) for row in await _DUE_STALE.fetch(transaction, shards, parameters))


async def remove_stale(transaction: Transaction, stale_id: int) -> None:
    """Delete the row of a stale message that is no longer on Discord."""
    await transaction.execute(delete(tables.stale_message).where(_STALE.id == stale_id))


async def postpone_stale(transaction: Transaction, stale_id: int, due_at: datetime, problem: str) -> None:
    """Save the reason why a stale message could not be deleted, and the time of the next attempt."""
    row = update(tables.stale_message).where(_STALE.id == stale_id)
    await transaction.execute(row.values(attempts=_STALE.attempts + 1, due_at=due_at, problem=problem))


async def _update_unless_changed(
    transaction: Transaction, outbox_id: OutboxId, seen_posts: int, *where: ColumnElement[bool], **values: object
) -> bool:
    """Update a message if its number of posts is still `seen_posts`. Return False otherwise.

    While a process cannot save the result of a delivery, another process may post the message again or remove it. The
    unsaved result is then obsolete.
    """
    row = update(tables.outbox_message).where(_MESSAGE.id == outbox_id, _MESSAGE.posts == seen_posts, *where)
    return (await transaction.execute(row.values(**values))).rowcount == 1


def _due_parameters(at: datetime) -> dict[str, datetime]:
    return {"now": at, "at_latest": at + MAX_DELAY}


def _read(row: Row | None) -> OutboxRow | None:
    return None if row is None else read_row(OutboxRow, row)
