"""How people did on a server, match by match, and how much is played there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Final

from bot.engine.formats import FORMATS
from bot.play.values import Ladder, Played, Player, Profile, Rival, Week
from bot.store import guilds, profiles
from bot.store.database import Database, Transaction
from bot.store.rows import SeatOver

WEEKS: Final = 12
"""So many weeks of a server are told, this one among them."""

_FIRST_WEEK: Final = date(1969, 12, 29)


class Profiles:
    """What became of the matches that are over."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def of(self, person: tuple[int, str], guild_id: int, ladder: Ladder | None = None) -> Profile:
        """How a person did on a ladder of a server, or on the one they played on most."""

        async def work(transaction: Transaction) -> Profile:
            since = (await guilds.load(transaction, guild_id)).reset_at
            ladders = tuple(
                Ladder(name) for name, _ in await profiles.ladders_of(transaction, person[0], guild_id, since)
            )
            shown = ladder or next(iter(ladders), Ladder.POINTS)
            seats = await profiles.seats_with(transaction, person[0], guild_id, shown, since)
            return _profile(Player(*person), shown, ladders, seats)

        return await self._database.read(work)

    async def weeks(self, guild_id: int, ladder: Ladder, system: str | None = None) -> tuple[Week, ...]:
        """How much was played on a ladder of a server in the last weeks, oldest first; nothing where nothing was."""
        today = self._clock().date()
        first = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)

        async def work(transaction: Transaction) -> tuple[Week, ...]:
            reset_at = (await guilds.load(transaction, guild_id)).reset_at
            begun = datetime.combine(first, time(), UTC)
            since = begun if reset_at is None else max(begun, reset_at)
            rows = {row.number: row for row in await profiles.weeks(transaction, guild_id, ladder, system, since)}
            monday = (first - _FIRST_WEEK).days // 7
            return tuple(
                Week(first + timedelta(weeks=week), row.matches if row else 0, row.players if row else 0)
                for week in (range(WEEKS) if rows else ())
                for row in (rows.get(monday + week),)
            )

        return await self._database.read(work)


def _profile(player: Player, ladder: Ladder, ladders: tuple[Ladder, ...], seats: Sequence[SeatOver]) -> Profile:
    tables = [list(match) for _, match in groupby(seats, key=lambda seat: seat.match_id)]
    own = [next(seat for seat in match if seat.person_id == player.id) for match in tables]
    nets = [_net(ladder, seat, match) for seat, match in zip(own, tables, strict=True)]
    return Profile(
        player=player,
        ladder=ladder,
        ladders=ladders,
        played=tuple(Played(seat.ended_at, seat.won, seat.drawn, net) for seat, net in zip(own, nets, strict=True)),
        deals_won=sum(seat.deals_won for seat in own),
        deals_lost=sum(seat.deals_lost for seat in own),
        points=sum(seat.points for seat in own),
        gins=sum(seat.gins for seat in own),
        undercuts=sum(seat.undercuts for seat in own),
        rival=_rival(ladder, own, tables),
    )


def _sides(ladder: Ladder, match: Sequence[SeatOver]) -> list[list[SeatOver]]:
    """Who scored together."""
    if ladder is not Ladder.TEAMS:
        return [[seat] for seat in match]
    return [[seat for seat in match if seat.seat in side] for side in FORMATS["partners"].sides(len(match))]


def _net(ladder: Ladder, own: SeatOver, match: Sequence[SeatOver]) -> int:
    """What the own side has more than the best other; of penalty points, less."""
    sides = _sides(ladder, match)
    ours = sum(seat.points for side in sides if own in side for seat in side)
    others = [sum(seat.points for seat in side) for side in sides if own not in side]
    return min(others) - ours if ladder is Ladder.PENALTY else ours - max(others)


def _rival(ladder: Ladder, own: Sequence[SeatOver], tables: Sequence[Sequence[SeatOver]]) -> Rival | None:
    """Whom the person met most often, of equals the one they met last; nobody who was forgotten."""
    met = [
        (seat, other)
        for seat, match in zip(own, tables, strict=True)
        for side in _sides(ladder, match)
        if seat not in side
        for other in side
        if other.person_id is not None and other.name is not None
    ]
    if not met:
        return None
    # A counter keeps the order of first meetings, and `most_common` that of equals.
    number, times = Counter(other.person_id for _, other in reversed(met)).most_common(1)[0]
    results = [seat.won for seat, other in met if other.person_id == number]
    name = next(other.name for _, other in reversed(met) if other.person_id == number)
    return Rival(Player(number, name), times, results.count(True), results.count(False))
