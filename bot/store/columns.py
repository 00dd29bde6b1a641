"""Column types that mean the same on SQLite and on PostgreSQL.

SQLite's STRICT tables take INTEGER, TEXT, REAL and BLOB only, so everything else is mapped onto these there.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import REAL, BigInteger, Boolean, Dialect, Double, Integer, LargeBinary, Text, TypeDecorator
from sqlalchemy.types import TypeEngine

from bot.engine.rules import OPTIONS, Rules
from bot.values.clocks import Clock

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


class Stored(TypeDecorator[Any]):
    """A value that is stored as a simpler one: `write` makes that of it, and `read` the value of that again."""

    impl = TypeEngine
    cache_ok = True

    def __init__(self, impl: TypeEngine[Any], write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        super().__init__()
        self.impl, self.write, self.read = impl, write, read

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return what is stored; NULL for None."""
        return None if value is None else self.write(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return the value; None for NULL."""
        return None if value is None else self.read(value)


SNOWFLAKE: Final = BigInteger().with_variant(Integer, "sqlite")
"""A Discord id: 64 bits."""

MOMENT: Final = Stored(
    SNOWFLAKE, write=lambda time: (time - _EPOCH) // _MILLISECOND, read=lambda number: _EPOCH + number * _MILLISECOND
)
"""An aware UTC time, stored as whole milliseconds since 1970."""

FLAG: Final = Stored(Boolean().with_variant(Integer, "sqlite"), write=bool, read=bool)
"""True or False: 1 or 0 on SQLite, whose STRICT tables have no BOOLEAN, a boolean elsewhere."""

BYTES: Final = LargeBinary()
"""Bytes: BLOB on SQLite, BYTEA elsewhere."""

FLOAT: Final = Double[float]().with_variant(REAL, "sqlite")
"""A number with the 64 bits that it has in Python, so that it comes back as the same."""


@lru_cache(maxsize=256)
def stored_rules(text: str) -> Rules:
    """Read rules that were stored as text.

    The text names every option that differs from version 1 of the defaults, and is read from those: later changes to a
    preset do not matter.
    """
    preset, *options = text.split()
    pairs = (option.split("=") for option in options)
    values: dict[str, Any] = {name: OPTIONS[name].parse(value) for name, value in pairs}
    return Rules(**values, preset=preset)


CLOCK: Final = Stored(Text(), write=str, read=lru_cache(maxsize=64)(Clock.parse))
"""A clock, stored as its text."""

SPAN: Final = Stored(SNOWFLAKE, write=lambda span: span // _MILLISECOND, read=lambda number: number * _MILLISECOND)
"""A length of time, stored as whole milliseconds."""

RULES: Final = Stored(Text(), write=str, read=stored_rules)
"""Rules, stored as their full text."""


def member(members: type[StrEnum]) -> Stored:
    """Return the type of a member of an enumeration, stored as its text."""
    return Stored(Text(), write=str, read=members)


def words(read: Callable[[str], Any]) -> Stored:
    """Return the type of ids or names without spaces, stored as one text with spaces between them."""
    return Stored(Text(), write=lambda many: " ".join(map(str, many)), read=lambda text: tuple(map(read, text.split())))
