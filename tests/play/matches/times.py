"""A helper for tests of match clocks: passes time, keeps the heartbeat running and tracks absent people."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from bot.play.application import Application
from bot.store import clocks
from bot.store.database import Database
from bot.values.ids import ChannelId, MatchId
from bot.values.matches import MatchInfo
from bot.values.people import Person
from bot.values.presence import Presence
from tests.helpers.clock import Clock
from tests.helpers.table import CHANNEL, NORTH, SOUTH, Attendance, interaction, place


@dataclass
class Times:
    """Passes time, connected or not, and runs the timekeeper."""

    app: Application
    database: Database
    clock: Clock
    people: Attendance = field(default_factory=Attendance)

    async def begin(
        self, clock: str, *others: Person, channel_id: ChannelId = CHANNEL, rules: str = "classic"
    ) -> MatchInfo:
        """Start a match with a clock between North and South, or the others, and return it. North moves first."""
        named = others or (SOUTH,)
        ids = [person.id for person in named]
        challenge = await self.app.challenges.issue(
            NORTH, ids, place(channel_id), interaction(), rules=rules, clock=clock
        )
        for person in named:
            _, match = await self.app.challenges.accept(person, challenge.id)
            if match is not None:
                return match
        return (await self.app.lobbies.start(NORTH.id, challenge.id))[1]

    async def pass_by(self, span: timedelta, *, connected: bool = True) -> None:
        """Let time pass, then run the timekeeper. Without `connected`, the span counts as an outage."""
        if connected:
            async with self.database.write() as transaction:
                await clocks.save_shard(transaction, 0, 1, self.clock.now + span)
        self.clock.pass_by(span)
        await self.app.outages.beat([0], 1)
        await self.look()

    async def look(self) -> None:
        """Run the timekeeper once."""
        await self.app.timekeeper.look(self.people)

    def lose(self, person: Person, presence: Presence = Presence.GONE) -> None:
        """Make a person absent from the table."""
        self.people.absent[person.id] = presence

    def bring_back(self, person: Person) -> None:
        """Make a person present again."""
        self.people.absent.pop(person.id, None)

    async def left(self, match_id: MatchId, person: Person) -> timedelta | None:
        """Return the player's remaining time as they see it, or None."""
        hand = await self.app.lookup.hand(person.id, match_id)
        time = hand.times.get(hand.view.seat)
        return None if time is None else time.left
