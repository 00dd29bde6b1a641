"""A connection beside those of the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
import pytest


@pytest.fixture
async def host(url: str) -> AsyncIterator[Any]:
    """Return a connection of somebody who looks after the server."""
    driver: Any = asyncpg
    connection = await driver.connect(url)
    yield connection
    await connection.close()
