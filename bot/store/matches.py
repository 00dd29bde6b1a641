"""Queries about matches, their seats, their move logs and their finished deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import MatchRow, MatchStatus, NoticeKind, PersonRow, SeatResult, SeatRow

_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_PERSON: Final = tables.person.c
_ACTION: Final = tables.action.c

_PINGED: Final = exists().where(
    tables.notice.c.kind == NoticeKind.PUSH, tables.notice.c.subject == _MATCH.id, tables.notice.c.gone.is_(False)
)
_GUILD: Final = tables.guild.c

_WITH_SEATS: Final = (
    select(
        _MATCH.id,
        _MATCH.guild_id,
        _MATCH.channel_id,
        _MATCH.homeless,
        _MATCH.system,
        _MATCH.rules,
        _MATCH.status,
        _MATCH.version,
        _MATCH.revision,
        _MATCH.started_at,
        _MATCH.moved_at,
        _MATCH.ended_at,
        _PINGED,
        _GUILD.left_at.is_not(None),
        func.coalesce(_GUILD.theme, "classic"),
        func.coalesce(_GUILD.four_colours, False),
        func.coalesce(_GUILD.language, "en"),
        _SEAT.seat,
        _SEAT.wants,
        _SEAT.version.label("seat_version"),
        _SEAT.moved_at.label("seat_moved_at"),
        _SEAT.person_id,
        _PERSON.name,
        _PERSON.hand_by_dm,
        _PERSON.push,
        _PERSON.challengers,
        _PERSON.dm_channel_id,
        _PERSON.dm_closed_at,
        _PERSON.seen_at,
        _PERSON.theme,
        _PERSON.four_colours,
        _PERSON.language,
        _PERSON.hand_order,
        _PERSON.pictures,
    )
    .select_from(
        tables.match.join(tables.seat)
        .outerjoin(tables.person, _PERSON.id == _SEAT.person_id)
        .outerjoin(tables.guild, _GUILD.id == _MATCH.guild_id)
    )
    .order_by(_MATCH.id, _SEAT.seat)
)
_OWN_COLUMNS: Final = 17

# Every move runs these, so they are made once.
_ONE: Final = _WITH_SEATS.where(_MATCH.id == bindparam("match_id"))
_MOVED: Final = (
    update(tables.match)
    .where(
        _MATCH.id == bindparam("match_id"),
        _MATCH.version == bindparam("seen_version"),
        _MATCH.status == MatchStatus.RUNNING,
    )
    .values(version=bindparam("new_version"), revision=_MATCH.revision + 1, moved_at=bindparam("now"))
)
_ADD_ACTIONS: Final = insert(tables.action)


async def load(transaction: Transaction, match_id: int) -> MatchRow | None:
    """A match with its seats; None where there is none of that id."""
    found = _grouped((await transaction.execute(_ONE, {"match_id": match_id})).all())
    return found[0] if found else None


async def running_in(transaction: Transaction, channel_id: int) -> MatchRow | None:
    """The match that runs in a channel."""
    found = await _matches(transaction, _MATCH.channel_id == channel_id, _MATCH.status == MatchStatus.RUNNING)
    return found[0] if found else None


async def running_of(transaction: Transaction, person_id: int) -> tuple[MatchRow, ...]:
    """The matches a person is in, oldest first."""
    theirs = select(_SEAT.match_id).where(_SEAT.person_id == person_id)
    return await _matches(transaction, _MATCH.id.in_(theirs), _MATCH.status == MatchStatus.RUNNING)


async def running_in_guild(transaction: Transaction, guild_id: int) -> tuple[MatchRow, ...]:
    """The matches that run in a server, oldest first."""
    return await _matches(transaction, _MATCH.guild_id == guild_id, _MATCH.status == MatchStatus.RUNNING)


async def finished_of(transaction: Transaction, person_id: int) -> tuple[MatchRow, ...]:
    """The matches a person was in that are over, oldest first."""
    theirs = select(_SEAT.match_id).where(_SEAT.person_id == person_id)
    return await _matches(transaction, _MATCH.id.in_(theirs), _MATCH.status != MatchStatus.RUNNING)


def finished(guild_id: int, since: datetime | None) -> list[ColumnElement[bool]]:
    """That a match was finished in a server (since a moment)."""
    over = [_MATCH.guild_id == guild_id, _MATCH.status == MatchStatus.FINISHED]
    return over if since is None else [*over, _MATCH.ended_at >= since]


async def last_in(transaction: Transaction, channel_id: int) -> MatchRow | None:
    """The match that ended last in a channel."""
    last = select(_MATCH.id).where(_MATCH.channel_id == channel_id, _MATCH.ended_at.is_not(None))
    found = await _matches(transaction, _MATCH.id.in_(last.order_by(_MATCH.ended_at.desc()).limit(1)))
    return found[0] if found else None


async def create(transaction: Transaction, values: dict[str, Any], people: Sequence[int], at: datetime) -> int:
    """A new running match without actions, from its server, channel, system, rules and ladder; gives its id.

    The people are by seat.
    """
    values = values | {
        "homeless": False,
        "status": MatchStatus.RUNNING,
        "version": 0,
        "revision": 0,
        "started_at": at,
        "moved_at": at,
    }
    match_id: int = (await transaction.execute(insert(tables.match).values(values).returning(_MATCH.id))).scalar_one()
    seats = [{"match_id": match_id, "seat": seat, "person_id": person} for seat, person in enumerate(people)]
    await transaction.execute(insert(tables.seat), seats)
    return match_id


async def actions(transaction: Transaction, match_id: int) -> tuple[str, ...]:
    """The match's move log, in notation."""
    query = select(_ACTION.text).where(_ACTION.match_id == match_id).order_by(_ACTION.number)
    return tuple((await transaction.execute(query)).scalars())


async def actions_of(transaction: Transaction, match_id: int, deals: int) -> tuple[str, ...]:
    """The part of the move log to the end of the deal that was over as the so-many-th."""
    deal = tables.deal.c
    over = select(deal.version).where(deal.match_id == match_id, deal.number == deals).scalar_subquery()
    query = select(_ACTION.text).where(_ACTION.match_id == match_id, _ACTION.number <= over)
    return tuple((await transaction.execute(query.order_by(_ACTION.number))).scalars())


async def append(
    transaction: Transaction,
    match_id: int,
    version: int,
    actions: Sequence[str],
    interaction_id: int | None,
    at: datetime,
) -> bool:
    """Add actions to the log of a match that is still at `version`, and count a revision.

    The first action carries the interaction that caused them. Gives False where the match is not running or has moved
    on, or the interaction is in a log already: then the transaction must be undone.

    Raises:
        IntegrityError: the log disagrees with the match's version.
    """
    values = {"match_id": match_id, "seen_version": version, "new_version": version + len(actions), "now": at}
    if (await transaction.execute(_MOVED, values)).rowcount != 1:
        return False
    rows = [
        {
            "match_id": match_id,
            "number": version + number,
            "text": text,
            "interaction_id": interaction_id if number == 1 else None,
            "at": at,
        }
        for number, text in enumerate(actions, 1)
    ]
    try:
        await transaction.execute(_ADD_ACTIONS, rows)
    except IntegrityError as error:
        if _ACTION.interaction_id.name not in str(error.orig):
            raise
        return False
    return True


async def caused(transaction: Transaction, interaction_id: int) -> int | None:
    """The match whose log holds an interaction; None where it is in none."""
    query = select(_ACTION.match_id).where(_ACTION.interaction_id == interaction_id)
    return (await transaction.execute(query)).scalar()


async def times(transaction: Transaction, match_id: int) -> tuple[datetime, ...]:
    """When each action of the match's log was made."""
    query = select(_ACTION.at).where(_ACTION.match_id == match_id).order_by(_ACTION.number)
    return tuple((await transaction.execute(query)).scalars())


async def revise(transaction: Transaction, match_id: int, **values: object) -> None:
    """Change a match's own columns and count a revision."""
    changed = update(tables.match).where(_MATCH.id == match_id)
    await transaction.execute(changed.values(revision=_MATCH.revision + 1, **values))


async def move_seats(transaction: Transaction, match_id: int, seats: Sequence[int], version: int, at: datetime) -> None:
    """The board of these seats has changed, in a match of several boards."""
    moved = update(tables.seat).where(_SEAT.match_id == match_id, _SEAT.seat.in_(seats))
    await transaction.execute(moved.values(version=version, moved_at=at))


async def lose_home(transaction: Transaction, channel_id: int) -> None:
    """The channel of a running match is gone."""
    lost = update(tables.match).where(_MATCH.channel_id == channel_id, _MATCH.status == MatchStatus.RUNNING)
    await transaction.execute(lost.values(homeless=True))


async def set_wish(transaction: Transaction, match_id: int, seat: int | None, wish: str | None) -> None:
    """What a seat proposes (`cancel`, `rematch`); seat None clears all of them."""
    changed = update(tables.seat).where(_SEAT.match_id == match_id)
    if seat is not None:
        changed = changed.where(_SEAT.seat == seat)
    await transaction.execute(changed.values(wants=wish))


async def add_deal(
    transaction: Transaction,
    match_id: int,
    number: int,
    kind: str,
    winner: int | None,
    points: int,
    version: int,
    at: datetime,
) -> None:
    """Keep the result of a deal that is over."""
    values = {
        "match_id": match_id,
        "number": number,
        "kind": kind,
        "winner": winner,
        "points": points,
        "version": version,
        "ended_at": at,
    }
    await transaction.execute(insert(tables.deal).values(values))


async def finish(transaction: Transaction, match_id: int, results: Sequence[SeatResult], at: datetime) -> None:
    """Close a match with the result of each seat."""
    await transaction.execute(
        update(tables.match).where(_MATCH.id == match_id).values(status=MatchStatus.FINISHED, ended_at=at)
    )
    for seat, result in enumerate(results):
        row = update(tables.seat).where(_SEAT.match_id == match_id, _SEAT.seat == seat)
        await transaction.execute(row.values(**asdict(result)))


async def _matches(transaction: Transaction, *where: ColumnElement[bool]) -> tuple[MatchRow, ...]:
    return _grouped((await transaction.execute(_WITH_SEATS.where(*where))).all())


def _grouped(rows: Sequence[Any]) -> tuple[MatchRow, ...]:
    """Matches from a row for each of their seats."""
    seats: dict[int, list[SeatRow]] = {}
    for row in rows:
        seat = SeatRow(row.seat, _person(row), row.wants, row.seat_version, row.seat_moved_at)
        seats.setdefault(row.id, []).append(seat)
    own = {row.id: row[:_OWN_COLUMNS] for row in rows}
    return tuple(_match(columns, seats[match_id]) for match_id, columns in own.items())


def _match(columns: Sequence[Any], seats: Sequence[SeatRow]) -> MatchRow:
    match_id, guild_id, channel_id, homeless, system, rules, status, *others = columns
    own = (match_id, guild_id, channel_id, homeless, system, rules, MatchStatus(status))
    return MatchRow(*own, *others, seats=tuple(seats))


def _person(row: Any) -> PersonRow | None:
    if row.person_id is None or row.name is None:
        return None
    return PersonRow(
        row.person_id,
        row.name,
        row.hand_by_dm,
        row.push,
        row.challengers,
        row.dm_channel_id,
        row.dm_closed_at,
        row.seen_at,
        row.theme,
        row.four_colours,
        row.language,
        row.hand_order,
        row.pictures,
    )
