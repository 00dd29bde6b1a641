"""A child process that runs the computer player: started on demand, and replaced when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from typing import Any, Final

from bot.child_processes import child_environment, kill, kill_and_wait

MODULE: Final = "bot.opponent.worker"
ANSWER_TIMEOUT: Final = 20.0
"""Timeout for an answer, in seconds. The first answer includes the start of the process."""
NICENESS: Final = 15
"""Low priority, because everything else is more urgent."""
MAX_LINE_BYTES: Final = 1 << 20


class WorkerProcess:
    """A worker process that does one job at a time. A new process replaces one that has died.

    One task calls all methods. Calls must not overlap.
    """

    def __init__(self, timeout: float = ANSWER_TIMEOUT, extra_niceness: int = 0) -> None:
        """`timeout` is the timeout for an answer, in seconds. A process that exceeds it is killed.

        `extra_niceness` is added to `NICENESS`.
        """
        self._timeout = timeout
        self._extra_niceness = extra_niceness
        self._process: Process | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process; None if it is not running."""
        return self._process.pid if self._process is not None and _reads_jobs(self._process) else None

    async def start(self) -> None:
        """Start the process unless it is running. Raise `OSError` if that fails."""
        if self.pid is None:
            await self.close()
            self._process = await _start_process(NICENESS + self._extra_niceness)

    async def ask(self, number: int, job: bytes) -> dict[str, Any]:
        """Send a numbered job and return the answer. If that fails or is cancelled, kill the process.

        Raise `EOFError` if the process dies or sends anything else, `TimeoutError` if it does not answer in time, and
        any other `OSError` if no process can be started.
        """
        await self.start()
        assert self._process is not None
        try:
            async with asyncio.timeout(self._timeout):
                return await _ask(self._process, number, job)
        except BaseException:
            _stop_jobs(self._process)
            kill(self._process)
            raise

    async def close(self) -> None:
        """Kill the process if it is running, and wait for its end."""
        if self._process is not None:
            _stop_jobs(self._process)
            await kill_and_wait(self._process)
            self._process = None


async def _start_process(niceness: int) -> Process:
    """Start a process that uses one core, regardless of numpy's defaults, and inherits no secrets."""
    environment = child_environment() | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, env=environment, limit=MAX_LINE_BYTES
    )
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, niceness)
    return process


async def _ask(process: Process, number: int, job: bytes) -> dict[str, Any]:
    """Send a job and return the answer. Raise `EOFError` if the next line of the process is anything else."""
    assert process.stdin is not None
    assert process.stdout is not None
    # Invalid JSON or a line that is too long raises ValueError. JSON that is nested too deeply raises RecursionError.
    with contextlib.suppress(OSError, ValueError, RecursionError):
        process.stdin.write(job)
        await process.stdin.drain()
        match json.loads(await process.stdout.readline()):
            case {"job": int(answered), **answer} if answered == number:
                return answer
            case _:
                pass
    raise EOFError


def _reads_jobs(process: Process) -> bool:
    """Return False if the process was killed, has died or has closed its input."""
    assert process.stdin is not None
    return not process.stdin.is_closing()


def _stop_jobs(process: Process) -> None:
    """Close the input of a process, so that it counts as dead from now on."""
    assert process.stdin is not None
    process.stdin.close()
