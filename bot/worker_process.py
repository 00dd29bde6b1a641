"""A process in which the computer player thinks, as the bot sees it: started when needed, replaced when it dies."""

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
"""Seconds after which a process that has not answered is taken for stuck. The first answer needs the start, too."""
NICENESS: Final = 15
"""Thinking leaves the processor to everything else."""
LONGEST_LINE: Final = 1 << 20


class ReplacedError(Exception):
    """The process was killed, but not because of this job."""


class WorkerProcess:
    """A process that is asked several things at a time, and another one after it has died."""

    def __init__(self, patience: float = PATIENCE) -> None:
        """Take a process that has not answered after so many seconds for stuck."""
        self._patience = patience
        self._starting = asyncio.Lock()
        self._life: _Life | None = None

    @property
    def pid(self) -> int | None:
        """The process, if there is one."""
        return None if self._life is None or self._life.over else self._life.process.pid

    async def start(self) -> None:
        """Start the process, unless it runs. Raise `OSError`."""
        await self._alive()

    async def ask(self, number: int, job: bytes) -> dict[str, Any]:
        """Return the answer to a job that has a number.

        Raise `EOFError` if the process dies, `TimeoutError` if it is stuck, `ReplacedError` if it is killed because of
        another job, and any other `OSError` if none can be started.
        """
        life = await self._alive()
        try:
            async with asyncio.timeout(self._patience):
                return await life.ask(number, job)
        except TimeoutError:
            life.kill()
            raise

    def kill(self) -> None:
        """Kill the process, if there is one."""
        if self._life is not None:
            self._life.kill()

    async def close(self) -> None:
        """End the process. What it was asked is not answered."""
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
    """A process from its start to its end."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.over = False
        """True once nothing can be asked any more."""
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
            # It takes no more jobs, so there is no use in it.
            _kill(self.process)
        answer = await asked
        if answer is None:
            raise ReplacedError if self._killed else EOFError
        return answer

    def kill(self) -> None:
        """Kill the process, whatever it is being asked."""
        self.over = self._killed = True
        _kill(self.process)

    async def end(self) -> None:
        """Wait until the process has ended."""
        # Whoever is cancelled here does not cancel the reading.
        await asyncio.wait({self._reading})

    async def _read(self) -> None:
        """Hand out the answers of the process until it ends, or answers what was not asked."""
        assert self.process.stdout is not None
        try:
            # What is too long for a line is a ValueError as well.
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
    """Start a process that uses one core, whatever numpy would like, and inherits no secrets."""
    environment = child_environment() | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, env=environment, limit=LONGEST_LINE
    )
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    return process


def _kill(process: Process) -> None:
    if process.returncode is None:
        # Not `process.kill`, which may take the exit status away from asyncio.
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
