"""Fixtures for every proof."""

from tests.helpers.living import never_defer

__all__ = ["never_defer"]
