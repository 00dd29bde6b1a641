"""If the bot is killed while shuffle words change or a match is called off, the match can still be verified.

Nightly runs kill a real process. In other runs, the kill is simulated inside the tests' process.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest

from bot.sandbox import Interaction, Sandbox
from cogs.actions import Action
from tests.helpers.components import find_button
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player, challenge_and_accept, next_turn, play_out
from tests.helpers.worlds import hall, pair
from tests.proof.deaths import prepare_runs
from tests.proof.histories import replayed_matches
from tests.proof.lives import KILL_TIMEOUT, Bot, wait_until_delivered
from tests.proof.mortal import AFTER_COMMIT, BEFORE_CALLING_OFF

BEFORE_COMMIT: Final = "before commit"
KILL_POINTS: Final = (BEFORE_COMMIT, AFTER_COMMIT, "Discord has an answer")


async def wait_for_death(death: asyncio.Task[int]) -> None:
    await asyncio.wait({death}, timeout=KILL_TIMEOUT)
    assert death.done()


async def ask_to_call_off(player: Player) -> Interaction:
    """Let a player press *Call off the match*. Return the click without waiting for its answer."""
    asked = await (await player.person.slash("gin resign", player.channel)).answer()
    custom_id = find_button(asked.message, Action.CALL_OFF)
    assert custom_id is not None
    return await player.person.press(asked.message, custom_id)


def words_of(database: DatabaseInspector) -> list[str]:
    """Return all shuffle words in the database."""
    return [text for (text,) in database.rows("SELECT text FROM player_words ORDER BY id")]


def is_running(database: DatabaseInspector) -> bool:
    """Return True if the only match in the database is running."""
    return database.rows("SELECT status FROM match") == [("running",)]


@pytest.mark.thorough
async def test_words_and_calling_off_survive_the_death_of_the_bot(tmp_path: Path) -> None:
    """After a simulated kill, shuffle words and their seed are either both saved or both lost.

    A match that was called off reveals all its seeds.
    """
    async with prepare_runs(tmp_path, hall(1)) as lives:
        sandbox, database = lives.sandbox, lives.database
        north, south = [Player(sandbox, name, sandbox.channel("table-1"), "promises") for name in pair(1)]
        async with lives.run() as life:
            await challenge_and_accept(sandbox, north, south, target=1000)
            await life.alive.idle()
            with life.killed_at(BEFORE_COMMIT):
                await north.person.slash("gin me words", north.channel, text="lost words")
                await life.wait_for_death()
        replayed_matches(database)
        assert words_of(database) == []
        async with lives.run() as life:
            mover, _ = await next_turn(sandbox, (north, south))
            await mover.act()
            await life.alive.idle()
            with life.killed_at(AFTER_COMMIT):
                await north.person.slash("gin me words", north.channel, text="kept words")
                await life.wait_for_death()
        replayed_matches(database)
        assert words_of(database) == ["kept words"]
        for fate in (BEFORE_CALLING_OFF, AFTER_COMMIT):
            async with lives.run() as life:
                if fate == BEFORE_CALLING_OFF:
                    await (await ask_to_call_off(north)).done()
                await life.alive.idle()
                with life.killed_at(fate):
                    await ask_to_call_off(south)
                    await life.wait_for_death()
            assert is_running(database) is (fate == BEFORE_CALLING_OFF)
            replayed_matches(database)


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_words_and_calling_off_survive_kill_9(tmp_path: Path) -> None:
    """After a real kill, shuffle words and their seed are either both saved or both lost.

    A match that was called off reveals all its seeds.
    """
    async with Sandbox(hall(1)) as sandbox, Bot.prepared(sandbox, tmp_path) as bot:
        north, south = [Player(sandbox, name, sandbox.channel("table-1"), "promises") for name in pair(1)]
        async with bot.run():
            await challenge_and_accept(sandbox, north, south, target=1000)
        for number, fate in enumerate(KILL_POINTS):
            async with bot.run(fate, 1) as death:
                await north.person.slash("gin me words", north.channel, text=f"words {number}")
                await wait_for_death(death)
            replayed_matches(bot.database)
            async with bot.run() as death:
                for _ in range(3):
                    mover, _ = await next_turn(sandbox, (north, south))
                    await mover.act()
                await wait_until_delivered(sandbox, bot, death)
        assert words_of(bot.database) == [
            f"words {number}" for number, fate in enumerate(KILL_POINTS) if fate != BEFORE_COMMIT
        ]
        async with bot.run():
            await (await ask_to_call_off(north)).done()
        for fate in (BEFORE_CALLING_OFF, AFTER_COMMIT):
            async with bot.run(fate, 1) as death:
                await ask_to_call_off(south)
                await wait_for_death(death)
            assert is_running(bot.database) is (fate == BEFORE_CALLING_OFF)
            replayed_matches(bot.database)
        async with bot.run() as death:
            await challenge_and_accept(sandbox, south, north, target=10)
            await play_out(sandbox, (north, south))
            await wait_until_delivered(sandbox, bot, death)
        replayed_matches(bot.database)
