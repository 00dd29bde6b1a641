"""Ending a match early: resignations, calling off, claims; and rematch offers."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.match import Forfeit
from bot.engine.moves import Seat
from bot.play import refusals as why
from bot.sandbox import Message
from bot.values.clocks import NO_CLOCK_FOR
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchKind, MatchStatus, Proposal
from bot.values.people import Push
from cogs.features.endings import CALLED_OFF
from cogs.kit.actions import Action
from cogs.panels.hand import ANSWER
from cogs.text import hand as texts
from cogs.text import refusals
from cogs.text.showdown import end_title
from tests.cogs.scenes import Scene, at_table, buttons, hands, person_of, shows_hand
from tests.helpers.clock import Clock
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.table import interaction, prefer

_NORTH, _SOUTH = Seat(0), Seat(1)
_DEAL = [Action.REPLAY, Action.REVIEW, Action.VERIFY]
_LEAVE = [Action.PAUSE, Action.CALL_OFF, Action.RESIGN, Action.STAY]


async def _leaving(scene: Scene, name: str = "North") -> Message:
    """Have a person use `/gin resign`, and return the message with the ways to leave."""
    return (await scene.use(scene.alive.person(name), "gin resign", scene.channel)).message


async def _offer_call_off(scene: Scene, name: str = "North") -> None:
    await scene.press(scene.alive.person(name), await _leaving(scene, name), Action.CALL_OFF)


async def _end_of(scene: Scene) -> Message:
    """Have North resign, and return the message that offers a rematch."""
    await scene.alive.app.endings.resign(PersonId(scene.north.id), MatchId(1), interaction())
    end = await scene.post(Action.REMATCH)
    await scene.quiet()
    return end


async def _is_told(scene: Scene, message: Message, own: Seat | None) -> bool:
    """Return True if a message shows the current offer, worded for everyone or for one seat."""
    match = await scene.match()
    told = texts.proposals(match, own) if match.status is MatchStatus.RUNNING else texts.rematch(match, own)
    return str(told) in message.text


async def test_resigning_is_asked_once_more(tmp_path: Path) -> None:
    """`/gin resign` only asks. *Keep playing* shows the hand; *Resign* ends the match with a win for the opponent."""
    async with at_table(tmp_path, open_dms=False) as scene:
        assert scene.refusal(await scene.use(scene.east, "gin resign", scene.channel)) is why.NotSeated
        asked = await _leaving(scene)
        assert buttons(asked) == _LEAVE
        stayed = await scene.press(scene.north, asked, Action.STAY)
        assert shows_hand(stayed.message)
        assert (await scene.match()).status is MatchStatus.RUNNING
        resigned = await scene.press(scene.north, await _leaving(scene), Action.RESIGN)
        assert resigned.text == texts.resigned(await scene.match())
        assert await scene.forfeit() == Forfeit(_NORTH, on_time=False)
        end = await scene.post(Action.REMATCH)
        assert end_title(await scene.alive.app.lookup.summary(MatchId(1))) in end.text


@pytest.mark.thorough
async def test_an_old_button_shows_how_a_match_ended(tmp_path: Path) -> None:
    """A button of a hand from before the end shows the result."""
    async with at_table(tmp_path) as scene:
        hand = await scene.hand(scene.south)
        await _end_of(scene)
        again = await click(scene.south, hand, Action.REFRESH_HAND, 1)
        assert texts.over(await scene.alive.app.lookup.hand(PersonId(scene.south.id), MatchId(1))) in again.text


async def test_both_agree_to_call_a_match_off(tmp_path: Path) -> None:
    """The offer is shown at the table and pings the opponent; if they agree, the match ends without a winner."""
    async with at_table(tmp_path, open_dms=False) as scene:
        await _offer_call_off(scene)
        await scene.quiet()
        assert (await scene.match()).proposing(Proposal.CANCEL) == [_NORTH]
        assert await _is_told(scene, scene.table, None)
        agreed = await scene.press(scene.south, await scene.post(Action.CALL_OFF), Action.CALL_OFF)
        assert agreed.text == CALLED_OFF
        assert (await scene.match()).status is MatchStatus.CANCELLED
        end = await scene.post(Action.REMATCH)
        assert end_title(await scene.alive.app.lookup.summary(MatchId(1))) in end.text


@pytest.mark.thorough
async def test_an_offer_to_call_off_can_be_declined(tmp_path: Path) -> None:
    """The opponent's hand has the buttons; a refusal is shown to the player who offered, and at the table."""
    async with at_table(tmp_path) as scene:
        await _offer_call_off(scene)
        await scene.sandbox.until(lambda: Action.CALL_OFF in buttons(hands(scene.south)[-1]))
        declined = await scene.press(scene.south, await scene.hand(scene.south), Action.KEEP_PLAYING)
        assert declined.text.count(str(texts.proposals(await scene.match(), _SOUTH))) == 1
        assert (await scene.match()).proposing(Proposal.DECLINED) == [_SOUTH]
        await scene.quiet()
        assert await _is_told(scene, scene.table, None)
        assert await _is_told(scene, await scene.hand(scene.north), _NORTH)
        await _offer_call_off(scene, "South")
        assert (await scene.match()).proposing(Proposal.CANCEL) == [_SOUTH]
        await scene.press(scene.north, await _leaving(scene), Action.CALL_OFF)
        board = await scene.alive.app.leaderboards.page(scene.guild_id, PersonId(scene.north.id))
        assert board.rows == ()


async def test_a_match_left_alone_for_a_week_may_be_claimed(tmp_path: Path) -> None:
    """After seven days the waiting player can claim the match, and wins it."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, open_dms=False) as scene:
        await scene.later(clock, NO_CLOCK_FOR)
        claimed = await scene.press(scene.south, await _leaving(scene, "South"), Action.CLAIM)
        assert texts.over(await scene.alive.app.lookup.hand(PersonId(scene.south.id), MatchId(1))) in claimed.text
        assert await scene.forfeit() == Forfeit(_NORTH, on_time=True)


@pytest.mark.thorough
async def test_a_claim_is_offered_to_who_waits(tmp_path: Path) -> None:
    """The claim is offered after a week, to the waiting player; once it was used, other buttons show the result."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock, open_dms=False) as scene:
        await scene.later(clock, NO_CLOCK_FOR - timedelta(minutes=1))
        early = (await scene.use(scene.south, "gin hand", scene.channel)).message
        usual = [Action.REFRESH_HAND, Action.NUDGE, Action.GAMES]
        assert buttons(early) == usual
        await scene.later(clock, timedelta(minutes=2))
        assert buttons(await _leaving(scene, "North")) == _LEAVE
        waiting = await _leaving(scene, "South")
        assert buttons(waiting) == [Action.CLAIM, *_LEAVE]
        other = (await scene.use(scene.south, "gin hand", scene.channel)).message
        assert buttons(other) == [*usual, Action.CLAIM, Action.CALL_OFF]
        for panel in (waiting, other):
            claimed = await scene.press(scene.south, panel, Action.CLAIM)
            won = texts.over(await scene.alive.app.lookup.hand(PersonId(scene.south.id), MatchId(1)))
            assert won in claimed.text
        assert await scene.post(Action.REMATCH)


@pytest.mark.nightly
async def test_a_claim_after_the_other_moved_is_too_late(tmp_path: Path) -> None:
    """If the silent player moves first, the claim is refused with the time of the next possible claim."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock, open_dms=False) as scene:
        await scene.later(clock, NO_CLOCK_FOR)
        panel = (await scene.use(scene.south, "gin hand", scene.channel)).message
        await scene.ask(scene.north, "take")
        soon = scene.error(await scene.press(scene.south, panel, Action.CLAIM))
        assert isinstance(soon, why.TooSoon)
        assert soon.time is not None
        assert soon.time.ends_at == clock() + NO_CLOCK_FOR
        await scene.ask(scene.north, "discard", card="Qh")
        assert scene.refusal(await scene.press(scene.south, panel, Action.CLAIM)) is why.NotYourTurn


@pytest.mark.thorough
async def test_an_offer_to_call_off_reaches_the_other_and_goes_when_it_is_settled(tmp_path: Path) -> None:
    """A player who is notified in the channel is pinged there with buttons; *Keep playing* deletes the ping."""
    async with at_table(tmp_path, open_dms=False) as scene:
        await prefer(scene.alive.app, person_of(scene.south), push=Push.CHANNEL)
        await _offer_call_off(scene)
        call = await scene.post(Action.CALL_OFF)
        assert call in scene.south.pushes
        assert await _is_told(scene, call, _SOUTH)
        own = await _leaving(scene, "South")
        assert Action.CALL_OFF in buttons(own)
        await scene.press(scene.south, own, Action.STAY)
        assert not call.deleted
        await scene.press(scene.south, call, Action.KEEP_PLAYING)
        await scene.sandbox.until(lambda: call.deleted)
        old = await click(scene.south, scene.table, Action.CALL_OFF, 1, argument=ANSWER)
        assert scene.refusal(old) is why.NoOffer
        await scene.quiet()
        assert (await scene.match()).proposing(Proposal.DECLINED) == [_SOUTH]
        assert await _is_told(scene, scene.table, None)


@pytest.mark.thorough
async def test_a_call_to_a_turn_says_what_is_offered_as_long_as_it_is(tmp_path: Path) -> None:
    """A ping about the player's turn also shows the offer with its buttons, until the offer is declined."""
    async with at_table(tmp_path, open_dms=False) as scene:
        turn = await scene.post(Action.SHOW_HAND, but=[scene.table])
        assert turn in scene.north.pushes
        await _offer_call_off(scene, "South")
        call = await scene.post(Action.CALL_OFF)
        offer = str(texts.proposals(await scene.match(), _NORTH))
        assert offer in call.text
        await scene.press(scene.north, call, Action.KEEP_PLAYING)
        await scene.quiet()
        assert not call.deleted
        assert offer not in call.text
        assert buttons(call) == [Action.SHOW_HAND]


@pytest.mark.thorough
async def test_the_end_comes_by_direct_message(tmp_path: Path) -> None:
    """Both players get the last showdown in their direct messages; only the player who did not end it is notified."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        north, south = scene.north, scene.south
        await scene.ask(north, "take")
        before = len(north.pushes), len(south.pushes)
        await scene.ask(north, "gin")
        await scene.quiet()
        assert ([*north.pushes[before[0] :]], [*south.pushes[before[1] :]]) == ([], south.direct_messages())
        for person in (north, south):
            (message,) = person.direct_messages()
            assert texts.over(await scene.alive.app.lookup.hand(PersonId(person.id), MatchId(1))) in message.text
            assert "85 points" in message.text
            assert str(message.images[0].alt).startswith("Deal 1. N goes gin")
            assert buttons(message) == [Action.REMATCH, *_DEAL, Action.VERSUS, Action.GAMES]


@pytest.mark.thorough
async def test_an_offer_to_play_again_comes_by_direct_message(tmp_path: Path) -> None:
    """The offer notifies once, and both players see that it was declined, or that the rematch is on."""
    async with at_table(tmp_path, target=10) as scene:
        north, south, rest = scene.north, scene.south, [Action.VERIFY, Action.VERSUS, Action.GAMES]
        end = await _end_of(scene)
        (own,), told = north.direct_messages(), len(south.pushes)
        for message in (own, end):
            await scene.press(north, message, Action.REMATCH)
        await scene.quiet()
        (asked,) = south.direct_messages()
        assert south.pushes[told:] == [asked]
        assert await _is_told(scene, asked, _SOUTH)
        assert buttons(asked) == [Action.REMATCH, Action.DECLINE_REMATCH, *rest]
        assert buttons(own) == [Action.WITHDRAW_REMATCH, *rest]
        assert [post for post in scene.posts if Action.DECLINE_REMATCH in buttons(post)] == [end]
        await scene.press(south, asked, Action.DECLINE_REMATCH)
        await scene.quiet()
        for message, seat in ((asked, _SOUTH), (own, _NORTH), (end, None)):
            assert await _is_told(scene, message, seat)
        assert buttons(end) == [Action.REMATCH, Action.VERSUS, Action.VERIFY, Action.GAMES]
        assert (await click(north, end, Action.DECLINE_REMATCH, 1)).text == refusals.NO_OFFER
        nothing_left = await click(north, end, Action.WITHDRAW_REMATCH, 1)
        assert nothing_left.text.count(str(texts.rematch(await scene.match(), _NORTH))) == 1
        await scene.press(north, own, Action.REMATCH)
        await scene.quiet()
        (asked,) = south.direct_messages()
        await scene.press(south, asked, Action.REMATCH)
        await scene.quiet()
        assert (await scene.match()).has_rematch
        for message in (own, asked):
            assert await _is_told(scene, message, None)
            assert buttons(message) == rest
        assert len(hands(north)) == len(hands(south)) == 1


@pytest.mark.thorough
async def test_an_offer_to_play_again_calls_the_other(tmp_path: Path) -> None:
    """Without direct messages the opponent is pinged in the channel; withdrawing the offer deletes the ping."""
    async with at_table(tmp_path, open_dms=False) as scene:
        before = len(scene.south.pushes)
        end = await _end_of(scene)
        (told,) = scene.south.pushes[before:]
        assert not told.buttons
        offer = (await scene.press(scene.north, end, Action.REMATCH)).message
        call = await scene.post(Action.REMATCH, but=[end])
        await scene.sandbox.until(lambda: told.deleted)
        assert call in scene.south.pushes
        assert await _is_told(scene, call, _SOUTH)
        assert buttons(call) == [Action.REMATCH, Action.DECLINE_REMATCH]
        assert buttons(end) == [*buttons(call), Action.VERSUS, Action.VERIFY, Action.GAMES]
        assert buttons(offer) == [Action.WITHDRAW_REMATCH]
        await scene.press(scene.north, offer, Action.WITHDRAW_REMATCH)
        await scene.sandbox.until(lambda: call.deleted)
        assert (await scene.match()).proposed is None


@pytest.mark.thorough
async def test_who_is_called_to_play_again_may_decline(tmp_path: Path) -> None:
    """Only the person who was asked can decline: the other player's press shows the offer, and others are refused."""
    async with at_table(tmp_path, open_dms=False) as scene:
        end = await _end_of(scene)
        await scene.press(scene.north, end, Action.REMATCH)
        call = await scene.post(Action.REMATCH, but=[end])
        own = await scene.press(scene.north, call, Action.DECLINE_REMATCH)
        assert buttons(own.message) == [Action.WITHDRAW_REMATCH]
        assert await _is_told(scene, own.message, _NORTH)
        assert scene.refusal(await scene.press(scene.east, end, Action.DECLINE_REMATCH)) is why.NotSeated
        assert (await scene.match()).proposing(Proposal.REMATCH) == [_NORTH]
        declined = await scene.press(scene.south, call, Action.DECLINE_REMATCH)
        assert await _is_told(scene, declined.message, _SOUTH)
        await scene.sandbox.until(lambda: call.deleted)
        await scene.quiet()
        assert await _is_told(scene, end, None)
        for person in (scene.south, scene.north):
            await scene.press(person, end, Action.REMATCH)
        assert (await scene.match(2)).kind is MatchKind.STANDARD


# The texts of this feature. `tests/cogs/text/test_hand.py` has the texts of offers and results.
@pytest.mark.thorough
async def test_what_is_said_about_leaving(tmp_path: Path) -> None:
    """Each answer states the result for the match."""
    async with at_table(tmp_path, open_dms=False) as scene:
        stayed = await scene.press(scene.north, await _leaving(scene), Action.STAY)
        assert "**Nothing has changed.**" in stayed.text
        await _offer_call_off(scene)
        call = await scene.post(Action.CALL_OFF)
        offer = "⁨North⁩ would like to call the match off."
        assert call.text.startswith(f"<@{scene.south.id}>, there is an offer for you. {offer}")
        declined = await scene.press(scene.south, call, Action.KEEP_PLAYING)
        assert "**The match goes on.**" in declined.text
        await _offer_call_off(scene, "South")
        agreed = await scene.press(scene.north, await scene.post(Action.CALL_OFF), Action.CALL_OFF)
        assert agreed.text == "The match was called off. It does not count in the standings."
        end = await scene.post(Action.REMATCH)
        assert "⁨North⁩ vs ⁨South⁩: called off, nothing counts" in end.text
        offered = await scene.press(scene.north, end, Action.REMATCH)
        withdrawn = await scene.press(scene.north, offered.message, Action.WITHDRAW_REMATCH)
        assert "**You withdrew your offer of a rematch.**" in withdrawn.text
