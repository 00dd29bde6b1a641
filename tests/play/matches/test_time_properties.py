"""Random events: the remaining time equals a simple count, and nobody loses who moved in time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.engine.moves import Seat
from bot.play.application import Application
from bot.play.clocks.turn_time import GRACE, LEAST_BACK, LEAST_LIVE
from bot.play.refusals import NoTimeToGive, TooLongAway, TooMuchTime
from bot.store import clocks
from bot.values.clocks import Clock as MatchClock
from bot.values.clocks import TimeChange
from bot.values.ids import MatchId
from bot.values.matches import MatchStatus
from bot.values.presence import Presence
from bot.values.shards import ALL
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import opened
from tests.helpers.examples import examples
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import GUILD, NORTH, SOUTH, interaction, sensible
from tests.play.matches.times import Times

PEOPLE: Final = (NORTH, SOUTH)
STEP: Final = timedelta(minutes=1)
LIVE_STEP: Final = timedelta(seconds=31)
"""One step of the simple count, for a live clock. Events happen between two steps."""

EVENTS: Final = (
    *("pass", "pass", "pass", "outage", "move", "move", "draw", "gift", "pause", "go on", "restart"),
    *("leave", "join", "away", "back", "blind", "sighted", "act"),
)
STEPS: Final = st.tuples(st.sampled_from(EVENTS), st.integers(1, 400))
"""An event, and its duration or its person."""


@dataclass
class Count:
    """A simple count of both players' time, step by step, according to the rules."""

    clock: MatchClock
    left: list[timedelta] = field(default_factory=list[timedelta])
    turn: int = 0
    gone: bool = False
    paused: bool = False
    stopped: bool = False
    away_for: list[timedelta] = field(default_factory=lambda: [timedelta(), timedelta()])

    def __post_init__(self) -> None:
        self.left = [self.clock.full, self.clock.full]

    def pass_by(self, span: timedelta, *, connected: bool) -> None:
        """Let a step pass."""
        away = not self.clock.live and self.away_for[self.turn] > timedelta()
        if connected and not (self.gone or self.paused or self.stopped or away):
            self.left[self.turn] -= span
        self.away_for = [max(one - span, timedelta()) for one in self.away_for]

    def turn_to(self, seat: int) -> None:
        """End the turn, add the increment of a live clock, and start the other player's turn."""
        if self.clock.increment is not None:
            self.left[self.turn] = max(self.left[self.turn], timedelta()) + self.clock.increment
        else:
            self.left[self.turn] = self.clock.full
        self.turn, self.stopped = seat, False


class World:
    """The application together with the simple count."""

    def __init__(self, times: Times, clock: MatchClock, seed: int) -> None:
        self.times, self.count, self.random = times, Count(clock), Random(seed)
        self.match_id = MatchId(0)
        self.step = LIVE_STEP if clock.live else STEP

    @property
    def app(self) -> Application:
        """The current application; a restart replaces it."""
        return self.times.app

    async def do(self, what: str, number: int) -> None:
        """Apply one event to the application and the count."""
        person = PEOPLE[self.count.turn]
        waiting = PEOPLE[1 - self.count.turn]
        match what:
            case "pass" | "outage":
                span = number * self.step
                for _ in range(number):
                    self.count.pass_by(self.step, connected=what == "pass")
                before = self.count.left[self.count.turn]
                await self.times.pass_by(span, connected=what == "pass")
                await self._after_looking(before)
            case "move" | "draw" if not self.count.gone and not self.count.paused:
                await self._move(whole=what == "move")
            case "gift" if not self.count.gone and not self.count.paused:
                before = self.count.left[self.count.turn]
                with suppress(TooMuchTime, NoTimeToGive):
                    await self.app.times.give(waiting.id, self.match_id)
                    most = timedelta(minutes=5) if self.count.clock.live else timedelta(days=1)
                    given = min(most, self.count.clock.full)
                    self.count.left[self.count.turn] = max(before, timedelta()) + given
            case "pause" if not self.count.gone and not self.count.paused:
                for one in PEOPLE:
                    await self.app.pauses.pause(one.id, self.match_id)
                self.count.paused, self.count.stopped = True, False
                self.count.left[self.count.turn] = max(self.count.left[self.count.turn], timedelta())
            case "go on" if not self.count.gone and self.count.paused:
                for one in PEOPLE:
                    await self.app.pauses.resume(one.id, self.match_id)
                self.count.paused = False
                self._at_least()
            case "restart":
                fresh = Application(self.times.database, shuffler=RiggedShuffler(seed=number), clock=self.times.clock)
                self.times.app = fresh
            case "leave" if not self.count.gone:
                await self.app.guilds.left(GUILD)
                self.count.gone = True
            case "join" if self.count.gone:
                await self.app.guilds.joined(GUILD)
                self.count.gone = False
            case "away":
                with suppress(TooLongAway):
                    days = 1 + number % 3
                    await self.app.holidays.take(person, days)
                    self.count.away_for[self.count.turn] = timedelta(days=days)
            case "back" if self.count.away_for[self.count.turn] > timedelta():
                await self.app.holidays.end(person.id)
                self.count.away_for[self.count.turn] = timedelta()
            case "blind":
                self.times.lose(person, Presence.SHUT_OUT)
            case "sighted":
                self.times.people.absent.clear()
            case "act":
                await self.app.timekeeper.came_back(person.id)
                if self.count.stopped and not self.count.paused:
                    self.count.stopped = False
                    self._at_least()
            case _:
                pass

    def _at_least(self) -> None:
        least = LEAST_LIVE if self.count.clock.live else LEAST_BACK
        self.count.left[self.count.turn] = max(self.count.left[self.count.turn], least)

    async def _after_looking(self, left: timedelta) -> None:
        """Follow the timekeeper where the count cannot know: whether the player could not reach the table."""
        async with self.times.database.read() as transaction:
            changes = await clocks.changes(transaction, self.match_id)
            stopped = bool(await clocks.absent_from(transaction, PEOPLE[self.count.turn].id))
        if stopped and not self.count.stopped:
            assert changes[-1][1] is TimeChange.UNSEEN
            assert PEOPLE[self.count.turn].id in self.times.people.absent
            # The clock stopped some steps ago, when the player should have been notified.
            shown = await self.times.left(self.match_id, PEOPLE[self.count.turn])
            assert shown is not None
            assert shown >= max(left, timedelta())
            self.count.left[self.count.turn] = shown
            self.count.stopped = True
        elif self.count.stopped and not stopped:
            # The player was back when the others could have called off the match.
            assert changes[-1][1] is TimeChange.SEEN
            assert not self.times.people.absent
            self.count.stopped = False
            self._at_least()

    async def _check_due(self) -> None:
        """Check that the stored deadline is not later than a newly computed one."""
        before = await self._due()
        await self.app.endings.decline(NORTH.id, self.match_id)
        after = await self._due()
        assert after is None or (before is not None and before <= after + timedelta(seconds=1))

    async def _due(self) -> datetime | None:
        async with self.times.database.read() as transaction:
            return await clocks.next_due(transaction, ALL)

    async def _move(self, *, whole: bool) -> None:
        """Make the moves of the current turn, or only the first."""
        mover = self.count.turn
        for _ in range(9 if whole else 1):
            info = await self.app.lookup.info(self.match_id)
            hand = await self.app.lookup.hand(PEOPLE[mover].id, self.match_id)
            if info.status is not MatchStatus.RUNNING or not hand.view.to_act:
                return
            deal = hand.view.public.number
            if self.count.stopped:
                self.count.stopped = False
            move = sensible(hand.view, self.random)
            # A move in time is never refused, and a late one is accepted unless the player has already lost.
            after = await self.app.turns.move(PEOPLE[mover].id, self.match_id, move, interaction())
            self.count.away_for[mover] = timedelta()
            if after.match.status is not MatchStatus.RUNNING:
                return
            turn = after.view.public.turn
            assert turn is not None
            if turn != mover or after.view.public.number != deal:
                self.count.turn_to(int(turn))
                return

    async def check(self) -> bool:
        """Compare the displayed time with the count. Return False if the match is over."""
        info = await self.app.lookup.info(self.match_id)
        turn = self.count.turn
        left = self.count.left[turn]
        if info.status is not MatchStatus.RUNNING:
            forfeit = (await self.app.lookup.table(self.match_id)).view.forfeit
            if forfeit is not None:
                assert (forfeit.seat, forfeit.on_time) == (Seat(turn), True)
                assert self.count.clock.flags
                assert left <= -GRACE
                assert not any((self.count.gone, self.count.paused, self.count.stopped))
            return False
        if self.count.clock.flags and not self.count.stopped:
            assert left > -GRACE
        if not self.count.gone:
            await self._check_due()
        shown = await self.times.left(self.match_id, PEOPLE[turn])
        if not self.count.paused:
            assert shown == max(left, timedelta())
        if self.count.clock.live:
            assert await self.times.left(self.match_id, PEOPLE[1 - turn]) == self.count.left[1 - turn]
        return True


async def play(path: Path, clock: str, steps: Sequence[tuple[str, int]], seed: int) -> None:
    """Apply the events, and check after each."""
    async with opened(path) as database:
        now = Clock()
        app = Application(database, shuffler=RiggedShuffler(seed=seed), clock=now)
        await app.outages.beat([0], 1)
        world = World(Times(app, database, now), MatchClock.parse(clock), seed)
        world.match_id = (await world.times.begin(clock)).id
        table = await app.lookup.table(world.match_id)
        world.count.turn = int(table.view.turn or 0)
        for what, number in steps:
            await world.do(what, number)
            if not await world.check():
                return


@pytest.mark.thorough
@pytest.mark.parametrize("clock", nightly_after(1, ["10m+20s flag", "12h flag", "12h", "2d flag", "10m+20s"]))
@given(st.lists(STEPS, min_size=5, max_size=40), st.integers(0, 1000))
@example([("pass", 320), ("pass", 400)], 0)
@examples(3)
def test_time_is_what_a_plain_count_says(clock: str, steps: list[tuple[str, int]], seed: int) -> None:
    """The remaining time matches the count, and time forfeits a match only if the count says that none is left."""
    with TemporaryDirectory() as directory:
        asyncio.run(play(Path(directory) / "deadwood.db", clock, steps, seed))
