"""Fixtures for all tests in this folder."""

from tests.helpers.living import independent_of_speed

__all__ = ["independent_of_speed"]
