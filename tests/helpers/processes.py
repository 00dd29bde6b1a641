"""The bot as a process of its own, as a host runs it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Final

from bot.sandbox import Sandbox

ROOT: Final = Path(__file__).parents[2]
BOT: Final = (sys.executable, "-m", "bot")
"""The command that runs the bot."""


def settings_for(sandbox: Sandbox) -> dict[str, str]:
    """Return the settings with which a bot connects to a sandbox."""
    return {
        "DISCORD_TOKEN": sandbox.token,
        "DEADWOOD_DISCORD_API": sandbox.api,
        "DEADWOOD_DISCORD_GATEWAY": sandbox.gateway_url,
    }


@asynccontextmanager
async def started(
    directory: Path, command: Sequence[str], environment: dict[str, str] | None = None, output: int | IO[bytes] = PIPE
) -> AsyncGenerator[Process]:
    """Start a command in a directory, with nothing set but this, and kill it at the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=directory,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)} | (environment or {}),
        stdout=output,
        stderr=output,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def hosted(sandbox: Sandbox, directory: Path, log: Path) -> AsyncGenerator[Process]:
    """Run the bot in a directory, on the database there, until the block ends. It writes to a log.

    Raises:
        AssertionError: it ended before that, or not with exit code 0.
    """
    with log.open("ab") as out:
        async with started(directory, [*BOT, "run"], settings_for(sandbox), out) as process:
            await sandbox.ready(60)
            yield process
            assert process.returncode is None, "the bot ended by itself"
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0


def runs(pid: int) -> bool:
    """Return whether a process runs, or has ended and nobody has asked how."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def children() -> set[int]:
    """Return the processes that this one has started and that run, or have ended and nobody has asked how."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for one in lists for pid in one.read_text().split()}


def memory(process: Process) -> float:
    """Return how much memory a process uses, in MB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024
