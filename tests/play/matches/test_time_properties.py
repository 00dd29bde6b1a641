"""After random events, the remaining time equals that of `SimpleCount`, and players who move in time do not lose."""

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

from bot.engine.deals.moves import Seat
from bot.model.clocks import Clock as MatchClock
from bot.model.clocks import TimeChange
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus
from bot.model.presence import Presence
from bot.model.shards import ALL_SHARDS
from bot.play.application import Application
from bot.play.clocks.turn_time import FLAG_GRACE, MIN_LIVE_RETURN_TIME, MIN_RETURN_TIME
from bot.play.refusals import NoTimeToGive, TooLongAway, TooMuchTime
from bot.store import clocks
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import open_new_database
from tests.helpers.examples import examples
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import GUILD, NORTH, SOUTH, interaction, sensible_move
from tests.play.matches.times import ClockDriver

PEOPLE: Final = (NORTH, SOUTH)
STEP: Final = timedelta(minutes=1)
LIVE_STEP: Final = timedelta(seconds=31)
"""Length of a step of `SimpleCount` with a live clock. Events happen between steps."""

EVENTS: Final = (
    *("pass", "pass", "pass", "outage", "move", "move", "draw", "gift", "pause", "go on", "restart"),
    *("leave", "join", "away", "back", "blind", "sighted", "act"),
)
STEPS: Final = st.tuples(st.sampled_from(EVENTS), st.integers(1, 400))
"""Strategy for an event and its number. The number's meaning depends on the event: steps of time, days, or a seed."""


@dataclass
class SimpleCount:
    """Counts the remaining time of both players step by step, for comparison with the application."""

    clock: MatchClock
    remaining: list[timedelta] = field(default_factory=list[timedelta])
    turn: int = 0
    is_bot_removed: bool = False
    is_paused: bool = False
    is_stopped: bool = False
    away_for: list[timedelta] = field(default_factory=lambda: [timedelta(), timedelta()])

    def __post_init__(self) -> None:
        self.remaining = [self.clock.full_time, self.clock.full_time]

    def pass_by(self, span: timedelta, *, connected: bool) -> None:
        """Let time pass, and subtract it from the time of the player to move, unless the clock stands still."""
        away = not self.clock.is_live and self.away_for[self.turn] > timedelta()
        if connected and not (self.is_bot_removed or self.is_paused or self.is_stopped or away):
            self.remaining[self.turn] -= span
        self.away_for = [max(duration - span, timedelta()) for duration in self.away_for]

    def end_turn(self, seat: int) -> None:
        """End the turn, add the increment of a live clock, and start the other player's turn."""
        if self.clock.increment is not None:
            self.remaining[self.turn] = max(self.remaining[self.turn], timedelta()) + self.clock.increment
        else:
            self.remaining[self.turn] = self.clock.full_time
        self.turn, self.is_stopped = seat, False


class TimeSimulation:
    """Applies events to the application and to a `SimpleCount`, and compares the remaining times."""

    def __init__(self, times: ClockDriver, clock: MatchClock, seed: int) -> None:
        self.times, self.count, self.random = times, SimpleCount(clock), Random(seed)
        self.match_id = MatchId(0)
        self.step = LIVE_STEP if clock.is_live else STEP

    @property
    def app(self) -> Application:
        """The current application; a restart replaces it."""
        return self.times.app

    async def do(self, event: str, number: int) -> None:
        """Apply one event to the application and to the `SimpleCount`."""
        person = PEOPLE[self.count.turn]
        waiting = PEOPLE[1 - self.count.turn]
        match event:
            case "pass" | "outage":
                span = number * self.step
                for _ in range(number):
                    self.count.pass_by(self.step, connected=event == "pass")
                before = self.count.remaining[self.count.turn]
                await self.times.pass_by(span, connected=event == "pass")
                await self._sync_with_timekeeper(before)
            case "move" | "draw" if not self.count.is_bot_removed and not self.count.is_paused:
                await self._move(whole_turn=event == "move")
            case "gift" if not self.count.is_bot_removed and not self.count.is_paused:
                before = self.count.remaining[self.count.turn]
                with suppress(TooMuchTime, NoTimeToGive):
                    await self.app.times.give(waiting.id, self.match_id)
                    max_gift = timedelta(minutes=5) if self.count.clock.is_live else timedelta(days=1)
                    given = min(max_gift, self.count.clock.full_time)
                    self.count.remaining[self.count.turn] = max(before, timedelta()) + given
            case "pause" if not self.count.is_bot_removed and not self.count.is_paused:
                for player in PEOPLE:
                    await self.app.pauses.pause(player.id, self.match_id)
                self.count.is_paused, self.count.is_stopped = True, False
                self.count.remaining[self.count.turn] = max(self.count.remaining[self.count.turn], timedelta())
            case "go on" if not self.count.is_bot_removed and self.count.is_paused:
                for player in PEOPLE:
                    await self.app.pauses.resume(player.id, self.match_id)
                self.count.is_paused = False
                self._apply_minimum()
            case "restart":
                fresh = Application(self.times.database, shuffler=RiggedShuffler(seed=number), clock=self.times.clock)
                self.times.app = fresh
            case "leave" if not self.count.is_bot_removed:
                await self.app.guilds.save_left(GUILD)
                self.count.is_bot_removed = True
            case "join" if self.count.is_bot_removed:
                await self.app.guilds.save_joined(GUILD)
                self.count.is_bot_removed = False
            case "away":
                with suppress(TooLongAway):
                    days = 1 + number % 3
                    await self.app.holidays.take(person, days)
                    self.count.away_for[self.count.turn] = timedelta(days=days)
            case "back" if self.count.away_for[self.count.turn] > timedelta():
                await self.app.holidays.end(person.id)
                self.count.away_for[self.count.turn] = timedelta()
            case "blind":
                self.times.make_absent(person, Presence.SHUT_OUT)
            case "sighted":
                self.times.attendance.absent.clear()
            case "act":
                await self.app.timekeeper.note_active(person.id)
                if self.count.is_stopped and not self.count.is_paused:
                    self.count.is_stopped = False
                    self._apply_minimum()
            case _:
                pass

    def _apply_minimum(self) -> None:
        least = MIN_LIVE_RETURN_TIME if self.count.clock.is_live else MIN_RETURN_TIME
        self.count.remaining[self.count.turn] = max(self.count.remaining[self.count.turn], least)

    async def _sync_with_timekeeper(self, left: timedelta) -> None:
        """Stop or restart the `SimpleCount` if the timekeeper has stopped or restarted the clock of an absent player.

        `left` is the time that would remain if the clock had kept running.
        """
        async with self.times.database.read() as transaction:
            changes = await clocks.changes(transaction, self.match_id)
            stopped = bool(await clocks.with_absent(transaction, PEOPLE[self.count.turn].id))
        if stopped and not self.count.is_stopped:
            assert changes[-1][1] is TimeChange.UNSEEN
            assert PEOPLE[self.count.turn].id in self.times.attendance.absent
            # The timekeeper stopped the clock when a reminder or the end of the time was due, perhaps some steps ago.
            shown = await self.times.time_left(self.match_id, PEOPLE[self.count.turn])
            assert shown is not None
            assert shown >= max(left, timedelta())
            self.count.remaining[self.count.turn] = shown
            self.count.is_stopped = True
        elif self.count.is_stopped and not stopped:
            # The timekeeper checked before others could call off the match, and found that the player was back.
            assert changes[-1][1] is TimeChange.SEEN
            assert not self.times.attendance.absent
            self.count.is_stopped = False
            self._apply_minimum()

    async def _check_due(self) -> None:
        """Check that the stored deadline is not later than a newly computed one."""
        before = await self._stored_due()
        await self.app.endings.decline(NORTH.id, self.match_id)
        after = await self._stored_due()
        assert after is None or (before is not None and before <= after + timedelta(seconds=1))

    async def _stored_due(self) -> datetime | None:
        async with self.times.database.read() as transaction:
            return await clocks.next_due(transaction, ALL_SHARDS)

    async def _move(self, *, whole_turn: bool) -> None:
        """Make all moves of the current turn if `whole_turn` is true, otherwise only one."""
        mover = self.count.turn
        for _ in range(9 if whole_turn else 1):
            info = await self.app.lookup.info(self.match_id)
            hand = await self.app.lookup.hand(PEOPLE[mover].id, self.match_id)
            if info.status is not MatchStatus.RUNNING or not hand.view.is_to_act:
                return
            deal = hand.view.public.number
            if self.count.is_stopped:
                self.count.is_stopped = False
                self._apply_minimum()
            move = sensible_move(hand.view, self.random)
            # A move in time is never refused, and a late one is accepted unless the player has already lost.
            after = await self.app.turns.move(PEOPLE[mover].id, self.match_id, move, interaction())
            self.count.away_for[mover] = timedelta()
            if after.match.status is not MatchStatus.RUNNING:
                return
            turn = after.view.public.turn
            assert turn is not None
            if turn != mover or after.view.public.number != deal:
                self.count.end_turn(int(turn))
                return

    async def check(self) -> bool:
        """Compare the displayed time with the `SimpleCount`. Return False if the match is over."""
        info = await self.app.lookup.info(self.match_id)
        turn = self.count.turn
        left = self.count.remaining[turn]
        if info.status is not MatchStatus.RUNNING:
            forfeit = (await self.app.lookup.table(self.match_id)).view.forfeit
            if forfeit is not None:
                assert (forfeit.seat, forfeit.on_time) == (Seat(turn), True)
                assert self.count.clock.flags
                assert left <= -FLAG_GRACE
                assert not any((self.count.is_bot_removed, self.count.is_paused, self.count.is_stopped))
            return False
        if self.count.clock.flags and not self.count.is_stopped:
            assert left > -FLAG_GRACE
        if not self.count.is_bot_removed:
            await self._check_due()
        shown = await self.times.time_left(self.match_id, PEOPLE[turn])
        if not self.count.is_paused:
            assert shown == max(left, timedelta())
        if self.count.clock.is_live:
            assert await self.times.time_left(self.match_id, PEOPLE[1 - turn]) == self.count.remaining[1 - turn]
        return True


async def simulate(path: Path, clock: str, steps: Sequence[tuple[str, int]], seed: int) -> None:
    """Start a match, apply the events, and check the times after each event."""
    async with open_new_database(path) as database:
        clock_now = Clock()
        app = Application(database, shuffler=RiggedShuffler(seed=seed), clock=clock_now)
        await app.outages.beat([0], 1)
        simulation = TimeSimulation(ClockDriver(app, database, clock_now), MatchClock.parse(clock), seed)
        simulation.match_id = (await simulation.times.begin(clock)).id
        table = await app.lookup.table(simulation.match_id)
        simulation.count.turn = int(table.view.turn or 0)
        for event, number in steps:
            await simulation.do(event, number)
            if not await simulation.check():
                return


@pytest.mark.nightly
@pytest.mark.parametrize("clock", nightly_after(1, ["10m+20s flag", "12h flag", "12h", "2d flag", "10m+20s"]))
@given(st.lists(STEPS, min_size=5, max_size=40), st.integers(0, 1000))
@example([("pass", 320), ("pass", 400)], 0)
@example([("blind", 1), ("pass", 20), ("pass", 1), ("draw", 1), ("pass", 1)], 0)
@examples(3)
def test_remaining_time_matches_a_simple_count(clock: str, steps: list[tuple[str, int]], seed: int) -> None:
    """The remaining time equals that of `SimpleCount`, and a player loses on time only if it is used up."""
    with TemporaryDirectory() as directory:
        asyncio.run(simulate(Path(directory) / "deadwood.db", clock, steps, seed))
