"""Queries about the seasons of servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import and_, bindparam, delete, func, insert, select, update

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import save
from bot.values.ids import GuildId, PersonId
from bot.values.seasons import Awarded, Season, Seasons
from bot.values.statistics import Category

_SEASON: Final = tables.season.c
_GUILD: Final = tables.guild.c

_CURRENT: Final = (
    select(_GUILD.seasons, _GUILD.time_zone, _SEASON.key, _SEASON.ends_at)
    .select_from(tables.guild.outerjoin(tables.season, and_(tables.IS_OPEN, _SEASON.guild_id == _GUILD.id)))
    .where(_GUILD.id == bindparam("guild_id"))
)

_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_DEAL: Final = tables.deal.c
_PERSON: Final = tables.person.c
_LARGEST: Final = (
    select(func.max(_DEAL.points)).where(_DEAL.match_id == _SEAT.match_id, _DEAL.winner == _SEAT.seat).scalar_subquery()
)
_SEATS: Final = (
    select(_SEAT.person_id, _SEAT.won, _SEAT.drawn, _SEAT.gins, func.coalesce(_LARGEST, 0))
    .select_from(tables.match.join(tables.seat).join(tables.guild, _GUILD.id == _MATCH.guild_id))
    .where(_MATCH.guild_id == bindparam("guild_id"), _MATCH.season == bindparam("key"), _MATCH.era == _GUILD.era)
    .where(_SEAT.person_id.is_not(None))
    .order_by(_MATCH.number, _SEAT.seat)
)


@dataclass(frozen=True, slots=True)
class SeasonSeat:
    """What somebody did in a match of a season; `deal` is the most that they won in one deal."""

    person_id: PersonId
    won: bool | None
    drawn: bool
    gins: int
    deal: int


async def current(transaction: Transaction, guild_id: GuildId) -> tuple[Seasons, str, Season | None]:
    """Return which seasons a server has, its time zone, and the season that is not closed, None if there is none."""
    row = (await transaction.execute(_CURRENT, {"guild_id": guild_id})).first()
    if row is None:
        return Seasons.NONE, "UTC", None
    return row.seasons, row.time_zone, None if row.key is None else Season(row.key, row.ends_at)


async def last(transaction: Transaction, guild_id: GuildId) -> str | None:
    """Return the key of the season that was closed last; None if none was."""
    query = select(_SEASON.key).where(_SEASON.guild_id == guild_id, _SEASON.closed_at.is_not(None))
    return (await transaction.execute(query.order_by(_SEASON.ends_at.desc()).limit(1))).scalar()


async def begin(transaction: Transaction, guild_id: GuildId, season: Season) -> None:
    """Let a season run, also one that was closed before its end."""
    values = {"ends_at": season.ends_at, "closed_at": None}
    await save(transaction, tables.season, {"guild_id": guild_id, "key": season.key}, values)


async def close(transaction: Transaction, guild_id: GuildId, at: datetime) -> None:
    """Close the season that runs in a server."""
    row = update(tables.season).where(tables.IS_OPEN, _SEASON.guild_id == guild_id)
    await transaction.execute(row.values(closed_at=at))


async def running_beyond(transaction: Transaction, moment: datetime) -> tuple[GuildId, ...]:
    """Return servers whose season ends after a moment."""
    query = select(_SEASON.guild_id).where(tables.IS_OPEN, _SEASON.ends_at > moment)
    return tuple((await transaction.execute(query)).scalars())


async def overdue(transaction: Transaction, now: datetime, most: int) -> tuple[GuildId, ...]:
    """Return servers whose season has ended and is not closed yet."""
    query = select(_SEASON.guild_id).where(tables.IS_OPEN, _SEASON.ends_at <= now).order_by(_SEASON.ends_at).limit(most)
    return tuple((await transaction.execute(query)).scalars())


async def seats(transaction: Transaction, guild_id: GuildId, key: str) -> tuple[SeasonSeat, ...]:
    """Return the seats of people in the matches of a season since the last reset, by the order of the matches."""
    rows = await transaction.execute(_SEATS, {"guild_id": guild_id, "key": key})
    return tuple(SeasonSeat(*row) for row in rows)


async def save_awards(transaction: Transaction, guild_id: GuildId, key: str, awards: Sequence[Awarded]) -> None:
    """Save who got what in a season, in place of what was saved before."""
    award = tables.season_award.c
    await transaction.execute(delete(tables.season_award).where(award.guild_id == guild_id, award.key == key))
    rows = [
        {
            "guild_id": guild_id,
            "key": key,
            "award": one.award,
            "category": one.category or "",
            "person_id": one.person_id,
            "place": one.place,
            "value": one.value,
        }
        for one in awards
    ]
    if rows:
        await transaction.execute(insert(tables.season_award), rows)


async def awards(transaction: Transaction, guild_id: GuildId, key: str) -> tuple[Awarded, ...]:
    """Return who got what in a season, by award and place."""
    award = tables.season_award.c
    query = (
        select(award.award, award.category, award.place, award.person_id, _PERSON.name, award.value)
        .join(tables.person, _PERSON.id == award.person_id)
        .where(award.guild_id == guild_id, award.key == key)
        .order_by(award.award, award.category, award.place, func.lower(_PERSON.name))
    )
    rows = await transaction.execute(query)
    return tuple(Awarded(kind, Category(of) if of else None, *rest) for kind, of, *rest in rows)


async def awards_of(transaction: Transaction, person_id: PersonId) -> tuple[Mapping[Any, Any], ...]:
    """Return what a person got in all seasons of all servers."""
    query = select(tables.season_award).where(tables.season_award.c.person_id == person_id)
    return tuple((await transaction.execute(query)).mappings().all())


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Remove what a person got."""
    await transaction.execute(delete(tables.season_award).where(tables.season_award.c.person_id == person_id))
