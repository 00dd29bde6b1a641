"""The three tiers of tests and their CPU limits.

A test without a mark is *quick*; `thorough` and `nightly` are marks. A test that exceeds its tier's limit fails, so
that no test becomes slow unnoticed. Limits are in CPU time of the process and its children, not in wall time. On a
slow machine they are higher: see `slowness`.
"""

from __future__ import annotations

import copy
import io
import json
import os
import sqlite3
import time
import tokenize
from collections import deque
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

MAX_QUICK_SECONDS: Final = 0.5
"""Limit for a quick test, in CPU seconds."""
MAX_WHOLE_PROCESS_SECONDS: Final = 6.0
"""Limit for a quick test with the mark `whole_process`, in CPU seconds."""
MAX_THOROUGH_SECONDS: Final = 15.0
"""Limit for a thorough test, in CPU seconds."""
MAX_WHOLE_PROCESS_TESTS: Final = 6
"""Maximum number of tests with the mark `whole_process`."""

MAX_UNSLOWED_LOAD: Final = 1.25
"""Maximum load per core that does not slow tests down. It leaves room for one test per core and a database server."""

SAMPLE_INTERVAL_SECONDS: Final = 2.0
"""Interval between two measurements of the machine's slowness, in CPU seconds of tests."""
MAX_SAMPLES: Final = 30
"""Number of recent measurements to keep. They cover about one minute."""

_USUAL_WORK_SECONDS: Final = 0.008
"""CPU seconds that `_do_sample_work` takes on the machine for which the limits were chosen."""
_SOURCE: Final = "total = add(first, second[3])  # a comment\n" * 150
_CPU_PROPERTY: Final = "cpu"


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def slowness() -> float:
    """Return how many times slower than usual this machine currently is; at least 1.

    Other programs slow a machine down even in CPU time, because they share its caches and cores.
    """
    started_at = time.process_time()
    _do_sample_work()
    return max(1.0, (time.process_time() - started_at) / _USUAL_WORK_SECONDS, _load_per_core() / MAX_UNSLOWED_LOAD)


def _load_per_core() -> float:
    """Return the number of runnable programs per core: now, or the average of the last minute if that is higher."""
    # On Linux, the fourth field starts with the number of runnable programs, as in "0.20 0.18 0.12 1/80 11206".
    loadavg_file = Path("/proc/loadavg")
    running = int(loadavg_file.read_text().split()[3].partition("/")[0]) if loadavg_file.exists() else 0
    return max(os.getloadavg()[0], running) / (os.cpu_count() or 1)


def _do_sample_work() -> None:
    """Use a database, allocate objects and parse text, as tests do.

    A simple loop that fits into the CPU's caches is a poor measure: on one machine it took 1.3 times as long as on
    another, but the tests took twice as long.
    """
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, data BLOB)")
        rows = [(number, f"item {number}", bytes(number % 64)) for number in range(400)]
        database.executemany("INSERT INTO item VALUES (?, ?, ?)", rows)
        items = database.execute("SELECT id, name, data FROM item ORDER BY name").fetchall()
    copy.deepcopy(json.loads(json.dumps([{"id": id_, "name": name, "data": data.hex()} for id_, name, data in items])))
    for _ in tokenize.generate_tokens(io.StringIO(_SOURCE).readline):
        pass


def limit(item: pytest.Item) -> float | None:
    """Return the test's limit in CPU seconds, or None for nightly tests."""
    if item.get_closest_marker("nightly"):
        return None
    if item.get_closest_marker("thorough"):
        return MAX_THOROUGH_SECONDS
    return MAX_WHOLE_PROCESS_SECONDS if item.get_closest_marker("whole_process") else MAX_QUICK_SECONDS


class Tiers:
    """A pytest plugin that measures each test and fails those that exceed their tier's limit.

    The time of fixtures that several tests share does not count.
    """

    def __init__(
        self,
        clock: Callable[[], float] = cpu_seconds,
        slowness: Callable[[], float] = slowness,
        report: Path | None = None,
        *,
        has_limits: bool = True,
    ) -> None:
        """Measure with `clock`, which returns CPU seconds. After the run, write all times to `report` as JSON lines.

        If `has_limits` is False, slow tests do not fail. Nightly runs need this: even quick tests try many examples.
        """
        self._clock = clock
        self._slowness = slowness
        self._report = report
        self._has_limits = has_limits
        self._test_seconds = 0.0
        """CPU seconds of the current test."""
        self._shared_seconds = 0.0
        """CPU seconds of shared fixtures during the current test."""
        self._times: dict[str, float] = {}
        self._samples = deque[float](maxlen=MAX_SAMPLES)
        """Recent results of `slowness`. Only the highest is used: a test may have run when the machine was slowest."""
        self._sampled_at = self._clock()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Raise `UsageError` if too many tests have the mark `whole_process`."""
        marked = [item.nodeid for item in items if item.get_closest_marker("whole_process")]
        if len(marked) > MAX_WHOLE_PROCESS_TESTS:
            message = f"only {MAX_WHOLE_PROCESS_TESTS} tests may have the mark whole_process: {', '.join(marked)}"
            raise pytest.UsageError(message)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self._test_seconds = self._shared_seconds = 0.0
        return (yield from self._measured())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._measured())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, Any, Any]:
        """Measure shared fixtures, so that their time can be subtracted from the test's."""
        if fixturedef.scope == "function":
            return (yield)
        started_at = self._clock()
        try:
            return (yield)
        finally:
            self._shared_seconds += self._clock() - started_at

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
        """Measure the teardown (but not the last one, which includes shared fixtures), and check the total."""
        result = (yield) if nextitem is None else (yield from self._measured())
        seconds, max_seconds = self._test_seconds - self._shared_seconds, limit(item) if self._has_limits else None
        item.user_properties.append((_CPU_PROPERTY, round(seconds, 3)))
        if max_seconds is None:
            return result
        if seconds > max_seconds or self._clock() - self._sampled_at >= SAMPLE_INTERVAL_SECONDS:
            self._samples.append(self._slowness())
            self._sampled_at = self._clock()
        slowdown = max(self._samples, default=1.0)
        if seconds > max_seconds * slowdown:
            machine_note = f", and the machine is {slowdown:.1f} times slower than usual" if slowdown > 1 else ""
            pytest.fail(
                f"took {seconds:.1f} CPU seconds{machine_note}; its tier's limit is {max_seconds}", pytrace=False
            )
        return result

    def _measured(self) -> Generator[None, Any, Any]:
        started_at = self._clock()
        try:
            return (yield)
        finally:
            self._test_seconds += self._clock() - started_at

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Store a test's CPU seconds, which can come from an xdist worker."""
        if report.when == "teardown":
            taken = dict(report.user_properties).get(_CPU_PROPERTY)
            if isinstance(taken, float):
                self._times[report.nodeid] = taken

    def pytest_sessionfinish(self) -> None:
        """Write the report, longest tests first."""
        if self._report is not None and self._times:
            lines = sorted(self._times.items(), key=lambda item: -item[1])
            self._report.write_text("".join(f"{json.dumps([seconds, test])}\n" for test, seconds in lines))
