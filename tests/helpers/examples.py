"""How many examples a test with generated ones tries that take longer than usual."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

USUAL: Final = 15
"""How many are tried in the suite by default; see `tests.conftest`."""


def examples(few: int) -> settings:
    """Return settings for so few examples in the suite, and at night for more in the same proportion as elsewhere."""
    return settings(max_examples=few * settings().max_examples // USUAL, deadline=None)
