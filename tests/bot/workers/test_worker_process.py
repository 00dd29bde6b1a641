"""`WorkerProcess`, with other programs in place of the real worker."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.workers import worker_process
from bot.workers.worker_process import ReplacedError, WorkerProcess
from tests.helpers.cases import nightly_after
from tests.helpers.processes import child_pids, is_process_alive
from tests.helpers.waiting import MAX_WAIT

ECHO = """
import sys
for line in sys.stdin:
    print(line, end="", flush=True)
"""
"""A worker program that sends each job back as its answer."""
REVERSED = """
import sys
one, other = sys.stdin.readline(), sys.stdin.readline()
print(other, end="")
print(one, end="", flush=True)
sys.stdin.read()
"""
"""A worker program that answers the second job before the first."""
STUCK = "import time; time.sleep(600)"
DYING = "import sys; sys.stdin.readline(); sys.stdin.readline()"
"""A worker program that exits at the second job."""
DEAF = """
import os, time
os.close(0)
print('{"job": 1}', flush=True)
time.sleep(600)
"""
"""A worker program that stops reading jobs, but keeps running."""
INVALID = """
import sys, time
sys.stdin.readline()
sys.stdout.buffer.write({answer} + b"\\n")
sys.stdout.flush()
time.sleep(600)
"""
"""A worker program that sends an invalid answer, and keeps running."""


@pytest.fixture
def replace_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that replaces the worker with another program."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker_process, "MODULE", "pretender")

    def replace(program: str) -> None:
        (tmp_path / "pretender.py").write_text(program)

    return replace


@pytest.fixture
async def process() -> AsyncIterator[WorkerProcess]:
    """Return a worker process with a timeout that is long enough for slow machines."""
    process = WorkerProcess(timeout=MAX_WAIT)
    yield process
    await process.close()
    assert process.pid is None


def job(number: int) -> bytes:
    """Return a job with this number, as a line for the worker process."""
    return f'{{"job": {number}, "text": "so"}}\n'.encode()


async def ask(process: WorkerProcess, number: int) -> object:
    """Send a job and return its answer."""
    return await process.ask(number, job(number))


async def pid_of(process: WorkerProcess) -> int:
    """Start the process if necessary, and return its id."""
    await process.start()
    assert process.pid is not None
    return process.pid


async def check_replaced(process: WorkerProcess, replace_worker: Callable[[str], None], *, old_pid: int) -> None:
    """Check that a new, working process has replaced an old one."""
    replace_worker(ECHO)
    assert await ask(process, 99) == {"text": "so"}
    assert not is_process_alive(old_pid)
    assert process.pid != old_pid


async def test_answers_are_matched_by_job_number(process: WorkerProcess, replace_worker: Callable[[str], None]) -> None:
    """Answers are matched to jobs by number, in any order."""
    replace_worker(REVERSED)
    jobs = (process.ask(7, b'{"job": 7, "for": "one"}\n'), process.ask(2, b'{"job": 2, "for": "another"}\n'))
    assert await asyncio.gather(*jobs) == [{"for": "one"}, {"for": "another"}]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "answer",
    nightly_after(
        6,
        [
            *(b"1", b"{}", b"\xff", b'{"job": 1'),
            pytest.param(b'{"job": 1, "text": "' + 5_000_000 * b"x" + b'"}', id="very long"),
            pytest.param(b"[" * 100_000, id="very deep"),
            b'{"job": 2}',
            *(b"[]", b"null", b"", b"Kd", b'{"job": null}', b'{"job": "1"}', b'{"job": [1]}'),
        ],
    ),
)
async def test_an_invalid_answer_replaces_the_process(
    process: WorkerProcess, replace_worker: Callable[[str], None], answer: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that sends anything but a JSON line with the number of a job is replaced, and nothing is logged."""
    replace_worker(INVALID.format(answer=answer))
    pid = await pid_of(process)
    with pytest.raises(EOFError):
        await ask(process, 1)
    await check_replaced(process, replace_worker, old_pid=pid)
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == []


async def test_an_answer_to_a_cancelled_job_is_ignored(
    process: WorkerProcess, replace_worker: Callable[[str], None]
) -> None:
    """An answer to a cancelled job is ignored, and the process is not replaced."""
    replace_worker(ECHO)
    pid = await pid_of(process)
    gone = asyncio.create_task(ask(process, 1))
    await asyncio.sleep(0)
    gone.cancel()
    assert await ask(process, 2) == {"text": "so"}
    assert gone.cancelled()
    assert process.pid == pid


@pytest.mark.thorough
async def test_a_stuck_process_is_replaced(
    process: WorkerProcess, replace_worker: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stuck process is replaced. The job that timed out gets a timeout error, and later jobs a `ReplacedError`."""
    replace_worker(STUCK)
    pid = await pid_of(process)
    with monkeypatch.context() as impatient:
        impatient.setattr(process, "_timeout", 0.2)
        first = asyncio.create_task(ask(process, 1))
        await asyncio.sleep(0)
    second = asyncio.create_task(ask(process, 2))
    with pytest.raises(TimeoutError):
        await first
    await check_replaced(process, replace_worker, old_pid=pid)
    with pytest.raises(ReplacedError):
        await second


@pytest.mark.thorough
async def test_all_jobs_of_a_dead_process_fail(process: WorkerProcess, replace_worker: Callable[[str], None]) -> None:
    """If a process dies, all of its jobs fail, because any of them may be the cause."""
    replace_worker(DYING)
    pid = await pid_of(process)
    errors = await asyncio.gather(ask(process, 1), ask(process, 2), return_exceptions=True)
    assert [type(error) for error in errors] == [EOFError, EOFError]
    await check_replaced(process, replace_worker, old_pid=pid)


@pytest.mark.thorough
async def test_a_process_that_stops_reading_is_replaced(
    process: WorkerProcess, replace_worker: Callable[[str], None]
) -> None:
    """A process that no longer reads jobs is replaced, so that no one waits forever."""
    replace_worker(DEAF)
    pid = await pid_of(process)
    # When this answer arrives, the process has already closed its input.
    assert await process.ask(1, b"") == {}
    with pytest.raises(EOFError):
        await ask(process, 2)
    await check_replaced(process, replace_worker, old_pid=pid)


async def test_cancelling_a_job_during_a_replacement(
    process: WorkerProcess, replace_worker: Callable[[str], None]
) -> None:
    """A job cancelled while a process is being replaced does not affect other jobs."""
    replace_worker(ECHO)
    pid = await pid_of(process)
    process.kill()
    jobs = [asyncio.create_task(ask(process, number)) for number in range(3)]
    await asyncio.sleep(0)
    jobs[0].cancel()
    assert await asyncio.gather(*jobs[1:]) == [{"text": "so"}] * 2
    assert jobs[0].cancelled()
    await check_replaced(process, replace_worker, old_pid=pid)


async def test_closing_fails_pending_jobs(process: WorkerProcess, replace_worker: Callable[[str], None]) -> None:
    """Closing ends the process and fails its jobs. Closing again is harmless."""
    replace_worker(STUCK)
    pid = await pid_of(process)
    asked = asyncio.create_task(ask(process, 1))
    await asyncio.sleep(0)
    await process.close()
    assert not is_process_alive(pid)
    with pytest.raises(ReplacedError):
        await asked
    await process.close()


async def test_closing_ends_a_starting_process(process: WorkerProcess, replace_worker: Callable[[str], None]) -> None:
    """Closing also ends a process that is being started."""
    replace_worker(STUCK)
    before = child_pids()
    start = asyncio.create_task(process.start())
    await asyncio.sleep(0)
    await process.close()
    await start
    assert child_pids() == before
