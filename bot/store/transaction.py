"""The type of a database transaction."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

Transaction = AsyncConnection
"""The first parameter of every query function in this package."""
