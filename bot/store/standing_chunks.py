"""Queries that compute ranks from chunks: the number of people in each section of a board, in each order.

Long chunks are split, and short ones are merged with their predecessor. A rank needs the sums of the chunks and the
rows of a single chunk.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, tuple_, update

from bot.store import tables
from bot.store.rows import StandingRow
from bot.store.transaction import Transaction
from bot.values.ids import PersonId
from bot.values.standings import Order

LARGEST: Final = 2_000
SMALLEST: Final = LARGEST // 4
"""Maximum and minimum number of people in a chunk. The first chunk of a board may be smaller."""

FIRST: Final = -1
"""Start key of the first chunk. It is lower than all real keys."""

_STANDING: Final = tables.standing.c
_CHUNK: Final = tables.standing_chunk.c

KEYS: Final = {Order.RATING: _STANDING.by_rating, Order.WINS: _STANDING.by_wins, Order.POINTS: _STANDING.by_points}
"""The column with the sort keys of each order."""

_START: Final = tuple_(_CHUNK.from_key, _CHUNK.from_person)
_HERE: Final = (_CHUNK.board_id == bindparam("on_board"), _CHUNK.sorted_by == bindparam("in_order"))
_AT: Final = tuple_(bindparam("key"), bindparam("person"))
_LAST_FIRST: Final = (_CHUNK.from_key.desc(), _CHUNK.from_person.desc())

_COUNT: Final = (
    update(tables.standing_chunk)
    .where(
        _CHUNK.id == select(_CHUNK.id).where(*_HERE, _START <= _AT).order_by(*_LAST_FIRST).limit(1).scalar_subquery()
    )
    .values(people=_CHUNK.people + bindparam("more"))
)
_UNEVEN: Final = (
    select(tables.standing_chunk)
    .where(
        _CHUNK.board_id.in_(bindparam("board_ids", expanding=True)),
        or_(
            _CHUNK.people > bindparam("largest"),
            and_(_CHUNK.people < bindparam("smallest"), _CHUNK.from_key > FIRST),
        ),
    )
    .limit(1)
)
_BEFORE: Final = select(_CHUNK.id).where(*_HERE, _START < _AT).order_by(*_LAST_FIRST).limit(1)
_IN_ORDER: Final = (
    select(_CHUNK.from_key, _CHUNK.from_person, _CHUNK.people)
    .where(*_HERE)
    .order_by(_CHUNK.from_key, _CHUNK.from_person)
)


def _beginning(order: Order) -> Any:
    """Return the condition for the standings on a board from the start of a chunk onwards."""
    start = tuple_(KEYS[order], _STANDING.person_id) >= tuple_(bindparam("from_key"), bindparam("from_person"))
    return and_(_STANDING.board_id == bindparam("on_board"), start)


_MIDDLES: Final = {
    order: select(key, _STANDING.person_id)
    .where(_beginning(order))
    .order_by(key, _STANDING.person_id)
    .limit(1)
    .offset(bindparam("skipped"))
    for order, key in KEYS.items()
}
_BETTER: Final = {
    order: select(func.count()).select_from(tables.standing).where(_beginning(order), key < bindparam("key"))
    for order, key in KEYS.items()
}


@dataclass(frozen=True, slots=True)
class Chunk:
    """A section of a board: its start (key and person), its number of people, and the number of people before it."""

    start: tuple[int, int]
    people: int
    before: int


async def begin(transaction: Transaction, board_id: int) -> None:
    """Add an empty chunk in each order for a new board."""
    new = {"board_id": board_id, "from_key": FIRST, "from_person": 0, "people": 0}
    await transaction.execute(insert(tables.standing_chunk), [new | {"sorted_by": order} for order in Order])


async def count(transaction: Transaction, before: Collection[StandingRow], after: Collection[StandingRow]) -> None:
    """Update the numbers of people: subtract standings `before` a change, and add standings `after` it."""
    values = [*_counts(before, -1), *_counts(after, 1)]
    if values:
        await transaction.execute(_COUNT, values)


def _counts(rows: Collection[StandingRow], more: int) -> Iterator[dict[str, Any]]:
    for row in rows:
        for order, column in KEYS.items():
            key: int | None = getattr(row, column.name)
            if key is not None:
                at = {"on_board": row.board_id, "in_order": order, "key": key, "person": row.person_id}
                yield at | {"more": more}


async def balance(transaction: Transaction, board_ids: Collection[int]) -> None:
    """Split chunks of these boards that are too long, and merge chunks that are too short with their predecessor."""
    values = {"board_ids": list(board_ids), "largest": LARGEST, "smallest": SMALLEST}
    while (uneven := (await transaction.execute(_UNEVEN, values)).first()) is not None:
        if uneven.people > LARGEST:
            await _divide(transaction, uneven)
        else:
            await _join(transaction, uneven)


async def _divide(transaction: Transaction, chunk: Any) -> None:
    half = chunk.people // 2
    start = {"from_key": chunk.from_key, "from_person": chunk.from_person}
    middle = _MIDDLES[chunk.sorted_by]
    found = await transaction.execute(middle, start | {"on_board": chunk.board_id, "skipped": half})
    [(key, person_id)] = found.all()
    await transaction.execute(update(tables.standing_chunk).where(_CHUNK.id == chunk.id).values(people=half))
    new = insert(tables.standing_chunk).values(board_id=chunk.board_id, sorted_by=chunk.sorted_by)
    await transaction.execute(new.values(from_key=key, from_person=person_id, people=chunk.people - half))


async def _join(transaction: Transaction, chunk: Any) -> None:
    at = {"on_board": chunk.board_id, "in_order": chunk.sorted_by, "key": chunk.from_key, "person": chunk.from_person}
    before = (await transaction.execute(_BEFORE, at)).scalar()
    longer = update(tables.standing_chunk).where(_CHUNK.id == before)
    await transaction.execute(longer.values(people=_CHUNK.people + chunk.people))
    await transaction.execute(delete(tables.standing_chunk).where(_CHUNK.id == chunk.id))


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Remove a person as the start of chunks. They must not be on any board."""
    beginning = select(tables.standing_chunk).where(_CHUNK.from_person == person_id)
    # Several chunks of a board may start with them, from their earlier keys. Merging in order of the keys ensures that
    # no chunk grows before it is merged itself.
    beginning = beginning.order_by(_CHUNK.from_key)
    chunks = (await transaction.execute(beginning)).all()
    for chunk in chunks:
        await _join(transaction, chunk)
    await balance(transaction, {chunk.board_id for chunk in chunks})


async def chunks(transaction: Transaction, board_id: int, order: Order) -> tuple[Chunk, ...]:
    """Return the chunks of a board in an order, the best first."""
    found: list[Chunk] = []
    before = 0
    for key, person_id, people in await transaction.execute(_IN_ORDER, {"on_board": board_id, "in_order": order}):
        found.append(Chunk((key, person_id), people, before))
        before += people
    return tuple(found)


async def better_in(transaction: Transaction, board_id: int, order: Order, chunk: Chunk, key: int) -> int:
    """Return the number of people on a board from the start of a chunk up to, but not including, a key."""
    start = {"from_key": chunk.start[0], "from_person": chunk.start[1]}
    found = await transaction.execute(_BETTER[order], start | {"on_board": board_id, "key": key})
    better: int | None = found.scalar()
    return better or 0
