"""The worker processes of the computer player."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot import worker_process, workers
from bot.engine.moves import Move
from bot.engine.views import Phase
from bot.opponent.choosing import choose
from bot.opponent.judge import trained
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.reviews import Weighed
from bot.opponent.worker import NICENESS
from bot.play.matches.thinker import ThinkerError
from bot.workers import Workers
from tests.helpers.waiting import eventually
from tests.opponent.helpers import RESEARCH, positions

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


async def test_they_do_not_know_the_token(team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the bot's settings is in their environment."""
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    await ask(team, ASKED[0])
    for pid in team.pids:
        environment = await asyncio.to_thread(Path(f"/proc/{pid}/environ").read_bytes)
        assert b"PATH=" in environment
        assert b"secret" not in environment


async def test_they_are_nice(team: Workers) -> None:
    """They leave the processor to everything else."""
    await ask(team, ASKED[0])
    await eventually(lambda: all(os.getpriority(os.PRIO_PROCESS, pid) == NICENESS for pid in team.pids), 10)


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


async def test_a_job_that_kills_every_worker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one is done again by a healthy worker."""
    team = Workers(1)
    monkeypatch.setattr(worker_process, "MODULE", "this")
    with pytest.raises(ThinkerError):
        await ask(team, ASKED[0])
    monkeypatch.undo()
    assert await ask(team, ASKED[0]) == chosen(ASKED[0])
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
    team, order = Workers(1), list[str]()
    position = next(one for one in ASKED if one.phase is Phase.DISCARD)

    async def review() -> tuple[Weighed, ...]:
        weighed = await team.weigh(position, position.moves[0], 64, seed=3)
        order.append("review")
        return weighed

    await ask(team, ASKED[0])
    reviews = [asyncio.create_task(review()) for _ in range(2)]
    await asyncio.sleep(0.01)
    for one in ASKED:
        assert await ask(team, one) == chosen(one)
        order.append("move")
    assert order[:10] == ["move"] * 10
    undisturbed = await team.weigh(position, position.moves[0], 64, seed=3)
    assert await asyncio.gather(*reviews) == [undisturbed] * 2
    await team.close()


async def test_closing_drops_what_waits(team: Workers) -> None:
    """Whoever waits is told that it is over."""
    jobs = [asyncio.create_task(ask(team, one)) for one in ASKED]
    await asyncio.sleep(0)
    await team.close()
    for job in jobs:
        with pytest.raises(ThinkerError):
            await job


async def test_they_end_with_the_bot() -> None:
    """However it ends: the pipe to them closes."""
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", BOT, stdout=asyncio.subprocess.PIPE)
    assert bot.stdout is not None
    pids = [int(word) for word in (await bot.stdout.readline()).split()]
    assert len(pids) == 2
    os.kill(bot.pid, signal.SIGKILL)
    await bot.wait()
    await eventually(lambda: not any(map(_runs, pids)), 10)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
