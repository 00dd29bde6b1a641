"""If Discord refuses messages until someone changes the server's settings, players and managers learn the reason."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.sandbox import Refuse
from bot.sandbox.server.faults import ArmedFault
from bot.values.discord_codes import LASTING_REFUSALS, Code
from cogs.features.tables import REPOSTING
from cogs.kit.actions import Action
from cogs.text import refusals as texts
from tests.cogs.scenes import Scene, at_table, clubhouse, hands
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import moves_shown
from tests.helpers.shufflers import KNOCK_AT_ONCE

_ALL: Final = 1000
_CALLBACK: Final = "POST /interactions/*/callback"
_LIMITS: Final = {Code.CHANNEL_WRITE_LIMIT, Code.SERVER_WRITE_LIMIT}
"""Discord answers these with status 429, and discord.py waits before it raises the error."""


def _refuse(scene: Scene, code: Code = Code.AUTOMOD) -> ArmedFault:
    return scene.sandbox.faults.requests(Refuse(code), on=f"* /channels/{scene.channel.id}/messages*", times=_ALL)


async def _check(scene: Scene) -> str:
    return (await scene.use(scene.north, "gin-admin check", scene.channel)).text


@pytest.mark.thorough
@pytest.mark.parametrize("code", nightly_after(1, sorted(LASTING_REFUSALS - _LIMITS)))
async def test_the_table_and_the_check_name_the_last_refusal(tmp_path: Path, code: Code) -> None:
    """`check` and `/gin table` give the reason, even after a restart, until a message goes through."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        refused, reason = _refuse(scene, code), texts.refused_in(scene.channel.id, code)
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert reason in await _check(scene)
        # After a restart, the bot knows this only from its outbox.
        scene.alive.client.refusals.of(scene.channel.id).forget()
        assert reason in await _check(scene)
        assert reason in await scene.ask(scene.south, "table")
        await scene.quiet()
        elsewhere = await scene.use(scene.north, "gin-admin check", scene.sandbox.channel("general"))
        assert reason not in elsewhere.text
        refused.disarm()
        await scene.age(clock, timedelta(minutes=20))
        await scene.quiet()
        assert moves_shown(scene.table) == 1
        assert reason not in await _check(scene)
        assert await scene.ask(scene.south, "table") == REPOSTING.format(place=f"<#{scene.channel.id}>")


@pytest.mark.thorough
async def test_the_challenger_learns_that_a_challenge_is_not_seen(tmp_path: Path) -> None:
    """If the commitment and the challenge cannot be posted, `check` and the next challenge give the reason."""
    async with clubhouse(tmp_path) as scene:
        _refuse(scene)
        await scene.ask(scene.north, "challenge")
        await scene.quiet()
        scene.alive.client.refusals.of(scene.channel.id).forget()
        reason = texts.refused_in(scene.channel.id, Code.AUTOMOD)
        assert reason in await _check(scene)
        assert reason in await scene.ask(scene.east, "challenge")


@pytest.mark.thorough
@pytest.mark.parametrize("code", nightly_after(1, [Code.AUTOMOD, Code.HARMFUL_LINK]))
async def test_a_refused_answer_says_so(tmp_path: Path, code: Code) -> None:
    """A refused answer names the reason and says if the move counts; `check` then gives the reason too."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        scene.sandbox.faults.requests(Refuse(code), on=_CALLBACK)
        told = await scene.ask(scene.north, "score")
        assert told == texts.refused_answer(code, saved=False)
        assert texts.refused_in(scene.channel.id, code) in await _check(scene)
        scene.sandbox.faults.requests(Refuse(code), on=_CALLBACK)
        pressed = await scene.press(scene.north, hand, Action.TAKE)
        assert pressed.text == texts.refused_answer(code, saved=True)
        await scene.quiet()
        assert moves_shown(scene.table) == 1


@pytest.mark.nightly
async def test_direct_messages_have_no_managers(tmp_path: Path) -> None:
    """In direct messages, a refused answer does not refer to the server's managers."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        scene.sandbox.faults.requests(Refuse(Code.NO_ACCESS), on=_CALLBACK)
        pressed = await scene.press(scene.north, hands(scene.north)[-1], Action.TAKE)
        assert pressed.text != texts.refused_answer(Code.NO_ACCESS, saved=True)
        assert texts.UNSHOWN in pressed.text
