"""The bot as a process that is killed and restarted repeatedly on the same database."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot.model.shards import Shards
from bot.sandbox import Request, Sandbox
from tests.helpers.databases import new_database
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.processes import ROOT, settings_for
from tests.proof.histories import is_nothing_due
from tests.proof.mortal import AFTER_COMMIT, ANSWERED_WITHIN, EVERY_POINT, HAS_OWN_CLOCK, OFFSET

KILL_ROUTES: Final = {
    "Discord has an answer": "POST /interactions/{interaction_id}/{token}/callback",
    "Discord has a post": "POST /channels/{channel_id}/messages",
    "Discord has an edit": "PATCH /channels/{channel_id}/messages/{message_id}",
    "Discord has deleted a message": "DELETE /channels/{channel_id}/messages/{message_id}",
}
"""The request to Discord at each kill point: Discord carries it out, and the bot is killed before the response."""

RANDOM: Final = "random"

KILL_TIMEOUT: Final = 120.0
"""Timeout for the bot to reach any kill point, even on a busy machine, in seconds."""

ANSWER_DEADLINE: Final = 3.0
"""Discord's deadline for an answer, in seconds."""


class Bot:
    """Runs the bot's process several times in succession, on one database."""

    def __init__(self, sandbox: Sandbox, url: str, shards: Shards | None, parent: asyncio.subprocess.Process) -> None:
        assert parent.stdin is not None
        assert parent.stdout is not None
        self.database = DatabaseInspector(url)
        self.kills = Counter[str]()
        self.abandoned: set[int] = set()
        """The interactions that were not answered because the bot had been killed."""
        self.kill: Callable[[], None] = lambda: None
        """Kills the process that is running."""
        self._failing_clicks: asyncio.Task[None] | None = None
        self._sandbox, self._shards = sandbox, shards
        self._orders, self._reports = parent.stdin, parent.stdout

    @staticmethod
    @asynccontextmanager
    async def prepared(
        sandbox: Sandbox,
        directory: Path,
        *,
        own_clock: bool = False,
        url: str | None = None,
        shards: Shards | None = None,
    ) -> AsyncGenerator[Bot]:
        """Start the process from which each run of the bot is forked, with a new database and a log in a directory.

        With `own_clock`, `pass_time` moves the bot's clock forward. With `shards`, this is one of several processes of
        the bot, which share the database at `url`.
        """
        url = url or new_database(directory / "deadwood.db")
        for guild_id in sandbox.world.guilds:
            row = "INSERT INTO guild (id, match_home) VALUES (:id, 'channel') ON CONFLICT DO NOTHING"
            DatabaseInspector(url).change(row, id=guild_id)
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHONWARNINGS": "ignore",
            "DEADWOOD_DATABASE_URL": url,
        } | settings_for(sandbox)
        if shards is not None:
            environment["DEADWOOD_SHARDS"] = str(shards)
        if own_clock:
            environment[HAS_OWN_CLOCK] = "yes"
        with (directory / "bot.log").open("wb") as log:
            parent = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tests.proof.mortal"),
                stdin=PIPE,
                stdout=PIPE,
                stderr=log,
                env=environment,
                cwd=directory,
            )
        bot = Bot(sandbox, url, shards, parent)
        try:
            yield bot
        finally:
            bot._orders.close()
            if bot._failing_clicks is not None:
                bot._failing_clicks.cancel()
            await parent.wait()

    @asynccontextmanager
    async def run(self, fate: str = "", count: int = 0) -> AsyncGenerator[asyncio.Task[int]]:
        """Run the bot until it is killed or the `with` block ends. Yield a task that ends with the process.

        The bot is killed when it reaches the kill point `fate` for the `count`-th time, or for `RANDOM` after `count`
        milliseconds. Without `fate`, it is not killed.
        """
        await self._sandbox.until(lambda: not self._connected)
        if self._failing_clicks is not None:
            self._failing_clicks.cancel()
        self._orders.write(f"{fate}:{count}\n".encode() if fate == AFTER_COMMIT or fate in EVERY_POINT else b"\n")
        process = int(await self._reports.readline())
        death = asyncio.create_task(self._ended())
        remaining = count

        def kill(how: int = signal.SIGKILL) -> None:
            # The process may have ended already, although `death` does not know it yet.
            with suppress(ProcessLookupError):
                if not death.done():
                    os.kill(process, how)

        def strike(request: Request) -> None:
            nonlocal remaining
            if f"{request.method} {request.route}" == KILL_ROUTES.get(fate):
                remaining -= 1
                if remaining == 0:
                    kill()

        self._sandbox.journal.observers.append(strike)
        self.kill = kill
        try:
            ready = asyncio.create_task(self._ready())
            await asyncio.wait({ready, death}, return_when=asyncio.FIRST_COMPLETED)
            if ready.done():
                ready.result()
            ready.cancel()
            if fate == RANDOM:
                asyncio.get_running_loop().call_later(count / 1000, kill)
            yield death
        finally:
            self._sandbox.journal.observers.remove(strike)
            kill(signal.SIGTERM)
            code = await death
            assert code in (0, -signal.SIGKILL), f"the bot exited early with code {code}"
            if code == -signal.SIGKILL:
                self.kills[fate] += 1

    def pass_time(self, span: timedelta, *, connected: bool = True) -> None:
        """Move the bot's clock forward. Unless `connected`, the bot sees that time as an outage."""
        milliseconds = span // timedelta(milliseconds=1)
        self.database.change(
            "INSERT INTO key_value VALUES (:key, :span) ON CONFLICT (key)"
            " DO UPDATE SET value = CAST(CAST(key_value.value AS BIGINT) + CAST(excluded.value AS BIGINT) AS TEXT)",
            key=OFFSET,
            span=str(milliseconds),
        )
        if connected:
            self.database.change("UPDATE shard SET seen_at = seen_at + :span", span=milliseconds)

    @property
    def _connected(self) -> set[int]:
        """The shards of this process that are connected to the gateway."""
        sessions = [session for session in self._sandbox.gateway.sessions.values() if session.socket is not None]
        return {
            session.shard[0] for session in sessions if self._shards is None or session.shard[0] in self._shards.numbers
        }

    async def _ready(self) -> None:
        """Wait until the bot can answer. One of several processes waits only for its own shards."""
        if self._shards is None:
            await self._sandbox.ready(60)
        else:
            numbers = self._shards.numbers
            await self._sandbox.until(lambda: self._connected >= numbers, 60)

    async def _ended(self) -> int:
        code = int(await self._reports.readline())
        self._failing_clicks = asyncio.create_task(self._fail_clicks())
        return code

    async def _fail_clicks(self) -> None:
        """Make interactions expire: those that the killed bot did not answer, and any that arrive before a restart."""
        while True:
            await self._sandbox.until(self._sandbox.interactions.pending, KILL_TIMEOUT)
            self.abandoned |= {made.id for made in self._sandbox.interactions.pending()}
            self._sandbox.world.clock.advance(ANSWER_DEADLINE)


async def wait_until_delivered(sandbox: Sandbox, bot: Bot, death: asyncio.Task[int]) -> None:
    """Wait until the sandbox is idle and no message is due, or until the bot's process has ended."""
    async with asyncio.timeout(60):
        while not death.done():
            idle = asyncio.create_task(sandbox.idle())
            await asyncio.wait({idle, death}, return_when=asyncio.FIRST_COMPLETED)
            if not idle.done():
                idle.cancel()
            elif is_nothing_due(bot.database, 2 * ANSWERED_WITHIN):
                return
            # The database cannot notify this test of changes, so poll.
            await asyncio.sleep(0.03)
