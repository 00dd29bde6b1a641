"""The cards in the picture of a lesson step."""

from __future__ import annotations

from bot.engine.cards.cards import Card
from bot.engine.cards.melds import Arrangement
from bot.lesson.lesson import LessonPosition


def visible_cards(position: LessonPosition) -> set[Card]:
    """Return the cards that the picture of a step shows.

    After a deal, these are both hands and the lay-offs; during a deal, the learner's hand, the top discard and a
    knocker's hand.
    """
    public, showdown = position.hand.public, position.showdown
    if showdown is not None:
        return {*(lay_off.card for lay_off in showdown.outcome.lay_offs)}.union(*map(_cards, showdown.outcome.hands))
    knocker = set[Card]() if public.knock is None else _cards(public.knock.arrangement)
    return {*position.hand.hand, *public.discards[-1:], *knocker}


def _cards(arrangement: Arrangement) -> set[Card]:
    return {*arrangement.unmatched, *(card for meld in arrangement.melds for card in meld.cards)}
