"""Positions of a match: what a seat that is to act may know, taken from the match's views."""

from __future__ import annotations

from bot.engine.lay_offs import remaining_hand
from bot.engine.match import Match, legal
from bot.engine.moves import Seat
from bot.engine.views import moves_of, public_view, showdown_view
from bot.opponent.position import PastDeal, Position


def position_of(match: Match, seat: Seat, past: tuple[PastDeal, ...]) -> Position:
    """Return the position of a seat that is to act, after deals that are over.

    It is what `Position.of` makes of the seat's view, without what that takes time to work out.
    """
    deal = match.deal_of(seat)
    hand = remaining_hand(deal, deal.turn)
    return Position.seen(public_view(match, deal.board), seat, hand, deal.new_card, legal(match, seat), past)


def past_deals(match: Match, first: int = 0) -> tuple[PastDeal, ...]:
    """Return the deals of a match that are over, as their showdowns and moves showed them, from a place on."""
    return tuple(
        PastDeal.of(showdown_view(match, deal.number, deal.board), moves_of(deal)) for deal in match.finished[first:]
    )
