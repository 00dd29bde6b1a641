"""If Discord refuses messages until someone changes the server's settings, players and managers learn the reason."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.model.discord_codes import LASTING_REFUSALS, Code
from bot.sandbox import Refuse
from bot.sandbox.server.faults import ArmedFault
from cogs.actions import Action
from cogs.delivery.refusals import OUTCOME_NOT_SHOWN, refused_answer, refused_in
from cogs.tables.tables import REPOSTING
from tests.cogs.scenes import Scene, hands, open_match_scene, open_scene
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import moves_shown
from tests.helpers.shufflers import IMMEDIATE_KNOCK

_ALWAYS: Final = 1000
_CALLBACK: Final = "POST /interactions/*/callback"
_RATE_LIMIT_CODES: Final = {Code.CHANNEL_WRITE_LIMIT, Code.SERVER_WRITE_LIMIT}
"""Refusal codes that Discord sends with status 429; discord.py waits before it raises these errors."""


def _refuse(scene: Scene, code: Code = Code.AUTOMOD) -> ArmedFault:
    return scene.sandbox.faults.requests(Refuse(code), on=f"* /channels/{scene.channel.id}/messages*", times=_ALWAYS)


async def _check_answer(scene: Scene) -> str:
    return (await scene.use(scene.north, "gin-admin check", scene.channel)).text


@pytest.mark.thorough
@pytest.mark.parametrize("code", nightly_after(1, sorted(LASTING_REFUSALS - _RATE_LIMIT_CODES)))
async def test_the_table_and_the_check_name_the_last_refusal(tmp_path: Path, code: Code) -> None:
    """`/gin-admin check` and `/gin table` name the last refusal, even after a restart, until a message is sent."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        refused, reason = _refuse(scene, code), refused_in(scene.channel.id, code)
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        assert reason in await _check_answer(scene)
        # Clear the reasons in memory: as after a restart, the bot now knows the reason only from its outbox.
        scene.bot.client.refusals.of(scene.channel.id).clear()
        assert reason in await _check_answer(scene)
        assert reason in await scene.ask(scene.south, "table")
        await scene.wait_until_idle()
        elsewhere = await scene.use(scene.north, "gin-admin check", scene.sandbox.channel("general"))
        assert reason not in elsewhere.text
        refused.disarm()
        await scene.advance(clock, timedelta(minutes=20))
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1
        assert reason not in await _check_answer(scene)
        assert await scene.ask(scene.south, "table") == REPOSTING.format(place=f"<#{scene.channel.id}>")


@pytest.mark.thorough
async def test_a_challenge_that_cannot_be_posted_has_a_reason(tmp_path: Path) -> None:
    """If a challenge cannot be posted, `/gin-admin check` and the answer to the next challenge give the reason."""
    async with open_scene(tmp_path) as scene:
        _refuse(scene)
        await scene.ask(scene.north, "challenge")
        await scene.wait_until_idle()
        scene.bot.client.refusals.of(scene.channel.id).clear()
        reason = refused_in(scene.channel.id, Code.AUTOMOD)
        assert reason in await _check_answer(scene)
        assert reason in await scene.ask(scene.east, "challenge")


@pytest.mark.thorough
@pytest.mark.parametrize("code", nightly_after(1, [Code.AUTOMOD, Code.HARMFUL_LINK]))
async def test_a_refused_answer_says_so(tmp_path: Path, code: Code) -> None:
    """If Discord refuses an answer, the player is told why, and if the move counts; `/gin-admin check` says why too."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        scene.sandbox.faults.requests(Refuse(code), on=_CALLBACK)
        reply = await scene.use(scene.north, "gin-stats score", scene.channel)
        assert reply.text == refused_answer(code, saved=False)
        assert refused_in(scene.channel.id, code) in await _check_answer(scene)
        scene.sandbox.faults.requests(Refuse(code), on=_CALLBACK)
        pressed = await scene.press(scene.north, hand, Action.TAKE)
        assert pressed.text == refused_answer(code, saved=True)
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1


@pytest.mark.thorough
async def test_refused_direct_messages_do_not_mention_managers(tmp_path: Path) -> None:
    """In direct messages, a refused answer does not refer to the server's managers."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        scene.sandbox.faults.requests(Refuse(Code.NO_ACCESS), on=_CALLBACK)
        pressed = await scene.press(scene.north, hands(scene.north)[-1], Action.TAKE)
        assert pressed.text != refused_answer(Code.NO_ACCESS, saved=True)
        assert OUTCOME_NOT_SHOWN in pressed.text
