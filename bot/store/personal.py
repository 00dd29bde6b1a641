"""Declarations of personal data: which columns hold it, where an export contains it, and how it is deleted."""

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
    NAMELESS = "kept, without a link to the person"


@dataclass(frozen=True, slots=True)
class Personal:
    """The declaration of a column that holds a person's identity, actions or texts.

    `exported` is the column's key in an export, such as "person.name". None if exports do not contain it.
    """

    exported: str | None
    forgotten: Forgotten


def personal(exported: str | None, forgotten: Forgotten) -> dict[str, Personal | None]:
    """Return the `info` of a column with personal data."""
    return {_KEY: Personal(exported, forgotten)}


IMPERSONAL: Final[dict[str, Personal | None]] = {_KEY: None}
"""The `info` of a column without personal data."""


def personal_data(column: Column[Any]) -> Personal | None:
    """Return a column's declaration. None if the column is impersonal. Raise `KeyError` if nothing is declared."""
    return column.info[_KEY]
