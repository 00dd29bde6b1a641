"""Numbers in words: plurals and signs."""

from __future__ import annotations


def count(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun. By default, the plural is the singular with an s."""
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"


def ordinal(place: int) -> str:
    """Return a place below 11 as people write it: `1st`, `4th`."""
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def signed(number: int) -> str:
    """Return a number with its sign; zero has none."""
    return f"{number:+,}".replace("-", "−") if number else "0"
