"""Rules as they are stored with a challenge, a match or a house rule."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from bot.engine.rules import OPTIONS, Rules


@lru_cache(maxsize=256)
def stored_rules(text: str) -> Rules:
    """Read rules that were stored as text.

    The text names every option that differs from version 1 of the defaults, and is read from those: later changes to a
    preset do not matter.
    """
    preset, *options = text.split()
    pairs = (option.split("=") for option in options)
    values: dict[str, Any] = {name: OPTIONS[name].parse(value) for name, value in pairs}
    return Rules(**values, preset=preset)
