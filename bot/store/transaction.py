"""What queries run in."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

Transaction = AsyncConnection
"""What the query functions of this package take first."""
