"""The worker process of the computer player."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

import pytest

from bot.opponent.play.position_json import position_to_json
from bot.opponent.worker import answer_jobs
from tests.opponent.helpers import RESEARCH, copy_with_damaged_weights, positions

WORKER = (sys.executable, "-m", "bot.opponent.worker")
POSITIONS = [position for *_, position in positions(RESEARCH, 2, "worker", limit=4)]


def answers(jobs: Sequence[object]) -> list[dict[str, Any]]:
    """Return a worker's answers to jobs. Each job is a line, or data for a line of JSON."""
    lines = [f"{job if isinstance(job, str) else json.dumps(job)}\n".encode() for job in jobs]
    output = io.StringIO()
    answer_jobs(lines, output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_every_job_is_answered_in_order() -> None:
    """Each move job is answered in order with its number and a legal move."""
    common = {"do": "move", "level": "novice", "seed": 3}
    results = answers(
        [common | {"job": job, "position": position_to_json(position)} for job, position in enumerate(POSITIONS)]
    )
    assert [answer["job"] for answer in results] == list(range(len(POSITIONS)))
    assert all(answer["move"] in map(str, position.moves) for answer, position in zip(results, POSITIONS, strict=True))


def test_failed_jobs_are_answered_with_the_error() -> None:
    """A failed job is answered with only the type of the error, without the position, and the next job is done."""
    good: dict[str, object] = {"do": "move", "level": "novice", "seed": 3, "position": position_to_json(POSITIONS[0])}
    kinds: list[dict[str, object]] = [{"do": "fly"}, {"do": None}, {"level": "champion"}, {"level": []}]
    jobs = [good | {"job": 5} | kind for kind in [{"position": {"hand": "Kd"}}, *kinds]]
    *answered, last = answers([*jobs, "[]", "Kd", "", good, good | {"job": 6}])
    errors = ["KeyError", *["ValueError"] * 4]
    assert answered[:5] == [{"job": 5, "error": error} for error in errors]
    assert answered[5:] == [
        {"error": error} for error in ("TypeError", "JSONDecodeError", "JSONDecodeError", "KeyError")
    ]
    assert last.keys() == {"job", "move"}


@pytest.mark.thorough
def test_jobs_are_answered_while_the_input_is_open() -> None:
    """A job is answered as soon as its line is complete, even if part of the next line has arrived."""
    common = {"do": "move", "level": "novice", "seed": 3, "position": position_to_json(POSITIONS[0])}
    first, second = (json.dumps(common | {"job": job}).encode() + b"\n" for job in (1, 2))
    with Popen(WORKER, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for sent, job in ((first + second[:9], 1), (second[9:], 2)):
            process.stdin.write(sent)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["job"] == job
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.thorough
def test_the_worker_exits_without_weights(tmp_path: Path) -> None:
    """The process ends immediately if it cannot read its weights."""
    copy_with_damaged_weights(tmp_path)
    with Popen(WORKER, cwd=tmp_path, stdin=PIPE, stdout=DEVNULL, stderr=PIPE) as process:
        assert process.wait(60) == 1
        assert process.stderr is not None
        assert b"trained_judge" in process.stderr.read()


@pytest.mark.thorough
def test_the_worker_exits_when_its_output_is_closed() -> None:
    """The process ends silently if its output is closed, even if more jobs may arrive."""
    with Popen(WORKER, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b"{}\n")
        process.stdin.flush()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


def test_the_worker_imports_little() -> None:
    """A worker imports none of discord.py, Pillow, SQLAlchemy and `cogs`."""
    code = "import sys, bot.opponent.worker; print({'discord', 'PIL', 'sqlalchemy', 'cogs'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "set()\n"


@pytest.mark.nightly
def test_the_bot_does_not_import_numpy() -> None:
    """The bot does not import numpy, which would cost memory and time at every start."""
    code = "import sys, bot.hosting.running; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "False\n"
