"""A report on the randomness of dealt decks."""

from __future__ import annotations

from dataclasses import dataclass

from bot.luck.decks import PValues


@dataclass(frozen=True, slots=True)
class CommittedMatches:
    """The number of matches that began with a commitment, and how many of them are in play or were called off."""

    begun: int
    in_play: int
    called_off: int


@dataclass(frozen=True, slots=True)
class DecksReport:
    """The number of tested decks, the test results, and the numbers of matches as in `CommittedMatches`.

    `p_values` is None if there were too few decks.
    """

    decks: int
    p_values: PValues | None
    committed: CommittedMatches
