"""The three tiers of tests, and the CPU time that a test of each may take.

A test without a mark is *quick*. `thorough` and `nightly` are marks. A test that takes more than its tier allows fails,
so that nobody waits for it without having decided so. CPU time is measured, of the process and its children, never wall
time, and in units of this machine: see `slowness`.
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
"""CPU seconds of a quick test."""
MAX_WHOLE_PROCESS: Final = 6.0
"""CPU seconds of a quick test with the mark `whole_process`."""
MAX_THOROUGH: Final = 15.0
"""CPU seconds of a thorough test."""
MAX_WHOLE_PROCESSES: Final = 6
"""Tests with the mark `whole_process`."""

MAX_CROWD: Final = 1.25
"""Programs for each core that do not yet slow each other down: the tests themselves, and now and then a database."""

SAMPLE_INTERVAL: Final = 2.0
"""CPU seconds of tests between two measurements of the machine."""
MAX_SAMPLES: Final = 30
"""Measurements of the machine that are kept: those of the last minute or so."""

_USUAL: Final = 0.008
"""CPU seconds that `_work` takes where the limits were chosen."""
_SOURCE: Final = "total = add(first, second[3])  # a comment\n" * 150
_CPU: Final = "cpu"


def cpu_time() -> float:
    """Return the CPU seconds of this process and of those of its children that have ended."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def slowness() -> float:
    """Return how many times slower than usual this machine is at this moment; at least 1.

    Other programs make a machine slower, even in CPU time: they share its caches and cores.
    """
    began = time.process_time()
    _work()
    return max(1.0, (time.process_time() - began) / _USUAL, _crowd() / MAX_CROWD)


def _crowd() -> float:
    """Return how many programs want a core, for each core there is: now, or over the last minute if that is more."""
    # Linux has the number at this moment in the fourth field, as in "0.20 0.18 0.12 1/80 11206".
    now = Path("/proc/loadavg")
    running = int(now.read_text().split()[3].partition("/")[0]) if now.exists() else 0
    return max(os.getloadavg()[0], running) / (os.cpu_count() or 1)


def _work() -> None:
    """Use a database, make objects and read a text, as tests do.

    A loop that stays in the processor's caches is no measure: on one machine it took 1.3 times as long as on another,
    and the tests twice as long.
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
    """Return the CPU seconds that a test may take; None if it is for the night."""
    if item.get_closest_marker("nightly"):
        return None
    if item.get_closest_marker("thorough"):
        return MAX_THOROUGH
    return MAX_WHOLE_PROCESS if item.get_closest_marker("whole_process") else MAX_QUICK


class Tiers:
    """A plugin of pytest that measures each test, and fails those that take too long for their tier.

    Fixtures that several tests share belong to none of them.
    """

    def __init__(
        self,
        clock: Callable[[], float] = cpu_time,
        slowness: Callable[[], float] = slowness,
        report: Path | None = None,
        *,
        limited: bool = True,
    ) -> None:
        """`clock` returns CPU seconds. All times are written to `report`, as lines of JSON, at the end of the run.

        Without `limited` no test fails: at night, even quick tests try many examples.
        """
        self._clock = clock
        self._slowness = slowness
        self._report = report
        self._limited = limited
        self._taken = 0.0
        """CPU seconds of the present test."""
        self._shared = 0.0
        """CPU seconds for fixtures that it does not have alone."""
        self._times: dict[str, float] = {}
        self._samples = deque[float](maxlen=MAX_SAMPLES)
        """How much slower than usual the machine was lately. A test may have run in the slowest moment of these."""
        self._sampled_at = self._clock()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Raise `UsageError` if more tests than allowed may take as long as a whole process does."""
        marked = [item.nodeid for item in items if item.get_closest_marker("whole_process")]
        if len(marked) > MAX_WHOLE_PROCESSES:
            message = f"only {MAX_WHOLE_PROCESSES} tests may have the mark whole_process: {', '.join(marked)}"
            raise pytest.UsageError(message)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Measure the set-up of a test."""
        self._taken = self._shared = 0.0
        return (yield from self._measured())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Measure a test itself."""
        return (yield from self._measured())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, Any, Any]:
        """Measure what is set up for several tests."""
        if fixturedef.scope == "function":
            return (yield)
        began = self._clock()
        try:
            return (yield)
        finally:
            self._shared += self._clock() - began

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
        """Measure what follows a test, unless that is the end of the run; then compare the sum with the limit."""
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
            pytest.fail(f"it takes {taken:.1f} CPU seconds{machine}; in its tier {allowed} are allowed", pytrace=False)
        return result

    def _measured(self) -> Generator[None, Any, Any]:
        began = self._clock()
        try:
            return (yield)
        finally:
            self._taken += self._clock() - began

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the CPU seconds of a test, which may have run in another process."""
        if report.when == "teardown":
            taken = dict(report.user_properties).get(_CPU)
            if isinstance(taken, float):
                self._times[report.nodeid] = taken

    def pytest_sessionfinish(self) -> None:
        """Write the times of all tests, those that took longest first."""
        if self._report is not None and self._times:
            lines = sorted(self._times.items(), key=lambda item: -item[1])
            self._report.write_text("".join(f"{json.dumps([seconds, test])}\n" for test, seconds in lines))
