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

_ANSWER_FIRST: Final = "Answer the knock first: use `/gin layoff` with a card, *all*, or *nothing*."
_DRAW_OR_TAKE: Final = "Get a card first. Use `/gin draw` for the stock, or `/gin take` for the discard pile."
_UPCARD_FIRST: Final = "Decide about the upcard first. Use `/gin take` for the {top}, or `/gin pass`."
_ONLY_TO_GO_OUT: Final = (
    "The stock has run out, so take the {top} only if you can go out with it. Otherwise, use `/gin pass`."
)
_ILLEGAL_IN_PHASE: Final[Mapping[tuple[str, Phase], str]] = {
    ("wall", Phase.WALL): _ONLY_TO_GO_OUT,
    ("no-gin", Phase.WALL): _ONLY_TO_GO_OUT,
    ("no-gin", Phase.LAY_OFF): _ANSWER_FIRST,
    ("no-gin", Phase.OFFER): _UPCARD_FIRST,
    ("no-gin", Phase.DRAW): _DRAW_OR_TAKE,
}
_ILLEGAL: Final[Mapping[str, str]] = {
    "offer": _UPCARD_FIRST,
    "refused": "Everyone passed the upcard, so draw from the stock with `/gin draw`.",
    "draw-first": _DRAW_OR_TAKE,
    "drawn": "You've already drawn or taken a card. Discard a card, or go out if you can.",
    "not-in-hand": "You don't hold {card}. Choose a card from your hand.",
    "just-drawn": "You picked up {card} this turn, so you can't discard it.",
    "just-taken": "You just took {card} from the pile, so you can't discard it this turn.",
    "wall": "The stock has run out and you took the last discard, so you have to go out.",
    "no-big-gin": "These rules have no big gin. Use `/gin gin`.",
    "not-big-gin": "For big gin, all your cards must be in melds. Discard a card instead.",
    "lay-off-first": _ANSWER_FIRST,
    "laid-off": "You already laid off {card}. Choose another card, *all*, or *nothing*.",
    "own-meld": "{card} is in one of your own melds. Choose another card, *all*, or *nothing*.",
    "lay-off": "{card} doesn't fit any of the knocker's melds. Choose another card, *all*, or *nothing*.",
    "no-lay-off": "You can lay off cards only after an opponent knocks.",
    "melds": "You can't lay your hand down like that. Choose the melds from the list.",
}
"""The texts for illegal moves by code. `{card}` is replaced by the card of the move, `{top}` by the last discard."""
_DRAWN_ALREADY: Final = "You've already drawn a card, so it's too late to give the discard back. Choose your discard."
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.Stale: "The match has moved on. Here's where it stands now.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text for a refused move, addressed to the player; None if the refusal is about something else."""
    match refusal:
        case why.NotYourTurn(hand):
            return _whose_turn(hand)
        case why.Illegal():
            return _illegal(refusal)
        case why.CannotTakeBack(_, has_drawn):
            return _DRAWN_ALREADY if has_drawn else "You can't take a discard back now."
        case _:
            return fill(_TEXTS, refusal)


def unreadable_card(names: CardNames) -> str:
    """Say that a text is not a card, and explain how to write one."""
    king, ten = Card.of(Rank.KING, Suit.DIAMONDS), Card.of(Rank.TEN, Suit.HEARTS)
    return (
        f"I can't read that card. Write `Kd` or *{names.full(king)}* for {names.short(king)}, and `10h` for "
        f"{names.short(ten)}. You can also choose from the list."
    )


def _whose_turn(hand: OwnHand) -> str:
    turn = hand.view.public.turn
    if hand.view.is_to_act:
        return "It's your turn."
    if turn is None:
        return "You're done for this round. I'll tell you when the next one starts."
    theirs = f"It's {name(hand.match.players[turn])}'s turn."
    if hand.view.sits_out:
        return f"You're sitting this deal out. {theirs}"
    return f"{theirs} I'll tell you when it's your turn."


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
            most = f"you can knock only with {public.knock_limit} or less"
            limit = most if public.knock_limit else "you need gin to go out in this deal"
            return f"Discarding {shown} leaves {leaves} deadwood, but {limit}. {_possible_knocks(refusal.hand)}"
        case "no-gin":
            instead = _possible_knocks(refusal.hand) if knock_choices(view) else "Discard a card."
            return f"You don't have gin yet. {instead}"
        case _:
            return "You can't do that now. See your options with `/gin hand`."


def _possible_knocks(hand: OwnHand) -> str:
    """Return the cards with which a hand can knock, best first, or say that it can only discard."""
    names = card_names(hand.preferences.appearance.language)
    knocks = knock_choices(hand.view)
    if not knocks:
        go_out = "knock" if hand.view.public.knock_limit else "go gin"
        return f"You can't {go_out} with this hand. Discard a card."
    cards = [f"**{names.short(knock.card)}** (leaving {knock.deadwood})" for knock in knocks]
    return f"You can knock with {joined(cards, 'or')}, or discard a card."
