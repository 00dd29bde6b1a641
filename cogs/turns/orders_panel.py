"""A waiting player's standing orders for their next turn, and the menu to give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from discord import SelectOption

from bot.engine.deals.moves import Verb
from bot.engine.deals.phase import Phase
from bot.engine.matches.facts import cards_for_melds, fits_meld
from bot.model.matches import OwnHand
from bot.model.orders import NO_ORDERS, Orders, Planned
from cardart.text.card_names import CardNames, card_names
from cogs.actions import Action
from cogs.kit.components import MENU_SIZE, button, menu
from cogs.kit.layout import Fact, Item, WithButton
from cogs.words.names import joined

ON_NEXT_TURN: Final = "On your next turn …"

_PASS: Final = Orders(passes=True)
_DRAW: Final = Orders(draws=True)
_ASK: Final = Orders(asks=True)
_FITS: Final = Orders(fits=True)


def given_orders(shown: OwnHand) -> tuple[Fact | None, ...]:
    """Return what became of a player's orders, and the orders for their next turn with a button to take them back."""
    match, names = shown.match, card_names(shown.preferences.appearance.language)
    outcome = None if shown.planned is None else f"-# {_outcome(shown, shown.planned, names)}"
    is_offer = _may_pass(shown)
    # The preference to draw has no effect on an upcard that the player can still take or pass.
    prefers = shown.orders.draws_for(shown.preferences) and not is_offer
    orders = replace(shown.orders, draws=shown.orders.draws or prefers, passes=shown.orders.passes and is_offer)
    if shown.next_turn is None or orders == NO_ORDERS:
        return (outcome,)
    waiting = f"On your next turn: {orders_in_words(orders, names)}."
    if shown.orders == NO_ORDERS:
        return outcome, waiting
    undo = button(match.id, match.version, Action.UNDO_ORDERS, "Undo", argument=shown.next_turn)
    return outcome, WithButton(waiting, undo)


def _outcome(shown: OwnHand, planned: Planned, names: CardNames) -> str:
    """Say what became of orders."""
    public, new_card = shown.view.public, shown.view.new_card
    if planned is Planned.LEFT and public.top is not None:
        helps = "fits a meld" if fits_meld(shown.view, public.top) else "lets you knock"
        return f"I left this turn to you: the {names.short(public.top)} {helps}."
    if planned is Planned.MISSED and public.top is not None:
        return f"Your order doesn't cover the {names.short(public.top)}, so it's your choice."
    if new_card is None:
        return "I passed the upcard for you."
    verb = "took" if public.history[-1].verb is Verb.TAKE else "drew"
    return f"I {verb} {names.short(new_card)} for you."


def orders_in_words(orders: Orders, names: CardNames) -> str:
    """Return orders as the end of a sentence."""
    return "; ".join(_clauses(orders, names))


def _clauses(orders: Orders, names: CardNames) -> Iterator[str]:
    if orders.fits:
        yield "take any card that fits a meld"
    if orders.takes:
        yield f"take {joined([names.short(card) for card in orders.takes], 'or')} if it comes"
    if orders.passes:
        yield "pass the upcard unless it helps you"
    if orders.draws:
        yield "draw unless the discard helps you"
    if orders.asks:
        yield "no automatic draw"


def _may_pass(shown: OwnHand) -> bool:
    """Return True if the player has not passed the upcard yet and may still be offered it."""
    public = shown.view.public
    return public.phase is Phase.OFFER and all(move.seat != shown.view.seat for move in public.history)


def orders_menu(shown: OwnHand) -> Item | None:
    """Return the menu of orders that a waiting player can give; None if they can give none."""
    if shown.next_turn is None:
        return None
    match, view, names = shown.match, shown.view, card_names(shown.preferences.appearance.language)
    offered = [(_PASS, "Pass the upcard", "Unless it fits a meld or lets you knock")] if _may_pass(shown) else []
    if shown.preferences.draws_for_me:
        offered.append((_ASK, "Let me choose", "Don't draw for me this time"))
    else:
        offered.append((_DRAW, "Draw from the stock", "Unless the discard fits a meld or lets you knock"))
    cards = cards_for_melds(view)
    if cards:
        offered.append(
            (_FITS, "Take any card that fits a meld", "Unless it breaks another meld or would only let you knock")
        )
    offered += [(Orders(takes=(card,)), f"Take {names.short(card)} if it comes", "") for card in cards]
    given = shown.orders.words
    options = [
        SelectOption(label=label, value=word, description=about or None, default=word in given)
        for order, label, about in offered[:MENU_SIZE]
        for word in order.words
    ]
    if not options:
        return None
    return menu(
        match.id,
        match.version,
        Action.GIVE_ORDERS,
        ON_NEXT_TURN,
        options,
        argument=shown.next_turn,
        max_values=len(options),
    )
