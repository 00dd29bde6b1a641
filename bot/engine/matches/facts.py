"""Facts derived from views, for texts and pictures."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from bot.engine.cards.cards import DECK, Card, Suit
from bot.engine.cards.melds import Meld, best_arrangement, joins_meld, least_deadwood
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import LayOff, OutcomeKind
from bot.engine.matches.scoring import Score
from bot.engine.matches.views import (
    VERBS_WITHIN_TURNS,
    DiscardChoice,
    KnockView,
    PublicMove,
    PublicView,
    SeatView,
    ShowdownView,
)
from bot.engine.rules import Rules

CELEBRATED_OUTCOMES: Final = frozenset((OutcomeKind.GIN, OutcomeKind.BIG_GIN, OutcomeKind.UNDERCUT))
"""Outcomes that are celebrated, because they are better than a knock."""


def meld_in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return a meld's cards in order of rank, but with an ace after a king, as in Q-K-A or K-A-2."""
    ordered = tuple(sorted(cards))
    for index, (card, next_card) in enumerate(pairwise(ordered), 1):
        if next_card.rank - card.rank > 1:
            return ordered[index:] + ordered[:index]
    return ordered


def laid_off_on(meld: Meld, lay_offs: Iterable[LayOff]) -> dict[Card, Seat]:
    """Return the cards laid off on a meld, each with the seat that laid it off."""
    return {lay_off.card: lay_off.seat for lay_off in lay_offs if lay_off.meld == meld}


def open_knock(view: PublicView) -> KnockView | None:
    """Return the knock that is being answered; None in any other phase."""
    return view.knock if view.phase is Phase.LAY_OFF else None


def seats_at_table(view: PublicView) -> tuple[Seat, ...]:
    """Return the seats to show at a table: all of them, or only those of the board if there are several boards."""
    return tuple(Seat(seat) for seat in range(len(view.hand_sizes)) if view.boards == 1 or seat in view.seats)


def face_down_count(view: PublicView, seat: Seat) -> int:
    """Return the number of face-down cards of a seat that has not knocked: its hand without the cards it laid off."""
    knock = open_knock(view)
    lay_offs = () if knock is None else knock.lay_offs
    return view.hand_sizes[seat] - sum(lay_off.seat == seat for lay_off in lay_offs)


def last_turn(view: PublicView, seat: Seat) -> tuple[PublicMove, ...]:
    """Return the moves of a seat's last turn in this deal, in order. The turn may still continue.

    Return `()` if the seat has not moved yet.
    """
    moves = [move for move in view.history if move.seat == seat]
    first = len(moves) - 1
    while first > 0 and moves[first - 1].verb in VERBS_WITHIN_TURNS:
        first -= 1
    return tuple(moves[max(0, first) :])


def is_match_over(view: PublicView) -> bool:
    return view.score.is_over or view.forfeit is not None


def has_won(view: PublicView, seat: Seat) -> bool:
    """Return True if the match is over and the seat is on the winning side."""
    return is_match_over(view) and view.score.winner == side_index(seat, view.sides)


def piles_on_offer(view: PublicView) -> tuple[bool, bool]:
    """Return two booleans: the first is True if the top of the stock is on offer, the second if the top discard is.

    At the wall (when the stock has run out), the discard is always on offer, because it is secret whether the player
    can go out with it.
    """
    if view.phase is not Phase.DRAW:
        return False, view.phase in (Phase.OFFER, Phase.WALL)
    was_refused = view.rules.opening == "offer" and bool(view.history) and view.history[-1].verb is Verb.PASS
    return True, not was_refused


def counts_double(view: PublicView) -> bool:
    return view.rules.spade_doubles and view.upcard.suit is Suit.SPADES


def side_index(seat: Seat, sides: Iterable[tuple[Seat, ...]]) -> int:
    """Return the index of a seat's side in `sides` and in the tuples of the score."""
    return next(index for index, side in enumerate(sides) if seat in side)


def places(rules: Rules, score: Score) -> tuple[int, ...]:
    """Return the place of each of three or more sides at the end of a match, from 1. Equal sides share a place."""
    sides = range(len(score.scores))
    if rules.format == "penalty":
        best_first = [(score.scores[side], -score.deals_won[side]) for side in sides]
    else:
        best_first = [(-score.totals[side], -score.scores[side], -score.deals_won[side]) for side in sides]
    sort_keys = [(side != score.winner, *best_first[side]) for side in sides]
    order = sorted(sort_keys)
    return tuple(1 + order.index(sort_key) for sort_key in sort_keys)


def side_points(rules: Rules, score: Score, side: int) -> tuple[int, ...]:
    """Return a side's points towards the target: one number for each game or, after the match, the total.

    Before the end, a line bonus counts only if the rules credit it at once.
    """
    if score.is_over:
        return (score.totals[side],)
    at_once = rules.line_credit == "at_once"
    return tuple(game.scores[side] + (game.line[side] if at_once else 0) for game in score.columns or (score,))


def knock_choices(view: SeatView) -> list[DiscardChoice]:
    """Return the discards that allow a knock, sorted by the deadwood that they leave."""
    return sorted(
        (discard_choice for discard_choice in view.discard_choices if discard_choice.can_knock),
        key=lambda choice: choice.deadwood,
    )


def best_lay_offs(view: SeatView) -> tuple[LayOff, ...]:
    """Return the lay-offs of the best answer to a knock; none if the seat is not answering a knock."""
    return () if view.best_response is None else view.best_response.lay_offs


def has_laid_off(view: SeatView) -> bool:
    """Return True if the seat has laid off cards on the knock that is being answered."""
    knock = view.public.knock
    return knock is not None and any(lay_off.seat == view.seat for lay_off in knock.lay_offs)


def can_take(view: SeatView) -> bool:
    return any(move.verb is Verb.TAKE for move in view.moves)


def fits_meld(view: SeatView, card: Card) -> bool:
    """Return True if a card would make or extend a meld of a hand."""
    return joins_meld(card, view.hand, view.public.rules.aces)


def adds_to_melds(view: SeatView, card: Card) -> bool:
    """Return True if a hand with a card would have more cards in melds than before.

    A card that fits only by breaking another meld usually does not.
    """
    aces = view.public.rules.aces
    before, after = best_arrangement(view.hand, aces), best_arrangement(view.hand + card, aces)
    return len(after.unmatched) <= len(before.unmatched)


def helps(view: SeatView, card: Card) -> bool:
    """Return True if a card from the discard pile would make or extend a meld of a hand, or make a knock possible."""
    aces, hand = view.public.rules.aces, view.hand + card
    if fits_meld(view, card):
        return True
    return any(least_deadwood(hand - other, aces) <= view.public.knock_limit for other in view.hand)


def cards_for_melds(view: SeatView) -> list[Card]:
    """Return the cards that would make or extend a meld of a hand, and that may still come to the discard pile."""
    gone = view.public.discards if view.public.phase is not Phase.OFFER else view.public.discards[:-1]
    may_come = (card for card in DECK if card not in view.hand and card not in gone)
    return [card for card in may_come if fits_meld(view, card)]


def least_deadwood_left(view: SeatView) -> int | None:
    """Return the least deadwood that a legal discard leaves; None if no discard reduces the deadwood."""
    leaves = (choice.deadwood for choice in view.discard_choices if choice.is_allowed or choice.can_knock)
    least = min(leaves, default=view.arrangement.deadwood)
    return least if least < view.arrangement.deadwood else None


def is_urgent(view: SeatView) -> bool:
    """Return True if the hand's owner can end the deal now."""
    can_go_out = view.public.phase is Phase.WALL and can_take(view)
    return can_go_out or view.can_go_big_gin or bool(knock_choices(view))


def knocker_first(view: ShowdownView) -> tuple[Seat, ...]:
    """Return the seats of a deal in playing order, starting with the knocker if there is one."""
    knocker = view.outcome.knocker
    first = 0 if knocker is None else view.seats.index(knocker)
    return view.seats[first:] + view.seats[:first]


def sitting_out(view: ShowdownView) -> list[Seat]:
    """Return the seats that sat the deal out. With several boards nobody sits out: every seat plays on some board."""
    if view.boards > 1:
        return []
    return [seat for side in view.sides for seat in side if seat not in view.seats]
