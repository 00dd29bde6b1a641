"""A process in which the computer player thinks: it reads jobs from standard input, and answers each with a line.

    {"job": 1, "do": "move", "level": "expert", "seed": 17, "position": {...}}
                         ->  {"job": 1, "move": "x 2c"}
    {"job": 2, "do": "advise", "position": {...}}
                         ->  {"job": 2, "advised": [{"move": "x 2c", "worth": 3.1, ...}, ...]}
    {"job": 3, "do": "weigh", "played": "x 2c", "worlds": 8, "seed": 17, "position": {...}}
                         ->  {"job": 3, "weighed": [{"move": "x 2c", ..., "worths": [3.1, -12.0, ...]}, ...]}
    {"job": 4, "do": "fortune", "seed": 17, "position": {...}}
                         ->  {"job": 4, "points": -2.5}

The last two kinds take long: jobs that come meanwhile are answered before them. What goes wrong with a job is answered
with `{"job": 5, "error": "..."}`. The process ends when its input does.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
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

READ_AT_ONCE: Final = 1 << 16
"""The most bytes that are read at a time."""


def main() -> None:
    """Answer jobs until there are no more."""
    # Ctrl-C in a terminal is meant for the bot, which ends this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError):
        work(sys.stdin.fileno(), sys.stdout)


def work(jobs: int, answers: TextIO) -> None:
    """Answer jobs, a JSON object in a line each, from an open file until it ends."""
    worker = _Worker(Lines(jobs), answers)
    worker.work()


class Lines:
    """The lines of an open file as they come, such as a pipe."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._read = b""

    def next(self, *, wait: bool) -> bytes | None:
        """Return the next line, or None: once there are no more, or, if this is not to wait, none is there yet."""
        while b"\n" not in self._read:
            if not wait and not select.select([self._file], [], [], 0)[0]:
                return None
            more = os.read(self._file, READ_AT_ONCE)
            if not more:
                return None
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line


class _Worker:
    """Answers jobs, and in between those that wait."""

    def __init__(self, jobs: Lines, answers: TextIO) -> None:
        self._judge = trained()
        self._jobs = jobs
        self._answers = answers

    def work(self, *, wait: bool = True) -> None:
        """Answer jobs until there are no more, or, if this is not to wait, none is there yet."""
        while (line := self._jobs.next(wait=wait)) is not None:
            self._answer(line)

    def _answer(self, line: bytes) -> None:
        answer: dict[str, Any] = {}
        try:
            job = json.loads(line)
            answer["job"] = job["job"]
            answer |= self._do(job)
        except Exception as error:
            # The position is somebody's hand, and what is said here is logged.
            answer["error"] = type(error).__name__
        print(json.dumps(answer), file=self._answers, flush=True)

    def _do(self, job: Mapping[str, Any]) -> dict[str, Any]:
        judge, position = self._judge, position_from_json(job["position"])
        match job["do"]:
            case "move":
                (move,) = choose(judge, Level(job["level"]), [position], [job["seed"]])
                return {"move": str(move)}
            case "advise":
                return {"advised": [advised_to_json(one) for one in advise(judge, position)]}
            case "weigh":
                played = Move.parse(job["played"])
                weighed = weigh(judge, position, played, job["worlds"], job["seed"], self._pause)
                return {"weighed": [weighed_to_json(one) for one in weighed]}
            case "fortune":
                return {"points": fortune(judge, position, job["seed"], self._pause)}
            case _:
                raise ValueError("no kind of job")

    def _pause(self) -> None:
        """Answer the jobs that wait."""
        self.work(wait=False)


if __name__ == "__main__":
    main()
