"""JSON values: a type for objects, and lenient readers for values that a client sent."""

import json
from typing import Any, cast

Json = dict[str, Any]


def dumps(value: object) -> str:
    """Encode a value as compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def as_objects(value: object) -> list[Json]:
    """Return the objects in a JSON list, or an empty list if the value is not a list."""
    if not isinstance(value, list):
        return []
    return [cast(Json, item) for item in cast(list[object], value) if isinstance(item, dict)]


def as_object(value: object) -> Json:
    """Return the value if it is a JSON object, otherwise an empty object."""
    return cast(Json, value) if isinstance(value, dict) else {}


def as_int(value: object) -> int | None:
    """Convert an integer or a string of digits, such as a snowflake, to an int. Return None for other values."""
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isdecimal() else None
