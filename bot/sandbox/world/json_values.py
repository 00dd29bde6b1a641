"""JSON values: their type, and lenient readers for values that a client sent."""

import json
from typing import Any, cast

Json = dict[str, Any]
"""One JSON object."""


def dumps(value: object) -> str:
    """Encode a value as compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def as_objects(value: object) -> list[Json]:
    """Return the objects in a JSON list, or an empty list for anything else."""
    if not isinstance(value, list):
        return []
    return [cast(Json, item) for item in cast(list[object], value) if isinstance(item, dict)]


def as_object(value: object) -> Json:
    """Return a JSON object, or an empty one for anything else."""
    return cast(Json, value) if isinstance(value, dict) else {}


def as_int(value: object) -> int | None:
    """Return a snowflake or integer, which may be written as text, or None for anything else."""
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isdecimal() else None
