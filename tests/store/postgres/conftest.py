"""Fixture for a connection to PostgreSQL that is independent of the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.helpers.postgres import connected


@pytest.fixture
async def host(url: str) -> AsyncIterator[Any]:
    """Return an administrator's connection to the server."""
    async with connected(url) as connection:
        yield connection
