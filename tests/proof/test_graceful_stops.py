"""A stop during play or an export leaves no saved move without an answer, and no error in the log."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from random import Random
from typing import Final

import pytest
from structlog.testing import capture_logs

from bot import client
from bot.sandbox import Interaction, Sandbox
from cogs.kit.actions import Action
from cogs.text.refusals import BROKEN_OFF
from tests.helpers.components import find_button
from tests.helpers.living import living
from tests.helpers.players import Player, play_out, sit_down
from tests.helpers.worlds import hall, pair
from tests.proof.lives import LONG, Bot

SEED: Final = "stops"
TABLES: Final = 6
TARGET: Final = 1000
"""More points than any player makes here."""
STOPS: Final = 8
LATEST: Final = 60
"""Maximum number of clicks until the signal, after everyone is playing."""


@contextlib.asynccontextmanager
async def playing(sandbox: Sandbox, players: Sequence[Player]) -> AsyncGenerator[asyncio.Event]:
    """Let people play from the yielded event until the end of the block, even while the bot stops."""
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


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_a_stop_amid_play_saves_no_move_without_an_answer(tmp_path: Path) -> None:
    """Each click is either answered or not applied, and play continues after the restart."""
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
        for _ in range(STOPS):
            until = len(_clicks(players)) + random.randint(TABLES + 1, LATEST)
            async with playing(sandbox, players) as begin, bot.life():
                begin.set()
                await sandbox.until(lambda until=until: len(_clicks(players)) >= until, LONG)
            saved = {one for (one,) in bot.database.rows("SELECT interaction_id FROM action")}
            assert [one for one in _clicks(players) if one.response is None and one.id in saved] == []
        assert bot.deaths.total() == 0
        assert re.findall("Traceback|level=(?:error|critical).*", (tmp_path / "bot.log").read_text()) == []


def _clicks(players: Sequence[Player]) -> list[Interaction]:
    return [made for player in players for made in player.made]


@pytest.mark.thorough
async def test_a_stop_amid_an_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop ends the export with a request to try again, and the log has no warnings."""
    monkeypatch.setattr(client, "SHUTDOWN_TIMEOUT", 0.01)
    # This timeout only ends a hang.
    monkeypatch.setattr(client, "BREAKING_OFF_TAKES", LONG)
    begun = asyncio.Event()

    async def never(*_: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    async with living(tmp_path, world=hall(1)) as alive:
        person, channel = alive.person(pair(1)[0]), alive.sandbox.channel("table-1")
        await alive.sandbox.until(lambda: person.commands(channel))
        panel = (await (await person.slash("gin me privacy", channel)).done()).message
        custom_id = find_button(panel, Action.EXPORT)
        assert custom_id is not None
        monkeypatch.setattr(alive.app.exports, "export", never)
        pressed = await person.press(panel, custom_id)
        await begun.wait()
        with capture_logs() as lines:
            await alive.client.close()
        assert pressed.messages[-1].text == BROKEN_OFF
        assert [line for line in lines if line["log_level"] in ("warning", "error")] == []
