"""PostgreSQL, which several processes can share. All code that is specific to it is in this package."""

from bot.store.postgres.database import PostgresDatabase

__all__ = ("PostgresDatabase",)
