"""`WorkerProcess`, with other programs in place of the real worker."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from bot.workers import worker_process
from bot.workers.worker_process import WorkerProcess
from tests.helpers.cases import nightly_after
from tests.helpers.processes import child_pids, is_process_alive
from tests.helpers.waiting import MAX_WAIT, eventually

ECHO = """
import sys
for line in sys.stdin:
    print(line, end="", flush=True)
"""
"""A worker program that sends each job back as its answer."""
STUCK = "import time; time.sleep(600)"
DYING = "import sys; sys.stdin.readline()"
"""A worker program that exits at the first job."""
TALKATIVE = """
import sys
print(sys.stdin.readline(), end="", flush=True)
while True:
    print(10_000 * "so ", flush=True)
"""
"""A worker program that answers the first job, and never stops writing."""
DEAF = """
import os, sys, time
line = sys.stdin.readline()
os.close(0)
print(line, end="", flush=True)
time.sleep(600)
"""
"""A worker program that answers the first job, then stops reading jobs, but keeps running."""
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


async def cancel_after_turns(work: Coroutine[Any, Any, object], turns: int) -> None:
    """Start some work, cancel it after this many turns of the event loop, and wait for its end."""
    task = asyncio.create_task(work)
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()


async def check_replaced(process: WorkerProcess, replace_worker: Callable[[str], None], *, old_pid: int) -> None:
    """Check that a new, working process has replaced an old one."""
    replace_worker(ECHO)
    assert await ask(process, 99) == {"text": "so"}
    assert not is_process_alive(old_pid)
    assert process.pid != old_pid


@pytest.mark.nightly
@pytest.mark.parametrize(
    "answer",
    nightly_after(
        7,
        [
            *(b'{"job": 2}', b"1", b"{}", b"\xff", b'{"job": 1'),
            pytest.param(b'{"job": 1, "text": "' + 5_000_000 * b"x" + b'"}', id="very long"),
            pytest.param(b"[" * 100_000, id="very deep"),
            *(b"[]", b"null", b"", b"Kd", b'{"job": null}', b'{"job": "1"}', b'{"job": [1]}'),
        ],
    ),
)
async def test_an_invalid_answer_replaces_the_process(
    process: WorkerProcess, replace_worker: Callable[[str], None], answer: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that sends anything but a JSON line with the job's number is replaced, and nothing is logged."""
    replace_worker(INVALID.format(answer=answer))
    pid = await pid_of(process)
    with pytest.raises(EOFError):
        await ask(process, 1)
    await check_replaced(process, replace_worker, old_pid=pid)
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == []


async def test_a_cancelled_job_replaces_the_process(
    process: WorkerProcess, replace_worker: Callable[[str], None]
) -> None:
    """If a job is cancelled, its process is replaced, so that its answer cannot be mistaken for the next job's."""
    replace_worker(ECHO)
    pid = await pid_of(process)
    await cancel_after_turns(ask(process, 1), 1)
    assert await ask(process, 2) == {"text": "so"}
    await check_replaced(process, replace_worker, old_pid=pid)


@pytest.mark.thorough
async def test_a_stuck_process_is_replaced(
    process: WorkerProcess, replace_worker: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that does not answer in time is replaced, and the job gets a timeout error."""
    replace_worker(STUCK)
    pid = await pid_of(process)
    with monkeypatch.context() as impatient:
        impatient.setattr(process, "_timeout", 0.2)
        with pytest.raises(TimeoutError):
            await ask(process, 1)
    await check_replaced(process, replace_worker, old_pid=pid)


async def test_a_job_fails_if_its_process_dies(process: WorkerProcess, replace_worker: Callable[[str], None]) -> None:
    """If a process dies during a job, the job fails, and the process is replaced."""
    replace_worker(DYING)
    pid = await pid_of(process)
    with pytest.raises(EOFError):
        await ask(process, 1)
    await check_replaced(process, replace_worker, old_pid=pid)


async def test_a_process_that_dies_between_jobs_is_replaced(
    process: WorkerProcess, replace_worker: Callable[[str], None]
) -> None:
    """If a process dies between two jobs, it is replaced, and no job fails."""
    replace_worker(ECHO)
    pid = await pid_of(process)
    os.kill(pid, signal.SIGKILL)
    await eventually(lambda: process.pid is None)
    await check_replaced(process, replace_worker, old_pid=pid)


@pytest.mark.thorough
async def test_a_process_that_stops_reading_is_replaced(
    process: WorkerProcess, replace_worker: Callable[[str], None]
) -> None:
    """A process that no longer reads jobs is replaced, so that no one waits forever."""
    replace_worker(DEAF)
    pid = await pid_of(process)
    assert await ask(process, 1) == {"text": "so"}
    await eventually(lambda: process.pid is None)
    await check_replaced(process, replace_worker, old_pid=pid)


async def test_cancelling_a_job_during_a_replacement(
    process: WorkerProcess, replace_worker: Callable[[str], None]
) -> None:
    """A job cancelled while a process is being replaced does not affect the next job."""
    replace_worker(ECHO)
    for turns in range(1, 6):
        pid = await pid_of(process)
        os.kill(pid, signal.SIGKILL)
        await eventually(lambda: process.pid is None)
        await cancel_after_turns(ask(process, 1), turns)
        await check_replaced(process, replace_worker, old_pid=pid)


async def test_closing_ends_a_busy_process(process: WorkerProcess, replace_worker: Callable[[str], None]) -> None:
    """Closing ends the process of a cancelled job. Closing again is harmless."""
    replace_worker(STUCK)
    pid = await pid_of(process)
    await cancel_after_turns(ask(process, 1), 1)
    await process.close()
    assert not is_process_alive(pid)
    await process.close()


async def test_closing_ends_a_starting_process(process: WorkerProcess, replace_worker: Callable[[str], None]) -> None:
    """If the start of a process is cancelled, no process is left after closing."""
    replace_worker(STUCK)
    before = child_pids()
    for turns in range(1, 6):
        await cancel_after_turns(process.start(), turns)
        await process.close()
        assert child_pids() == before


@pytest.mark.thorough
async def test_closing_ends_a_process_that_keeps_writing(
    process: WorkerProcess, replace_worker: Callable[[str], None]
) -> None:
    """Closing ends a process even if it has written more than the bot reads."""
    replace_worker(TALKATIVE)
    assert await ask(process, 1) == {"text": "so"}
    pid = await pid_of(process)
    # Wait until asyncio's buffer is full and asyncio has stopped reading.
    await asyncio.sleep(0.5)
    await process.close()
    assert not is_process_alive(pid)
