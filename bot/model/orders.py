"""Standing orders: moves that a player asks for in advance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import DRAW, PASS
from bot.model.people import Preferences


@dataclass(frozen=True, slots=True)
class Orders:
    """A player's orders for the start of their next turn in a deal.

    With `passes`, pass the upcard; with `draws`, draw from the stock; but do neither if the card on offer helps. With
    `asks`, do not draw, even if the player prefers that. `takes` are the cards to take from the discard pile; with
    `fits`, take each card that makes or extends a meld and breaks no other one. `ran` is True if the bot made the
    player's last move for them.
    """

    passes: bool = False
    draws: bool = False
    asks: bool = False
    takes: tuple[Card, ...] = ()
    fits: bool = False
    ran: bool = False

    @staticmethod
    def parse(words: Iterable[str]) -> Orders:
        """Parse orders: cards in notation, and words for the other fields. Raise `NotationError` for other words."""
        orders = NO_ORDERS
        for word in words:
            if word == _PASS:
                orders = replace(orders, passes=True)
            elif word == _DRAW:
                orders = replace(orders, draws=True)
            elif word == _ASK:
                orders = replace(orders, asks=True)
            elif word == _FIT:
                orders = replace(orders, fits=True)
            elif word == _RAN:
                orders = replace(orders, ran=True)
            else:
                orders = replace(orders, takes=(*orders.takes, Card.parse(word)))
        return orders

    @property
    def words(self) -> tuple[str, ...]:
        """The orders in the form that `parse` reads."""
        chosen = [_PASS] * self.passes + [_DRAW] * self.draws + [_ASK] * self.asks
        return *chosen, *[_FIT] * self.fits, *(card.text for card in self.takes), *[_RAN] * self.ran

    @property
    def wanted(self) -> Orders:
        """The orders alone, without `ran`."""
        return replace(self, ran=False)

    def draws_for(self, preferences: Preferences) -> bool:
        """Return True if these orders, or the preferences of the player who gave them, ask for a draw."""
        return self.draws or (preferences.draws_for_me and not self.asks)


class Planned(StrEnum):
    """The outcome of a player's orders, or of the preference to draw for them."""

    DONE = "done"
    """The bot made the player's last move: it began their present turn, or it was a pass."""
    LEFT = "left"
    """The bot left the choice to the player, because the card on offer helps them."""
    MISSED = "missed"
    """The bot took nothing, because the player did not order the card on offer."""


NO_ORDERS: Final = Orders()
_PASS: Final = str(PASS)
_DRAW: Final = str(DRAW)
_ASK: Final = "ask"
_FIT: Final = "fit"
_RAN: Final = "ran"
