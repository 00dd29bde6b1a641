"""Questions about a move, shown below the buttons of the hand.

The buttons of the hand are disabled until the question is answered. The first answer is always *Back*, so that an
accidental second press never confirms anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discord import ButtonStyle, SelectOption

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Move, Verb
from bot.engine.matches.facts import best_lay_offs, has_laid_off, knock_choices, meld_in_order
from bot.engine.matches.views import LayOffChoice
from bot.model.matches import OwnHand
from cardart.text.card_names import CardNames, card_names
from cardart.text.queries import CARDS_PER_ROW
from cogs.actions import Action
from cogs.kit.components import button, menu
from cogs.kit.layout import Accent, Item, Row
from cogs.turns.moves import cost_of_laying_off, is_costly, notation, slip, ways_to_knock
from cogs.words.cards import capitalized_name, saving


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the rows of buttons and menus that answer it.

    `done` is a button beside the text. If the question `is_alone`, the buttons of the hand are not shown.
    """

    text: str
    rows: Sequence[Row]
    accent: Accent = Accent.YOURS
    done: Item | None = None
    is_alone: bool = False


def confirmation(shown: OwnHand, move: Move) -> Question | None:
    """Return the confirmation for a costly move; None if the move is not costly."""
    view, names = shown.view, card_names(shown.preferences.appearance.language)
    match move:
        case Move(Verb.DISCARD, Card() as card) if is_costly(view, move):
            gin, short = "big gin" if view.can_go_big_gin else "gin", names.short(card)
            confirm_button = _button(shown, Action.DISCARD, f"Discard {short}", card.text, ButtonStyle.danger)
            text = f"You have {gin}. Discard {short} and play on?"
            if not (view.can_go_gin or view.can_go_big_gin) and (broken := slip(view, card)) is not None:
                text = f"Break a meld? Discarding {short} leaves {broken.deadwood} deadwood instead of {broken.least}."
                text += " You can knock now, but not after that discard." if broken.loses_knock else ""
        case Move(Verb.DONE) if is_costly(view, move):
            fits, nothing = len(best_lay_offs(view)), "no more cards" if has_laid_off(view) else "nothing"
            confirm_button = _button(shown, Action.FINISH_LAYING_OFF, f"Lay off {nothing}", style=ButtonStyle.danger)
            text = f"{'A card fits' if fits == 1 else f'{fits} cards fit'} the knocker's melds. Lay off {nothing}?"
        case Move(Verb.LAY_OFF, Card() as card) if is_costly(view, move):
            short = names.short(card)
            confirm_button = _button(shown, Action.LAY_OFF, f"Lay off {short}", notation(move), ButtonStyle.danger)
            cost = cost_of_laying_off(view, move)
            text = f"Lay off {short}? That breaks one of your own melds and adds {cost} deadwood."
        case _:
            return None
    return Question(text, [[_back(shown), confirm_button]], Accent.TROUBLE)


def knocks(shown: OwnHand) -> Question | None:
    """Return the question that offers all ways to knock except the best one; None if there are no others."""
    view, names = shown.view, card_names(shown.preferences.appearance.language)
    others, ways = knock_choices(view)[1:], ways_to_knock(view, names)
    if not others and not ways:
        return None
    answers = [
        _button(shown, Action.KNOCK, f"{names.short(other.card)} · leaves {other.deadwood}", other.card.text)
        for other in others
    ]
    rows: list[Row] = [[_back(shown)]]
    rows += [answers[first : first + CARDS_PER_ROW] for first in range(0, len(answers), CARDS_PER_ROW)]
    if ways:
        options = [
            SelectOption(label=way.label, value=way.value, description=capitalized_name(way.card, names))
            for way in ways
        ]
        action, placeholder = Action.KNOCK_WITH_MELDS, "Knock with different melds …"
        rows.append([menu(shown.match.id, shown.match.version, action, placeholder, options)])
    gin = "You have gin; you'd give it up by knocking. " if view.can_go_gin else ""
    return Question(f"{gin}{'Which other card do you knock with?' if others else 'Which melds do you lay down?'}", rows)


def where_to_lay_off(shown: OwnHand, card: Card) -> Question | None:
    """Return the question that asks for the meld on which to lay off a card; None if the card fits no meld."""
    names = card_names(shown.preferences.appearance.language)
    answers = [
        _button(shown, Action.LAY_OFF, _meld_label(lay_off, names), f"{card}>{lay_off.meld}")
        for lay_off in shown.view.lay_offs
        if lay_off.card is card
    ]
    return Question(f"Lay off {names.short(card)} on which meld?", [[_back(shown), *answers]]) if answers else None


def _meld_label(choice: LayOffChoice, names: CardNames) -> str:
    return f"On {names.short_row(meld_in_order(choice.meld.cards))}" + (
        f", {saving(choice)}" if choice.points_saved < 0 else ""
    )


def _back(shown: OwnHand) -> Item:
    return _button(shown, Action.REFRESH_HAND, "Back")


def _button(
    shown: OwnHand,
    action: Action,
    label: str,
    argument: str | None = None,
    style: ButtonStyle = ButtonStyle.secondary,
) -> Item:
    return button(shown.match.id, shown.match.version, action, label, style, argument=argument)
