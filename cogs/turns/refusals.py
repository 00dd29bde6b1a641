"""Texts for refused moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.cards.cards import Card, Rank, Suit
from bot.engine.deals.phase import Phase
from bot.engine.matches.facts import knock_choices
from bot.model.ids import PersonId
from bot.model.matches import OwnHand
from bot.play import refusals as why
from cardart.text.card_names import CardNames, card_names
from cogs.delivery.refusals import fill
from cogs.words.names import joined, name
from cogs.words.table import top

_ANSWER_FIRST: Final = "Answer the knock first: `/gin layoff` lays off a card, *all* or *nothing*."
_ONLY_TO_GO_OUT: Final = (
    "The stock is used up: you may take the {top} only to knock or go gin with it. Otherwise use `/gin pass`."
)
_ILLEGAL_IN_PHASE: Final[Mapping[tuple[str, Phase], str]] = {
    ("wall", Phase.WALL): _ONLY_TO_GO_OUT,
    ("no-gin", Phase.WALL): _ONLY_TO_GO_OUT,
    ("no-gin", Phase.LAY_OFF): _ANSWER_FIRST,
    ("no-gin", Phase.OFFER): "You need a new card to go gin: take the {top} with `/gin take`, or `/gin pass`.",
    ("no-gin", Phase.DRAW): (
        "You need a new card to go gin: `/gin draw` from the stock, or `/gin take` the top of the pile."
    ),
}
_ILLEGAL: Final[Mapping[str, str]] = {
    "offer": "The deal starts with the upcard: take the {top} with `/gin take`, or `/gin pass`.",
    "refused": "Everybody passed the upcard, so the first card comes from the stock: `/gin draw`.",
    "draw-first": "A turn starts with a card: `/gin draw` from the stock, or `/gin take` the top of the pile.",
    "drawn": "You have already drawn. Now discard a card, or knock or go gin if you can.",
    "not-in-hand": "You do not hold {card}. Choose a card from your hand.",
    "just-drawn": "You drew {card} this turn, so you cannot discard it yet. Discard another card.",
    "just-taken": "You took {card} from the pile this turn, so you cannot discard it yet. Discard another card.",
    "wall": "The stock is used up, and you took the last discard, so you must knock or go gin.",
    "no-big-gin": "These rules have no big gin. `/gin gin` discards one card and goes gin.",
    "not-big-gin": "That is not big gin: all eleven cards must be in melds. Discard a card instead.",
    "lay-off-first": _ANSWER_FIRST,
    "laid-off": "You have laid off {card} already. Choose another card, *all* or *nothing*.",
    "own-meld": "{card} is part of a meld that you chose to lay down. Choose another card, *all* or *nothing*.",
    "lay-off": "{card} fits none of the knocker's melds as they are now. Choose another card, *all* or *nothing*.",
    "no-lay-off": "There is no knock to answer. You can lay off cards after an opponent knocks.",
    "melds": "Your hand cannot be laid down like that. Choose from the list that opens as you type.",
}
"""The texts for illegal moves by code. `{card}` is replaced by the card of the move, `{top}` by the last discard."""
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.Stale: "The match has moved on since then. Here is how it stands now.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text for a refused move, addressed to the player; None if the refusal is about something else."""
    match refusal:
        case why.NotYourTurn(hand):
            return _whose_turn(hand)
        case why.Illegal():
            return _illegal(refusal)
        case _:
            return fill(_TEXTS, refusal)


def unreadable_card(names: CardNames) -> str:
    """Say that a text is not a card, and explain how to write one."""
    king, ten = Card.of(Rank.KING, Suit.DIAMONDS), Card.of(Rank.TEN, Suit.HEARTS)
    return (
        f"I cannot read that as one card. Write its rank and suit, such as `Kd` for {names.short(king)} or `10h` for "
        f"{names.short(ten)}, or its name, such as *{names.full(king)}*; or choose from the list that opens as you "
        "type."
    )


def _whose_turn(hand: OwnHand) -> str:
    turn = hand.view.public.turn
    if hand.view.is_to_act:
        return "There is nobody to wait for: it is your turn."
    if turn is None:
        return "Your board is over. You will hear from me when the next round starts."
    theirs = f"It is {name(hand.match.players[turn])}'s turn."
    if hand.view.sits_out:
        return f"This deal goes on without you, and you play again in the next. {theirs}"
    return f"{theirs} You will hear from me when it is yours."


def _illegal(refusal: why.Illegal) -> str:
    view, code, card = refusal.hand.view, refusal.code, refusal.card
    public, names = view.public, card_names(refusal.hand.preferences.appearance.language)
    shown = "that card" if card is None else f"**{names.short(card)}**"
    template = _ILLEGAL_IN_PHASE.get((code, public.phase)) or _ILLEGAL.get(code)
    if template is not None:
        text = template.format(card=shown, top=top(public, names))
        return text[0].upper() + text[1:]
    match code:
        case "too-much":
            leaves = next((f"{choice.deadwood}" for choice in view.discard_choices if choice.card == card), "too much")
            most = f"a knock may leave {public.knock_limit} at most"
            limit = most if public.knock_limit else "in this deal you can only go out with gin"
            return f"Discarding {shown} leaves {leaves}, but {limit}. {_possible_knocks(refusal.hand)}"
        case "no-gin":
            instead = _possible_knocks(refusal.hand)
            return f"You do not have gin yet: whatever you discard, some deadwood is left. {instead}"
        case _:
            return "The rules do not allow that now. Your hand shows what you may do."


def _possible_knocks(hand: OwnHand) -> str:
    """Return the cards with which a hand can knock, best first, or say that it can only discard."""
    names = card_names(hand.preferences.appearance.language)
    knocks = knock_choices(hand.view)
    if not knocks:
        go_out = "knock" if hand.view.public.knock_limit else "go gin"
        return f"No card lets you {go_out} yet: discard one instead."
    cards = [f"**{names.short(knock.card)}** (leaving {knock.deadwood})" for knock in knocks]
    return f"You can knock with {joined(cards, 'or')}, or discard a card."
