"""The worker processes of the computer player."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot import worker_process, workers
from bot.engine.moves import Move
from bot.engine.views import Phase
from bot.opponent.choosing import advise, choose
from bot.opponent.fortune import fortune
from bot.opponent.judge import trained
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.reviews import Weighed
from bot.opponent.simulation import weigh
from bot.play.matches.thinker import ThinkerError
from bot.worker_process import NICENESS, PATIENCE, WorkerProcess
from bot.workers import Workers
from tests.helpers.processes import children, runs
from tests.helpers.waiting import eventually
from tests.opponent.helpers import RESEARCH, copy_without_weights, positions

pytestmark = pytest.mark.slow

BOT = """
import asyncio
from bot.workers import Workers

async def main():
    team = Workers(2)
    team.start()
    while len(team.pids) < 2:
        await asyncio.sleep(0.01)
    print(*team.pids, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""
"""A bot that does nothing but think."""

ASKED = [position for *_, position in positions(RESEARCH, 2, "workers", most=12)]
DISCARDING = next(one for one in ASKED if one.phase is Phase.DISCARD)


@pytest.fixture
async def team() -> AsyncIterator[Workers]:
    """Return two workers."""
    team = Workers(2)
    yield team
    await team.close()
    assert not team.pids


def chosen(position: Position) -> Move:
    """Return the move that the computer player makes in this process."""
    (move,) = choose(trained(), Level.EXPERT, [position], [7])
    return move


async def ask(team: Workers, position: Position) -> Move:
    """Return the move that a worker makes."""
    return await team.move(position, Level.EXPERT, seed=7)


async def test_they_make_the_moves_that_the_player_makes(team: Workers) -> None:
    """Whichever process is asked, and in whatever order, the move is the same as here."""
    asked = Random(1).sample(ASKED, len(ASKED))
    assert await asyncio.gather(*(ask(team, one) for one in asked)) == [chosen(one) for one in asked]
    assert len(team.pids) == 2


async def test_they_advise_and_review_as_the_player_does(team: Workers) -> None:
    """Whatever is asked, the answer is the same as here."""
    played = DISCARDING.moves[0]
    advice, here = await team.advise(DISCARDING), advise(trained(), DISCARDING)
    assert [one.move for one in advice] == [one.move for one in here]
    weighed = await team.weigh(DISCARDING, played, 4, seed=3)
    expected = weigh(trained(), DISCARDING, played, 4, seed=3)
    assert [(one.advised.move, one.worths) for one in weighed] == [(one.advised.move, one.worths) for one in expected]
    assert await team.fortune(DISCARDING, seed=3) == fortune(trained(), DISCARDING, seed=3)


async def test_they_do_not_know_the_token(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the bot's settings is in their environment."""
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    await ask(team, ASKED[0])
    for pid in team.pids:
        environment = await asyncio.to_thread(Path(f"/proc/{pid}/environ").read_bytes)
        assert b"PATH=" in environment
        assert b"secret" not in environment


async def test_they_are_nice(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """They leave the processor to everything else."""
    monkeypatch.setattr(worker_process, "NICENESS", NICENESS)
    await ask(team, ASKED[0])
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in team.pids} == {NICENESS}


async def test_a_worker_that_dies_is_replaced_and_its_job_done_again(team: Workers) -> None:
    """Nobody who waits hears of it."""
    await ask(team, ASKED[0])
    for _ in range(3):
        jobs = [asyncio.create_task(ask(team, one)) for one in ASKED]
        await asyncio.sleep(0.002)
        for pid in team.pids:
            os.kill(pid, signal.SIGKILL)
        assert await asyncio.gather(*jobs) == [chosen(one) for one in ASKED]


async def test_a_worker_that_is_stuck_is_replaced() -> None:
    """It is given some seconds."""
    team = Workers(1, patience=2.0)
    await ask(team, ASKED[0])
    (stuck,) = team.pids
    os.kill(stuck, signal.SIGSTOP)
    assert await ask(team, ASKED[1]) == chosen(ASKED[1])
    assert stuck not in team.pids
    await team.close()


async def test_what_a_stuck_worker_was_asked_besides_loses_no_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be done, though the job that the worker is stuck with is not tried again."""
    monkeypatch.setattr(workers, "TRIES", 1)
    team = Workers(1, patience=2.0)
    await ask(team, ASKED[0])
    (stuck,) = team.pids
    os.kill(stuck, signal.SIGSTOP)
    review = asyncio.create_task(team.fortune(DISCARDING, seed=3))
    await asyncio.sleep(0.5)
    move = asyncio.create_task(ask(team, ASKED[1]))
    with pytest.raises(ThinkerError):
        await review
    assert await move == chosen(ASKED[1])
    await team.close()


async def test_a_job_that_kills_every_worker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one is done again by a healthy worker."""
    team = Workers(1)
    monkeypatch.setattr(worker_process, "MODULE", "this")
    with pytest.raises(ThinkerError):
        await ask(team, ASKED[0])
    monkeypatch.undo()
    assert await ask(team, ASKED[0]) == chosen(ASKED[0])
    await team.close()


async def test_without_weights_jobs_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each worker ends at once, and nobody waits until it would be taken for stuck."""
    copy_without_weights(tmp_path)
    team = Workers(1)
    with monkeypatch.context() as patch:
        patch.chdir(tmp_path)
        with pytest.raises(ThinkerError):
            async with asyncio.timeout(PATIENCE / 2):
                await ask(team, ASKED[0])
    assert await ask(team, ASKED[0]) == chosen(ASKED[0])
    await team.close()


async def test_jobs_are_given_up_while_no_worker_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at once, for that may pass soon, and once it has passed the next job is done."""
    monkeypatch.setattr(workers, "START_PAUSE", 0.1)
    team, loop = Workers(2), asyncio.get_running_loop()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        begun = loop.time()
        results = await asyncio.gather(*(ask(team, one) for one in ASKED[:4]), return_exceptions=True)
        assert [type(result) for result in results] == [ThinkerError] * 4
        assert loop.time() - begun > workers.TRIES * 0.1
        assert not team.pids
    assert await ask(team, ASKED[0]) == chosen(ASKED[0])
    await team.close()


async def test_a_fault_of_ours_costs_one_job(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for it is told, and the next one is done."""

    async def fail(*_: object) -> dict[str, Any]:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(WorkerProcess, "ask", fail)
        results = await asyncio.gather(*(ask(team, one) for one in ASKED), return_exceptions=True)
        assert [type(result) for result in results] == [ThinkerError] * len(ASKED)
    assert await ask(team, ASKED[0]) == chosen(ASKED[0])


async def test_a_job_that_nobody_waits_for_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """The jobs before and after it are done."""
    team, begun, really_ask = Workers(1), list[int](), WorkerProcess.ask

    async def note(process: WorkerProcess, number: int, job: bytes) -> dict[str, Any]:
        begun.append(number)
        return await really_ask(process, number, job)

    monkeypatch.setattr(WorkerProcess, "ask", note)
    jobs = [asyncio.create_task(ask(team, one)) for one in ASKED[:4]]
    await eventually(lambda: begun == [0], 10)
    jobs[0].cancel()
    jobs[2].cancel()
    assert [await jobs[1], await jobs[3]] == [chosen(ASKED[1]), chosen(ASKED[3])]
    assert begun == [0, 1, 3]
    await team.close()


async def test_what_cannot_be_judged_is_refused(team: Workers) -> None:
    """The worker lives on."""
    await ask(team, ASKED[0])
    before = team.pids
    with pytest.raises(ThinkerError):
        await team.move(ASKED[0], "champion", seed=1)  # type: ignore[arg-type]
    assert await ask(team, ASKED[1]) == chosen(ASKED[1])
    assert team.pids == before


async def test_the_queue_is_bounded(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would wait too long is refused at once."""
    monkeypatch.setattr(workers, "QUEUED", 3)
    jobs = [asyncio.create_task(ask(team, one)) for one in ASKED[:3]]
    await asyncio.sleep(0)
    with pytest.raises(ThinkerError):
        await ask(team, ASKED[4])
    assert await asyncio.gather(*jobs) == [chosen(one) for one in ASKED[:3]]


async def test_a_move_does_not_wait_for_a_review() -> None:
    """The process that reviews makes it in between, and the review comes out the same."""
    team, order, moves = Workers(1), list[str](), [chosen(one) for one in ASKED]

    async def review() -> tuple[Weighed, ...]:
        weighed = await team.weigh(DISCARDING, DISCARDING.moves[0], 128, seed=3)
        order.append("review")
        return weighed

    await ask(team, ASKED[0])
    reviews = [asyncio.create_task(review()) for _ in range(2)]
    await asyncio.sleep(0.01)
    for one, move in zip(ASKED, moves, strict=True):
        assert await ask(team, one) == move
        order.append("move")
    # How many come before it ends depends on how busy the machine is; otherwise none would.
    assert order[:3] == ["move"] * 3
    undisturbed = await team.weigh(DISCARDING, DISCARDING.moves[0], 128, seed=3)
    assert await asyncio.gather(*reviews) == [undisturbed] * 2
    await team.close()


async def test_closing_drops_what_is_worked_on_and_what_waits(team: Workers) -> None:
    """Whoever waits is told that it is over, and no process is left."""
    await ask(team, ASKED[0])
    pids = team.pids
    reviews = [asyncio.create_task(team.weigh(DISCARDING, DISCARDING.moves[0], 128, seed=3)) for _ in range(3)]
    moves = [asyncio.create_task(ask(team, one)) for one in ASKED]
    # Each of the workers has one review by then, and the first moves are made.
    await asyncio.wait(moves, return_when=asyncio.FIRST_COMPLETED)
    await team.close()
    assert not any(map(runs, pids))
    for review in reviews:
        with pytest.raises(ThinkerError):
            await review
    assert isinstance((await asyncio.gather(*moves, return_exceptions=True))[-1], ThinkerError)


async def test_closing_is_not_undone_by_breaking_it_off(team: Workers) -> None:
    """The processes end although nobody waits for that."""
    await ask(team, ASKED[0])
    pids = team.pids
    closing = asyncio.create_task(team.close())
    await asyncio.sleep(0)
    closing.cancel()
    await eventually(lambda: not any(map(runs, pids)), 10)


async def test_nothing_is_begun_once_they_are_closed() -> None:
    """A job is refused, and so is one that is asked while they are being closed."""
    before, team, unused = children(), Workers(1), Workers(1)
    await ask(team, ASKED[0])
    results = await asyncio.gather(ask(team, ASKED[0]), team.close(), ask(team, ASKED[0]), return_exceptions=True)
    assert [type(result) for result in results] == [ThinkerError, type(None), ThinkerError]
    await unused.close()
    for closed in (team, unused):
        closed.start()
        with pytest.raises(ThinkerError):
            await ask(closed, ASKED[0])
        await asyncio.sleep(0.05)
        assert children() == before


async def test_closing_at_any_moment_leaves_nothing_running() -> None:
    """While processes begin, load, or are replaced."""
    before = children()
    for tick in range(30):
        team = Workers(2)
        jobs = [asyncio.create_task(ask(team, one)) for one in ASKED]
        for turn in range(tick):
            await asyncio.sleep(0.002 * (turn % 3))
        for pid in list(team.pids)[: tick % 3]:
            os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.001 * (tick % 4))
        await team.close()
        assert children() == before
        assert all(isinstance(one, Move | ThinkerError) for one in await asyncio.gather(*jobs, return_exceptions=True))


async def test_they_end_with_the_bot() -> None:
    """However it ends: the pipe to them closes."""
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", BOT, stdout=asyncio.subprocess.PIPE)
    assert bot.stdout is not None
    pids = [int(word) for word in (await bot.stdout.readline()).split()]
    assert len(pids) == 2
    os.kill(bot.pid, signal.SIGKILL)
    await bot.wait()
    await eventually(lambda: not any(map(runs, pids)), 10)
