"""What is told of how fair the dealt decks look."""

from __future__ import annotations

from dataclasses import dataclass

from bot.luck.decks import PValues


@dataclass(frozen=True, slots=True)
class CommittedMatches:
    """How many matches began with a commitment, and how many of them are in play, or were called off."""

    begun: int
    in_play: int
    called_off: int


@dataclass(frozen=True, slots=True)
class DecksReport:
    """How many decks there were to test, what the tests say (None where they were too few), and the matches."""

    decks: int
    found: PValues | None
    committed: CommittedMatches
