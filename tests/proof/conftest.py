"""Fixtures for all tests in this folder."""

from tests.helpers.living import never_defer

__all__ = ["never_defer"]
