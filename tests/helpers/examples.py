"""The number of examples for slow Hypothesis tests."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

DEFAULT_EXAMPLES: Final = 15
"""Default number of Hypothesis examples, except in nightly runs; see `tests.conftest`."""


def examples(count: int, *, nightly: int | None = None) -> settings:
    """Return Hypothesis settings with `count` examples.

    A nightly run has `nightly` examples instead. Without `nightly`, it has a multiple of `count`.
    """
    default = settings().max_examples
    if nightly is not None and default != DEFAULT_EXAMPLES:
        return settings(max_examples=nightly, deadline=None)
    return settings(max_examples=count * default // DEFAULT_EXAMPLES, deadline=None)
