"""The reasons for the best move. Hints and reviews share them and put them into their own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.moves import TAKE, Verb
from bot.engine.views import SeatView
from bot.opponent.advice import Advised

SAFER: Final = 0.08
"""Minimum difference in the probability that the next player can use a discard, to be given as the reason."""
BETTER_DRAWS: Final = 0.04
"""Minimum difference in the probability of going out with the next card, to be given as the reason."""


class Kind(StrEnum):
    """The kinds of reasons."""

    BIG_GIN = "big_gin"
    GIN = "gin"
    KNOCK = "knock"
    """Knocking is worth more than the alternative."""
    PLAY_ON = "play_on"
    """Playing on is worth more than knocking."""
    LEAST_LEFT = "least_left"
    """Another discard leaves more deadwood."""
    GOES_OUT = "goes_out"
    """After another discard, fewer cards let the player go out."""
    SAFE = "safe"
    """Another discard is more likely to help the next player."""
    MELDS = "melds"
    """Another discard would break up a potential meld."""
    TAKE_FOR_GIN = "take_for_gin"
    TAKE_TO_KNOCK = "take_to_knock"
    TAKE_LOWERS = "take_lowers"
    """Taking the card lowers the deadwood."""
    TAKE_FITS = "take_fits"
    """Taking the card does not lower the deadwood but helps anyway."""
    ENDLESS = "endless"
    """The deal is so long that the player should only draw."""
    NO_KNOCK = "no_knock"
    """Taking the card would make a knock possible, but playing on without it is worth more."""
    SHOWS = "shows"
    """Taking the card lowers the deadwood, but reveals the cards that the player collects."""
    USELESS = "useless"
    """Taking the card does not lower the deadwood."""
    LAY_OFF = "lay_off"
    """Nothing else leaves less deadwood in answer to a knock."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for the best move compared with another one, which is the best move itself if there is no other.

    `deadwood` is the deadwood of the hand before the move.
    """

    kind: Kind
    best: Advised
    other: Advised
    deadwood: int

    @staticmethod
    def of(view: SeatView, best: Advised, others: Sequence[Advised]) -> Reason:
        """Find the reason to prefer `best` to the other moves, which are sorted, best first. Requires a real choice."""
        kind, other = _chosen(view, best, others)
        return Reason(kind, best, other, view.arrangement.deadwood)


def _chosen(view: SeatView, best: Advised, others: Sequence[Advised]) -> tuple[Kind, Advised]:
    match best.move.verb:
        case Verb.BIG_GIN:
            return Kind.BIG_GIN, best
        case Verb.KNOCK if best.left == 0:
            return Kind.GIN, best
        case Verb.KNOCK:
            return Kind.KNOCK, _first(others, Verb.DISCARD) or _first(others, Verb.KNOCK) or best
        case Verb.DISCARD:
            knock = _first(others, Verb.KNOCK)
            return _discarding(best, others) if knock is None else (Kind.PLAY_ON, knock)
        case Verb.TAKE:
            return _taking(view, best), best
        case Verb.DRAW | Verb.PASS:
            return _leaving(view, _first(others, Verb.TAKE) or Advised(TAKE, best.worth))
        case _:
            return Kind.LAY_OFF, best


def _first(others: Sequence[Advised], verb: Verb) -> Advised | None:
    return next((one for one in others if one.move.verb is verb), None)


def _discarding(best: Advised, others: Sequence[Advised]) -> tuple[Kind, Advised]:
    """Return the reason for a discard, and the alternative: one of the other discards that leave the least deadwood."""
    discards = [one for one in others if one.move.verb is Verb.DISCARD] or [best]
    least = min(discards, key=lambda one: one.left)
    if best.left < least.left:
        return Kind.LEAST_LEFT, least
    rivals = [one for one in discards if one.left == least.left]
    fewest = min(rivals, key=lambda one: one.goes_out)
    if best.goes_out > fewest.goes_out + BETTER_DRAWS and all(best.goes_out >= one.goes_out for one in rivals):
        return Kind.GOES_OUT, fewest
    riskiest = max(rivals, key=lambda one: one.danger)
    if best.danger < riskiest.danger - SAFER and all(best.danger <= one.danger for one in rivals):
        return Kind.SAFE, riskiest
    return Kind.MELDS, least


def _taking(view: SeatView, best: Advised) -> Kind:
    if best.then is not None and best.then.verb is Verb.KNOCK:
        return Kind.TAKE_TO_KNOCK if best.left else Kind.TAKE_FOR_GIN
    return Kind.TAKE_LOWERS if best.left < view.arrangement.deadwood else Kind.TAKE_FITS


def _leaving(view: SeatView, take: Advised) -> tuple[Kind, Advised]:
    """Return the reason not to take a card. If the evaluation did not consider taking it, `take.then` is None."""
    if take.then is None:
        return Kind.ENDLESS, take
    if take.then.verb is Verb.KNOCK:
        return Kind.NO_KNOCK, take
    return Kind.SHOWS if take.left < view.arrangement.deadwood else Kind.USELESS, take
