"""Simulated deaths of a bot inside the test's process, ten times faster than real ones (`lives`).

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

from bot import client
from bot.play.application import now
from bot.play.loading.unit_of_work import Units
from bot.play.refusals import Unavailable
from bot.sandbox import Hangup, Sandbox, World
from bot.store.errors import DatabaseUnavailableError
from cogs.support import courier
from tests.helpers.clock import Clock
from tests.helpers.databases import compiled_once, new_database, without_fsync
from tests.helpers.living import Living, bot_on, sandbox_of
from tests.helpers.onlooker import Onlooker
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.proof.mortal import AFTER_COMMIT, EVERY_POINT, Countdown, GenerousShuffler, mortal, mortal_commits

_EVER: Final = 1_000_000
_SOON: Final = 0.01
"""Timeout in seconds for each part of a dead bot's shutdown."""


class DiedError(Exception):
    """The bot has died."""


class Life:
    """A bot that can die. `died` is set after its death."""

    def __init__(self, alive: Living, *, alone: bool = True) -> None:
        """Wrap a bot. Unless it is `alone` in its sandbox, its failing requests still reach Discord."""
        self.alive = alive
        self._alone = alone
        self.died = asyncio.Event()

    @contextmanager
    def doomed(self, fate: str, count: int = 1) -> Generator[None]:
        """Let the bot die in the block, the `count`-th time that it reaches the fate's point."""
        countdown = Countdown(count, self._die)
        if fate == AFTER_COMMIT:
            owner, name, function = Units, "write", mortal_commits(countdown)
        else:
            point = EVERY_POINT[fate]
            owner, name, function = point.owner, point.name, mortal(point, countdown)
        with patch.object(owner, name, function):
            yield
        assert self.died.is_set(), f"the bot never reached {fate!r}"

    async def death(self) -> None:
        async with asyncio.timeout(MAX_WAIT):
            await self.died.wait()

    async def pass_time(self, clock: Clock, span: timedelta) -> None:
        """Let time pass while the bot is connected. Let it do everything that is due, which may kill it."""
        await self.alive.idle()
        await self.alive.stay_connected(span)
        clock.pass_by(span)
        self.alive.app.outbox.notify()
        try:
            await self.alive.app.timekeeper.look(self.alive.client.access)
        except (DiedError, Unavailable):
            assert self.died.is_set()

    def _die(self) -> None:
        setattr(self.alive.database, "_in_use", _cut_off)  # noqa: B010 - of this database alone
        if self._alone:
            self.alive.sandbox.faults.requests(Hangup(), times=_EVER)
        self.died.set()
        raise DiedError


def _cut_off() -> None:
    raise DatabaseUnavailableError("its bot is dead")


class Lives:
    """The consecutive lives of a bot on the same database, with one clock."""

    def __init__(self, sandbox: Sandbox, url: str, clock: Callable[[], datetime]) -> None:
        self.sandbox = sandbox
        self.database = Onlooker(url)
        self._url = url
        self._clock = clock

    @asynccontextmanager
    async def life(self) -> AsyncGenerator[Life]:
        """Run the bot until the end of the block. If it dies, fail the clicks that it left unanswered."""
        with (
            patch.object(courier, "SHUTDOWN_TIMEOUT", _SOON),
            patch.object(client, "SHUTDOWN_TIMEOUT", _SOON),
            patch.object(client, "BREAKING_OFF_TAKES", _SOON),
        ):
            async with bot_on(self.sandbox, self._url, shuffler=GenerousShuffler(), clock=self._clock) as alive:
                life = Life(alive)
                # On PostgreSQL a dead bot keeps its work until others notice.
                await eventually(lambda: alive.app.share.leads)
                yield life
                if not life.died.is_set():
                    await alive.idle()
        if life.died.is_set():
            self.sandbox.interactions.close()
            self.sandbox.faults.clear()


@asynccontextmanager
async def lives_of(folder: Path, world: World, clock: Callable[[], datetime] = now) -> AsyncGenerator[Lives]:
    """Prepare the lives of a bot on a new database in a folder."""
    url = new_database(folder / "deadwood.db")
    with without_fsync(), compiled_once():
        async with sandbox_of(world) as sandbox:
            yield Lives(sandbox, url, clock)
