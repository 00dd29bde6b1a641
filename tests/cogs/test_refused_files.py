"""If Discord refuses a file, the bot sends the same message without it."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.model.discord_codes import FILE_REFUSALS, SIZE_REFUSALS, Code
from bot.model.ids import MatchId, PersonId
from bot.model.matches import OwnHand
from bot.sandbox import Refuse
from bot.sandbox.server.faults import ArmedFault
from cogs.actions import Action
from cogs.kit import answers
from cogs.kit.messages import NO_FILES
from cogs.kit.refusals import FILE_REFUSAL_LIFETIME
from tests.cogs.scenes import DISCARD_ACTIONS, Scene, buttons, hands, open_match_scene
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import actions_of, find_button, moves_shown, shows_later_deal
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK

_ALWAYS: Final = 1000
_CALLBACK: Final = "POST /interactions/*/callback"
_CODES: Final = sorted(FILE_REFUSALS)


def _refuse_files(scene: Scene, code: int = Code.EXPLICIT_CONTENT, on: str = "*") -> ArmedFault:
    return scene.sandbox.faults.requests(Refuse(code, files=True), on=on, times=_ALWAYS)


@pytest.mark.thorough
@pytest.mark.parametrize("code", nightly_after(1, _CODES))
async def test_posts_edits_and_direct_messages_go_out_as_text(tmp_path: Path, code: Code) -> None:
    """After Discord refuses a file in a channel, the bot sends only text there for a while, and then pictures again."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        refused = _refuse_files(scene, code)
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1
        assert not scene.table.attachments
        assert "Stock **31** · the discard pile is empty · knock with 10 or less" in scene.table.text
        assert [hands(player)[-1].attachments for player in (scene.north, scene.south)] == [[], []]
        assert refused.hits == 3
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.wait_until_idle()
        (showdown,) = [post for post in scene.posts if Action.REPLAY in buttons(post)]
        assert not showdown.attachments
        assert shows_later_deal(scene.table)
        shown = await scene.wait_for_hand(scene.south)
        assert Action.NEXT_DEAL in buttons(shown)
        assert not shown.attachments
        assert shows_later_deal(await scene.next_deal(scene.south))
        if code not in SIZE_REFUSALS:
            assert refused.hits == 3
        for player in (scene.north, scene.south):
            assert (await scene.bot.app.people.settings(PersonId(player.id))).dm_works
        refused.disarm()
        await scene.advance(clock, timedelta(seconds=FILE_REFUSAL_LIFETIME))
        await scene.ask(scene.north, "pass")
        await scene.ask(scene.south, "pass")
        await scene.wait_until_idle()
        assert scene.table.attachments


@pytest.mark.thorough
@pytest.mark.parametrize("code", nightly_after(1, _CODES))
async def test_answers_go_out_as_text(tmp_path: Path, code: Code) -> None:
    """A first response, or an update after a click, is resent as text if Discord refuses its picture."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        refused = _refuse_files(scene, code, _CALLBACK)
        answer = await scene.use(scene.north, "gin hand", scene.channel)
        assert Action.TAKE in buttons(answer.message)
        assert refused.hits == 1
        await scene.wait_until_idle()
        scene.bot.client.refusals.of(scene.channel.id).clear()
        answer = await scene.press(scene.north, answer.message, Action.TAKE)
        assert actions_of(answer.message) >= DISCARD_ACTIONS
        assert refused.hits == 2
        assert not any(message.attachments for message in answer.messages)


@pytest.mark.thorough
async def test_late_answers_go_out_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Discord refuses the picture of an answer after a deferral, the answer is resent as text immediately."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        monkeypatch.setattr(answers, "DEFER_AFTER", 0)
        refused, hand = _refuse_files(scene), scene.bot.app.lookup.hand
        deferred = asyncio.Event()

        async def late_hand(person_id: PersonId, match_id: MatchId) -> OwnHand:
            await deferred.wait()
            return await hand(person_id, match_id)

        monkeypatch.setattr(scene.bot.app.lookup, "hand", late_hand)
        asked = await scene.north.slash("gin hand", scene.channel)
        await asked.answer()
        deferred.set()
        await scene.wait_until_idle()
        assert Action.TAKE in buttons(asked.message)
        assert not asked.message.attachments
        assert refused.hits == 1
        scene.bot.client.refusals.of(scene.channel.id).clear()
        deferred.clear()
        pressed = await scene.south.press(scene.table, find_button(scene.table, Action.SHOW_HAND) or "")
        await pressed.answer()
        deferred.set()
        await scene.wait_until_idle()
        assert Action.REFRESH_HAND in buttons(pressed.followups[0])
        assert not pressed.followups[0].attachments
        assert refused.hits == 2


@pytest.mark.nightly
async def test_a_replay_goes_out_as_text(tmp_path: Path) -> None:
    """If Discord refuses a replay's animation as too large, the replay is sent as text."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.wait_until_idle()
        refused = _refuse_files(scene, Code.REQUEST_TOO_LARGE)
        shown = await scene.use(scene.north, "gin-deal replay", scene.channel)
        assert scene.error(shown) is None
        assert not shown.messages[-1].attachments
        assert refused.hits


@pytest.mark.nightly
async def test_large_files_do_not_stop_small_ones(tmp_path: Path) -> None:
    """After an animation was refused as too large, the channel still gets pictures of the table."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        scene.bot.client.refusals.of(scene.channel.id).record_file_refusal(Code.REQUEST_TOO_LARGE, 8_000_000)
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        assert scene.table.attachments


@pytest.mark.thorough
async def test_a_refused_download_says_so(tmp_path: Path) -> None:
    """If Discord refuses the file of an export, which cannot be sent as text, the answer says so."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        _refuse_files(scene, Code.UPLOADS_LIMITED)
        message = (await scene.use(scene.north, "gin help", scene.channel)).message
        answer = await click(scene.north, message, Action.EXPORT, "self")
        assert NO_FILES in answer.text
        assert not answer.messages[-1].attachments


@pytest.mark.nightly
async def test_a_hand_refused_twice_becomes_a_ping(tmp_path: Path) -> None:
    """If Discord's filter refuses a hand with and without its picture, the player is pinged in the channel instead."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await scene.press(scene.north, hands(scene.north)[-1], Action.TAKE)
        before = len(scene.south.pushes)
        to_south = f"P* /channels/{scene.south.dm.id}/messages*"
        scene.sandbox.faults.requests(Refuse(Code.EXPLICIT_CONTENT), on=to_south, times=_ALWAYS)
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.wait_until_idle()
        assert len(scene.south.pushes) == before + 1


@pytest.mark.nightly
async def test_restored_permissions_bring_pictures_back(tmp_path: Path) -> None:
    """After a channel's permissions change, the next message has its picture again."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        scene.bot.client.refusals.of(scene.channel.id).record_file_refusal(Code.NO_PERMISSION, 1)
        scene.sandbox.moderation.set_overwrites(scene.channel)
        await scene.wait_until_idle()
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        assert scene.table.attachments
