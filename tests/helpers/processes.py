"""The bot in its own process, as on a host."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import IO, Final

import pytest

from bot.sandbox import Sandbox, World
from tests.helpers.living import sandbox_of
from tests.helpers.waiting import MAX_WAIT

ROOT: Final = Path(__file__).parents[2]
BOT: Final = (sys.executable, "-m", "bot")
"""The command that runs the bot."""

IS_ROOT: Final = os.geteuid() == 0
ANOTHER_USER: Final = 65534
"""The id of a user that is not the user who runs the tests."""
_CAPABILITIES_VERSION: Final = 0x20080522
"""The version of Linux's capability structures: https://man7.org/linux/man-pages/man2/capget.2.html."""
_GET_SECUREBITS, _SET_SECUREBITS, _NO_SETUID_FIXUP = 27, 28, 4
"""Constants of `prctl`: https://man7.org/linux/man-pages/man7/capabilities.7.html"""


def unprivileged_prefix() -> list[str]:
    """Return a command prefix that makes file permissions apply to the command, even if the tests run as root.

    It does not switch to another user, who could not read root's Python or a checkout in root's home.
    """
    if not IS_ROOT:
        return []
    return ["setpriv", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]


@contextmanager
def unprivileged() -> Generator[None]:
    """During the block, make file permissions apply to this thread and threads that it starts, even for root."""
    if not IS_ROOT:
        yield
        return
    libc, header = ctypes.CDLL(None, use_errno=True), (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    before, none = (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    _check(libc.capget(header, before))
    # Each half of the array has one word for each set: effective, permitted, inheritable. Clear only the effective set.
    none[:] = [0, *before[1:3], 0, *before[4:6]]
    securebits = _check(libc.prctl(_GET_SECUREBITS))
    # Without `_NO_SETUID_FIXUP`, the system call `access` would still use root's permitted capabilities.
    _check(libc.prctl(_SET_SECUREBITS, securebits | _NO_SETUID_FIXUP))
    _check(libc.capset(header, none))
    try:
        yield
    finally:
        _check(libc.capset(header, before))
        _check(libc.prctl(_SET_SECUREBITS, securebits))


def _check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can make files of another user")


def settings_for(sandbox: Sandbox) -> dict[str, str]:
    """Return the environment variables with which a bot's process connects to a sandbox."""
    return {
        "DISCORD_TOKEN": sandbox.token,
        "DEADWOOD_DISCORD_API": sandbox.api,
        "DEADWOOD_DISCORD_GATEWAY": sandbox.gateway_url,
    }


@asynccontextmanager
async def sandbox_for_processes(world: World | None = None) -> AsyncGenerator[Sandbox]:
    """Run a sandbox for bots in other processes, with a running clock and a long timeout for answers.

    Those bots compare the time in each interaction's id with their own clock. If the sandbox's clock were stopped, each
    interaction would seem older than the previous one, and finally too old to be answered.
    """
    async with sandbox_of(world or World.default()) as sandbox:
        sandbox.interactions.response_timeout = MAX_WAIT
        yield sandbox


@asynccontextmanager
async def started(
    directory: Path, command: Sequence[str], environment: dict[str, str] | None = None, output: int | IO[bytes] = PIPE
) -> AsyncGenerator[Process]:
    """Run a command in a directory during the block, with a minimal environment. Kill it at the end if necessary."""
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
async def running_bot_process(sandbox: Sandbox, directory: Path, log: Path) -> AsyncGenerator[Process]:
    """Run the bot in its own process during the block. `directory` holds the database, `log` receives the output.

    Raises:
        AssertionError: the bot exited early, or with an exit code other than 0.
    """
    with log.open("ab") as out:
        async with started(directory, [*BOT, "run"], settings_for(sandbox), out) as process:
            await sandbox.ready(60)
            yield process
            assert process.returncode is None, "the bot exited early"
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0


def is_process_alive(pid: int) -> bool:
    """Return True if a process exists. This includes zombies."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def child_pids() -> set[int]:
    """Return this process's children, including zombies."""
    found = set[int]()
    for children in Path("/proc/self/task").glob("*/children"):
        # The thread may have ended since it was listed.
        with suppress(FileNotFoundError):
            found.update(map(int, children.read_text().split()))
    return found


def process_and_children(pid: int) -> list[int]:
    """Return a process and its children."""
    pids = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError):
            pids += [int(child) for child in task.read_text().split()]
    return pids


def memory_mb(process: Process) -> float:
    """Return a process's memory in MB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024
