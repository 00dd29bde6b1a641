"""Buttons on public messages refuse people who may not use them, with a private reply that says who may."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.play.refusals import NotForYou, NotSeated
from bot.sandbox import Message
from cogs import refusals
from cogs.actions import Action
from tests.cogs.scenes import Scene, buttons, open_match_scene, person_of, without_commitments
from tests.helpers.components import actions_of
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN

pytestmark = pytest.mark.thorough

SPECTATOR_ACTIONS = frozenset(
    (
        Action.STOP_DMS,
        Action.WANT_DMS,
        Action.CHALLENGE_RULES,
        Action.REPLAY,
        Action.REVIEW,
        Action.VERIFY,
        Action.GAMES,
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
"""Actions whose buttons a private reply may show to anyone."""


async def _press_all_as_spectator(scene: Scene, message: Message, *refused_actions: Action) -> None:
    """Have East press every button. Check that all replies are private, and only `refused_actions` are refused."""
    assert {*refused_actions} <= {*buttons(message)}
    for action in buttons(message):
        answer = await scene.press(scene.east, message, action)
        assert answer.message.ephemeral
        assert actions_of(answer.message) <= SPECTATOR_ACTIONS
        error = scene.error(answer)
        assert isinstance(error, NotSeated | NotForYou) == (action in refused_actions), action
        if isinstance(error, NotSeated | NotForYou):
            assert answer.text == refusals.text(error, person_of(scene.east).id)


async def test_a_refused_button_says_who_may_use_it(tmp_path: Path) -> None:
    """If a spectator may not use a public button, a private reply says who may, and offers nothing forbidden."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10, open_dms=False) as scene:
        north, south = scene.north, scene.south
        general, corner = scene.sandbox.channel("general"), scene.sandbox.channel("quiet-corner")
        invitation = await scene.invite(north, south, general)
        await _press_all_as_spectator(scene, invitation, Action.ACCEPT, Action.DECLINE)
        for action in (Action.ACCEPT_WITH_WORDS, Action.WITHDRAW):
            # Only people who may use these buttons get them, so forge them.
            assert isinstance(scene.error(await click(scene.east, invitation, action, 2)), NotForYou)
        # Invite nobody by name, because the rest of the test needs all pings that the hourly limit allows.
        await scene.use(north, "gin challenge", corner, rules="rotation")
        lobby = await scene.wait_for_post(Action.ACCEPT, corner)
        await scene.press(south, lobby, Action.ACCEPT)
        await scene.press(scene.west, lobby, Action.ACCEPT)
        await scene.wait_until_idle()
        (lobby,) = without_commitments(scene.posts_in(corner))
        await _press_all_as_spectator(scene, lobby, Action.START_LOBBY)
        for action in (Action.LEAVE_LOBBY, Action.WITHDRAW):
            assert isinstance(scene.error(await click(scene.east, lobby, action, 3)), NotForYou)
        await _press_all_as_spectator(scene, scene.table, Action.SHOW_HAND, Action.LEAVE_MATCH)
        leaving = (await scene.use(north, "gin resign", scene.channel)).message
        await scene.press(north, leaving, Action.CALL_OFF)
        call = await scene.wait_for_post(Action.CALL_OFF)
        await _press_all_as_spectator(scene, call, Action.SHOW_HAND, Action.CALL_OFF, Action.KEEP_PLAYING)
        await scene.ask(north, "take")
        await scene.ask(north, "gin")
        end = await scene.wait_for_post(Action.REMATCH)
        await _press_all_as_spectator(scene, end, Action.REMATCH, Action.REVIEW)
        await scene.press(north, end, Action.REMATCH)
        offer = await scene.wait_for_post(Action.DECLINE_REMATCH)
        await scene.wait_until_idle()
        await _press_all_as_spectator(scene, offer, Action.REMATCH, Action.DECLINE_REMATCH)
        assert actions_of((await scene.use(scene.east, "gin-stats score", scene.channel)).message) <= SPECTATOR_ACTIONS
