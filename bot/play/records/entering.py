"""Updates the records of servers: steps of the units of work that end matches or backfill the tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from bot.engine.match import Match
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.records.candidates import candidates
from bot.store import guilds, records
from bot.store.records import OwnResult
from bot.values.ids import GuildId, MatchId, PersonId
from bot.values.matches import MatchInfo, MatchKind
from bot.values.records import KEPT, Entry, RecordKind, Streak
from bot.values.statistics import SeatResult

SHORTEST_STREAK: Final = 2
"""Minimum number of wins for a streak to be a record."""


async def enter_match(unit: UnitOfWork, info: MatchInfo, match: Match, results: Sequence[SeatResult]) -> None:
    """Enter the possible records of a match that has just ended.

    Its end and its results must already be saved. Casual matches and matches without a finished deal do not count.
    """
    if info.kind is not MatchKind.STANDARD or info.guild_id is None or not match.finished:
        return
    assert info.ended_at is not None
    found = await found_in(unit, info.id, match, info.ended_at)
    for seat, (player, result) in enumerate(zip(info.players, results, strict=True)):
        if player.id is not None:
            own = OwnResult(info.guild_id, info.id, seat, result.won, result.drawn, info.ended_at)
            found += await _lengthened(unit, player.id, own)
    await enter(unit, info.guild_id, found)


async def found_in(unit: UnitOfWork, match_id: MatchId, match: Match, ended_at: datetime) -> list[Entry]:
    """Return the possible records of a finished match, except streaks."""
    return list(candidates(match, match_id, await records.deal_ends(unit.transaction, match_id), ended_at))


async def enter_streaks(unit: UnitOfWork, person_id: PersonId) -> None:
    """Enter all streaks of a person, on every server, recomputed from their matches."""
    for guild_id in await records.servers(unit.transaction, person_id):
        await enter(unit, guild_id, await _from_the_start(unit, person_id, guild_id))


async def enter(unit: UnitOfWork, guild_id: GuildId, found: Iterable[Entry]) -> None:
    """Enter possible records of a server, and keep the best `KEPT` of each kind.

    This is idempotent, and the order of calls does not matter.
    """
    held = await records.load(unit.transaction, guild_id)
    best = {entry.key: entry for entry in held}
    for entry in found:
        known = best.get(entry.key)
        if known is None or entry.rank < known.rank:
            best[entry.key] = entry
    kept: set[Entry] = set()
    for kind in RecordKind:
        kept.update(sorted((one for one in best.values() if one.kind is kind), key=lambda one: one.rank)[:KEPT])
    if gone := set(held) - kept:
        await records.remove(unit.transaction, guild_id, gone)
    if new := kept - set(held):
        await records.add(unit.transaction, guild_id, sorted(new, key=lambda one: one.rank))


async def _lengthened(unit: UnitOfWork, person_id: PersonId, result: OwnResult) -> list[Entry]:
    """Update a person's streak after a match that has just ended, and return its possible record."""
    before = await records.streak(unit.transaction, result.guild_id, person_id)
    if before is None:
        return await _from_the_start(unit, person_id, result.guild_id)
    after = _after(before, result)
    if after != before:
        await records.save_streak(unit.transaction, result.guild_id, person_id, after)
    return [] if after.length <= before.length else _streak_entry(after, result)


async def _from_the_start(unit: UnitOfWork, person_id: PersonId, guild_id: GuildId) -> list[Entry]:
    """Recompute and save a person's streak on a server from all their results, and return all possible records."""
    era = (await guilds.load(unit.transaction, guild_id)).era
    streak, found = Streak(0), list[Entry]()
    for result in await records.results(unit.transaction, person_id, guild_id, era):
        before, streak = streak, _after(streak, result)
        if streak.length > before.length:
            found += _streak_entry(streak, result)
    await records.save_streak(unit.transaction, guild_id, person_id, streak)
    return found


def _after(streak: Streak, result: OwnResult) -> Streak:
    """Return a streak after another match. A match without a result does not end it, but a draw does."""
    if result.won:
        begun = streak if streak.length else Streak(0, result.match_id, result.seat)
        return Streak(begun.length + 1, begun.match_id, begun.seat)
    return Streak(0) if result.won is False or result.drawn else streak


def _streak_entry(streak: Streak, last: OwnResult) -> list[Entry]:
    """Return a streak's entry as of its last match, if it is long enough for a record."""
    if streak.length < SHORTEST_STREAK:
        return []
    assert streak.match_id is not None
    assert streak.seat is not None
    return [Entry(RecordKind.STREAK, streak.match_id, 0, streak.seat, streak.length, last.ended_at)]
