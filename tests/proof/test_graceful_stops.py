"""If the bot is stopped during play or an export, each saved move is answered, and the log has no errors."""

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

from bot.connection import client
from bot.sandbox import Interaction, Sandbox
from cogs.actions import Action
from cogs.delivery.refusals import INTERRUPTED
from tests.helpers.components import find_button
from tests.helpers.living import running_bot
from tests.helpers.players import Player, challenge_and_accept, play_out
from tests.helpers.worlds import hall, pair
from tests.proof.lives import KILL_TIMEOUT, Bot

SEED: Final = "stops"
TABLES: Final = 6
TARGET: Final = 1000
"""Target score that no player reaches in this test."""
STOPS: Final = 8
MAX_CLICKS: Final = 60
"""Maximum number of clicks before the bot is stopped."""


@contextlib.asynccontextmanager
async def playing(sandbox: Sandbox, players: Sequence[Player]) -> AsyncGenerator[asyncio.Event]:
    """Let people play, from the time the yielded event is set to the end of the block, even while the bot stops."""
    begin = asyncio.Event()

    async def play_on() -> None:
        await begin.wait()
        await play_out(sandbox, players, KILL_TIMEOUT)

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
    """If the bot is stopped during play, each saved move was answered, and play continues after the restart."""
    random = Random(SEED)
    async with Sandbox(hall(TABLES)) as sandbox, Bot.prepared(sandbox, tmp_path) as bot:
        tables = [
            [Player(sandbox, name, sandbox.channel(f"table-{table}"), SEED) for name in pair(table)]
            for table in range(1, TABLES + 1)
        ]
        players = [player for two in tables for player in two]
        async with bot.run():
            for first, second in tables:
                await challenge_and_accept(sandbox, first, second, target=TARGET)
        for _ in range(STOPS):
            until = len(_clicks(players)) + random.randint(TABLES + 1, MAX_CLICKS)
            async with playing(sandbox, players) as begin, bot.run():
                begin.set()
                await sandbox.until(lambda until=until: len(_clicks(players)) >= until, KILL_TIMEOUT)
            saved = {interaction_id for (interaction_id,) in bot.database.rows("SELECT interaction_id FROM action")}
            assert [click for click in _clicks(players) if click.response is None and click.id in saved] == []
        assert bot.kills.total() == 0
        assert re.findall("Traceback|level=(?:error|critical).*", (tmp_path / "bot.log").read_text()) == []


def _clicks(players: Sequence[Player]) -> list[Interaction]:
    return [made for player in players for made in player.interactions]


@pytest.mark.thorough
async def test_a_stop_amid_an_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the bot is stopped during an export, the person is asked to try again, and the log has no warnings."""
    monkeypatch.setattr(client, "SHUTDOWN_TIMEOUT", 0.01)
    # Give the bot ample time to reply: only a hang takes this long.
    monkeypatch.setattr(client, "CANCEL_TIMEOUT", KILL_TIMEOUT)
    started_event = asyncio.Event()

    async def never(*_: object) -> None:
        started_event.set()
        await asyncio.Event().wait()

    async with running_bot(tmp_path, world=hall(1)) as alive:
        person, channel = alive.person(pair(1)[0]), alive.sandbox.channel("table-1")
        await alive.sandbox.until(lambda: person.commands(channel))
        panel = (await (await person.slash("gin me privacy", channel)).done()).message
        custom_id = find_button(panel, Action.EXPORT)
        assert custom_id is not None
        monkeypatch.setattr(alive.app.exports, "export", never)
        pressed = await person.press(panel, custom_id)
        await started_event.wait()
        with capture_logs() as lines:
            await alive.client.close()
        assert pressed.messages[-1].text == INTERRUPTED
        assert [line for line in lines if line["log_level"] in ("warning", "error")] == []
