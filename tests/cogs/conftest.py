"""Logging for tests that make the bot fail on purpose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True, scope="package")
def _plain_tracebacks() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Write tracebacks without the variables, whose printing would hold up the loop for seconds."""
    console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, console])
    yield
    structlog.reset_defaults()
