"""The cards that the picture of a step shows."""

from __future__ import annotations

from bot.engine.cards import Card
from bot.engine.melds import Arrangement
from bot.lesson.lesson import Position


def visible_cards(position: Position) -> set[Card]:
    """Return the cards of both hands that are laid down; else the learner's, the top of the pile, and a knocker's."""
    public, showdown = position.hand.public, position.showdown
    if showdown is not None:
        return {*(one.card for one in showdown.outcome.lay_offs)}.union(*map(_cards, showdown.outcome.hands))
    knocker = set[Card]() if public.knock is None else _cards(public.knock.laid)
    return {*position.hand.hand, *public.discards[-1:], *knocker}


def _cards(laid: Arrangement) -> set[Card]:
    return {*laid.unmatched, *(card for meld in laid.melds for card in meld.cards)}
