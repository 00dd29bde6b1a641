"""The buttons for a player's legal moves.

The buttons form a grid. The first rows are the cards, in the order of the picture. The next row has the card just
drawn or taken, and the ways to get a card. The last row has the ways to go out. If a position has an enabled button
both before and after a move, the two buttons mean the same, so that an accidental second press cannot make a different
move. Questions have their own rows below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from discord import ButtonStyle, PartialEmoji

from bot.engine.cards.cards import Card
from bot.engine.cards.melds import Arrangement
from bot.engine.deals.moves import DONE, Move, Verb, discard
from bot.engine.deals.phase import Phase
from bot.engine.matches.facts import best_lay_offs, has_laid_off, knock_choices
from bot.engine.matches.views import SeatView
from bot.model.matches import OwnHand
from cardart.text.card_names import ENGLISH, CardNames, card_names
from cardart.text.queries import CARDS_PER_ROW, hand_in_order
from cogs.actions import Action
from cogs.kit.components import button
from cogs.kit.layout import Item, Row
from cogs.words.cards import laid_off, melds, saving
from cogs.words.emojis import Emojis
from cogs.words.rules import MAX_LINE_LENGTH

SLIP_POINTS: Final = 10
"""A discard that breaks a meld asks for confirmation if it leaves this much more deadwood than the best discard."""


def rows(shown: OwnHand, emojis: Emojis, *, asking: bool = False) -> list[Row]:
    """Return the rows of a player's buttons; empty if it is not their turn.

    If `asking`, the player is being asked a question about a move, so all buttons are disabled.
    """
    view, grid = shown.view, _Grid(shown, emojis, asking)
    if not view.is_to_act:
        return []
    cards = in_rows([grid.card(card) for card in held_cards(shown)])
    if view.public.phase is Phase.LAY_OFF:
        return [*cards, [grid.lay_off_all()], [grid.finish()]]
    rows = [*cards, [grid.new_card(), *grid.ways_to_get_a_card()], list(grid.knocks_and_lay_offs())]
    return [row for row in rows if row]


def held_cards(shown: OwnHand) -> list[Card]:
    """Return a player's cards except the new one, in the order of the picture."""
    return [card for card in hand_in_order(shown.view, shown.pictured.order) if card is not shown.view.new_card]


def in_rows(cards: Sequence[Item]) -> list[Row]:
    """Return the buttons of cards in rows, as the cards lie in the picture."""
    return [cards[first : first + CARDS_PER_ROW] for first in range(0, len(cards), CARDS_PER_ROW)]


def card_button(
    shown: OwnHand,
    emojis: Emojis,
    card: Card,
    action: Action,
    argument: str | None,
    style: ButtonStyle = ButtonStyle.secondary,
    *,
    disabled: bool = False,
) -> Item:
    """Return a button with the picture of a card, or with its name if the player wants no pictures."""
    preferences, match = shown.preferences, shown.match
    emoji = emojis.card(card, preferences.appearance) if preferences.pictures else None
    label = None if emoji else card_names(preferences.appearance.language).short(card)
    return button(match.id, match.version, action, label, style, argument=argument, emoji=emoji, disabled=disabled)


@dataclass(frozen=True, slots=True)
class _Grid:
    """Makes the buttons of a hand."""

    shown: OwnHand
    emojis: Emojis
    asking: bool

    def card(self, card: Card) -> Item:
        """Return the button of a card, which discards it, or lays it off in answer to a knock."""
        view = self.shown.view
        fits = [lay_off for lay_off in view.lay_offs if lay_off.card is card]
        if len(fits) > 1:
            return self._card(card, Action.WHERE_TO_LAY_OFF, card.text)
        if fits:
            move = Move(Verb.LAY_OFF, card, (fits[0].meld,))
            if self._asks_before(move):
                return self._card(card, Action.ASK_FIRST, str(move))
            return self._card(card, Action.LAY_OFF, notation(move))
        allowed = any(
            discard_choice.card is card and discard_choice.is_allowed for discard_choice in view.discard_choices
        )
        if self._asks_before(discard(card)):
            return self._card(card, Action.ASK_FIRST, str(discard(card)), enabled=allowed)
        return self._card(card, Action.DISCARD, card.text, enabled=allowed)

    def new_card(self) -> Item:
        """Return the button of the card just drawn or taken. If there is none, the button shows a face-down card."""
        preferences, new = self.shown.preferences, self.shown.view.new_card
        if new is not None:
            return self.card(new)
        emoji = self.emojis.back(preferences.appearance) if preferences.pictures else None
        label = None if emoji else "New card"
        return self._button(Action.REFRESH_HAND, label, argument="new", emoji=emoji, enabled=False)

    def ways_to_get_a_card(self) -> Iterator[Item]:
        """Yield the buttons that begin a turn, each always in the same column."""
        verbs, top = {move.verb for move in self.shown.view.moves}, self.shown.view.public.top
        if verbs.isdisjoint((Verb.DRAW, Verb.TAKE, Verb.PASS)):
            return
        yield self._button(Action.DRAW, "Draw", enabled=Verb.DRAW in verbs)
        if not verbs.isdisjoint((Verb.TAKE, Verb.PASS)):
            label = "Take" if top is None else f"Take {self._short(top)}"
            yield self._button(Action.TAKE, label, enabled=Verb.TAKE in verbs)
        if Verb.PASS in verbs:
            yield self._button(Action.PASS, "Pass")

    def knocks_and_lay_offs(self) -> Iterator[Item]:
        """Yield the buttons for the best ways to go out, and a button that shows the other ways to knock."""
        view, able = self.shown.view, knock_choices(self.shown.view)
        if view.can_go_big_gin:
            yield self._button(Action.BIG_GIN, "Big gin!", ButtonStyle.success)
        if view.can_go_gin:
            style = ButtonStyle.secondary if view.can_go_big_gin else ButtonStyle.success
            yield self._button(Action.GIN, "Gin!", style)
        elif able:
            label = f"Knock {self._short(able[0].card)} · leaves {able[0].deadwood}"
            yield self._button(Action.KNOCK, label, argument=able[0].card.text)
        if able[1:] or ways_to_knock(view, ENGLISH):
            yield self._button(Action.OTHER_KNOCKS, "Knock with …")

    def lay_off_all(self) -> Item:
        """Return the button for the best lay-offs."""
        best = best_lay_offs(self.shown.view)
        if not best:
            label = "Nothing helps" if self.shown.view.lay_offs else "Nothing fits"
            return self._button(Action.LAY_OFF_ALL, label, enabled=False)
        label = f"Lay off {' '.join(self._short(lay_off.card) for lay_off in best)}"
        return self._button(Action.LAY_OFF_ALL, label, ButtonStyle.success)

    def finish(self) -> Item:
        """Return the button that finishes laying off."""
        best = best_lay_offs(self.shown.view)
        label = "Done" if has_laid_off(self.shown.view) else "Lay off nothing" if best else "Show my hand"
        if self._asks_before(DONE):
            return self._button(Action.ASK_FIRST, label, argument=str(DONE))
        return self._button(Action.FINISH_LAYING_OFF, label, ButtonStyle.secondary if best else ButtonStyle.primary)

    def _asks_before(self, move: Move) -> bool:
        return self.shown.preferences.confirmations and is_costly(self.shown.view, move)

    def _short(self, card: Card) -> str:
        return card_names(self.shown.preferences.appearance.language).short(card)

    def _card(self, card: Card, action: Action, argument: str, *, enabled: bool = True) -> Item:
        return card_button(self.shown, self.emojis, card, action, argument, disabled=self.asking or not enabled)

    def _button(
        self,
        action: Action,
        label: str | None,
        style: ButtonStyle = ButtonStyle.secondary,
        *,
        argument: str | None = None,
        emoji: PartialEmoji | None = None,
        enabled: bool = True,
    ) -> Item:
        match, disabled = self.shown.match, self.asking or not enabled
        return button(match.id, match.version, action, label, style, argument=argument, emoji=emoji, disabled=disabled)


def is_costly(view: SeatView, move: Move) -> bool:
    """Return True if a move permanently gives up gin, possible lay-offs, or a meld of the player's own."""
    match move.verb:
        case Verb.DISCARD:
            return view.can_go_gin or view.can_go_big_gin or slip(view, move.card) is not None
        case Verb.DONE:
            return bool(best_lay_offs(view))
        case Verb.LAY_OFF:
            return cost_of_laying_off(view, move) > 0
        case _:
            return False


@dataclass(frozen=True, slots=True)
class Slip:
    """A discard that is probably a slip, because it breaks a meld for nothing.

    `deadwood` is the least deadwood after it, and `least` the deadwood after the best discard. `loses_knock` is True if
    the player can knock with another discard but not with this one.
    """

    deadwood: int
    least: int
    loses_knock: bool


def slip(view: SeatView, card: Card | None) -> Slip | None:
    """Return the cost of a discard if it is probably a slip; else None.

    A discard breaks a meld if it raises the deadwood: the other cards of the meld are then unmatched. It is a slip if
    it leaves at least `SLIP_POINTS` more than the best discard, or if the player could knock instead.
    """
    choice = next((choice for choice in view.discard_choices if choice.card is card), None)
    if choice is None or choice.deadwood <= view.arrangement.deadwood:
        return None
    least = min((other.deadwood for other in view.discard_choices if other.is_allowed), default=choice.deadwood)
    could_knock = bool(knock_choices(view))
    if choice.deadwood < least + SLIP_POINTS and not could_knock:
        return None
    return Slip(choice.deadwood, least, loses_knock=could_knock and not choice.can_knock)


def cost_of_laying_off(view: SeatView, move: Move) -> int:
    """Return the deadwood that a lay-off adds by breaking the player's own meld; 0 for a card in the best lay-offs."""
    if any(best_lay_off.card is move.card for best_lay_off in best_lay_offs(view)):
        return 0
    return max(
        (
            -lay_off.points_saved
            for lay_off in view.lay_offs
            if lay_off.card is move.card and (lay_off.meld,) == move.melds
        ),
        default=0,
    )


@dataclass(frozen=True, slots=True)
class MoveOption:
    """A move with a card, as an option of a menu or a completion."""

    card: Card
    label: str
    value: str


def discards(view: SeatView, names: CardNames) -> list[MoveOption]:
    """Return the cards that can be discarded, with the deadwood that each leaves, lowest first."""
    allowed = sorted(
        (discard_choice for discard_choice in view.discard_choices if discard_choice.is_allowed),
        key=lambda choice: choice.deadwood,
    )
    return [
        MoveOption(choice.card, f"{names.short(choice.card)}, leaving {choice.deadwood} deadwood", choice.card.text)
        for choice in allowed
    ]


def knocks(view: SeatView, names: CardNames) -> list[MoveOption]:
    """Return the cards that can be discarded to knock, with the deadwood that each leaves, lowest first."""
    return [
        MoveOption(
            knock_choice.card,
            f"✊ discarding {names.short(knock_choice.card)}, leaving {knock_choice.deadwood} deadwood",
            knock_choice.card.text,
        )
        for knock_choice in knock_choices(view)
    ]


def ways_to_knock(view: SeatView, names: CardNames) -> list[MoveOption]:
    """Return the knocks whose discard leaves several ways to form melds, lowest deadwood first."""
    moves = [move for move in view.moves if move.verb is Verb.KNOCK]
    ways = Counter(move.card for move in moves)
    options: list[tuple[int, MoveOption]] = []
    for move in moves:
        if move.card is None or move.melds is None or ways[move.card] == 1:
            continue
        laid = Arrangement.of(move.melds, view.hand - move.card, view.public.rules.aces)
        label = f"Discarding {names.short(move.card)}: {melds(move.melds, names)}, leaving {laid.deadwood} deadwood"
        options.append((laid.deadwood, MoveOption(move.card, label[:MAX_LINE_LENGTH], notation(move))))
    return [option for _, option in sorted(options, key=lambda item: (item[0], item[1].value))]


def lay_offs(view: SeatView, names: CardNames) -> list[MoveOption]:
    """Return the cards that can be laid off, each with its meld and the deadwood that it saves."""
    return [
        MoveOption(lay_off.card, f"{laid_off(lay_off, names)}, {saving(lay_off)}", f"{lay_off.card}>{lay_off.meld}")
        for lay_off in view.lay_offs
    ]


def notation(move: Move) -> str:
    """Return a move in notation without its verb, as used in components and completions: `Td 4c4d4h/5s6s7s`."""
    return str(move).partition(" ")[2]
