"""Servers: their settings, their standings, and what happens when they remove the bot."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, TypedDict, Unpack

from bot.engine.rules import PRESETS
from bot.play.boards import card_of
from bot.play.outbox import Outbox
from bot.play.refusals import UnknownRules
from bot.play.rulebook import read_offered
from bot.play.values import GuildSettings, Ladder, Look, MatchCard, StandingRow
from bot.store import guilds, matches, standings
from bot.store.database import Database, Transaction
from bot.store.rows import GuildRow

KEPT_FOR: Final = timedelta(days=30)
"""What a server played is kept this long after it removed the bot, and comes back with it."""

RECENT: Final = timedelta(days=30)


class Choice(TypedDict, total=False):
    """Settings to change: those of `GuildSettings` that are given."""

    rules: str
    target: int | None
    channels: tuple[int, ...]
    offered: tuple[str, ...]
    theme: str
    four_colours: bool
    language: str


class Guilds:
    """The servers."""

    def __init__(self, database: Database, outbox: Outbox, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._outbox = outbox
        self._clock = clock

    async def settings(self, guild_id: int) -> GuildSettings:
        """What a server's managers chose."""
        return _settings(await self._database.read(lambda transaction: guilds.load(transaction, guild_id)))

    async def set(self, guild_id: int, **chosen: Unpack[Choice]) -> GuildSettings:
        """Choose some settings anew, and give all of them as they are then.

        Raises:
            UnknownRules: the default rules, or some that are to be offered, are none.
            NotOffered: the default rules are not among those offered.
        """
        strange = [name for name in chosen.get("offered", ()) if name not in PRESETS]
        if strange:
            raise UnknownRules(f"there is no preset {strange[0]!r}", tuple(PRESETS))

        async def work(transaction: Transaction) -> GuildSettings:
            await guilds.change(transaction, guild_id, **chosen)
            now = await guilds.load(transaction, guild_id)
            await read_offered(transaction, now, now.rules)
            return _settings(now)

        return await self._database.write(work)

    async def running(self, guild_id: int) -> tuple[MatchCard, ...]:
        """The matches that run in a server, oldest first."""
        rows = await self._database.read(lambda transaction: matches.running_in_guild(transaction, guild_id))
        return tuple(map(card_of, rows))

    async def standing(
        self, guild_id: int, *, recent: bool, ladder: Ladder = Ladder.POINTS, system: str | None = None
    ) -> tuple[StandingRow, ...]:
        """Everyone's standing in a server, best first: of all time, or of the last 30 days; since the last reset.

        Args:
            guild_id: the server.
            recent: whether older matches are left out.
            ladder: which matches are compared: those for points, of teams, or for penalty points (the fewest lead).
            system: a preset's or house rule's name, to compare the matches by these rules alone.
        """

        async def work(transaction: Transaction) -> tuple[StandingRow, ...]:
            since = await self._since(transaction, guild_id, recent)
            fewest = ladder is Ladder.PENALTY
            return await standings.standing(
                transaction, guild_id, ladder, system=system, since=since, fewest_points=fewest
            )

        return await self._database.read(work)

    async def played(self, guild_id: int) -> tuple[tuple[Ladder, str], ...]:
        """The ladders and rule systems that the standing of a server has matches of, since the last reset."""

        async def work(transaction: Transaction) -> tuple[tuple[Ladder, str], ...]:
            since = await self._since(transaction, guild_id, recent=False)
            return tuple(
                (Ladder(ladder), system) for ladder, system in await standings.played(transaction, guild_id, since)
            )

        return await self._database.read(work)

    async def _since(self, transaction: Transaction, guild_id: int, recent: bool) -> datetime | None:
        reset_at = (await guilds.load(transaction, guild_id)).reset_at
        if not recent:
            return reset_at
        month = self._clock() - RECENT
        return month if reset_at is None else max(reset_at, month)

    async def reset_standing(self, guild_id: int) -> None:
        """Begin the standing anew; the matches stay."""
        now = self._clock()
        await self._database.write(lambda transaction: guilds.change(transaction, guild_id, reset_at=now))

    async def left(self, guild_id: int) -> None:
        """A server removed the bot: its matches rest, and nothing is sent there."""
        now = self._clock()
        await self._database.write(lambda transaction: guilds.change(transaction, guild_id, left_at=now))

    async def present(self, guild_ids: set[int]) -> None:
        """The bot is in these servers: what rested there goes on."""

        async def work(transaction: Transaction) -> None:
            for guild_id in await guilds.gone(transaction):
                if guild_id in guild_ids:
                    await guilds.change(transaction, guild_id, left_at=None)

        await self._outbox.write(work)

    async def present_only(self, guild_ids: set[int]) -> None:
        """The bot is in these servers and no others: those it knew beyond them removed it while it was not looking."""
        now = self._clock()

        async def work(transaction: Transaction) -> None:
            gone = set(await guilds.gone(transaction))
            for guild_id in gone & guild_ids:
                await guilds.change(transaction, guild_id, left_at=None)
            for guild_id in await guilds.known(transaction) - guild_ids - gone:
                await guilds.change(transaction, guild_id, left_at=now)

        await self._outbox.write(work)

    async def purge(self) -> None:
        """Remove what is kept of servers that removed the bot `KEPT_FOR` ago."""
        before = self._clock() - KEPT_FOR

        async def work(transaction: Transaction) -> None:
            for guild_id in await guilds.gone(transaction, before):
                await guilds.purge(transaction, guild_id)

        await self._database.write(work)


def _settings(row: GuildRow) -> GuildSettings:
    look = Look(row.theme, row.four_colours, row.language)
    return GuildSettings(row.rules, row.target, row.channels, row.offered, look)
