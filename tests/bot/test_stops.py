"""Shutdown during play: started actions are answered or not applied, and no new ones are accepted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import create_async_engine
from structlog.testing import capture_logs

from bot import client as client_module
from bot.play.refusals import Stopping
from bot.sandbox import Delay, Interaction, ResponseKind
from bot.store import tables
from bot.store.sqlite import SqliteDatabase
from bot.values.ids import PersonId
from bot.workers import Workers
from cogs.text import refusals as texts
from tests.cogs.scenes import Scene, at_table, clubhouse
from tests.helpers.components import controls
from tests.helpers.databases import fetch
from tests.helpers.host_faults import locked
from tests.helpers.players import Player
from tests.helpers.postgres import server
from tests.helpers.waiting import MAX_WAIT, eventually

SHORT, LONG = 0.3, MAX_WAIT
"""Timeouts for a shutdown step, in seconds: shorter and longer than anything else in these tests."""


async def version_of_match(scene: Scene) -> int:
    """Return the version of the only match."""
    ((version,),) = await fetch(scene.alive.database, select(tables.match.c.version))
    return version


async def click_first(scene: Scene) -> Interaction:
    """Press North's first button. It must be North's turn."""
    hand = await scene.turn(scene.north)
    return await scene.north.press(hand, next(controls(hand)).custom_id)


@asynccontextmanager
async def held_up(scene: Scene) -> AsyncGenerator[None]:
    """Keep the bot from writing to the match until the end of the block, as another program could."""
    database = scene.alive.database
    if isinstance(database, SqliteDatabase):
        with locked(database.path):
            yield
        return
    ((name,),) = await fetch(database, select(text("current_database()")))
    engine = create_async_engine(f"{server()}/{name}".replace("postgresql:", "postgresql+asyncpg:"))
    try:
        async with engine.begin() as connection:
            await connection.execute(text("SELECT id FROM match FOR UPDATE"))
            yield
    finally:
        await engine.dispose()


@pytest.mark.thorough
async def test_a_stop_takes_nothing_new_in(tmp_path: Path) -> None:
    """During shutdown, an earlier command is answered, and a later click changes nothing and logs no error."""
    async with at_table(tmp_path) as scene:
        before = await version_of_match(scene)
        slow = scene.sandbox.faults.requests(Delay(1), on="POST /interactions/*", times=1)
        asked = await scene.east.slash("gin help", scene.channel)
        await scene.sandbox.until(lambda: slow.hits == 1)
        with capture_logs() as lines:
            stopping = asyncio.create_task(scene.alive.client.close())
            await asyncio.sleep(0)
            late = await click_first(scene)
            await scene.sandbox.gateway.confirm_delivery()
            scene.sandbox.world.clock.advance(1)
            await stopping
        assert (await asked.done()).text
        assert late.response is None
        assert await version_of_match(scene) == before
        assert [line for line in lines if line["log_level"] == "error"] == []
        scene.sandbox.interactions.close()


@pytest.mark.thorough
@pytest.mark.both_databases
@pytest.mark.parametrize("told", [True, False])
async def test_what_cannot_be_answered_is_not_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, told: bool
) -> None:
    """A move that cannot be saved before the shutdown is refused while there is time to answer, or dropped silently."""
    monkeypatch.setattr(client_module, "SHUTDOWN_TIMEOUT", SHORT)
    monkeypatch.setattr(client_module, "BREAKING_OFF_TAKES", LONG if told else SHORT)
    async with at_table(tmp_path) as scene:
        before = await version_of_match(scene)
        with capture_logs() as lines:
            async with held_up(scene):
                made = await click_first(scene)
                await eventually(lambda: not scene.alive.database.idle)
                stopping = asyncio.create_task(scene.alive.client.close())
                done, _ = await asyncio.wait({stopping}, timeout=4 * SHORT if told else LONG)
                assert bool(done) is not told
            await stopping
            await eventually(lambda: scene.alive.database.idle)
        assert await version_of_match(scene) == before
        assert [line for line in lines if line["log_level"] == "error"] == []
        if told:
            assert texts.text(Stopping(), PersonId(scene.north.id)) in (await made.done()).text
        else:
            assert made.response is None
        scene.sandbox.interactions.close()


@pytest.mark.thorough
async def test_who_waits_for_a_computer_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player waiting for a computer's move gets an answer with their own move but without the computer's."""
    monkeypatch.setattr(client_module, "SHUTDOWN_TIMEOUT", SHORT)
    monkeypatch.setattr(client_module, "BREAKING_OFF_TAKES", LONG)
    async with clubhouse(tmp_path) as scene:
        await scene.use(scene.north, "gin practice start", scene.north.dm, level="novice")
        hand = await scene.turn(scene.north)
        player = Player(scene.sandbox, scene.north.name, scene.channel, "stops")
        asked = asyncio.Event()

        async def think(*_: object, **__: object) -> None:
            asked.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(Workers, "move", think)
        thinking = asyncio.create_task(asked.wait())
        made = await click(player)
        while True:
            answered = asyncio.create_task(made.answer())
            await asyncio.wait({thinking, answered}, timeout=MAX_WAIT, return_when=asyncio.FIRST_COMPLETED)
            answered.cancel()
            if thinking.done():
                break
            made = await click(player)
        await scene.alive.client.close()
        assert made.response is not None
        assert made.response.kind is ResponseKind.UPDATE
        assert "**Your turn:**" not in hand.text


async def click(player: Player) -> Interaction:
    """Press the button that the player chooses."""
    deed = player.choose()
    assert deed is not None
    return await player.click(deed)
