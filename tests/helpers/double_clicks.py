"""Rounds of simultaneous clicks by both players of a match."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Final

from bot.engine.deals.moves import Verb
from bot.engine.matches.actions import Play, TakeBack
from bot.engine.records.record import parse_actions
from bot.model.ids import MatchId
from bot.play.application import Application
from bot.sandbox import Interaction, ResponseKind, Sandbox
from bot.store import matches
from cogs.actions import Action
from cogs.kit.layout import Accent
from cogs.turns.match_options import ANSWER
from tests.helpers.components import MOVES, accent_of, find_control
from tests.helpers.players import PlannedClick, Player, next_turn

MATCH = MatchId(1)

UPDATE_TIMEOUT: Final = 60.0
"""Timeout until a hand shows the latest move, in seconds. Only a fault takes this long."""

ORDERED: Final[tuple[list[tuple[bool, Verb]], ...]] = (
    [],
    [(False, Verb.DRAW)],
    [(False, Verb.TAKE)],
    [(False, Verb.PASS)],
    [(False, Verb.PASS), (True, Verb.DRAW)],
)
"""The ordered moves that can follow a move: whether each is of the player who has just moved, and its verb."""


def _record_granted(sandbox: Sandbox) -> set[int]:
    """Return a set to which the id of each click is added that is answered, and not by a refusal."""
    granted = set[int]()

    def note(made: Interaction) -> None:
        # A refusal is only acknowledged if the message already shows a newer state.
        is_shown = made.response is not None and made.response.kind in (ResponseKind.MESSAGE, ResponseKind.UPDATE)
        if is_shown and accent_of(made.message) != Accent.TROUBLE.value:
            granted.add(made.id)

    sandbox.interactions.observers.append(note)
    return granted


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


async def _actions_after(app: Application, length: int) -> list[Play | TakeBack]:
    """Return the moves, and the discards taken back, in the match's log after its first `length` actions."""
    async with app.lookup._units.read() as unit:  # pyright: ignore[reportPrivateUsage]
        texts = (await matches.actions(unit.transaction, MATCH))[length:]
    return [action for action in parse_actions("\n".join(texts)) if isinstance(action, Play | TakeBack)]


async def _click_all(clicks: Sequence[tuple[Player, PlannedClick]]) -> list[Interaction]:
    """Make all clicks simultaneously, and wait until each is answered."""
    # An edit by another process can hide the buttons for a moment, while the clicks are under way.
    made = await asyncio.gather(*(player.click(deed, late=True) for player, deed in clicks))
    return await asyncio.gather(*(click.answer() for click in made))


async def double_click(sandbox: Sandbox, players: Sequence[Player], apps: Sequence[Application], times: int) -> None:
    """Make rounds of simultaneous clicks. Check that every click is answered, and one in each round makes a move.

    After that move, the bot can make the other player's ordered move.

    In each round, the player whose turn it is clicks twice, and the other player clicks on an old button. A player who
    plans ahead also clicks twice for that. `apps` holds one application for each process. The first application reads
    the match before the clicks, the last one afterwards. `players` are in the order of their seats.
    """
    granted, earlier = _record_granted(sandbox), dict[Player, PlannedClick]()
    for _ in range(times):
        length, mover, deed = await _current_turn(sandbox, players, apps[0])
        other = mover.choose()
        second = deed if other is None or other.action not in MOVES else other
        clicks = [(mover, deed), (mover, second)]
        clicks += [(player, past) for player, past in earlier.items() if player is not mover]
        earlier[mover] = deed
        waiting = [player for player in players if player is not mover and player.plans_ahead]
        plans = [(player, plan) for player in waiting * 2 if (plan := player.plan()) is not None]
        made = (await _click_all([*clicks, *plans]))[: len(clicks)]
        made_move, *ordered = [play for play in await _actions_after(apps[-1], length) if isinstance(play, Play)]
        assert players[made_move.seat] is mover
        assert [(players[play.seat] is mover, play.move.verb) for play in ordered] in ORDERED
        assert sum(click.id in granted for click in made) == 1


async def double_request(sandbox: Sandbox, players: Sequence[Player], apps: Sequence[Application], times: int) -> None:
    """Make rounds of simultaneous clicks about taking a discard back.

    In each round, a player asks twice. Then the opponent allows it twice, and makes a move. Check that every click is
    answered, and that one of the two requests counts, and one of the opponent's three clicks. The arguments are as in
    `double_click`.
    """
    granted, random = _record_granted(sandbox), Random("requests")
    for _ in range(times):
        asker, ask = await _next_request(sandbox, players)
        asked = await _click_all([(asker, ask)] * 2)
        assert sum(click.id in granted for click in asked) == 1
        (opponent,) = (player for player in players if player is not asker)
        _, move = await next_turn(sandbox, [opponent])
        answer = await sandbox.until(lambda opponent=opponent: _find_click(opponent, ANSWER))
        assert answer is not None
        length, clicks = (await apps[0].lookup.info(MATCH)).version, [answer, answer, move]
        random.shuffle(clicks)
        made = await _click_all([(opponent, deed) for deed in clicks])
        assert sum(click.id in granted for click in made) == 1
        (action,) = await _actions_after(apps[-1], length)
        assert players[action.seat] is (asker if isinstance(action, TakeBack) else opponent)


async def _next_request(sandbox: Sandbox, players: Sequence[Player]) -> tuple[Player, PlannedClick]:
    """Let people play until one can ask to take a discard back. Return that player, and the click."""
    while True:
        mover, deed = await next_turn(sandbox, players)
        await (await mover.click(deed)).answer()
        if (ask := _find_click(mover)) is not None:
            return mover, ask


def _find_click(player: Player, argument: str | None = None) -> PlannedClick | None:
    """Return a player's click that asks to take a discard back or, with the argument `ANSWER`, that allows it."""
    panel = player.panel
    control = None if panel is None else find_control(panel, Action.TAKE_BACK, argument)
    return None if panel is None or control is None else PlannedClick(panel, control)
