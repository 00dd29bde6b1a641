"""If Discord refuses a file, the bot sends the same message without it."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.sandbox import Refuse
from bot.sandbox.server.faults import ArmedFault
from bot.values.discord_codes import FILE_REFUSALS, SIZE_REFUSALS, Code
from bot.values.ids import MatchId, PersonId
from bot.values.matches import OwnHand
from cogs.kit import answers
from cogs.kit.actions import Action
from cogs.kit.messages import NO_FILES
from cogs.kit.refusals import FILES_REFUSED_FOR
from tests.cogs.scenes import TO_DISCARD, Scene, at_table, buttons, hands
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import actions_of, find_button, moves_shown, shows_later_deal
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE

_ALL: Final = 1000
_CALLBACK: Final = "POST /interactions/*/callback"
_CODES: Final = sorted(FILE_REFUSALS)


def _refuse(scene: Scene, code: int = Code.EXPLICIT_CONTENT, on: str = "*") -> ArmedFault:
    return scene.sandbox.faults.requests(Refuse(code, files=True), on=on, times=_ALL)


@pytest.mark.thorough
@pytest.mark.parametrize("code", nightly_after(1, _CODES))
async def test_posts_edits_and_direct_messages_go_out_as_text(tmp_path: Path, code: Code) -> None:
    """After one refusal in a channel, its messages are sent as text immediately; later they have pictures again."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        refused = _refuse(scene, code)
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert moves_shown(scene.table) == 1
        assert not scene.table.attachments
        assert [hands(one)[-1].attachments for one in (scene.north, scene.south)] == [[], []]
        assert refused.hits == 3
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.quiet()
        (showdown,) = [post for post in scene.posts if Action.REPLAY in buttons(post)]
        assert not showdown.attachments
        assert shows_later_deal(scene.table)
        assert shows_later_deal(await scene.turn(scene.south))
        if code not in SIZE_REFUSALS:
            assert refused.hits == 3
        for one in (scene.north, scene.south):
            assert (await scene.alive.app.people.settings(PersonId(one.id))).dm_works
        refused.disarm()
        await scene.age(clock, timedelta(seconds=FILES_REFUSED_FOR))
        await scene.ask(scene.north, "pass")
        await scene.ask(scene.south, "pass")
        await scene.quiet()
        assert scene.table.attachments


@pytest.mark.thorough
@pytest.mark.parametrize("code", nightly_after(1, _CODES))
async def test_answers_go_out_as_text(tmp_path: Path, code: Code) -> None:
    """First responses, and updates of clicked messages, are resent as text immediately."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        refused = _refuse(scene, code, _CALLBACK)
        made = await scene.use(scene.north, "gin hand", scene.channel)
        assert Action.TAKE in buttons(made.message)
        assert refused.hits == 1
        await scene.quiet()
        scene.alive.client.refusals.of(scene.channel.id).forget()
        made = await scene.press(scene.north, made.message, Action.TAKE)
        assert actions_of(made.message) >= TO_DISCARD
        assert refused.hits == 2
        assert not any(message.attachments for message in made.messages)


@pytest.mark.thorough
async def test_late_answers_go_out_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits of deferred responses, and follow-ups to deferred clicks, are resent as text immediately."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        monkeypatch.setattr(answers, "DEFER_AFTER", 0)
        refused, hand = _refuse(scene), scene.alive.app.lookup.hand
        deferred = asyncio.Event()

        async def late(person_id: PersonId, match_id: MatchId) -> OwnHand:
            await deferred.wait()
            return await hand(person_id, match_id)

        monkeypatch.setattr(scene.alive.app.lookup, "hand", late)
        asked = await scene.north.slash("gin hand", scene.channel)
        await asked.answer()
        deferred.set()
        await scene.quiet()
        assert Action.TAKE in buttons(asked.message)
        assert not asked.message.attachments
        assert refused.hits == 1
        scene.alive.client.refusals.of(scene.channel.id).forget()
        deferred.clear()
        pressed = await scene.south.press(scene.table, find_button(scene.table, Action.SHOW_HAND) or "")
        await pressed.answer()
        deferred.set()
        await scene.quiet()
        assert Action.REFRESH_HAND in buttons(pressed.followups[0])
        assert not pressed.followups[0].attachments
        assert refused.hits == 2


@pytest.mark.nightly
async def test_a_replay_goes_out_as_text(tmp_path: Path) -> None:
    """If the animation is too large, the replay is sent as text."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.quiet()
        refused = _refuse(scene, Code.REQUEST_TOO_LARGE)
        shown = await scene.use(scene.north, "gin replay", scene.channel)
        assert scene.error(shown) is None
        assert not shown.messages[-1].attachments
        assert refused.hits


@pytest.mark.nightly
async def test_large_files_do_not_stop_small_ones(tmp_path: Path) -> None:
    """If an animation was too large, the channel still gets pictures of the table."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        scene.alive.client.refusals.of(scene.channel.id).note_files(Code.REQUEST_TOO_LARGE, 8_000_000)
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert scene.table.attachments


@pytest.mark.nightly
async def test_a_refused_download_says_so(tmp_path: Path) -> None:
    """An export cannot be sent as text: the answer says that Discord refused the file, and where to ask instead."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        _refuse(scene, Code.UPLOADS_LIMITED)
        message = (await scene.use(scene.north, "gin help", scene.channel)).message
        told = await click(scene.north, message, Action.EXPORT, "self")
        assert NO_FILES in told.text
        assert not told.messages[-1].attachments


@pytest.mark.nightly
async def test_a_refused_file_and_text_close_direct_messages(tmp_path: Path) -> None:
    """If Discord's filter refuses a hand with and without its picture, the player is pinged in the channel instead."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await scene.press(scene.north, hands(scene.north)[-1], Action.TAKE)
        before = len(scene.south.pushes)
        to_south = f"P* /channels/{scene.south.dm.id}/messages*"
        scene.sandbox.faults.requests(Refuse(Code.EXPLICIT_CONTENT), on=to_south, times=_ALL)
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.quiet()
        assert len(scene.south.pushes) == before + 1


@pytest.mark.nightly
async def test_a_missing_permission_is_noticed_when_it_is_back(tmp_path: Path) -> None:
    """After a channel's permissions change, the next message has its picture again."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        scene.alive.client.refusals.of(scene.channel.id).note_files(Code.NO_PERMISSION, 1)
        scene.sandbox.moderation.set_overwrites(scene.channel)
        await scene.quiet()
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert scene.table.attachments
