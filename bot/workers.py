"""Worker processes in which the computer player thinks, and the queues before them."""

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
from bot.engine.errors import GinError
from bot.engine.moves import Move
from bot.opponent.advice import Advised, advised_from_json
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.position_json import position_to_json
from bot.opponent.reviews import Weighed, weighed_from_json
from bot.play.matches.thinker import ThinkerError
from bot.worker_process import PATIENCE, ReplacedError, WorkerProcess

log = structlog.get_logger(__name__)

MOST: Final = 4
"""More processes than that would only wait: a move takes a few milliseconds."""
QUEUED: Final = 1000
"""The most jobs that wait. Whose turn it is stays saved, so that a computer that was refused moves later."""
TRIES: Final = 3
"""How often a job is tried: the processes that work on it may die."""
START_PAUSE: Final = 1.0
"""Seconds until another try where no process can be started."""

STOPPING: Final = "the bot stops"

_Answer = TypeVar("_Answer")


class Priority(IntEnum):
    """The order in which jobs are done. A process that reviews does a more urgent job in between."""

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
        processes = processes or max(1, min(MOST, (os.cpu_count() or 1) - 1))
        self._processes = [WorkerProcess(patience) for _ in range(processes)]
        self._urgent, self._reviews = asyncio.PriorityQueue[_Job](), asyncio.PriorityQueue[_Job]()
        self._numbers = count()
        metrics.watch_queue("moves", self._urgent.qsize)
        metrics.watch_queue("reviews", self._reviews.qsize)
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Return the move of a level in a position. Raise `ThinkerError`."""
        job = {"do": "move", "level": level, "seed": seed}
        return await self._do(Priority.MOVE, job, position, lambda answer: Move.parse(answer["move"]))

    async def advise(self, position: Position) -> tuple[Advised, ...]:
        """Return the moves of a position, the best first. Raise `ThinkerError`."""
        return await self._do(
            Priority.ADVICE, {"do": "advise"}, position, lambda answer: tuple(map(advised_from_json, answer["advised"]))
        )

    async def weigh(self, position: Position, played: Move, worlds: int, seed: int) -> tuple[Weighed, ...]:
        """Return what a move and the best others bring in each of so many worlds. Raise `ThinkerError`."""
        job = {"do": "weigh", "played": str(played), "worlds": worlds, "seed": seed}
        return await self._do(
            Priority.REVIEW, job, position, lambda answer: tuple(map(weighed_from_json, answer["weighed"]))
        )

    async def fortune(self, position: Position, seed: int) -> float:
        """Return by how many points the cards of a position were better than on average. Raise `ThinkerError`."""
        job = {"do": "fortune", "seed": seed}
        return await self._do(Priority.REVIEW, job, position, lambda answer: float(answer["points"]))

    def start(self) -> None:
        """Start the processes, unless they have been started or closed."""
        if self._tasks or self._closed:
            return
        # What does not start now is tried again with the first job.
        starts = [asyncio.create_task(process.start()) for process in self._processes]
        # Each process does up to two jobs at a time, of which one can wait.
        pairs = [(process, queue) for process in self._processes for queue in (self._urgent, self._reviews)]
        self._tasks = [*starts, *(asyncio.create_task(_work(process, queue)) for process, queue in pairs)]

    async def close(self) -> None:
        """End the processes for good. What they are working on is lost, and nothing more is worked on."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        for process in self._processes:
            process.kill()
        for queue in (self._urgent, self._reviews):
            while not queue.empty():
                _give_up(queue.get_nowait(), STOPPING)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(process.close() for process in self._processes), return_exceptions=True)

    @property
    def pids(self) -> set[int]:
        """The processes that run."""
        return {process.pid for process in self._processes if process.pid is not None}

    async def _do(
        self, priority: Priority, job: dict[str, Any], position: Position, parse: Callable[[dict[str, Any]], _Answer]
    ) -> _Answer:
        """Return the answer to a job about a position, as it is parsed. Raise `ThinkerError` if there is none."""
        answer = await self._answer(priority, {**job, "position": position_to_json(position)})
        if "error" in answer:
            raise ThinkerError(f"a position could not be judged: {answer['error']}")
        try:
            return parse(answer)
        except (GinError, KeyError, TypeError, ValueError):
            raise ThinkerError(f"{job['do']} was answered with something else") from None

    async def _answer(self, priority: Priority, job: dict[str, Any]) -> dict[str, Any]:
        """Return what a process answers to a job. Raise `ThinkerError` if none does."""
        if self._closed:
            raise ThinkerError(STOPPING)
        if self._urgent.qsize() + self._reviews.qsize() >= QUEUED:
            raise ThinkerError("too many jobs are waiting")
        self.start()
        number = next(self._numbers)
        line = json.dumps({"job": number, **job}, separators=(",", ":")).encode() + b"\n"
        queued = _Job(priority, number, line, asyncio.get_running_loop().create_future())
        (self._reviews if priority is Priority.REVIEW else self._urgent).put_nowait(queued)
        return await queued.answer


async def _work(process: WorkerProcess, queue: asyncio.PriorityQueue[_Job]) -> None:
    """Let a process do one job of a queue after the other, whatever becomes of each."""
    while True:
        job = await queue.get()
        try:
            await _try(process, job)
        except Exception:
            log.exception("a job of the computer player failed")
            _give_up(job, "the job failed")
        finally:
            _give_up(job, STOPPING)


async def _try(process: WorkerProcess, job: _Job) -> None:
    """Let a process do a job, and another one after it if it dies of it."""
    failures = 0
    # Whoever waited may have gone.
    while failures < TRIES and not job.answer.done():
        try:
            answer = await process.ask(job.number, job.line)
        except ReplacedError:
            continue
        except (EOFError, TimeoutError) as error:
            failures += 1
            log.warning("a thinking process is replaced", error=type(error).__name__)
        except OSError as error:
            failures += 1
            log.warning("a thinking process cannot be started", error=str(error))
            await asyncio.sleep(START_PAUSE)
        else:
            if not job.answer.done():
                job.answer.set_result(answer)
    _give_up(job, "the processes that were to do the job died, or could not be started")


def _give_up(job: _Job, why: str) -> None:
    if not job.answer.done():
        job.answer.set_exception(ThinkerError(why))
