"""The worker process of the computer player: it reads jobs from standard input and writes a line for each answer.

    {"job": 1, "do": "move", "level": "expert", "seed": 17, "position": {...}}
                         ->  {"job": 1, "move": "x 2c"}
    {"job": 2, "do": "advise", "seed": 17, "position": {...}}
                         ->  {"job": 2, "advised": [{"move": "x 2c", "worth": 3.1, ...}, ...]}
    {"job": 3, "do": "weigh", "played": "x 2c", "worlds": 8, "seed": 17, "position": {...}}
                         ->  {"job": 3, "weighed": [{"move": "x 2c", ..., "worths": [3.1, -12.0, ...]}, ...]}
    {"job": 4, "do": "fortune", "seed": 17, "position": {...}}
                         ->  {"job": 4, "points": -2.5}

Jobs are answered one after the other. A failed job is answered with `{"job": 5, "error": "..."}`. The process ends when
its input does.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, TextIO

from bot.engine.deals.moves import Move
from bot.opponent.play.advice import advised_to_json
from bot.opponent.play.choosing import choose
from bot.opponent.play.judge import Judge, trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.position_json import position_from_json
from bot.opponent.review.card_luck import card_luck
from bot.opponent.review.hints import hint
from bot.opponent.review.reviews import evaluated_move_to_json
from bot.opponent.review.simulation import evaluate_move


def main() -> None:
    """Answer jobs until the input ends."""
    # Ignore Ctrl-C: a terminal sends it to the bot too, which then stops this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError):
        # Iterating over a pipe yields each line as soon as it arrives.
        answer_jobs(sys.stdin.buffer, sys.stdout)


def answer_jobs(jobs: Iterable[bytes], answers: TextIO) -> None:
    """Answer jobs until they end. Each job is a line with a JSON object."""
    judge = trained_judge()
    for line in jobs:
        print(json.dumps(_answer(judge, line)), file=answers, flush=True)


def _answer(judge: Judge, line: bytes) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    try:
        job = json.loads(line)
        answer["job"] = job["job"]
        return answer | _run_job(judge, job)
    except Exception as error:
        # The bot logs errors, and their text may quote the player's hand, so send only the type.
        return answer | {"error": type(error).__name__}


def _run_job(judge: Judge, job: Mapping[str, Any]) -> dict[str, Any]:
    position = position_from_json(job["position"])
    match job["do"]:
        case "move":
            (move,) = choose(judge, Level(job["level"]), [position], [job["seed"]])
            return {"move": str(move)}
        case "advise":
            return {"advised": [advised_to_json(option) for option in hint(judge, position, job["seed"])]}
        case "weigh":
            weighed = evaluate_move(judge, position, Move.parse(job["played"]), job["worlds"], job["seed"])
            return {"weighed": [evaluated_move_to_json(evaluated) for evaluated in weighed]}
        case "fortune":
            return {"points": card_luck(judge, position, job["seed"])}
        case _:
            raise ValueError("unknown kind of job")


if __name__ == "__main__":
    main()
