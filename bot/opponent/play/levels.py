"""The levels of the computer player."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """The levels, weakest first."""

    NOVICE = "novice"
    CASUAL = "casual"
    STRONG = "strong"
    EXPERT = "expert"


LEVEL_NOISE: Final = {Level.NOVICE: 3.3, Level.CASUAL: 2.15, Level.STRONG: 1.25, Level.EXPERT: 0.0}
"""The noise in each level's judgement of a move: the scale of a Gumbel distribution, in points."""
