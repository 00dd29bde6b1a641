"""The newest private hand replaces the previous one while Discord allows that."""

from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.sandbox import Message
from tests.cogs.scenes import Scene, open_match_scene
from tests.helpers.clock import Clock
from tests.helpers.shufflers import IMMEDIATE_KNOCK

NO_DIRECT_MESSAGES: Final = 50007


async def _show(scene: Scene) -> Message:
    return (await scene.use(scene.north, "gin hand", scene.channel)).message


@pytest.mark.thorough
async def test_a_private_hand_is_replaced_for_fifteen_minutes(tmp_path: Path) -> None:
    """A new private hand deletes the previous one, but not after 15 minutes, when Discord no longer allows that."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False, by_buttons=True, clock=clock) as scene:
        first, second = await _show(scene), await _show(scene)
        await scene.sandbox.until(lambda: first.deleted)
        assert not second.deleted
        await scene.advance(clock, timedelta(minutes=15))
        third = await _show(scene)
        await scene.wait_until_idle()
        assert not second.deleted
        assert set(scene.sandbox.journal.refusals) == {NO_DIRECT_MESSAGES}
        fourth = await _show(scene)
        await scene.sandbox.until(lambda: third.deleted)
        assert not fourth.deleted
