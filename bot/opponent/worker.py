"""A process in which the computer player thinks: it reads jobs from standard input, and answers each with a line.

    {"level": "expert", "seed": 17, "position": {...}}  ->  {"move": "x 2c"}
    {"position": {...}}                                 ->  {"advised": [{"move": "x 2c", "worth": 3.1, ...}, ...]}
    {"weigh": "x 2c", "worlds": 8, "seed": 17, "position": {...}}
                                    ->  {"advised": [{"move": "x 2c", ...}, ...], "worths": [[3.1, -12.0, ...], ...]}
    {"fortune": 17, "position": {...}}                  ->  {"points": -2.5}

What goes wrong with a job is answered with `{"error": "..."}`. It ends when its input does.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, TextIO

from bot.engine.moves import Move
from bot.opponent.advice import advised_to_json
from bot.opponent.choosing import advise, choose
from bot.opponent.fortune import fortune
from bot.opponent.judge import Judge, trained
from bot.opponent.levels import Level
from bot.opponent.position_json import position_from_json
from bot.opponent.simulation import weigh

NICENESS: Final = 15
"""Thinking leaves the processor to everything else."""


def main() -> None:
    """Answer jobs until there are no more."""
    with suppress(OSError):
        os.nice(NICENESS)
    # Ctrl-C in a terminal is meant for the bot, which ends this.
    with suppress(KeyboardInterrupt, BrokenPipeError):
        work(sys.stdin, sys.stdout)


def work(jobs: TextIO, answers: TextIO) -> None:
    """Answer jobs, a JSON object in a line each."""
    judge = trained()
    for line in jobs:
        print(json.dumps(_answer(judge, json.loads(line))), file=answers, flush=True)


def _answer(judge: Judge, job: Mapping[str, Any]) -> dict[str, Any]:
    try:
        position = position_from_json(job["position"])
        if "level" in job:
            (move,) = choose(judge, Level(job["level"]), [position], [job["seed"]])
            return {"move": str(move)}
        if "weigh" in job:
            weighed = weigh(judge, position, Move.parse(job["weigh"]), job["worlds"], job["seed"])
            return {"advised": [advised_to_json(one) for one in weighed], "worths": list(weighed.values())}
        if "fortune" in job:
            return {"points": fortune(judge, position, job["fortune"])}
        return {"advised": [advised_to_json(one) for one in advise(judge, position)]}
    except Exception as error:
        # The position is somebody's hand, and what is said here is logged.
        return {"error": type(error).__name__}


if __name__ == "__main__":
    main()
