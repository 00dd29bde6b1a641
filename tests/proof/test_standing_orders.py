"""Other people cannot tell whether a draw from the stock was ordered in advance."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.engine.cards.cards import Card
from bot.model.people import Push
from bot.sandbox import NotOfferedError
from cogs.actions import Action
from tests.cogs.scenes import person_of
from tests.engine.decks import deck
from tests.helpers.clock import Clock
from tests.helpers.components import find_button, find_control
from tests.helpers.forgery import commands_of
from tests.helpers.living import RunningBot, running_bot
from tests.helpers.players import PlannedClick, Player, challenge_and_accept, press, table_of
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import prefer
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.proof.test_leaks import seeded_chains
from tests.proof.wiretap import Transcript, Wiretap

pytestmark = pytest.mark.thorough

FIRST_HAND = "Ac 2c 3c 4d 5d 6d Kc Kd 9h Qs"
USELESS, USEFUL = "8c", "8h"
"""A card with which the second player has no use for the first discard, 9h, and one with which it makes a run."""
SECOND_HAND = "2h 4h 6s 7h Th 2s 5s 7s Jd"
DRAWN = "Qd"

NOT_COMPARED = ("gin challenge", "gin daily", "gin practice", "gin-deal fair", "gin me privacy")
"""Commands that start another game, or whose answers differ in each run."""


def _deck(card: str) -> tuple[Card, ...]:
    other = USEFUL if card == USELESS else USELESS
    cards = list(deck(FIRST_HAND, f"{SECOND_HAND} {USELESS}", "3d", stock=DRAWN))
    if card == USEFUL:
        at, instead = cards.index(Card.parse(USELESS)), cards.index(Card.parse(USEFUL))
        cards[at], cards[instead] = cards[instead], cards[at]
    assert Card.parse(other) in cards[22:]
    return tuple(cards)


async def play(card: str, *, orders: bool) -> list[Transcript]:
    """Play three turns, in which the second player orders a draw or not, and the first asks to take the discard back.

    Return all that everyone else has received after the first discard, after the request, an hour later, and after the
    second discard.
    """
    clock, found = Clock(), list[Transcript]()
    with TemporaryDirectory() as directory, seeded_chains("orders") as commitments:
        async with running_bot(
            Path(directory), world=hall(1), shuffler=RiggedShuffler(_deck(card)), clock=clock
        ) as alive:
            channel = alive.sandbox.channel("table-1")
            first, second = (Player(alive.sandbox, name, channel, 1) for name in pair(1))
            tap = Wiretap(alive.sandbox, frozenset((second.person.id,)), commitments)
            await challenge_and_accept(alive.sandbox, first, second)
            await alive.idle()
            await prefer(alive.app, person_of(second.person), take_backs=True, push=Push.BOTH)
            if orders:
                await _order_a_draw(second)
            await alive.idle()
            await _click(first, Action.TAKE)
            await alive.idle()
            await _click(first, Action.DISCARD, "9h")
            await _look_around(alive, first, tap)
            found.append(deepcopy(tap.transcript()))
            hand = await (await first.person.slash("gin hand", channel)).answer()
            await press(first.person, hand.message, Action.TAKE_BACK)
            await _use_all_commands(alive, first)
            await _look_around(alive, first, tap)
            found.append(deepcopy(tap.transcript()))
            clock.pass_by(timedelta(hours=1))
            assert second.panel is not None
            assert (find_button(second.panel, Action.DRAW) is None) == (orders and card == USELESS)
            if find_button(second.panel, Action.DRAW) is not None:
                await _click(second, Action.DRAW)
            await _look_around(alive, first, tap)
            found.append(deepcopy(tap.transcript()))
            await _click(second, Action.DISCARD, DRAWN)
            await alive.idle()
            # From now on, exports have the time of the draw.
            await _look_around(alive, first, tap, exports=False)
            found.append(deepcopy(tap.transcript()))
    return found


async def _order_a_draw(player: Player) -> None:
    assert player.panel is not None
    menu = find_control(player.panel, Action.GIVE_ORDERS)
    assert menu is not None
    await (await player.person.choose(player.panel, menu.custom_id, "draw")).answer()


async def _click(player: Player, action: Action, argument: str | None = None) -> None:
    assert player.panel is not None
    control = find_control(player.panel, action, argument)
    assert control is not None, (action, argument)
    await (await player.click(PlannedClick(player.panel, control))).answer()


async def _look_around(alive: RunningBot, player: Player, tap: Wiretap, *, exports: bool = True) -> None:
    """Let the other player and a spectator look at the match in all ways, and record what they see."""
    await alive.idle()
    channel, spectator = player.channel, alive.person(SPECTATOR)
    table = table_of(player)
    for action in (Action.SHOW_HAND, Action.LAST_MOVES, Action.SHOW_SCORE):
        for person in (player.person, spectator):
            await press(person, table, action)
    if exports:
        kept = (await (await player.person.slash("gin me privacy", channel)).answer()).message
        await press(player.person, kept, Action.EXPORT)
    await alive.idle()
    for person in (player.person, spectator):
        tap.record_screen(person, person.name)


async def _use_all_commands(alive: RunningBot, player: Player) -> None:
    """Let the other player and a spectator use all commands that need no options."""
    for command in commands_of(alive):
        if any(option.required for option in command.parameters) or command.qualified_name.startswith(NOT_COMPARED):
            continue
        for person in (player.person, alive.person(SPECTATOR)):
            with suppress(NotOfferedError):
                await (await person.slash(command.qualified_name, player.channel)).answer()
                await alive.idle()


async def test_nobody_can_tell_an_ordered_draw_from_another() -> None:
    """Everyone else receives the same bytes whether an order drew, stopped at a useful discard, or was not given.

    This includes the answer to a request to take the discard back, and the ping that follows it.
    """
    none = await play(USELESS, orders=False)
    for card, orders in ((USELESS, True), (USEFUL, True), (USEFUL, False)):
        other = await play(card, orders=orders)
        for before, after in zip(none, other, strict=True):
            differing = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
            assert not differing, (card, orders, [(before.get(key), after.get(key)) for key in differing])
