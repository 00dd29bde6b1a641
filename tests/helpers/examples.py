"""The number of examples for slow Hypothesis tests."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

USUAL: Final = 15
"""The suite's default number of examples; see `tests.conftest`."""


def examples(few: int, *, at_night: int | None = None) -> settings:
    """Return settings with this many examples by day. Nightly runs scale them up unless `at_night` is given."""
    usual = settings().max_examples
    if at_night is not None and usual != USUAL:
        return settings(max_examples=at_night, deadline=None)
    return settings(max_examples=few * usual // USUAL, deadline=None)
