"""The cards in the picture of a lesson step."""

from __future__ import annotations

from bot.engine.cards import Card
from bot.engine.melds import Arrangement
from bot.lesson.lesson import Position


def visible_cards(position: Position) -> set[Card]:
    """Return both hands and the lay-offs after a deal; else the learner's hand, the top discard and a knocked hand."""
    public, showdown = position.hand.public, position.showdown
    if showdown is not None:
        return {*(one.card for one in showdown.outcome.lay_offs)}.union(*map(_cards, showdown.outcome.hands))
    knocker = set[Card]() if public.knock is None else _cards(public.knock.laid)
    return {*position.hand.hand, *public.discards[-1:], *knocker}


def _cards(laid: Arrangement) -> set[Card]:
    return {*laid.unmatched, *(card for meld in laid.melds for card in meld.cards)}
