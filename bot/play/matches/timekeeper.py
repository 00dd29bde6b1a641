"""The timekeeper: reminds players of their turns, and handles turns whose time has run out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.engine.moves import Seat
from bot.play.clocks.turn_time import TimeEvent
from bot.play.loading.loaded_match import LoadedMatch, UnreadableMatchError
from bot.play.loading.unit_of_work import LOOKS_AFTER, UnitOfWork, Units, shielded
from bot.play.matches.absences import call_waiting, change_seat, note_back, note_gone, stop_time
from bot.play.matches.losing import lose_on_time
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.matches.members import UNKNOWN, Members, Whereabouts, ask_about
from bot.play.matches.vacancies import end_vacancy
from bot.play.outbox.changes import enqueue_reminder
from bot.play.refusals import NoMatch, Unavailable
from bot.store import clocks, matches
from bot.store.database import Lane
from bot.store.errors import ConflictError
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchInfo
from bot.values.presence import Presence
from bot.values.shards import ALL, Shards

log = structlog.get_logger(__name__)

AT_ONCE: Final = 32
"""Maximum number of matches checked in one transaction. Reminders of one person in these matches share one message."""
TRIED_AGAIN_AFTER: Final = timedelta(seconds=1)
"""Delay before checking a match again, for example because a move is waiting to be made."""
TOGETHER_WITHIN: Final = timedelta(hours=1)
"""A person's reminders that are due within this time of each other are sent in one message."""
ASKED_AGAIN_AFTER: Final = timedelta(minutes=1)
ASKED_AT_MOST: Final = 5
"""Maximum number of questions to Discord, at this interval, about where a player is before they may lose."""
UNSURE_FOR: Final = 5 * ASKED_AGAIN_AFTER
"""Time after which a question that Discord did not answer is forgotten."""
LET_ALONE_FOR: Final = timedelta(hours=1)
"""Time for which a match is skipped after an error."""


class Timekeeper(MatchService):
    """Checks each match when an event is due there."""

    def __init__(self, units: Units, writer: MatchWriter) -> None:
        super().__init__(units, writer)
        self._broken: dict[MatchId, datetime] = {}
        """The matches that could not be checked, and the time until which each is skipped."""
        self._unsure: dict[MatchId, tuple[int, datetime]] = {}
        """For each match, the number of questions in a row that Discord did not answer, and the time of the last."""

    async def run(self, members: Members) -> None:
        """Check the matches of connected shards whenever events are due, until cancelled."""
        while True:
            shards = await self._units.connected.wait()
            wait = LOOKS_AFTER
            with contextlib.suppress(Unavailable):
                next_due = await self.look(members, shards)
                now = self._units.clock()
                wait = LOOKS_AFTER if next_due is None else min(max(next_due - now, timedelta()), LOOKS_AFTER)
                self._units.next_time_due = now + wait
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait.total_seconds()):
                    await self._units.time_due.wait()
            self._units.time_due.clear()

    def look_soon(self) -> None:
        """Check immediately, because the clocks of more matches may run now."""
        self._units.time_due.set()

    async def look(self, members: Members, shards: Shards = ALL) -> datetime | None:
        """Handle all events that are due, and return the time of the next one, if any."""
        while due := await self._due(shards):
            early = await self._reminded_together(due)
            known = await self._ask([*due, *early], early, members)
            await self._settle_all([*due, *early], early, known)
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await clocks.next_due(unit.transaction, shards, self._let_alone(unit.now))

    @shielded
    async def came_back(self, person_id: PersonId) -> None:
        """Save that a missing person is active. If their clock was stopped, it runs again."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await clocks.absent_from(unit.transaction, person_id):
                return
        async with self._units.write() as unit:
            absent_from = await clocks.absent_from(unit.transaction, person_id)
            await matches.lock(unit.transaction, absent_from)
            for match_id in absent_from:
                if (loaded := await self._load(unit, match_id)) is not None:
                    await note_back(unit, self._writer, loaded, loaded.seat_of(person_id))

    def _let_alone(self, now: datetime) -> list[MatchId]:
        self._broken = {match_id: until for match_id, until in self._broken.items() if until > now}
        return list(self._broken)

    async def _due(self, shards: Shards) -> Sequence[MatchId]:
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await clocks.due(unit.transaction, shards, unit.now, AT_ONCE, self._let_alone(unit.now))

    async def _reminded_together(self, match_ids: Collection[MatchId]) -> frozenset[MatchId]:
        """Return the other matches of people who get a reminder now, in which one is due soon. They share a message."""
        together = set[MatchId]()
        for match_id in match_ids:
            async with self._units.read(Lane.BACKGROUND) as unit:
                loaded = await self._load(unit, match_id)
                if loaded is None:
                    continue
                people = [
                    loaded.info.players[seat].id
                    for seat in loaded.to_act
                    if TimeEvent.REMINDER in _due_for(loaded, seat, unit.now)
                ]
                for person_id in people:
                    if person_id is not None:
                        until = unit.now + TOGETHER_WITHIN
                        together |= {*await clocks.waiting_soon(unit.transaction, person_id, until)}
        return frozenset(together.difference(match_ids))

    async def _ask(
        self, match_ids: Iterable[MatchId], early: Collection[MatchId], members: Members
    ) -> dict[MatchId, Whereabouts]:
        """Ask where the players with due events are."""
        due: dict[MatchId, tuple[MatchInfo, list[Seat]]] = {}
        for match_id in match_ids:
            async with self._units.read(Lane.BACKGROUND) as unit:
                loaded = await self._load(unit, match_id)
            if loaded is None or loaded.info.paused or loaded.row.frozen:
                continue
            seats = [seat for seat in loaded.to_act if _due_for(loaded, seat, unit.now, early=match_id in early)]
            if seats:
                due[match_id] = loaded.info, seats
        answers = await asyncio.gather(*(ask_about(members, *one) for one in due.values()))
        now = self._units.clock()
        self._unsure = {key: (asked, at) for key, (asked, at) in self._unsure.items() if now - at < UNSURE_FOR}
        for (match, seats), known in zip(due.values(), answers, strict=True):
            if any(known.of(match.players[seat].id) is None for seat in seats):
                asked, _ = self._unsure.get(match.id, (0, now))
                self._unsure[match.id] = asked + 1, now
            else:
                self._unsure.pop(match.id, None)
        return dict(zip(due, answers, strict=True))

    async def _load(self, unit: UnitOfWork, match_id: MatchId) -> LoadedMatch | None:
        """Return a match; None if it cannot be loaded, because its server was just deleted or its log is damaged."""
        try:
            return await unit.load(match_id)
        except (NoMatch, UnreadableMatchError) as error:
            self._let_be(match_id, unit.now, error)
            return None

    def _let_be(self, match_id: MatchId, now: datetime, error: Exception) -> None:
        """Skip a match for a while after an error."""
        log.error("the clock of a match cannot be kept", match=match_id, error=type(error).__name__)
        self._broken[match_id] = now + LET_ALONE_FOR

    @shielded
    async def _settle_all(
        self, match_ids: Iterable[MatchId], early: Collection[MatchId], known: Mapping[MatchId, Whereabouts]
    ) -> None:
        """Handle the due events of some matches in one transaction, so that a person's reminders share one message.

        In matches that are `early`, these are reminders that would soon be due.
        """
        try:
            await self._settle_together([one for one in match_ids if one not in self._broken], early, known)
        except (Unavailable, ConflictError):
            raise
        except Exception:
            # Handle them one by one, so that a broken match does not block the others.
            for match_id in match_ids:
                try:
                    await self._settle_together([match_id], early, known)
                except (Unavailable, ConflictError):
                    raise
                except Exception as error:
                    log.exception("a match could not be settled", match=match_id)
                    self._let_be(match_id, self._units.clock(), error)

    async def _settle_together(
        self, match_ids: Iterable[MatchId], early: Collection[MatchId], known: Mapping[MatchId, Whereabouts]
    ) -> None:
        async with self._units.write() as unit:
            ids = [*match_ids]
            await matches.lock(unit.transaction, ids)
            for match_id in ids:
                about = known.get(match_id, UNKNOWN)
                await self._settle(unit, await unit.load(match_id), about, early=match_id in early)

    async def _settle(self, unit: UnitOfWork, loaded: LoadedMatch, known: Whereabouts, *, early: bool) -> None:
        """Handle the due events of a match, and save the time of the next one."""
        if loaded.row.frozen or not loaded.running:
            # The match becomes due again when its clocks resume.
            await self._save_due(unit, loaded, None)
            return
        if loaded.info.paused:
            if any(loaded.was_kept_waiting(Seat(row.seat), unit.now) for row in loaded.row.seats):
                # Updated hands offer to call the match off.
                await self._writer.revise(unit, loaded)
            else:
                await self._save_due(unit, loaded, loaded.next_due(unit.now))
            return
        if loaded.info.vacant_seat is not None:
            await self._settle_vacancy(unit, loaded)
            return
        for seat in _by_end_of_time(loaded, unit.now):
            due = _due_for(loaded, seat, unit.now, early=early)
            if not due:
                continue
            presence = known.of(loaded.info.players[seat].id)
            if TimeEvent.CALL_OFF in due:
                loaded = await self._settle_stopped(unit, loaded, seat, known)
            elif presence is Presence.SHUT_OUT:
                loaded = await stop_time(unit, self._writer, loaded, seat)
            else:
                if presence is Presence.GONE:
                    loaded = await note_gone(unit, self._writer, loaded, seat)
                elif presence is Presence.REACHABLE:
                    loaded = await note_back(unit, self._writer, loaded, seat)
                if TimeEvent.USED_UP in due:
                    loaded = await self._settle_used_up(unit, loaded, seat, known)
                if seat in loaded.to_act and {*due} - {TimeEvent.USED_UP}:
                    loaded = await self._remind(unit, loaded, seat, due)
            if not loaded.running or loaded.info.vacant_seat is not None:
                return
            if TimeEvent.USED_UP in due and loaded.info.clock.flags and presence is not Presence.SHUT_OUT:
                # Decide this loss before the loss of a player whose time ran out later.
                break
        next_due = loaded.next_due(unit.now)
        await self._save_due(unit, loaded, None if next_due is None else max(next_due, self._again(unit, loaded)))

    def _again(self, unit: UnitOfWork, loaded: LoadedMatch) -> datetime:
        """Return the earliest time to check a match again."""
        return unit.now + (ASKED_AGAIN_AFTER if self._is_unsure(loaded) else TRIED_AGAIN_AFTER)

    def _is_unsure(self, loaded: LoadedMatch) -> bool:
        """Return True if Discord must be asked again where the players of a match are, before any decision."""
        asked, _ = self._unsure.get(loaded.info.id, (0, None))
        return 0 < asked < ASKED_AT_MOST

    async def _settle_used_up(
        self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, known: Whereabouts
    ) -> LoadedMatch:
        """Handle a clock that has run out: the seat loses, or the others are notified that they may claim."""
        if not loaded.info.clock.flags:
            if known.all_gone(loaded.info):
                return await self._writer.cancel(unit, loaded, by=None)
            return await call_waiting(unit, self._writer, loaded, seat)
        if self._is_unsure(loaded) or self._units.is_about_to_move(loaded.info.players[seat].id):
            return loaded
        return await lose_on_time(unit, self._writer, loaded, seat, known, by=None)

    async def _settle_stopped(
        self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, known: Whereabouts
    ) -> LoadedMatch:
        """Let the others call the match off if the player still cannot reach the table, or else restart the clock."""
        presence = known.of(loaded.info.players[seat].id)
        if presence is Presence.REACHABLE:
            return await note_back(unit, self._writer, loaded, seat)
        if presence is Presence.GONE:
            return await note_gone(unit, self._writer, loaded, seat)
        if presence is None and self._is_unsure(loaded):
            return loaded
        if known.all_gone(loaded.info, but=seat):
            return await self._writer.cancel(unit, loaded, by=None)
        return await call_waiting(unit, self._writer, loaded, seat)

    async def _settle_vacancy(self, unit: UnitOfWork, loaded: LoadedMatch) -> None:
        """End a match if the others did not decide about a vacant seat in time."""
        due_at = loaded.next_due(unit.now)
        if due_at is not None and due_at <= unit.now:
            await end_vacancy(unit, self._writer, loaded, by=None)
        else:
            await self._save_due(unit, loaded, due_at)

    async def _save_due(self, unit: UnitOfWork, loaded: LoadedMatch, at: datetime | None) -> None:
        await clocks.set_due(unit.transaction, loaded.info.id, at)
        await clocks.set_to_act(unit.transaction, loaded.info.id, loaded.to_act)

    async def _remind(self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, due: Sequence[TimeEvent]) -> LoadedMatch:
        """Remind a player of their turn, unless they have left."""
        time, reminders = loaded.turn_time(seat, unit.now), loaded.row.seats[seat].reminders
        if time is not None and TimeEvent.REMINDER in due:
            reminders = max(reminders + 1, time.reminders_due(unit.now))
        loaded = await change_seat(unit, loaded, seat, reminders=reminders, reminded_at=unit.now)
        if loaded.row.seats[seat].gone_at is not None:
            return loaded
        return await enqueue_reminder(unit, loaded, seat)


def _by_end_of_time(loaded: LoadedMatch, now: datetime) -> list[Seat]:
    """Return the seats whose turn it is, sorted by the end of their time, then by board.

    So if the time of two boards has run out at the same check, the earlier one ends the match.
    """

    def ends_at(seat: Seat) -> datetime:
        time = loaded.turn_time(seat, now)
        return now if time is None else time.ends_at

    return sorted(loaded.to_act, key=ends_at)


def _due_for(loaded: LoadedMatch, seat: Seat, now: datetime, *, early: bool = False) -> tuple[TimeEvent, ...]:
    """Return the due events of a seat, including, with `early`, a reminder that is due soon."""
    time = loaded.turn_time(seat, now)
    if time is None:
        return ()
    soon = [event for event in time.due(now + TOGETHER_WITHIN) if event is TimeEvent.REMINDER] if early else []
    return tuple(dict.fromkeys((*time.due(now), *soon)))
