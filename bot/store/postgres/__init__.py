"""PostgreSQL: a database that several processes share. Everything that holds for it alone is in this package."""

from bot.store.postgres.database import PostgresDatabase

__all__ = ("PostgresDatabase",)
