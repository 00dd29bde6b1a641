"""Positions read directly from matches and deals: everything that the player to move may know."""

from __future__ import annotations

from bot.engine.deals.deal import Deal
from bot.engine.deals.lay_offs import remaining_hand
from bot.engine.deals.moves import Seat
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import legal_moves
from bot.engine.matches.formats import FORMATS
from bot.engine.matches.match import Match
from bot.engine.matches.views import KnockView, public_moves, showdown_view
from bot.opponent.play.position import PastDeal, Position


def position_of(match: Match, seat: Seat, past: tuple[PastDeal, ...]) -> Position:
    """Return the game position from the view of a seat whose turn it is, given the finished deals of the match."""
    return position_in(match.deal_of(seat), match.seats, match.score.scores, past)


def position_in(deal: Deal, seats: int, score: tuple[int, ...], past: tuple[PastDeal, ...]) -> Position:
    """Return the game position from the view of the player to move in a deal. `seats` is the match's number of seats.

    The result equals `Position.of` for the seat's view, without the cost of creating the view.
    """
    seat, rules = deal.seats[deal.turn], deal.rules
    sizes = {other: len(hand) for other, hand in zip(deal.seats, deal.hands, strict=True)}
    knock = deal.knock if deal.phase is Phase.LAY_OFF else None
    return Position(
        rules=rules,
        number=deal.number,
        seats=deal.seats,
        seat=seat,
        side=next(side for side, members in enumerate(FORMATS[rules.format].sides(seats)) if seat in members),
        score=score,
        phase=deal.phase,
        hand=remaining_hand(deal, deal.turn),
        new_card=deal.new_card,
        upcard=deal.upcard,
        discards=deal.discards,
        stock=len(deal.stock),
        hand_sizes=tuple(sizes.get(Seat(other), 0) for other in range(seats)),
        knock_limit=deal.knock_limit,
        knock=None if knock is None else KnockView(deal.seats[knock.index], knock.arrangement, knock.lay_offs),
        history=public_moves(deal),
        past=past,
        moves=legal_moves(deal),
    )


def past_deals(match: Match, first: int = 0) -> tuple[PastDeal, ...]:
    """Return the finished deals of a match from index `first` on, with their public results and moves."""
    return tuple(
        PastDeal.of(showdown_view(match, deal.number, deal.board), public_moves(deal))
        for deal in match.finished[first:]
    )
