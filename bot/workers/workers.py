"""The computer player's worker processes and job queues."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import Any, Final, TypeVar

import structlog

from bot import metrics
from bot.engine.deals.moves import Move
from bot.engine.errors import GinError
from bot.opponent.play.advice import AdvisedMove, advised_from_json
from bot.opponent.play.levels import Level
from bot.opponent.play.position import Position
from bot.opponent.play.position_json import position_to_json
from bot.opponent.review.reviews import EvaluatedMove, evaluated_move_from_json
from bot.play.matches.thinker import ThinkerError
from bot.workers.worker_process import ANSWER_TIMEOUT, WorkerProcess

log = structlog.get_logger(__name__)

MAX_PROCESSES: Final = 4
"""Maximum number of processes for moves. A move takes a few milliseconds, so more processes would be idle."""
REVIEW_EXTRA_NICENESS: Final = 4
"""Number by which the niceness of the process for reviews exceeds that of the others.

On a single core, this kept reviews from slowing down moves. With equal priority, moves took 1.5 times as long.
"""
MAX_QUEUED_JOBS: Final = 1000
"""Maximum number of jobs in each queue. Further jobs are refused. If the job was a move, it is tried again later."""
MAX_TRIES: Final = 3
"""Maximum number of attempts at a job. An attempt fails if the process dies, times out or cannot be started."""
START_PAUSE: Final = 1.0
"""Pause after a failed start of a process, in seconds."""

STOPPING: Final = "the bot stops"

_Answer = TypeVar("_Answer")


class Priority(IntEnum):
    """The priority of jobs, the most urgent first."""

    MOVE = 0
    HINT = 1
    REVIEW = 2
    BACKGROUND = 3


@dataclass(order=True, slots=True)
class _Job:
    priority: Priority
    number: int
    line: bytes = field(compare=False)
    answer: asyncio.Future[dict[str, Any]] = field(compare=False)


class Workers:
    """Worker processes for moves, and one process for hints and reviews, so that no move waits for a simulation.

    Each kind of process starts with its first job. Without hints and reviews, the process for them uses no memory.
    """

    def __init__(self, processes: int | None = None, *, timeout: float = ANSWER_TIMEOUT) -> None:
        """Use this many processes for moves: by default one less than the number of cores, at most `MAX_PROCESSES`."""
        processes = processes or max(1, min(MAX_PROCESSES, (os.cpu_count() or 1) - 1))
        self._moves = _Pool([WorkerProcess(timeout) for _ in range(processes)])
        self._reviews = _Pool([WorkerProcess(timeout, REVIEW_EXTRA_NICENESS)])
        metrics.watch_queue("moves", self._moves.queue.qsize)
        metrics.watch_queue("reviews", self._reviews.queue.qsize)

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Return the move of a computer of this level in a position. Raise `ThinkerError` if the job fails."""
        job = {"do": "move", "level": level, "seed": seed}
        return await self._run_parsed(Priority.MOVE, job, position, lambda answer: Move.parse(answer["move"]))

    async def advise(self, position: Position, seed: int) -> tuple[AdvisedMove, ...]:
        """Return the possible moves in a position, the best first. Raise `ThinkerError` if the job fails."""
        job = {"do": "advise", "seed": seed}
        return await self._run_parsed(
            Priority.HINT, job, position, lambda answer: tuple(map(advised_from_json, answer["advised"]))
        )

    async def evaluate_move(
        self,
        position: Position,
        played_move: Move,
        determinizations: int,
        seed: int,
        *,
        in_background: bool = False,
    ) -> tuple[EvaluatedMove, ...]:
        """Return the results of a move and of the best alternatives in each determinization.

        Raise `ThinkerError` if the job fails.
        """
        job = {"do": "weigh", "played": str(played_move), "worlds": determinizations, "seed": seed}
        return await self._run_parsed(
            *(_review_priority(in_background=in_background), job, position),
            lambda answer: tuple(map(evaluated_move_from_json, answer["weighed"])),
        )

    async def card_luck(self, position: Position, seed: int, *, in_background: bool = False) -> float:
        """Return the luck of a position's cards, in points above the average. Raise `ThinkerError` if the job fails."""
        job = {"do": "fortune", "seed": seed}
        priority = _review_priority(in_background=in_background)
        return await self._run_parsed(priority, job, position, lambda answer: float(answer["points"]))

    def start(self) -> None:
        """Start the processes for moves, unless they were already started or closed."""
        self._moves.start()

    async def close(self) -> None:
        """Stop the processes permanently. Queued and running jobs fail."""
        tasks = [*self._moves.stop(), *self._reviews.stop()]
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def pids(self) -> set[int]:
        """The ids of the running processes."""
        processes = (*self._moves.processes, *self._reviews.processes)
        return {process.pid for process in processes if process.pid is not None}

    async def _run_parsed(
        self, priority: Priority, job: dict[str, Any], position: Position, parse: Callable[[dict[str, Any]], _Answer]
    ) -> _Answer:
        """Return the parsed answer to a job about a position. Raise `ThinkerError` if the job fails."""
        pool = self._moves if priority is Priority.MOVE else self._reviews
        answer = await pool.run(priority, {**job, "position": position_to_json(position)})
        if "error" in answer:
            raise ThinkerError(f"a position could not be judged: {answer['error']}")
        try:
            return parse(answer)
        except (GinError, KeyError, TypeError, ValueError):
            raise ThinkerError(f"the answer to {job['do']} cannot be parsed") from None


def _review_priority(*, in_background: bool) -> Priority:
    return Priority.BACKGROUND if in_background else Priority.REVIEW


class _Pool:
    """Processes with a queue of jobs. Each process works on one job at a time."""

    def __init__(self, processes: Sequence[WorkerProcess]) -> None:
        self.processes = processes
        self.queue = asyncio.PriorityQueue[_Job]()
        self._numbers = count()
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    def start(self) -> None:
        """Start the processes, unless they were already started or stopped."""
        if not self._tasks and not self._closed:
            self._tasks = [asyncio.create_task(_run_jobs(process, self.queue)) for process in self.processes]

    async def run(self, priority: Priority, job: dict[str, Any]) -> dict[str, Any]:
        """Queue a job and return the raw answer. Raise `ThinkerError` if the job fails."""
        if self._closed:
            raise ThinkerError(STOPPING)
        if self.queue.qsize() >= MAX_QUEUED_JOBS:
            raise ThinkerError("too many jobs are waiting")
        self.start()
        number = next(self._numbers)
        line = json.dumps({"job": number, **job}, separators=(",", ":")).encode() + b"\n"
        queued_job = _Job(priority, number, line, asyncio.get_running_loop().create_future())
        self.queue.put_nowait(queued_job)
        return await queued_job.answer

    def stop(self) -> list[asyncio.Task[None]]:
        """Fail all jobs and stop the processes permanently. Return tasks that end when the processes have ended."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        while not self.queue.empty():
            _fail_job(self.queue.get_nowait(), STOPPING)
        return self._tasks


async def _run_jobs(process: WorkerProcess, queue: asyncio.PriorityQueue[_Job]) -> None:
    """Run the jobs of a queue in a process, one after the other, until cancelled. Then end the process."""
    try:
        # If this start fails, the first job starts the process again and logs any further failure.
        with suppress(Exception):
            await process.start()
        while True:
            job = await queue.get()
            try:
                await _run_job(process, job)
            except Exception:
                log.exception("a job of the computer player failed")
                _fail_job(job, "the job failed")
            finally:
                _fail_job(job, STOPPING)
            # Let the task that waits for this answer queue its next job, which may be more urgent than the others.
            await asyncio.sleep(0)
    finally:
        await process.close()


async def _run_job(process: WorkerProcess, job: _Job) -> None:
    """Run a job in a process. If the process dies, retry the job in a new one."""
    failures = 0
    # If the caller was cancelled, `job.answer` is already cancelled, which counts as done.
    while failures < MAX_TRIES and not job.answer.done():
        try:
            answer = await process.ask(job.number, job.line)
        except (EOFError, TimeoutError) as error:
            failures += 1
            log.warning("a worker process is replaced", error=type(error).__name__)
        except OSError as error:
            failures += 1
            log.warning("a worker process cannot be started", error=str(error))
            await asyncio.sleep(START_PAUSE)
        else:
            if not job.answer.done():
                job.answer.set_result(answer)
    _fail_job(job, "the worker processes died, or could not be started")


def _fail_job(job: _Job, reason: str) -> None:
    if not job.answer.done():
        job.answer.set_exception(ThinkerError(reason))
