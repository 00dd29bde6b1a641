"""Reviews of finished deals, as the people who played them see them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.moves import Seat
from bot.engine.views import SeatView, ShowdownView
from bot.opponent.reviews import Review, Verdict
from bot.values.matches import MatchInfo


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice that cost points: the deal it was made in, what the player saw then, and what is thought of it."""

    deal: ShowdownView
    view: SeatView
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a player's choices cost in a deal, or in all deals of a match that were laid down.

    `reviews` has one for each of `deals`, in the order in which they ended, and `mistakes` are the costliest choices of
    all, the worst first. `whole_match` is True if this is about all deals.
    """

    match: MatchInfo
    seat: Seat
    deals: tuple[ShowdownView, ...]
    reviews: tuple[Review, ...]
    mistakes: tuple[Mistake, ...]
    whole_match: bool

    @property
    def total(self) -> Review:
        """The reviews of all deals as one."""
        return Review.sum(self.reviews)
