"""Run both record checkers, the engine and the script verify.py, as on the command line."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

from bot.engine.__main__ import main as engine_main
from bot.engine.fairness import verify

REFUSED = "refused"
"""The answer of a checker that exits with code 2."""


@dataclass(frozen=True)
class CheckerRun:
    """The result of one run: the answer or `REFUSED`, and the text on standard output and standard error."""

    answer: str
    out: str
    err: str


def run_script(file: Path, arguments: Sequence[str] = ()) -> CheckerRun:
    """Check a record's file with verify.py."""
    code, out, err = _run(lambda: verify.main([str(file), *arguments]))
    return _checked(code, out, err, out.partition("\n")[0])


def run_engine(file: Path, arguments: Sequence[str] = ()) -> CheckerRun:
    """Check a record's file with the engine."""
    code, out, err = _run(lambda: engine_main(["verify", str(file), *arguments]))
    return _checked(code, out, err, json.loads(out)["answer"] if out else "")


def _run(program: Callable[[], int]) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = program()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
    return code, out.getvalue(), err.getvalue()


def _checked(code: int, out: str, err: str, answer: str) -> CheckerRun:
    """Return the run, after checking that its exit code, answer and output agree."""
    if code == 2:
        assert out == ""
        assert err
        return CheckerRun(REFUSED, out, err)
    assert err == ""
    assert code == {"ok": 0, "consistent": 0, "wrong": 1}[answer]
    return CheckerRun(answer, out, err)


@dataclass
class Work:
    """The work of a block of code: executed lines of Python, calls of hash functions, and peak memory in bytes."""

    lines: int = 0
    hashes: int = 0
    memory: int = 0


@contextmanager
def measure_work(*, hashes_only: bool = False) -> Generator[Work]:
    """Count the work of a block, independently of the machine's speed.

    Counting lines and memory makes the block many times slower, so `hashes_only` skips them.
    """
    work = Work()

    def on_line(_: FrameType, event: str, __: object) -> Callable[..., Any]:
        work.lines += event == "line"
        return on_line

    def on_call(_: FrameType, event: str, function: object) -> None:
        if event == "c_call":
            work.hashes += getattr(function, "__name__", "") in ("openssl_sha256", "hmac_digest")

    tracer, profiler = sys.gettrace(), sys.getprofile()
    sys.setprofile(on_call)
    if not hashes_only:
        tracemalloc.start()
        sys.settrace(on_line)
    try:
        yield work
    finally:
        sys.setprofile(profiler)
        if not hashes_only:
            sys.settrace(tracer)
            work.memory = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
