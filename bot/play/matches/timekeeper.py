"""The timekeeper: reminds players of their turns, and handles turns whose time has run out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.engine.deals.moves import Seat
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchInfo
from bot.model.presence import Presence
from bot.model.shards import ALL_SHARDS, Shards
from bot.play.clocks.turn_time import TimeEvent
from bot.play.loading.loaded_match import LoadedMatch, UnreadableMatchError
from bot.play.loading.unit_of_work import MAX_CHECK_INTERVAL, UnitOfWork, Units, shielded
from bot.play.matches.absences import change_seat, note_back, note_gone, notify_waiting, stop_time
from bot.play.matches.losing import lose_on_time
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.matches.members import UNKNOWN, Members, Whereabouts, ask_whereabouts
from bot.play.matches.vacancies import end_vacancy
from bot.play.outbox.changes import enqueue_reminder
from bot.play.refusals import NoMatch, Unavailable
from bot.store import clocks, matches
from bot.store.database import Lane
from bot.store.errors import ConflictError

log = structlog.get_logger(__name__)

MATCHES_PER_TRANSACTION: Final = 32
"""Maximum number of matches checked in one transaction. A person's reminders in these matches share one message."""
RECHECK_DELAY: Final = timedelta(seconds=1)
"""Delay before checking a match again, for example because a move is waiting to be made."""
REMINDER_WINDOW: Final = timedelta(hours=1)
"""A person's reminders that are due within this time of each other are sent in one message."""
QUESTION_INTERVAL: Final = timedelta(minutes=1)
MAX_QUESTIONS: Final = 5
"""Maximum number of times that Discord is asked if a player can reach the table, once every `QUESTION_INTERVAL`. If
Discord never answers, the player can lose on time."""
QUESTION_LIFETIME: Final = 5 * QUESTION_INTERVAL
"""Time after which the questions that Discord has not answered no longer count towards `MAX_QUESTIONS`."""
SKIP_TIME: Final = timedelta(hours=1)
"""Time for which a match is skipped after an error."""


class Timekeeper(MatchService):
    """Handles the timed events of each match, such as reminders and losses on time, when they are due."""

    def __init__(self, units: Units, writer: MatchWriter) -> None:
        super().__init__(units, writer)
        self._skipped_until: dict[MatchId, datetime] = {}
        """The matches that could not be checked, and the time until which each is skipped."""
        self._unanswered: dict[MatchId, tuple[int, datetime]] = {}
        """For each match, the number of consecutive questions about its players that Discord did not answer, and the
        time of the last question."""

    async def run(self, members: Members) -> None:
        """Check the matches of connected shards whenever events are due, until cancelled."""
        while True:
            shards = await self._units.connected.wait()
            wait = MAX_CHECK_INTERVAL
            with contextlib.suppress(Unavailable):
                next_due = await self.check_due(members, shards)
                now = self._units.clock()
                wait = (
                    MAX_CHECK_INTERVAL
                    if next_due is None
                    else min(max(next_due - now, timedelta()), MAX_CHECK_INTERVAL)
                )
                self._units.next_time_due = now + wait
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait.total_seconds()):
                    await self._units.time_due.wait()
            self._units.time_due.clear()

    def check_soon(self) -> None:
        """Let `run` check immediately, because the clocks of more matches might run now."""
        self._units.time_due.set()

    async def check_due(self, members: Members, shards: Shards = ALL_SHARDS) -> datetime | None:
        """Handle all events that are due, and return the time of the next one, if any."""
        while True:
            async with self._units.read(Lane.BACKGROUND) as unit:
                due, early = await self._due(unit, shards)
                if not due:
                    return await clocks.next_due(unit.transaction, shards, self._skipped_matches(unit.now))
            all_due, early_ids = [*due, *early], {loaded.info.id for loaded in early}
            whereabouts = await self._ask_whereabouts(unit.now, all_due, early_ids, members)
            await self._settle_all([loaded.info.id for loaded in all_due], early_ids, whereabouts)

    @shielded
    async def note_active(self, person_id: PersonId) -> None:
        """Record that a person who was absent from matches is active. If their clock was stopped, it runs again."""
        if person_id in self._units.present and not self._units.has_other_processes:
            return
        # Note the person before the query: if they become absent meanwhile, the commit of that removes them again.
        self._units.note_present(person_id)
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await clocks.with_absent(unit.transaction, person_id):
                return
        self._units.present.discard(person_id)
        async with self._units.write() as unit:
            absent_from = await clocks.with_absent(unit.transaction, person_id)
            await matches.lock_matches(unit.transaction, absent_from)
            for match_id in absent_from:
                if (loaded := await self._load(unit, match_id)) is not None:
                    await note_back(unit, self._writer, loaded, loaded.seat_of(person_id))

    def _skipped_matches(self, now: datetime) -> list[MatchId]:
        self._skipped_until = {match_id: until for match_id, until in self._skipped_until.items() if until > now}
        return list(self._skipped_until)

    async def _due(self, unit: UnitOfWork, shards: Shards) -> tuple[list[LoadedMatch], list[LoadedMatch]]:
        """Return the matches with due events, and other matches with reminders that are due soon.

        The second kind are matches of people who get a reminder in one of the first kind: all of a person's reminders
        are sent in one message.
        """
        transaction, skipped = unit.transaction, self._skipped_matches(unit.now)
        due = await self._load_all(
            unit, await clocks.due(transaction, shards, unit.now, MATCHES_PER_TRANSACTION, skipped)
        )
        together = set[MatchId]()
        for loaded in due:
            for seat in loaded.to_act:
                person_id = loaded.info.players[seat].id
                if person_id is not None and TimeEvent.REMINDER in _due_events(loaded, seat, unit.now):
                    until = unit.now + REMINDER_WINDOW
                    together |= {*await clocks.waiting_and_due(transaction, person_id, until)}
        return due, await self._load_all(unit, together.difference(loaded.info.id for loaded in due))

    async def _ask_whereabouts(
        self, now: datetime, matches_to_check: Iterable[LoadedMatch], early: Collection[MatchId], members: Members
    ) -> dict[MatchId, Whereabouts]:
        """Ask Discord if the players whose reminders or time limits are due can reach the tables of these matches."""
        due: dict[MatchId, tuple[MatchInfo, list[Seat]]] = {}
        for loaded in matches_to_check:
            match = loaded.info
            if match.is_paused or loaded.row.is_frozen:
                continue
            seats = [seat for seat in loaded.to_act if _due_events(loaded, seat, now, early=match.id in early)]
            if seats:
                due[match.id] = match, seats
        answers = await asyncio.gather(*(ask_whereabouts(members, *arguments) for arguments in due.values()))
        now = self._units.clock()
        self._unanswered = {
            key: (asked, at) for key, (asked, at) in self._unanswered.items() if now - at < QUESTION_LIFETIME
        }
        for (match, seats), known in zip(due.values(), answers, strict=True):
            if any(known.of(match.players[seat].id) is None for seat in seats):
                asked, _ = self._unanswered.get(match.id, (0, now))
                self._unanswered[match.id] = asked + 1, now
            else:
                self._unanswered.pop(match.id, None)
        return dict(zip(due, answers, strict=True))

    async def _load_all(self, unit: UnitOfWork, match_ids: Iterable[MatchId]) -> list[LoadedMatch]:
        """Return these matches, except those that cannot be loaded."""
        found = [await self._load(unit, match_id) for match_id in match_ids]
        return [loaded for loaded in found if loaded is not None]

    async def _load(self, unit: UnitOfWork, match_id: MatchId) -> LoadedMatch | None:
        """Return a match; None if it cannot be loaded, because its server was just deleted or its log is damaged."""
        try:
            return await unit.load(match_id)
        except (NoMatch, UnreadableMatchError) as error:
            self._skip(match_id, unit.now, error)
            return None

    def _skip(self, match_id: MatchId, now: datetime, error: Exception) -> None:
        """Skip a match for a while after an error."""
        log.error("the clock of a match cannot be checked", match=match_id, error=type(error).__name__)
        self._skipped_until[match_id] = now + SKIP_TIME

    @shielded
    async def _settle_all(
        self, match_ids: Iterable[MatchId], early: Collection[MatchId], whereabouts: Mapping[MatchId, Whereabouts]
    ) -> None:
        """Handle the due events of some matches in one transaction, so that a person's reminders share one message.

        In the matches in `early`, also send reminders that are due soon.
        """
        try:
            await self._settle_together(
                [match_id for match_id in match_ids if match_id not in self._skipped_until], early, whereabouts
            )
        except (Unavailable, ConflictError):
            raise
        except Exception:
            # Handle the matches one by one, so that a broken match does not block the others.
            for match_id in match_ids:
                try:
                    await self._settle_together([match_id], early, whereabouts)
                except (Unavailable, ConflictError):
                    raise
                except Exception as error:
                    log.exception("a match could not be settled", match=match_id)
                    self._skip(match_id, self._units.clock(), error)

    async def _settle_together(
        self, match_ids: Iterable[MatchId], early: Collection[MatchId], whereabouts: Mapping[MatchId, Whereabouts]
    ) -> None:
        async with self._units.write() as unit:
            ids = [*match_ids]
            await matches.lock_matches(unit.transaction, ids)
            for match_id in ids:
                match_whereabouts = whereabouts.get(match_id, UNKNOWN)
                await self._settle(unit, await unit.load(match_id), match_whereabouts, early=match_id in early)

    async def _settle(self, unit: UnitOfWork, loaded: LoadedMatch, whereabouts: Whereabouts, *, early: bool) -> None:
        """Handle the due events of a match, and save the time of the next one."""
        if loaded.row.is_frozen or not loaded.is_running:
            # The match becomes due again when its clocks resume.
            await self._save_due(unit, loaded, None)
            return
        if loaded.info.is_paused:
            if any(loaded.was_kept_waiting(Seat(row.seat), unit.now) for row in loaded.row.seats):
                # Update the hands, so that they show the button to call the match off.
                await self._writer.revise(unit, loaded)
            else:
                await self._save_due(unit, loaded, loaded.next_due(unit.now))
            return
        if loaded.info.vacant_seat is not None:
            await self._settle_vacancy(unit, loaded)
            return
        for seat in _seats_by_deadline(loaded, unit.now):
            due = _due_events(loaded, seat, unit.now, early=early)
            if not due:
                continue
            presence = whereabouts.of(loaded.info.players[seat].id)
            if TimeEvent.CALL_OFF in due:
                loaded = await self._settle_stopped(unit, loaded, seat, whereabouts)
            elif presence is Presence.SHUT_OUT:
                loaded = await stop_time(unit, self._writer, loaded, seat)
            else:
                if presence is Presence.GONE:
                    loaded = await note_gone(unit, self._writer, loaded, seat)
                elif presence is Presence.REACHABLE:
                    loaded = await note_back(unit, self._writer, loaded, seat)
                if TimeEvent.USED_UP in due:
                    loaded = await self._settle_used_up(unit, loaded, seat, whereabouts)
                if seat in loaded.to_act and {*due} - {TimeEvent.USED_UP}:
                    loaded = await self._remind(unit, loaded, seat, due)
            if not loaded.is_running or loaded.info.vacant_seat is not None:
                return
            if TimeEvent.USED_UP in due and loaded.info.clock.flags and presence is not Presence.SHUT_OUT:
                # Handle the other seats only after this seat's loss is decided: their time ran out later.
                break
        next_due = loaded.next_due(unit.now)
        await self._save_due(
            unit, loaded, None if next_due is None else max(next_due, self._earliest_recheck(unit, loaded))
        )

    def _earliest_recheck(self, unit: UnitOfWork, loaded: LoadedMatch) -> datetime:
        """Return the earliest time to check a match again."""
        return unit.now + (QUESTION_INTERVAL if self._is_unsure(loaded) else RECHECK_DELAY)

    def _is_unsure(self, loaded: LoadedMatch) -> bool:
        """Return True if Discord did not say if the players can reach the table, and must be asked again."""
        asked, _ = self._unanswered.get(loaded.info.id, (0, None))
        return 0 < asked < MAX_QUESTIONS

    async def _settle_used_up(
        self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, whereabouts: Whereabouts
    ) -> LoadedMatch:
        """Handle a clock that has run out: the seat loses, or the others are notified that they can claim the match."""
        if not loaded.info.clock.flags:
            if whereabouts.have_all_left(loaded.info):
                return await self._writer.cancel(unit, loaded, by=None)
            return await notify_waiting(unit, self._writer, loaded, seat)
        if self._is_unsure(loaded) or self._units.is_about_to_move(loaded.info.players[seat].id):
            return loaded
        return await lose_on_time(unit, self._writer, loaded, seat, whereabouts, by=None)

    async def _settle_stopped(
        self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, whereabouts: Whereabouts
    ) -> LoadedMatch:
        """Let the others call the match off if the player still cannot reach the table, or else restart the clock."""
        presence = whereabouts.of(loaded.info.players[seat].id)
        if presence is Presence.REACHABLE:
            return await note_back(unit, self._writer, loaded, seat)
        if presence is Presence.GONE:
            return await note_gone(unit, self._writer, loaded, seat)
        if presence is None and self._is_unsure(loaded):
            return loaded
        if whereabouts.have_all_left(loaded.info, except_seat=seat):
            return await self._writer.cancel(unit, loaded, by=None)
        return await notify_waiting(unit, self._writer, loaded, seat)

    async def _settle_vacancy(self, unit: UnitOfWork, loaded: LoadedMatch) -> None:
        """End a match if the others did not decide about a vacant seat in time."""
        due_at = loaded.next_due(unit.now)
        if due_at is not None and due_at <= unit.now:
            await end_vacancy(unit, self._writer, loaded, by=None)
        else:
            await self._save_due(unit, loaded, due_at)

    async def _save_due(self, unit: UnitOfWork, loaded: LoadedMatch, at: datetime | None) -> None:
        await clocks.save_due_time(unit.transaction, loaded.info.id, at)
        await clocks.fill_to_act(unit.transaction, loaded.info.id, loaded.to_act)

    async def _remind(self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, due: Sequence[TimeEvent]) -> LoadedMatch:
        """Remind a player of their turn, unless they have left."""
        time, reminders = loaded.turn_time(seat, unit.now), loaded.row.seats[seat].reminders
        if time is not None and TimeEvent.REMINDER in due:
            reminders = max(reminders + 1, time.reminders_due(unit.now))
        # A reminder is a nudge if its two times are equal.
        nudged = {"nudged_at": unit.now} if TimeEvent.NUDGE in due else {}
        loaded = change_seat(unit, loaded, seat, reminders=reminders, reminded_at=unit.now, **nudged)
        if loaded.row.seats[seat].gone_at is not None:
            return loaded
        return await enqueue_reminder(unit, loaded, seat)


def _seats_by_deadline(loaded: LoadedMatch, now: datetime) -> list[Seat]:
    """Return the seats whose turn it is, sorted by the end of their time, then by board.

    So if clocks on both boards have run out by the same check, the clock that ran out first ends the match.
    """

    def ends_at(seat: Seat) -> datetime:
        time = loaded.turn_time(seat, now)
        return now if time is None else time.ends_at

    return sorted(loaded.to_act, key=ends_at)


def _due_events(loaded: LoadedMatch, seat: Seat, now: datetime, *, early: bool = False) -> tuple[TimeEvent, ...]:
    """Return the due events of a seat. With `early`, include a reminder that is due soon."""
    time = loaded.turn_time(seat, now)
    if time is None:
        return ()
    soon = [event for event in time.due(now + REMINDER_WINDOW) if event is TimeEvent.REMINDER] if early else []
    return tuple(dict.fromkeys((*time.due(now), *soon)))
