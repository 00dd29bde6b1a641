"""Declarations of personal data: which columns hold it, where an export has it, and how it is deleted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy.schema import Column

_KEY: Final = "personal"


class Forgotten(StrEnum):
    """The treatment of a column when a person is forgotten."""

    ROW = "the row is removed"
    FIELD = "the field is emptied"
    NAMELESS = "stays, and nothing says whose it is"


@dataclass(frozen=True, slots=True)
class Personal:
    """A column that holds a person's identity, actions or texts.

    `exported` is its key in an export, such as "person.name". None if exports do not contain it.
    """

    exported: str | None
    forgotten: Forgotten


def personal(exported: str | None, forgotten: Forgotten) -> dict[str, Personal | None]:
    """Return the `info` of a column with personal data."""
    return {_KEY: Personal(exported, forgotten)}


IMPERSONAL: Final[dict[str, Personal | None]] = {_KEY: None}
"""The `info` of a column without personal data."""


def declaration(column: Column[Any]) -> Personal | None:
    """Return a column's declaration. None if it is impersonal. Raise `KeyError` if the column has no declaration."""
    return column.info[_KEY]
