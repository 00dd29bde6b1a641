"""Rounds of simultaneous clicks by both players of a match."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from bot.engine.deals.moves import DRAW
from bot.engine.matches.match import Play
from bot.engine.records.record import parse_actions
from bot.model.ids import MatchId
from bot.play.application import Application
from bot.sandbox import Interaction, ResponseKind, Sandbox
from bot.store import matches
from cogs.kit.layout import Accent
from tests.helpers.components import QUESTIONS, accent_of
from tests.helpers.players import PlannedClick, Player, next_turn

MATCH = MatchId(1)


UPDATE_TIMEOUT: Final = 60.0
"""Timeout until a hand shows the latest move, in seconds. Only a fault takes this long."""


async def _current_turn(
    sandbox: Sandbox, players: Sequence[Player], app: Application
) -> tuple[int, Player, PlannedClick]:
    """Return the length of the match's log, the player whose turn it is, and a move that the player's hand offers.

    Wait until the hand shows the latest move. A hand is outdated if the player moved while it was being posted.
    """
    async with asyncio.timeout(UPDATE_TIMEOUT):
        while True:
            mover, deed = await next_turn(sandbox, players)
            version = (await app.lookup.info(MATCH)).version
            if deed.control.event.version == version:
                return version, mover, deed
            await asyncio.sleep(0.01)


async def _plays_after(app: Application, length: int) -> list[Play]:
    """Return the moves in the match's log after its first `length` actions."""
    async with app.lookup._units.read() as unit:  # pyright: ignore[reportPrivateUsage]
        texts = (await matches.actions(unit.transaction, MATCH))[length:]
    return [action for action in parse_actions("\n".join(texts)) if isinstance(action, Play)]


async def double_click(sandbox: Sandbox, players: Sequence[Player], apps: Sequence[Application], times: int) -> None:
    """Make rounds of simultaneous clicks. Check that every click is answered, and one in each round makes a move.

    After that move, the bot can draw for the other player.

    In each round, the player whose turn it is clicks twice, and the other player clicks on an old button. `apps` holds
    one application for each process. The first application reads the match before the clicks, the last one afterwards.
    `players` are in the order of their seats.
    """
    granted, earlier = set[int](), dict[Player, PlannedClick]()

    def note(made: Interaction) -> None:
        # A refusal is only acknowledged if the message already shows a newer state.
        is_shown = made.response is not None and made.response.kind in (ResponseKind.MESSAGE, ResponseKind.UPDATE)
        if is_shown and accent_of(made.message) != Accent.TROUBLE.value:
            granted.add(made.id)

    sandbox.interactions.observers.append(note)
    for _ in range(times):
        length, mover, deed = await _current_turn(sandbox, players, apps[0])
        other = mover.choose()
        second = deed if other is None or other.action in QUESTIONS else other
        # An edit by another process can hide the buttons for a moment, while the clicks are under way.
        clicks = [mover.click(deed, late=True), mover.click(second, late=True)]
        clicks += [player.click(past, late=True) for player, past in earlier.items() if player is not mover]
        earlier[mover] = deed
        made = await asyncio.gather(*clicks)
        await asyncio.gather(*(click.answer() for click in made))
        made_move, *ordered = await _plays_after(apps[-1], length)
        assert players[made_move.seat] is mover
        assert [(players[play.seat] is mover, play.move) for play in ordered] in ([], [(False, DRAW)])
        assert sum(click.id in granted for click in made) == 1
