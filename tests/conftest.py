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

from bot import worker_process
from tests.helpers.databases import Kind, new_database, on
from tests.helpers.examples import USUAL
from tests.sandbox.schema import openapi_path
from tests.tiers import Tiers

pytest_plugins = ["pytester", "tests.helpers.browser"]

_GC_THRESHOLD = 20_000

# No garbage collection while modules are imported: there is nothing to collect yet.
gc.disable()

# pytest-xdist already uses all cores. NumPy threads would only compete with it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Write bytecode even if the environment disables it. Otherwise each worker compiles all tests again, and each process
# that a test starts compiles the whole program, which takes longer than most tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--database` and `--cpu-times`."""
    told = "the database for the tests; default: SQLite, and both for tests marked `both_databases`"
    parser.addoption("--database", type=Kind, default=None, help=told)
    parser.addoption("--cpu-times", type=Path, metavar="FILE", help="write the CPU seconds of each test to a file")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests marked `both_databases` on both databases, unless `--database` was given."""
    if "database_kind" in metafunc.fixturenames and metafunc.definition.get_closest_marker("both_databases"):
        chosen: Kind | None = metafunc.config.getoption("database")
        both = [Kind.SQLITE, pytest.param(Kind.POSTGRESQL, marks=pytest.mark.thorough)]
        metafunc.parametrize("database_kind", both if chosen is None else [chosen], indirect=True)


@pytest.fixture(autouse=True)
def database_kind(request: pytest.FixtureRequest) -> Iterator[Kind]:
    """Choose the test's database: its marker's, else `--database`, else SQLite."""
    marked = next((kind for kind in Kind if request.node.get_closest_marker(kind)), None)
    kind: Kind = getattr(request, "param", marked or request.config.getoption("database") or Kind.SQLITE)
    with on(kind):
        yield kind


@pytest.fixture
def url(tmp_path: Path, database_kind: Kind) -> str:
    return new_database(tmp_path / "deadwood.db")


def pytest_configure(config: pytest.Config) -> None:
    """Configure Hypothesis, the tiers, pytest-xdist if it is installed, and the log.

    Tracebacks are plain, because structlog would print locals, and here those are whole matches.
    """
    settings.register_profile("suite", max_examples=USUAL, deadline=None)
    settings.register_profile("nightly", max_examples=200, deadline=None)
    settings.load_profile("nightly" if _names_nightly(config) else "suite")
    is_worker = hasattr(config, "workerinput")
    report: Path | None = None if is_worker else config.getoption("cpu_times")
    # The limits are for SQLite, the default database.
    limited = not _names_nightly(config) and config.getoption("database") is not Kind.POSTGRESQL
    config.pluginmanager.register(Tiers(report=report, limited=limited))
    # Give each worker one test at a time. This is not in `addopts`, which would fail without pytest-xdist.
    if hasattr(config.option, "maxschedchunk"):
        config.option.maxschedchunk = 1
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return two workers per CPU, because long tests often wait, or one per CPU if only quick tests run."""
    return (os.cpu_count() or 1) * (1 if "not thorough" in config.option.markexpr else 2)


@pytest.fixture(scope="session", autouse=True)
def eager_workers() -> Iterator[None]:
    """Run worker processes at normal priority. At low priority, tests that keep the CPUs busy would starve them."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(worker_process, "NICENESS", 0)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the checks that were skipped on this machine."""
    if not openapi_path().is_file():
        terminalreporter.write_line(
            f"The bot's requests were not checked against Discord's OpenAPI description: {openapi_path()} not found. "
            "Get it from https://github.com/discord/discord-api-spec, or set DISCORD_OPENAPI to its path."
        )


def _names_nightly(config: pytest.Config) -> bool:
    selection: str = config.option.markexpr
    return "nightly" in selection.replace("not nightly", "")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect nightly tests unless the selection names them, and sort the others.

    Without `--database`, tests marked for PostgreSQL count as thorough. `-m ""` selects everything.
    """
    chosen: Kind | None = config.getoption("database")
    if chosen is not None:
        others = [kind for kind in Kind if kind is not chosen]
        elsewhere = [item for item in items if any(map(item.get_closest_marker, others))]
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = [item for item in items if item not in elsewhere]
    else:
        for item in items:
            if item.get_closest_marker(Kind.POSTGRESQL) and not item.get_closest_marker("whole_process"):
                item.add_marker("thorough")
    if config.option.markexpr and not _names_nightly(config):
        nightly = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=nightly)
        items[:] = [item for item in items if item not in nightly]
    items.sort(key=_place)
    # Exclude the imported modules from garbage collection and collect less often: this makes the tests a sixth faster.
    gc.enable()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, 20, 20)


def _place(item: pytest.Item) -> tuple[int, int]:
    """Return the sort key: proofs and whole processes first, then thorough tests in mixed order, then the rest.

    The longest tests start first, so that none of them is the last to end. Mixing runs tests that wait next to tests
    that keep a CPU busy.
    """
    if "proof" in item.path.parts or item.get_closest_marker("whole_process"):
        return 0, 0
    return (1, crc32(item.nodeid.encode())) if item.get_closest_marker("thorough") else (2, 0)
