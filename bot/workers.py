"""Worker processes in which the computer player thinks, and the queue before them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import Any, Final

import structlog

from bot.engine.errors import GinError
from bot.engine.moves import Move
from bot.opponent.advice import Advised, advised_from_json
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.position_json import position_to_json
from bot.play.matches.computers import ThinkerError

log = structlog.get_logger(__name__)

MODULE: Final = "bot.opponent.worker"
MOST: Final = 4
"""More processes than that would only wait: a move takes a few milliseconds."""
QUEUED: Final = 1000
"""The most jobs that wait. Whose turn it is stays saved, so that a computer that was refused moves later."""
PATIENCE: Final = 20.0
"""Seconds after which a process that has not answered is taken for stuck. The first answer needs the start, too."""
TRIES: Final = 3
"""How often a job is tried: the processes that work on it may die."""
LONGEST_LINE: Final = 1 << 20
SECRET: Final = ("DISCORD_", "DEADWOOD_")
"""How the names of the settings begin, the token's among them."""


class Priority(IntEnum):
    """The order in which jobs are done."""

    MOVE = 0
    ADVICE = 1
    REVIEW = 2


@dataclass(order=True, slots=True)
class _Job:
    priority: Priority
    number: int
    line: bytes = field(compare=False)
    answer: asyncio.Future[dict[str, Any]] = field(compare=False)


class Workers:
    """Processes that think. They begin with the first job, or when they are told to."""

    def __init__(self, processes: int | None = None, *, patience: float = PATIENCE) -> None:
        """Think in so many processes, by default one fewer than there are cores."""
        self._count = processes or max(1, min(MOST, (os.cpu_count() or 1) - 1))
        self._patience = patience
        self._queue = asyncio.PriorityQueue[_Job]()
        self._numbers = count()
        self._tasks: list[asyncio.Task[None]] = []
        self._processes = set[Process]()

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Return the move of a level in a position. Raise `ThinkerError`."""
        job = {"level": level, "seed": seed, "position": position_to_json(position)}
        answer = await self._do(Priority.MOVE, job)
        try:
            return Move.parse(answer["move"])
        except (GinError, KeyError, TypeError):
            raise ThinkerError("no move was answered") from None

    async def advise(self, position: Position) -> tuple[Advised, ...]:
        """Return the moves of a position, the best first. Raise `ThinkerError`."""
        answer = await self._do(Priority.ADVICE, {"position": position_to_json(position)})
        try:
            return tuple(advised_from_json(one) for one in answer["advised"])
        except (GinError, KeyError, TypeError, ValueError):
            raise ThinkerError("no advice was answered") from None

    async def weigh(self, position: Position, played: Move, worlds: int, seed: int) -> dict[Advised, list[float]]:
        """Return what a move and the best others bring in each of so many worlds. Raise `ThinkerError`."""
        job = {"weigh": str(played), "worlds": worlds, "seed": seed, "position": position_to_json(position)}
        answer = await self._do(Priority.REVIEW, job)
        try:
            advised = [advised_from_json(one) for one in answer["advised"]]
            return dict(zip(advised, answer["worths"], strict=True))
        except (GinError, KeyError, TypeError, ValueError):
            raise ThinkerError("no move was weighed") from None

    async def fortune(self, position: Position, seed: int) -> float:
        """Return by how many points the cards of a position were better than on average. Raise `ThinkerError`."""
        answer = await self._do(Priority.REVIEW, {"fortune": seed, "position": position_to_json(position)})
        try:
            return float(answer["points"])
        except (KeyError, TypeError, ValueError):
            raise ThinkerError("no points were answered") from None

    def start(self) -> None:
        """Start the processes, if they have not been started."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._work()) for _ in range(self._count)]

    async def close(self) -> None:
        """End the processes. What they are working on is lost."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._queue.empty():
            _give_up(self._queue.get_nowait(), "the bot stops")
        for process in set(self._processes):
            await self._end(process)

    @property
    def pids(self) -> set[int]:
        """The processes that run."""
        return {process.pid for process in self._processes}

    async def _do(self, priority: Priority, job: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a job. Raise `ThinkerError` if there is none."""
        if self._queue.qsize() >= QUEUED:
            raise ThinkerError("too many jobs are waiting")
        self.start()
        line = json.dumps(job, separators=(",", ":")).encode() + b"\n"
        queued = _Job(priority, next(self._numbers), line, asyncio.get_running_loop().create_future())
        self._queue.put_nowait(queued)
        answer = await queued.answer
        if "error" in answer:
            raise ThinkerError(f"a position could not be judged: {answer['error']}")
        return answer

    async def _work(self) -> None:
        """Let a process do one job after the other, and replace it when it dies."""
        process = await self._begin()
        while True:
            job = await self._queue.get()
            try:
                process = await self._do_job(process, job)
            finally:
                _give_up(job, "the bot stops")

    async def _do_job(self, process: Process, job: _Job) -> Process:
        """Do a job, and return the process that goes on: another one if it died of it."""
        for _ in range(TRIES):
            if job.answer.done():
                return process
            try:
                answer = await self._ask(process, job.line)
            except (OSError, EOFError, ValueError, TimeoutError) as error:
                log.warning("a thinking process is replaced", error=type(error).__name__)
                await self._end(process)
                process = await self._begin()
            else:
                if not job.answer.done():
                    job.answer.set_result(answer)
        _give_up(job, "the processes that worked on it died")
        return process

    async def _ask(self, process: Process, line: bytes) -> dict[str, Any]:
        """Return what a process answers. Raise `OSError`, `EOFError`, `ValueError` or `TimeoutError` if it fails."""
        assert process.stdin is not None
        assert process.stdout is not None
        async with asyncio.timeout(self._patience):
            process.stdin.write(line)
            await process.stdin.drain()
            answer = await process.stdout.readline()
        if not answer:
            raise EOFError
        return json.loads(answer)

    async def _begin(self) -> Process:
        """Start a process. It uses one core, whatever numpy would like, and does not know the bot's settings."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(SECRET)}
        environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, env=environment, limit=LONGEST_LINE
        )
        self._processes.add(process)
        return process

    async def _end(self, process: Process) -> None:
        """End a process at once, and wait until it has ended."""
        self._processes.discard(process)
        if process.returncode is None:
            # Not `process.kill`, which may take the exit status away from asyncio.
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        await process.wait()


def _give_up(job: _Job, why: str) -> None:
    if not job.answer.done():
        job.answer.set_exception(ThinkerError(why))
