"""Leaving a match: resigning, calling it off, claiming it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.values.clocks import NO_CLOCK_FOR
from bot.values.people import Push
from cogs.kit.actions import Action
from cogs.panels.hand import ANSWER
from tests.cogs.scenes import at_table, hands, labels, person_of
from tests.helpers.clock import Clock
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE

pytestmark = pytest.mark.slow


async def test_resigning_is_asked_once_more(tmp_path: Path) -> None:
    """`/gin resign` changes nothing by itself; *Keep playing* goes on, *Resign* ends the match for the other."""
    async with at_table(tmp_path) as scene:
        assert "You are not playing" in await scene.ask(scene.east, "resign")
        asked = await scene.use(scene.north, "gin resign", scene.channel)
        assert labels(asked.message) == ["Pause", "Call off", "Resign", "Keep playing"]
        assert "Nothing has changed." in (await scene.press(scene.north, asked.message, "Keep playing")).text
        hand, refresh = await scene.hand(scene.south), "gin:1:4:refresh"
        asked = await scene.use(scene.north, "gin resign", scene.channel)
        assert "You resigned" in (await scene.press(scene.north, asked.message, "Resign")).text
        end = await scene.post("Rematch")
        assert "⁨South⁩ wins: ⁨North⁩ resigned" in end.text
        again = await scene.press(scene.south, hand, refresh, late=True)
        assert "You **won** your match" in again.text


async def test_both_agree_to_call_a_match_off(tmp_path: Path) -> None:
    """An offer shows at the table; the other keeps playing or agrees, and then the match counts for nobody."""
    async with at_table(tmp_path) as scene:
        offer = (await scene.use(scene.north, "gin resign", scene.channel)).message
        assert "You have offered to call the match off" in (await scene.press(scene.north, offer, "Call off")).text
        await scene.sandbox.until(lambda: "⁨North⁩ would like to call the match off" in scene.table.text)
        await scene.sandbox.until(lambda: "Call the match off" in labels(scene.south.direct_messages()[-1]))
        hand = await scene.hand(scene.south)
        declined = (await scene.press(scene.south, hand, "Keep playing")).text
        assert (declined.count("The match goes on."), declined.count("You declined the offer.")) == (1, 1)
        await scene.sandbox.until(lambda: "⁨South⁩ declined the offer" in scene.table.text)
        await scene.quiet()
        assert "⁨South⁩ declined the offer." in (await scene.hand(scene.north)).text
        offer = (await scene.use(scene.south, "gin resign", scene.channel)).message
        await scene.press(scene.south, offer, "Call off")
        await scene.sandbox.until(lambda: "Call the match off" in labels(scene.north.direct_messages()[-1]))
        agreed = await scene.press(scene.north, await scene.hand(scene.north), "Call the match off")
        assert "It does not count in the standings" in agreed.text
        assert "called off, nothing counts" in (await scene.post("Rematch")).text
        assert "No match has ended here yet" in await scene.ask(scene.north, "leaderboard")


async def test_a_match_left_alone_for_a_week_may_be_claimed(tmp_path: Path) -> None:
    """After seven days the waiting player is offered the match; a day earlier, or for the silent one, it is not."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.later(clock, NO_CLOCK_FOR - timedelta(minutes=1))
        early = await scene.use(scene.south, "gin hand", scene.channel)
        assert labels(early.message) == ["Refresh", "Nudge", "My games"]
        await scene.later(clock, timedelta(minutes=2))
        assert "Claim the match" not in labels((await scene.use(scene.north, "gin resign", scene.channel)).message)
        waiting = await scene.use(scene.south, "gin resign", scene.channel)
        assert labels(waiting.message)[0] == "Claim the match"
        other = await scene.use(scene.south, "gin hand", scene.channel)
        assert labels(other.message) == ["Refresh", "Nudge", "My games", "Claim the match", "Call the match off"]
        assert "You **won** your match" in (await scene.press(scene.south, waiting.message, "Claim the match")).text
        assert "⁨South⁩ wins: ⁨North⁩ lost on time" in (await scene.post("Rematch")).text
        assert "You **won** your match" in (await scene.press(scene.south, other.message, "Claim the match")).text


async def test_a_claim_after_the_other_moved_is_too_late(tmp_path: Path) -> None:
    """The silent player comes back first: the claim is refused with when it would be possible, and nothing is lost."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.later(clock, NO_CLOCK_FOR)
        panel = (await scene.use(scene.south, "gin hand", scene.channel)).message
        await scene.ask(scene.north, "take")
        assert "after a week without a move" in (await scene.press(scene.south, panel, "Claim the match")).text
        await scene.ask(scene.north, "discard", card="Qh")
        assert "it is your turn" in (await scene.press(scene.south, panel, "Claim the match")).text


async def test_an_offer_to_call_off_reaches_the_other_and_goes_when_it_is_settled(tmp_path: Path) -> None:
    """Who hears of turns in the channel is called there with the buttons to answer; *Keep playing* takes it away."""
    async with at_table(tmp_path) as scene:
        await scene.alive.app.people.change_preferences(
            person_of(scene.south), lambda now: replace(now, push=Push.CHANNEL)
        )
        asked = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, asked, "Call off")
        call = await scene.post("Call the match off")
        assert f"<@{scene.south.id}>, there is an offer for you. ⁨North⁩ would like to call the match off." in call.text
        own = (await scene.use(scene.south, "gin resign", scene.channel)).message
        assert "Call off" in labels(own)
        await scene.press(scene.south, own, "Keep playing")
        assert not call.deleted
        await scene.press(scene.south, call, "Keep playing")
        await scene.sandbox.until(lambda: call.deleted)
        await scene.quiet()
        assert "would like to call the match off" not in scene.table.text
        old = await click(scene.south, scene.table, Action.CALL_OFF, 1, argument=ANSWER)
        assert "Nobody offers that in ⁨North⁩ vs ⁨South⁩ any more." in old.text
        await scene.quiet()
        assert "would like to call the match off" not in scene.table.text


async def test_a_call_to_a_turn_says_what_is_offered_as_long_as_it_is(tmp_path: Path) -> None:
    """A ping that stays because it is the player's turn gets the offer with its buttons, and loses both."""
    async with at_table(tmp_path, open_dms=False) as scene:
        asked = (await scene.use(scene.south, "gin resign", scene.channel)).message
        await scene.press(scene.south, asked, "Call off")
        call = await scene.post("Call the match off")
        assert f"<@{scene.north.id}>, it is your turn." in call.text
        assert "⁨South⁩ would like to call the match off." in call.text
        await scene.press(scene.north, call, "Keep playing")
        await scene.quiet()
        assert not call.deleted
        assert "call the match off" not in call.text
        assert labels(call) == ["My hand"]


async def test_an_offer_to_play_again_comes_by_direct_message(tmp_path: Path) -> None:
    """There the loser has the last showdown, the offer notifies once, and both see that it was declined."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        north, south = scene.north, scene.south
        await scene.ask(north, "take")
        before = len(north.pushes), len(south.pushes)
        await scene.ask(north, "gin")
        end = await scene.post("Rematch")
        await scene.quiet()
        assert ([*north.pushes[before[0] :]], [*south.pushes[before[1] :]]) == ([], south.direct_messages())
        (own,), (lost,) = north.direct_messages(), south.direct_messages()
        assert "### Your match against ⁨North⁩ is over" in lost.text
        assert ["You **won** your match" in own.text, "You lost your match" in lost.text] == [True, True]
        for message in (own, lost):
            assert "⁨North⁩ goes gin, 85 points" in message.text
            assert str(message.images[0].alt).startswith("Deal 1. N goes gin")
            assert labels(message) == ["Rematch", "Replay", "Review", "Verify", "Versus", "My games"]
        told = len(south.pushes)
        assert "You have offered a rematch" in (await scene.press(north, own, "Rematch")).text
        await scene.press(north, end, "Rematch")
        await scene.quiet()
        (asked,) = south.direct_messages()
        assert south.pushes[told:] == [asked]
        assert "⁨North⁩ would like a rematch" in asked.text
        assert labels(asked) == ["Rematch", "Decline", "Replay", "Review", "Verify", "Versus", "My games"]
        assert labels(own) == ["Withdraw the offer", "Replay", "Review", "Verify", "Versus", "My games"]
        assert [post for post in scene.posts if f"<@{south.id}>" in post.text and "offer" in post.text] == []
        await scene.press(south, asked, "Decline")
        await scene.quiet()
        assert "You declined the rematch." in asked.text
        assert "⁨South⁩ declined the rematch." in own.text
        assert "⁨South⁩ declined the rematch." in end.text
        assert labels(end) == ["Rematch", "Versus", "Verify", "My games"]
        assert "no offer of a rematch to decline" in (await click(north, end, Action.DECLINE_REMATCH, 1)).text
        nothing_left = (await click(north, end, Action.WITHDRAW_REMATCH, 1)).text
        assert "⁨South⁩ declined the rematch." in nothing_left
        assert "You withdrew" not in nothing_left
        await scene.press(north, own, "Rematch")
        await scene.quiet()
        (asked,) = south.direct_messages()
        assert "The rematch is on!" in (await scene.press(south, asked, "Rematch")).text
        await scene.quiet()
        assert "The rematch is on!" in own.text
        assert labels(own) == labels(asked) == ["Replay", "Review", "Verify", "Versus", "My games"]
        assert len(hands(north)) == len(hands(south)) == 1


async def test_an_offer_to_play_again_calls_the_other(tmp_path: Path) -> None:
    """Without direct messages the one who is asked is called in the channel; the call goes with the offer."""
    async with at_table(tmp_path, open_dms=False) as scene:
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, leaving, "Resign")
        end = await scene.post("Rematch")
        await scene.quiet()
        offer = (await scene.press(scene.north, end, "Rematch")).message
        (told,) = [one for one in scene.south.pushes if "is over" in one.text]
        assert told.text == f"<@{scene.south.id}>, your match is over. You played against ⁨North⁩."
        assert not any("is over" in one.text for one in scene.north.pushes)
        call = await scene.post("Rematch", but=[end])
        await scene.sandbox.until(lambda: told.deleted)
        assert call.text.startswith(f"<@{scene.south.id}>, there is an offer for you. ⁨North⁩ would like a rematch;")
        assert "-# **classic** rules to 100" in call.text
        assert call in scene.south.pushes
        assert labels(call) == ["Rematch", "Decline"]
        assert labels(end) == ["Rematch", "Decline", "Versus", "Verify", "My games"]
        own = await scene.press(scene.north, call, "Decline")
        assert "You have offered a rematch" in own.text
        assert labels(own.message) == ["Withdraw the offer"]
        assert "only ⁨North⁩ and ⁨South⁩ can do that" in (await scene.press(scene.east, end, "Decline")).text
        await scene.press(scene.north, offer, "Withdraw the offer")
        await scene.sandbox.until(lambda: call.deleted)
        await scene.press(scene.north, end, "Rematch")
        again = await scene.post("Rematch", but=[end])
        assert "You declined the rematch." in (await scene.press(scene.south, again, "Decline")).text
        await scene.sandbox.until(lambda: again.deleted)
        await scene.quiet()
        assert "⁨South⁩ declined the rematch." in end.text
        await scene.press(scene.south, end, "Rematch")
        await scene.press(scene.north, end, "Rematch")
        await scene.quiet()
        assert "⁨North⁩ vs ⁨South⁩" in scene.table.text
