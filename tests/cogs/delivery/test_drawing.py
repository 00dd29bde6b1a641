"""The process that draws pictures."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.model.appearance import DEFAULT_APPEARANCE
from cardart import draw_hand, draw_table
from cogs.delivery import drawing
from cogs.delivery.drawing import DrawingProcess, NotDrawnError
from cogs.delivery.pictures import Pictures
from tests.cardart.pictures.test_table import PORTRAITS
from tests.cardart.views import public_views, seat_views
from tests.helpers.waiting import MAX_WAIT, eventually

pytestmark = pytest.mark.thorough


@asynccontextmanager
async def running() -> AsyncGenerator[DrawingProcess]:
    """Run a drawing process during the block, and wait until it is ready."""
    process = DrawingProcess()
    task = asyncio.create_task(process.run())
    try:
        await eventually(lambda: process.pid is not None)
        yield process
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def stop(process: DrawingProcess) -> int:
    """Stop a process, so that it answers no calls, and return its id."""
    pid = process.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    return pid


def environment_of(pid: int | None) -> str:
    """Return the environment variables of a process; empty where the system does not tell."""
    file = Path(f"/proc/{pid}/environ")
    return file.read_text(errors="replace") if file.exists() else ""


async def test_pictures_are_the_same_as_those_drawn_here() -> None:
    """The process draws the same pictures, also if several calls come at the same time."""
    views = seat_views(0)[:5]
    async with running() as process:
        hands = [process.draw(draw_hand, view, DEFAULT_APPEARANCE) for view in views]
        *drawn, table = await asyncio.gather(*hands, process.draw(draw_table, public_views(0)[0], PORTRAITS))
    assert [picture.picture for picture in drawn] == [draw_hand(view, DEFAULT_APPEARANCE) for view in views]
    assert table.picture == draw_table(public_views(0)[0], PORTRAITS)
    assert all(picture.seconds > 0 for picture in drawn)


async def test_errors_are_raised_for_the_caller_only() -> None:
    """A call that fails raises its error, and later calls are answered."""
    view = seat_views(0)[0]
    async with running() as process:
        pictures = Pictures(process=process)
        with pytest.raises(AttributeError):
            await pictures.draw("hand", draw_hand, None)  # pyright: ignore[reportArgumentType]
        assert await pictures.draw("hand", draw_hand, view, DEFAULT_APPEARANCE) == draw_hand(view)
        await pictures.close()


async def test_a_dead_process_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the process dies, pictures are drawn in a thread until a new process is ready."""
    monkeypatch.setattr(drawing, "START_PAUSE", 0.2)
    view = seat_views(0)[0]
    async with running() as process:
        pictures, killed = Pictures(process=process), stop(process)
        waiting = asyncio.create_task(pictures.draw("hand", draw_hand, view, DEFAULT_APPEARANCE))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        os.kill(killed, signal.SIGKILL)
        assert await waiting == draw_hand(view)
        assert process.pid is None
        with pytest.raises(NotDrawnError):
            await process.draw(draw_hand, view)
        await eventually(lambda: process.pid not in (None, killed))
        assert (await process.draw(draw_hand, view)).picture == draw_hand(view)
        await pictures.close()


async def test_a_hanging_process_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that does not answer is killed, and its picture is drawn in a thread."""
    monkeypatch.setattr(drawing, "TIMEOUT", 0.2)
    view = seat_views(0)[0]
    async with running() as process:
        pictures, stopped = Pictures(process=process), stop(process)
        async with asyncio.timeout(MAX_WAIT):
            assert await pictures.draw("hand", draw_hand, view, DEFAULT_APPEARANCE) == draw_hand(view)
        await eventually(lambda: process.pid != stopped)
        await pictures.close()


async def test_it_inherits_no_secrets_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process has no secrets in its environment, and ends with its owner."""
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    async with running() as process:
        pid = process.pid
        assert "DISCORD_TOKEN" not in environment_of(pid)
    assert process.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid or 0, 0)
