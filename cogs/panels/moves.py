"""The buttons and menus by which a hand's owner moves: what the phase allows and no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.engine.melds import Arrangement
from bot.engine.moves import Move, Verb
from bot.engine.views import Phase, SeatView
from bot.play.values import OwnHand
from cogs.panels.layout import Row
from cogs.presses import button, menu
from cogs.words.cards import cards, melds

PRIMARY: Final = discord.ButtonStyle.primary
SUCCESS: Final = discord.ButtonStyle.success


def buttons(shown: OwnHand) -> Row:
    """The moves that need no card."""
    match, version, view = shown.card.id, shown.card.version, shown.view
    verbs = {move.verb for move in view.moves}
    top = view.public.top
    take = f"Take {top.symbol}" if top is not None else "Take"
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
        row.append(button(match, version, "gin", "Gin!", SUCCESS))
    if Verb.DONE in verbs:
        row += _answers(shown)
    return row


def _answers(shown: OwnHand) -> Iterator[ui.Item[Any]]:
    """How a knock may be answered as a whole."""
    match, version, view = shown.card.id, shown.card.version, shown.view
    best = () if view.defence is None else view.defence.lay_offs
    if best:
        yield button(match, version, "layoff_all", f"Lay off {cards(one.card for one in best)}", SUCCESS)
    laid_off = view.public.knock is not None and any(one.seat == view.seat for one in view.public.knock.lay_offs)
    label = "Done" if laid_off else "Lay nothing off" if best else "Show my hand"
    yield button(match, version, "done", label, discord.ButtonStyle.secondary if best else PRIMARY)


def menus(shown: OwnHand) -> list[Row]:
    """The moves with a card."""
    match, version, view = shown.card.id, shown.card.version, shown.view
    rows: list[Row] = []
    discards = [choice for choice in view.choices if choice.allowed]
    if discards:
        options = [
            discord.SelectOption(label=f"{one.card.symbol}, leaving {one.leaves}", value=one.card.text)
            for one in sorted(discards, key=lambda one: one.leaves)
        ]
        rows.append([menu(match, version, "discard", "Discard …", options)])
    knocks = [choice for choice in view.choices if choice.knocks]
    if knocks:
        options = [
            discord.SelectOption(label=f"✊ discarding {one.card.symbol}, leaving {one.leaves}", value=one.card.text)
            for one in sorted(knocks, key=lambda one: one.leaves)
        ]
        rows.append([menu(match, version, "knock", "Knock, discarding …", options)])
    others = ways_to_knock(view)
    if others:
        options = [discord.SelectOption(label=label[:100], value=notation(move)) for move, label in others]
        rows.append([menu(match, version, "knock_as", "Knock with other melds …", options)])
    if view.public.phase is Phase.LAY_OFF and view.lay_offs:
        options = [
            discord.SelectOption(
                label=f"{one.card.symbol} on {cards(one.meld.cards)}, saving {one.saves}",
                value=f"{one.card}>{one.meld}",
            )
            for one in view.lay_offs
        ]
        rows.append([menu(match, version, "layoff", "Lay off …", options)])
    return rows


def ways_to_knock(view: SeatView) -> list[tuple[Move, str]]:
    """The knocks with discards that leave several ways to lay the hand down, with their words; least deadwood first."""
    ways: list[tuple[int, Move, str]] = []
    knocks = [move for move in view.moves if move.verb is Verb.KNOCK]
    for move in knocks:
        if move.card is None or move.melds is None or sum(one.card is move.card for one in knocks) == 1:
            continue
        laid = Arrangement.of(move.melds, view.hand - move.card, view.public.rules.aces)
        told = f"discarding {move.card.symbol}: {melds(move.melds)}, leaving {laid.deadwood}"
        ways.append((laid.deadwood, move, told))
    return [(move, told) for _, move, told in sorted(ways, key=lambda way: (way[0], str(way[1])))]


def notation(move: Move) -> str:
    """A move in notation without its verb, as components and completions carry it: `Td 4c4d4h/5s6s7s`."""
    return str(move).partition(" ")[2]
