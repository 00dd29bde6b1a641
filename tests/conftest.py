"""What holds for every test."""

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

# There is nothing to collect before the tests begin.
gc.disable()

# Tests run side by side already: threads of numpy would only take each other's time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Even where the environment asks for no bytecode: each worker would compile all tests anew, and each process that a
# test starts the whole program, which takes longer than most of the tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let whoever runs the tests choose the database."""
    told = "the database of the tests that need one: by default SQLite, and both in those marked `both_databases`"
    parser.addoption("--database", type=Kind, default=None, help=told)
    parser.addoption("--cpu-times", type=Path, metavar="FILE", help="write the CPU seconds of each test to a file")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests that are marked `both_databases` on both, unless one was chosen."""
    if "database_kind" in metafunc.fixturenames and metafunc.definition.get_closest_marker("both_databases"):
        chosen: Kind | None = metafunc.config.getoption("database")
        both = [Kind.SQLITE, pytest.param(Kind.POSTGRESQL, marks=pytest.mark.thorough)]
        metafunc.parametrize("database_kind", both if chosen is None else [chosen], indirect=True)


@pytest.fixture(autouse=True)
def database_kind(request: pytest.FixtureRequest) -> Iterator[Kind]:
    """Choose the database of a test: that which it is about, if it is about one alone."""
    marked = next((kind for kind in Kind if request.node.get_closest_marker(kind)), None)
    kind: Kind = getattr(request, "param", marked or request.config.getoption("database") or Kind.SQLITE)
    with on(kind):
        yield kind


@pytest.fixture
def url(tmp_path: Path, database_kind: Kind) -> str:
    """Return the address of an empty database."""
    return new_database(tmp_path / "deadwood.db")


def pytest_configure(config: pytest.Config) -> None:
    """Configure pytest-xdist, if it is there, and the log.

    The locals that structlog would print of an error here are whole matches, so tracebacks are plain.
    """
    settings.register_profile("suite", max_examples=USUAL, deadline=None)
    settings.register_profile("nightly", max_examples=200, deadline=None)
    settings.load_profile("nightly" if _names_nightly(config) else "suite")
    is_worker = hasattr(config, "workerinput")
    report: Path | None = None if is_worker else config.getoption("cpu_times")
    # The limits are for SQLite, where most tests run by day.
    limited = not _names_nightly(config) and config.getoption("database") is not Kind.POSTGRESQL
    config.pluginmanager.register(Tiers(report=report, limited=limited))
    # Not in `addopts`, which would not work without pytest-xdist: give each worker one test at a time.
    if hasattr(config.option, "maxschedchunk"):
        config.option.maxschedchunk = 1
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers for each processor, since long tests often wait; for quick ones as many as processors."""
    return (os.cpu_count() or 1) * (1 if "not thorough" in config.option.markexpr else 2)


@pytest.fixture(scope="session", autouse=True)
def eager_workers() -> Iterator[None]:
    """Let the worker processes think at once: beside tests that keep the processors busy, nice ones would starve."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(worker_process, "NICENESS", 0)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once what could not be checked on this machine."""
    if not openapi_path().is_file():
        terminalreporter.write_line(
            f"The bot's requests were not checked against Discord's OpenAPI description: there is no {openapi_path()}. "
            "It is in https://github.com/discord/discord-api-spec, and DISCORD_OPENAPI may name its place."
        )


def _names_nightly(config: pytest.Config) -> bool:
    selection: str = config.option.markexpr
    return "nightly" in selection.replace("not nightly", "")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave nightly tests out of any selection that does not name them, and put the others into a good order.

    Those of PostgreSQL are thorough unless it was chosen. `-m ""` selects everything.
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
    # What was imported stays. Without looking through all of it again and again, the tests need a sixth less time.
    gc.enable()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, 20, 20)


def _place(item: pytest.Item) -> tuple[int, int]:
    """Return where a test comes: the proofs first, which take longest, then the other long ones, well mixed.

    Those that wait for something run beside those that keep a processor busy, and none of them is the last to end.
    """
    if "proof" in item.path.parts or item.get_closest_marker("whole_process"):
        return 0, 0
    return (1, crc32(item.nodeid.encode())) if item.get_closest_marker("thorough") else (2, 0)
