"""The newest private hand replaces the previous one while Discord allows that."""

from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.sandbox import Message
from tests.cogs.scenes import Scene, at_table
from tests.helpers.clock import Clock
from tests.helpers.shufflers import KNOCK_AT_ONCE

NO_DIRECT_MESSAGES: Final = 50007


async def _show(scene: Scene) -> Message:
    return (await scene.use(scene.north, "gin hand", scene.channel)).message


@pytest.mark.thorough
async def test_a_private_hand_is_replaced_for_fifteen_minutes(tmp_path: Path) -> None:
    """A second hand deletes the first. After 15 minutes the bot may not, does not try, and forgets the old one."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False, pressed=True, clock=clock) as scene:
        first, second = await _show(scene), await _show(scene)
        await scene.sandbox.until(lambda: first.deleted)
        assert not second.deleted
        await scene.age(clock, timedelta(minutes=15))
        third = await _show(scene)
        await scene.quiet()
        assert not second.deleted
        assert set(scene.sandbox.journal.refusals) == {NO_DIRECT_MESSAGES}
        fourth = await _show(scene)
        await scene.sandbox.until(lambda: third.deleted)
        assert not fourth.deleted
