"""Clocks in matches: time left, reminders, nudges, gifts of time, pauses, holidays, and *Next match*."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from bot.model.ids import ChannelId, MatchId, PersonId
from bot.model.matches import MatchStatus, OwnHand
from bot.model.people import Push, Reminders
from bot.play.refusals import (
    ChannelBusy,
    NoNudge,
    NoOffer,
    NotAway,
    NoThreadReason,
    NoTimeToGive,
    NotPaused,
    NotYourTurn,
    NudgeRefusal,
    Paused,
    TooLongAway,
    TooMuchTime,
    TooSoon,
)
from bot.sandbox import Channel, Message, Permission, Person, World, member_overwrite
from cogs.actions import Action
from cogs.delivery.refusals import CHANNEL_DELETED, no_room_to_continue
from cogs.tables import reminder_text as reminders
from cogs.turns import hand_text
from cogs.words import clocks, holidays
from cogs.words.clocks import date_of
from cogs.words.holidays import WELCOME_BACK
from cogs.words.names import place
from cogs.words.table import IN_THREAD
from tests.cogs.scenes import (
    Scene,
    buttons,
    buttons_without_cards,
    hands,
    open_match_scene,
    open_scene,
    person_of,
    shows_hand,
)
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.table import Players, prefer
from tests.helpers.worlds import stopped_world

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
REMINDER_DELAY: Final = timedelta(days=1, hours=12)
"""Time from the start of a turn to its reminder, if the clock gives two days per turn."""
MATCH: Final = MatchId(1)
OPENING_BUTTONS: Final = [Action.TAKE, Action.PASS]
"""The buttons in the hand of the player who moves first."""


@asynccontextmanager
async def open_timed_scene(
    directory: Path, clock: Clock, limit: str = "2d", *, open_dms: bool = True, world: World | None = None
) -> AsyncGenerator[Scene]:
    """Begin a match of North, who acts first, and South, with the clock `limit`.

    Unless `open_dms` is true, neither player accepts direct messages.
    """
    async with open_scene(directory, *[IMMEDIATE_KNOCK] * 12, clock=clock, world=world) as scene:
        scene.north.user.open_dms = scene.south.user.open_dms = open_dms
        await begin_match(scene, scene.channel, clock=limit)
        yield scene


async def begin_match(scene: Scene, channel: Channel, **options: object) -> None:
    """Have North challenge South in a channel, and South accept."""
    invitation = await scene.invite(scene.north, scene.south, channel, **options)
    await scene.press(scene.south, invitation, Action.ACCEPT)
    await scene.wait_until_idle()


async def own_hand(scene: Scene, person: Person, match_id: MatchId = MATCH) -> OwnHand:
    """Return a person's hand as an `OwnHand` from the services, not as a message."""
    return await scene.bot.app.lookup.hand(PersonId(person.id), match_id)


async def loser_on_time(scene: Scene) -> int | None:
    """Check that the match is over and its result posted. Return the id of the player who lost on time, or None."""
    hand = await own_hand(scene, scene.north)
    assert hand.match.status is MatchStatus.FINISHED
    assert has_button(scene.posts[-1], Action.REMATCH)
    forfeit = hand.view.public.forfeit
    return hand.match.players[forfeit.seat].id if forfeit is not None and forfeit.on_time else None


async def time_text(scene: Scene, person: Person | None = None) -> str:
    """Return the text about the players' time in the message with a person's hand; without `person`, at the table."""
    if person is None:
        table = await scene.bot.app.lookup.table(MATCH)
        text = clocks.times(table.match, table.times_left)
    else:
        hand = await own_hand(scene, person)
        text = clocks.times(hand.match, hand.times_left, hand.view.seat)
    assert text
    return text


def reminders_of(person: Person) -> list[Message]:
    """Return the reminders in a person's direct messages."""
    return [message for message in person.direct_messages() if has_button(message, Action.OPEN_MATCH)]


def pings_of(scene: Scene, person: Person) -> list[Message]:
    """Return the pings for a person in the channel."""
    return [post for post in scene.posts if person.id in post.mentions and has_button(post, Action.SHOW_HAND)]


def as_timestamp(moment: datetime) -> str:
    """Return a time as Discord's relative timestamp."""
    return f"<t:{int(moment.timestamp())}:R>"


def as_channel(channel: Channel) -> str:
    """Return the mention of a channel."""
    return f"<#{channel.id}>"


async def test_table_and_hands_show_the_deadline(tmp_path: Path) -> None:
    """Table and hands show when the turn ends."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        assert as_timestamp(clock.now + 2 * DAY) in await time_text(scene)
        assert await time_text(scene) in scene.table.text
        for person in (scene.north, scene.south):
            assert await time_text(scene, person) in (await scene.wait_for_hand(person)).text
        assert buttons_without_cards(await scene.wait_for_hand(scene.south)) == [
            Action.REFRESH_HAND,
            Action.GIVE_TIME,
            Action.GAMES,
        ]


@pytest.mark.nightly
async def test_a_live_clock_shows_both_players_time(tmp_path: Path) -> None:
    """With a live clock, the player to move has a deadline, the other has time left; each turn adds the increment."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, "10m+20s") as scene:
        assert (await time_text(scene)).count("10 minutes") == (await time_text(scene)).count("<t:") == 1
        assert await time_text(scene) in scene.table.text
        assert await time_text(scene, scene.north) in (await scene.wait_for_hand(scene.north)).text
        await scene.advance_until_idle(clock, MINUTE)
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        assert "9 minutes 20 seconds" in await time_text(scene)
        assert await time_text(scene) in scene.table.text
        assert await time_text(scene, scene.south) in (await scene.wait_for_hand(scene.south)).text
        hand = await scene.wait_for_hand(scene.north)
        assert await time_text(scene, scene.north) in hand.text
        await scene.press(scene.north, hand, Action.GIVE_TIME)
        await scene.wait_until_idle()
        assert as_timestamp(clock.now + 15 * MINUTE) in scene.table.text


async def norths_time_left(scene: Scene) -> timedelta:
    """Return North's time left in the first match."""
    hand = await own_hand(scene, scene.north)
    return hand.times_left[hand.view.seat].left


@pytest.mark.parametrize(
    ("limit", "gift"), nightly_after(1, [("4m+5s", "4 minutes"), ("1m", "1 minute"), ("12h", "12 hours")])
)
async def test_a_gift_is_no_longer_than_the_clock(tmp_path: Path, limit: str, gift: str) -> None:
    """A gift of time is at most the clock's initial time, and the answer says how long it is."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, limit) as scene:
        before = await norths_time_left(scene)
        answer = await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.GIVE_TIME)
        assert gift in answer.text
        assert await norths_time_left(scene) == 2 * before


@pytest.mark.thorough
@pytest.mark.parametrize("push", nightly_after(2, [Push.CHANNEL, Push.DM, Push.NONE]))
async def test_used_up_time_notifies_the_waiting_player(tmp_path: Path, push: Push) -> None:
    """If a player's time is used up, the opponent is notified, and can wait, claim the match or call it off."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        await prefer(scene.bot.app, person_of(scene.south), push=push)
        before = len(scene.south.pushes)
        await scene.advance_until_idle(clock, 2 * DAY)
        pushes = scene.south.pushes[before:]
        hand = await scene.wait_for_hand(scene.south)
        assert (await own_hand(scene, scene.south)).may_claim
        assert await time_text(scene) in scene.table.text
        assert await time_text(scene, scene.north) in (await scene.wait_for_hand(scene.north)).text
        assert hand.text.count(await time_text(scene, scene.south)) == 1
        assert hand_text.claim_offer(await scene.match()) in hand.text
        waiting = [Action.REFRESH_HAND, Action.NUDGE, Action.GIVE_TIME, Action.GAMES]
        assert buttons_without_cards(hand) == [*waiting, Action.CLAIM, Action.CALL_OFF]
        match push:
            case Push.DM:
                assert pushes == [hand]
            case Push.CHANNEL:
                assert pushes == pings_of(scene, scene.south)
                assert buttons(pushes[0]) == [Action.SHOW_HAND]
            case _:
                assert pushes == []
        if push is Push.DM:
            await scene.press(scene.south, hand, Action.CALL_OFF)
            await scene.wait_until_idle()
            assert (await scene.match()).status is MatchStatus.CANCELLED
        else:
            claimed = await scene.press(scene.south, hand, Action.CLAIM)
            await scene.wait_until_idle()
            assert await loser_on_time(scene) == scene.north.id
            assert hand_text.match_result(await own_hand(scene, scene.south)) in claimed.text


@pytest.mark.nightly
async def test_used_up_time_is_pinged_if_direct_messages_are_closed(tmp_path: Path) -> None:
    """If Discord refuses the direct message about used-up time, the waiting player is pinged in the channel."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        scene.south.user.open_dms = False
        await scene.advance_until_idle(clock, 2 * DAY)
        (call,) = pings_of(scene, scene.south)
        assert call in scene.south.pushes
        shown = await scene.press(scene.south, call, Action.SHOW_HAND)
        assert Action.CLAIM in buttons(shown.message)


@pytest.mark.nightly
async def test_a_week_without_a_clock_is_pinged(tmp_path: Path) -> None:
    """Without a clock, a player who has waited a week is pinged; the hand has a button to claim the match."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, "none", open_dms=False) as scene:
        await prefer(scene.bot.app, person_of(scene.north), reminders=Reminders.OFF)
        await scene.advance_until_idle(clock, 7 * DAY)
        (call,) = pings_of(scene, scene.south)
        assert call is scene.posts[-1]
        ping_text = call.text
        hand = (await scene.press(scene.south, call, Action.SHOW_HAND)).message
        assert hand_text.claim_offer(await scene.match()) in hand.text
        assert Action.CLAIM in buttons(hand)
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        assert call.deleted or call.text != ping_text


async def test_a_flag_ends_the_match_automatically(tmp_path: Path) -> None:
    """With a flag, the match ends automatically a few seconds after a player's time is used up, and they lose."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, "12h flag") as scene:
        await scene.advance_until_idle(clock, timedelta(hours=12))
        assert (await scene.match()).status is MatchStatus.RUNNING
        await scene.advance_until_idle(clock, timedelta(seconds=6))
        assert await loser_on_time(scene) == scene.north.id
        assert hand_text.match_result(await own_hand(scene, scene.north)) in scene.north.direct_messages()[-1].text
        assert reminders_of(scene.north) == []


@pytest.mark.thorough
async def test_a_reminder_has_a_line_and_a_button_for_each_match(tmp_path: Path) -> None:
    """A reminder lists the matches in which the player must move.

    The reminder is posted again to add a match, edited to remove a match, and deleted when no match is left.
    """
    clock, corner = Clock(), "quiet-corner"
    async with open_timed_scene(tmp_path, clock) as scene:
        north, other = scene.north, scene.sandbox.channel(corner)
        await scene.advance_until_idle(clock, 3 * HOUR)
        await begin_match(scene, other, clock="2d")
        await scene.advance_until_idle(clock, REMINDER_DELAY - 3 * HOUR)
        (first,) = reminders_of(north)
        assert first in north.pushes
        title, line, *_ = first.text.splitlines()
        assert reminders.title(1) in title
        assert as_channel(scene.channel) in line
        assert as_timestamp(clock.now + 12 * HOUR) in line
        assert buttons(first) == [Action.OPEN_MATCH]
        await scene.advance_until_idle(clock, 3 * HOUR)
        (second,) = reminders_of(north)
        assert first.deleted
        assert second in north.pushes
        title, line, other_line, *_ = second.text.splitlines()
        assert reminders.title(2) in title
        assert as_channel(scene.channel) in line
        assert as_timestamp(clock.now + 9 * HOUR) in line
        assert as_channel(other) in other_line
        assert as_timestamp(clock.now + 12 * HOUR) in other_line
        assert buttons(second) == [Action.OPEN_MATCH, Action.OPEN_MATCH]
        pushes = len(north.pushes)
        await scene.ask(north, "pass")
        await scene.wait_until_idle()
        assert reminders_of(north) == [second]
        assert second.text.splitlines()[1] == other_line
        await scene.ask(north, "pass", other)
        await scene.wait_until_idle()
        assert second.deleted
        assert len(north.pushes) == pushes


@pytest.mark.nightly
async def test_reminders_of_the_same_hour_are_one_message(tmp_path: Path) -> None:
    """A reminder also lists matches with reminders due within the next hour, so no second message is sent."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, HOUR / 2)
        await begin_match(scene, scene.sandbox.channel("quiet-corner"), clock="2d")
        await scene.advance_until_idle(clock, REMINDER_DELAY - HOUR / 2)
        (reminder,), pushes = reminders_of(scene.north), len(scene.north.pushes)
        assert buttons(reminder) == [Action.OPEN_MATCH, Action.OPEN_MATCH]
        await scene.advance_until_idle(clock, HOUR)
        assert reminders_of(scene.north) == [reminder]
        assert len(scene.north.pushes) == pushes


async def test_a_hand_is_opened_in_a_new_message(tmp_path: Path) -> None:
    """Opening a hand sends it as a new message, and does not change the message with the button."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        opened = await click(scene.north, scene.table, Action.OPEN_MATCH, 1)
        again = await click(scene.north, opened.message, Action.OPEN_MATCH, 1)
        assert again.message is not opened.message
        assert shows_hand(again.message)


@pytest.mark.thorough
async def test_a_reminder_opens_the_hand_below_it(tmp_path: Path) -> None:
    """A reminder's button opens the hand as a new message; the reminder stays until the player moves."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, REMINDER_DELAY)
        (reminder,) = reminders_of(scene.north)
        opened = await scene.press(scene.north, reminder, Action.OPEN_MATCH)
        assert opened.message is not reminder
        assert reminders_of(scene.north) == [reminder]
        assert buttons(opened.message) == OPENING_BUTTONS
        await scene.press(scene.north, opened.message, Action.PASS)
        await scene.wait_until_idle()
        waiting = [Action.REFRESH_HAND, Action.GIVE_TIME, Action.GAMES]
        assert buttons(opened.message) == waiting
        assert reminder.deleted
        again = await click(scene.north, opened.message, Action.OPEN_MATCH, 1)
        assert buttons(again.message) == waiting


@pytest.mark.thorough
@pytest.mark.parametrize(
    "values", nightly_after(1, [{"push": Push.BOTH}, {"push": Push.CHANNEL}, {"hand_by_dm": False}])
)
async def test_a_reminder_can_be_a_ping(tmp_path: Path, values: dict[str, Any]) -> None:
    """A reminder can be a ping with the deadline. A gift of time updates the ping, and a move deletes it."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        await prefer(scene.bot.app, person_of(scene.north), **values)
        await scene.advance_until_idle(clock, REMINDER_DELAY)
        assert len(reminders_of(scene.north)) == (values.get("push") is Push.BOTH)
        (call,) = pings_of(scene, scene.north)
        assert call is scene.posts[-1]
        assert call in scene.north.pushes
        assert as_timestamp(clock.now + 12 * HOUR) in call.text
        await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.GIVE_TIME)
        await scene.wait_until_idle()
        assert as_timestamp(clock.now + 36 * HOUR) in call.text
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        assert call.deleted


@pytest.mark.nightly
async def test_a_refused_reminder_becomes_a_ping(tmp_path: Path) -> None:
    """If Discord refuses a reminder's direct message, the player is pinged in the channel, and nothing is retried."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        scene.north.user.open_dms = False
        await scene.advance_until_idle(clock, REMINDER_DELAY)
        assert reminders_of(scene.north) == []
        (call,) = pings_of(scene, scene.north)
        assert call in scene.north.pushes
        assert buttons(call) == [Action.SHOW_HAND]
        await scene.advance_until_idle(clock, MINUTE)
        assert pings_of(scene, scene.north) == [call]


@pytest.mark.nightly
@pytest.mark.parametrize("values", [{"reminders": Reminders.OFF}, {"push": Push.NONE}])
async def test_reminders_can_be_switched_off(tmp_path: Path, values: dict[str, Any]) -> None:
    """Players who switched reminders or notifications off get no reminders, by direct message or in the channel."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        await prefer(scene.bot.app, person_of(scene.north), **values)
        before, posts = len(scene.north.pushes), len(scene.posts)
        await scene.advance_until_idle(clock, REMINDER_DELAY)
        await scene.advance_until_idle(clock, 11 * HOUR)
        assert len(scene.north.pushes) == before
        assert len(scene.posts) == posts


@pytest.mark.thorough
async def test_a_reminder_is_updated_with_the_time(tmp_path: Path) -> None:
    """A reminder is edited after a gift of time and when the time is up, without another notification."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, REMINDER_DELAY)
        (reminder,), pushes = reminders_of(scene.north), len(scene.north.pushes)
        await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.GIVE_TIME)
        await scene.wait_until_idle()
        assert as_timestamp(clock.now + 36 * HOUR) in reminder.text
        assert len(scene.north.pushes) == pushes
        await scene.advance_until_idle(clock, 24 * HOUR)
        (second,) = reminders_of(scene.north)
        assert second in scene.north.pushes
        before = second.text
        await scene.advance_until_idle(clock, 12 * HOUR)
        assert as_timestamp(clock.now) in before
        assert as_timestamp(clock.now) not in second.text
        assert reminders_of(scene.north) == [second]


@pytest.mark.thorough
async def test_gifts_of_time_have_limits(tmp_path: Path) -> None:
    """A player cannot give time on their own turn, without a clock, or beyond the maximum."""
    clock, corner = Clock(), "quiet-corner"
    async with open_timed_scene(tmp_path, clock, "14d") as scene:
        hand = await scene.wait_for_hand(scene.south)
        own = await click(scene.north, await scene.wait_for_hand(scene.north), Action.GIVE_TIME, 1)
        assert isinstance(scene.error(own), NoTimeToGive)
        for _ in range(16):
            await scene.bot.app.times.give(person_of(scene.south).id, MATCH)
        assert scene.error(await scene.press(scene.south, hand, Action.GIVE_TIME)) is None
        assert isinstance(scene.error(await scene.press(scene.south, hand, Action.GIVE_TIME)), TooMuchTime)
        other_channel_id = ChannelId(scene.sandbox.channel(corner).id)
        await Players(scene.bot.app, (person_of(scene.north), person_of(scene.south))).begin(
            "classic", other_channel_id
        )
        unlimited = await click(scene.south, hand, Action.GIVE_TIME, 2)
        assert isinstance(scene.error(unlimited), NoTimeToGive)


async def nudge_refusal(scene: Scene, message: Message) -> NudgeRefusal:
    """Have South nudge North from an old message, and return the reason of the refusal."""
    refused = scene.error(await click(scene.south, message, Action.NUDGE, 1))
    assert isinstance(refused, NoNudge)
    return refused.reason


@pytest.mark.thorough
async def test_a_nudge_is_possible_after_a_day_and_once_a_day(tmp_path: Path) -> None:
    """A player can be nudged after a day without a move, and again a day later; earlier nudges are refused."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, "7d") as scene:
        await scene.advance_until_idle(clock, 23 * HOUR)
        hand = (await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.REFRESH_HAND)).message
        assert Action.NUDGE not in buttons(hand)
        assert await nudge_refusal(scene, hand) is NudgeRefusal.TOO_SOON
        await scene.advance_until_idle(clock, HOUR)
        await scene.press(scene.south, hand, Action.REFRESH_HAND)
        nudged = await scene.press(scene.south, hand, Action.NUDGE)
        assert scene.error(nudged) is None
        assert Action.NUDGE not in buttons(hand)
        await scene.advance_until_idle(clock, timedelta())
        (reminder,) = reminders_of(scene.north)
        assert reminder in scene.north.pushes
        assert await nudge_refusal(scene, hand) is NudgeRefusal.TOO_SOON
        own = await click(scene.north, await scene.wait_for_hand(scene.north), Action.NUDGE, 1)
        assert isinstance(scene.error(own), NotYourTurn)
        await scene.advance_until_idle(clock, DAY)
        await prefer(scene.bot.app, person_of(scene.north), nudges=False)
        await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.REFRESH_HAND)
        assert Action.NUDGE in buttons(await scene.wait_for_hand(scene.south))
        assert await nudge_refusal(scene, hand) is NudgeRefusal.UNWANTED
        await prefer(scene.bot.app, person_of(scene.north), nudges=True)
        await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.REFRESH_HAND)
        await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.NUDGE)
        await scene.advance_until_idle(clock, timedelta())
        assert reminder.deleted
        assert len(reminders_of(scene.north)) == 1


@pytest.mark.thorough
async def test_a_nudge_waits_for_the_end_of_quiet_hours(tmp_path: Path) -> None:
    """A nudge during a player's quiet hours is delivered when those hours end."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, "7d") as scene:
        await scene.use(scene.north, "gin me preferences", time_zone="UTC", quiet_from="11:00", quiet_to="14:00")
        await scene.advance_until_idle(clock, DAY)
        hand = (await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.REFRESH_HAND)).message
        await scene.press(scene.south, hand, Action.NUDGE)
        await scene.advance_until_idle(clock, HOUR)
        assert reminders_of(scene.north) == []
        await scene.advance_until_idle(clock, HOUR)
        assert len(reminders_of(scene.north)) == 1


async def pause_match(scene: Scene) -> None:
    """Have North offer a pause, and South agree."""
    asked = (await scene.use(scene.north, "gin resign", scene.channel)).message
    offered = await scene.press(scene.north, asked, Action.PAUSE)
    assert await offer_text(scene, scene.north) in offered.text
    await scene.wait_until_idle()
    agreed = await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.PAUSE)
    assert (await scene.match()).is_paused
    assert hand_text.paused(await scene.match()) in agreed.text
    await scene.wait_until_idle()


async def offer_text(scene: Scene, person: Person | None = None) -> str:
    """Return the text about offers in the match: for one of its players, or for everyone."""
    match = await scene.match()
    text = hand_text.proposals(match, None if person is None else match.seat_of(PersonId(person.id)))
    assert text
    return text


@pytest.mark.thorough
async def test_an_offer_to_pause_is_declined(tmp_path: Path) -> None:
    """An offer to pause notifies the opponent. If they decline it, the table says so and the match is not paused."""
    async with open_timed_scene(tmp_path, Clock()) as scene:
        table = await scene.press(scene.north, scene.table, Action.LEAVE_MATCH)
        before = len(scene.south.pushes)
        await scene.press(scene.north, table.message, Action.PAUSE)
        await scene.wait_until_idle()
        assert await offer_text(scene) in scene.table.text
        hand = await scene.wait_for_hand(scene.south)
        assert scene.south.pushes[before:] == [hand]
        assert await offer_text(scene, scene.south) in hand.text
        asked = (await scene.use(scene.south, "gin resign", scene.channel)).message
        assert Action.PAUSE in buttons(asked)
        await scene.press(scene.south, hand, Action.KEEP_PLAYING)
        await scene.wait_until_idle()
        assert (await scene.match()).open_proposal is None
        assert await offer_text(scene) in scene.table.text
        assert Action.CONTINUE not in buttons(scene.table)
        old = await scene.press(scene.south, asked, Action.PAUSE)
        assert isinstance(scene.error(old), NoOffer)
        assert not (await scene.match()).is_paused


@pytest.mark.nightly
async def test_a_paused_match_refuses_moves_and_frees_its_channel(tmp_path: Path) -> None:
    """The table and hands show the pause and the time left; moves are refused; another match can use the channel."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, HOUR)
        before = scene.table.images[0].alt
        await pause_match(scene)
        table = scene.table
        assert table.images[0].alt != before
        assert "1 day 23 hours" in await time_text(scene)
        assert await time_text(scene) in table.text
        always = [Action.SHOW_HAND, Action.SHOW_SCORE, Action.SHOW_RULES, Action.LEAVE_MATCH]
        assert buttons(table) == [*always, Action.CONTINUE]
        hand = await scene.wait_for_hand(scene.north)
        assert hand_text.paused(await scene.match()) in hand.text
        assert await time_text(scene, scene.north) in hand.text
        assert buttons_without_cards(hand) == [Action.CONTINUE, Action.GAMES]
        await scene.advance_until_idle(clock, 30 * DAY)
        assert isinstance(scene.error(await scene.use(scene.north, "gin pass", scene.channel)), Paused)
        version = (await scene.match()).version
        for action in (Action.NUDGE, Action.GIVE_TIME, Action.PAUSE, Action.PASS):
            answer = await click(scene.south, await scene.wait_for_hand(scene.south), action, 1, version=version)
            assert isinstance(scene.error(answer), Paused), action
        assert hand_text.turn_line(await own_hand(scene, scene.north)) in await scene.ask(scene.north, "games")
        leaving = await scene.press(scene.north, table, Action.LEAVE_MATCH)
        assert buttons(leaving.message) == [Action.CALL_OFF, Action.RESIGN, Action.STAY]
        await scene.press(scene.north, leaving.message, Action.STAY)
        assert (await scene.match()).is_paused
        await begin_match(scene, scene.channel)
        assert len(hands(scene.north)) == 2


@pytest.mark.thorough
async def test_a_paused_match_continues_in_its_channel(tmp_path: Path) -> None:
    """Once both players agree to continue, the match resumes at its table, and the player to act is notified."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        north, south = scene.north, scene.south
        await pause_match(scene)
        old = scene.table
        asked = await scene.press(south, old, Action.CONTINUE)
        assert await offer_text(scene, south) in asked.text
        assert buttons(asked.message) == [Action.KEEP_PLAYING]
        await scene.wait_until_idle()
        hand = await scene.wait_for_hand(north)
        assert await offer_text(scene, north) in hand.text
        assert hand_text.or_play_on(await scene.match()) in hand.text
        await scene.press(north, hand, Action.KEEP_PLAYING)
        await scene.wait_until_idle()
        assert await offer_text(scene) in scene.table.text
        await scene.press(south, asked.message, Action.KEEP_PLAYING)
        assert (await scene.match()).is_paused
        await scene.press(south, scene.table, Action.CONTINUE)
        await scene.wait_until_idle()
        await scene.press(north, await scene.wait_for_hand(north), Action.CONTINUE)
        await scene.wait_until_idle()
        assert all(channel.thread is None for channel in north.channels())
        hand = await scene.wait_for_hand(north)
        assert hand in north.pushes
        assert as_channel(scene.channel) in hand.text
        assert buttons(hand) == OPENING_BUTTONS
        (table,) = scene.tables
        assert as_timestamp(clock.now + 2 * DAY) in await time_text(scene)
        assert await time_text(scene) in table.text
        assert Action.CONTINUE not in buttons(table)
        assert scene.error(await scene.use(north, "gin pass", scene.channel)) is None
        again = await click(south, table, Action.CONTINUE, 1)
        assert isinstance(scene.error(again), NotPaused)


@pytest.mark.nightly
async def test_a_paused_match_continues_in_a_thread_of_a_busy_channel(tmp_path: Path) -> None:
    """If its channel is busy, a match that continues has a new table in a thread, and the old table says so."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        north, south = scene.north, scene.south
        await pause_match(scene)
        old = scene.table
        await begin_match(scene, scene.channel)
        await scene.press(south, old, Action.CONTINUE)
        await scene.wait_until_idle()
        await scene.press(north, old, Action.CONTINUE)
        await scene.wait_until_idle()
        thread = next(channel for channel in north.channels() if channel.name == "North vs South")
        hand = await scene.wait_for_hand(north)
        assert hand in north.pushes
        assert as_channel(thread) in hand.text
        assert buttons(hand) == OPENING_BUTTONS
        (table,) = scene.posts_in(thread)
        assert as_timestamp(clock.now + 2 * DAY) in await time_text(scene)
        assert await time_text(scene) in table.text
        assert old.text == IN_THREAD
        assert buttons(old) == []
        assert scene.error(await scene.use(north, "gin pass", thread)) is None
        again = await click(south, table, Action.CONTINUE, 1)
        assert isinstance(scene.error(again), NotPaused)


@pytest.mark.nightly
async def test_continuing_simultaneously_opens_one_thread(tmp_path: Path) -> None:
    """Several simultaneous presses of *Continue* open only one thread. The others may be refused with `NotPaused`."""
    async with open_timed_scene(tmp_path, Clock()) as scene:
        await pause_match(scene)
        table = scene.table
        await begin_match(scene, scene.channel)
        pressed = [
            await player.press(table, "Continue") for player in (scene.north, scene.south, scene.north, scene.south)
        ]
        answers = [await press.done() for press in pressed]
        await scene.wait_until_idle()
        (thread,) = [channel for channel in scene.north.channels() if channel.thread is not None]
        assert any(as_channel(thread) in answer.text for answer in answers)
        assert {type(scene.error(answer)) for answer in answers} <= {type(None), NotPaused}
        (only,) = scene.posts_in(thread)
        assert Action.CONTINUE not in buttons(only)
        assert not (await scene.match()).is_paused


def without_threads() -> World:
    """Return a world in which the bot may not open threads in the channel."""
    world = stopped_world()
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    unable = member_overwrite(world.bot, deny=Permission.CREATE_PUBLIC_THREADS)
    games.overwrites.append(unable)
    return world


@pytest.mark.nightly
async def test_without_threads_a_paused_match_waits_for_its_channel(tmp_path: Path) -> None:
    """If the bot may not open threads, a paused match cannot continue until its channel is free."""
    async with open_timed_scene(tmp_path, Clock(), world=without_threads()) as scene:
        await pause_match(scene)
        paused = scene.table
        await begin_match(scene, scene.channel)
        await scene.press(scene.south, paused, Action.CONTINUE)
        await scene.wait_until_idle()
        refused = await scene.press(scene.north, paused, Action.CONTINUE)
        in_the_way = ChannelBusy(await scene.match(2), NoThreadReason.BOT_MAY_NOT)
        assert refused.text == no_room_to_continue(in_the_way)
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, leaving, Action.RESIGN)
        await scene.wait_until_idle()
        agreed = await scene.press(scene.north, paused, Action.CONTINUE)
        assert as_channel(scene.channel) in agreed.text
        await scene.wait_until_idle()
        assert not (await scene.match()).is_paused
        assert (await scene.match()).channel_id == scene.channel.id
        assert await time_text(scene) in scene.table.text


@pytest.mark.thorough
async def test_a_paused_match_moves_from_a_deleted_channel(tmp_path: Path) -> None:
    """A paused match whose channel was deleted can be moved to another channel, and continues there."""
    async with open_timed_scene(tmp_path, Clock()) as scene:
        await pause_match(scene)
        scene.sandbox.moderation.delete_channel(scene.channel)
        await scene.wait_until_idle()
        other = scene.sandbox.channel("quiet-corner")
        hand = (await scene.use(scene.north, "gin hand", other)).message
        assert CHANNEL_DELETED in hand.text
        assert (await scene.press(scene.north, hand, Action.CONTINUE)).text == CHANNEL_DELETED
        await scene.ask(scene.north, "table", other)
        await scene.wait_until_idle()
        (table,) = scene.posts_in(other)
        await scene.press(scene.south, table, Action.CONTINUE)
        answer = await scene.press(scene.north, table, Action.CONTINUE)
        assert as_channel(other) in answer.text
        assert place(await scene.match()) == as_channel(other)
        assert not (await scene.match()).is_paused


@pytest.mark.thorough
async def test_a_holiday_stops_the_clock(tmp_path: Path) -> None:
    """A holiday stops the player's clock and reminders. *I'm back* ends it; a second press is refused."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        away = await scene.use(scene.north, "gin me away", scene.channel, days=14)
        until = date_of(clock.now + 14 * DAY)
        assert until in away.text
        await scene.wait_until_idle()
        assert until in await time_text(scene)
        assert await time_text(scene) in scene.table.text
        assert holidays.away(clock.now + 14 * DAY)[:-1] in (await scene.wait_for_hand(scene.north)).text
        await scene.advance_until_idle(clock, 3 * DAY)
        assert reminders_of(scene.north) == []
        hand = (await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.REFRESH_HAND)).message
        assert buttons_without_cards(hand) == [Action.REFRESH_HAND, Action.GIVE_TIME, Action.GAMES]
        assert await nudge_refusal(scene, hand) is NudgeRefusal.AWAY
        panel = await scene.use(scene.north, "gin me preferences")
        assert until in panel.text
        back = await scene.press(scene.north, panel.message, Action.COME_BACK)
        assert back.message is panel.message
        assert WELCOME_BACK in back.text
        assert until not in back.text
        assert isinstance(scene.error(await scene.press(scene.north, away.message, Action.COME_BACK)), NotAway)
        await scene.wait_until_idle()
        assert as_timestamp(clock.now + 2 * DAY) in await time_text(scene)
        assert await time_text(scene) in scene.table.text
        again = await click(scene.north, back.message, Action.COME_BACK, "me")
        assert isinstance(scene.error(again), NotAway)


@pytest.mark.nightly
async def test_a_reminder_is_updated_during_a_holiday(tmp_path: Path) -> None:
    """When a holiday begins or ends, a reminder shows the new deadline, without a new notification."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, REMINDER_DELAY)
        (reminder,), pushes = reminders_of(scene.north), len(scene.north.pushes)
        away = await scene.use(scene.north, "gin me away", scene.channel, days=1)
        await scene.wait_until_idle()
        assert as_timestamp(clock.now + 36 * HOUR) in reminder.text
        await scene.advance_until_idle(clock, HOUR)
        await scene.press(scene.north, away.message, Action.COME_BACK)
        await scene.wait_until_idle()
        assert as_timestamp(clock.now + 12 * HOUR) in reminder.text
        assert len(scene.north.pushes) == pushes


@pytest.mark.thorough
async def test_the_table_shows_the_waiting_players_holiday(tmp_path: Path) -> None:
    """The table shows a player's holiday even during the opponent's turn, until the player's next move."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        await scene.use(scene.south, "gin me away", scene.channel, days=2)
        await scene.wait_until_idle()
        until = date_of(clock.now + 2 * DAY)
        assert until in await time_text(scene)
        assert await time_text(scene) in scene.table.text
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        assert until in await time_text(scene)
        assert await time_text(scene) in scene.table.text
        await scene.advance_until_idle(clock, HOUR)
        await scene.ask(scene.south, "pass")
        await scene.wait_until_idle()
        assert until not in scene.table.text


async def take_holidays(scene: Scene, clock: Clock, *days: int) -> None:
    """Have North take holidays of these lengths, 15 days apart."""
    for day in days:
        await scene.ask(scene.north, "me away", days=day)
        await scene.advance_until_idle(clock, 15 * DAY)


async def refused_holiday(scene: Scene, days: int) -> tuple[int, int]:
    """Have North ask for a holiday that is too long. Return the maximum length and the days left in the year."""
    refused = scene.error(await scene.use(scene.north, "gin me away", scene.channel, days=days))
    assert isinstance(refused, TooLongAway)
    return refused.max_days, refused.days_left


async def test_holidays_are_limited_per_year(tmp_path: Path) -> None:
    """Holidays are limited to thirty days a year; a refusal states the number of days left."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        await take_holidays(scene, clock, 14, 14)
        assert await refused_holiday(scene, 5) == (2, 2)
        await scene.ask(scene.north, "me away", days=2)
        await scene.advance_until_idle(clock, 3 * DAY)
        assert await refused_holiday(scene, 1) == (0, 0)


async def days_left_text(scene: Scene) -> str:
    """Return the text about North's remaining holidays."""
    return holidays.days_left(await scene.bot.app.holidays.current(PersonId(scene.north.id)))


async def test_a_holiday_says_how_many_days_are_left_and_what_it_replaces(tmp_path: Path) -> None:
    """`/gin me away` shows the days left and the replaced holiday; `/gin games` shows the new one and can end it."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        service = scene.bot.app.holidays
        first = await scene.use(scene.north, "gin me away", scene.channel, days=14)
        assert "16 days" in await days_left_text(scene)
        assert first.text == holidays.taken(await service.current(PersonId(scene.north.id)))
        second = await scene.use(scene.north, "gin me away", scene.channel, days=3)
        assert "27 days" in await days_left_text(scene)
        assert await days_left_text(scene) in second.text
        assert len(second.text) > len(first.text)
        games = await scene.use(scene.north, "gin games", scene.channel)
        assert holidays.away(clock.now + 3 * DAY) in games.text
        back = await scene.press(scene.north, games.message, Action.COME_BACK)
        assert WELCOME_BACK in back.text
        listed = await scene.press(scene.north, back.message, Action.GAMES)
        assert Action.COME_BACK not in buttons(listed.message)
        third = await scene.ask(scene.north, "me away", days=1)
        assert third == holidays.taken(await service.current(PersonId(scene.north.id)))


@pytest.mark.thorough
async def test_a_holiday_is_taken_and_ended_in_the_preferences(tmp_path: Path) -> None:
    """In the preferences, a holiday can be taken, replaced and ended; the panel shows the days left."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock) as scene:
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, "holiday")
        assert "30 days" in await days_left_text(scene)
        assert await days_left_text(scene) in panel.text
        assert buttons(panel) == [Action.OPEN_PREFERENCE]
        assert [option.value for option in panel.selects[0].options] == ["1", "2", "3", "5", "7", "10", "14"]
        await scene.choose(scene.north, panel, Action.TAKE_HOLIDAY, "14")
        assert holidays.away(clock.now + 14 * DAY) in panel.text
        assert "16 days" in await days_left_text(scene)
        assert await days_left_text(scene) in panel.text
        await scene.wait_until_idle()
        assert date_of(clock.now + 14 * DAY) in scene.table.text
        await scene.choose(scene.north, panel, Action.TAKE_HOLIDAY, "2")
        assert holidays.away(clock.now + 2 * DAY) in panel.text
        assert "28 days" in await days_left_text(scene)
        assert await days_left_text(scene) in panel.text
        await scene.advance_until_idle(clock, HOUR)
        back = await scene.press(scene.north, panel, Action.COME_BACK)
        assert back.message is panel
        assert WELCOME_BACK in panel.text
        assert "29 days" in await days_left_text(scene)
        assert await days_left_text(scene) in panel.text
        assert buttons(panel) == [Action.OPEN_PREFERENCE]


@pytest.mark.thorough
async def test_the_holiday_menu_ends_at_the_days_left(tmp_path: Path) -> None:
    """The menu offers no more days than are left, and is gone if none are left. Forged larger numbers are refused."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        await take_holidays(scene, clock, 14, 12)
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, "holiday")
        assert [option.value for option in panel.selects[0].options] == ["1", "2", "3", "4"]
        refused = scene.error(await click(scene.north, panel, Action.TAKE_HOLIDAY, "me", values=["5"]))
        assert isinstance(refused, TooLongAway)
        assert (refused.max_days, refused.days_left) == (4, 4)
        await scene.choose(scene.north, panel, Action.TAKE_HOLIDAY, "4")
        assert await days_left_text(scene) in panel.text
        await scene.advance_until_idle(clock, 5 * DAY)
        await scene.press(scene.north, panel, Action.OPEN_PREFERENCE)
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, "holiday")
        assert (await scene.bot.app.holidays.current(PersonId(scene.north.id))).days_left == 0
        assert await days_left_text(scene) in panel.text
        assert panel.selects == []


@pytest.mark.thorough
@pytest.mark.parametrize("by_dm", nightly_after(1, [True, False]))
async def test_a_hand_has_a_button_to_end_a_holiday(tmp_path: Path, by_dm: bool) -> None:
    """*I'm back* in a hand ends the holiday; the same message then greets the player until its next update."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, open_dms=by_dm) as scene:
        shown = await scene.wait_for_hand(scene.north) if by_dm else None
        shown = shown or (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert Action.COME_BACK not in buttons(shown)
        await scene.ask(scene.north, "me away", days=2)
        await scene.wait_until_idle()
        until = date_of(clock.now + 2 * DAY)
        if not by_dm:
            shown = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert until in shown.text
        assert until in scene.table.text
        back = await scene.press(scene.north, shown, Action.COME_BACK)
        await scene.wait_until_idle()
        assert back.message is shown
        assert WELCOME_BACK in shown.text
        assert until not in shown.text
        assert Action.COME_BACK not in buttons(shown)
        assert until not in scene.table.text
        none = await click(scene.north, shown, Action.COME_BACK, 1)
        assert isinstance(scene.error(none), NotAway)
        await scene.press(scene.north, shown, Action.PASS)
        assert WELCOME_BACK not in shown.text


@pytest.mark.thorough
@pytest.mark.parametrize("by_dm", nightly_after(1, [True, False]))
async def test_a_move_that_ends_a_holiday_says_so_once(tmp_path: Path, by_dm: bool) -> None:
    """A move during a holiday ends the holiday. The hand says so once, whether in the channel or in direct messages."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, open_dms=by_dm) as scene:
        await scene.ask(scene.north, "me away", days=2)
        await scene.wait_until_idle()
        until = date_of(clock.now + 2 * DAY)
        assert until in scene.table.text
        asked = None if by_dm else await scene.use(scene.north, "gin hand", scene.channel)
        shown = await scene.wait_for_hand(scene.north) if asked is None else asked.message
        await scene.press(scene.north, shown, Action.TAKE)
        await scene.wait_until_idle()
        assert WELCOME_BACK in shown.text
        assert until not in scene.table.text
        await scene.press(scene.north, shown, Action.DISCARD, "Qh")
        assert WELCOME_BACK not in shown.text


@pytest.mark.thorough
async def test_a_command_that_ends_a_holiday_says_so(tmp_path: Path) -> None:
    """A move by command ends a holiday, and the answer says so. A refused command does not end it."""
    async with open_timed_scene(tmp_path, Clock()) as scene:
        await scene.ask(scene.north, "me away", days=2)
        assert WELCOME_BACK not in await scene.ask(scene.north, "discard", card="Qh")
        assert WELCOME_BACK in await scene.ask(scene.north, "pass")
        ended = await click(scene.north, scene.table, Action.COME_BACK, "me")
        assert isinstance(scene.error(ended), NotAway)


@pytest.mark.nightly
async def test_next_match_replaces_a_private_hand(tmp_path: Path) -> None:
    """*Next match* replaces a private hand with the next match's hand, or says that no other match is waiting."""
    clock, corner = Clock(), "quiet-corner"
    async with open_timed_scene(tmp_path, clock, open_dms=False) as scene:
        other = scene.sandbox.channel(corner)
        await begin_match(scene, other)
        shown = (await scene.use(scene.north, "gin hand", scene.channel)).message
        moved = await scene.press(scene.north, shown, Action.PASS)
        assert moved.message is shown
        assert Action.NEXT_MATCH in buttons(shown)
        await scene.press(scene.north, shown, Action.NUDGE if Action.NUDGE in buttons(shown) else Action.GIVE_TIME)
        went = await scene.press(scene.north, shown, Action.NEXT_MATCH)
        assert went.message is shown
        assert shown.text.count(as_channel(other)) == 2
        again = await scene.use(scene.north, "gin hand", scene.channel)
        assert as_channel(scene.channel) in again.text
        assert not shown.deleted
        await scene.press(scene.north, shown, Action.PASS)
        assert Action.NEXT_MATCH not in buttons(shown)
        none = await click(scene.north, shown, Action.NEXT_MATCH, 2)
        assert none.text == hand_text.NO_OTHER_MATCH


@pytest.mark.nightly
async def test_next_match_is_a_new_direct_message(tmp_path: Path) -> None:
    """In direct messages each match keeps its own message, so *Next match* sends a new message."""
    clock, corner = Clock(), "quiet-corner"
    async with open_timed_scene(tmp_path, clock) as scene:
        other = scene.sandbox.channel(corner)
        await begin_match(scene, other)
        first, second = hands(scene.north)
        assert as_channel(scene.channel) in first.text
        await scene.press(scene.north, first, Action.PASS)
        assert Action.NEXT_MATCH in buttons(first)
        went = await scene.press(scene.north, first, Action.NEXT_MATCH)
        assert went.message not in (first, second)
        assert as_channel(other) in went.message.text
        assert as_channel(scene.channel) in first.text


@pytest.mark.nightly
async def test_an_evening_with_five_matches_needs_only_buttons(tmp_path: Path) -> None:
    """A player can take their turns in five matches in one private message, in the order of their deadlines."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, open_dms=False) as scene:
        for days in ("14d", "none", "3d", "12h"):
            await begin_match(scene, scene.channel, clock=days)
        threads = [channel for channel in scene.north.channels() if channel.thread is not None]
        assert len(threads) == 4
        call = pings_of(scene, scene.north)[0]
        hand = (await scene.press(scene.north, call, Action.SHOW_HAND)).message
        places = list[str]()
        for left in (4, 3, 2, 1, 0):
            places.append(hand.text.splitlines()[0].rpartition("· ")[2])
            await scene.press(scene.north, hand, Action.PASS)
            assert (Action.NEXT_MATCH in buttons(hand)) == bool(left)
            if left:
                assert (await scene.press(scene.north, hand, Action.NEXT_MATCH)).message is hand
        by_time = [scene.channel, threads[3], threads[2], threads[0], threads[1]]
        assert places == [as_channel(place) for place in by_time]
        await scene.wait_until_idle()
        for person, number in ((scene.north, 0), (scene.south, 5)):
            of_person = await scene.bot.app.lookup.hands(PersonId(person.id))
            assert sum(hand.view.is_to_act for hand in of_person) == number
            listed = await scene.ask(person, "games")
            assert all(hand_text.turn_line(hand) in listed for hand in of_person)


@pytest.mark.nightly
async def test_the_list_of_matches_is_sorted_by_urgency(tmp_path: Path) -> None:
    """In the list, matches in which it is the player's turn come first, by time left. A menu opens a match."""
    clock, corner = Clock(), "quiet-corner"
    world = stopped_world()
    people = {user.display_name: user for user in world.users.values()}
    family = world.add_guild("Family", [people[name] for name in ("North", "South", "East")])
    kitchen = world.add_channel(family, "kitchen")
    async with open_timed_scene(tmp_path, clock, "7d", world=world) as scene:
        other = scene.sandbox.channel(corner)
        await begin_match(scene, other, clock="2d")
        await begin_match(scene, kitchen, clock="1d")
        here = (await scene.use(scene.north, "gin games", scene.channel)).message
        soon, late = as_timestamp(clock.now + 2 * DAY), as_timestamp(clock.now + 7 * DAY)
        lines = here.text.splitlines()
        assert as_channel(other) in lines[1]
        assert soon in lines[1]
        assert as_channel(scene.channel) in lines[2]
        assert late in lines[2]
        assert str(kitchen.id) not in here.text
        everywhere = (await scene.use(scene.north, "gin games")).message
        assert str(kitchen.id) in everywhere.text.splitlines()[1]
        await scene.choose(scene.north, everywhere, Action.SHOW_HAND, everywhere.selects[0].options[0].value)
        assert as_channel(kitchen) in everywhere.text
        await scene.ask(scene.north, "pass", other)
        lines = (await scene.use(scene.north, "gin games", scene.channel)).text.splitlines()
        assert as_channel(scene.channel) in lines[1]
        assert hand_text.turn_line(await own_hand(scene, scene.north, MatchId(2))) in lines[2]
        assert soon in lines[2]
        await scene.advance_until_idle(clock, 2 * DAY)
        listed = await scene.ask(scene.north, "games")
        assert soon not in listed
        assert hand_text.turn_line(await own_hand(scene, scene.north, MatchId(2))) in listed


@pytest.mark.nightly
async def test_the_clock_stops_for_excluded_players(tmp_path: Path) -> None:
    """If a reminder is due for a player who cannot see the channel, their clock stops until they use the bot again."""
    clock = Clock()
    async with open_timed_scene(tmp_path, clock, open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        unseen = member_overwrite(scene.south.user, deny=Permission.VIEW_CHANNEL)
        scene.sandbox.moderation.set_overwrites(scene.channel, unseen)
        await scene.wait_until_idle()
        posts, pushes = len(scene.posts), len(scene.south.pushes)
        await scene.advance_until_idle(clock, REMINDER_DELAY)
        still = await time_text(scene)
        assert "12 hours" in still
        assert date_of(clock.now + 12 * HOUR) in still
        assert still in scene.table.text
        await scene.advance_until_idle(clock, 11 * HOUR)
        assert still in scene.table.text
        assert len(scene.south.pushes) == pushes
        assert len(scene.posts) == posts
        waiting = await scene.use(scene.north, "gin hand", scene.channel)
        assert buttons_without_cards(waiting.message) == [Action.REFRESH_HAND, Action.GIVE_TIME, Action.GAMES]
        refused = scene.error(await click(scene.north, waiting.message, Action.CLAIM, 1))
        assert isinstance(refused, TooSoon)
        assert refused.time is not None
        assert refused.time.call_off_at is not None
        await scene.use(scene.south, "gin games")
        await scene.wait_until_idle()
        assert as_timestamp(clock.now + 12 * HOUR) in await time_text(scene)
        assert await time_text(scene) in scene.table.text
