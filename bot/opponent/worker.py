"""A process in which the computer player thinks: it reads jobs from standard input, and answers each with a line.

    {"level": "expert", "seed": 17, "position": {...}}  ->  {"move": "x 2c"}
    {"position": {...}}                                 ->  {"advised": [{"move": "x 2c", "worth": 3.1, ...}, ...]}
    {"weigh": "x 2c", "worlds": 8, "seed": 17, "position": {...}}
                                             ->  {"weighed": [{"move": "x 2c", ..., "worths": [3.1, -12.0, ...]}, ...]}
    {"fortune": 17, "position": {...}}                  ->  {"points": -2.5}

A number that a job has as `"job"` is in the answer, too: jobs that come while the last two kinds, which take long, are
being done are answered before them. What goes wrong with a job is answered with `{"error": "..."}`. The process ends
when its input does.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TextIO

from bot.engine.moves import Move
from bot.opponent.advice import advised_to_json
from bot.opponent.choosing import advise, choose
from bot.opponent.fortune import fortune
from bot.opponent.judge import trained
from bot.opponent.levels import Level
from bot.opponent.position_json import position_from_json
from bot.opponent.reviews import weighed_to_json
from bot.opponent.simulation import weigh

NICENESS: Final = 15
"""Thinking leaves the processor to everything else."""


def main() -> None:
    """Answer jobs until there are no more."""
    with suppress(OSError):
        os.nice(NICENESS)
    # Ctrl-C in a terminal is meant for the bot, which ends this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError):
        work(sys.stdin, sys.stdout)


def work(jobs: TextIO, answers: TextIO) -> None:
    """Answer jobs, a JSON object in a line each."""
    waiting = SimpleQueue[str | None]()
    Thread(target=_read, args=(jobs, waiting)).start()
    worker = _Worker(waiting, answers)
    while (job := waiting.get()) is not None:
        worker.answer(job)


def _read(jobs: TextIO, waiting: SimpleQueue[str | None]) -> None:
    for line in jobs:
        waiting.put(line)
    waiting.put(None)


class _Worker:
    """Answers jobs, and in between those that wait."""

    def __init__(self, waiting: SimpleQueue[str | None], answers: TextIO) -> None:
        self._judge = trained()
        self._waiting = waiting
        self._answers = answers

    def answer(self, line: str) -> None:
        """Answer a job."""
        job = json.loads(line)
        number = {"job": job["job"]} if "job" in job else {}
        try:
            answer = self._do(job)
        except Exception as error:
            # The position is somebody's hand, and what is said here is logged.
            answer = {"error": type(error).__name__}
        print(json.dumps(number | answer), file=self._answers, flush=True)

    def _do(self, job: Mapping[str, Any]) -> dict[str, Any]:
        judge, position = self._judge, position_from_json(job["position"])
        if "level" in job:
            (move,) = choose(judge, Level(job["level"]), [position], [job["seed"]])
            return {"move": str(move)}
        if "weigh" in job:
            played = Move.parse(job["weigh"])
            weighed = weigh(judge, position, played, job["worlds"], job["seed"], self._answer_waiting)
            return {"weighed": [weighed_to_json(one) for one in weighed]}
        if "fortune" in job:
            return {"points": fortune(judge, position, job["fortune"], self._answer_waiting)}
        return {"advised": [advised_to_json(one) for one in advise(judge, position)]}

    def _answer_waiting(self) -> None:
        """Answer the jobs that wait."""
        while not self._waiting.empty():
            job = self._waiting.get()
            if job is None:
                self._waiting.put(None)
                return
            self.answer(job)


if __name__ == "__main__":
    main()
