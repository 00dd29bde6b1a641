"""Child processes: the environment variables that they inherit, and their end.

The bot's environment may hold secrets of its host under any name. So only the variables that a Python process needs
are inherited.
"""

from __future__ import annotations

import os
import signal
from asyncio.subprocess import Process
from collections.abc import Generator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import Final

INHERITED_VARIABLES: Final = frozenset(
    (
        # Variables that say where programs, libraries and files are.
        *("PATH", "HOME", "TMPDIR", "TEMP", "TMP", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH"),
        # Variables that set the language and the time zone.
        *(
            "LANG",
            "LANGUAGE",
            "LC_ALL",
            "LC_COLLATE",
            "LC_CTYPE",
            "LC_MESSAGES",
            "LC_MONETARY",
            "LC_NUMERIC",
            "LC_TIME",
        ),
        "TZ",
        # Variables that configure Python.
        *("PYTHONPATH", "PYTHONHOME", "PYTHONSAFEPATH", "PYTHONUSERBASE", "PYTHONNOUSERSITE", "PYTHONPLATLIBDIR"),
        *("PYTHONUTF8", "PYTHONIOENCODING", "PYTHONCOERCECLOCALE", "PYTHONUNBUFFERED", "PYTHONHASHSEED"),
        *("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONOPTIMIZE", "PYTHONWARNINGS", "PYTHONDEVMODE"),
        *("PYTHONFAULTHANDLER", "PYTHONMALLOC", "PYTHONTRACEMALLOC"),
        # Variables that configure the memory allocator, and the threads and CPU instructions that numpy uses.
        *("MALLOC_ARENA_MAX", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_CORETYPE"),
        *("NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES"),
        # Variables for measuring test coverage.
        *("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG", "COVERAGE_RCFILE", "COVERAGE_FILE"),
    )
)
"""The environment variables that child processes inherit."""


def child_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the part of an environment that child processes inherit."""
    return {name: value for name, value in environment.items() if name in INHERITED_VARIABLES}


def kill(process: Process) -> None:
    """Kill a process unless it has ended."""
    if process.returncode is None:
        # Not `process.kill`: it might collect the exit status that asyncio waits for.
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


async def kill_and_wait(process: Process) -> None:
    """Kill a process unless it has ended, and wait for its end."""
    kill(process)
    # Unlike `wait`, this also reads what the process has written: without that, asyncio could wait forever.
    await process.communicate()


@contextmanager
def process_pool(jobs: int) -> Generator[ProcessPoolExecutor]:
    """Yield a pool of processes that inherit no secrets. It can only run functions that are importable by name.

    Until the pool closes, all environment variables except `INHERITED_VARIABLES` are removed from this process, too.
    Raise `ValueError` if `jobs` is less than one.
    """
    hidden = {name: value for name, value in os.environ.items() if name not in INHERITED_VARIABLES}
    for name in hidden:
        del os.environ[name]
    try:
        # Do not fork: a forked process would still have the removed environment variables in its memory.
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            yield pool
    finally:
        os.environ.update(hidden)
