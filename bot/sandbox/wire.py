"""JSON as it travels: the types and the exact content type that clients compare."""

import json
from dataclasses import dataclass
from typing import Any, cast

Json = dict[str, Any]
"""One JSON object."""


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a multipart request; `index` is the n of its field `files[n]`."""

    index: int
    filename: str
    content: bytes


def dumps(value: object) -> str:
    """Write compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def rows(value: object) -> list[Json]:
    """Give the objects in a JSON list; anything else counts as an empty list."""
    if not isinstance(value, list):
        return []
    return [cast(Json, row) for row in cast(list[object], value) if isinstance(row, dict)]


def mapping(value: object) -> Json:
    """Give a JSON object; anything else counts as an empty one."""
    return cast(Json, value) if isinstance(value, dict) else {}


def number(value: object) -> int | None:
    """Read a snowflake or an integer that may be written as text; None when it is neither."""
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isdecimal() else None
