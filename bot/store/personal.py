"""Personal data, column by column: how it is exported, and what becomes of it when somebody is forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy.schema import Column

_KEY: Final = "personal"


class Forgotten(StrEnum):
    """The fate of a column when a person is forgotten."""

    ROW = "the row is removed"
    FIELD = "the field is emptied"
    NAMELESS = "stays, and nothing says whose it is"


@dataclass(frozen=True, slots=True)
class Personal:
    """A column that holds a person, or what they did or wrote.

    `exported` is where an export has it, such as "person.name"; None if it has it nowhere.
    """

    exported: str | None
    forgotten: Forgotten


def personal(exported: str | None, forgotten: Forgotten) -> dict[str, Personal | None]:
    """Return the `info` of a column that holds a person, or what they did or wrote."""
    return {_KEY: Personal(exported, forgotten)}


IMPERSONAL: Final[dict[str, Personal | None]] = {_KEY: None}
"""The `info` of a column that holds nothing of people."""


def declaration(column: Column[Any]) -> Personal | None:
    """Return what a column holds of people. Raise `KeyError` if it does not say."""
    return column.info[_KEY]
