"""The message in which a player arranges their cards.

A first press picks a card, and *Whole meld* picks the meld that it is in. A second press says where they go, or lets go
of them if it is of the same card. *Done* is not among the cards, so that an accidental second press of it discards
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from discord import ButtonStyle

from bot.engine.cards.cards import Card
from bot.engine.deals.phase import Phase
from bot.model.matches import MatchStatus, OwnHand
from cardart.text.card_names import card_names
from cogs.actions import Action
from cogs.kit.components import button
from cogs.kit.layout import Item, Row
from cogs.turns.moves import card_button, held_cards, in_rows
from cogs.turns.questions import Question
from cogs.words.emojis import Emojis

_ON_TURN: Final = "It's your turn: *Done* shows your moves."
_CARD_LENGTH: Final = 2
"""Length of a card in notation."""
_BEFORE: Final = ">"


def may_arrange(shown: OwnHand) -> bool:
    """Return whether the player can arrange their cards now."""
    is_running = shown.match.status is MatchStatus.RUNNING
    return is_running and not shown.view.sits_out and shown.view.public.phase not in (Phase.LAY_OFF, Phase.DONE)


def arrange_button(shown: OwnHand) -> Item | None:
    """Return the button that begins to arrange the cards; None if the player cannot do that now."""
    return _button(shown, Action.ARRANGE, "Arrange") if may_arrange(shown) else None


def arranging(shown: OwnHand, emojis: Emojis, picked: Sequence[Card] = ()) -> Question:
    """Ask for the card to move or, if cards are `picked`, for the place where they go."""
    held = held_cards(shown)
    if not picked:
        cards = [card_button(shown, emojis, card, Action.ARRANGE, card.text) for card in held]
        default = _button(shown, Action.ARRANGE_BY_DEFAULT, "Sort them for me") if shown.arranged else None
        return _question(shown, "Press a card to move it.", [*in_rows(cards), [default]])
    cards = [
        card_button(shown, emojis, card, Action.ARRANGE_BEFORE, notation(picked, card), disabled=card in picked)
        if card is not picked[0]
        else card_button(shown, emojis, card, Action.ARRANGE, None, ButtonStyle.success)
        for card in held
    ]
    meld = meld_of(shown, picked)
    with_meld = None if len(meld) <= len(picked) else _button(shown, Action.ARRANGE, "Whole meld", notation(meld))
    last = _button(shown, Action.ARRANGE_BEFORE, "To the end", notation(picked, None))
    names = card_names(shown.preferences.appearance.language)
    text = f"Put {names.short_row(picked)} before which card?"
    return _question(shown, text, [*in_rows(cards), [last, with_meld]])


def _question(shown: OwnHand, text: str, rows: Sequence[Row]) -> Question:
    text = f"{text} {_ON_TURN}" if shown.view.is_to_act else text
    return Question(text, rows, done=_button(shown, Action.REFRESH_HAND, "Done"), is_alone=True)


def meld_of(shown: OwnHand, picked: Sequence[Card]) -> list[Card]:
    """Return the held cards of the meld that the first picked card is in, in their order; empty if it is in none."""
    meld = next((meld.cards for meld in shown.view.arrangement.melds if picked[0] in meld.cards), ())
    return [card for card in held_cards(shown) if card in meld]


def moved(shown: OwnHand, picked: Sequence[Card], before: Card | None) -> list[Card] | None:
    """Return a hand's cards with the picked ones before another card, or at the end.

    Return None if nothing is picked, or if the hand lacks one of the cards.
    """
    held, distinct = held_cards(shown), {*picked}
    if not picked or len(distinct) < len(picked) or before in distinct or not {*picked, before} <= {*held, None}:
        return None
    others = [card for card in held if card not in picked]
    place = len(others) if before is None else others.index(before)
    return [*others[:place], *picked, *others[place:]]


def notation(picked: Sequence[Card], before: Card | None = None) -> str:
    """Return picked cards, and the card before which they go, in the form that `parse` reads."""
    return "".join(card.text for card in picked) + ("" if before is None else f"{_BEFORE}{before.text}")


def parse(text: str) -> tuple[list[Card], Card | None]:
    """Parse the result of `notation`. Raise `NotationError`."""
    picked, _, before = text.partition(_BEFORE)
    cards = [Card.parse(picked[start : start + _CARD_LENGTH]) for start in range(0, len(picked), _CARD_LENGTH)]
    return cards, Card.parse(before) if before else None


def _button(shown: OwnHand, action: Action, label: str, argument: str | None = None) -> Item:
    return button(shown.match.id, shown.match.version, action, label, argument=argument)
