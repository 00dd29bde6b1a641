"""Fixtures for tests of the whole process, which restore the global state that a test changes."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
import structlog

from bot.hosting import logs
from tests.helpers.databases import template
from tests.helpers.living import independent_of_speed

__all__ = ["independent_of_speed"]


@pytest.fixture(scope="session", autouse=True)
def template_database() -> None:
    """Create the migrated template database that all other test databases are copied from."""
    template()


@pytest.fixture
def restored_logging() -> Iterator[None]:
    """Restore the logging configuration after the test."""
    root = logging.getLogger()
    handlers, level, structlog_config = list(root.handlers), root.level, structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("bot", "cogs", "cardart", "alembic"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    structlog.configure(**structlog_config)


@pytest.fixture
def log(restored_logging: None) -> StringIO:
    """Set up logging at DEBUG and return the stream that collects the output."""
    stream = StringIO()
    logs.set_up("DEBUG", stream)
    return stream


@pytest.fixture
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, restored_logging: None) -> None:
    """Use an empty working directory and an environment without the bot's settings."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("DISCORD_", "DEADWOOD_"))]:
        monkeypatch.delenv(name)
