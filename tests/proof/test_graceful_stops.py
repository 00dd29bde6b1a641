"""SIGTERM amid play: no move is saved without an answer, and the log has no error."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from random import Random
from typing import Final

import pytest

from bot.sandbox import Interaction, Sandbox
from tests.helpers.players import Player, play_out, sit_down
from tests.helpers.worlds import hall, pair
from tests.proof.lives import LONG, Bot

SEED: Final = "stops"
TABLES: Final = 6
TARGET: Final = 1000
"""More points than anybody makes here."""
LATEST: Final = 0.5
"""Seconds of play until the signal, at most, once everybody is playing."""


@contextlib.asynccontextmanager
async def playing(sandbox: Sandbox, players: Sequence[Player]) -> AsyncGenerator[asyncio.Event]:
    """Let people play from the event that is yielded to the end of the block, also while the bot stops."""
    begin = asyncio.Event()

    async def play_on() -> None:
        await begin.wait()
        await play_out(sandbox, players, LONG)

    play = asyncio.create_task(play_on())
    try:
        yield begin
    finally:
        play.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await play


@pytest.mark.slow
@pytest.mark.both_databases
@pytest.mark.parametrize("stops", [2, pytest.param(8, marks=pytest.mark.nightly)])
async def test_a_stop_amid_play_saves_no_move_without_an_answer(tmp_path: Path, stops: int) -> None:
    """Each click is answered or was not applied, however the signal meets it, and play goes on at the next start."""
    random = Random(SEED)
    async with Sandbox(hall(TABLES)) as sandbox, Bot.born(sandbox, tmp_path) as bot:
        tables = [
            [Player(sandbox, name, sandbox.channel(f"table-{table}"), SEED) for name in pair(table)]
            for table in range(1, TABLES + 1)
        ]
        players = [player for two in tables for player in two]
        async with bot.life():
            for first, second in tables:
                await sit_down(sandbox, first, second, target=TARGET)
        for _ in range(stops):
            before = len(_clicks(players))
            async with playing(sandbox, players) as begin, bot.life():
                begin.set()
                await sandbox.until(lambda before=before: len(_clicks(players)) > before + TABLES)
                await asyncio.sleep(random.uniform(0, LATEST))
            saved = {one for (one,) in bot.database.rows("SELECT interaction_id FROM action")}
            assert [one for one in _clicks(players) if one.response is None and one.id in saved] == []
        assert bot.deaths.total() == 0
        assert re.findall("Traceback|level=(?:error|critical).*", (tmp_path / "bot.log").read_text()) == []


def _clicks(players: Sequence[Player]) -> list[Interaction]:
    return [made for player in players for made in player.made]
