"""Queries about leaderboards and the standings on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, insert, select, tuple_, update

from bot.model.ids import GuildId, PersonId
from bot.model.ratings import Rating
from bot.model.standings import ALL_TIME, RECENT, Order, Standing
from bot.model.statistics import Category
from bot.store import standing_chunks, tables
from bot.store.removal import StaleRows
from bot.store.rows import StandingRow, Upsert, columns_of, read_row, select_columns, upsert
from bot.store.transaction import Transaction

_BOARD: Final = tables.board.c
_STANDING: Final = tables.standing.c
_GUILD: Final = tables.guild.c
_PERSON: Final = tables.person.c

_KEYS: Final = standing_chunks.KEYS

_ON_GUILD: Final = (_BOARD.guild_id == bindparam("guild_id"), _BOARD.category == bindparam("category"))
_BOARDS: Final = select(_BOARD.ruleset, _BOARD.period, _BOARD.id).where(
    *_ON_GUILD, _BOARD.era == bindparam("era"), _BOARD.ruleset.in_(bindparam("rulesets", expanding=True))
)
_FIND_SEASON: Final = (
    select(_BOARD.id)
    .where(
        *_ON_GUILD,
        _BOARD.ruleset == bindparam("ruleset"),
        _BOARD.period == bindparam("period"),
        _BOARD.obsolete_since.is_(None),
    )
    .order_by(_BOARD.era.desc())
    .limit(1)
)
_FIND: Final = (
    select(_BOARD.id)
    .join(tables.guild, _GUILD.id == _BOARD.guild_id)
    .where(
        *_ON_GUILD,
        _BOARD.era == _GUILD.era,
        _BOARD.ruleset == bindparam("ruleset"),
        _BOARD.period == bindparam("period"),
    )
)
_LOAD: Final = select(*select_columns(StandingRow, tables.standing)).where(
    _STANDING.board_id.in_(bindparam("board_ids", expanding=True)),
    _STANDING.person_id.in_(bindparam("person_ids", expanding=True)),
)
_SORT_KEYS: Final = {
    order: select(_STANDING.person_id, key).where(_STANDING.board_id == bindparam("board_id"), key.is_not(None))
    for order, key in _KEYS.items()
}
_DELETE: Final = delete(tables.standing).where(
    _STANDING.board_id == bindparam("on_board"), _STANDING.person_id == bindparam("of_person")
)

_STANDING_COLUMNS: Final = (
    *(_STANDING[name] for name in ("deals_won", "deals_lost", "points", "gins", "undercuts")),
    *(_STANDING[name] for name in ("matches", "won", "lost", "drawn", "net", "person_id", "mu", "sigma", "rated")),
    _PERSON.name,
    _PERSON.username,
    _PERSON.avatar,
)
_OWN_STANDING: Final = (
    select(*_STANDING_COLUMNS, *_KEYS.values())
    .join(tables.person, _PERSON.id == _STANDING.person_id)
    .where(_STANDING.board_id == bindparam("board_id"), _STANDING.person_id == bindparam("person_id"))
)


def _page(order: Order) -> Any:
    """Return the query for consecutive rows of a board. It skips earlier rows in the index, without reading them."""
    key, board_id = _KEYS[order], _STANDING.board_id == bindparam("board_id")
    start = tuple_(key, _STANDING.person_id) >= tuple_(bindparam("from_key"), bindparam("from_person"))
    page_keys = (
        select(_STANDING.person_id)
        .where(board_id, start)
        .order_by(key, _STANDING.person_id)
        .limit(bindparam("rows"))
        .offset(bindparam("skipped"))
        .subquery("found")
    )
    return (
        select(*_STANDING_COLUMNS, key.label("key"))
        .select_from(page_keys.join(tables.standing, _STANDING.person_id == page_keys.c.person_id))
        .join(tables.person, _PERSON.id == _STANDING.person_id)
        .where(board_id)
        .order_by(key, _STANDING.person_id)
    )


_PAGES: Final = {order: _page(order) for order in Order}
_PROVISIONAL: Final = (
    select(*_STANDING_COLUMNS)
    .join(tables.person, _PERSON.id == _STANDING.person_id)
    .where(_STANDING.board_id == bindparam("board_id"), _STANDING.by_rating.is_(None), _STANDING.mu.is_not(None))
    .order_by(_STANDING.person_id)
    .limit(bindparam("rows"))
)


@cache
def _upsert_statement(dialect: str) -> Upsert:
    statement = upsert(dialect, tables.standing)
    key = [column.name for column in tables.standing.primary_key]
    new = {column.name: statement.excluded[column.name] for column in tables.standing.c if column.name not in key}
    return statement.on_conflict_do_update(index_elements=key, set_=new)


async def boards(
    transaction: Transaction, guild_id: GuildId, era: int, category: Category, rulesets: Collection[str]
) -> dict[tuple[str, str], int]:
    """Return the ids of a server's boards for these rulesets in an era, by ruleset and period."""
    values = {"guild_id": guild_id, "era": era, "category": category, "rulesets": list(rulesets)}
    return {(ruleset, period): board_id for ruleset, period, board_id in await transaction.execute(_BOARDS, values)}


async def add_board(
    transaction: Transaction,
    guild_id: GuildId,
    era: int,
    category: Category,
    ruleset: str,
    period: str,
    *,
    obsolete_since: datetime | None = None,
) -> int:
    """Add an empty board and return its id."""
    new = insert(tables.board).values(guild_id=guild_id, era=era, category=category, ruleset=ruleset, period=period)
    board_id = (await transaction.execute(new.values(obsolete_since=obsolete_since).returning(_BOARD.id))).scalar()
    assert board_id is not None
    await standing_chunks.create_first(transaction, board_id)
    return board_id


async def load(
    transaction: Transaction, board_ids: Collection[int], person_ids: Collection[PersonId]
) -> tuple[StandingRow, ...]:
    """Return the standings of these people on these boards. Omit people who are not on a board."""
    values = {"board_ids": list(board_ids), "person_ids": list(person_ids)}
    return tuple(read_row(StandingRow, row) for row in (await transaction.execute(_LOAD, values)).mappings())


async def all_of_person(transaction: Transaction, person_id: PersonId) -> tuple[StandingRow, ...]:
    """Return a person's standings on all boards."""
    query = select(*select_columns(StandingRow, tables.standing)).where(_STANDING.person_id == person_id)
    return tuple(read_row(StandingRow, row) for row in (await transaction.execute(query)).mappings())


async def export(transaction: Transaction, person_id: PersonId) -> tuple[Mapping[Any, Any], ...]:
    """Return a person's standings on all boards, with the columns that identify each board."""
    query = (
        select(_BOARD.guild_id, _BOARD.era, _BOARD.category, _BOARD.ruleset, _BOARD.period, *_STANDING)
        .join(tables.board, _BOARD.id == _STANDING.board_id)
        .where(_STANDING.person_id == person_id)
        .order_by(_BOARD.id)
    )
    return tuple((await transaction.execute(query)).mappings().all())


async def save(transaction: Transaction, rows: Collection[StandingRow], old_rows: Collection[StandingRow]) -> None:
    """Replace the standings `old_rows` with `rows`. People who are only in `old_rows` are removed from the board."""
    kept = {(row.board_id, row.person_id) for row in rows}
    removed = [row for row in old_rows if (row.board_id, row.person_id) not in kept]
    if removed:
        values = [{"on_board": row.board_id, "of_person": row.person_id} for row in removed]
        await transaction.execute(_DELETE, values)
    if rows:
        await transaction.execute(_upsert_statement(transaction.dialect.name), [columns_of(row) for row in rows])
    await standing_chunks.update_counts(transaction, old_rows, rows)
    await standing_chunks.balance(transaction, {row.board_id for row in (*rows, *old_rows)})


async def find_board(
    transaction: Transaction, guild_id: GuildId, category: Category, ruleset: str | None, period: str
) -> int | None:
    """Return the id of a server's board for a period. None if no match that counts on the board was finished.

    Boards of seasons that ended before a reset of the leaderboard are still found.
    """
    values = {"guild_id": guild_id, "category": category, "ruleset": ruleset or "", "period": period}
    query = _FIND if period in (ALL_TIME, RECENT) else _FIND_SEASON
    return (await transaction.execute(query, values)).scalar()


async def played_rulesets(transaction: Transaction, guild_id: GuildId) -> tuple[tuple[Category, str], ...]:
    """Return the categories and rulesets in which matches were finished on a server since its last reset."""
    query = (
        select(_BOARD.category, _BOARD.ruleset)
        .join(tables.guild, _GUILD.id == _BOARD.guild_id)
        .where(_BOARD.guild_id == guild_id, _BOARD.era == _GUILD.era)
        .where(_BOARD.period == ALL_TIME, _BOARD.ruleset != "")
        .order_by(_BOARD.category, func.lower(_BOARD.ruleset))
    )
    return tuple((row.category, row.ruleset) for row in await transaction.execute(query))


async def page(
    transaction: Transaction, board_id: int, order: Order, start: tuple[int, int], skipped: int, limit: int
) -> tuple[tuple[int, Standing], ...]:
    """Return up to `limit` standings with their sort keys, beginning `skipped` rows after `start` (key and person)."""
    values = {"board_id": board_id, "from_key": start[0], "from_person": start[1], "skipped": skipped, "rows": limit}
    standing_rows = (await transaction.execute(_PAGES[order], values)).mappings()
    return tuple((row["key"], _standing(row)) for row in standing_rows)


async def sort_keys(transaction: Transaction, board_id: int, order: Order) -> dict[PersonId, int]:
    """Return the sort key of every person with a place on a board."""
    rows = await transaction.execute(_SORT_KEYS[order], {"board_id": board_id})
    return dict(rows.all())


async def provisional(transaction: Transaction, board_id: int, limit: int) -> tuple[Standing, ...]:
    """Return up to `limit` people on a board whose ratings are not settled."""
    rows = (await transaction.execute(_PROVISIONAL, {"board_id": board_id, "rows": limit})).mappings()
    return tuple(_standing(row) for row in rows)


async def own_standing(
    transaction: Transaction, board_id: int, person_id: PersonId
) -> tuple[Standing, Mapping[Order, int | None]] | None:
    """Return a person's standing on a board and their sort key in each order. None if they are not on the board."""
    row = (await transaction.execute(_OWN_STANDING, {"board_id": board_id, "person_id": person_id})).mappings().first()
    return None if row is None else (_standing(row), {order: row[key.name] for order, key in _KEYS.items()})


async def rated_boards(transaction: Transaction, guild_id: GuildId, era: int, category: Category) -> tuple[int, ...]:
    """Return the boards with ratings: all-time and recent."""
    board_ids = await boards(transaction, guild_id, era, category, [""])
    return tuple(board_id for (_, period), board_id in board_ids.items() if period in (ALL_TIME, RECENT))


async def next_standings(transaction: Transaction, board_id: int, after: int, limit: int) -> tuple[StandingRow, ...]:
    """Return up to `limit` standings of a board, with person ids above `after` in ascending order."""
    query = select(*select_columns(StandingRow, tables.standing)).where(
        _STANDING.board_id == board_id, _STANDING.person_id > after
    )
    query = query.order_by(_STANDING.person_id).limit(limit)
    return tuple(read_row(StandingRow, row) for row in (await transaction.execute(query)).mappings())


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    rows = await all_of_person(transaction, person_id)
    await save(transaction, (), rows)
    await standing_chunks.forget(transaction, person_id)


async def mark_obsolete(
    transaction: Transaction, guild_id: GuildId, era: int, season: str | None, since: datetime
) -> None:
    """Mark a server's all-time, 30-day and running-season leaderboards of an era as obsolete.

    A reset of the leaderboards begins a new era.
    """
    statement = update(tables.board).where(_BOARD.guild_id == guild_id, _BOARD.era == era)
    await transaction.execute(
        statement.where(_BOARD.period.in_((ALL_TIME, RECENT, season or RECENT))).values(obsolete_since=since)
    )


def obsolete_boards(_: datetime) -> StaleRows:
    """Select obsolete boards for removal."""
    return StaleRows(tables.board, (tables.IS_OBSOLETE,), max_parents=1)


def _standing(row: Mapping[Any, Any]) -> Standing:
    rating = None if row["mu"] is None else Rating(row["mu"], row["sigma"])
    return read_row(Standing, row, rating=rating, ambiguous=False)
