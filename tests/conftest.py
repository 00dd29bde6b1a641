"""Hooks and fixtures for all tests."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest
import structlog
from hypothesis import settings

from bot.workers import worker_process
from tests.helpers.databases import DatabaseKind, new_database, use_database
from tests.helpers.examples import DEFAULT_EXAMPLES
from tests.sandbox.schema import openapi_path
from tests.tiers import Tiers

pytest_plugins = ["pytester", "tests.helpers.browser"]

_GC_THRESHOLD = 20_000

# Garbage collection stays off while modules are imported: there is nothing to collect yet.
gc.disable()

# pytest-xdist already uses all cores. NumPy threads would only compete with it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Write bytecode even if the environment disables it. Otherwise each worker compiles all tests again, and each process
# that a test starts compiles the whole program, which takes longer than most tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--database` and `--cpu-times`."""
    help_text = "the database for the tests; default: SQLite, and both for tests marked `both_databases`"
    parser.addoption("--database", type=DatabaseKind, default=None, help=help_text)
    parser.addoption("--cpu-times", type=Path, metavar="FILE", help="write the CPU seconds of each test to a file")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests marked `both_databases` on both databases, unless `--database` was given."""
    if "database_kind" in metafunc.fixturenames and metafunc.definition.get_closest_marker("both_databases"):
        chosen: DatabaseKind | None = metafunc.config.getoption("database")
        both = [DatabaseKind.SQLITE, pytest.param(DatabaseKind.POSTGRESQL, marks=pytest.mark.thorough)]
        metafunc.parametrize("database_kind", both if chosen is None else [chosen], indirect=True)


@pytest.fixture(autouse=True)
def database_kind(request: pytest.FixtureRequest) -> Iterator[DatabaseKind]:
    """Choose the test's database: its marker's, else `--database`, else SQLite."""
    marker_kind = next((kind for kind in DatabaseKind if request.node.get_closest_marker(kind)), None)
    kind: DatabaseKind = getattr(
        request, "param", marker_kind or request.config.getoption("database") or DatabaseKind.SQLITE
    )
    with use_database(kind):
        yield kind


@pytest.fixture
def url(tmp_path: Path, database_kind: DatabaseKind) -> str:
    return new_database(tmp_path / "deadwood.db")


def pytest_configure(config: pytest.Config) -> None:
    """Configure Hypothesis, the tiers, pytest-xdist if it is installed, and the log.

    Logged tracebacks are plain: by default structlog prints local variables, which in these tests are whole matches.
    """
    settings.register_profile("suite", max_examples=DEFAULT_EXAMPLES, deadline=None)
    settings.register_profile("nightly", max_examples=200, deadline=None)
    settings.load_profile("nightly" if _selects_nightly(config) else "suite")
    is_worker = hasattr(config, "workerinput")
    report: Path | None = None if is_worker else config.getoption("cpu_times")
    # The CPU limits were chosen for SQLite. Nightly tests have none, because they try many examples.
    has_limits = not _selects_nightly(config) and config.getoption("database") is not DatabaseKind.POSTGRESQL
    config.pluginmanager.register(Tiers(report=report, has_limits=has_limits))
    # Give each worker one test at a time. This is not in `addopts`, which would fail without pytest-xdist.
    if hasattr(config.option, "maxschedchunk"):
        config.option.maxschedchunk = 1
    renderer = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, renderer])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return two workers per CPU, because thorough tests often wait, or one per CPU if only quick tests run."""
    return (os.cpu_count() or 1) * (1 if "not thorough" in config.option.markexpr else 2)


@pytest.fixture(scope="session", autouse=True)
def normal_priority_workers() -> Iterator[None]:
    """Run the bot's worker processes at normal priority. At low priority, busy tests would starve them of CPU time."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(worker_process, "NICENESS", 0)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a hint if the bot's requests were not checked against Discord's OpenAPI description."""
    if not openapi_path().is_file():
        terminalreporter.write_line(
            f"The bot's requests were not checked against Discord's OpenAPI description: {openapi_path()} not found. "
            "Get it from https://github.com/discord/discord-api-spec, or set DISCORD_OPENAPI to its path."
        )


def _selects_nightly(config: pytest.Config) -> bool:
    selection: str = config.option.markexpr
    return "nightly" in selection.replace("not nightly", "")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests for databases that were not chosen and nightly tests that were not requested; sort the rest.

    Without `--database`, tests marked for PostgreSQL count as thorough. `-m ""` selects nightly tests too.
    """
    chosen: DatabaseKind | None = config.getoption("database")
    if chosen is not None:
        other_kinds = [kind for kind in DatabaseKind if kind is not chosen]
        deselected = [item for item in items if any(map(item.get_closest_marker, other_kinds))]
        config.hook.pytest_deselected(items=deselected)
        items[:] = [item for item in items if item not in deselected]
    else:
        for item in items:
            if item.get_closest_marker(DatabaseKind.POSTGRESQL) and not item.get_closest_marker("whole_process"):
                item.add_marker("thorough")
    if config.option.markexpr and not _selects_nightly(config):
        nightly = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=nightly)
        items[:] = [item for item in items if item not in nightly]
    items.sort(key=_sort_key)
    # Exclude the imported modules from garbage collection and collect less often: this saves a sixth of the run time.
    gc.enable()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, 20, 20)


def _sort_key(item: pytest.Item) -> tuple[int, int]:
    """Return the sort key: proofs and tests of whole processes first, then shuffled thorough tests, then quick tests.

    The longest tests start first, so that the run does not end with a single long test. Shuffling lets tests that
    mostly wait run in parallel with tests that keep a CPU busy.
    """
    if "proof" in item.path.parts or item.get_closest_marker("whole_process"):
        return 0, 0
    return (1, crc32(item.nodeid.encode())) if item.get_closest_marker("thorough") else (2, 0)
