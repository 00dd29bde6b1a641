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

MODULE: Final = "bot.opponent.worker"
PATIENCE: Final = 20.0
"""Seconds after which a process that has not answered is taken for stuck. The first answer needs the start, too."""
LONGEST_LINE: Final = 1 << 20
SECRET: Final = ("DISCORD_", "DEADWOOD_")
"""How the names of the settings begin, the token's among them."""


class WorkerProcess:
    """A process that is asked several things at a time, and another one after it has died."""

    def __init__(self, patience: float = PATIENCE) -> None:
        """Take a process that has not answered after so many seconds for stuck."""
        self._patience = patience
        self._starting = asyncio.Lock()
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}

    @property
    def pid(self) -> int | None:
        """The process, if there is one."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the process, unless it runs. Raise `OSError`."""
        await self._started()

    async def ask(self, number: int, job: bytes) -> dict[str, Any]:
        """Return the answer to a job that has a number.

        Raise `OSError` or `EOFError` if the process dies, and `TimeoutError` if it is stuck.
        """
        process = await self._started()
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        assert process.stdin is not None
        try:
            async with asyncio.timeout(self._patience):
                process.stdin.write(job)
                await process.stdin.drain()
                return await answer
        except TimeoutError:
            _kill(process)
            raise
        finally:
            self._asked.pop(number, None)

    async def close(self) -> None:
        """End the process. What it was asked is not answered."""
        if self._process is not None:
            _kill(self._process)
        if self._reading is not None:
            await self._reading

    async def _started(self) -> Process:
        async with self._starting:
            if self._reading is not None and self._process is None:
                await self._reading
            if self._process is None:
                self._process = await _begin()
                self._reading = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: Process) -> None:
        """Hand out the answers of a process until it ends or answers something else."""
        assert process.stdout is not None
        # What is too long for a line is a ValueError as well.
        with contextlib.suppress(OSError, ValueError):
            while line := await process.stdout.readline():
                answer = json.loads(line)
                asked = self._asked.get(answer.pop("job", None))
                if asked is not None and not asked.done():
                    asked.set_result(answer)
        self._process = None
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(EOFError())
        _kill(process)
        await process.wait()


async def _begin() -> Process:
    """Start a process. It uses one core, whatever numpy would like, and does not know the bot's settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(SECRET)}
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, env=environment, limit=LONGEST_LINE
    )


def _kill(process: Process) -> None:
    if process.returncode is None:
        # Not `process.kill`, which may take the exit status away from asyncio.
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
