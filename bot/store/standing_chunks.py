"""Queries that compute ranks on leaderboards. For each sort order, a board is divided into chunks of people.

Long chunks are split, and short ones are merged with their predecessor. Each chunk stores its number of people. So a
rank is computed by adding up the numbers of the chunks before it, and then counting rows of a single chunk.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, tuple_, update

from bot.model.ids import PersonId
from bot.model.standings import Order
from bot.store import tables
from bot.store.rows import StandingRow
from bot.store.transaction import Transaction

MAX_CHUNK_SIZE: Final = 2_000
"""Maximum number of people in a chunk."""
MIN_CHUNK_SIZE: Final = MAX_CHUNK_SIZE // 4
"""Minimum number of people in a chunk. The first chunk of a board may be smaller."""

FIRST_KEY: Final = -1
"""Start key of the first chunk of a board. It is lower than all real keys."""

_STANDING: Final = tables.standing.c
_CHUNK: Final = tables.standing_chunk.c

KEYS: Final = {Order.RATING: _STANDING.by_rating, Order.WINS: _STANDING.by_wins, Order.POINTS: _STANDING.by_points}
"""The column with the sort keys for each sort order."""

_START: Final = tuple_(_CHUNK.from_key, _CHUNK.from_person)
_ON_BOARD: Final = (_CHUNK.board_id == bindparam("on_board"), _CHUNK.sorted_by == bindparam("in_order"))
_POSITION: Final = tuple_(bindparam("key"), bindparam("person"))
_LAST_FIRST: Final = (_CHUNK.from_key.desc(), _CHUNK.from_person.desc())

_ADD_PEOPLE: Final = (
    update(tables.standing_chunk)
    .where(
        _CHUNK.id
        == select(_CHUNK.id).where(*_ON_BOARD, _START <= _POSITION).order_by(*_LAST_FIRST).limit(1).scalar_subquery()
    )
    .values(people=_CHUNK.people + bindparam("more"))
)
_UNBALANCED: Final = (
    select(tables.standing_chunk)
    .where(
        _CHUNK.board_id.in_(bindparam("board_ids", expanding=True)),
        or_(
            _CHUNK.people > bindparam("largest"),
            and_(_CHUNK.people < bindparam("smallest"), _CHUNK.from_key > FIRST_KEY),
        ),
    )
    .limit(1)
)
_PREVIOUS: Final = select(_CHUNK.id).where(*_ON_BOARD, _START < _POSITION).order_by(*_LAST_FIRST).limit(1)
_ALL_CHUNKS: Final = (
    select(_CHUNK.from_key, _CHUNK.from_person, _CHUNK.people)
    .where(*_ON_BOARD)
    .order_by(_CHUNK.from_key, _CHUNK.from_person)
)


def _from_start(order: Order) -> Any:
    """Return the condition for the standings from the start of a chunk to the end of the board."""
    start = tuple_(KEYS[order], _STANDING.person_id) >= tuple_(bindparam("from_key"), bindparam("from_person"))
    return and_(_STANDING.board_id == bindparam("on_board"), start)


_MIDDLE_OF: Final = {
    order: select(key, _STANDING.person_id)
    .where(_from_start(order))
    .order_by(key, _STANDING.person_id)
    .limit(1)
    .offset(bindparam("skipped"))
    for order, key in KEYS.items()
}
_COUNT_BETTER: Final = {
    order: select(func.count()).select_from(tables.standing).where(_from_start(order), key < bindparam("key"))
    for order, key in KEYS.items()
}


@dataclass(frozen=True, slots=True)
class Chunk:
    """A section of a board: its start (key and person), its number of people, and the number of people before it."""

    start: tuple[int, int]
    people: int
    people_before: int


async def create_first(transaction: Transaction, board_id: int) -> None:
    """Add the first chunk of each sort order to a new board. These chunks are empty."""
    new = {"board_id": board_id, "from_key": FIRST_KEY, "from_person": 0, "people": 0}
    await transaction.execute(insert(tables.standing_chunk), [new | {"sorted_by": order} for order in Order])


async def update_counts(
    transaction: Transaction, before: Collection[StandingRow], after: Collection[StandingRow]
) -> None:
    """Update the chunks' numbers of people: subtract the standings `before` a change, and add those `after` it."""
    values = [*_changes(before, -1), *_changes(after, 1)]
    if values:
        await transaction.execute(_ADD_PEOPLE, values)


def _changes(rows: Collection[StandingRow], change: int) -> Iterator[dict[str, Any]]:
    for row in rows:
        for order in Order:
            key = row.sort_key(order)
            if key is not None:
                position = {"on_board": row.board_id, "in_order": order, "key": key, "person": row.person_id}
                yield position | {"more": change}


async def balance(transaction: Transaction, board_ids: Collection[int]) -> None:
    """On these boards, split chunks that are too long, and merge each chunk that is too short with its predecessor."""
    values = {"board_ids": list(board_ids), "largest": MAX_CHUNK_SIZE, "smallest": MIN_CHUNK_SIZE}
    while (chunk := (await transaction.execute(_UNBALANCED, values)).first()) is not None:
        if chunk.people > MAX_CHUNK_SIZE:
            await _split(transaction, chunk)
        else:
            await _merge(transaction, chunk)


async def _split(transaction: Transaction, chunk: Any) -> None:
    half = chunk.people // 2
    start = {"from_key": chunk.from_key, "from_person": chunk.from_person}
    middle = _MIDDLE_OF[chunk.sorted_by]
    rows = await transaction.execute(middle, start | {"on_board": chunk.board_id, "skipped": half})
    [(key, person_id)] = rows.all()
    await transaction.execute(update(tables.standing_chunk).where(_CHUNK.id == chunk.id).values(people=half))
    insertion = insert(tables.standing_chunk).values(board_id=chunk.board_id, sorted_by=chunk.sorted_by)
    await transaction.execute(insertion.values(from_key=key, from_person=person_id, people=chunk.people - half))


async def _merge(transaction: Transaction, chunk: Any) -> None:
    position = {
        "on_board": chunk.board_id,
        "in_order": chunk.sorted_by,
        "key": chunk.from_key,
        "person": chunk.from_person,
    }
    previous_id = (await transaction.execute(_PREVIOUS, position)).scalar()
    statement = update(tables.standing_chunk).where(_CHUNK.id == previous_id)
    await transaction.execute(statement.values(people=_CHUNK.people + chunk.people))
    await transaction.execute(delete(tables.standing_chunk).where(_CHUNK.id == chunk.id))


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Forget a person who is no longer on any board. Merge each chunk that starts with them into the previous chunk."""
    query = select(tables.standing_chunk).where(_CHUNK.from_person == person_id)
    # Several chunks of a board may start with old keys of the person. Merge them in the order of their keys: otherwise
    # a merge could add people to a chunk that comes later in `chunks`, whose `people` would then be outdated.
    query = query.order_by(_CHUNK.from_key)
    chunks = (await transaction.execute(query)).all()
    for chunk in chunks:
        await _merge(transaction, chunk)
    await balance(transaction, {chunk.board_id for chunk in chunks})


async def chunks(transaction: Transaction, board_id: int, order: Order) -> tuple[Chunk, ...]:
    """Return the chunks of a board in a sort order, the chunk with the best people first."""
    result: list[Chunk] = []
    before = 0
    for key, person_id, people in await transaction.execute(_ALL_CHUNKS, {"on_board": board_id, "in_order": order}):
        result.append(Chunk((key, person_id), people, before))
        before += people
    return tuple(result)


async def count_better(transaction: Transaction, board_id: int, order: Order, chunk: Chunk, key: int) -> int:
    """Return the number of people on a board from the start of a chunk up to, but not including, a key."""
    start = {"from_key": chunk.start[0], "from_person": chunk.start[1]}
    row = await transaction.execute(_COUNT_BETTER[order], start | {"on_board": board_id, "key": key})
    better: int | None = row.scalar()
    return better or 0
