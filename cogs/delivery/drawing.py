"""The process that draws pictures, so that drawing takes no time from the event loop: started again when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import structlog

from bot.child_processes import child_environment, kill, kill_and_wait
from cardart import Picture
from cardart.drawing_process import LENGTH_BYTES, Drawn, frame

log = structlog.get_logger(__name__)

MODULE: Final = "cardart"
TIMEOUT: Final = 20.0
"""Time after which a picture is given up and the process is killed, in seconds."""
START_PAUSE: Final = 1.0
"""Pause before a new process replaces one that has died, in seconds."""


class NotDrawnError(Exception):
    """The process cannot draw a picture now: it is not running, or has died."""


class DrawingProcess:
    """A process that draws one picture after the other, while `run` is running."""

    def __init__(self) -> None:
        self._process: Process | None = None
        """The process, if it is ready."""
        self._calls = deque[asyncio.Future[Drawn]]()

    @property
    def pid(self) -> int | None:
        """The id of the process; None if it is not ready."""
        return None if self._process is None else self._process.pid

    async def draw(self, draw: Callable[..., Picture], *arguments: Any) -> Drawn:
        """Call a function of `cardart`, and return its picture or the error that it raised.

        Raise `NotDrawnError` if the process cannot draw.
        """
        if self._process is None:
            raise NotDrawnError
        process, answer = self._process, asyncio.get_running_loop().create_future()
        call = frame((draw, arguments))
        self._calls.append(answer)
        assert process.stdin is not None
        process.stdin.write(call)
        try:
            async with asyncio.timeout(TIMEOUT):
                return await answer
        except TimeoutError:
            log.warning("a drawing process hangs")
            kill(process)
            raise NotDrawnError from None

    async def run(self) -> None:
        """Keep a process running until cancelled."""
        while True:
            try:
                # A drawing process needs no environment variables of the bot, which may contain secrets.
                process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, env=child_environment()
                )
            except OSError as error:
                log.warning("a drawing process cannot be started", error=str(error))
            else:
                try:
                    await self._read_answers(process)
                finally:
                    await self._end(process)
                log.warning("a drawing process is replaced", exit_code=process.returncode)
            await asyncio.sleep(START_PAUSE)

    async def _read_answers(self, process: Process) -> None:
        """Read answers until the process ends or sends anything else."""
        with contextlib.suppress(asyncio.IncompleteReadError, OSError, pickle.UnpicklingError):
            await _read(process)
            self._process = process
            while isinstance(drawn := await _read(process), Drawn):
                answer = self._calls.popleft()
                # The caller may have been cancelled.
                if not answer.done():
                    answer.set_result(drawn)

    async def _end(self, process: Process) -> None:
        """Kill a process, and let the calls that it has not answered fail."""
        self._process = None
        for answer in self._calls:
            if not answer.done():
                answer.set_exception(NotDrawnError())
        self._calls.clear()
        await kill_and_wait(process)


async def _read(process: Process) -> object:
    assert process.stdout is not None
    length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES))
    return pickle.loads(await process.stdout.readexactly(length))
