"""Updates the records of servers, inside the units of work that end matches or backfill the record tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from bot.engine.matches.match import Match
from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.matches import MatchInfo, MatchKind
from bot.model.records import MAX_RECORDS_PER_KIND, Entry, RecordKind, Streak
from bot.model.statistics import SeatResult
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.records.candidates import candidates
from bot.store import guilds, records
from bot.store.records import OwnResult

MIN_STREAK: Final = 2
"""Minimum number of wins for a streak to be a record."""


async def enter_match(unit: UnitOfWork, info: MatchInfo, match: Match, results: Sequence[SeatResult]) -> None:
    """Enter the record candidates of a match that has just ended into its server's records.

    The match's end and results must already be saved. Casual matches and matches without a finished deal do not count.
    """
    if info.kind is not MatchKind.STANDARD or info.guild_id is None or not match.finished:
        return
    assert info.ended_at is not None
    entries = await match_candidates(unit, info.id, match, info.ended_at)
    for seat, (player, result) in enumerate(zip(info.players, results, strict=True)):
        if player.id is not None:
            own = OwnResult(info.guild_id, info.id, seat, result.won, result.drawn, info.ended_at)
            entries += await _update_streak(unit, player.id, own)
    await enter(unit, info.guild_id, entries)


async def match_candidates(unit: UnitOfWork, match_id: MatchId, match: Match, ended_at: datetime) -> list[Entry]:
    """Return the record candidates of a finished match, except streaks."""
    return list(candidates(match, match_id, await records.deal_ends(unit.transaction, match_id), ended_at))


async def enter_streaks(unit: UnitOfWork, person_id: PersonId) -> None:
    """Enter all streaks of a person, on every server, recomputed from their matches."""
    for guild_id in await records.guilds_played_on(unit.transaction, person_id):
        await enter(unit, guild_id, await _recompute_streaks(unit, person_id, guild_id))


async def enter(unit: UnitOfWork, guild_id: GuildId, entries: Iterable[Entry]) -> None:
    """Enter record candidates into a server's records, and keep the best `MAX_RECORDS_PER_KIND` of each kind.

    This is idempotent, and the order of calls does not matter.
    """
    held = await records.load(unit.transaction, guild_id)
    best = {entry.key: entry for entry in held}
    for entry in entries:
        best_entry = best.get(entry.key)
        if best_entry is None or entry.sort_key < best_entry.sort_key:
            best[entry.key] = entry
    kept: set[Entry] = set()
    for kind in RecordKind:
        kept.update(
            sorted((entry for entry in best.values() if entry.kind is kind), key=lambda entry: entry.sort_key)[
                :MAX_RECORDS_PER_KIND
            ]
        )
    if removed := set(held) - kept:
        await records.remove(unit.transaction, guild_id, removed)
    if new := kept - set(held):
        await records.add(unit.transaction, guild_id, sorted(new, key=lambda entry: entry.sort_key))


async def _update_streak(unit: UnitOfWork, person_id: PersonId, result: OwnResult) -> list[Entry]:
    """Update a person's streak after a match that has just ended, and return the streak if it might be a record."""
    before = await records.streak(unit.transaction, result.guild_id, person_id)
    if before is None:
        return await _recompute_streaks(unit, person_id, result.guild_id)
    after = _streak_after(before, result)
    if after != before:
        await records.save_streak(unit.transaction, result.guild_id, person_id, after)
    return [] if after.length <= before.length else _streak_entry(after, result)


async def _recompute_streaks(unit: UnitOfWork, person_id: PersonId, guild_id: GuildId) -> list[Entry]:
    """Recompute and save a person's streak on a server from all their results. Return streaks that might be records."""
    era = (await guilds.load(unit.transaction, guild_id)).era
    streak, entries = Streak(0), list[Entry]()
    for result in await records.results(unit.transaction, person_id, guild_id, era):
        before, streak = streak, _streak_after(streak, result)
        if streak.length > before.length:
            entries += _streak_entry(streak, result)
    await records.save_streak(unit.transaction, guild_id, person_id, streak)
    return entries


def _streak_after(streak: Streak, result: OwnResult) -> Streak:
    """Return a person's streak after one more match.

    A match without a result does not end the streak, but a draw does.
    """
    if result.won:
        begun = streak if streak.length else Streak(0, result.match_id, result.seat)
        return Streak(begun.length + 1, begun.match_id, begun.seat)
    return Streak(0) if result.won is False or result.drawn else streak


def _streak_entry(streak: Streak, last: OwnResult) -> list[Entry]:
    """Return a streak that ends with the match `last` as a record candidate; empty if it is too short."""
    if streak.length < MIN_STREAK:
        return []
    assert streak.match_id is not None
    assert streak.seat is not None
    return [Entry(RecordKind.STREAK, streak.match_id, 0, streak.seat, streak.length, last.ended_at)]
