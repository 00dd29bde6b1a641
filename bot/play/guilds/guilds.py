"""Servers: settings, outages, and removals of the bot."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from bot.engine.rules import PRESETS
from bot.model.clocks import Standstill
from bot.model.guilds import GuildSettings, Place
from bot.model.ids import GuildId
from bot.model.matches import MatchInfo
from bot.model.shards import ALL_SHARDS, Shards
from bot.play.guilds.rulebook import read_offered
from bot.play.loading.batches import in_batches
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.play.refusals import UnknownRules, WrongChannel
from bot.play.standing.seasons import restart_season
from bot.store import clocks, guilds, matches
from bot.store.database import Lane
from bot.store.removal import MAX_ROWS
from bot.store.rows import columns_of

RETENTION: Final = timedelta(days=30)
"""Time for which a server's data is kept after it removed the bot. If the bot is invited again in this time, nothing is
lost."""


class Guilds(Service):
    """The servers' settings, and whether the bot is in a server and the server is available."""

    async def settings(self, guild_id: GuildId) -> GuildSettings:
        async with self._units.read() as unit:
            return (await guilds.load(unit.transaction, guild_id)).settings

    @shielded
    async def change_settings(
        self, guild_id: GuildId, change: Callable[[GuildSettings], GuildSettings]
    ) -> GuildSettings:
        """Update a server's settings and return them. Raise `UnknownRules` or `NotOffered`."""
        async with self._units.write() as unit:
            before = (await guilds.load(unit.transaction, guild_id)).settings
            settings = change(before)
            unknown = [name for name in settings.offered if name not in PRESETS]
            if unknown:
                raise UnknownRules(f"there is no preset {unknown[0]!r}", tuple(PRESETS), unknown[0])
            await read_offered(unit.transaction, guild_id, settings, settings.rules)
            await guilds.change(unit.transaction, guild_id, **columns_of(settings))
            if (settings.seasons, settings.time_zone) != (before.seasons, before.time_zone):
                await restart_season(unit.transaction, guild_id, unit.now)
            return settings

    async def running(self, guild_id: GuildId) -> tuple[MatchInfo, ...]:
        """Return the running matches of a server, oldest first."""
        async with self._units.read() as unit:
            return tuple(row.info for row in await matches.running_in_guild(unit.transaction, guild_id))

    @shielded
    async def save_left(self, guild_id: GuildId) -> None:
        """Save that a server removed the bot. Its matches are paused, and no messages are sent there."""
        async with self._units.write() as unit:
            await guilds.change(unit.transaction, guild_id, left_at=unit.now)

    @shielded
    async def save_joined(self, guild_id: GuildId) -> None:
        """Save that the bot is in a server, and that the server is available. The clocks run again in its matches."""
        async with self._units.write() as unit:
            row = await guilds.load(unit.transaction, guild_id)
            if row.left_at is not None:
                await _resume_matches(unit, guild_id)
                unit.guilds_with_messages.add(guild_id)
            if row.unavailable_since is not None:
                await _end_outage(unit, guild_id)

    @shielded
    async def save_all_joined(self, guild_ids: set[GuildId], shards: Shards = ALL_SHARDS) -> None:
        """Save which servers of some shards the bot is in. Any other servers of these shards have removed the bot."""
        # This query is slow if there are many matches, so it must not block writers.
        async with self._units.read(Lane.BACKGROUND) as unit:
            known = await guilds.with_data(unit.transaction, shards)
        async with self._units.write() as unit:
            left = set(await guilds.that_left(unit.transaction))
            for guild_id in sorted(left & guild_ids):
                await _resume_matches(unit, guild_id)
            for guild_id in sorted(known - guild_ids - left):
                await guilds.change(unit.transaction, guild_id, left_at=unit.now)
            unit.guilds_with_messages.update(guild_ids)

    @shielded
    async def save_unavailable(self, guild_id: GuildId) -> None:
        """Save that an outage makes a server unavailable. Its clocks stand still until `save_joined` is called."""
        async with self._units.write() as unit:
            await guilds.begin_outages(unit.transaction, [guild_id], unit.now)

    @shielded
    async def save_all_unavailable(self, guild_ids: set[GuildId], shards: Shards = ALL_SHARDS) -> None:
        """Save which servers of some shards are unavailable: exactly the given ones."""
        async with self._units.write() as unit:
            known = await guilds.unavailable(unit.transaction, shards)
            for guild_id in sorted(known - guild_ids):
                await _end_outage(unit, guild_id)
            await guilds.begin_outages(unit.transaction, guild_ids - known, unit.now)

    async def purge(self) -> None:
        """Delete all data of servers that removed the bot more than `RETENTION` ago, in small transactions."""
        await in_batches(self._purge_some)

    @shielded
    async def _purge_some(self) -> bool:
        """Do one step of `purge`. Return False if there was nothing to delete."""
        # Read first: even an empty write transaction blocks other writers.
        async with self._units.read(Lane.BACKGROUND) as unit:
            set_aside = await matches.any_set_aside(unit.transaction)
            if not set_aside and await guilds.left_before(unit.transaction, unit.now - RETENTION) is None:
                return False
        async with self._units.write() as unit:
            if await matches.remove_set_aside(unit.transaction, MAX_ROWS):
                return True
            guild_id = await guilds.left_before(unit.transaction, unit.now - RETENTION)
            if guild_id is None:
                return False
            # Change the server's row, to conflict with a concurrent transaction that saves the bot's return.
            await guilds.touch(unit.transaction, guild_id)
            return await guilds.purge_some(unit.transaction, guild_id, unit.now, MAX_ROWS - 1) > 0


async def _resume_matches(unit: UnitOfWork, guild_id: GuildId) -> None:
    """Resume the matches of a server that invited the bot again. Their clocks stood still while the bot was away."""
    left_at = (await guilds.load(unit.transaction, guild_id)).left_at
    await guilds.change(unit.transaction, guild_id, left_at=None)
    await _end_standstill(unit, guild_id, left_at)


async def _end_outage(unit: UnitOfWork, guild_id: GuildId) -> None:
    """Save that a server is available again. Clocks stood still during the outage."""
    since = (await guilds.load(unit.transaction, guild_id)).unavailable_since
    await guilds.change(unit.transaction, guild_id, unavailable_since=None)
    await _end_standstill(unit, guild_id, since)


async def _end_standstill(unit: UnitOfWork, guild_id: GuildId, since: datetime | None) -> None:
    """Record a standstill of a server's clocks from a moment until now, and update its matches."""
    if since is not None:
        kind = Standstill.GUILD
        await clocks.add_standstill(unit.transaction, kind, guild_id, 0, min(since, unit.now), unit.now)
    await clocks.schedule_guild_checks(unit.transaction, guild_id, unit.now)


async def require_allowed_channel(unit: UnitOfWork, place: Place) -> None:
    """Check that people may play in a channel, or in the parent channel of a thread. Raise `WrongChannel`."""
    allowed = (await guilds.load(unit.transaction, place.guild_id)).settings.channels
    if allowed and place.channel_id not in allowed and place.parent_id not in allowed:
        raise WrongChannel(allowed)
