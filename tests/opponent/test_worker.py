"""The process in which the computer player thinks."""

from __future__ import annotations

import io
import json
import subprocess
import sys

from bot.opponent.position_json import position_to_json
from bot.opponent.worker import work
from tests.opponent.helpers import RESEARCH, positions


def test_every_job_is_answered_in_order() -> None:
    """A job gets a legal move, and one that is none says what is wrong with it, without its contents."""
    asked = [position for *_, position in positions(RESEARCH, 2, "worker", most=4)]
    jobs: list[object] = [{"level": "novice", "seed": 3, "position": position_to_json(one)} for one in asked]
    jobs.insert(2, {"level": "novice", "seed": 3, "position": {"hand": "Kd"}})
    jobs.insert(3, [])
    answers = io.StringIO()
    work(io.StringIO("".join(json.dumps(job) + "\n" for job in jobs)), answers)
    read = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert read[2:4] == [{"error": "KeyError"}, {"error": "TypeError"}]
    moves = [answer["move"] for answer in (*read[:2], *read[4:])]
    assert all(move in map(str, position.moves) for move, position in zip(moves, asked, strict=True))


def test_urgent_jobs_are_answered_amid_long_ones() -> None:
    """A move is answered before the review that was asked for first, each with its number."""
    position = next(one for *_, one in positions(RESEARCH, 2, "worker", most=4) if len(one.moves) > 2)
    common = {"seed": 3, "position": position_to_json(position)}
    jobs = [{"job": 1, "weigh": str(position.moves[0]), "worlds": 2}, {"job": 2, "level": "novice"}]
    answers = io.StringIO()
    work(io.StringIO("".join(json.dumps(job | common) + "\n" for job in jobs)), answers)
    assert [json.loads(line)["job"] for line in answers.getvalue().splitlines()] == [2, 1]


def test_it_needs_neither_discord_nor_pictures_nor_the_database() -> None:
    """A worker is small: what it imports is the engine and numpy."""
    code = "import sys, bot.opponent.worker; print({'discord', 'PIL', 'sqlalchemy', 'cogs'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "set()\n"


def test_the_bot_itself_does_without_numpy() -> None:
    """Only workers think: numpy would take memory and time at every start."""
    code = "import sys, bot.running; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "False\n"
