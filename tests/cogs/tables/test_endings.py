"""Ending a match early by resigning, calling it off or claiming it; and offers of a rematch."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.deals.moves import Seat
from bot.engine.matches.match import Forfeit
from bot.model.clocks import CLAIM_TIME_WITHOUT_CLOCK
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchKind, MatchStatus, Proposal
from bot.model.people import Push
from bot.play import refusals as why
from bot.sandbox import Message
from cogs.actions import Action
from cogs.challenges.refusals import NO_OFFER
from cogs.delivery.choosing import NO_CHALLENGE
from cogs.showdowns.showdown_text import end_title
from cogs.tables.endings import CALLED_OFF
from cogs.turns import hand_text as texts
from cogs.turns.match_options import ANSWER
from tests.cogs.scenes import Scene, buttons, hands, open_match_scene, person_of, shows_hand
from tests.helpers.clock import Clock
from tests.helpers.components import find_button
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.table import interaction, prefer

_NORTH, _SOUTH = Seat(0), Seat(1)
_LOOK_BACK_BUTTONS = [Action.REVIEW, Action.SHOW_SCORE, Action.SHOWDOWN_DETAILS]
_DEAL_BUTTONS = [Action.REPLAY, Action.REVIEW, Action.VERIFY]
_LEAVE_BUTTONS = [Action.PAUSE, Action.CALL_OFF, Action.RESIGN, Action.STAY]


async def _leave_panel(scene: Scene, name: str = "North") -> Message:
    """Have a person use `/gin resign`, and return the message with the ways to leave."""
    return (await scene.use(scene.bot.person(name), "gin resign", scene.channel)).message


async def _offer_call_off(scene: Scene, name: str = "North") -> None:
    await scene.press(scene.bot.person(name), await _leave_panel(scene, name), Action.CALL_OFF)


async def _resign_match(scene: Scene) -> Message:
    """Have North resign, and return the message that offers a rematch."""
    await scene.bot.app.endings.resign(PersonId(scene.north.id), MatchId(1), interaction())
    end = await scene.wait_for_post(Action.REMATCH)
    await scene.wait_until_idle()
    return end


async def _shows_offer(scene: Scene, message: Message, own: Seat | None) -> bool:
    """Return True if a message shows the current offer, worded for the seat `own` or, if that is None, for everyone."""
    match = await scene.match()
    offer_text = texts.proposals(match, own) if match.status is MatchStatus.RUNNING else texts.rematch(match, own)
    return str(offer_text) in message.text


async def test_resigning_asks_for_confirmation(tmp_path: Path) -> None:
    """`/gin resign` only asks. *Keep playing* shows the hand; after *Resign*, one private message shows the end."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        assert scene.error_type(await scene.use(scene.east, "gin resign", scene.channel)) is why.NotSeated
        asked = await _leave_panel(scene)
        assert buttons(asked) == _LEAVE_BUTTONS
        stayed = await scene.press(scene.north, asked, Action.STAY)
        assert shows_hand(stayed.message)
        assert (await scene.match()).status is MatchStatus.RUNNING
        resigned = await scene.press(scene.north, await _leave_panel(scene), Action.RESIGN)
        own_end = texts.match_result(await scene.bot.app.lookup.hand(PersonId(scene.north.id), MatchId(1)))
        assert own_end in resigned.text
        await scene.wait_until_idle()
        # The hand does not stay next to the answer.
        assert [message for message in scene.north.sees(scene.channel) if message.ephemeral] == [resigned.message]
        assert await scene.forfeit() == Forfeit(_NORTH, on_time=False)
        end = await scene.wait_for_post(Action.REMATCH)
        assert end_title(await scene.bot.app.lookup.summary(MatchId(1))) in end.text


@pytest.mark.thorough
async def test_an_old_button_shows_how_a_match_ended(tmp_path: Path) -> None:
    """After the end of a match, a button in an old hand shows the result."""
    async with open_match_scene(tmp_path) as scene:
        hand = await scene.wait_for_hand(scene.south)
        await _resign_match(scene)
        again = await click(scene.south, hand, Action.REFRESH_HAND, 1)
        assert texts.match_result(await scene.bot.app.lookup.hand(PersonId(scene.south.id), MatchId(1))) in again.text


async def test_both_agree_to_call_a_match_off(tmp_path: Path) -> None:
    """The offer is shown at the table and pings the opponent; if they agree, it ends without a winner or a sheet."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        await _offer_call_off(scene)
        await scene.wait_until_idle()
        assert (await scene.match()).seats_proposing(Proposal.CANCEL) == [_NORTH]
        assert await _shows_offer(scene, scene.table, None)
        agreed = await scene.press(scene.south, await scene.wait_for_post(Action.CALL_OFF), Action.CALL_OFF)
        assert agreed.text == CALLED_OFF
        assert (await scene.match()).status is MatchStatus.CANCELLED
        end = await scene.wait_for_post(Action.REMATCH)
        assert end_title(await scene.bot.app.lookup.summary(MatchId(1))) in end.text
        assert Action.SHOW_SCORE not in buttons(end)


@pytest.mark.thorough
async def test_an_offer_to_call_off_can_be_declined(tmp_path: Path) -> None:
    """The opponent's hand has buttons to agree or decline; the table and the proposer's hand show a refusal."""
    async with open_match_scene(tmp_path) as scene:
        await _offer_call_off(scene)
        await scene.sandbox.until(lambda: Action.CALL_OFF in buttons(hands(scene.south)[-1]))
        declined = await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.KEEP_PLAYING)
        assert declined.text.count(str(texts.proposals(await scene.match(), _SOUTH))) == 1
        assert (await scene.match()).seats_proposing(Proposal.DECLINED) == [_SOUTH]
        await scene.wait_until_idle()
        assert await _shows_offer(scene, scene.table, None)
        assert await _shows_offer(scene, await scene.wait_for_hand(scene.north), _NORTH)
        await _offer_call_off(scene, "South")
        assert (await scene.match()).seats_proposing(Proposal.CANCEL) == [_SOUTH]
        await scene.press(scene.north, await _leave_panel(scene), Action.CALL_OFF)
        board = await scene.bot.app.leaderboards.page(scene.guild_id, PersonId(scene.north.id))
        assert board.rows == ()


async def test_a_match_can_be_claimed_after_a_week(tmp_path: Path) -> None:
    """After seven days the waiting player can claim the match, and wins it."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, open_dms=False) as scene:
        await scene.advance_until_idle(clock, CLAIM_TIME_WITHOUT_CLOCK)
        claimed = await scene.press(scene.south, await _leave_panel(scene, "South"), Action.CLAIM)
        assert texts.match_result(await scene.bot.app.lookup.hand(PersonId(scene.south.id), MatchId(1))) in claimed.text
        assert await scene.forfeit() == Forfeit(_NORTH, on_time=True)


@pytest.mark.thorough
async def test_a_claim_is_offered_to_the_waiting_player(tmp_path: Path) -> None:
    """After a week only the waiting player is offered a claim. After the claim, old claim buttons show the result."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, open_dms=False) as scene:
        await scene.advance_until_idle(clock, CLAIM_TIME_WITHOUT_CLOCK - timedelta(minutes=1))
        early = (await scene.use(scene.south, "gin hand", scene.channel)).message
        usual = [Action.REFRESH_HAND, Action.NUDGE, Action.GAMES]
        assert buttons(early) == usual
        await scene.advance_until_idle(clock, timedelta(minutes=2))
        assert buttons(await _leave_panel(scene, "North")) == _LEAVE_BUTTONS
        waiting = await _leave_panel(scene, "South")
        assert buttons(waiting) == [Action.CLAIM, *_LEAVE_BUTTONS]
        other = (await scene.use(scene.south, "gin hand", scene.channel)).message
        assert buttons(other) == [*usual, Action.CLAIM, Action.CALL_OFF]
        for panel in (waiting, other):
            claimed = await scene.press(scene.south, panel, Action.CLAIM)
            won = texts.match_result(await scene.bot.app.lookup.hand(PersonId(scene.south.id), MatchId(1)))
            assert won in claimed.text
        assert await scene.wait_for_post(Action.REMATCH)


@pytest.mark.thorough
async def test_a_claim_after_a_move_is_refused(tmp_path: Path) -> None:
    """If the opponent moves before the claim is pressed, the refusal says when the match can next be claimed."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock, open_dms=False) as scene:
        await scene.advance_until_idle(clock, CLAIM_TIME_WITHOUT_CLOCK)
        panel = (await scene.use(scene.south, "gin hand", scene.channel)).message
        claim = find_button(panel, Action.CLAIM)
        assert claim is not None
        await scene.ask(scene.north, "take")
        soon = scene.error(await scene.press_late(scene.south, panel, claim))
        assert isinstance(soon, why.TooSoon)
        assert soon.time is not None
        assert soon.time.ends_at == clock() + CLAIM_TIME_WITHOUT_CLOCK
        await scene.ask(scene.north, "discard", card="Qh")
        assert scene.error_type(await scene.press_late(scene.south, panel, claim)) is why.NotYourTurn


@pytest.mark.thorough
async def test_an_offer_to_call_off_is_pinged_and_removed(tmp_path: Path) -> None:
    """A player with notifications in the channel is pinged there about an offer; *Keep playing* deletes the ping."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        await prefer(scene.bot.app, person_of(scene.south), push=Push.CHANNEL)
        await _offer_call_off(scene)
        call = await scene.wait_for_post(Action.CALL_OFF)
        assert call in scene.south.pushes
        assert await _shows_offer(scene, call, _SOUTH)
        own = await _leave_panel(scene, "South")
        assert Action.CALL_OFF in buttons(own)
        await scene.press(scene.south, own, Action.STAY)
        assert not call.deleted
        await scene.press(scene.south, call, Action.KEEP_PLAYING)
        await scene.sandbox.until(lambda: call.deleted)
        old = await click(scene.south, scene.table, Action.CALL_OFF, 1, argument=ANSWER)
        assert scene.error_type(old) is why.NoOffer
        await scene.wait_until_idle()
        assert (await scene.match()).seats_proposing(Proposal.DECLINED) == [_SOUTH]
        assert await _shows_offer(scene, scene.table, None)


@pytest.mark.thorough
async def test_a_turn_ping_shows_an_offer_while_it_lasts(tmp_path: Path) -> None:
    """A turn ping also shows the opponent's offer and the buttons to answer it, until the offer is declined."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        turn = await scene.wait_for_post(Action.SHOW_HAND, exclude=[scene.table])
        assert turn in scene.north.pushes
        await _offer_call_off(scene, "South")
        call = await scene.wait_for_post(Action.CALL_OFF)
        offer = str(texts.proposals(await scene.match(), _NORTH))
        assert offer in call.text
        await scene.press(scene.north, call, Action.KEEP_PLAYING)
        await scene.wait_until_idle()
        assert not call.deleted
        assert offer not in call.text
        assert buttons(call) == [Action.SHOW_HAND]


@pytest.mark.thorough
async def test_the_result_is_sent_by_direct_message(tmp_path: Path) -> None:
    """Both players get the last showdown by direct message; only the player who did not end the match is notified."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10) as scene:
        north, south = scene.north, scene.south
        await scene.ask(north, "take")
        before = len(north.pushes), len(south.pushes)
        await scene.ask(north, "gin")
        await scene.wait_until_idle()
        assert ([*north.pushes[before[0] :]], [*south.pushes[before[1] :]]) == ([], south.direct_messages())
        for person in (north, south):
            (message,) = person.direct_messages()
            assert texts.match_result(await scene.bot.app.lookup.hand(PersonId(person.id), MatchId(1))) in message.text
            assert "85 points" in message.text
            assert str(message.images[0].alt).startswith("Deal 1. North goes gin")
            assert buttons(message) == [Action.REMATCH, *_LOOK_BACK_BUTTONS, Action.VERSUS, Action.GAMES]
            assert buttons(await scene.details(message, person)) == _DEAL_BUTTONS


@pytest.mark.thorough
async def test_a_rematch_offer_is_sent_by_direct_message(tmp_path: Path) -> None:
    """A rematch offer notifies the opponent once; both players' messages show if it was declined or accepted."""
    async with open_match_scene(tmp_path, target=10) as scene:
        north, south = scene.north, scene.south
        look_back = [Action.VERIFY]
        rest = [*look_back, Action.VERSUS, Action.GAMES]
        end = await _resign_match(scene)
        (own,), push_count = north.direct_messages(), len(south.pushes)
        for message in (own, end):
            await scene.press(north, message, Action.REMATCH)
        await scene.wait_until_idle()
        (asked,) = south.direct_messages()
        assert south.pushes[push_count:] == [asked]
        assert await _shows_offer(scene, asked, _SOUTH)
        assert buttons(asked) == [Action.REMATCH, Action.DECLINE_REMATCH, *rest, Action.BLOCK]
        assert buttons(own) == [Action.WITHDRAW_REMATCH, *rest]
        (offer,) = (post for post in scene.posts if Action.DECLINE_REMATCH in buttons(post))
        assert buttons(offer) == [Action.REMATCH, Action.DECLINE_REMATCH]
        assert buttons(end) == look_back
        await scene.press(south, asked, Action.DECLINE_REMATCH)
        await scene.wait_until_idle()
        for message, seat in ((asked, _SOUTH), (own, _NORTH), (offer, None)):
            assert await _shows_offer(scene, message, seat)
        assert buttons(offer) == []
        assert buttons(end) == [Action.REMATCH, *look_back]
        assert (await click(north, end, Action.DECLINE_REMATCH, 1)).text == NO_OFFER
        nothing_left = await click(north, end, Action.WITHDRAW_REMATCH, 1)
        assert nothing_left.text.count(str(texts.rematch(await scene.match(), _NORTH))) == 1
        await scene.press(north, own, Action.REMATCH)
        await scene.wait_until_idle()
        (asked,) = south.direct_messages()
        await scene.press(south, asked, Action.REMATCH)
        await scene.wait_until_idle()
        assert (await scene.match()).has_rematch
        for message in (own, asked):
            assert await _shows_offer(scene, message, None)
            assert buttons(message) == rest
        assert len(hands(north)) == len(hands(south)) == 1


@pytest.mark.thorough
async def test_a_rematch_offer_pings_the_opponent(tmp_path: Path) -> None:
    """Without direct messages, the offer pings the opponent once, instead of the end of the match or its ping.

    The end of the match has the buttons for a rematch only while no offer is open; withdrawing the offer deletes it.
    """
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        before = len(scene.south.pushes)
        end = await _resign_match(scene)
        (end_ping,) = scene.south.pushes[before:]
        assert not end_ping.buttons
        offer = (await scene.press(scene.north, end, Action.REMATCH)).message
        call = await scene.wait_for_post(Action.REMATCH, exclude=[end])
        await scene.sandbox.until(lambda: end_ping.deleted)
        assert call in scene.south.pushes
        assert await _shows_offer(scene, call, _SOUTH)
        assert buttons(call) == [Action.REMATCH, Action.DECLINE_REMATCH]
        assert scene.south.pushes[before:] == [end_ping, call]
        assert buttons(end) == [Action.VERIFY]
        assert buttons(offer) == [Action.WITHDRAW_REMATCH]
        await scene.press(scene.north, offer, Action.WITHDRAW_REMATCH)
        await scene.sandbox.until(lambda: call.deleted)
        await scene.wait_until_idle()
        assert buttons(end) == [Action.REMATCH, Action.VERIFY]
        assert (await scene.match()).open_proposal is None


@pytest.mark.thorough
async def test_a_command_withdraws_an_offer_of_a_rematch(tmp_path: Path) -> None:
    """`/gin withdraw` withdraws the person's offer of a rematch, in the channel or by DM, if no challenge is open."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        end = await _resign_match(scene)
        for channel in (scene.channel, scene.north.dm):
            await scene.press(scene.north, end, Action.REMATCH)
            refused = await scene.use(scene.south, "gin withdraw", scene.channel)
            assert refused.text == NO_CHALLENGE[Action.WITHDRAW]
            assert (await scene.match()).seats_proposing(Proposal.REMATCH) == [_NORTH]
            await scene.use(scene.north, "gin withdraw", channel)
            assert (await scene.match()).seats_proposing(Proposal.REMATCH) == []
            await scene.wait_until_idle()
        refused = await scene.use(scene.north, "gin withdraw", scene.channel)
        assert refused.text == NO_CHALLENGE[Action.WITHDRAW]


@pytest.mark.thorough
async def test_only_the_invited_player_can_decline_a_rematch(tmp_path: Path) -> None:
    """Only the player who was asked can decline a rematch: others who press *Decline* see the offer or are refused."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        end = await _resign_match(scene)
        await scene.press(scene.north, end, Action.REMATCH)
        call = await scene.wait_for_post(Action.REMATCH, exclude=[end])
        own = await scene.press(scene.north, call, Action.DECLINE_REMATCH)
        assert buttons(own.message) == [Action.WITHDRAW_REMATCH]
        assert await _shows_offer(scene, own.message, _NORTH)
        assert scene.error_type(await scene.press(scene.east, call, Action.DECLINE_REMATCH)) is why.NotSeated
        assert (await scene.match()).seats_proposing(Proposal.REMATCH) == [_NORTH]
        declined = await scene.press(scene.south, call, Action.DECLINE_REMATCH)
        assert await _shows_offer(scene, declined.message, _SOUTH)
        await scene.wait_until_idle()
        assert await _shows_offer(scene, call, None)
        assert buttons(call) == []
        await scene.press(scene.south, end, Action.REMATCH)
        await scene.press(scene.north, await scene.wait_for_post(Action.DECLINE_REMATCH), Action.REMATCH)
        assert (await scene.match(2)).kind is MatchKind.STANDARD


# The test below compares the exact wording of answers. `tests/cogs/turns/test_hand_text.py` tests offers and results.
@pytest.mark.thorough
async def test_leaving_texts(tmp_path: Path) -> None:
    """The answer says what happened after a player accepts, declines or withdraws an offer."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        await _offer_call_off(scene)
        call = await scene.wait_for_post(Action.CALL_OFF)
        offer = "⁨North⁩ would like to call the match off."
        assert call.text.startswith(f"<@{scene.south.id}>\n{offer}")
        declined = await scene.press(scene.south, call, Action.KEEP_PLAYING)
        assert "**The match continues.**" in declined.text
        await _offer_call_off(scene, "South")
        agreed = await scene.press(scene.north, await scene.wait_for_post(Action.CALL_OFF), Action.CALL_OFF)
        assert agreed.text == "The match was called off. It doesn't count."
        end = await scene.wait_for_post(Action.REMATCH)
        assert "⁨North⁩ vs ⁨South⁩: called off, so it doesn't count" in end.text
        offered = await scene.press(scene.north, end, Action.REMATCH)
        withdrawn = await scene.press(scene.north, offered.message, Action.WITHDRAW_REMATCH)
        assert "**You withdrew your rematch offer.**" in withdrawn.text
