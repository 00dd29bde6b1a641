"""Column types that work the same on SQLite and PostgreSQL.

SQLite's STRICT tables accept only INTEGER, TEXT, REAL and BLOB, so all other types are mapped to these.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    REAL,
    BigInteger,
    Boolean,
    ColumnElement,
    Dialect,
    Double,
    Integer,
    LargeBinary,
    Text,
    TypeDecorator,
    bindparam,
    cast,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from bot.engine.rules import OPTIONS, Rules
from bot.model.clocks import Clock

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


class EncodedType(TypeDecorator[Any]):
    """A column type for values that are stored in a simpler form. `write` encodes a value, and `read` decodes it."""

    impl = TypeEngine
    cache_ok = True

    def __init__(self, impl: TypeEngine[Any], write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        super().__init__()
        self.impl, self.write, self.read = impl, write, read

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Encode a value. None becomes NULL."""
        return None if value is None else self.write(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Decode a stored value. NULL becomes None."""
        return None if value is None else self.read(value)


SNOWFLAKE: Final = BigInteger().with_variant(Integer, "sqlite")
"""A Discord id: 64 bits."""

MOMENT: Final = EncodedType(
    SNOWFLAKE, write=lambda time: (time - _EPOCH) // _MILLISECOND, read=lambda number: _EPOCH + number * _MILLISECOND
)
"""An aware UTC time, stored as whole milliseconds since 1970."""

FLAG: Final = EncodedType(Boolean().with_variant(Integer, "sqlite"), write=bool, read=bool)
"""A boolean. On SQLite, whose STRICT tables have no BOOLEAN, it is stored as 1 or 0."""

BYTES: Final = LargeBinary()
"""Bytes: BLOB on SQLite, BYTEA on PostgreSQL."""

FLOAT: Final = Double[float]().with_variant(REAL, "sqlite")
"""A 64-bit float, as in Python, so that values round-trip."""


@lru_cache(maxsize=256)
def parse_stored_rules(text: str) -> Rules:
    """Parse rules that were stored as text.

    Options that the text omits have the defaults of `Rules`, so later changes to a preset have no effect.
    """
    preset, *options = text.split()
    pairs = (option.split("=") for option in options)
    values: dict[str, Any] = {name: OPTIONS[name].parse(value) for name, value in pairs}
    return Rules(**values, preset=preset)


DAY: Final = EncodedType(Integer(), write=date.toordinal, read=date.fromordinal)
"""A day, stored as the number of days since the beginning of year 1."""

CLOCK: Final = EncodedType(Text(), write=str, read=lru_cache(maxsize=64)(Clock.parse))
"""A clock, stored in its text form."""

SPAN: Final = EncodedType(SNOWFLAKE, write=lambda span: span // _MILLISECOND, read=lambda number: number * _MILLISECOND)
"""A duration, stored in whole milliseconds."""

RULES: Final = EncodedType(Text(), write=str, read=parse_stored_rules)
"""Rules, stored in their full text form."""


TEXTS: Final = EncodedType(Text(), write=lambda items: json.dumps([str(item) for item in items]), read=json.loads)
"""A collection of values, given as JSON with their texts. It is only used for parameters: see `is_listed`."""


class _Elements(FunctionElement[str]):
    """The texts in a parameter of the type `TEXTS`."""

    inherit_cache = True


@compiles(_Elements, "sqlite")
def _elements_on_sqlite(elements: _Elements, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT value FROM json_each({compiler.process(elements.clauses, **options)}))"


@compiles(_Elements, "postgresql")
def _elements_on_postgresql(elements: _Elements, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT jsonb_array_elements_text(CAST({compiler.process(elements.clauses, **options)} AS JSONB)))"


def is_listed(value: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Return the condition that the text of a value is in the collection that is given as a parameter.

    Unlike the condition of `in_`, it has the same SQL for any number of values.
    """
    elements: Any = _Elements(bindparam(name, type_=TEXTS))
    return cast(value, Text).op("IN", is_comparison=True)(elements)


def enum_type(enum: type[StrEnum]) -> EncodedType:
    """Return the column type for an enum, whose members are stored as text."""
    return EncodedType(Text(), write=str, read=enum)


def tuple_type(read: Callable[[str], Any]) -> EncodedType:
    """Return the column type for a tuple of ids or names without spaces, stored as one space-separated text."""
    return EncodedType(
        Text(), write=lambda items: " ".join(map(str, items)), read=lambda text: tuple(map(read, text.split()))
    )
