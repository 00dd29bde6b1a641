"""What is told of how fair the dealt decks look."""

from __future__ import annotations

from dataclasses import dataclass

from bot.luck.decks import PValues


@dataclass(frozen=True, slots=True)
class DecksReport:
    """How many decks there were to test, and what the tests say; None where they were too few."""

    decks: int
    found: PValues | None
