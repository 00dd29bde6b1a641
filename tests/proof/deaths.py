"""Simulated kills of a bot that runs inside the test's process: ten times faster than the real kills in `lives`.

From the chosen point on, the bot saves nothing and its requests to Discord fail. Its open transaction is rolled back.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final
from unittest.mock import patch

from bot.connection import client
from bot.play.application import utc_now
from bot.play.loading.unit_of_work import Units
from bot.play.refusals import Unavailable
from bot.sandbox import Hangup, Sandbox, World
from bot.store.errors import DatabaseUnavailableError
from cogs.delivery import courier
from tests.helpers.clock import Clock
from tests.helpers.databases import new_database, share_compiled_sql, without_fsync
from tests.helpers.living import RunningBot, bot_on, sandbox_of
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.proof.mortal import AFTER_COMMIT, EVERY_POINT, Countdown, GenerousShuffler, counting_commits, counting_down

_MANY_TIMES: Final = 1_000_000
_SHUTDOWN_SECONDS: Final = 0.01
"""Timeout in seconds for each part of a bot's shutdown after a simulated kill."""


class SimulatedKillError(Exception):
    """Raised in the bot at the point of its simulated kill."""


class BotRun:
    """One run of the bot, which a simulated kill can end. The kill sets the event `killed`."""

    def __init__(self, alive: RunningBot, *, alone: bool = True) -> None:
        """Wrap a running bot. If it is `alone` in its sandbox, a kill also makes all requests to Discord fail."""
        self.alive = alive
        self._alone = alone
        self.killed = asyncio.Event()

    @contextmanager
    def killed_at(self, fate: str, count: int = 1) -> Generator[None]:
        """Kill the bot during the block, when it reaches the point `fate` for the `count`-th time."""
        countdown = Countdown(count, self._die)
        if fate == AFTER_COMMIT:
            owner, name, function = Units, "write", counting_commits(countdown)
        else:
            point = EVERY_POINT[fate]
            owner, name, function = point.owner, point.name, counting_down(point, countdown)
        with patch.object(owner, name, function):
            yield
        assert self.killed.is_set(), f"the bot never reached {fate!r}"

    async def wait_for_death(self) -> None:
        async with asyncio.timeout(MAX_WAIT):
            await self.killed.wait()

    async def pass_time(self, clock: Clock, span: timedelta) -> None:
        """Move the clock forward while the bot is connected, and run its timekeeper, which may reach the kill point."""
        await self.alive.idle()
        await self.alive.extend_heartbeats(span)
        clock.pass_by(span)
        self.alive.app.outbox.notify()
        try:
            await self.alive.app.timekeeper.check_due(self.alive.client.access)
        except (SimulatedKillError, Unavailable):
            assert self.killed.is_set()

    def _die(self) -> None:
        setattr(self.alive.database, "_in_use", _cut_off)  # noqa: B010 - of this database alone
        if self._alone:
            self.alive.sandbox.faults.requests(Hangup(), times=_MANY_TIMES)
        self.killed.set()
        raise SimulatedKillError


def _cut_off() -> None:
    raise DatabaseUnavailableError("its bot is dead")


class BotRuns:
    """Runs a bot several times in succession, with the same database and clock."""

    def __init__(self, sandbox: Sandbox, url: str, clock: Callable[[], datetime]) -> None:
        self.sandbox = sandbox
        self.database = DatabaseInspector(url)
        self._url = url
        self._clock = clock

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[BotRun]:
        """Run the bot until the end of the block. If it was killed, let its unanswered interactions fail."""
        with (
            patch.object(courier, "SHUTDOWN_TIMEOUT", _SHUTDOWN_SECONDS),
            patch.object(client, "SHUTDOWN_TIMEOUT", _SHUTDOWN_SECONDS),
            patch.object(client, "CANCEL_TIMEOUT", _SHUTDOWN_SECONDS),
        ):
            async with bot_on(self.sandbox, self._url, shuffler=GenerousShuffler(), clock=self._clock) as alive:
                life = BotRun(alive)
                # On PostgreSQL, a killed bot still holds its leases until they expire.
                await eventually(lambda: alive.app.share.is_leader)
                yield life
                if not life.killed.is_set():
                    await alive.idle()
        if life.killed.is_set():
            self.sandbox.interactions.close()
            self.sandbox.faults.clear()


@asynccontextmanager
async def prepare_runs(folder: Path, world: World, clock: Callable[[], datetime] = utc_now) -> AsyncGenerator[BotRuns]:
    """Prepare several runs of a bot, with a new database in a folder."""
    url = new_database(folder / "deadwood.db")
    with without_fsync(), share_compiled_sql():
        async with sandbox_of(world) as sandbox:
            yield BotRuns(sandbox, url, clock)
