"""If the bot dies while words change or a match is called off, seeds match the words, and all are revealed.

By day the bot dies inside the tests' process. Nightly runs kill a real process.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest

from bot.sandbox import Interaction, Sandbox
from cogs.kit.actions import Action
from tests.helpers.components import find_button
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Player, next_turn, play_out, sit_down
from tests.helpers.worlds import hall, pair
from tests.proof.deaths import lives_of
from tests.proof.histories import pasts
from tests.proof.lives import LONG, Bot, delivered
from tests.proof.mortal import AFTER_COMMIT, BEFORE_CALLING_OFF

BEFORE_COMMIT: Final = "before commit"
FATES: Final = (BEFORE_COMMIT, AFTER_COMMIT, "Discord has an answer")


async def dies(death: asyncio.Task[int]) -> None:
    await asyncio.wait({death}, timeout=LONG)
    assert death.done()


async def ask_to_call_off(player: Player) -> Interaction:
    """Let a player agree to call off the match. Return the click without waiting for its answer."""
    asked = await (await player.person.slash("gin resign", player.channel)).answer()
    custom_id = find_button(asked.message, Action.CALL_OFF)
    assert custom_id is not None
    return await player.person.press(asked.message, custom_id)


def words_of(database: Onlooker) -> list[str]:
    """Return all saved words."""
    return [text for (text,) in database.rows("SELECT text FROM player_words ORDER BY id")]


def is_running(database: Onlooker) -> bool:
    """Return True if the only match is running."""
    return database.rows("SELECT status FROM match") == [("running",)]


@pytest.mark.thorough
async def test_words_and_calling_off_survive_the_death_of_the_bot(tmp_path: Path) -> None:
    """Words are saved together with their seed or not at all. Calling off a match reveals its secret seeds."""
    async with lives_of(tmp_path, hall(1)) as lives:
        sandbox, database = lives.sandbox, lives.database
        north, south = [Player(sandbox, name, sandbox.channel("table-1"), "promises") for name in pair(1)]
        async with lives.life() as life:
            await sit_down(sandbox, north, south, target=1000)
            await life.alive.idle()
            with life.doomed(BEFORE_COMMIT):
                await north.person.slash("gin me words", north.channel, text="lost words")
                await life.death()
        pasts(database)
        assert words_of(database) == []
        async with lives.life() as life:
            mover, _ = await next_turn(sandbox, (north, south))
            await mover.act()
            await life.alive.idle()
            with life.doomed(AFTER_COMMIT):
                await north.person.slash("gin me words", north.channel, text="kept words")
                await life.death()
        pasts(database)
        assert words_of(database) == ["kept words"]
        for fate in (BEFORE_CALLING_OFF, AFTER_COMMIT):
            async with lives.life() as life:
                if fate == BEFORE_CALLING_OFF:
                    await (await ask_to_call_off(north)).done()
                await life.alive.idle()
                with life.doomed(fate):
                    await ask_to_call_off(south)
                    await life.death()
            assert is_running(database) is (fate == BEFORE_CALLING_OFF)
            pasts(database)


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_words_and_calling_off_survive_kill_9(tmp_path: Path) -> None:
    """Words are saved together with their seed or not at all. Calling off a match reveals its secret seeds."""
    async with Sandbox(hall(1)) as sandbox, Bot.born(sandbox, tmp_path) as bot:
        north, south = [Player(sandbox, name, sandbox.channel("table-1"), "promises") for name in pair(1)]
        async with bot.life():
            await sit_down(sandbox, north, south, target=1000)
        for number, fate in enumerate(FATES):
            async with bot.life(fate, 1) as death:
                await north.person.slash("gin me words", north.channel, text=f"words {number}")
                await dies(death)
            pasts(bot.database)
            async with bot.life() as death:
                for _ in range(3):
                    mover, _ = await next_turn(sandbox, (north, south))
                    await mover.act()
                await delivered(sandbox, bot, death)
        assert words_of(bot.database) == [
            f"words {number}" for number, fate in enumerate(FATES) if fate != BEFORE_COMMIT
        ]
        async with bot.life():
            await (await ask_to_call_off(north)).done()
        for fate in (BEFORE_CALLING_OFF, AFTER_COMMIT):
            async with bot.life(fate, 1) as death:
                await ask_to_call_off(south)
                await dies(death)
            assert is_running(bot.database) is (fate == BEFORE_CALLING_OFF)
            pasts(bot.database)
        async with bot.life() as death:
            await sit_down(sandbox, south, north, target=10)
            await play_out(sandbox, (north, south))
            await delivered(sandbox, bot, death)
        pasts(bot.database)
