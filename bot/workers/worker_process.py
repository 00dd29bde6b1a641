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
ANSWER_TIMEOUT: Final = 20.0
"""Timeout for an answer, in seconds. The first answer includes the start of the process."""
NICENESS: Final = 15
"""Low priority, because everything else is more urgent."""
MAX_LINE_BYTES: Final = 1 << 20


class ReplacedError(Exception):
    """The process was killed during a job, because another job took too long or the bot stops."""


class WorkerProcess:
    """A worker process that does several jobs at a time. A new process replaces one that has died."""

    def __init__(self, timeout: float = ANSWER_TIMEOUT) -> None:
        """`timeout` is the timeout for an answer, in seconds. A process that exceeds it is killed."""
        self._timeout = timeout
        self._lock = asyncio.Lock()
        self._running: _RunningProcess | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process; None if it is not running."""
        return None if self._running is None or self._running.is_closed else self._running.process.pid

    async def start(self) -> None:
        """Start the process unless it is running. Raise `OSError` if that fails."""
        await self._ensure_running()

    async def ask(self, number: int, job: bytes) -> dict[str, Any]:
        """Send a numbered job and return the answer.

        Raise `EOFError` if the process dies, `TimeoutError` if the process does not answer in time, `ReplacedError` if
        it is killed for another reason, and any other `OSError` if no process can be started.
        """
        life = await self._ensure_running()
        try:
            async with asyncio.timeout(self._timeout):
                return await life.ask(number, job)
        except TimeoutError:
            life.kill()
            raise

    def kill(self) -> None:
        """Kill the process if it is running."""
        if self._running is not None:
            self._running.kill()

    async def close(self) -> None:
        """Kill the process and wait for its end. Jobs in progress get no answer."""
        async with self._lock:
            if self._running is not None:
                self._running.kill()
                await self._running.end()

    async def _ensure_running(self) -> _RunningProcess:
        async with self._lock:
            if self._running is not None and self._running.is_closed:
                await self._running.end()
                self._running = None
            if self._running is None:
                self._running = _RunningProcess(await _start_process())
            return self._running


class _RunningProcess:
    """One process, from its start to its end."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.is_closed = False
        """True if the process accepts no more jobs."""
        self._was_killed = False
        self._pending = dict[int, asyncio.Future[dict[str, Any] | None]]()
        self._reader = asyncio.create_task(self._read())

    async def ask(self, number: int, job: bytes) -> dict[str, Any]:
        """Return the answer to a job. Raise `ReplacedError` after `kill`, `EOFError` if the process ends otherwise."""
        assert self.process.stdin is not None
        future = self._pending[number] = asyncio.get_running_loop().create_future()
        try:
            self.process.stdin.write(job)
            await self.process.stdin.drain()
        except ConnectionError:
            # The process no longer reads jobs, so kill it. A new one will replace it.
            _kill(self.process)
        answer = await future
        if answer is None:
            raise ReplacedError if self._was_killed else EOFError
        return answer

    def kill(self) -> None:
        self.is_closed = self._was_killed = True
        _kill(self.process)

    async def end(self) -> None:
        # Cancelling this wait must not cancel the reader.
        await asyncio.wait({self._reader})

    async def _read(self) -> None:
        """Distribute the answers of the process, until it ends or answers a job that was never sent."""
        assert self.process.stdout is not None
        try:
            # A line that is too long also raises ValueError, and one that is nested too deeply RecursionError.
            with contextlib.suppress(OSError, ValueError, RecursionError):
                while line := await self.process.stdout.readline():
                    match json.loads(line):
                        case {"job": int(number), **answer} if number in self._pending:
                            future = self._pending.pop(number)
                            if not future.done():
                                future.set_result(answer)
                        case _:
                            break
        finally:
            self.is_closed = True
            for future in self._pending.values():
                if not future.done():
                    future.set_result(None)
            _kill(self.process)
            await self.process.wait()


async def _start_process() -> Process:
    """Start a process that uses one core, regardless of numpy's defaults, and inherits no secrets."""
    environment = child_environment() | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, env=environment, limit=MAX_LINE_BYTES
    )
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    return process


def _kill(process: Process) -> None:
    if process.returncode is None:
        # Not `process.kill`: it might collect the exit status that asyncio waits for.
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
