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


@pytest.fixture
def unchanged_logging() -> Iterator[None]:
    """Whatever sets logging up in a test, it is as before afterwards."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("bot", "cogs", "cardart", "alembic"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    structlog.reset_defaults()


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
