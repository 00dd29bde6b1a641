"""A test that exceeds its tier's CPU limit fails."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest

from tests.tiers import MAX_QUICK, MAX_THOROUGH, MAX_WHOLE_PROCESS, MAX_WHOLE_PROCESSES, SAMPLE_INTERVAL, Tiers

CLOCK: Final = SimpleNamespace(now=0.0)
"""A fake CPU clock, advanced by the tests under test."""
SPENDING: Final = """
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
    """Run a test file in this process with its own `Tiers`."""
    disabled = [f"-pno:{plugin}" for plugin in ("cacheprovider", "xdist", "asyncio")]
    return pytester.inline_run(path, *disabled, plugins=[tiers])  # pyright: ignore[reportUnknownMemberType] - untyped


def failures(
    pytester: pytest.Pytester, slowness: float = 1, report: Path | None = None, *, limited: bool = True, **spent: object
) -> int:
    """Return the number of failures of a test that spends the given CPU seconds."""
    given = {"mark": "", "shared": 0.0, "before": 0.0, "itself": 0.0, "after": 0.0} | spent
    path = pytester.makepyfile(SPENDING.format_map(given))
    tiers = Tiers(lambda: CLOCK.now, lambda: slowness, report, limited=limited)
    passed, skipped, failed = run_with(pytester, path, tiers).countoutcomes()
    assert (passed, skipped) == (2, 0)
    return failed


@pytest.mark.parametrize(
    ("mark", "allowed"),
    [("", MAX_QUICK), ("whole_process", MAX_WHOLE_PROCESS), ("thorough", MAX_THOROUGH), ("nightly", None)],
)
def test_each_tier_has_its_limit(pytester: pytest.Pytester, mark: str, allowed: float | None) -> None:
    """A test that exceeds its tier's limit fails; nightly tests have no limit."""
    marked = f"@pytest.mark.{mark}" if mark else ""
    assert failures(pytester, mark=marked, itself=(allowed or 1e6) - 0.01) == 0
    assert failures(pytester, mark=marked, itself=(allowed or 1e6) + 0.01) == (allowed is not None)


def test_fixtures_count_unless_they_are_shared(pytester: pytest.Pytester) -> None:
    """A test's own fixtures count towards its time, shared fixtures do not."""
    third = MAX_QUICK / 3
    assert failures(pytester, before=third, itself=third, after=third + 0.01) == 1
    assert failures(pytester, before=third, itself=third, after=third - 0.01) == 0
    assert failures(pytester, shared=10 * MAX_QUICK) == 0


def test_a_slow_machine_fails_nothing(pytester: pytest.Pytester) -> None:
    """On a slow machine the limits are higher."""
    assert failures(pytester, slowness=2, itself=1.9 * MAX_QUICK) == 0
    assert failures(pytester, slowness=2, itself=2.1 * MAX_QUICK) == 1


def test_a_machine_that_was_slow_a_moment_ago_fails_nothing(pytester: pytest.Pytester) -> None:
    """A test that ran while the machine was slow passes, even if the machine is fast again when it ends."""
    spent = [0.9 * MAX_QUICK] * (int(SAMPLE_INTERVAL / MAX_QUICK) + 1)
    measured = iter((2.0, 1.0))
    path = pytester.makepyfile(f"""
import pytest
from tests.test_tiers import CLOCK

@pytest.mark.parametrize("seconds", {[*spent, 1.9 * MAX_QUICK]})
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


def test_at_night_nothing_is_limited(pytester: pytest.Pytester) -> None:
    """Without `limited`, no test fails: nightly runs generate many examples, also in quick tests."""
    assert failures(pytester, itself=100 * MAX_QUICK, limited=False) == 0


def test_few_tests_start_whole_processes(pytester: pytest.Pytester) -> None:
    """More than `MAX_WHOLE_PROCESSES` tests with that mark are a usage error."""
    for number, result in (
        (MAX_WHOLE_PROCESSES, pytest.ExitCode.OK),
        (MAX_WHOLE_PROCESSES + 1, pytest.ExitCode.USAGE_ERROR),
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
