"""The computer player's worker processes and job queues."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
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
from bot.workers.worker_process import ANSWER_TIMEOUT, ReplacedError, WorkerProcess

log = structlog.get_logger(__name__)

MAX_PROCESSES: Final = 4
"""Maximum number of processes. A move takes a few milliseconds, so more processes would be idle."""
MAX_QUEUED_JOBS: Final = 1000
"""Maximum number of queued jobs. Further jobs are refused. A computer player then moves later: its turn is saved."""
MAX_TRIES: Final = 3
"""Maximum number of attempts at a job: the processes that work on it might die."""
START_PAUSE: Final = 1.0
"""Pause after a failed start of a process, in seconds."""

STOPPING: Final = "the bot stops"

_Answer = TypeVar("_Answer")


class Priority(IntEnum):
    """The priority of jobs, the most urgent first. A process interrupts a review for a more urgent job."""

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
    """A pool of worker processes. They start with the first job, or when `start` is called."""

    def __init__(self, processes: int | None = None, *, timeout: float = ANSWER_TIMEOUT) -> None:
        """Use the given number of processes: by default one less than the number of cores, at most `MAX_PROCESSES`."""
        processes = processes or max(1, min(MAX_PROCESSES, (os.cpu_count() or 1) - 1))
        self._processes = [WorkerProcess(timeout) for _ in range(processes)]
        self._urgent, self._reviews = asyncio.PriorityQueue[_Job](), asyncio.PriorityQueue[_Job]()
        self._numbers = count()
        metrics.watch_queue("moves", self._urgent.qsize)
        metrics.watch_queue("reviews", self._reviews.qsize)
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Return the move of a computer of this level in a position. Raise `ThinkerError` if the job fails."""
        job = {"do": "move", "level": level, "seed": seed}
        return await self._run_parsed(Priority.MOVE, job, position, lambda answer: Move.parse(answer["move"]))

    async def advise(self, position: Position) -> tuple[AdvisedMove, ...]:
        """Return the possible moves in a position, the best first. Raise `ThinkerError` if the job fails."""
        return await self._run_parsed(
            Priority.ADVICE, {"do": "advise"}, position, lambda answer: tuple(map(advised_from_json, answer["advised"]))
        )

    async def evaluate_move(
        self, position: Position, played_move: Move, determinizations: int, seed: int
    ) -> tuple[EvaluatedMove, ...]:
        """Return the results of a move and of the best alternatives in each determinization.

        Raise `ThinkerError` if the job fails.
        """
        job = {"do": "weigh", "played": str(played_move), "worlds": determinizations, "seed": seed}
        return await self._run_parsed(
            Priority.REVIEW, job, position, lambda answer: tuple(map(evaluated_move_from_json, answer["weighed"]))
        )

    async def card_luck(self, position: Position, seed: int) -> float:
        """Return the luck of a position's cards, in points above the average. Raise `ThinkerError` if the job fails."""
        job = {"do": "fortune", "seed": seed}
        return await self._run_parsed(Priority.REVIEW, job, position, lambda answer: float(answer["points"]))

    def start(self) -> None:
        """Start the processes, unless they were already started or closed."""
        if self._tasks or self._closed:
            return
        # A failed start is retried with the first job.
        starts = [asyncio.create_task(process.start()) for process in self._processes]
        # Each process works on up to two jobs at a time, one from each queue.
        pairs = [(process, queue) for process in self._processes for queue in (self._urgent, self._reviews)]
        self._tasks = [*starts, *(asyncio.create_task(_run_jobs(process, queue)) for process, queue in pairs)]

    async def close(self) -> None:
        """Stop the processes permanently. Queued and running jobs fail."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        for process in self._processes:
            process.kill()
        for queue in (self._urgent, self._reviews):
            while not queue.empty():
                _fail_job(queue.get_nowait(), STOPPING)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(process.close() for process in self._processes), return_exceptions=True)

    @property
    def pids(self) -> set[int]:
        """The ids of the running processes."""
        return {process.pid for process in self._processes if process.pid is not None}

    async def _run_parsed(
        self, priority: Priority, job: dict[str, Any], position: Position, parse: Callable[[dict[str, Any]], _Answer]
    ) -> _Answer:
        """Return the parsed answer to a job about a position. Raise `ThinkerError` if it fails."""
        answer = await self._run(priority, {**job, "position": position_to_json(position)})
        if "error" in answer:
            raise ThinkerError(f"a position could not be judged: {answer['error']}")
        try:
            return parse(answer)
        except (GinError, KeyError, TypeError, ValueError):
            raise ThinkerError(f"the answer to {job['do']} cannot be parsed") from None

    async def _run(self, priority: Priority, job: dict[str, Any]) -> dict[str, Any]:
        """Queue a job and return the raw answer. Raise `ThinkerError` if it fails."""
        if self._closed:
            raise ThinkerError(STOPPING)
        if self._urgent.qsize() + self._reviews.qsize() >= MAX_QUEUED_JOBS:
            raise ThinkerError("too many jobs are waiting")
        self.start()
        number = next(self._numbers)
        line = json.dumps({"job": number, **job}, separators=(",", ":")).encode() + b"\n"
        queued_job = _Job(priority, number, line, asyncio.get_running_loop().create_future())
        (self._reviews if priority is Priority.REVIEW else self._urgent).put_nowait(queued_job)
        return await queued_job.answer


async def _run_jobs(process: WorkerProcess, queue: asyncio.PriorityQueue[_Job]) -> None:
    """Run the jobs of a queue in a process, one after the other."""
    while True:
        job = await queue.get()
        try:
            await _run_job(process, job)
        except Exception:
            log.exception("a job of the computer player failed")
            _fail_job(job, "the job failed")
        finally:
            _fail_job(job, STOPPING)


async def _run_job(process: WorkerProcess, job: _Job) -> None:
    """Run a job in a process, and retry it in a new process if it dies."""
    failures = 0
    # If the caller was cancelled, `job.answer` is already cancelled, which counts as done.
    while failures < MAX_TRIES and not job.answer.done():
        try:
            answer = await process.ask(job.number, job.line)
        except ReplacedError:
            continue
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
