"""People who play the deals of several days, and a bot that runs or is down in between."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from random import Random
from typing import Final

from bot.engine.deals.moves import TAKE
from bot.model.daily import DailyResult, day_at, end_of
from bot.model.ids import GuildId, PersonId
from bot.model.matches import MatchStatus, OwnHand, Shortcut
from bot.model.people import Person
from bot.model.streaks import Streaks
from bot.play.application import Application
from bot.play.daily.days import CLOSING_DELAY
from bot.play.loading.daily_streaks import streaks_of
from bot.store import clocks, daily, matches
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.table import GUILD, NORTH, interaction, sensible_move

DAY: Final = timedelta(days=1)
BOTH_SHARDS: Final = (0, 1)


class DailyPlayers:
    """People who play the deals of the day, which must be dealt `IMMEDIATE_GIN`: the first player goes gin at once."""

    def __init__(self, app: Application, database: Database, clock: Clock) -> None:
        self.app, self.clock, self._database = app, clock, database
        self._connected = {*BOTH_SHARDS}

    async def begin(self, person: Person = NORTH, guild_id: GuildId | None = GUILD) -> None:
        """Let a person open today's deal on a server, so that it counts there."""
        await self.app.daily_tries.start(person, guild_id, interaction())

    async def finish(self, person: Person = NORTH, guild_id: GuildId | None = GUILD) -> None:
        """Let a person finish today's deal."""
        hand = (await self.app.daily_tries.start(person, guild_id, interaction())).hand
        hand = await self.app.computers.answer(person.id, hand)
        if hand.match.status is MatchStatus.RUNNING:
            await self.app.turns.move(person.id, hand.match.id, TAKE, interaction())
            await self.app.turns.move(person.id, hand.match.id, Shortcut.GIN, interaction())

    async def call_off(self, person: Person = NORTH) -> None:
        """Call a person's try at today's deal off, as if its log were full."""
        own = (await self.app.daily_tries.today(person.id)).own
        assert own is not None
        async with self._database.write() as transaction:
            await matches.cancel(transaction, own.match_id, self.clock.now)

    async def results(self, days: int = 1, guild_id: GuildId = GUILD) -> list[DailyResult]:
        """Return the results of the last days on a server, today included."""
        today = day_at(self.clock.now)
        async with self._database.read() as transaction:
            return [*await daily.results(transaction, guild_id, today - (days - 1) * DAY, today)]

    async def streaks(self, person: Person = NORTH) -> Streaks:
        """Return a person's streaks."""
        async with self._database.read() as transaction:
            return (await streaks_of(transaction, [person.id], day_at(self.clock.now)))[person.id]

    async def run(self, span: timedelta = DAY, shards: Collection[int] = BOTH_SHARDS) -> None:
        """Let some time pass while these shards are connected. The bot does its chores, also when a day is closed."""
        until = self.clock.now + span
        await self.app.outages.beat(shards, len(BOTH_SHARDS), newly=[*{*shards} - self._connected])
        self._connected = {*shards}
        await self.do_chores()
        while self.clock.now < until:
            self.clock.now = min(until, _next_closing(self.clock))
            # As if there had been a heartbeat every few seconds.
            async with self._database.write() as transaction:
                for shard in shards:
                    await clocks.save_shard_time(transaction, shard, len(BOTH_SHARDS), self.clock.now)
            await self.do_chores()

    async def be_down(self, span: timedelta = DAY) -> None:
        """Let some time pass while the bot does not run. It then does its chores before it is connected."""
        self.clock.pass_by(span)
        self._connected = set[int]()
        await self.do_chores()

    async def do_chores(self) -> None:
        """Do the chores that concern deals of the day."""
        await self.app.time_repair.repair()
        await self.app.daily_deals.close_past()
        await self.app.daily_deals.begin_today()


async def play_on(app: Application, person_id: PersonId, seed: str) -> OwnHand:
    """Let a person play the deal of the day that they have begun, with any cards. Return the hand at its end."""
    own, random = (await app.daily_tries.today(person_id)).own, Random(seed)
    assert own is not None
    hand = await app.computers.answer(person_id, await app.lookup.hand(person_id, own.match_id))
    while hand.match.status is MatchStatus.RUNNING:
        moved = await app.turns.move(person_id, own.match_id, sensible_move(hand.view, random), interaction())
        hand = await app.computers.answer(person_id, moved)
    return hand


def _next_closing(clock: Clock) -> datetime:
    """Return the next time at which the deal of a day is closed."""
    return end_of(day_at(clock.now - CLOSING_DELAY)) + CLOSING_DELAY
