"""`kill -9` during play: at points of the bot's work, after requests to Discord, and at random."""

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
from tests.helpers.players import Player, next_turn, play_out, press, sit_down
from tests.helpers.worlds import hall, pair
from tests.proof.histories import Witness, tables, verify
from tests.proof.lives import LONG, MOMENTS, RANDOM, Bot, delivered
from tests.proof.mortal import AFTER_COMMIT, POINTS

SEED: Final = "kills"
TARGET: Final = 10
MOST: Final = 1000
"""More points than any player makes here."""

FATES: Final = (AFTER_COMMIT, *POINTS, *MOMENTS, RANDOM)

BY_DAY: Final = ("while outcomes are recorded", "Discord has a post")
"""A fate of each kind. Nightly runs test all of them, at any moment."""


def in_random_order(fates: Sequence[str], lives: int, latest: int) -> list[tuple[str, int]]:
    """Return fates in random order, each with the occurrence at which it strikes.

    Each fate occurs `lives` times and strikes at its `latest`-th occurrence at the latest. Random fates have
    milliseconds instead.
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
    """Press the buttons of every table. Each must work unless the bot dies from it."""
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
    """Play, with rematches, until the bot dies.

    Raises:
        AssertionError: it does not die within a long time.
    """

    async def forever() -> None:
        while True:
            for player in players:
                for message in player.person.sees(player.channel):
                    # A rematch that one player accepts removes the other player's question.
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


@pytest.mark.whole_process
async def test_a_move_survives_kill_9(tmp_path: Path) -> None:
    """A move that was saved but not answered is logged once, and play continues."""
    async with Sandbox(hall(1)) as sandbox, Bot.born(sandbox, tmp_path) as bot:
        witness = Witness()
        sandbox.interactions.observers.append(witness)
        players = [
            Player(sandbox, name, sandbox.channel("table-1"), SEED, by_dm=name == pair(1)[0]) for name in pair(1)
        ]
        # The first commit starts the match.
        async with bot.life(AFTER_COMMIT, 4) as death:
            await sit_down(sandbox, *players, target=MOST)
            await play_on(sandbox, players, death)
        async with bot.life() as death:
            await delivered(sandbox, bot, death)
            verify(bot.database, witness, players, bot.deaths.total())
            mover, _ = await next_turn(sandbox, players)
            await mover.act()
            await delivered(sandbox, bot, death)
            verify(bot.database, witness, players, bot.deaths.total())
        assert bot.deaths == {AFTER_COMMIT: 1}
        assert not witness.broken
        assert {made.id for made in sandbox.unanswered} <= bot.abandoned


@pytest.mark.thorough
async def test_matches_survive_the_kinds_of_kill_9(tmp_path: Path) -> None:
    """After two kinds of kills, no move is lost or applied twice."""
    await survive(tmp_path, BY_DAY, 1, 1, matches=1, to_the_end=False)


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_matches_survive_kill_9_at_any_moment(tmp_path: Path) -> None:
    """No acknowledged move is lost or applied twice. Each player has one table, one hand and one push per turn."""
    await survive(tmp_path, FATES, 3, 8, matches=2, to_the_end=True)


async def survive(
    folder: Path, fates: Sequence[str], lives: int, latest: int, *, matches: int, to_the_end: bool
) -> None:
    """Let the bot live through fates in random order while matches are played, and check the matches in each life."""
    async with Sandbox(hall(matches)) as sandbox, Bot.born(sandbox, folder) as bot:
        witness = Witness()
        sandbox.interactions.observers.append(witness)
        players = [
            Player(sandbox, name, sandbox.channel(f"table-{table}"), SEED, by_dm=name != pair(matches)[1])
            for table in range(1, matches + 1)
            for name in pair(table)
        ]
        async with bot.life():
            for first, second in zip(players[::2], players[1::2], strict=True):
                await sit_down(sandbox, first, second, target=TARGET)
        for fate, count in in_random_order(fates, lives, latest):
            async with bot.life(fate, count) as death:
                await delivered(sandbox, bot, death)
                if not death.done():
                    verify(bot.database, witness, players, bot.deaths.total())
                    await try_panels(players, death)
                await play_on(sandbox, players, death)
            assert not witness.broken
        async with bot.life() as death:
            await delivered(sandbox, bot, death)
            if to_the_end:
                await play_out(sandbox, players)
                await delivered(sandbox, bot, death)
            verify(bot.database, witness, players, bot.deaths.total())
        assert not witness.broken
        assert {made.id for made in sandbox.unanswered} <= bot.abandoned
        assert bot.deaths == dict.fromkeys(fates, lives)
        assert not sandbox.journal.unknown_routes
