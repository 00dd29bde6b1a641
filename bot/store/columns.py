"""Column types that mean the same on SQLite and on PostgreSQL.

SQLite's STRICT tables take INTEGER, TEXT, REAL and BLOB only, so everything else is mapped onto these there.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import BigInteger, Boolean, Dialect, Integer, Text, TypeDecorator

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

SNOWFLAKE: Final = BigInteger().with_variant(Integer, "sqlite")
"""A Discord id: 64 bits."""


class Moment(TypeDecorator[datetime]):
    """An aware UTC time, stored as whole milliseconds since 1970."""

    impl = BigInteger().with_variant(Integer, "sqlite")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Return the milliseconds since 1970."""
        return None if value is None else (value - _EPOCH) // _MILLISECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Return the time in UTC."""
        return None if value is None else _EPOCH + value * _MILLISECOND


class Flag(TypeDecorator[bool]):
    """True or False: 1 or 0 on SQLite, whose STRICT tables have no BOOLEAN, a boolean elsewhere."""

    impl = Boolean().with_variant(Integer, "sqlite")
    cache_ok = True

    def process_result_value(self, value: Any | None, dialect: Dialect) -> bool | None:
        """Return the truth value."""
        return None if value is None else bool(value)


class AsText(TypeDecorator[Any]):
    """A value stored as its text, such as a member of an enumeration; `read` makes it of the text again."""

    impl = Text
    cache_ok = True

    def __init__(self, read: Callable[[str], Any]) -> None:
        super().__init__()
        self.read = read

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Return the text."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Return the value."""
        return None if value is None else self.read(value)


class Words(AsText):
    """Ids or names without spaces, stored as one text with spaces between them; `read` makes each of its word again."""

    def process_bind_param(self, value: tuple[Any, ...] | None, dialect: Dialect) -> str | None:
        """Return the words in one text."""
        return None if value is None else " ".join(map(str, value))

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[Any, ...] | None:
        """Return the words, each read."""
        return None if value is None else tuple(map(self.read, value.split()))
