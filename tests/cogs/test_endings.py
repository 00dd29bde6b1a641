"""Leaving a match: resigning, calling it off, claiming it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.play.values import ABANDONED_AFTER
from tests.cogs.scenes import at_table, labels
from tests.helpers.chance import KNOCK_AT_ONCE
from tests.helpers.clock import Clock

pytestmark = pytest.mark.slow


async def test_resigning_is_asked_once_more(tmp_path: Path) -> None:
    """`/gin resign` changes nothing by itself; *Keep playing* goes on, *Resign* ends the match for the other."""
    async with at_table(tmp_path) as scene:
        assert "You do not play" in await scene.asks(scene.east, "resign")
        asked = await scene.uses(scene.north, "gin resign", scene.channel)
        assert labels(asked.message) == ["Resign", "Offer to call it off", "Keep playing"]
        assert "The match goes on" in (await scene.presses(scene.north, asked.message, "Keep playing")).text
        hand, refresh = await scene.hand(scene.south), "gin:1:2:refresh"
        asked = await scene.uses(scene.north, "gin resign", scene.channel)
        assert "You resigned" in (await scene.presses(scene.north, asked.message, "Resign")).text
        end = await scene.post("Rematch")
        assert "⁨South⁩ wins: ⁨North⁩ resigned" in end.text
        again = await scene.presses(scene.south, hand, refresh, late=True)
        assert "You **won** your match" in again.text


async def test_both_agree_to_call_a_match_off(tmp_path: Path) -> None:
    """An offer shows at the table; the other keeps playing or agrees, and then the match counts for nobody."""
    async with at_table(tmp_path) as scene:
        offer = (await scene.uses(scene.north, "gin resign", scene.channel)).message
        assert (
            "You offer to call the match off" in (await scene.presses(scene.north, offer, "Offer to call it off")).text
        )
        await scene.sandbox.until(lambda: "⁨North⁩ would like to call the match off" in scene.table.text)
        await scene.sandbox.until(lambda: "Call the match off" in labels(scene.south.direct_messages()[-1]))
        hand = await scene.hand(scene.south)
        await scene.presses(scene.south, hand, "Keep playing")
        await scene.sandbox.until(lambda: "call the match off" not in scene.table.text)
        offer = (await scene.uses(scene.south, "gin resign", scene.channel)).message
        await scene.presses(scene.south, offer, "Offer to call it off")
        await scene.sandbox.until(lambda: "Call the match off" in labels(scene.north.direct_messages()[-1]))
        agreed = await scene.presses(scene.north, await scene.hand(scene.north), "Call the match off")
        assert "It counts for nobody" in agreed.text
        assert "called off, nothing counts" in (await scene.post("Rematch")).text
        assert "You: no finished match yet" in await scene.asks(scene.north, "leaderboard")


async def test_a_match_left_alone_for_a_week_may_be_claimed(tmp_path: Path) -> None:
    """After seven days the waiting player is offered the match; a day earlier, or for the silent one, it is not."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        scene.age(clock, ABANDONED_AFTER - timedelta(minutes=1))
        early = await scene.uses(scene.south, "gin hand", scene.channel)
        assert labels(early.message) == ["Refresh"]
        scene.age(clock, timedelta(minutes=2))
        assert "Claim the match" not in labels((await scene.uses(scene.north, "gin resign", scene.channel)).message)
        waiting = await scene.uses(scene.south, "gin resign", scene.channel)
        assert labels(waiting.message)[0] == "Claim the match"
        other = await scene.uses(scene.south, "gin hand", scene.channel)
        assert labels(other.message) == ["Refresh", "Claim the match"]
        assert "You **won** your match" in (await scene.presses(scene.south, waiting.message, "Claim the match")).text
        assert "⁨South⁩ wins: ⁨North⁩ resigned" in (await scene.post("Rematch")).text
        assert "is over" in (await scene.presses(scene.south, other.message, "Claim the match")).text


async def test_a_claim_after_the_other_moved_is_too_late(tmp_path: Path) -> None:
    """The silent player comes back first: the claim is refused with when it would be possible, and nothing is lost."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        scene.age(clock, ABANDONED_AFTER)
        panel = (await scene.uses(scene.south, "gin hand", scene.channel)).message
        await scene.asks(scene.north, "take")
        assert "after seven days without a move" in (await scene.presses(scene.south, panel, "Claim the match")).text
        await scene.asks(scene.north, "discard", card="Qh")
        assert "it is your own turn" in (await scene.presses(scene.south, panel, "Claim the match")).text
