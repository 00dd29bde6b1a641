"""`kill -9` amid play: at chosen points of the bot's work, at moments that Discord chooses, and at random ones."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

import pytest

from bot.sandbox import Sandbox
from cogs.kit.actions import Action
from cogs.panels.layout import Accent
from tests.helpers.components import MOVES, accent_of, actions_of
from tests.helpers.players import Player, play_out, press, sit_down
from tests.helpers.worlds import hall, pair
from tests.proof.histories import Witness, tables, verify
from tests.proof.lives import LONG, MOMENTS, RANDOM, Bot, delivered
from tests.proof.mortal import AFTER_COMMIT, POINTS

SEED: Final = "kills"
TARGET: Final = 10

FATES: Final = (AFTER_COMMIT, *POINTS, *MOMENTS, RANDOM)

BY_DAY: Final = (AFTER_COMMIT, "after a post", "while outcomes are recorded", *list(MOMENTS)[:2], RANDOM)
"""Each kind of fate; all of them come at night."""


def in_random_order(fates: Sequence[str], lives: int, latest: int) -> list[tuple[str, int]]:
    """Return how lives end: at which point or moment, and at the how-manieth time it comes.

    Each fate befalls `lives` lives, at the `latest`-th time at most. A random one comes after some milliseconds.
    """
    random = Random(SEED)
    chosen = [
        (name, random.randint(50, 900) if name == RANDOM else random.randint(1, latest))
        for name in fates
        for _ in range(lives)
    ]
    random.shuffle(chosen)
    return chosen


async def try_panels(players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """Press what every table offers: each button must do what it says, unless the bot dies of it."""
    for player in players:
        for action in (Action.SHOW_SCORE, Action.SHOW_HAND):
            for table in list(tables(player)):
                pressed = await press(player.person, table, action)
                if pressed.failed:
                    assert death.done()
                    continue
                assert accent_of(pressed.message) != Accent.TROUBLE.value
                shows_hand = not actions_of(pressed.message).isdisjoint({*MOVES, Action.REFRESH_HAND})
                assert shows_hand == (action is Action.SHOW_HAND)


async def play_on(sandbox: Sandbox, players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """Play, and play again where a match is over, until the bot dies.

    Raises:
        AssertionError: it does not die in a long time.
    """

    async def forever() -> None:
        while True:
            for player in players:
                for message in player.person.sees(player.channel):
                    # What one of them agrees to takes away the other's question.
                    if Action.REMATCH in actions_of(message) and not message.deleted:
                        await press(player.person, message, Action.REMATCH)
            await sandbox.until(lambda: not any(player.over for player in players))
            await play_out(sandbox, players)

    playing = asyncio.create_task(forever())
    await asyncio.wait({playing, death}, timeout=LONG, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        playing.result()
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    assert death.done()


@pytest.mark.slow
@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("fates", "lives", "latest"), [(BY_DAY, 1, 2), pytest.param(FATES, 3, 8, marks=pytest.mark.nightly)]
)
async def test_matches_survive_kill_9_at_any_moment(
    tmp_path: Path, fates: Sequence[str], lives: int, latest: int
) -> None:
    """No acknowledged move is lost, none applied twice; one table, one hand, one push a turn; and play goes on."""
    async with Sandbox(hall(2)) as sandbox, Bot.born(sandbox, tmp_path) as bot:
        witness = Witness()
        sandbox.interactions.observers.append(witness)
        players = [
            Player(sandbox, name, sandbox.channel(f"table-{table}"), SEED, by_dm=name != pair(2)[1])
            for table in (1, 2)
            for name in pair(table)
        ]
        async with bot.life():
            await sit_down(sandbox, players[0], players[1], target=TARGET)
            await sit_down(sandbox, players[2], players[3], target=TARGET)
        for fate, count in in_random_order(fates, lives, latest):
            async with bot.life(fate, count) as death:
                await delivered(sandbox, bot, death)
                if not death.done():
                    verify(bot.database, witness, players, bot.deaths.total())
                    await try_panels(players, death)
                await play_on(sandbox, players, death)
            assert not witness.broken
        async with bot.life() as death:
            await play_out(sandbox, players)
            await delivered(sandbox, bot, death)
            verify(bot.database, witness, players, bot.deaths.total())
        assert not witness.broken
        assert {made.id for made in sandbox.unanswered} <= bot.abandoned
        assert bot.deaths == dict.fromkeys(fates, lives)
        assert not sandbox.journal.unknown_routes
