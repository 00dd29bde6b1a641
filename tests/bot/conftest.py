"""What tests of the process as a whole change and must put back."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
import structlog

from bot import logs
from tests.helpers.databases import template
from tests.helpers.living import never_defer

__all__ = ["never_defer"]


@pytest.fixture(scope="session", autouse=True)
def migrated() -> None:
    """Make the empty database that all others are copies of, so that no single test has to."""
    template()


@pytest.fixture
def unchanged_logging() -> Iterator[None]:
    """Whatever sets logging up in a test, it is as before afterwards."""
    root = logging.getLogger()
    handlers, level, before = list(root.handlers), root.level, structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("bot", "cogs", "cardart", "alembic"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    structlog.configure(**before)


@pytest.fixture
def log(unchanged_logging: None) -> StringIO:
    """All that is logged at DEBUG, as a host would read it."""
    stream = StringIO()
    logs.set_up("DEBUG", stream)
    return stream


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unchanged_logging: None) -> None:
    """An empty working directory, and nothing set."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("DISCORD_", "DEADWOOD_"))]:
        monkeypatch.delenv(name)
