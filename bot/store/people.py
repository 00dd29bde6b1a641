"""Queries about people: the name they had last, their preferences, and forgetting them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import delete, select, tuple_, update
from sqlalchemy.dialects.sqlite import insert

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import NoticeKind, PersonRow

_PERSON: Final = tables.person.c
_COLUMNS: Final = (
    _PERSON.id,
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


async def load(transaction: Transaction, person_id: int) -> PersonRow | None:
    """A person; None where they never used the bot, or were forgotten."""
    row = (await transaction.execute(select(*_COLUMNS).where(_PERSON.id == person_id))).first()
    return None if row is None else PersonRow(*row)


async def names(transaction: Transaction, person_ids: set[int]) -> dict[int, str]:
    """The names that are known of these people."""
    rows = await transaction.execute(select(_PERSON.id, _PERSON.name).where(_PERSON.id.in_(person_ids)))
    return {row.id: row.name for row in rows}


async def meet(transaction: Transaction, person_id: int, name: str, at: datetime) -> None:
    """Keep the name a person goes by now, and that they were here."""
    row = insert(tables.person).values(id=person_id, name=name, seen_at=at)
    await transaction.execute(row.on_conflict_do_update(index_elements=["id"], set_={"name": name, "seen_at": at}))


async def change(transaction: Transaction, person_id: int, **values: object) -> None:
    """Change columns of a person."""
    await transaction.execute(update(tables.person).where(_PERSON.id == person_id).values(**values))


async def met_before(transaction: Transaction, person_id: int, other_id: int) -> bool:
    """Whether two people have sat at one table."""
    mine, theirs = tables.seat.alias(), tables.seat.alias()
    query = (
        select(mine.c.match_id)
        .join(theirs, mine.c.match_id == theirs.c.match_id)
        .where(mine.c.person_id == person_id, theirs.c.person_id == other_id)
    )
    return (await transaction.execute(query.limit(1))).first() is not None


async def forget(transaction: Transaction, person_id: int) -> None:
    """Remove a person: their seats stay without a name, and nothing else does.

    Nor do the places of their own messages, which lead to their account: they go now, or, where a message is still to
    be removed, with it.
    """
    notice, seats = tables.notice.c, select(tables.seat.c.match_id, tables.seat.c.seat)
    own = tuple_(notice.subject, notice.part).in_(seats.where(tables.seat.c.person_id == person_id))
    settled = notice.kind.in_((NoticeKind.HAND, NoticeKind.PUSH)) & (notice.wanted <= notice.shown)
    await transaction.execute(delete(tables.notice).where(own, settled))
    await transaction.execute(
        update(tables.seat).where(tables.seat.c.person_id == person_id).values(person_id=None, wants=None)
    )
    await transaction.execute(delete(tables.person).where(_PERSON.id == person_id))
