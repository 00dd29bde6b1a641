"""Queries about the seasons of servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import and_, bindparam, case, delete, func, insert, select, update

from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.seasons import Award, Awarded, Season, Seasons
from bot.model.statistics import Category, Title
from bot.store import people, tables
from bot.store.rows import upsert
from bot.store.transaction import Transaction

_SEASON: Final = tables.season.c
_GUILD: Final = tables.guild.c

_CURRENT: Final = (
    select(_GUILD.seasons, _GUILD.time_zone, _SEASON.key, _SEASON.begins_at, _SEASON.ends_at)
    .select_from(tables.guild.outerjoin(tables.season, and_(tables.IS_OPEN_SEASON, _SEASON.guild_id == _GUILD.id)))
    .where(_GUILD.id == bindparam("guild_id"))
)

_BEGINNING: Final = (
    select(_SEASON.begins_at, _GUILD.time_zone)
    .join_from(tables.season, tables.guild, _GUILD.id == _SEASON.guild_id)
    .where(_SEASON.guild_id == bindparam("guild_id"), _SEASON.key == bindparam("key"))
)

_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_DEAL: Final = tables.deal.c
_PERSON: Final = tables.person.c
_IN_SEASON: Final = (
    _MATCH.guild_id == bindparam("guild_id"),
    _MATCH.season == bindparam("key"),
    _MATCH.era == _GUILD.era,
    _SEAT.person_id.is_not(None),
)
_SEATS_IN_SEASON: Final = tables.match.join(tables.seat).join(tables.guild, _GUILD.id == _MATCH.guild_id)
_SEATS: Final = (
    select(_SEAT.person_id, _SEAT.won, _SEAT.drawn, _SEAT.gins)
    .select_from(_SEATS_IN_SEASON)
    .where(*_IN_SEASON)
    .order_by(_MATCH.number, _SEAT.seat)
)
_DEALS: Final = (
    select(_SEAT.person_id, _MATCH.id, _DEAL.points)
    .select_from(_SEATS_IN_SEASON.join(tables.deal, and_(_DEAL.match_id == _MATCH.id, _DEAL.winner == _SEAT.seat)))
    .where(*_IN_SEASON, _DEAL.points > 0, _MATCH.category != Category.PENALTY)
    .order_by(_DEAL.points.desc(), _MATCH.number, _DEAL.number)
    .limit(bindparam("most"))
)


@dataclass(frozen=True, slots=True)
class SeasonSeat:
    """A person's result in one match of a season."""

    person_id: PersonId
    won: bool | None
    drawn: bool
    gins: int


@dataclass(frozen=True, slots=True)
class SeasonDeal:
    """A deal that a person won in a match of a season."""

    person_id: PersonId
    match_id: MatchId
    points: int


async def current(transaction: Transaction, guild_id: GuildId) -> tuple[Seasons, str, Season | None]:
    """Return the length of a server's seasons, its time zone, and its open season (None if no season is open)."""
    row = (await transaction.execute(_CURRENT, {"guild_id": guild_id})).first()
    if row is None:
        return Seasons.NONE, "UTC", None
    return row.seasons, row.time_zone, None if row.key is None else Season(row.key, row.begins_at, row.ends_at)


async def beginning(transaction: Transaction, guild_id: GuildId, key: str) -> tuple[datetime, str] | None:
    """Return when a season began, and the server's time zone; None if it has not begun or its beginning is unknown."""
    row = (await transaction.execute(_BEGINNING, {"guild_id": guild_id, "key": key})).one_or_none()
    return None if row is None or row.begins_at is None else (row.begins_at, row.time_zone)


async def last_closed(transaction: Transaction, guild_id: GuildId) -> str | None:
    """Return the key of the last closed season. None if no season was closed."""
    query = select(_SEASON.key).where(_SEASON.guild_id == guild_id, _SEASON.closed_at.is_not(None))
    return (await transaction.execute(query.order_by(_SEASON.ends_at.desc()).limit(1))).scalar()


async def open_season(transaction: Transaction, guild_id: GuildId, season: Season) -> None:
    """Open a season. Reopen one that was closed early, without changing its beginning."""
    end = {"ends_at": season.ends_at, "closed_at": None}
    row = upsert(transaction.dialect.name, tables.season).values(
        guild_id=guild_id, key=season.key, begins_at=season.begins_at, **end
    )
    await transaction.execute(row.on_conflict_do_update(index_elements=["guild_id", "key"], set_=end))


async def close_season(transaction: Transaction, guild_id: GuildId, at: datetime) -> None:
    """Close the running season of a server."""
    row = update(tables.season).where(tables.IS_OPEN_SEASON, _SEASON.guild_id == guild_id)
    await transaction.execute(row.values(closed_at=at))


async def running_after(transaction: Transaction, moment: datetime) -> tuple[GuildId, ...]:
    """Return the servers whose running season ends after a time."""
    query = select(_SEASON.guild_id).where(tables.IS_OPEN_SEASON, _SEASON.ends_at > moment)
    return tuple((await transaction.execute(query)).scalars())


async def unclosed(transaction: Transaction, now: datetime, limit: int) -> tuple[GuildId, ...]:
    """Return up to `limit` servers whose season has ended but is not closed, the longest overdue first."""
    query = (
        select(_SEASON.guild_id)
        .where(tables.IS_OPEN_SEASON, _SEASON.ends_at <= now)
        .order_by(_SEASON.ends_at)
        .limit(limit)
    )
    return tuple((await transaction.execute(query)).scalars())


async def seats(transaction: Transaction, guild_id: GuildId, key: str) -> tuple[SeasonSeat, ...]:
    """Return the results of people in the matches of a season since the last reset, in the order of the matches."""
    rows = await transaction.execute(_SEATS, {"guild_id": guild_id, "key": key})
    return tuple(SeasonSeat(*row) for row in rows)


async def largest_deals(transaction: Transaction, guild_id: GuildId, key: str, limit: int) -> tuple[SeasonDeal, ...]:
    """Return up to `limit` of the largest deals that people won in a season since the last reset.

    The largest deal is first; of equally large deals, the earliest is first. Matches in the penalty category are
    excluded, because a high score is not an achievement in them.
    """
    rows = await transaction.execute(_DEALS, {"guild_id": guild_id, "key": key, "most": limit})
    return tuple(SeasonDeal(*row) for row in rows)


async def save_awards(transaction: Transaction, guild_id: GuildId, key: str, awards: Sequence[Awarded]) -> None:
    """Save the awards of a season. Replace earlier ones."""
    award = tables.season_award.c
    await transaction.execute(delete(tables.season_award).where(award.guild_id == guild_id, award.key == key))
    rows = [
        {
            "guild_id": guild_id,
            "key": key,
            "award": award.award,
            "category": award.category or "",
            "person_id": award.person_id,
            "place": award.place,
            "value": award.value,
            "match_id": award.match_id,
        }
        for award in awards
    ]
    if rows:
        people.touch(transaction, {award.person_id for award in awards})
        await transaction.execute(insert(tables.season_award), rows)


async def awards(transaction: Transaction, guild_id: GuildId, key: str) -> tuple[Awarded, ...]:
    """Return the awards of a season, sorted by award, category, place and name."""
    award = tables.season_award.c
    channel = case((_MATCH.channel_deleted, None), else_=_MATCH.channel_id)
    query = (
        select(award.award, award.category, award.place, award.person_id, _PERSON.name, award.value)
        .add_columns(award.match_id, channel, _PERSON.username, _PERSON.avatar)
        .join(tables.person, _PERSON.id == award.person_id)
        .outerjoin(tables.match, _MATCH.id == award.match_id)
        .where(award.guild_id == guild_id, award.key == key)
        .order_by(award.award, award.category, award.place, func.lower(_PERSON.name))
    )
    rows = await transaction.execute(query)
    return tuple(
        Awarded(award_kind, Category(category) if category else None, *rest) for award_kind, category, *rest in rows
    )


async def awards_of(transaction: Transaction, person_id: PersonId) -> tuple[Mapping[Any, Any], ...]:
    """Return a person's awards in all seasons of all servers."""
    query = select(tables.season_award).where(tables.season_award.c.person_id == person_id)
    return tuple((await transaction.execute(query)).mappings().all())


async def titles(transaction: Transaction, guild_id: GuildId, person_id: PersonId) -> tuple[Title, ...]:
    """Return the seasons of a server that a person won, newest first."""
    award = tables.season_award.c
    query = (
        select(award.key, award.category)
        .join(tables.season, and_(_SEASON.guild_id == award.guild_id, _SEASON.key == award.key))
        .where(award.guild_id == guild_id, award.person_id == person_id, award.place == 1)
        .where(award.award == Award.PODIUM)
        .order_by(_SEASON.ends_at.desc(), award.category)
    )
    return tuple(Title(key, Category(category)) for key, category in await transaction.execute(query))


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person's awards."""
    await transaction.execute(delete(tables.season_award).where(tables.season_award.c.person_id == person_id))
