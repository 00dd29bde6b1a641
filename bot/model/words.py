"""Numbers in words: plurals and signs."""

from __future__ import annotations


def count(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun. By default, the plural is the singular with an s."""
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"


def signed(number: int) -> str:
    """Return a number with its sign; zero has none."""
    return f"{number:+,}".replace("-", "−") if number else "0"
