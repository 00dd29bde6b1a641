"""The worker process of the computer player: it reads jobs from standard input and writes a line for each answer.

    {"job": 1, "do": "move", "level": "expert", "seed": 17, "position": {...}}
                         ->  {"job": 1, "move": "x 2c"}
    {"job": 2, "do": "advise", "position": {...}}
                         ->  {"job": 2, "advised": [{"move": "x 2c", "worth": 3.1, ...}, ...]}
    {"job": 3, "do": "weigh", "played": "x 2c", "worlds": 8, "seed": 17, "position": {...}}
                         ->  {"job": 3, "weighed": [{"move": "x 2c", ..., "worths": [3.1, -12.0, ...]}, ...]}
    {"job": 4, "do": "fortune", "seed": 17, "position": {...}}
                         ->  {"job": 4, "points": -2.5}

Jobs of the last two kinds are slow, so jobs that arrive in the meantime are answered first. A failed job is answered
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

from bot.engine.deals.moves import Move
from bot.opponent.play.advice import advised_to_json
from bot.opponent.play.choosing import advise, choose
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.position_json import position_from_json
from bot.opponent.review.card_luck import card_luck
from bot.opponent.review.reviews import evaluated_move_to_json
from bot.opponent.review.simulation import evaluate_move

MAX_READ_BYTES: Final = 1 << 16
"""Maximum number of bytes in one read."""


def main() -> None:
    """Answer jobs until the input ends."""
    # Ignore Ctrl-C: a terminal sends it to the bot too, which then stops this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError):
        answer_jobs(sys.stdin.fileno(), sys.stdout)


def answer_jobs(jobs: int, answers: TextIO) -> None:
    """Answer jobs from a file descriptor until it ends. Each job is a JSON object on its own line."""
    worker = _Worker(Lines(jobs), answers)
    worker.work()


class Lines:
    """Reads lines from a file descriptor, such as a pipe."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._buffer = b""

    def next_line(self, *, wait: bool) -> bytes | None:
        """Return the next line, or None at the end of the file. Without `wait`, return None if no line is ready."""
        while b"\n" not in self._buffer:
            if not wait and not select.select([self._file], [], [], 0)[0]:
                return None
            chunk = os.read(self._file, MAX_READ_BYTES)
            if not chunk:
                return None
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line


class _Worker:
    """Answers jobs. While it works on a slow job, it also answers any jobs that arrive."""

    def __init__(self, jobs: Lines, answers: TextIO) -> None:
        self._judge = trained_judge()
        self._jobs = jobs
        self._answers = answers

    def work(self, *, wait: bool = True) -> None:
        """Answer jobs until the input ends. Without `wait`, stop as soon as no job is ready."""
        while (line := self._jobs.next_line(wait=wait)) is not None:
            self._answer(line)

    def _answer(self, line: bytes) -> None:
        answer: dict[str, Any] = {}
        try:
            job = json.loads(line)
            answer["job"] = job["job"]
            answer |= self._run_job(job)
        except Exception as error:
            # The bot logs errors, and their text may quote the player's hand, so send only the type.
            answer["error"] = type(error).__name__
        print(json.dumps(answer), file=self._answers, flush=True)

    def _run_job(self, job: Mapping[str, Any]) -> dict[str, Any]:
        judge, position = self._judge, position_from_json(job["position"])
        match job["do"]:
            case "move":
                (move,) = choose(judge, Level(job["level"]), [position], [job["seed"]])
                return {"move": str(move)}
            case "advise":
                return {"advised": [advised_to_json(option) for option in advise(judge, position)]}
            case "weigh":
                played = Move.parse(job["played"])
                weighed = evaluate_move(judge, position, played, job["worlds"], job["seed"], self._answer_ready_jobs)
                return {"weighed": [evaluated_move_to_json(evaluated) for evaluated in weighed]}
            case "fortune":
                return {"points": card_luck(judge, position, job["seed"], self._answer_ready_jobs)}
            case _:
                raise ValueError("unknown kind of job")

    def _answer_ready_jobs(self) -> None:
        """Answer the jobs that are ready."""
        self.work(wait=False)


if __name__ == "__main__":
    main()
