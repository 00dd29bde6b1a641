"""Reviews of finished deals, as shown to the people who played them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.deals.moves import Seat
from bot.engine.matches.views import SeatView, ShowdownView
from bot.model.matches import MatchInfo
from bot.opponent.review.reviews import Review, Verdict


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
    costliest choices, worst first. `whole_match` is True if the review covers all deals.
    """

    match: MatchInfo
    seat: Seat
    deals: tuple[ShowdownView, ...]
    reviews: tuple[Review, ...]
    mistakes: tuple[Mistake, ...]
    whole_match: bool

    @property
    def total(self) -> Review:
        """The reviews of all deals combined."""
        return Review.sum(self.reviews)
