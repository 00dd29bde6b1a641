"""Statements that are compiled once.

Every move runs some statements several times. SQLAlchemy takes longer to recognize a statement and to convert its
values than SQLite takes to run it, so these statements are compiled to SQL when they are first used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Boolean, Dialect, SelectBase, UpdateBase
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

from bot.store.columns import EncodedType

Row = Mapping[Any, Any]
"""A row of a result: its values by the names of the columns."""


class Statement:
    """A statement that is compiled once for each dialect. A list as a parameter needs `bot.store.columns.is_listed`."""

    def __init__(self, build: Callable[[str], SelectBase | UpdateBase], columns: Collection[str] = ()) -> None:
        """`build` returns the statement for a dialect, given its name.

        `columns` are the columns of an INSERT or UPDATE whose values are parameters of the same names.
        """
        self._build = build
        self._columns = list(columns) or None
        self._compiled: dict[str, CompiledStatement] = {}

    def compiled(self, dialect: Dialect) -> CompiledStatement:
        """Return the compiled statement for a dialect."""
        found = self._compiled.get(dialect.name)
        if found is None:
            statement = self._build(dialect.name)
            # An INSERT is compiled for several rows, or else it would return the new ids.
            is_write = self._columns is not None
            compiler = statement.compile(None, dialect, column_keys=self._columns, for_executemany=is_write)
            assert isinstance(compiler, SQLCompiler)
            found = self._compiled[dialect.name] = CompiledStatement.of(statement, compiler)
        return found


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter of a compiled statement: the name under which its value is given, or a constant."""

    name: str | None
    write: Callable[[Any], Any] | None
    constant: Any = None


@dataclass(frozen=True, slots=True)
class CompiledStatement:
    """SQL with positional parameters, and the conversions of its parameters and of its rows."""

    sql: str
    parameters: tuple[_Parameter, ...]
    columns: tuple[str, ...]
    readers: tuple[tuple[str, Callable[[Any], Any]], ...]

    @staticmethod
    def of(statement: SelectBase | UpdateBase, compiler: SQLCompiler) -> CompiledStatement:
        """Return a statement that SQLAlchemy has compiled."""
        binds = compiler.binds
        parameters = [
            _Parameter(name, _writer(binds[name].type))
            if binds[name].required
            else _Parameter(None, None, _written(binds[name].type, binds[name].effective_value))
            for name in compiler.positiontup or ()
        ]
        if isinstance(statement, SelectBase):
            types = [(str(column.key), column.type) for column in statement.selected_columns]
        else:
            types = [(str(column["name"]), column["type"]) for column in statement.returning_column_descriptions]
        names = [name for name, _ in types]
        found = [(name, read) for name, column_type in types if (read := _reader(column_type)) is not None]
        return CompiledStatement(compiler.string, tuple(parameters), tuple(names), tuple(found))

    def positional(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the positional parameters for some values. Raise `KeyError` if one is missing."""
        return tuple(
            [
                parameter.constant
                if parameter.name is None
                else values[parameter.name]
                if parameter.write is None or values[parameter.name] is None
                else parameter.write(values[parameter.name])
                for parameter in self.parameters
            ]
        )

    def rows(self, results: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
        """Return the rows of the driver's result."""
        found = [dict(zip(self.columns, result, strict=True)) for result in results]
        for row in found:
            for name, read in self.readers:
                if row[name] is not None:
                    row[name] = read(row[name])
        return found


_PLAIN_READERS: Final[Mapping[type[TypeEngine[Any]], Callable[[Any], Any]]] = {Boolean: bool}


def _writer(column_type: TypeEngine[Any]) -> Callable[[Any], Any] | None:
    return column_type.write if isinstance(column_type, EncodedType) else None


def _written(column_type: TypeEngine[Any], value: Any) -> Any:
    write = _writer(column_type)
    return value if write is None or value is None else write(value)


def _reader(column_type: TypeEngine[Any]) -> Callable[[Any], Any] | None:
    return column_type.read if isinstance(column_type, EncodedType) else _PLAIN_READERS.get(type(column_type))
