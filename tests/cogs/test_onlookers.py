"""People who see public messages and may not use all of their buttons: a private answer says who may."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.sandbox import Message
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, at_table, labels, without_commitments
from tests.helpers.components import actions_of
from tests.helpers.shufflers import GIN_AT_ONCE

pytestmark = pytest.mark.slow

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
"""What anyone may do who is answered privately."""


async def _look_on(scene: Scene, message: Message, not_theirs: Sequence[str], told: str) -> None:
    """Have East press every button of a message, and check the answers."""
    assert {*not_theirs} <= {*labels(message)}
    for label in map(str, labels(message)):
        answer = await scene.press(scene.east, message, label)
        assert answer.message.ephemeral
        assert actions_of(answer.message) <= THEIRS
        assert (told in scene.named(answer.text)) == (label in not_theirs), label


async def test_whoever_may_not_press_a_button_is_told_who_may(tmp_path: Path) -> None:
    """On invitations, lobbies, tables, calls and ends of matches; and nobody is offered what is not theirs."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, open_dms=False) as scene:
        north, south = scene.north, scene.south
        players = "only ⁨North⁩ and ⁨South⁩ can do that"
        general, corner = scene.sandbox.channel("general"), scene.sandbox.channel("quiet-corner")
        invitation = await scene.invite(north, south, general)
        can = "This is ⁨North⁩'s challenge: ⁨South⁩ can accept it, and only ⁨North⁩ can withdraw it."
        await _look_on(scene, invitation, ["Accept", "Accept with my own words …", "Decline", "Withdraw"], can)
        # Nobody is named: the calls that follow are as many as one person may make in an hour.
        await scene.use(north, "gin challenge", corner, rules="rotation")
        lobby = await scene.post("Join", corner)
        await scene.press(south, lobby, "Join")
        await scene.press(scene.west, lobby, "Join")
        await scene.quiet()
        (lobby,) = without_commitments(scene.posts_in(corner))
        only = "only ⁨North⁩ can start, change or withdraw it"
        await _look_on(scene, lobby, ["Leave", "Start", "Withdraw"], only)
        await _look_on(scene, scene.table, ["My hand", "Pause or leave"], players)
        leaving = (await scene.use(north, "gin resign", scene.channel)).message
        await scene.press(north, leaving, "Call off")
        call = await scene.post("Call the match off")
        await _look_on(scene, call, ["My hand", "Call the match off", "Keep playing"], players)
        await scene.ask(north, "take")
        await scene.ask(north, "gin")
        end = await scene.post("Rematch")
        await scene.press(north, end, "Rematch")
        await scene.quiet()
        await _look_on(scene, end, ["Rematch", "Decline"], players)
        assert actions_of((await scene.use(scene.east, "gin score", scene.channel)).message) <= THEIRS
