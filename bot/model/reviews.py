"""Reviews of finished deals, as shown to the people who played them."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bot.engine.deals.moves import ENDS_OF_TURNS, Seat
from bot.engine.errors import GinError
from bot.engine.matches.views import SeatView, ShowdownView
from bot.model.matches import MatchInfo
from bot.opponent.review.reviews import Review, Verdict, review_from_json


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice that cost points: its deal, the player's view before it, and the verdict."""

    deal: ShowdownView
    view: SeatView
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The cost of a player's choices in one deal of a match, or in all deals that ended with hands laid down.

    `deals` are in the order in which they ended, and `reviews` has one entry for each of them. `mistakes` are the
    costliest choices, worst first. `whole_match` is True if the review covers all deals. `reviewable` is the number of
    deals of the match that the player can review so far.
    """

    match: MatchInfo
    seat: Seat
    deals: tuple[ShowdownView, ...]
    reviews: tuple[Review, ...]
    mistakes: tuple[Mistake, ...]
    whole_match: bool
    reviewable: int

    @property
    def total(self) -> Review:
        """The reviews of all deals combined."""
        return Review.sum(self.reviews)


def stored_review(text: str) -> Review | None:
    """Parse a stored review; return None if it is in another format."""
    try:
        return review_from_json(json.loads(text))
    except (GinError, KeyError, TypeError, ValueError):
        return None


def turn_number(view: SeatView) -> int:
    """Return the number of a player's turn in the deal, from 1. Passes on the upcard belong to the first one."""
    return 1 + sum(move.seat == view.seat and move.verb in ENDS_OF_TURNS for move in view.public.history)
