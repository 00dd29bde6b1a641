"""The buttons and menus by which a hand's owner moves: what the phase allows and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import ui

from bot.engine.cards import Card
from bot.engine.melds import Arrangement
from bot.engine.moves import Move, Verb
from bot.engine.views import SeatView
from bot.play.values import OwnHand
from cardart.facts import best_lay_offs
from cardart.names import Names, names_of
from cogs.panels.layout import Row
from cogs.presses import button, menu
from cogs.words.cards import laid_off, line, melds, saving
from cogs.words.rules import MENU

PRIMARY: Final = discord.ButtonStyle.primary
SUCCESS: Final = discord.ButtonStyle.success


def buttons(shown: OwnHand) -> Row:
    """The moves that need no card."""
    match, version, view = shown.card.id, shown.card.version, shown.view
    verbs = {move.verb for move in view.moves}
    top = view.public.top
    take = "Take" if top is None else f"Take {names_of(shown.look.language).short(top)}"
    row: list[ui.Item[Any]] = []
    if Verb.DRAW in verbs:
        row.append(button(match, version, "draw", "Draw from the stock", PRIMARY))
    if Verb.TAKE in verbs:
        style = discord.ButtonStyle.secondary if Verb.DRAW in verbs else PRIMARY
        row.append(button(match, version, "take", take, style))
    if Verb.PASS in verbs:
        row.append(button(match, version, "pass", "Pass"))
    if view.can_go_big_gin:
        row.append(button(match, version, "big", "Big gin!", SUCCESS))
    if view.can_go_gin:
        style = discord.ButtonStyle.secondary if view.can_go_big_gin else SUCCESS
        row.append(button(match, version, "gin", "Gin!", style))
    if Verb.DONE in verbs:
        row += _answers(shown)
    return row


def _answers(shown: OwnHand) -> Iterator[ui.Item[Any]]:
    """How a knock may be answered as a whole."""
    match, version, view = shown.card.id, shown.card.version, shown.view
    names, best = names_of(shown.look.language), best_lay_offs(view)
    if best:
        yield button(match, version, "layoff_all", f"Lay off {names.row(one.card for one in best)}", SUCCESS)
    has_laid = view.public.knock is not None and any(one.seat == view.seat for one in view.public.knock.lay_offs)
    label = "Done" if has_laid else "Lay nothing off" if best else "Show my hand"
    yield button(match, version, "done", label, discord.ButtonStyle.secondary if best else PRIMARY)


@dataclass(frozen=True, slots=True)
class Pick:
    """A move with a card, as a menu and a completion offer it: the card, what is told of the move, and its value."""

    card: Card
    label: str
    value: str


def menus(shown: OwnHand) -> list[Row]:
    """The moves with a card."""
    view, names = shown.view, names_of(shown.look.language)
    picks = {
        ("discard", "Discard …"): discards(view, names),
        ("knock", "Knock, discarding …"): knocks(view, names),
        ("knock_as", "Knock with other melds …"): ways_to_knock(view, names),
        ("layoff", "Lay off …"): lay_offs(view, names),
    }
    return [
        [menu(shown.card.id, shown.card.version, verb, placeholder, [_option(pick, names) for pick in offered])]
        for (verb, placeholder), offered in picks.items()
        if offered
    ]


def _option(pick: Pick, names: Names) -> discord.SelectOption:
    return discord.SelectOption(label=pick.label, value=pick.value, description=line(pick.card, names))


def discards(view: SeatView, names: Names) -> list[Pick]:
    """The cards that may be discarded, with what they leave; least deadwood first."""
    allowed = sorted((one for one in view.discard_choices if one.allowed), key=lambda one: one.leaves)
    return [Pick(one.card, f"{names.short(one.card)}, leaving {one.leaves}", one.card.text) for one in allowed]


def knocks(view: SeatView, names: Names) -> list[Pick]:
    """The cards that a knock may discard, with what they leave; least deadwood first."""
    allowed = sorted((one for one in view.discard_choices if one.knocks), key=lambda one: one.leaves)
    return [
        Pick(one.card, f"✊ discarding {names.short(one.card)}, leaving {one.leaves}", one.card.text) for one in allowed
    ]


def ways_to_knock(view: SeatView, names: Names) -> list[Pick]:
    """The knocks with discards that leave several ways to lay the hand down; least deadwood first."""
    moves = [move for move in view.moves if move.verb is Verb.KNOCK]
    several = Counter(move.card for move in moves)
    ways: list[tuple[int, Pick]] = []
    for move in moves:
        if move.card is None or move.melds is None or several[move.card] == 1:
            continue
        laid = Arrangement.of(move.melds, view.hand - move.card, view.public.rules.aces)
        label = f"discarding {names.short(move.card)}: {melds(move.melds, names)}, leaving {laid.deadwood}"
        ways.append((laid.deadwood, Pick(move.card, label[:MENU], notation(move))))
    return [pick for _, pick in sorted(ways, key=lambda way: (way[0], way[1].value))]


def lay_offs(view: SeatView, names: Names) -> list[Pick]:
    """The cards that may be laid off, each with the meld it goes on and what it saves."""
    return [Pick(one.card, f"{laid_off(one, names)}, {saving(one)}", f"{one.card}>{one.meld}") for one in view.lay_offs]


def notation(move: Move) -> str:
    """A move in notation without its verb, as components and completions carry it: `Td 4c4d4h/5s6s7s`."""
    return str(move).partition(" ")[2]
