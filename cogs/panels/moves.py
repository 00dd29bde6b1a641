"""The buttons and menus with which a player moves: exactly what they may do now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from discord import ButtonStyle, SelectOption

from bot.engine.cards import Card
from bot.engine.melds import Arrangement
from bot.engine.moves import Move, Verb
from bot.engine.views import SeatView
from bot.values.matches import OwnHand
from cardart.text.card_names import Names, names_of
from cardart.text.queries import best_lay_offs
from cogs.kit.actions import Action
from cogs.kit.components import button, menu
from cogs.panels.layout import Item, Row
from cogs.text.cards import capitalized_name, laid_off, melds, saving
from cogs.text.rules import MENU


def buttons(shown: OwnHand) -> Iterator[Item]:
    """Yield buttons for the moves that need no card."""
    match, version, view = shown.match.id, shown.match.version, shown.view
    verbs, top = {move.verb for move in view.moves}, view.public.top
    if Verb.DRAW in verbs:
        yield button(match, version, Action.DRAW, "Draw from the stock", ButtonStyle.primary)
    if Verb.TAKE in verbs:
        label = "Take" if top is None else f"Take {names_of(shown.preferences.appearance.language).short(top)}"
        style = ButtonStyle.secondary if Verb.DRAW in verbs else ButtonStyle.primary
        yield button(match, version, Action.TAKE, label, style)
    if Verb.PASS in verbs:
        yield button(match, version, Action.PASS, "Pass")
    if view.can_go_big_gin:
        yield button(match, version, Action.BIG_GIN, "Big gin!", ButtonStyle.success)
    if view.can_go_gin:
        style = ButtonStyle.secondary if view.can_go_big_gin else ButtonStyle.success
        yield button(match, version, Action.GIN, "Gin!", style)
    if Verb.DONE in verbs:
        yield from _lay_off_buttons(shown)


def _lay_off_buttons(shown: OwnHand) -> Iterator[Item]:
    """Yield the buttons that answer a knock as a whole."""
    match, version, view = shown.match.id, shown.match.version, shown.view
    names, best = names_of(shown.preferences.appearance.language), best_lay_offs(view)
    if best:
        label = f"Lay off {names.row(one.card for one in best)}"
        yield button(match, version, Action.LAY_OFF_ALL, label, ButtonStyle.success)
    has_laid_off = view.public.knock is not None and any(one.seat == view.seat for one in view.public.knock.lay_offs)
    label = "Done" if has_laid_off else "Lay nothing off" if best else "Show my hand"
    style = ButtonStyle.secondary if best else ButtonStyle.primary
    yield button(match, version, Action.FINISH_LAYING_OFF, label, style)


@dataclass(frozen=True, slots=True)
class MoveOption:
    """A move with a card, as menus and completions offer it."""

    card: Card
    label: str
    value: str


def menus(shown: OwnHand) -> Iterator[Row]:
    """Yield menus for the moves with a card."""
    match, view, names = shown.match, shown.view, names_of(shown.preferences.appearance.language)
    for action, placeholder, found in (
        (Action.DISCARD, "Discard …", discards(view, names)),
        (Action.KNOCK, "Knock, discarding …", knocks(view, names)),
        (Action.KNOCK_WITH_MELDS, "Knock with other melds …", ways_to_knock(view, names)),
        (Action.LAY_OFF, "Lay off …", lay_offs(view, names)),
    ):
        options = [
            SelectOption(label=one.label, value=one.value, description=capitalized_name(one.card, names))
            for one in found
        ]
        if options:
            yield [menu(match.id, match.version, action, placeholder, options)]


def discards(view: SeatView, names: Names) -> list[MoveOption]:
    """Return the cards that may be discarded, with what they leave; least deadwood first."""
    allowed = sorted((one for one in view.discard_choices if one.allowed), key=lambda one: one.leaves)
    return [MoveOption(one.card, f"{names.short(one.card)}, leaving {one.leaves}", one.card.text) for one in allowed]


def knocks(view: SeatView, names: Names) -> list[MoveOption]:
    """Return the cards that a knock may discard, with what they leave; least deadwood first."""
    allowed = sorted((one for one in view.discard_choices if one.knocks), key=lambda one: one.leaves)
    return [
        MoveOption(one.card, f"✊ discarding {names.short(one.card)}, leaving {one.leaves}", one.card.text)
        for one in allowed
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
        label = f"discarding {names.short(move.card)}: {melds(move.melds, names)}, leaving {laid.deadwood}"
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
