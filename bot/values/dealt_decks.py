"""A report of how fair the dealt decks look."""

from __future__ import annotations

from dataclasses import dataclass

from bot.luck.decks import PValues


@dataclass(frozen=True, slots=True)
class CommittedMatches:
    """The numbers of matches that began with a commitment, and of those among them in play, and called off."""

    begun: int
    in_play: int
    called_off: int


@dataclass(frozen=True, slots=True)
class DecksReport:
    """The number of decks there were to test, what the tests say (None if they were too few), and the matches."""

    decks: int
    found: PValues | None
    committed: CommittedMatches
