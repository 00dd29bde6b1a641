"""What the pictures and their words both work out from the views."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from bot.engine.cards import Card, Hand, Suit
from bot.engine.deal import Phase
from bot.engine.melds import Meld
from bot.engine.moves import Seat, Verb
from bot.engine.rules import Rules
from bot.engine.scoring import Score
from bot.engine.showdown import LayOff, OutcomeKind
from bot.engine.views import KnockView, PublicView, SeatView, ShowdownView

CELEBRATED: Final = frozenset((OutcomeKind.GIN, OutcomeKind.BIG_GIN, OutcomeKind.UNDERCUT))
"""The ends of a deal that are more than a knock."""
SUITS: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS)
"""The suits as a hand is sorted by them: black and red in turn."""


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """A meld's cards as they are laid down: by rank, but a run with its ace high begins after its gap, as Q-K-A."""
    ordered = tuple(sorted(cards))
    for place, (one, other) in enumerate(pairwise(ordered), 1):
        if other.rank - one.rank > 1:
            return ordered[place:] + ordered[:place]
    return ordered


def sorted_hand(hand: Hand, order: str) -> tuple[Card, ...]:
    """The cards of a hand by `suit`, or else by rank."""
    if order == "suit":
        return tuple(card for suit in SUITS for card in hand if card.suit is suit)
    return tuple(hand)


def laid_off_on(meld: Meld, lay_offs: Iterable[LayOff]) -> dict[Card, Seat]:
    """The cards laid off on a meld, and by whom."""
    return {one.card: one.seat for one in lay_offs if one.meld == meld}


def open_knock(view: PublicView) -> KnockView | None:
    """The knock that is being answered, with its melds face up; None at any other time."""
    return view.knock if view.phase is Phase.LAY_OFF else None


def stations(view: PublicView) -> tuple[Seat, ...]:
    """The seats to be seen at a table: all, or where there are several boards those of this one."""
    return tuple(Seat(seat) for seat in range(len(view.hand_sizes)) if view.boards == 1 or seat in view.order)


def face_down(view: PublicView, seat: Seat) -> int:
    """How many cards a seat that has not knocked holds in its hand."""
    knock = open_knock(view)
    off = () if knock is None else knock.lay_offs
    return view.hand_sizes[seat] - sum(one.seat == seat for one in off)


def counts_double(view: PublicView) -> bool:
    """Whether the upcard doubles what the deal is worth."""
    return view.rules.spade_doubles and view.upcard.suit is Suit.SPADES


def side_of(seat: Seat, sides: Iterable[tuple[Seat, ...]]) -> int:
    """A seat's place in the score's tuples."""
    return next(place for place, side in enumerate(sides) if seat in side)


def points(rules: Rules, score: Score, side: int) -> tuple[int, ...]:
    """What a side stands at: its points towards the target, of each game where three are played; its total at the end.

    A line bonus counts before the end only where it is credited at once.
    """
    if score.over:
        return (score.totals[side],)
    at_once = rules.line_credit == "at_once"
    return tuple(game.scores[side] + (game.line[side] if at_once else 0) for game in score.columns or (score,))


def best_lay_offs(view: SeatView) -> tuple[LayOff, ...]:
    """What the best answer to a knock lays off; nothing for who is not to answer one."""
    return () if view.best_response is None else view.best_response.lay_offs


def can_take(view: SeatView) -> bool:
    """Whether the seat may take the last discard now."""
    return any(move.verb is Verb.TAKE for move in view.moves)


def from_knocker(view: ShowdownView) -> tuple[Seat, ...]:
    """The players of a deal in turn, the knocker first."""
    knocker = view.outcome.knocker
    first = 0 if knocker is None else view.seats.index(knocker)
    return view.seats[first:] + view.seats[:first]


def sitting_out(view: ShowdownView) -> list[Seat]:
    """Who sat the deal out; with several boards nobody does, since the others play at another."""
    if view.boards > 1:
        return []
    return [seat for side in view.sides for seat in side if seat not in view.seats]
