"""Reads pages of the leaderboards, and does their upkeep: closes seasons, and removes old matches and boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.model.ids import GuildId, PersonId
from bot.model.seasons import Award, Awarded, ShownSeasons, season_at
from bot.model.standings import ALL_TIME, MAX_PROVISIONAL, RECENT, Leaderboard, Order, Ranked, has_ratings
from bot.model.statistics import Category, Rank
from bot.model.time_zones import zone_info
from bot.play.loading.batches import in_batches
from bot.play.loading.leftovers import remove_leftovers
from bot.play.loading.unit_of_work import Service, shielded
from bot.play.standing.counting import remove_from_recent
from bot.play.standing.movements import MAX_PEOPLE, movement, places_a_week_ago
from bot.play.standing.seasons import ensure_current_season, late_beginning
from bot.store import ended_matches, guilds, records, seasons, standing_chunks, standings
from bot.store.database import Lane
from bot.store.standing_chunks import Chunk
from bot.store.transaction import Transaction

PAGE_SIZE: Final = 10

REMOVALS_PER_TRANSACTION: Final = 50
"""Maximum number of matches that one transaction removes from boards. It is small because players wait for the
transaction."""


class Leaderboards(Service):
    """The leaderboards of servers."""

    async def page(
        self,
        guild_id: GuildId,
        person_id: PersonId,
        *,
        category: Category = Category.POINTS,
        ruleset: str | None = None,
        period: str = ALL_TIME,
        order: Order | None = None,
        page: int = 0,
    ) -> Leaderboard:
        """Return a page of a server's leaderboard for a period, with the person's own row and place.

        If the leaderboard has fewer pages, return its last page. If `ruleset` is given, only matches with this preset
        or house rule count. The default order is by rating for all time if any rating is settled, otherwise by matches
        won. Seasons and rulesets have no ratings, so their order by rating is by matches won.

        For all time and the running season, the rows have movements, unless there are too many people or matches.
        """
        async with self._units.read() as unit:
            transaction = unit.transaction
            actual_order = order or (Order.RATING if period == ALL_TIME else Order.WINS)
            if actual_order is Order.RATING and not has_ratings(period, ruleset):
                actual_order = Order.WINS
            is_season = period not in (ALL_TIME, RECENT)
            began_late_at = await late_beginning(transaction, guild_id, period) if is_season else None
            board_id = await standings.find_board(transaction, guild_id, category, ruleset, period)
            if board_id is None:
                shown_order = actual_order if order else Order.WINS
                return Leaderboard(shown_order, 0, 0, 1, (), None, None, began_late_at=began_late_at)
            chunks = await standing_chunks.chunks(transaction, board_id, actual_order)
            if order is None and not _people_count(chunks):
                actual_order = Order.WINS
                chunks = await standing_chunks.chunks(transaction, board_id, actual_order)
            people = _people_count(chunks)
            pages = max(1, -(-people // PAGE_SIZE))
            page = min(page, pages - 1)
            rows = await _rows(transaction, board_id, actual_order, chunks, page * PAGE_SIZE)
            own = await standings.own_standing(transaction, board_id, person_id)
            own_key = None if own is None else own[1][actual_order]
            own_place = None if own_key is None else await _place(transaction, board_id, actual_order, chunks, own_key)
            board = Leaderboard(
                actual_order, people, page, pages, rows, own and own[0], own_place, began_late_at=began_late_at
            )
            if people <= MAX_PEOPLE and await _is_compared(transaction, guild_id, period, unit.now):
                board = _with_movements(
                    board, await places_a_week_ago(transaction, board_id, category, actual_order, unit.now)
                )
            if actual_order is not Order.RATING:
                return board
            everyone = _people_count(await standing_chunks.chunks(transaction, board_id, Order.WINS))
            provisional = await standings.provisional(transaction, board_id, MAX_PROVISIONAL)
            return replace(board, provisional=provisional, provisional_people=everyone - people)

    async def seasons(self, guild_id: GuildId) -> ShownSeasons:
        """Return the keys of a server's current season and of the previous one."""
        async with self._units.read() as unit:
            kind, zone, running = await seasons.current(unit.transaction, guild_id)
            last = await seasons.last_closed(unit.transaction, guild_id)
            season = season_at(unit.now, kind, zone_info(zone))
        if running is None or season is None or unit.now < running.ends_at:
            shown = season if running is None or season is None else running
            return ShownSeasons(shown and shown.key, last)
        return ShownSeasons(season.key, running.key)

    async def awards(self, guild_id: GuildId, season: str) -> tuple[Awarded, ...]:
        """Return the awards of a season: the podium of each category, and the winners of every other award."""
        async with self._units.read() as unit:
            awards = await seasons.awards(unit.transaction, guild_id, season)
        largest = max((award.value for award in awards if award.award is Award.DEAL), default=0)
        return tuple(award for award in awards if award.award is not Award.DEAL or award.value == largest)

    async def categories_played(self, guild_id: GuildId) -> tuple[tuple[Category, str], ...]:
        """Return the categories and rulesets in which matches have finished since the last reset."""
        async with self._units.read() as unit:
            return await standings.played_rulesets(unit.transaction, guild_id)

    @shielded
    async def reset(self, guild_id: GuildId) -> None:
        """Start a new era with empty leaderboards and records. The matches are kept."""
        async with self._units.write() as unit:
            # A season that is over is closed first, while its matches still count.
            season = await ensure_current_season(unit.transaction, guild_id, unit.now)
            era = (await guilds.load(unit.transaction, guild_id)).era
            await guilds.change(unit.transaction, guild_id, era=era + 1)
            await standings.mark_obsolete(unit.transaction, guild_id, era, season, unit.now)
            await records.clear(unit.transaction, guild_id)

    async def run_upkeep(self) -> None:
        """Close finished seasons, remove old matches from the 30-day boards, and delete boards from before a reset."""
        await in_batches(self._close_season)
        await in_batches(self._remove_some_recent)
        await remove_leftovers(self._units, standings.obsolete_boards)

    @shielded
    async def _close_season(self) -> bool:
        """Close the finished season of one server. Return False if there was none."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await seasons.unclosed(unit.transaction, unit.now, 1):
                return False
        async with self._units.write() as unit:
            for guild_id in await seasons.unclosed(unit.transaction, unit.now, 1):
                await ensure_current_season(unit.transaction, guild_id, unit.now)
                unit.guilds_with_messages.add(guild_id)
        return True

    @shielded
    async def _remove_some_recent(self) -> bool:
        # Read first: even an empty write transaction blocks other writers.
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await ended_matches.due_to_leave_recent(unit.transaction, unit.now, 1):
                return False
        async with self._units.write() as unit:
            for ended in await ended_matches.due_to_leave_recent(unit.transaction, unit.now, REMOVALS_PER_TRANSACTION):
                await remove_from_recent(unit.transaction, ended)
        return True


async def rank_of(transaction: Transaction, guild_id: GuildId, category: Category, person_id: PersonId) -> Rank | None:
    """Return a person's rating in a category of a server, with its place; None before the first rated match."""
    board_id = await standings.find_board(transaction, guild_id, category, None, ALL_TIME)
    own = None if board_id is None else await standings.own_standing(transaction, board_id, person_id)
    if board_id is None or own is None or own[0].rating is None:
        return None
    chunks, key = await standing_chunks.chunks(transaction, board_id, Order.RATING), own[1][Order.RATING]
    place = None if key is None else await _place(transaction, board_id, Order.RATING, chunks, key)
    return Rank(own[0].rating, place, _people_count(chunks))


async def _is_compared(transaction: Transaction, guild_id: GuildId, period: str, now: datetime) -> bool:
    """Return True if the leaderboards of a period are compared with those a week ago: all time and the running season.

    People fall on the 30-day leaderboards without playing, and finished seasons no longer change.
    """
    if period in (ALL_TIME, RECENT):
        return period == ALL_TIME
    _, _, running = await seasons.current(transaction, guild_id)
    return running is not None and running.key == period and now < running.ends_at


def _with_movements(board: Leaderboard, earlier: Mapping[PersonId, int] | None) -> Leaderboard:
    """Add movements to a page of a leaderboard, given the places a week ago; None if there is no comparison."""
    if earlier is None:
        return board
    rows = [replace(row, movement=movement(row.place, row.standing.person_id, earlier)) for row in board.rows]
    own = None
    if board.own is not None and board.own_place is not None:
        own = movement(board.own_place, board.own.person_id, earlier)
    return replace(board, rows=tuple(rows), own_movement=own)


def _people_count(chunks: Sequence[Chunk]) -> int:
    return sum(chunk.people for chunk in chunks)


async def _rows(
    transaction: Transaction, board_id: int, order: Order, chunks: Sequence[Chunk], position: int
) -> tuple[Ranked, ...]:
    """Return the page that begins at a position, each row with its place."""
    chunk = next(chunk for chunk in reversed(chunks) if chunk.people_before <= position)
    page = await standings.page(transaction, board_id, order, chunk.start, position - chunk.people_before, PAGE_SIZE)
    rows: list[Ranked] = []
    last: int | None = None
    for number, (key, standing) in enumerate(page):
        if rows and key == last:
            place = rows[-1].place
        elif rows or position == 0:
            place = position + number + 1
        else:
            place = await _place(transaction, board_id, order, chunks, key)
        rows.append(Ranked(place, standing))
        last = key
    # Sort ties on the same page by name.
    return tuple(sorted(rows, key=lambda row: (row.place, row.standing.name.casefold())))


async def _place(transaction: Transaction, board_id: int, order: Order, chunks: Sequence[Chunk], key: int) -> int:
    """Return the place of a key: one plus the number of people with a better key."""
    chunk = next(chunk for chunk in reversed(chunks) if chunk.start <= (key, 0))
    return 1 + chunk.people_before + await standing_chunks.count_better(transaction, board_id, order, chunk, key)
