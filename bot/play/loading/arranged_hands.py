"""Arranged hands in the database: a text with the number of the deal, so that they end with it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat
from bot.engine.errors import NotationError
from bot.engine.matches.match import Match
from bot.model.appearance import ArrangedCards
from bot.store.rows import SeatRow


def arranged_cards(match: Match, row: SeatRow) -> ArrangedCards:
    """Return a player's cards in the order in which they arranged them in the deal in play; empty if they did not."""
    number, _, cards = (row.arranged or "").partition(" ")
    if not number or number != str(match.deal_of(Seat(row.seat)).number):
        return ()
    try:
        return tuple(map(Card.parse, cards.split()))
    except NotationError:
        return ()


def stored_cards(match: Match, seat: Seat, cards: Sequence[Card]) -> str | None:
    """Return arranged cards as they are stored. None for no cards."""
    return " ".join((str(match.deal_of(seat).number), *(card.text for card in cards))) if cards else None
