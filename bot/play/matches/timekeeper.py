"""The timekeeper: reminds people of their turns, and sees when a time is used up."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import structlog

from bot.engine.moves import TIME, Seat
from bot.play.clocks.turn_time import TimeEvent, left_to_go_on
from bot.play.loading.loaded_match import LoadedMatch, UnreadableMatchError
from bot.play.loading.unit_of_work import LOOKS_AFTER, UnitOfWork, Units, shielded
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.outbox.changes import Change, enqueue_reminder, update_reminder
from bot.play.refusals import NoMatch, Unavailable
from bot.store import clocks, matches
from bot.store.database import Lane
from bot.store.errors import ConflictError
from bot.values.clocks import TimeChange
from bot.values.ids import ChannelId, GuildId, MatchId, PersonId
from bot.values.shards import ALL, Shards

log = structlog.get_logger(__name__)

AT_ONCE: Final = 32
"""How many matches are looked at in one transaction, so that a person is reminded of several in one message."""
TRIED_AGAIN_AFTER: Final = timedelta(seconds=1)
"""How soon a match is looked at again in which somebody is just about to move."""
TOGETHER_WITHIN: Final = timedelta(hours=1)
"""Reminders of one person that would follow each other within this time are one."""
ASKED_AGAIN_AFTER: Final = timedelta(minutes=1)
ASKED_AT_MOST: Final = 5
"""Nobody loses until it is known that they see the channel, or this was asked so often, with this time between."""
LET_ALONE_FOR: Final = timedelta(hours=1)
"""How long a match is let alone that could not be looked at."""

Sees = Callable[[PersonId, GuildId, ChannelId], Awaitable[bool | None]]
"""Returns whether a person sees a channel; None if nobody can say."""


class Timekeeper(MatchService):
    """Looks at each match when something is due there, and at no other."""

    def __init__(self, units: Units, writer: MatchWriter) -> None:
        super().__init__(units, writer)
        self._broken: dict[MatchId, datetime] = {}
        """The matches that could not be looked at, and until when they are let alone."""
        self._unsure = Counter[MatchId]()
        """How often nobody could say of a match who sees its channel, since somebody last could."""

    async def run(self, sees: Sees) -> None:
        """Look at matches when something is due, until cancelled, but only at those of connected shards."""
        while True:
            shards = await self._units.connected.wait()
            wait = LOOKS_AFTER
            with contextlib.suppress(Unavailable):
                next_due = await self.look(sees, shards)
                now = self._units.clock()
                wait = LOOKS_AFTER if next_due is None else min(max(next_due - now, timedelta()), LOOKS_AFTER)
                self._units.next_time_due = now + wait
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait.total_seconds()):
                    await self._units.time_due.wait()
            self._units.time_due.clear()

    def look_soon(self) -> None:
        """Look at once, if time runs in any match: it may run in more than before."""
        self._units.time_due.set()

    async def look(self, sees: Sees, shards: Shards = ALL) -> datetime | None:
        """Look at the matches where something is due now, and return when something is due next, if anything is."""
        while due := await self._due(shards):
            early = await self._reminded_together(due)
            blind = await self._who_sees_nothing([*due, *early], early, sees)
            await self._settle_all([*due, *early], early, blind)
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await clocks.next_due(unit.transaction, shards, self._let_alone(unit.now))

    @shielded
    async def came_back(self, person_id: PersonId) -> None:
        """Let a person's time go on where it stands still because they did not see the channel, now that they act."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await clocks.stopped_seats(unit.transaction, person_id):
                return
        async with self._units.write() as unit:
            stopped = await clocks.stopped_seats(unit.transaction, person_id)
            await matches.lock(unit.transaction, stopped)
            for match_id in stopped:
                if (loaded := await self._load(unit, match_id)) is not None:
                    await self._go_on(unit, loaded, loaded.seat_of(person_id))

    def _let_alone(self, now: datetime) -> list[MatchId]:
        self._broken = {match_id: until for match_id, until in self._broken.items() if until > now}
        return list(self._broken)

    async def _due(self, shards: Shards) -> Sequence[MatchId]:
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await clocks.due(unit.transaction, shards, unit.now, AT_ONCE, self._let_alone(unit.now))

    async def _reminded_together(self, match_ids: Collection[MatchId]) -> frozenset[MatchId]:
        """Return the other matches in which people who are reminded now would be soon: one message is for all."""
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

    async def _who_sees_nothing(
        self, match_ids: Iterable[MatchId], early: Collection[MatchId], sees: Sees
    ) -> set[tuple[MatchId, PersonId]]:
        """Return who turns out not to see the channel of a match in which something is due for them."""
        asked: list[tuple[MatchId, PersonId, GuildId, ChannelId]] = []
        blind = set[tuple[MatchId, PersonId]]()
        for match_id in match_ids:
            async with self._units.read(Lane.BACKGROUND) as unit:
                loaded = await self._load(unit, match_id)
            if loaded is None or loaded.info.place is None or loaded.info.paused or loaded.row.frozen:
                continue
            info, place = loaded.info, loaded.info.place
            for seat in loaded.to_act:
                person_id = info.players[seat].id
                if person_id is None or not _due_for(loaded, seat, unit.now, early=match_id in early):
                    continue
                if info.channel_deleted:
                    blind.add((match_id, person_id))
                else:
                    asked.append((match_id, person_id, place.guild_id, place.channel_id))
        answers = await asyncio.gather(*(sees(*one[1:]) for one in asked))
        for (match_id, *_), answer in zip(asked, answers, strict=True):
            if answer is None:
                self._unsure[match_id] += 1
            else:
                del self._unsure[match_id]
        return blind | {one[:2] for one, answer in zip(asked, answers, strict=True) if answer is False}

    async def _load(self, unit: UnitOfWork, match_id: MatchId) -> LoadedMatch | None:
        """Return a match; None if it cannot be loaded: its server was removed just now, or its log is damaged."""
        try:
            return await unit.load(match_id)
        except (NoMatch, UnreadableMatchError) as error:
            self._let_be(match_id, unit.now, error)
            return None

    def _let_be(self, match_id: MatchId, now: datetime, error: Exception) -> None:
        """Let a match alone for a while in which something went wrong."""
        log.error("the time of a match cannot be kept", match=match_id, error=type(error).__name__)
        self._broken[match_id] = now + LET_ALONE_FOR

    @shielded
    async def _settle_all(
        self, match_ids: Iterable[MatchId], early: Collection[MatchId], blind: Collection[tuple[MatchId, PersonId]]
    ) -> None:
        """Do what is due in some matches, in one transaction, so that whoever is reminded of several gets one message.

        In those that are `early`, that is a reminder that would soon be due.
        """
        try:
            await self._settle_together([one for one in match_ids if one not in self._broken], early, blind)
        except (Unavailable, ConflictError):
            raise
        except Exception:
            # One of them keeps the others from what is due.
            for match_id in match_ids:
                try:
                    await self._settle_together([match_id], early, blind)
                except (Unavailable, ConflictError):
                    raise
                except Exception as error:
                    log.exception("a match could not be settled", match=match_id)
                    self._let_be(match_id, self._units.clock(), error)

    async def _settle_together(
        self, match_ids: Iterable[MatchId], early: Collection[MatchId], blind: Collection[tuple[MatchId, PersonId]]
    ) -> None:
        async with self._units.write() as unit:
            ids = [*match_ids]
            await matches.lock(unit.transaction, ids)
            for match_id in ids:
                await self._settle(unit, await unit.load(match_id), blind, early=match_id in early)

    async def _settle(
        self, unit: UnitOfWork, loaded: LoadedMatch, blind: Collection[tuple[MatchId, PersonId]], *, early: bool
    ) -> None:
        """Do what is due in a match, and save when something is due next."""
        if loaded.row.frozen or loaded.info.paused or not loaded.running:
            # Whatever lets time run again makes it due.
            await self._save_due(unit, loaded, None)
            return
        for seat in loaded.to_act:
            due, person_id = _due_for(loaded, seat, unit.now, early=early), loaded.info.players[seat].id
            if due and person_id is not None and (loaded.info.id, person_id) in blind:
                loaded = await self._stop(unit, loaded, seat)
            elif TimeEvent.USED_UP in due and loaded.info.clock.flags:
                is_unsure = 0 < self._unsure[loaded.info.id] < ASKED_AT_MOST
                if is_unsure or self._units.is_about_to_move(person_id):
                    again = ASKED_AGAIN_AFTER if is_unsure else TRIED_AGAIN_AFTER
                    await self._save_due(unit, loaded, unit.now + again)
                else:
                    await self._writer.forfeit(unit, loaded, seat, TIME, by=None)
                return
            else:
                if TimeEvent.USED_UP in due:
                    loaded = await self._tell_used_up(unit, loaded, seat)
                if {*due} - {TimeEvent.USED_UP}:
                    loaded = await self._remind(unit, loaded, seat, due)
        next_due = loaded.next_due(unit.now)
        at_once = unit.now + TRIED_AGAIN_AFTER
        await self._save_due(unit, loaded, None if next_due is None else max(next_due, at_once))

    async def _save_due(self, unit: UnitOfWork, loaded: LoadedMatch, at: datetime | None) -> None:
        await clocks.set_due(unit.transaction, loaded.info.id, at)
        await clocks.set_to_act(unit.transaction, loaded.info.id, loaded.to_act)

    async def _remind(self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, due: Sequence[TimeEvent]) -> LoadedMatch:
        """Remind a player of their turn."""
        time, reminders = loaded.turn_time(seat, unit.now), loaded.row.seats[seat].reminders
        if time is not None and TimeEvent.REMINDER in due:
            reminders = max(reminders + 1, time.reminders_due(unit.now))
        loaded = await self._change_seat(unit, loaded, seat, reminders=reminders, reminded_at=unit.now)
        return await enqueue_reminder(unit, loaded, seat)

    async def _tell_used_up(self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
        """Tell those who wait for a seat that its time is used up."""
        loaded = await self._change_seat(unit, loaded, seat, used_up_at=unit.now)
        waiting = [Seat(row.seat) for row in loaded.row.seats if loaded.awaited_by(Seat(row.seat)) == seat]
        loaded = await self._writer.revise(unit, loaded, Change(called=tuple(waiting)))
        await update_reminder(unit, loaded, seat)
        return loaded

    async def _stop(self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
        """Let the time of a player stand still since it became due that they should know of it."""
        time = loaded.turn_time(seat, unit.now)
        assert time is not None
        since = min((at for _, at in time.agenda(unit.now)), default=unit.now)
        left = max(time.left(min(since, unit.now)), timedelta())
        loaded = await self._change_seat(unit, loaded, seat, time_left=left, stopped_at=unit.now)
        await clocks.add_change(unit.transaction, loaded.info.id, seat, TimeChange.UNSEEN, timedelta(), unit.now)
        loaded = await self._writer.revise(unit, loaded)
        await update_reminder(unit, loaded, seat)
        return loaded

    async def _go_on(self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat) -> None:
        """Let the time of a player run again, with enough of it to make a move."""
        time = loaded.turn_time(seat, unit.now)
        if time is None or loaded.info.paused:
            return
        left = left_to_go_on(loaded.info.clock, time.allowance)
        span = (left or loaded.info.clock.full) - time.allowance
        await clocks.add_change(unit.transaction, loaded.info.id, seat, TimeChange.SEEN, span, unit.now)
        await self._writer.begin_turns(unit, loaded, {seat: left})

    async def _change_seat(self, unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, **values: Any) -> LoadedMatch:
        await matches.change_seats(unit.transaction, loaded.info.id, [seat], **values)
        return loaded.with_seat(seat, **values)


def _due_for(loaded: LoadedMatch, seat: Seat, now: datetime, *, early: bool = False) -> tuple[TimeEvent, ...]:
    """Return what is due for a seat; a reminder also if it would soon be, as long as it is to be `early`."""
    time = loaded.turn_time(seat, now)
    if time is None:
        return ()
    soon = [event for event in time.due(now + TOGETHER_WITHIN) if event is TimeEvent.REMINDER] if early else []
    return tuple(dict.fromkeys((*time.due(now), *soon)))
