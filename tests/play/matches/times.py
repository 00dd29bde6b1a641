"""A helper for tests of match clocks: it lets time pass, saves heartbeats and makes people absent."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from bot.model.ids import ChannelId, MatchId
from bot.model.matches import MatchInfo
from bot.model.people import Person
from bot.model.presence import Presence
from bot.play.application import Application
from bot.store import clocks
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.table import CHANNEL, NORTH, SOUTH, FakeMembers, interaction, place


@dataclass
class ClockDriver:
    """Lets time pass, with or without a connection to Discord, and runs the timekeeper."""

    app: Application
    database: Database
    clock: Clock
    attendance: FakeMembers = field(default_factory=FakeMembers)

    async def begin(
        self, clock: str, *others: Person, channel_id: ChannelId = CHANNEL, rules: str = "classic"
    ) -> MatchInfo:
        """Start a match with this clock between North and `others`, by default South, and return it."""
        opponents = others or (SOUTH,)
        ids = [person.id for person in opponents]
        challenge = await self.app.challenges.issue(
            NORTH, ids, place(channel_id), interaction(), rules=rules, clock=clock
        )
        for person in opponents:
            _, match = await self.app.challenges.accept(person, challenge.id)
            if match is not None:
                return match
        return (await self.app.lobbies.start(NORTH.id, challenge.id))[1]

    async def pass_by(self, span: timedelta, *, connected: bool = True) -> None:
        """Let time pass, then run the timekeeper. If `connected` is false, the span counts as an outage."""
        if connected:
            async with self.database.write() as transaction:
                await clocks.save_shard_time(transaction, 0, 1, self.clock.now + span)
        self.clock.pass_by(span)
        await self.app.outages.beat([0], 1)
        await self.run_timekeeper()

    async def run_timekeeper(self) -> None:
        """Run the timekeeper once."""
        await self.app.timekeeper.check_due(self.attendance)

    def make_absent(self, person: Person, presence: Presence = Presence.GONE) -> None:
        """Make a person absent: gone from the server, or with `SHUT_OUT` unable to reach the table."""
        self.attendance.absent[person.id] = presence

    def make_present(self, person: Person) -> None:
        """Make a person present again."""
        self.attendance.absent.pop(person.id, None)

    async def time_left(self, match_id: MatchId, person: Person) -> timedelta | None:
        """Return the remaining time that a player's own hand shows, or None if it shows no time."""
        hand = await self.app.lookup.hand(person.id, match_id)
        time = hand.times_left.get(hand.view.seat)
        return None if time is None else time.left
