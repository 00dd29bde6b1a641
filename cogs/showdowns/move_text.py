"""The worth of moves in words, for hints and reviews."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Move, Verb
from bot.model.words import count
from bot.opponent.play.advice import AdvisedMove
from cardart.text.card_names import CardNames
from cogs.words.cards import melds

NEARLY_EQUAL: Final = 0.5
"""Difference in average points below which two moves count as equally good."""

MUCH_SAVED: Final = 10
"""Number of points of deadwood from which a saving is not called small."""


def points(number: float) -> str:
    """Format a rounded number of points, at least one: `1 point`, `12 points`."""
    return count(max(round(number), 1), "point")


def points_of_deadwood(move: AdvisedMove) -> str:
    """Format the deadwood that a move leaves: `12 points of deadwood`."""
    return f"{count(move.deadwood, 'point')} of deadwood"


def saving(number: int) -> str:
    """Format points of deadwood that a card saves: `only 3 points`, `12 points`."""
    return points(number) if number >= MUCH_SAVED else f"only {points(number)}"


def whole_turn(advised: AdvisedMove, top: Card | None, names: CardNames) -> str:
    """Format a move as an instruction for the whole turn: `Take 5♣ and discard K♦`. `top` is the face-up card."""
    if advised.move.verb is Verb.TAKE and advised.then is not None and top is not None:
        then = _imperative(advised.then, names, is_gin=advised.is_gin)
        return f"Take {names.short(top)} and {then[0].lower()}{then[1:]}"
    return _imperative(advised.move, names, is_gin=advised.is_gin)


def balance(number: float, gain: str, lose: str) -> str:
    """Format a gain or loss with the matching verb: `gains 3 points`, `loses 3 points`, `gains nothing`."""
    if abs(number) < NEARLY_EQUAL:
        return f"{gain} nothing"
    return f"{gain} {points(number)}" if number > 0 else f"{lose} {points(-number)}"


def percent(share: float) -> str:
    """Format a fraction as a percentage: `40%`."""
    rounded = round(share * 100)
    return f"{rounded}%" if rounded else "almost 0%"


def _imperative(move: Move, names: CardNames, *, is_gin: bool) -> str:
    """Format a move as an instruction: `Take`, `Discard K♦`, `Go gin with K♦`."""
    card = "" if move.card is None else names.short(move.card)
    return {
        Verb.DRAW: "Draw",
        Verb.TAKE: "Take",
        Verb.PASS: "Pass",
        Verb.DISCARD: f"Discard {card}",
        Verb.KNOCK: f"Go gin with {card}" if is_gin else f"Knock with {card}",
        Verb.BIG_GIN: "Go big gin",
        Verb.LAY_OFF: f"Lay off {card}" + (f" on {melds(move.melds, names)}" if move.melds else ""),
        Verb.DONE: "Lay off no more cards",
    }.get(move.verb, str(move))
