"""The three tiers of tests and their CPU limits.

A test without a mark is *quick*; `thorough` and `nightly` are marks. A test that exceeds its tier's limit fails, so
that slow tests are always a decision. The time is the CPU time of the process and its children, not wall time, and is
scaled by the speed of the machine: see `slowness`.
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

MAX_QUICK: Final = 0.5
"""Limit for a quick test, in CPU seconds."""
MAX_WHOLE_PROCESS: Final = 6.0
"""Limit for a quick test with the mark `whole_process`, in CPU seconds."""
MAX_THOROUGH: Final = 15.0
"""Limit for a thorough test, in CPU seconds."""
MAX_WHOLE_PROCESSES: Final = 6
"""Maximum number of tests with the mark `whole_process`."""

MAX_CROWD: Final = 1.25
"""Runnable programs per core up to which they do not slow each other down: the tests, and occasionally a database."""

SAMPLE_INTERVAL: Final = 2.0
"""Interval between two measurements of the machine, in CPU seconds of tests."""
MAX_SAMPLES: Final = 30
"""Number of measurements to keep: about the last minute's."""

_USUAL: Final = 0.008
"""CPU seconds that `_work` takes on the machine that the limits were chosen for."""
_SOURCE: Final = "total = add(first, second[3])  # a comment\n" * 150
_CPU: Final = "cpu"


def cpu_time() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def slowness() -> float:
    """Return how many times slower than usual this machine currently is; at least 1.

    Other programs slow a machine down even in CPU time, because they share its caches and cores.
    """
    began = time.process_time()
    _work()
    return max(1.0, (time.process_time() - began) / _USUAL, _crowd() / MAX_CROWD)


def _crowd() -> float:
    """Return the number of runnable programs per core: now, or the average of the last minute if that is higher."""
    # On Linux, the fourth field has the current number, as in "0.20 0.18 0.12 1/80 11206".
    now = Path("/proc/loadavg")
    running = int(now.read_text().split()[3].partition("/")[0]) if now.exists() else 0
    return max(os.getloadavg()[0], running) / (os.cpu_count() or 1)


def _work() -> None:
    """Use a database, allocate objects and parse text, as tests do.

    A loop that fits into the CPU's caches is a bad measure: on one machine it took 1.3 times as long as on another, but
    the tests took twice as long.
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
        return MAX_THOROUGH
    return MAX_WHOLE_PROCESS if item.get_closest_marker("whole_process") else MAX_QUICK


class Tiers:
    """A pytest plugin that measures each test and fails those that exceed their tier's limit.

    Fixtures that several tests share count for none of them.
    """

    def __init__(
        self,
        clock: Callable[[], float] = cpu_time,
        slowness: Callable[[], float] = slowness,
        report: Path | None = None,
        *,
        limited: bool = True,
    ) -> None:
        """Measure with `clock`, which returns CPU seconds; write all times to `report` as lines of JSON after the run.

        Without `limited` no test fails: nightly runs try many examples even in quick tests.
        """
        self._clock = clock
        self._slowness = slowness
        self._report = report
        self._limited = limited
        self._taken = 0.0
        """CPU seconds of the current test."""
        self._shared = 0.0
        """CPU seconds of shared fixtures during the current test."""
        self._times: dict[str, float] = {}
        self._samples = deque[float](maxlen=MAX_SAMPLES)
        """Recent results of `slowness`. A test may have run in the slowest of these moments."""
        self._sampled_at = self._clock()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Raise `UsageError` if too many tests have the mark `whole_process`."""
        marked = [item.nodeid for item in items if item.get_closest_marker("whole_process")]
        if len(marked) > MAX_WHOLE_PROCESSES:
            message = f"only {MAX_WHOLE_PROCESSES} tests may have the mark whole_process: {', '.join(marked)}"
            raise pytest.UsageError(message)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self._taken = self._shared = 0.0
        return (yield from self._measured())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._measured())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, Any, Any]:
        """Measure shared fixtures, to subtract their time from the test's."""
        if fixturedef.scope == "function":
            return (yield)
        began = self._clock()
        try:
            return (yield)
        finally:
            self._shared += self._clock() - began

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
        """Measure the teardown, unless it is the end of the run; then compare the total with the limit."""
        result = (yield) if nextitem is None else (yield from self._measured())
        taken, allowed = self._taken - self._shared, limit(item) if self._limited else None
        item.user_properties.append((_CPU, round(taken, 3)))
        if allowed is None:
            return result
        if taken > allowed or self._clock() - self._sampled_at >= SAMPLE_INTERVAL:
            self._samples.append(self._slowness())
            self._sampled_at = self._clock()
        slower = max(self._samples, default=1.0)
        if taken > allowed * slower:
            machine = f", and the machine is {slower:.1f} times slower than usual" if slower > 1 else ""
            pytest.fail(f"took {taken:.1f} CPU seconds{machine}; its tier's limit is {allowed}", pytrace=False)
        return result

    def _measured(self) -> Generator[None, Any, Any]:
        began = self._clock()
        try:
            return (yield)
        finally:
            self._taken += self._clock() - began

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Store a test's CPU seconds, which may come from an xdist worker."""
        if report.when == "teardown":
            taken = dict(report.user_properties).get(_CPU)
            if isinstance(taken, float):
                self._times[report.nodeid] = taken

    def pytest_sessionfinish(self) -> None:
        """Write the report, longest tests first."""
        if self._report is not None and self._times:
            lines = sorted(self._times.items(), key=lambda item: -item[1])
            self._report.write_text("".join(f"{json.dumps([seconds, test])}\n" for test, seconds in lines))
