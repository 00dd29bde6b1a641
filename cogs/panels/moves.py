"""The buttons with which a player moves: exactly what they may do now.

They are a grid. Its first rows are the cards, in the order of the picture; then comes a row with the card just drawn or
taken, and with how to get one; then how to go out. No place in it is enabled with different meanings in two states that
follow each other, so that pressing twice does nothing else. Questions have rows of their own below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from discord import ButtonStyle, PartialEmoji

from bot.engine.cards import Card
from bot.engine.melds import Arrangement
from bot.engine.moves import DONE, Move, Verb, discard
from bot.engine.views import Phase, SeatView
from bot.values.matches import OwnHand
from cardart.text.card_names import ENGLISH, Names, names_of
from cardart.text.queries import IN_A_ROW, best_lay_offs, hand_in_order, has_laid_off, knock_choices
from cogs.kit.actions import Action
from cogs.kit.components import button
from cogs.kit.emojis import Emojis
from cogs.panels.layout import Item, Row
from cogs.text.cards import laid_off, melds, saving
from cogs.text.rules import MENU


def rows(shown: OwnHand, emojis: Emojis, *, asking: bool = False) -> list[Row]:
    """Return the rows of a player's buttons; none if it is not their turn. While `asking` something none is enabled."""
    view, grid = shown.view, _Grid(shown, emojis, asking)
    if not view.to_act:
        return []
    held = [card for card in hand_in_order(view, shown.preferences.hand_order) if card is not view.new_card]
    cards = [[grid.card(card) for card in held[first : first + IN_A_ROW]] for first in range(0, len(held), IN_A_ROW)]
    if view.public.phase is Phase.LAY_OFF:
        return [*cards, [grid.lay_off_all()], [grid.finish()]]
    rows = [*cards, [grid.new_card(), *grid.ways_to_get_a_card()], list(grid.ways_out())]
    return [row for row in rows if row]


@dataclass(frozen=True, slots=True)
class _Grid:
    """Makes the buttons of a hand."""

    shown: OwnHand
    emojis: Emojis
    asking: bool

    def card(self, card: Card) -> Item:
        """Return the button of a card: it discards it, or lays it off if a knock is being answered."""
        view = self.shown.view
        fits = [one for one in view.lay_offs if one.card is card]
        if len(fits) > 1:
            return self._card(card, Action.WHERE_TO_LAY_OFF, card.text)
        if fits:
            move = Move(Verb.LAY_OFF, card, (fits[0].meld,))
            if self._asks_before(move):
                return self._card(card, Action.ASK_FIRST, str(move))
            return self._card(card, Action.LAY_OFF, notation(move))
        allowed = any(one.card is card and one.allowed for one in view.discard_choices)
        if self._asks_before(discard(card)):
            return self._card(card, Action.ASK_FIRST, str(discard(card)), enabled=allowed)
        return self._card(card, Action.DISCARD, card.text, enabled=allowed)

    def new_card(self) -> Item:
        """Return the button of the card just drawn or taken, or a card face down in its place."""
        preferences, new = self.shown.preferences, self.shown.view.new_card
        if new is not None:
            return self.card(new)
        emoji = self.emojis.back(preferences.appearance) if preferences.pictures else None
        label = None if emoji else "New card"
        return self._button(Action.REFRESH_HAND, label, argument="new", emoji=emoji, enabled=False)

    def ways_to_get_a_card(self) -> Iterator[Item]:
        """Yield the buttons that begin a turn, each in a column of its own."""
        verbs, top = {move.verb for move in self.shown.view.moves}, self.shown.view.public.top
        if verbs.isdisjoint((Verb.DRAW, Verb.TAKE, Verb.PASS)):
            return
        yield self._button(Action.DRAW, "Draw", enabled=Verb.DRAW in verbs)
        if not verbs.isdisjoint((Verb.TAKE, Verb.PASS)):
            label = "Take" if top is None else f"Take {self._short(top)}"
            yield self._button(Action.TAKE, label, enabled=Verb.TAKE in verbs)
        if Verb.PASS in verbs:
            yield self._button(Action.PASS, "Pass")

    def ways_out(self) -> Iterator[Item]:
        """Yield the buttons that end the deal: the best ways, and what shows the others."""
        view, able = self.shown.view, knock_choices(self.shown.view)
        if view.can_go_big_gin:
            yield self._button(Action.BIG_GIN, "Big gin!", ButtonStyle.success)
        if view.can_go_gin:
            style = ButtonStyle.secondary if view.can_go_big_gin else ButtonStyle.success
            yield self._button(Action.GIN, "Gin!", style)
        elif able:
            label = f"Knock {self._short(able[0].card)} · leaves {able[0].leaves}"
            yield self._button(Action.KNOCK, label, argument=able[0].card.text)
        if able[1:] or ways_to_knock(view, ENGLISH):
            yield self._button(Action.OTHER_KNOCKS, "Knock with …")

    def lay_off_all(self) -> Item:
        """Return the button that answers a knock in the best way."""
        best = best_lay_offs(self.shown.view)
        if not best:
            label = "Nothing helps" if self.shown.view.lay_offs else "Nothing fits"
            return self._button(Action.LAY_OFF_ALL, label, enabled=False)
        label = f"Lay off {' '.join(self._short(one.card) for one in best)}"
        return self._button(Action.LAY_OFF_ALL, label, ButtonStyle.success)

    def finish(self) -> Item:
        """Return the button that ends the answer to a knock."""
        best = best_lay_offs(self.shown.view)
        label = "Done" if has_laid_off(self.shown.view) else "Lay nothing off" if best else "Show my hand"
        if self._asks_before(DONE):
            return self._button(Action.ASK_FIRST, label, argument=str(DONE))
        return self._button(Action.FINISH_LAYING_OFF, label, ButtonStyle.secondary if best else ButtonStyle.primary)

    def _asks_before(self, move: Move) -> bool:
        return self.shown.preferences.confirmations and is_costly(self.shown.view, move)

    def _short(self, card: Card) -> str:
        return names_of(self.shown.preferences.appearance.language).short(card)

    def _card(self, card: Card, action: Action, argument: str, *, enabled: bool = True) -> Item:
        preferences, style = self.shown.preferences, ButtonStyle.secondary
        if card is self.shown.view.new_card:
            style = ButtonStyle.primary
        emoji = self.emojis.card(card, preferences.appearance) if preferences.pictures else None
        label = None if emoji else self._short(card)
        return self._button(action, label, style, argument=argument, emoji=emoji, enabled=enabled)

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
    """Return whether a move gives something up for good: gin, cards that can be laid off, or a meld of one's own."""
    match move.verb:
        case Verb.DISCARD:
            return view.can_go_gin or view.can_go_big_gin
        case Verb.DONE:
            return bool(best_lay_offs(view))
        case Verb.LAY_OFF:
            return cost_of_laying_off(view, move) > 0
        case _:
            return False


def cost_of_laying_off(view: SeatView, move: Move) -> int:
    """Return by how much a card laid off raises the deadwood, being needed in a meld; 0 if the best answer does it."""
    if any(one.card is move.card for one in best_lay_offs(view)):
        return 0
    return max((-one.saves for one in view.lay_offs if one.card is move.card and (one.meld,) == move.melds), default=0)


@dataclass(frozen=True, slots=True)
class MoveOption:
    """A move with a card, as menus and completions offer it."""

    card: Card
    label: str
    value: str


def discards(view: SeatView, names: Names) -> list[MoveOption]:
    """Return the cards that may be discarded, with what they leave; least deadwood first."""
    allowed = sorted((one for one in view.discard_choices if one.allowed), key=lambda one: one.leaves)
    return [MoveOption(one.card, f"{names.short(one.card)}, leaving {one.leaves}", one.card.text) for one in allowed]


def knocks(view: SeatView, names: Names) -> list[MoveOption]:
    """Return the cards that a knock may discard, with what they leave; least deadwood first."""
    return [
        MoveOption(one.card, f"✊ discarding {names.short(one.card)}, leaving {one.leaves}", one.card.text)
        for one in knock_choices(view)
    ]


def ways_to_knock(view: SeatView, names: Names) -> list[MoveOption]:
    """Return the knocks whose discard leaves several ways to lay the hand down; least deadwood first."""
    moves = [move for move in view.moves if move.verb is Verb.KNOCK]
    ways = Counter(move.card for move in moves)
    options: list[tuple[int, MoveOption]] = []
    for move in moves:
        if move.card is None or move.melds is None or ways[move.card] == 1:
            continue
        laid = Arrangement.of(move.melds, view.hand - move.card, view.public.rules.aces)
        label = f"Discarding {names.short(move.card)}: {melds(move.melds, names)}, leaving {laid.deadwood}"
        options.append((laid.deadwood, MoveOption(move.card, label[:MENU], notation(move))))
    return [option for _, option in sorted(options, key=lambda one: (one[0], one[1].value))]


def lay_offs(view: SeatView, names: Names) -> list[MoveOption]:
    """Return the cards that may be laid off, each with the meld it goes on and what it saves."""
    return [
        MoveOption(one.card, f"{laid_off(one, names)}, {saving(one)}", f"{one.card}>{one.meld}")
        for one in view.lay_offs
    ]


def notation(move: Move) -> str:
    """Return a move in notation without its verb, as components and completions carry it: `Td 4c4d4h/5s6s7s`."""
    return str(move).partition(" ")[2]
