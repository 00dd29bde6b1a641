"""The worker process, simulated by other programs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot import worker_process
from bot.worker_process import ReplacedError, WorkerProcess
from tests.helpers.cases import nightly_after
from tests.helpers.processes import children, runs
from tests.helpers.waiting import MAX_WAIT

ECHO = """
import sys
for line in sys.stdin:
    print(line, end="", flush=True)
"""
"""Echoes each job."""
BACKWARDS = """
import sys
one, other = sys.stdin.readline(), sys.stdin.readline()
print(other, end="")
print(one, end="", flush=True)
sys.stdin.read()
"""
"""Answers the second job before the first."""
STUCK = "import time; time.sleep(600)"
DEAD = "import sys; sys.stdin.readline(); sys.stdin.readline()"
"""Exits on the second job."""
DEAF = """
import os, time
os.close(0)
print('{"job": 1}', flush=True)
time.sleep(600)
"""
"""Stops reading jobs, but keeps running."""
ODD = """
import sys, time
sys.stdin.readline()
sys.stdout.buffer.write({answer} + b"\\n")
sys.stdout.flush()
time.sleep(600)
"""
"""Sends an invalid answer, and keeps running."""


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that replaces the worker with another program."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker_process, "MODULE", "pretender")

    def put(program: str) -> None:
        (tmp_path / "pretender.py").write_text(program)

    return put


@pytest.fixture
async def process() -> AsyncIterator[WorkerProcess]:
    """Return a process with a timeout that is long enough for slow machines."""
    process = WorkerProcess(patience=MAX_WAIT)
    yield process
    await process.close()
    assert process.pid is None


def job(number: int) -> bytes:
    """Return a job with a number."""
    return f'{{"job": {number}, "text": "so"}}\n'.encode()


async def ask(process: WorkerProcess, number: int) -> object:
    """Send a job and return its answer."""
    return await process.ask(number, job(number))


async def pid_of(process: WorkerProcess) -> int:
    """Start the process if necessary, and return its id."""
    await process.start()
    assert process.pid is not None
    return process.pid


async def is_well(process: WorkerProcess, pretend: Callable[[str], None], *, after: int) -> None:
    """Check that a new, working process has replaced an old one."""
    pretend(ECHO)
    assert await ask(process, 99) == {"text": "so"}
    assert not runs(after)
    assert process.pid != after


async def test_answers_go_to_whom_they_are_for(process: WorkerProcess, pretend: Callable[[str], None]) -> None:
    """Answers are matched to jobs by number, in any order."""
    pretend(BACKWARDS)
    jobs = (process.ask(7, b'{"job": 7, "for": "one"}\n'), process.ask(2, b'{"job": 2, "for": "another"}\n'))
    assert await asyncio.gather(*jobs) == [{"for": "one"}, {"for": "another"}]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "answer",
    nightly_after(
        6,
        [
            *(b"1", b"{}", b"\xff", b'{"job": 2}', b'{"job": 1'),
            pytest.param(b'{"job": 1, "text": "' + 5_000_000 * b"x" + b'"}', id="very long"),
            pytest.param(b"[" * 100_000, id="very deep"),
            *(b"[]", b"null", b"", b"Kd", b'{"job": null}', b'{"job": "1"}', b'{"job": [1]}'),
        ],
    ),
)
async def test_what_answers_something_odd_is_replaced(
    process: WorkerProcess, pretend: Callable[[str], None], answer: bytes
) -> None:
    """A process that sends anything but a JSON line with the number of a job is replaced."""
    pretend(ODD.format(answer=answer))
    pid = await pid_of(process)
    with pytest.raises(EOFError):
        await ask(process, 1)
    await is_well(process, pretend, after=pid)


async def test_an_answer_may_come_too_late(process: WorkerProcess, pretend: Callable[[str], None]) -> None:
    """An answer to a cancelled job is ignored, and the process is kept."""
    pretend(ECHO)
    pid = await pid_of(process)
    gone = asyncio.create_task(ask(process, 1))
    await asyncio.sleep(0)
    gone.cancel()
    assert await ask(process, 2) == {"text": "so"}
    assert gone.cancelled()
    assert process.pid == pid


@pytest.mark.thorough
async def test_what_is_stuck_is_replaced_at_once(
    process: WorkerProcess, pretend: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stuck process is replaced. The job that timed out gets a timeout error, and later jobs a `ReplacedError`."""
    pretend(STUCK)
    pid = await pid_of(process)
    with monkeypatch.context() as impatient:
        impatient.setattr(process, "_patience", 0.2)
        first = asyncio.create_task(ask(process, 1))
        await asyncio.sleep(0)
    second = asyncio.create_task(ask(process, 2))
    with pytest.raises(TimeoutError):
        await first
    await is_well(process, pretend, after=pid)
    with pytest.raises(ReplacedError):
        await second


@pytest.mark.thorough
async def test_what_dies_takes_all_jobs_with_it(process: WorkerProcess, pretend: Callable[[str], None]) -> None:
    """If a process dies, all of its jobs fail, because any of them may be the cause."""
    pretend(DEAD)
    pid = await pid_of(process)
    errors = await asyncio.gather(ask(process, 1), ask(process, 2), return_exceptions=True)
    assert [type(error) for error in errors] == [EOFError, EOFError]
    await is_well(process, pretend, after=pid)


@pytest.mark.thorough
async def test_what_takes_no_more_jobs_is_replaced(process: WorkerProcess, pretend: Callable[[str], None]) -> None:
    """A process that no longer reads jobs is replaced, so that no one waits forever."""
    pretend(DEAF)
    pid = await pid_of(process)
    # The process has closed its input by the time it sends this answer.
    assert await process.ask(1, b"") == {}
    with pytest.raises(EOFError):
        await ask(process, 2)
    await is_well(process, pretend, after=pid)


async def test_giving_up_while_another_process_begins_harms_nobody(
    process: WorkerProcess, pretend: Callable[[str], None]
) -> None:
    """A job cancelled while a process is being replaced does not affect other jobs."""
    pretend(ECHO)
    pid = await pid_of(process)
    process.kill()
    jobs = [asyncio.create_task(ask(process, number)) for number in range(3)]
    await asyncio.sleep(0)
    jobs[0].cancel()
    assert await asyncio.gather(*jobs[1:]) == [{"text": "so"}] * 2
    assert jobs[0].cancelled()
    await is_well(process, pretend, after=pid)


async def test_closing_ends_what_is_being_done(process: WorkerProcess, pretend: Callable[[str], None]) -> None:
    """Closing ends the process and fails its jobs. Closing again is harmless."""
    pretend(STUCK)
    pid = await pid_of(process)
    asked = asyncio.create_task(ask(process, 1))
    await asyncio.sleep(0)
    await process.close()
    assert not runs(pid)
    with pytest.raises(ReplacedError):
        await asked
    await process.close()


async def test_closing_ends_what_begins(process: WorkerProcess, pretend: Callable[[str], None]) -> None:
    """Closing also ends a process that is being started."""
    pretend(STUCK)
    before = children()
    start = asyncio.create_task(process.start())
    await asyncio.sleep(0)
    await process.close()
    await start
    assert children() == before
