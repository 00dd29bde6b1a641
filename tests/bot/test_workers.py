"""The worker processes of the computer player."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from bot import worker_process, workers
from bot.engine.cards import Card
from bot.engine.moves import Move, discard
from bot.engine.views import Phase
from bot.opponent.choosing import advise, choose
from bot.opponent.fortune import fortune
from bot.opponent.judge import trained
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.simulation import weigh
from bot.play.matches.thinker import ThinkerError
from bot.worker_process import NICENESS, WorkerProcess
from bot.workers import Workers
from tests.helpers.processes import children, runs
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.opponent.helpers import RESEARCH, copy_without_weights, positions

BOT: Final = """
import asyncio
from bot.workers import Workers

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
PRETENDER: Final = """
import json, sys
for line in sys.stdin:
    job = json.loads(line)
    if job["do"] == "move":
        print(json.dumps({"job": job["job"], "move": f"x {'A23456789TJQK'[job['seed']]}c"}), flush=True)
"""
"""A fake worker that starts quickly, answers a move with the club that its seed selects, and never ends a review."""

ASKED: Final = [position for *_, position in positions(RESEARCH, 2, "workers", most=12)]
DISCARDING: Final = next(one for one in ASKED if one.phase is Phase.DISCARD)
SEEDS: Final = range(13)


@pytest.fixture
def pretending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the worker with a fast fake, for tests in which the moves do not matter."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker_process, "MODULE", "pretender")
    (tmp_path / "pretender.py").write_text(PRETENDER)


@pytest.fixture
async def team() -> AsyncIterator[Workers]:
    """Return a team of two workers."""
    team = Workers(2)
    yield team
    await team.close()
    assert not team.pids


def chosen(position: Position) -> Move:
    """Return the move that the computer player chooses in this process."""
    (move,) = choose(trained(), Level.EXPERT, [position], [7])
    return move


async def ask(team: Workers, position: Position) -> Move:
    """Return the move that a worker chooses."""
    return await team.move(position, Level.EXPERT, seed=7)


async def ask_for(team: Workers, seed: int) -> Move:
    """Return a fake worker's answer."""
    return await team.move(ASKED[0], Level.EXPERT, seed)


def answer(seed: int) -> Move:
    """Return the expected answer of a fake worker."""
    return discard(Card.parse(f"{'A23456789TJQK'[seed]}c"))


@pytest.mark.thorough
async def test_they_make_the_moves_that_the_player_makes(team: Workers) -> None:
    """Workers choose the same moves as the player in this process, in any order."""
    asked = Random(1).sample(ASKED, len(ASKED))
    assert await asyncio.gather(*(ask(team, one) for one in asked)) == [chosen(one) for one in asked]
    assert len(team.pids) == 2


@pytest.mark.thorough
async def test_they_advise_and_review_as_the_player_does() -> None:
    """Advice and reviews match the player in this process. An invalid request is refused without ending the worker."""
    team, played = Workers(1), DISCARDING.moves[0]
    advice, here = await team.advise(DISCARDING), advise(trained(), DISCARDING)
    assert [one.move for one in advice] == [one.move for one in here]
    before = team.pids
    with pytest.raises(ThinkerError):
        await team.move(ASKED[0], "champion", seed=1)  # type: ignore[arg-type]
    weighed = await team.weigh(DISCARDING, played, 4, seed=3)
    expected = weigh(trained(), DISCARDING, played, 4, seed=3)
    assert [(one.advised.move, one.worths) for one in weighed] == [(one.advised.move, one.worths) for one in expected]
    assert await team.fortune(DISCARDING, seed=3) == fortune(trained(), DISCARDING, seed=3)
    assert team.pids == before
    await team.close()


@pytest.mark.usefixtures("pretending")
async def test_they_are_nice(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers run at low priority."""
    monkeypatch.setattr(worker_process, "NICENESS", NICENESS)
    await ask_for(team, 0)
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in team.pids} == {NICENESS}


@pytest.mark.usefixtures("pretending")
async def test_a_worker_that_dies_is_replaced_and_its_job_done_again(team: Workers) -> None:
    """If a worker dies, it is replaced and its jobs are repeated, without an error for the callers."""
    for _ in range(3):
        jobs = [asyncio.create_task(ask_for(team, seed)) for seed in SEEDS]
        await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        for pid in team.pids:
            os.kill(pid, signal.SIGKILL)
        assert await asyncio.gather(*jobs) == list(map(answer, SEEDS))


@asynccontextmanager
async def stuck(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[tuple[Workers, WorkerProcess]]:
    """Yield a worker with a stopped process and a short timeout. The replacement process has a long timeout."""
    team = Workers(1, patience=MAX_WAIT)
    (process,), life = team._processes, worker_process._Life  # pyright: ignore[reportPrivateUsage]
    await ask_for(team, 0)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    kill = life.kill

    def kill_and_be_patient(one: worker_process._Life) -> None:  # pyright: ignore[reportPrivateUsage]
        monkeypatch.setattr(process, "_patience", MAX_WAIT)
        kill(one)

    monkeypatch.setattr(life, "kill", kill_and_be_patient)
    monkeypatch.setattr(process, "_patience", 0.2)
    yield team, process
    await team.close()


@pytest.mark.usefixtures("pretending")
async def test_a_worker_that_is_stuck_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stuck worker is replaced after a timeout."""
    async with stuck(monkeypatch) as (team, process):
        before = process.pid
        assert await ask_for(team, 5) == answer(5)
        assert process.pid not in (None, before)


@pytest.mark.usefixtures("pretending")
async def test_what_a_stuck_worker_was_asked_besides_loses_no_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that shares a worker with a stuck job does not use up a try."""
    monkeypatch.setattr(workers, "TRIES", 1)
    async with stuck(monkeypatch) as (team, process):
        begun, really_ask = asyncio.Event(), WorkerProcess.ask

        async def note(one: WorkerProcess, number: int, job: bytes) -> dict[str, Any]:
            begun.set()
            return await really_ask(one, number, job)

        monkeypatch.setattr(WorkerProcess, "ask", note)
        review = asyncio.create_task(team.fortune(DISCARDING, seed=3))
        await begun.wait()
        await asyncio.sleep(0)
        # Only the review times out.
        monkeypatch.setattr(process, "_patience", MAX_WAIT)
        move = asyncio.create_task(ask_for(team, 5))
        with pytest.raises(ThinkerError):
            await review
        assert await move == answer(5)


@pytest.mark.usefixtures("pretending")
async def test_a_job_that_kills_every_worker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that kills every worker fails. A healthy worker does the next job."""
    team = Workers(1)
    with monkeypatch.context() as patch:
        patch.setattr(worker_process, "MODULE", "this")
        with pytest.raises(ThinkerError):
            await ask_for(team, 0)
    assert await ask_for(team, 0) == answer(0)
    await team.close()


@pytest.mark.thorough
async def test_without_weights_jobs_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without weights, each worker exits immediately, and the job fails without waiting for a timeout."""
    copy_without_weights(tmp_path)
    team, deaths = Workers(1, patience=10 * MAX_WAIT), list[BaseException]()
    really_ask = WorkerProcess.ask

    async def note(process: WorkerProcess, number: int, job: bytes) -> dict[str, Any]:
        try:
            return await really_ask(process, number, job)
        except EOFError as error:
            deaths.append(error)
            raise

    monkeypatch.setattr(workers, "TRIES", 2)
    monkeypatch.setattr(WorkerProcess, "ask", note)
    monkeypatch.chdir(tmp_path)
    async with asyncio.timeout(MAX_WAIT):
        with pytest.raises(ThinkerError):
            await ask(team, ASKED[0])
    assert len(deaths) == workers.TRIES
    await team.close()


@pytest.mark.usefixtures("pretending")
async def test_jobs_are_given_up_while_no_worker_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no worker can be started, jobs fail after several tries. Later jobs succeed once workers start again."""
    monkeypatch.setattr(workers, "START_PAUSE", 0.1)
    team, loop = Workers(2), asyncio.get_running_loop()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        begun = loop.time()
        results = await asyncio.gather(*(ask_for(team, seed) for seed in range(4)), return_exceptions=True)
        assert [type(result) for result in results] == [ThinkerError] * 4
        assert loop.time() - begun > workers.TRIES * 0.1
        assert not team.pids
    assert await ask_for(team, 0) == answer(0)
    await team.close()


@pytest.mark.usefixtures("pretending")
async def test_a_fault_of_ours_costs_one_job(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug fails only its own job."""

    async def fail(*_: object) -> dict[str, Any]:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(WorkerProcess, "ask", fail)
        results = await asyncio.gather(*(ask_for(team, seed) for seed in SEEDS), return_exceptions=True)
        assert [type(result) for result in results] == [ThinkerError] * len(SEEDS)
    assert await ask_for(team, 0) == answer(0)


@pytest.mark.usefixtures("pretending")
async def test_a_job_that_nobody_waits_for_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cancelled job is not started, and the jobs around it are done."""
    team, begun, released, really_ask = Workers(1), list[int](), asyncio.Event(), WorkerProcess.ask

    async def note(process: WorkerProcess, number: int, job: bytes) -> dict[str, Any]:
        begun.append(number)
        await released.wait()
        return await really_ask(process, number, job)

    monkeypatch.setattr(WorkerProcess, "ask", note)
    jobs = [asyncio.create_task(ask_for(team, seed)) for seed in range(4)]
    await eventually(lambda: begun == [0])
    jobs[0].cancel()
    jobs[2].cancel()
    released.set()
    assert [await jobs[1], await jobs[3]] == [answer(1), answer(3)]
    assert begun == [0, 1, 3]
    await team.close()


@pytest.mark.usefixtures("pretending")
async def test_the_queue_is_bounded(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job beyond the queue's limit is refused immediately."""
    monkeypatch.setattr(workers, "QUEUED", 3)
    jobs = [asyncio.create_task(ask_for(team, seed)) for seed in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(ThinkerError):
        await ask_for(team, 4)
    assert await asyncio.gather(*jobs) == [answer(seed) for seed in range(3)]


@pytest.mark.thorough
async def test_a_move_does_not_wait_for_a_review() -> None:
    """A process makes moves during a review, whose result is unchanged."""
    team, order = Workers(1), list[str]()
    weigh_here = partial(team.weigh, DISCARDING, DISCARDING.moves[0], 64, seed=3)
    undisturbed = await weigh_here()
    review = asyncio.create_task(weigh_here())
    review.add_done_callback(lambda _: order.append("review"))
    await asyncio.sleep(0)
    for one in ASKED[:3]:
        assert await ask(team, one) == chosen(one)
        order.append("move")
    # All three moves finish before the review does. Otherwise none would.
    assert await review == undisturbed
    assert order[:3] == ["move"] * 3
    await team.close()


@pytest.mark.usefixtures("pretending")
async def test_closing_drops_what_is_worked_on_and_what_waits(team: Workers) -> None:
    """Closing fails running and queued jobs, and leaves no process."""
    await ask_for(team, 0)
    pids = team.pids
    reviews = [asyncio.create_task(team.fortune(DISCARDING, seed=3)) for _ in range(3)]
    moves = [asyncio.create_task(ask_for(team, seed)) for seed in SEEDS]
    # By then, each worker has one review, and the first moves are done.
    await asyncio.wait(moves, return_when=asyncio.FIRST_COMPLETED)
    await team.close()
    assert not any(map(runs, pids))
    for review in reviews:
        with pytest.raises(ThinkerError):
            await review
    assert isinstance((await asyncio.gather(*moves, return_exceptions=True))[-1], ThinkerError)


@pytest.mark.usefixtures("pretending")
async def test_closing_is_not_undone_by_breaking_it_off(team: Workers) -> None:
    """The processes end even if closing is cancelled."""
    await ask_for(team, 0)
    pids = team.pids
    closing = asyncio.create_task(team.close())
    await asyncio.sleep(0)
    closing.cancel()
    await eventually(lambda: not any(map(runs, pids)))


@pytest.mark.usefixtures("pretending")
async def test_nothing_is_begun_once_they_are_closed() -> None:
    """After or during closing, jobs are refused and no process starts."""
    before, team, unused = children(), Workers(1), Workers(1)
    await ask_for(team, 0)
    results = await asyncio.gather(ask_for(team, 0), team.close(), ask_for(team, 0), return_exceptions=True)
    assert [type(result) for result in results] == [ThinkerError, type(None), ThinkerError]
    await unused.close()
    for closed in (team, unused):
        closed.start()
        with pytest.raises(ThinkerError):
            await ask_for(closed, 0)
        await asyncio.sleep(0.05)
        assert children() == before


@pytest.mark.usefixtures("pretending")
async def test_closing_while_processes_begin_leaves_nothing_running() -> None:
    """Closing while processes start or are replaced leaves none running."""
    await close_at_moments(5)


@pytest.mark.nightly
async def test_closing_at_any_moment_leaves_nothing_running() -> None:
    """Closing while processes start, load or are replaced leaves none running."""
    await close_at_moments(30)


async def close_at_moments(moments: int) -> None:
    """Start and close teams, each after a slightly longer delay, and check that no process is left."""
    before = children()
    for tick in range(moments):
        team = Workers(2)
        jobs = [asyncio.create_task(ask_for(team, seed)) for seed in SEEDS]
        for turn in range(tick):
            await asyncio.sleep(0.002 * (turn % 3))
        for pid in list(team.pids)[: tick % 3]:
            os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.001 * (tick % 4))
        await team.close()
        assert children() == before
        assert all(isinstance(one, Move | ThinkerError) for one in await asyncio.gather(*jobs, return_exceptions=True))


@pytest.mark.thorough
async def test_they_end_with_the_bot() -> None:
    """Workers exit when the bot dies, because their pipe closes."""
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", BOT, stdout=asyncio.subprocess.PIPE)
    assert bot.stdout is not None
    pids = [int(word) for word in (await bot.stdout.readline()).split()]
    assert len(pids) == 2
    os.kill(bot.pid, signal.SIGKILL)
    await bot.wait()
    await eventually(lambda: not any(map(runs, pids)))
