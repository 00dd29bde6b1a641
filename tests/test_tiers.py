"""A test that exceeds its tier's CPU limit fails."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest

from tests.tiers import (
    MAX_QUICK_SECONDS,
    MAX_THOROUGH_SECONDS,
    MAX_WHOLE_PROCESS_SECONDS,
    MAX_WHOLE_PROCESS_TESTS,
    SAMPLE_INTERVAL_SECONDS,
    Tiers,
)

CLOCK: Final = SimpleNamespace(now=0.0)
"""A fake CPU clock. The small tests that this module runs advance it."""
TEST_MODULE: Final = """
import pytest
from tests.test_tiers import CLOCK

@pytest.fixture(scope="module")
def shared():
    CLOCK.now += {shared}

@pytest.fixture
def own():
    CLOCK.now += {before}
    yield
    CLOCK.now += {after}

{mark}
def test_that_spends(shared, own):
    CLOCK.now += {itself}

def test_that_spends_nothing():
    pass
"""


def run_with(pytester: pytest.Pytester, path: Path, tiers: Tiers) -> pytest.HookRecorder:
    """Run a test file in this process, measured by this `Tiers` plugin."""
    disabled = [f"-pno:{plugin}" for plugin in ("cacheprovider", "xdist", "asyncio")]
    return pytester.inline_run(path, *disabled, plugins=[tiers])  # pyright: ignore[reportUnknownMemberType] - untyped


def failures(
    pytester: pytest.Pytester,
    slowness: float = 1,
    report: Path | None = None,
    *,
    limited: bool = True,
    **seconds: object,
) -> int:
    """Run a test that spends the given CPU seconds, and return the number of failures."""
    values = {"mark": "", "shared": 0.0, "before": 0.0, "itself": 0.0, "after": 0.0} | seconds
    path = pytester.makepyfile(TEST_MODULE.format_map(values))
    tiers = Tiers(lambda: CLOCK.now, lambda: slowness, report, has_limits=limited)
    passed, skipped, failed = run_with(pytester, path, tiers).countoutcomes()
    assert (passed, skipped) == (2, 0)
    return failed


@pytest.mark.parametrize(
    ("mark", "limit"),
    [
        ("", MAX_QUICK_SECONDS),
        ("whole_process", MAX_WHOLE_PROCESS_SECONDS),
        ("thorough", MAX_THOROUGH_SECONDS),
        ("nightly", None),
    ],
)
def test_each_tier_has_its_limit(pytester: pytest.Pytester, mark: str, limit: float | None) -> None:
    """A test that exceeds its tier's limit fails; nightly tests have no limit."""
    marked = f"@pytest.mark.{mark}" if mark else ""
    assert failures(pytester, mark=marked, itself=(limit or 1e6) - 0.01) == 0
    assert failures(pytester, mark=marked, itself=(limit or 1e6) + 0.01) == (limit is not None)


def test_fixtures_count_unless_they_are_shared(pytester: pytest.Pytester) -> None:
    """The time of a test's own fixtures counts towards its limit; the time of shared fixtures does not."""
    third = MAX_QUICK_SECONDS / 3
    assert failures(pytester, before=third, itself=third, after=third + 0.01) == 1
    assert failures(pytester, before=third, itself=third, after=third - 0.01) == 0
    assert failures(pytester, shared=10 * MAX_QUICK_SECONDS) == 0


def test_limits_are_higher_on_a_slow_machine(pytester: pytest.Pytester) -> None:
    """On a slow machine the limits are higher."""
    assert failures(pytester, slowness=2, itself=1.9 * MAX_QUICK_SECONDS) == 0
    assert failures(pytester, slowness=2, itself=2.1 * MAX_QUICK_SECONDS) == 1


def test_limits_are_higher_on_a_recently_slow_machine(pytester: pytest.Pytester) -> None:
    """A test that ran while the machine was slow passes, even if the machine is fast again when it ends."""
    spent = [0.9 * MAX_QUICK_SECONDS] * (int(SAMPLE_INTERVAL_SECONDS / MAX_QUICK_SECONDS) + 1)
    measured = iter((2.0, 1.0))
    path = pytester.makepyfile(f"""
import pytest
from tests.test_tiers import CLOCK

@pytest.mark.parametrize("seconds", {[*spent, 1.9 * MAX_QUICK_SECONDS]})
def test_that_spends(seconds):
    CLOCK.now += seconds
""")
    result = run_with(pytester, path, Tiers(lambda: CLOCK.now, lambda: next(measured)))
    assert result.countoutcomes() == [len(spent) + 1, 0, 0]
    assert list(measured) == []


def test_times_are_reported(pytester: pytest.Pytester, tmp_path: Path) -> None:
    """The report lists tests by CPU time, longest first."""
    failures(pytester, itself=0.25, report=tmp_path / "times")
    first, *others = map(json.loads, (tmp_path / "times").read_text().splitlines())
    assert first[0] == 0.25
    assert first[1].endswith("test_that_spends")
    assert [seconds for seconds, _ in others] == [0.0]


def test_without_limits_no_test_fails(pytester: pytest.Pytester) -> None:
    """Without limits, as in nightly runs, no test fails because of its CPU time."""
    assert failures(pytester, itself=100 * MAX_QUICK_SECONDS, limited=False) == 0


def test_few_tests_start_whole_processes(pytester: pytest.Pytester) -> None:
    """More than `MAX_WHOLE_PROCESS_TESTS` tests with the mark `whole_process` are a usage error."""
    for number, result in (
        (MAX_WHOLE_PROCESS_TESTS, pytest.ExitCode.OK),
        (MAX_WHOLE_PROCESS_TESTS + 1, pytest.ExitCode.USAGE_ERROR),
    ):
        cases = f"""
import pytest

@pytest.mark.whole_process
@pytest.mark.parametrize("case", range({number}))
def test_that_starts_a_process(case):
    pass
"""
        path = pytester.makepyfile(cases)
        assert run_with(pytester, path, Tiers()).ret == result
