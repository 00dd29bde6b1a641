"""The worker processes of the computer player."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Move, discard
from bot.engine.deals.phase import Phase
from bot.opponent.play.choosing import choose
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.position import Position
from bot.opponent.review.card_luck import card_luck
from bot.opponent.review.hints import hint
from bot.opponent.review.simulation import evaluate_move
from bot.play.matches.thinker import ThinkerError
from bot.workers import worker_process, workers
from bot.workers.worker_process import NICENESS, WorkerProcess
from bot.workers.workers import REVIEW_EXTRA_NICENESS, Workers
from tests.helpers.processes import child_pids, is_process_alive
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.opponent.helpers import RESEARCH, copy_with_damaged_weights, positions

BOT: Final = """
import asyncio
from bot.workers.workers import Workers

async def main():
    team = Workers(2)
    team.start()
    while len(team.pids) < 2:
        await asyncio.sleep(0.01)
    print(*team.pids, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
"""A bot that only runs workers."""
FAKE_WORKER: Final = """
import json, sys
for line in sys.stdin:
    job = json.loads(line)
    if job["do"] == "move":
        print(json.dumps({"job": job["job"], "move": f"x {'A23456789TJQK'[job['seed']]}c"}), flush=True)
    elif job["seed"] == 0:
        print(json.dumps({"job": job["job"], "points": 0}), flush=True)
"""
"""A fake worker that starts quickly. Its move is to discard the club at index `seed`. It finishes only jobs for reviews
that have the seed 0."""

POSITIONS: Final = [position for *_, position in positions(RESEARCH, 2, "workers", limit=12)]
DISCARD_POSITION: Final = next(position for position in POSITIONS if position.phase is Phase.DISCARD)
SEEDS: Final = range(13)


@pytest.fixture
def fake_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the worker with a fast fake, for tests in which the moves do not matter."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker_process, "MODULE", "pretender")
    (tmp_path / "pretender.py").write_text(FAKE_WORKER)


@pytest.fixture
async def team() -> AsyncIterator[Workers]:
    """Return a team of two workers."""
    team = Workers(2)
    yield team
    await team.close()
    assert not team.pids


def expected_move(position: Position) -> Move:
    """Return the move that the computer player chooses in this process."""
    (move,) = choose(trained_judge(), Level.EXPERT, [position], [7])
    return move


async def ask(team: Workers, position: Position) -> Move:
    """Return the move that a worker chooses."""
    return await team.move(position, Level.EXPERT, seed=7)


async def ask_fake(team: Workers, seed: int) -> Move:
    """Return a fake worker's answer."""
    return await team.move(POSITIONS[0], Level.EXPERT, seed)


async def begin_review(team: Workers) -> asyncio.Task[float]:
    """Ask the fake worker for a review, which it never finishes. Return the waiting task once the worker is running."""
    (process,) = team._reviews.processes  # pyright: ignore[reportPrivateUsage]
    review = asyncio.create_task(team.card_luck(DISCARD_POSITION, seed=3))
    await eventually(lambda: process.pid is not None)
    return review


def expected_fake_answer(seed: int) -> Move:
    """Return the expected answer of a fake worker."""
    return discard(Card.parse(f"{'A23456789TJQK'[seed]}c"))


@pytest.mark.nightly
async def test_workers_choose_the_players_moves(team: Workers) -> None:
    """Workers choose the same moves as the computer player in the test's own process, in any order of the positions."""
    asked = Random(1).sample(POSITIONS, len(POSITIONS))
    assert await asyncio.gather(*(ask(team, position) for position in asked)) == [
        expected_move(position) for position in asked
    ]
    assert len(team.pids) == 2


@pytest.mark.nightly
async def test_workers_advise_and_review_as_the_player() -> None:
    """Workers give the same advice and reviews as the computer player in the test's own process."""
    team, played = Workers(1), DISCARD_POSITION.moves[0]
    advice = await team.advise(DISCARD_POSITION, seed=3)
    expected_advice = hint(trained_judge(), DISCARD_POSITION, seed=3)
    assert [option.move for option in advice] == [option.move for option in expected_advice]
    (pid,) = team.pids
    with pytest.raises(ThinkerError):
        await team.move(POSITIONS[0], "champion", seed=1)  # type: ignore[arg-type]
    weighed = await team.evaluate_move(DISCARD_POSITION, played, 4, seed=3)
    expected = evaluate_move(trained_judge(), DISCARD_POSITION, played, 4, seed=3)
    assert [(evaluated.advised.move, evaluated.rewards) for evaluated in weighed] == [
        (evaluated.advised.move, evaluated.rewards) for evaluated in expected
    ]
    assert await team.card_luck(DISCARD_POSITION, seed=3) == card_luck(trained_judge(), DISCARD_POSITION, seed=3)
    assert pid in team.pids
    await team.close()


@pytest.mark.usefixtures("fake_worker")
async def test_workers_have_low_priority(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers run at low priority, and the worker for reviews at an even lower one."""
    monkeypatch.setattr(worker_process, "NICENESS", NICENESS)
    await ask_fake(team, 0)
    movers = team.pids
    await begin_review(team)
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in movers} == {NICENESS}
    (pid,) = team.pids - movers
    assert os.getpriority(os.PRIO_PROCESS, pid) == NICENESS + REVIEW_EXTRA_NICENESS


@pytest.mark.usefixtures("fake_worker")
async def test_a_move_does_not_wait_for_a_review() -> None:
    """Workers still choose moves while a long review is running."""
    team = Workers(1)
    review = await begin_review(team)
    assert [await ask_fake(team, seed) for seed in SEEDS] == list(map(expected_fake_answer, SEEDS))
    assert not review.done()
    await team.close()


@pytest.mark.usefixtures("fake_worker")
async def test_background_reviews_let_others_pass(team: Workers) -> None:
    """While somebody waits for a review, which is one job after the other, no job for the background is done."""
    done = list[str]()

    async def review(label: str, jobs: int, *, in_background: bool) -> None:
        for _ in range(jobs):
            await team.card_luck(DISCARD_POSITION, seed=0, in_background=in_background)
            done.append(label)

    background = [asyncio.create_task(review("background", 1000, in_background=True)) for _ in range(3)]
    await eventually(lambda: bool(done))
    await review("person", 10, in_background=False)
    first = done.index("person")
    assert done[first : first + 10] == ["person"] * 10
    for task in background:
        task.cancel()


@pytest.mark.usefixtures("fake_worker")
async def test_each_kind_of_worker_starts_when_needed() -> None:
    """The worker for reviews starts with the first review. Other workers start with the first job of another kind."""
    moving, reviewing = Workers(2), Workers(2)
    await asyncio.gather(*(ask_fake(moving, seed) for seed in SEEDS))
    assert len(moving.pids) == 2
    for _ in range(2):
        await begin_review(moving)
        await begin_review(reviewing)
        assert (len(moving.pids), len(reviewing.pids)) == (3, 1)
    await moving.close()
    await reviewing.close()


@pytest.mark.usefixtures("fake_worker")
async def test_a_worker_that_dies_is_replaced_and_its_job_done_again(team: Workers) -> None:
    """If a worker dies, it is replaced and its jobs are repeated, without an error for the callers."""
    for _ in range(3):
        jobs = [asyncio.create_task(ask_fake(team, seed)) for seed in SEEDS]
        await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        for pid in team.pids:
            os.kill(pid, signal.SIGKILL)
        assert await asyncio.gather(*jobs) == list(map(expected_fake_answer, SEEDS))


@pytest.mark.usefixtures("fake_worker")
async def test_a_worker_that_is_stuck_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stuck worker is replaced after a timeout, and its job is repeated."""
    team, really_start = Workers(1, timeout=MAX_WAIT), WorkerProcess.start
    await ask_fake(team, 0)
    (stuck,) = team.pids
    os.kill(stuck, signal.SIGSTOP)

    async def start_with_timeout(process: WorkerProcess) -> None:
        """Start a worker process. Set a short timeout for the stuck process, and a long one for its replacement."""
        await really_start(process)
        monkeypatch.setattr(process, "_timeout", 0.2 if process.pid == stuck else MAX_WAIT)

    monkeypatch.setattr(WorkerProcess, "start", start_with_timeout)
    assert await ask_fake(team, 5) == expected_fake_answer(5)
    assert stuck not in team.pids
    await team.close()


@pytest.mark.usefixtures("fake_worker")
async def test_a_job_that_kills_every_worker_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """If every worker that tries a job dies, the job fails. A healthy worker does the next job."""
    team = Workers(1)
    with monkeypatch.context() as patch:
        patch.setattr(worker_process, "MODULE", "this")
        with pytest.raises(ThinkerError):
            await ask_fake(team, 0)
    assert await ask_fake(team, 0) == expected_fake_answer(0)
    await team.close()


@pytest.mark.nightly
async def test_jobs_fail_without_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the trained weights, each worker exits immediately, and the job fails without waiting for a timeout."""
    copy_with_damaged_weights(tmp_path)
    team, deaths = Workers(1, timeout=10 * MAX_WAIT), list[BaseException]()
    really_ask = WorkerProcess.ask

    async def record_death(process: WorkerProcess, number: int, job: bytes) -> dict[str, Any]:
        try:
            return await really_ask(process, number, job)
        except EOFError as error:
            deaths.append(error)
            raise

    monkeypatch.setattr(workers, "MAX_TRIES", 2)
    monkeypatch.setattr(WorkerProcess, "ask", record_death)
    monkeypatch.chdir(tmp_path)
    async with asyncio.timeout(MAX_WAIT):
        with pytest.raises(ThinkerError):
            await ask(team, POSITIONS[0])
    assert len(deaths) == workers.MAX_TRIES
    await team.close()


@pytest.mark.usefixtures("fake_worker")
async def test_jobs_fail_while_no_worker_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no worker can be started, jobs fail after several tries. Later jobs succeed once workers start again."""
    monkeypatch.setattr(workers, "START_PAUSE", 0.1)
    team, loop = Workers(2), asyncio.get_running_loop()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        started_at = loop.time()
        results = await asyncio.gather(*(ask_fake(team, seed) for seed in range(4)), return_exceptions=True)
        assert [type(result) for result in results] == [ThinkerError] * 4
        assert loop.time() - started_at > workers.MAX_TRIES * 0.1
        assert not team.pids
    assert await ask_fake(team, 0) == expected_fake_answer(0)
    await team.close()


@pytest.mark.usefixtures("fake_worker")
async def test_a_bug_fails_one_job(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug fails only its own job."""

    async def fail(*_: object) -> dict[str, Any]:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(WorkerProcess, "ask", fail)
        results = await asyncio.gather(*(ask_fake(team, seed) for seed in SEEDS), return_exceptions=True)
        assert [type(result) for result in results] == [ThinkerError] * len(SEEDS)
    assert await ask_fake(team, 0) == expected_fake_answer(0)


@pytest.mark.usefixtures("fake_worker")
async def test_a_cancelled_job_is_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cancelled job is not started, and the jobs queued before and after it are done."""
    team, started, released, really_ask = Workers(1), list[int](), asyncio.Event(), WorkerProcess.ask

    async def record_and_ask(process: WorkerProcess, number: int, job: bytes) -> dict[str, Any]:
        started.append(number)
        await released.wait()
        return await really_ask(process, number, job)

    monkeypatch.setattr(WorkerProcess, "ask", record_and_ask)
    jobs = [asyncio.create_task(ask_fake(team, seed)) for seed in range(4)]
    await eventually(lambda: started == [0])
    jobs[0].cancel()
    jobs[2].cancel()
    released.set()
    assert [await jobs[1], await jobs[3]] == [expected_fake_answer(1), expected_fake_answer(3)]
    assert started == [0, 1, 3]
    await team.close()


@pytest.mark.usefixtures("fake_worker")
async def test_the_queue_is_bounded(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job beyond the queue's limit is refused immediately."""
    monkeypatch.setattr(workers, "MAX_QUEUED_JOBS", 3)
    jobs = [asyncio.create_task(ask_fake(team, seed)) for seed in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(ThinkerError):
        await ask_fake(team, 4)
    assert await asyncio.gather(*jobs) == [expected_fake_answer(seed) for seed in range(3)]


@pytest.mark.usefixtures("fake_worker")
async def test_closing_fails_running_and_queued_jobs(team: Workers) -> None:
    """Closing a team of workers makes running and queued jobs fail, and leaves no process."""
    await ask_fake(team, 0)
    reviews = [await begin_review(team) for _ in range(3)]
    pids = team.pids
    moves = [asyncio.create_task(ask_fake(team, seed)) for seed in SEEDS]
    await asyncio.wait(moves, return_when=asyncio.FIRST_COMPLETED)
    await team.close()
    assert len(pids) == 3
    assert not any(map(is_process_alive, pids))
    *_, last_move = await asyncio.gather(*moves, return_exceptions=True)
    failures = [last_move, *await asyncio.gather(*reviews, return_exceptions=True)]
    assert list(map(repr, failures)) == [repr(ThinkerError(workers.STOPPING))] * 4


@pytest.mark.usefixtures("fake_worker")
async def test_cancelled_closing_still_ends_processes(team: Workers) -> None:
    """The worker processes end even if `Workers.close` is cancelled."""
    await ask_fake(team, 0)
    await begin_review(team)
    pids = team.pids
    closing = asyncio.create_task(team.close())
    await asyncio.sleep(0)
    closing.cancel()
    await eventually(lambda: not any(map(is_process_alive, pids)))


@pytest.mark.usefixtures("fake_worker")
async def test_closed_teams_refuse_jobs() -> None:
    """While a team of workers is being closed and afterwards, it refuses jobs and starts no process."""
    before, team, unused = child_pids(), Workers(1), Workers(1)
    await ask_fake(team, 0)
    results = await asyncio.gather(ask_fake(team, 0), team.close(), ask_fake(team, 0), return_exceptions=True)
    assert [type(result) for result in results] == [ThinkerError, type(None), ThinkerError]
    await unused.close()
    for closed in (team, unused):
        closed.start()
        with pytest.raises(ThinkerError):
            await ask_fake(closed, 0)
        with pytest.raises(ThinkerError):
            await closed.card_luck(DISCARD_POSITION, seed=3)
        await asyncio.sleep(0.05)
        assert child_pids() == before


@pytest.mark.usefixtures("fake_worker")
async def test_closing_during_starts_leaves_no_process() -> None:
    """If a team of workers is closed while its processes are starting or being replaced, none is left running."""
    await close_after_delays(5)


@pytest.mark.nightly
async def test_closing_at_any_time_leaves_no_process() -> None:
    """If a team of workers is closed while processes are starting, loading or being replaced, none is left running."""
    await close_after_delays(30)


async def close_after_delays(count: int) -> None:
    """Start teams of workers in turn, close each after a different delay, and check that no process is left."""
    before = child_pids()
    for tick in range(count):
        team = Workers(2)
        jobs: list[asyncio.Task[Any]] = [asyncio.create_task(ask_fake(team, seed)) for seed in SEEDS]
        jobs.append(asyncio.create_task(team.card_luck(DISCARD_POSITION, seed=3)))
        for turn in range(tick):
            await asyncio.sleep(0.002 * (turn % 3))
        for pid in list(team.pids)[: tick % 3]:
            os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.001 * (tick % 4))
        await team.close()
        assert child_pids() == before
        assert all(
            isinstance(result, Move | ThinkerError) for result in await asyncio.gather(*jobs, return_exceptions=True)
        )


@pytest.mark.nightly
async def test_workers_exit_with_the_bot() -> None:
    """Workers exit when the bot dies, because their pipe closes."""
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", BOT, stdout=asyncio.subprocess.PIPE)
    assert bot.stdout is not None
    pids = [int(word) for word in (await bot.stdout.readline()).split()]
    assert len(pids) == 2
    os.kill(bot.pid, signal.SIGKILL)
    await bot.wait()
    await eventually(lambda: not any(map(is_process_alive, pids)))
