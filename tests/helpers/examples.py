"""How many examples a test with generated ones tries that take longer than usual."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

USUAL: Final = 15
"""How many are tried in the suite by default; see `tests.conftest`."""


def examples(few: int, *, at_night: int | None = None) -> settings:
    """Return settings for so few examples by day. At night there are more, by default in the usual proportion."""
    usual = settings().max_examples
    if at_night is not None and usual != USUAL:
        return settings(max_examples=at_night, deadline=None)
    return settings(max_examples=few * usual // USUAL, deadline=None)
