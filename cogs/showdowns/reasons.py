"""The reasons for the best move, shared by hints and reviews. Each has its own wording for the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.melds import best_arrangement
from bot.engine.deals.moves import TAKE, Verb
from bot.engine.matches.views import SeatView
from bot.opponent.play.advice import AdvisedMove

MIN_SAFETY_DIFFERENCE: Final = 0.08
"""Minimum difference for the reason `SAFE`, in the probability that a discard helps the next player."""
MIN_DRAW_DIFFERENCE: Final = 0.04
"""Minimum difference for the reason `GOES_OUT`, in the probability that the next card lets the player go out."""

MAX_GAP: Final = 2
"""Maximum difference between the ranks of two cards of a run of three."""


class Kind(StrEnum):
    """The kinds of reasons for the best move. "The other discard" is compared with the best discard."""

    BIG_GIN = "big_gin"
    GIN = "gin"
    KNOCK = "knock"
    """Knocking is worth more than the alternative."""
    PLAY_ON = "play_on"
    """Playing on is worth more than knocking."""
    LEAST_LEFT = "least_left"
    """The best discard leaves less deadwood than the other discard."""
    GOES_OUT = "goes_out"
    """After the best discard, more cards let the player go out than after the other discard."""
    SAFE = "safe"
    """The best discard is less likely than the other discard to help the next player."""
    MELDS = "melds"
    """The best discard keeps a potential meld that the other discard would break up."""
    BETTER = "better"
    """The move does better on average, for no reason that is easy to see."""
    TAKE_FOR_GIN = "take_for_gin"
    TAKE_TO_KNOCK = "take_to_knock"
    TAKE_LOWERS = "take_lowers"
    """Taking the card lowers the deadwood."""
    TAKE_FITS = "take_fits"
    """Taking the card does not lower the deadwood but helps anyway."""
    ENDLESS = "endless"
    """The deal is already so long that the player should always draw from the stock."""
    NO_KNOCK = "no_knock"
    """Taking the card would make a knock possible, but playing on without it is worth more."""
    SHOWS = "shows"
    """Taking the card lowers the deadwood, but reveals the cards that the player collects."""
    SAVES_LITTLE = "saves_little"
    """Taking the card lowers the deadwood, but it fits no other card of the hand."""
    USELESS = "useless"
    """Taking the card does not lower the deadwood."""
    LAY_OFF = "lay_off"
    """No other answer to the knock leaves less deadwood."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for the best move. `other` is the move to compare `best` with, or `best` if there is no such move.

    `deadwood` is the deadwood of the hand before the move.
    """

    kind: Kind
    best: AdvisedMove
    other: AdvisedMove
    deadwood: int

    @staticmethod
    def of(view: SeatView, best: AdvisedMove, others: Sequence[AdvisedMove]) -> Reason:
        """Find the reason to prefer `best` to `others`. At least two moves must be legal.

        `others` must be in order of worth, the best of them first.
        """
        kind, other = _find_reason(view, best, others)
        return Reason(kind, best, other, view.arrangement.deadwood)


def _find_reason(view: SeatView, best: AdvisedMove, others: Sequence[AdvisedMove]) -> tuple[Kind, AdvisedMove]:
    match best.move.verb:
        case Verb.BIG_GIN:
            return Kind.BIG_GIN, best
        case Verb.KNOCK if best.is_gin:
            return Kind.GIN, best
        case Verb.KNOCK:
            return Kind.KNOCK, _first_with_verb(others, Verb.DISCARD) or _first_with_verb(others, Verb.KNOCK) or best
        case Verb.DISCARD:
            knock = _first_with_verb(others, Verb.KNOCK)
            return _discarding(view, best, others) if knock is None else (Kind.PLAY_ON, knock)
        case Verb.TAKE:
            return _taking(view, best), best
        case Verb.DRAW | Verb.PASS:
            return _not_taking(view, _first_with_verb(others, Verb.TAKE) or AdvisedMove(TAKE, best.worth))
        case _:
            return Kind.LAY_OFF, best


def _first_with_verb(others: Sequence[AdvisedMove], verb: Verb) -> AdvisedMove | None:
    return next((other for other in others if other.move.verb is verb), None)


def _discarding(view: SeatView, best: AdvisedMove, others: Sequence[AdvisedMove]) -> tuple[Kind, AdvisedMove]:
    """Return the reason for a discard, and the discard that it is compared with: one that leaves the least deadwood."""
    discards = [other for other in others if other.move.verb is Verb.DISCARD] or [best]
    least = min(discards, key=lambda discard: discard.deadwood)
    if best.deadwood < least.deadwood:
        return Kind.LEAST_LEFT, least
    rivals = [discard for discard in discards if discard.deadwood == least.deadwood]
    fewest = min(rivals, key=lambda rival: rival.goes_out)
    if best.goes_out > fewest.goes_out + MIN_DRAW_DIFFERENCE and all(
        best.goes_out >= rival.goes_out for rival in rivals
    ):
        return Kind.GOES_OUT, fewest
    riskiest = max(rivals, key=lambda rival: rival.danger)
    if best.danger < riskiest.danger - MIN_SAFETY_DIFFERENCE and all(best.danger <= rival.danger for rival in rivals):
        return Kind.SAFE, riskiest
    assert least.move.card is not None
    return Kind.MELDS if _fits(least.move.card, view.hand) else Kind.BETTER, least


def _taking(view: SeatView, best: AdvisedMove) -> Kind:
    if best.then is not None and best.then.verb is Verb.KNOCK:
        return Kind.TAKE_TO_KNOCK if best.deadwood else Kind.TAKE_FOR_GIN
    if best.deadwood < view.arrangement.deadwood:
        return Kind.TAKE_LOWERS
    top = view.public.top
    return Kind.TAKE_FITS if top is not None and _fits(top, view.hand) else Kind.BETTER


def _not_taking(view: SeatView, take: AdvisedMove) -> tuple[Kind, AdvisedMove]:
    """Return the reason not to take a card, and the move `take`. If taking was not evaluated, `take.then` is None."""
    if take.then is None:
        return Kind.ENDLESS, take
    if take.then.verb is Verb.KNOCK:
        return Kind.NO_KNOCK, take
    take = replace(take, deadwood=_least_after_taking(view))
    if take.deadwood >= view.arrangement.deadwood:
        return Kind.USELESS, take
    top = view.public.top
    return Kind.SHOWS if top is not None and _fits(top, view.hand) else Kind.SAVES_LITTLE, take


def _least_after_taking(view: SeatView) -> int:
    """Return the least deadwood after taking the face-up card and discarding another one."""
    top, aces = view.public.top, view.public.rules.aces
    assert top is not None
    return min(best_arrangement(view.hand + top - card, aces).deadwood for card in view.hand)


def _fits(card: Card, hand: Iterable[Card]) -> bool:
    """Return True if a card can form a meld with another card of a hand: one of its rank, or near it in its suit."""
    return any(
        other is not card
        and (other.rank == card.rank or (other.suit is card.suit and abs(other.rank - card.rank) <= MAX_GAP))
        for other in hand
    )
