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

from bot.connection import client as client_module
from bot.model.ids import PersonId
from bot.play.refusals import Stopping
from bot.sandbox import Delay, Interaction, ResponseKind
from bot.store import tables
from bot.store.sqlite import SqliteDatabase
from bot.workers.workers import Workers
from cogs import refusals as texts
from cogs.actions import Action
from tests.cogs.scenes import Scene, open_match_scene, open_scene
from tests.helpers.components import find_button
from tests.helpers.databases import fetch
from tests.helpers.host_faults import locked
from tests.helpers.players import Player
from tests.helpers.postgres import server
from tests.helpers.waiting import MAX_WAIT, eventually

SHORT_TIMEOUT, LONG_TIMEOUT = 0.3, MAX_WAIT
"""Timeouts for a shutdown step, in seconds: shorter and longer than anything else in these tests."""


async def version_of_match(scene: Scene) -> int:
    """Return the version of the only match."""
    ((version,),) = await fetch(scene.bot.database, select(tables.match.c.version))
    return version


async def take_upcard(scene: Scene) -> Interaction:
    """Have North press the button that takes the upcard."""
    hand = await scene.wait_for_turn(scene.north)
    return await scene.north.press(hand, find_button(hand, Action.TAKE) or "")


@asynccontextmanager
async def blocked_writes(scene: Scene) -> AsyncGenerator[None]:
    """Hold a lock, as another program might, so that the bot cannot write to the match during the block."""
    database = scene.bot.database
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
async def test_shutdown_accepts_no_new_actions(tmp_path: Path) -> None:
    """During shutdown, an earlier command is answered, and a later click changes nothing and logs no error."""
    async with open_match_scene(tmp_path) as scene:
        before = await version_of_match(scene)
        slow = scene.sandbox.faults.requests(Delay(1), on="POST /interactions/*", times=1)
        asked = await scene.east.slash("gin help", scene.channel)
        await scene.sandbox.until(lambda: slow.hits == 1)
        with capture_logs() as lines:
            stopping = asyncio.create_task(scene.bot.client.close())
            await asyncio.sleep(0)
            late = await take_upcard(scene)
            await scene.sandbox.gateway.confirm_delivery()
            scene.sandbox.world.clock.advance(1)
            await stopping
        assert (await asked.done()).text
        assert late.response is None
        assert await version_of_match(scene) == before
        assert [line for line in lines if line["log_level"] == "error"] == []
        scene.sandbox.interactions.close()


@pytest.mark.nightly
@pytest.mark.both_databases
@pytest.mark.parametrize("has_time_to_answer", [True, False])
async def test_unanswered_moves_are_not_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_time_to_answer: bool
) -> None:
    """A move that cannot be saved before the shutdown is refused, or dropped if there is no time to answer."""
    monkeypatch.setattr(client_module, "SHUTDOWN_TIMEOUT", SHORT_TIMEOUT)
    monkeypatch.setattr(client_module, "CANCEL_TIMEOUT", LONG_TIMEOUT if has_time_to_answer else SHORT_TIMEOUT)
    async with open_match_scene(tmp_path) as scene:
        before = await version_of_match(scene)
        with capture_logs() as lines:
            async with blocked_writes(scene):
                clicked = await take_upcard(scene)
                await eventually(lambda: not scene.bot.database.is_idle)
                stopping = asyncio.create_task(scene.bot.client.close())
                done, _ = await asyncio.wait(
                    {stopping}, timeout=4 * SHORT_TIMEOUT if has_time_to_answer else LONG_TIMEOUT
                )
                assert bool(done) is not has_time_to_answer
            await stopping
            await eventually(lambda: scene.bot.database.is_idle)
        assert await version_of_match(scene) == before
        assert [line for line in lines if line["log_level"] == "error"] == []
        if has_time_to_answer:
            assert texts.text(Stopping(), PersonId(scene.north.id)) in (await clicked.done()).text
        else:
            assert clicked.response is None
        scene.sandbox.interactions.close()


@pytest.mark.thorough
async def test_a_player_waiting_for_a_computer_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a shutdown, a player who waits for a computer's move gets an answer that shows only their own move."""
    monkeypatch.setattr(client_module, "SHUTDOWN_TIMEOUT", SHORT_TIMEOUT)
    monkeypatch.setattr(client_module, "CANCEL_TIMEOUT", LONG_TIMEOUT)
    async with open_scene(tmp_path) as scene:
        await scene.use(scene.north, "gin practice start", scene.north.dm, level="novice")
        hand = await scene.wait_for_turn(scene.north)
        player = Player(scene.sandbox, scene.north.name, scene.channel, "stops")
        computer_asked = asyncio.Event()

        async def think(*_: object, **__: object) -> None:
            computer_asked.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(Workers, "move", think)
        thinking = asyncio.create_task(computer_asked.wait())
        clicked = await press_chosen_button(player)
        while True:
            answered = asyncio.create_task(clicked.answer())
            await asyncio.wait({thinking, answered}, timeout=MAX_WAIT, return_when=asyncio.FIRST_COMPLETED)
            answered.cancel()
            if thinking.done():
                break
            clicked = await press_chosen_button(player)
        await scene.bot.client.close()
        assert clicked.response is not None
        assert clicked.response.kind is ResponseKind.UPDATE
        assert "**Your turn:**" not in hand.text


async def press_chosen_button(player: Player) -> Interaction:
    """Press a button that `player.choose()` selects."""
    button = player.choose()
    assert button is not None
    return await player.click(button)
