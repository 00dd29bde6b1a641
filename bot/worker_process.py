"""A child process that runs the computer player: started on demand, and replaced when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from typing import Any, Final

from bot.child_processes import child_environment

MODULE: Final = "bot.opponent.worker"
PATIENCE: Final = 20.0
"""Timeout for an answer, in seconds. The first answer includes the start of the process."""
NICENESS: Final = 15
"""Low priority, because everything else is more urgent."""
LONGEST_LINE: Final = 1 << 20


class ReplacedError(Exception):
    """The process was killed, but not because of this job."""


class WorkerProcess:
    """A worker process that does several jobs at a time. A new process replaces one that has died."""

    def __init__(self, patience: float = PATIENCE) -> None:
        """Kill a process that has not answered within `patience` seconds."""
        self._patience = patience
        self._starting = asyncio.Lock()
        self._life: _Life | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process; None if it is not running."""
        return None if self._life is None or self._life.over else self._life.process.pid

    async def start(self) -> None:
        """Start the process unless it is running. Raise `OSError`."""
        await self._alive()

    async def ask(self, number: int, job: bytes) -> dict[str, Any]:
        """Send a numbered job and return the answer.

        Raise `EOFError` if the process dies, `TimeoutError` if it does not answer in time, `ReplacedError` if it is
        killed because of another job, and any other `OSError` if no process can be started.
        """
        life = await self._alive()
        try:
            async with asyncio.timeout(self._patience):
                return await life.ask(number, job)
        except TimeoutError:
            life.kill()
            raise

    def kill(self) -> None:
        """Kill the process if it is running."""
        if self._life is not None:
            self._life.kill()

    async def close(self) -> None:
        """Kill the process and wait for its end. Open jobs get no answer."""
        async with self._starting:
            if self._life is not None:
                self._life.kill()
                await self._life.end()

    async def _alive(self) -> _Life:
        async with self._starting:
            if self._life is not None and self._life.over:
                await self._life.end()
                self._life = None
            if self._life is None:
                self._life = _Life(await _begin())
            return self._life


class _Life:
    """One process, from its start to its end."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.over = False
        """True if the process accepts no more jobs."""
        self._killed = False
        self._asked = dict[int, asyncio.Future[dict[str, Any] | None]]()
        self._reading = asyncio.create_task(self._read())

    async def ask(self, number: int, job: bytes) -> dict[str, Any]:
        """Return the answer to a job. Raise `EOFError` if the process dies, `ReplacedError` if it is killed."""
        assert self.process.stdin is not None
        asked = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            self.process.stdin.write(job)
            await self.process.stdin.drain()
        except ConnectionError:
            # A process that accepts no more jobs is useless.
            _kill(self.process)
        answer = await asked
        if answer is None:
            raise ReplacedError if self._killed else EOFError
        return answer

    def kill(self) -> None:
        self.over = self._killed = True
        _kill(self.process)

    async def end(self) -> None:
        # Cancelling this wait must not cancel the reader.
        await asyncio.wait({self._reading})

    async def _read(self) -> None:
        """Distribute the answers of the process, until it ends or answers a job that was never sent."""
        assert self.process.stdout is not None
        try:
            # A line that is too long also raises ValueError.
            with contextlib.suppress(OSError, ValueError):
                while line := await self.process.stdout.readline():
                    match json.loads(line):
                        case {"job": int(number), **answer} if number in self._asked:
                            asked = self._asked.pop(number)
                            if not asked.done():
                                asked.set_result(answer)
                        case _:
                            break
        finally:
            self.over = True
            for asked in self._asked.values():
                if not asked.done():
                    asked.set_result(None)
            _kill(self.process)
            await self.process.wait()


async def _begin() -> Process:
    """Start a process that uses one core, regardless of numpy's defaults, and inherits no secrets."""
    environment = child_environment() | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, env=environment, limit=LONGEST_LINE
    )
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    return process


def _kill(process: Process) -> None:
    if process.returncode is None:
        # `process.kill` may take the exit status away from asyncio.
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
