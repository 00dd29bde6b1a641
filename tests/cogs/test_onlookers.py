"""Buttons on public messages refuse people who may not use them, with a private reply that says who may."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.play.refusals import NotForYou, NotSeated
from bot.sandbox import Message
from cogs.kit.actions import Action
from cogs.text import refusals
from tests.cogs.scenes import Scene, at_table, buttons, person_of, without_commitments
from tests.helpers.components import actions_of
from tests.helpers.shufflers import GIN_AT_ONCE

pytestmark = pytest.mark.thorough

THEIRS = frozenset(
    (
        Action.STOP_DMS,
        Action.WANT_DMS,
        Action.SHOW_REPLAY_TO_ALL,
        Action.SHOW_VERIFIED_TO_ALL,
        Action.HOW_VERIFIED,
        Action.VERSUS,
        Action.LEADERBOARD,
        Action.PROFILE,
        Action.HISTORY,
        Action.SERVER_RECORDS,
        Action.OPEN_PREFERENCE,
    )
)
"""Actions that a private reply may offer to anyone."""


async def _look_on(scene: Scene, message: Message, *not_theirs: Action) -> None:
    """Have East press every button of a message. Check that replies are private, and exactly these are refused."""
    assert {*not_theirs} <= {*buttons(message)}
    for action in buttons(message):
        answer = await scene.press(scene.east, message, action)
        assert answer.message.ephemeral
        assert actions_of(answer.message) <= THEIRS
        error = scene.error(answer)
        assert isinstance(error, NotSeated | NotForYou) == (action in not_theirs), action
        if isinstance(error, NotSeated | NotForYou):
            assert answer.text == refusals.text(error, person_of(scene.east).id)


async def test_whoever_may_not_press_a_button_is_told_who_may(tmp_path: Path) -> None:
    """Holds for invitations, lobbies, tables, pings and results; the reply offers only actions the person may use."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, open_dms=False) as scene:
        north, south = scene.north, scene.south
        general, corner = scene.sandbox.channel("general"), scene.sandbox.channel("quiet-corner")
        invitation = await scene.invite(north, south, general)
        await _look_on(scene, invitation, Action.ACCEPT, Action.ACCEPT_WITH_WORDS, Action.DECLINE, Action.WITHDRAW)
        # Name no one here: the pings below already use up one person's hourly limit.
        await scene.use(north, "gin challenge", corner, rules="rotation")
        lobby = await scene.post(Action.ACCEPT, corner)
        await scene.press(south, lobby, Action.ACCEPT)
        await scene.press(scene.west, lobby, Action.ACCEPT)
        await scene.quiet()
        (lobby,) = without_commitments(scene.posts_in(corner))
        await _look_on(scene, lobby, Action.LEAVE_LOBBY, Action.START_LOBBY, Action.WITHDRAW)
        await _look_on(scene, scene.table, Action.SHOW_HAND, Action.LEAVE_MATCH)
        leaving = (await scene.use(north, "gin resign", scene.channel)).message
        await scene.press(north, leaving, Action.CALL_OFF)
        call = await scene.post(Action.CALL_OFF)
        await _look_on(scene, call, Action.SHOW_HAND, Action.CALL_OFF, Action.KEEP_PLAYING)
        await scene.ask(north, "take")
        await scene.ask(north, "gin")
        end = await scene.post(Action.REMATCH)
        await scene.press(north, end, Action.REMATCH)
        await scene.quiet()
        await _look_on(scene, end, Action.REMATCH, Action.DECLINE_REMATCH)
        assert actions_of((await scene.use(scene.east, "gin score", scene.channel)).message) <= THEIRS
