"""People: their preferences, their direct messages, and forgetting them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.play.challenges import steps
from bot.play.loading.loaded_match import UnreadableMatchError
from bot.play.loading.unit_of_work import UnitOfWork, Units, shielded
from bot.play.matches.damaged import call_off_damaged
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.matches.vacancies import end_vacancy
from bot.play.outbox.changes import discard_challenge, discard_reminder, enqueue_hands
from bot.play.outbox.offers import forget_pings_of
from bot.play.people.erasure import Erasure
from bot.play.refusals import UnknownTimeZone, UnreadableHour
from bot.store import (
    chains,
    challenges,
    clocks,
    erasures,
    lessons,
    matches,
    people,
    player_words,
    records,
    seasons,
    standings,
)
from bot.store.rows import PersonRow, columns_of
from bot.values.challenges import Challenge, ChallengeStatus
from bot.values.ids import ChannelId, PersonId
from bot.values.people import DEFAULT_PREFERENCES, Person, Preferences, QuietHours
from bot.values.time_zones import UTC_NAME, find_time_zone, likely_time_zones

TRY_DM_AFTER: Final = timedelta(days=1)
"""How long closed direct messages are remembered before an interaction of the person tries them again."""

NO_QUIET_HOURS: Final = "off"
NIGHT: Final = 22 * 60, 8 * 60
"""The quiet hours of somebody who chooses a time zone and nothing else, in minutes since midnight."""

_HOUR: Final = re.compile("([01]?[0-9]|2[0-3])(?::([0-5][0-9]))?")
_REMEMBERED_NAMES: Final = 10_000
REMEMBERED_FOR: Final = 600.0
"""Seconds for which one of several processes takes it for granted that the database has a name: another one may save an
older one."""


@dataclass(frozen=True, slots=True)
class PersonalSettings:
    """A person's preferences, whether direct messages reach them, and the end of their holiday.

    `dm_works` is None before the first one, `away_until` unless a holiday goes on.
    """

    preferences: Preferences
    dm_works: bool | None
    away_until: datetime | None = None


class People(MatchService):
    """Everyone who used the bot."""

    def __init__(self, units: Units, writer: MatchWriter, erasure: Erasure) -> None:
        super().__init__(units, writer)
        self._erasure = erasure
        self._names: dict[PersonId, tuple[Person, float]] = {}
        """Names that the database has, as far as is known, and until when that holds if there are other processes."""

    @shielded
    async def save_name(self, person: Person) -> None:
        """Keep the names of someone who is already known up to date."""
        known, until = self._names.get(person.id, (None, 0.0))
        if known == person and (time.monotonic() < until or not self._units.others_exist):
            return
        async with self._units.write() as unit:
            await people.rename(unit.transaction, person)
        self._names.pop(person.id, None)
        self._names[person.id] = person, time.monotonic() + REMEMBERED_FOR
        if len(self._names) > _REMEMBERED_NAMES:
            del self._names[next(iter(self._names))]

    async def preferences(self, person_id: PersonId) -> Preferences:
        """Return what a person prefers, or the defaults."""
        return (await self.settings(person_id)).preferences

    async def settings(self, person_id: PersonId) -> PersonalSettings:
        """Return what a person prefers, and whether direct messages reach them."""
        async with self._units.read() as unit:
            return _settings(await people.load(unit.transaction, person_id), unit.now)

    @shielded
    async def change_preferences(
        self, person: Person, change: Callable[[Preferences], Preferences], *, retry_dms: bool = False
    ) -> PersonalSettings:
        """Update a person's preferences and return them; `change` returns the new ones, given the present ones.

        Hands are sent by direct message, removed or updated as the preferences now say. `retry_dms` tries direct
        messages again at once, however recently they were found closed.
        """
        async with self._units.write() as unit:
            await people.save_name(unit.transaction, person, unit.now)
            before = _settings(await people.load(unit.transaction, person.id), unit.now).preferences
            after = change(before)
            await people.change(unit.transaction, person.id, **columns_of(after))
            if retry_dms:
                await people.change(unit.transaction, person.id, dm_closed_at=None)
            if retry_dms or after.changes_hand(before):
                await enqueue_hands(unit, person.id)
            if after.changes_reminders(before):
                waiting = await clocks.waiting_for(unit.transaction, person.id)
                await matches.lock(unit.transaction, waiting)
                await clocks.look_at(unit.transaction, waiting, unit.now)
            return _settings(await people.load(unit.transaction, person.id), unit.now)

    async def set_quiet_hours(
        self, person: Person, time_zone: str | None, begins: str | None, ends: str | None
    ) -> PersonalSettings:
        """Change a person's quiet hours, as far as something is given, and return their settings.

        They want none any more if they `begin` at `NO_QUIET_HOURS`. Raise `UnknownTimeZone` or `UnreadableHour`.
        """
        zone = None if time_zone is None else find_time_zone(time_zone)
        if time_zone is not None and zone is None:
            raise UnknownTimeZone(time_zone, likely_time_zones(time_zone))
        off = NO_QUIET_HOURS in (begins, ends)
        from_, to = (None if text is None or off else _read_hour(text) for text in (begins, ends))

        def change(now: Preferences) -> Preferences:
            if off:
                return replace(now, quiet=QuietHours(zone or now.quiet.time_zone))
            kept = now.quiet
            return replace(
                now,
                quiet=QuietHours(
                    zone or kept.time_zone or UTC_NAME,
                    from_ if from_ is not None else kept.quiet_from if kept.quiet_from is not None else NIGHT[0],
                    to if to is not None else kept.quiet_to if kept.quiet_to is not None else NIGHT[1],
                ),
            )

        return await self.change_preferences(person, change)

    async def may_open_dm(self, person: Person) -> bool:
        """Return whether to open a direct message channel to a person who interacts, who is known from then on.

        They want one, and none is known, or it was found closed a while ago.
        """
        async with self._units.read() as unit:
            row = await people.load(unit.transaction, person.id)
        if row is None:
            await self.met(person)
            return True
        if not row.preferences.hand_by_dm:
            return False
        if row.dm_closed_at is not None:
            # A refusal in the future was saved while the clock was wrong, so its age is not known.
            return not timedelta() <= self._units.clock() - row.dm_closed_at < TRY_DM_AFTER
        return row.dm_channel_id is None

    @shielded
    async def met(self, person: Person) -> None:
        """Save a person, and the names they have now."""
        async with self._units.write() as unit:
            await people.save_name(unit.transaction, person, unit.now)

    @shielded
    async def dm_opened(self, person_id: PersonId, channel_id: ChannelId) -> None:
        """Save a person's direct message channel, and send the hands of running matches there.

        Save nothing about somebody who is not known: while it was being opened, they were forgotten.
        """
        async with self._units.write() as unit:
            await people.change(unit.transaction, person_id, dm_channel_id=channel_id, dm_closed_at=None)
            await enqueue_hands(unit, person_id)

    @shielded
    async def dm_closed(self, person_id: PersonId) -> None:
        """Save that a person cannot be reached by direct message, and remove the hands that were."""
        async with self._units.write() as unit:
            await people.change(unit.transaction, person_id, dm_closed_at=unit.now)
            await enqueue_hands(unit, person_id)

    @shielded
    async def forget(self, person_id: PersonId) -> int:
        """Forget a person: running matches are resigned, challenges go, finished matches keep an anonymous seat.

        A match whose others are deciding about a vacant seat ends, and the player of that seat has lost on time.
        In another person's lobby their place is open to anyone. What deleted rows leave in the files is erased too, now
        or once nobody plays. Return how many running matches were resigned.
        """
        async with self._units.write() as unit:
            running = await matches.running_of(unit.transaction, person_id)
            await people.touch(unit.transaction, [person_id])
            await matches.lock(unit.transaction, [row.info.id for row in running])
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
            # These resignations are nobody's moves: the erasure need not wait for them.
            unit.moves = 0
            for challenge in await challenges.concerning(unit.transaction, person_id):
                await _leave_challenge(unit, challenge, person_id)
            await discard_reminder(unit, person_id)
            await clocks.forget(unit.transaction, person_id)
            await forget_pings_of(unit, person_id)
            await lessons.forget(unit.transaction, person_id)
            await player_words.forget(unit.transaction, person_id)
            await chains.forget(unit.transaction, person_id)
            await records.forget(unit.transaction, person_id)
            await standings.forget(unit.transaction, person_id)
            await seasons.forget(unit.transaction, person_id)
            await people.forget(unit.transaction, person_id)
            await erasures.ask(unit.transaction)
        self._names.pop(person_id, None)
        await self._erasure.run()
        return len(running)


async def _leave_challenge(unit: UnitOfWork, challenge: Challenge, person_id: PersonId) -> None:
    """Remove a person from a challenge. A challenge to or from one opponent goes with them."""
    if challenge.challenger.id == person_id or not challenge.is_lobby:
        await challenges.remove(unit.transaction, challenge.id)
        if challenge.status is ChallengeStatus.PENDING:
            await discard_challenge(unit, challenge)
        return
    await challenges.remove_guest(unit.transaction, challenge.id, person_id)
    if challenge.status is ChallengeStatus.PENDING:
        await steps.save(unit, challenge)


def _read_hour(text: str) -> int:
    """Return a time of day in minutes since midnight. Raise `UnreadableHour`."""
    found = _HOUR.fullmatch(text.strip())
    if found is None:
        raise UnreadableHour(text)
    return int(found[1]) * 60 + int(found[2] or 0)


def _settings(row: PersonRow | None, now: datetime) -> PersonalSettings:
    if row is None:
        return PersonalSettings(DEFAULT_PREFERENCES, None)
    known = row.dm_channel_id is not None or row.dm_closed_at is not None
    away_until = None if row.away_until is None or row.away_until <= now else row.away_until
    return PersonalSettings(row.preferences, row.dm_closed_at is None if known else None, away_until)
