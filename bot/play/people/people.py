"""Preferences and direct message channels of people, and the deletion of their data on request."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.ids import ChannelId, PersonId
from bot.model.people import DEFAULT_PREFERENCES, Person, Preferences, QuietHours
from bot.model.time_zones import UTC_NAME, find_time_zone, suggested_time_zones
from bot.play.challenges import steps
from bot.play.dm_channels import DmState, dm_state, must_pause
from bot.play.loading.loaded_match import UnreadableMatchError
from bot.play.loading.unit_of_work import UnitOfWork, Units, shielded
from bot.play.matches.damaged import call_off_damaged
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.matches.vacancies import end_vacancy
from bot.play.outbox.changes import discard_challenge, discard_reminders, enqueue_hands
from bot.play.outbox.offers import forget_pings_of
from bot.play.people.erasure import Erasure
from bot.play.refusals import UnknownTimeZone, UnreadableHour
from bot.store import (
    blocks,
    chains,
    challenges,
    clocks,
    daily,
    erasures,
    lessons,
    matches,
    people,
    player_words,
    records,
    seasons,
    standings,
)
from bot.store.database import Lane
from bot.store.rows import columns_of

NO_QUIET_HOURS: Final = "off"
DEFAULT_QUIET_HOURS: Final = 22 * 60, 8 * 60
"""The default quiet hours of a person who only chooses a time zone, in minutes since midnight."""

_TIME_OF_DAY: Final = re.compile("([01]?[0-9]|2[0-3])(?::([0-5][0-9]))?")
_MAX_CACHED_NAMES: Final = 10_000
NAME_CACHE_SECONDS: Final = 600.0
"""Time in seconds after which a cached name is saved again if there are other processes, which might have saved an
older name."""


@dataclass(frozen=True, slots=True)
class PersonalSettings:
    """A person's preferences, whether direct messages reach them, and the end of their holiday.

    `dm_works` is None before the first direct message, and `away_until` is None without a current holiday. `blocked` is
    the number of people that they have blocked.
    """

    preferences: Preferences
    dm_works: bool | None
    away_until: datetime | None = None
    blocked: int = 0


class People(MatchService):
    """Everyone who has used the bot."""

    def __init__(self, units: Units, writer: MatchWriter, erasure: Erasure) -> None:
        super().__init__(units, writer)
        self._erasure = erasure
        self._names: dict[PersonId, tuple[Person, float]] = {}
        """Cached names, as stored in the database, each with the time at which it expires if there are other processes.
        """

    async def save_name(self, person: Person) -> bool:
        """Update the names and the avatar of a person. Return False if they turn out to have no row."""
        cached, until = self._names.get(person.id, (None, 0.0))
        if cached == person and (time.monotonic() < until or not self._units.has_other_processes):
            return True
        # Most names have not changed. Finding that out needs no write, for which a player's next move would wait.
        async with self._units.read(Lane.BACKGROUND) as unit:
            row = await people.load(unit.transaction, person.id)
        if row is None:
            # Without a row, there is no match from which the person could be absent.
            self._units.note_present(person.id)
        if row is None or row.shows(person):
            self._note_name(person)
        else:
            await self._write_name(person)
        return row is not None

    async def save_changed_name(self, person: Person) -> None:
        """Update the names and the avatar of a person if they have certainly changed since `save_name`.

        Call this before the person does anything: messages then show the new name at once.
        """
        cached, _ = self._names.get(person.id, (person, 0.0))
        if cached != person:
            await self._write_name(person)

    @shielded
    async def _write_name(self, person: Person) -> None:
        async with self._units.write() as unit:
            await people.update_name(unit.transaction, person)
        self._note_name(person)

    def _note_name(self, person: Person) -> None:
        """Note the stored names of a person."""
        self._names.pop(person.id, None)
        self._names[person.id] = person, time.monotonic() + NAME_CACHE_SECONDS
        if len(self._names) > _MAX_CACHED_NAMES:
            del self._names[next(iter(self._names))]

    async def has_closed_dms(self, person_id: PersonId) -> bool:
        """Return True if Discord refused the latest direct message to a person."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            row = await people.load(unit.transaction, person_id)
        return row is not None and row.dm_closed_at is not None

    async def preferences(self, person_id: PersonId) -> Preferences:
        """Return a person's preferences, or the defaults."""
        async with self._units.read() as unit:
            return await _preferences(unit, person_id)

    async def settings(self, person_id: PersonId) -> PersonalSettings:
        """Return all that the message with a person's preferences shows."""
        async with self._units.read() as unit:
            return await _settings(unit, person_id)

    @shielded
    async def change_preferences(
        self, person: Person, change: Callable[[Preferences], Preferences], *, retry_dms: bool = False
    ) -> PersonalSettings:
        """Update a person's preferences and return them. `change` returns the new ones, given the current ones.

        Hands are sent by direct message, removed or updated to match the new preferences. `retry_dms` tries direct
        messages again immediately, even if they were recently found closed.
        """
        async with self._units.write() as unit:
            people.save_name(unit.transaction, person, unit.now)
            before = await _preferences(unit, person.id)
            after = change(before)
            people.change(unit.transaction, person.id, **columns_of(after))
            if after.shows_avatar != before.shows_avatar:
                people.change(unit.transaction, person.id, avatar=person.avatar if after.shows_avatar else None)
            if retry_dms:
                people.change(unit.transaction, person.id, dm_closed_at=None)
            if retry_dms or after.changes_hand(before):
                await enqueue_hands(unit, person.id)
            if after.changes_reminders(before):
                waiting = await clocks.waiting_for(unit.transaction, person.id)
                await matches.lock_matches(unit.transaction, waiting)
                await clocks.schedule_checks(unit.transaction, waiting, unit.now)
            return await _settings(unit, person.id)

    async def set_quiet_hours(
        self, person: Person, time_zone: str | None, begins: str | None, ends: str | None
    ) -> PersonalSettings:
        """Change the given parts of a person's quiet hours, and return the person's settings.

        If `begins` or `ends` is `NO_QUIET_HOURS`, switch the quiet hours off. Raise `UnknownTimeZone` or
        `UnreadableHour`.
        """
        zone = None if time_zone is None else find_time_zone(time_zone)
        if time_zone is not None and zone is None:
            raise UnknownTimeZone(time_zone, suggested_time_zones(time_zone))
        off = NO_QUIET_HOURS in (begins, ends)
        from_, to = (None if text is None or off else _parse_time_of_day(text) for text in (begins, ends))

        def change(now: Preferences) -> Preferences:
            if off:
                return replace(now, quiet=QuietHours(zone or now.quiet.time_zone))
            kept = now.quiet
            return replace(
                now,
                quiet=QuietHours(
                    zone or kept.time_zone or UTC_NAME,
                    from_
                    if from_ is not None
                    else kept.quiet_from
                    if kept.quiet_from is not None
                    else DEFAULT_QUIET_HOURS[0],
                    to if to is not None else kept.quiet_to if kept.quiet_to is not None else DEFAULT_QUIET_HOURS[1],
                ),
            )

        return await self.change_preferences(person, change)

    async def dm_state(self, person_id: PersonId) -> DmState:
        """Return whether a direct message channel to a person may be opened now."""
        async with self._units.read() as unit:
            return await dm_state(unit, person_id)

    async def must_pause_dms(self) -> bool:
        """Return True if the bot opened too many direct message channels, and must open no more for a while."""
        async with self._units.read() as unit:
            return await must_pause(unit)

    @shielded
    async def save_person(self, person: Person) -> None:
        """Save a person with their current names and avatar."""
        async with self._units.write() as unit:
            people.save_name(unit.transaction, person, unit.now)

    @shielded
    async def save_dm_opened(self, person_id: PersonId, channel_id: ChannelId, new: Person | None = None) -> None:
        """Save a person's direct message channel, and send the hands of running matches there.

        Save nothing if the person has no row: they were forgotten while the channel was being opened. If they had no
        row before that either, they are given as `new`, and get one.
        """
        async with self._units.write() as unit:
            if new is not None:
                people.save_name(unit.transaction, new, unit.now)
            people.change(unit.transaction, person_id, dm_channel_id=channel_id, dm_closed_at=None)
            await enqueue_hands(unit, person_id)

    @shielded
    async def save_dm_closed(self, person_id: PersonId, new: Person | None = None) -> None:
        """Save that a person cannot be reached by direct message, and remove hands that were sent that way.

        See `save_dm_opened`.
        """
        async with self._units.write() as unit:
            if new is not None:
                people.save_name(unit.transaction, new, unit.now)
            people.close_dms(unit.transaction, person_id, unit.now)
            await enqueue_hands(unit, person_id)

    @shielded
    async def forget(self, person_id: PersonId) -> int:
        """Forget a person: resign running matches, delete challenges, and anonymize their seats in finished matches.

        A match that awaits a decision about a vacant seat ends instead as lost on time by the player who left the seat.
        In another person's lobby, the forgotten person's place becomes open to anyone. Traces of the deleted rows are
        erased from the files, now or later (see `Erasure`). Return the number of matches that were ended.
        """
        async with self._units.write() as unit:
            running = await matches.running_of(unit.transaction, person_id)
            people.touch(unit.transaction, [person_id])
            await matches.lock_matches(unit.transaction, [row.info.id for row in running])
            for row in running:
                try:
                    loaded = await unit.restore(row)
                except UnreadableMatchError:
                    await call_off_damaged(unit, row)
                    continue
                seat = loaded.seat_of(person_id)
                if loaded.info.vacant_seat is None:
                    await self._writer.forfeit(unit, loaded, seat, by=seat)
                else:
                    await end_vacancy(unit, self._writer, loaded, by=seat)
            # Do not count these resignations as moves: recent moves delay the erasure.
            unit.moves = 0
            for challenge in await challenges.involving(unit.transaction, person_id):
                await _leave_challenge(unit, challenge, person_id)
            await discard_reminders(unit, person_id)
            await clocks.forget(unit.transaction, person_id)
            await forget_pings_of(unit, person_id)
            await blocks.forget(unit.transaction, person_id)
            await lessons.forget(unit.transaction, person_id)
            await player_words.forget(unit.transaction, person_id)
            await chains.forget(unit.transaction, person_id)
            await records.forget(unit.transaction, person_id)
            await standings.forget(unit.transaction, person_id)
            await seasons.forget(unit.transaction, person_id)
            await daily.forget(unit.transaction, person_id)
            await people.forget(unit.transaction, person_id)
            await erasures.add_request(unit.transaction)
        self._names.pop(person_id, None)
        await self._erasure.run()
        return len(running)


async def _leave_challenge(unit: UnitOfWork, challenge: Challenge, person_id: PersonId) -> None:
    """Remove a person from a challenge if it is someone else's lobby. Otherwise, delete the challenge."""
    if challenge.challenger.id == person_id or not challenge.is_lobby:
        await challenges.remove(unit.transaction, challenge.id)
        if challenge.status is ChallengeStatus.PENDING:
            await discard_challenge(unit, challenge)
        return
    await challenges.remove_guest(unit.transaction, challenge.id, person_id)
    if challenge.status is ChallengeStatus.PENDING:
        await steps.save(unit, challenge)


def _parse_time_of_day(text: str) -> int:
    """Parse a time of day into minutes since midnight. Raise `UnreadableHour`."""
    match = _TIME_OF_DAY.fullmatch(text.strip())
    if match is None:
        raise UnreadableHour(text)
    return int(match[1]) * 60 + int(match[2] or 0)


async def _preferences(unit: UnitOfWork, person_id: PersonId) -> Preferences:
    row = await people.load(unit.transaction, person_id)
    return DEFAULT_PREFERENCES if row is None else row.preferences


async def _settings(unit: UnitOfWork, person_id: PersonId) -> PersonalSettings:
    row = await people.load(unit.transaction, person_id)
    if row is None:
        return PersonalSettings(DEFAULT_PREFERENCES, None)
    has_tried_dms = row.dm_channel_id is not None or row.dm_closed_at is not None
    away_until = row.away_until if row.is_away(unit.now) else None
    blocked = len(await blocks.blocked_by(unit.transaction, person_id))
    return PersonalSettings(row.preferences, row.dm_closed_at is None if has_tried_dms else None, away_until, blocked)
