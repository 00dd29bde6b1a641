"""The services on a database of their own, with a clock that stands still and chance that does as told."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.play.application import Application
from bot.store import connect
from bot.store.database import Database
from bot.store.migrate import migrate
from bot.store.sqlite import lock_beside
from tests.helpers.chance import GIN_AT_ONCE, RiggedShuffler
from tests.helpers.clock import Clock
from tests.helpers.messages import Post
from tests.helpers.table import Players


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an empty database once: copying it is quicker than running the migrations for every test."""
    path = tmp_path_factory.mktemp("empty") / "deadwood.db"
    migrate(path)
    return path


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare commits the wait for the disk: nothing here is about power cuts, and there are thousands of commits."""
    pragmas: tuple[str, ...] = vars(connect)["_PRAGMAS"]
    hasty = tuple(pragma.replace("synchronous=FULL", "synchronous=OFF") for pragma in pragmas)
    monkeypatch.setattr(connect, "_PRAGMAS", hasty)


@pytest.fixture
async def database(empty: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """Open an empty database, which needs no migration, and close it."""
    path = tmp_path / "deadwood.db"
    shutil.copy(empty, path)
    opened = Database(f"sqlite:///{path}", lock_beside(path), connect.writer_of(path), connect.reader_of(path))
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> Clock:
    """Give the clock of the app."""
    return Clock()


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the services; every deal can be won at once by who acts first."""
    return Application(database, chance=RiggedShuffler(*[GIN_AT_ONCE] * 30), clock=clock)


@pytest.fixture
def players(app: Application) -> Players:
    """Have North and South ready to play."""
    return Players(app)


@pytest.fixture
def post(app: Application) -> Post:
    """Have somebody deliver the messages."""
    return Post(app)
