"""The levels of the computer player."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """The levels, from the weakest."""

    NOVICE = "novice"
    CASUAL = "casual"
    STRONG = "strong"
    EXPERT = "expert"


MISJUDGED: Final = {Level.NOVICE: 3.3, Level.CASUAL: 2.15, Level.STRONG: 1.25, Level.EXPERT: 0.0}
"""By how many points each level misjudges a move, as the scale of a Gumbel distribution."""
