"""Clocks in matches: time left, reminders, nudges, gifts of time, pauses, holidays, and the next match."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from bot.play.refusals import (
    ChannelBusy,
    NoNudge,
    NoOffer,
    NotAway,
    NoThread,
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
from bot.values.ids import ChannelId, MatchId, PersonId
from bot.values.matches import MatchStatus, OwnHand
from bot.values.people import Push, Reminders
from cogs.kit.actions import Action
from cogs.text import clocks, holidays, refusals, reminders
from cogs.text import hand as hand_text
from cogs.text.clocks import date_of
from cogs.text.holidays import WELCOME_BACK
from cogs.text.people import place
from cogs.text.table import IN_THREAD
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, hands, person_of, shows_hand, ways
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.forgery import click
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.table import Players, prefer
from tests.helpers.worlds import stopped_world

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DUE: Final = timedelta(days=1, hours=12)
"""The time after which a player with two days gets a reminder."""
MATCH: Final = MatchId(1)
MOVES: Final = [Action.TAKE, Action.PASS]
"""The buttons in the hand of the player who moves first."""


@asynccontextmanager
async def timed(
    directory: Path, clock: Clock, limit: str = "2d", *, open_dms: bool = True, world: World | None = None
) -> AsyncGenerator[Scene]:
    """Begin a match with a clock; North acts first. Without `open_dms`, neither player accepts direct messages."""
    async with clubhouse(directory, *[KNOCK_AT_ONCE] * 12, clock=clock, world=world) as scene:
        scene.north.user.open_dms = scene.south.user.open_dms = open_dms
        await begin(scene, scene.channel, clock=limit)
        yield scene


async def begin(scene: Scene, channel: Channel, **options: object) -> None:
    """Have North challenge South in a channel, and South accept."""
    invitation = await scene.invite(scene.north, scene.south, channel, **options)
    await scene.press(scene.south, invitation, Action.ACCEPT)
    await scene.quiet()


async def look(scene: Scene, person: Person, match_id: MatchId = MATCH) -> OwnHand:
    """Return a person's hand as the services know it."""
    return await scene.alive.app.lookup.hand(PersonId(person.id), match_id)


async def loser_on_time(scene: Scene) -> int | None:
    """Return the loser on time, if any. Check that the match is finished and its result, with *Rematch*, is posted."""
    hand = await look(scene, scene.north)
    assert hand.match.status is MatchStatus.FINISHED
    assert has_button(scene.posts[-1], Action.REMATCH)
    forfeit = hand.view.public.forfeit
    return hand.match.players[forfeit.seat].id if forfeit is not None and forfeit.on_time else None


async def times_told(scene: Scene, person: Person | None = None) -> str:
    """Return the text about the time left: a person's, in their hand, or the one at the table."""
    if person is None:
        table = await scene.alive.app.lookup.table(MATCH)
        told = clocks.times(table.match, table.times)
    else:
        hand = await look(scene, person)
        told = clocks.times(hand.match, hand.times, hand.view.seat)
    assert told
    return told


def reminders_of(person: Person) -> list[Message]:
    """Return the reminders in a person's direct messages."""
    return [message for message in person.direct_messages() if has_button(message, Action.OPEN_MATCH)]


def calls(scene: Scene, person: Person) -> list[Message]:
    """Return the pings for a person in the channel."""
    return [one for one in scene.posts if person.id in one.mentions and has_button(one, Action.SHOW_HAND)]


def at(moment: datetime) -> str:
    """Return a time as it is written in messages."""
    return f"<t:{int(moment.timestamp())}:R>"


def as_channel(channel: Channel) -> str:
    """Return a channel as it is written in messages."""
    return f"<#{channel.id}>"


async def test_the_time_left_is_told(tmp_path: Path) -> None:
    """Table and hands show when the turn ends."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        assert at(clock.now + 2 * DAY) in await times_told(scene)
        assert await times_told(scene) in scene.table.text
        for person in (scene.north, scene.south):
            assert await times_told(scene, person) in (await scene.hand(person)).text
        assert ways(await scene.hand(scene.south)) == [Action.REFRESH_HAND, Action.GIVE_TIME, Action.GAMES]


@pytest.mark.nightly
async def test_both_banks_of_a_live_clock_are_told(tmp_path: Path) -> None:
    """The running bank shows when it ends, the other one its remaining time. Each turn adds the increment."""
    clock = Clock()
    async with timed(tmp_path, clock, "10m+20s") as scene:
        assert (await times_told(scene)).count("10 minutes") == (await times_told(scene)).count("<t:") == 1
        assert await times_told(scene) in scene.table.text
        assert await times_told(scene, scene.north) in (await scene.hand(scene.north)).text
        await scene.later(clock, MINUTE)
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        assert "9 minutes 20 seconds" in await times_told(scene)
        assert await times_told(scene) in scene.table.text
        assert await times_told(scene, scene.south) in (await scene.hand(scene.south)).text
        hand = await scene.hand(scene.north)
        assert await times_told(scene, scene.north) in hand.text
        await scene.press(scene.north, hand, Action.GIVE_TIME)
        await scene.quiet()
        assert at(clock.now + 15 * MINUTE) in scene.table.text


async def left_of_north(scene: Scene) -> timedelta:
    """Return North's time left in the first match."""
    hand = await look(scene, scene.north)
    return hand.times[hand.view.seat].left


@pytest.mark.parametrize(
    ("limit", "gift"), nightly_after(1, [("4m+5s", "4 minutes"), ("1m", "1 minute"), ("12h", "12 hours")])
)
async def test_a_gift_is_no_longer_than_the_clock(tmp_path: Path, limit: str, gift: str) -> None:
    """A gift is at most the initial time; the answer names its length."""
    clock = Clock()
    async with timed(tmp_path, clock, limit) as scene:
        before = await left_of_north(scene)
        given = await scene.press(scene.south, await scene.hand(scene.south), Action.GIVE_TIME)
        assert gift in given.text
        assert await left_of_north(scene) == 2 * before


@pytest.mark.thorough
@pytest.mark.parametrize("push", nightly_after(2, [Push.CHANNEL, Push.DM, Push.NONE]))
async def test_who_waits_is_told_that_the_time_is_up_and_may_claim(tmp_path: Path, push: Push) -> None:
    """The waiting player is notified like for a turn, and can wait, call the match off immediately, or claim it."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await prefer(scene.alive.app, person_of(scene.south), push=push)
        before = len(scene.south.pushes)
        await scene.later(clock, 2 * DAY)
        pushes = scene.south.pushes[before:]
        hand = await scene.hand(scene.south)
        assert (await look(scene, scene.south)).may_claim
        assert await times_told(scene) in scene.table.text
        assert await times_told(scene, scene.north) in (await scene.hand(scene.north)).text
        assert hand.text.count(await times_told(scene, scene.south)) == 1
        assert hand_text.used_up(await scene.match()) in hand.text
        waiting = [Action.REFRESH_HAND, Action.NUDGE, Action.GIVE_TIME, Action.GAMES]
        assert ways(hand) == [*waiting, Action.CLAIM, Action.CALL_OFF]
        match push:
            case Push.DM:
                assert pushes == [hand]
            case Push.CHANNEL:
                assert pushes == calls(scene, scene.south)
                assert buttons(pushes[0]) == [Action.SHOW_HAND]
            case _:
                assert pushes == []
        if push is Push.DM:
            await scene.press(scene.south, hand, Action.CALL_OFF)
            await scene.quiet()
            assert (await scene.match()).status is MatchStatus.CANCELLED
        else:
            claimed = await scene.press(scene.south, hand, Action.CLAIM)
            await scene.quiet()
            assert await loser_on_time(scene) == scene.north.id
            assert hand_text.over(await look(scene, scene.south)) in claimed.text


@pytest.mark.nightly
async def test_who_waits_is_told_in_the_channel_if_direct_messages_are_closed(tmp_path: Path) -> None:
    """If Discord refuses the direct message, the waiting player is pinged in the channel."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        scene.south.user.open_dms = False
        await scene.later(clock, 2 * DAY)
        (call,) = calls(scene, scene.south)
        assert call in scene.south.pushes
        shown = await scene.press(scene.south, call, Action.SHOW_HAND)
        assert Action.CLAIM in buttons(shown.message)


@pytest.mark.nightly
async def test_a_week_without_a_clock_is_told_as_well(tmp_path: Path) -> None:
    """Without a clock, the waiting player is pinged after a week; the hand gives the reason and can claim."""
    clock = Clock()
    async with timed(tmp_path, clock, "none", open_dms=False) as scene:
        await prefer(scene.alive.app, person_of(scene.north), reminders=Reminders.OFF)
        await scene.later(clock, 7 * DAY)
        (call,) = calls(scene, scene.south)
        assert call is scene.posts[-1]
        told = call.text
        hand = (await scene.press(scene.south, call, Action.SHOW_HAND)).message
        assert hand_text.used_up(await scene.match()) in hand.text
        assert Action.CLAIM in buttons(hand)
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        assert call.deleted or call.text != told


async def test_a_flag_ends_the_match_by_itself(tmp_path: Path) -> None:
    """After the time and a short grace period, the match ends automatically and the result names the loser on time."""
    clock = Clock()
    async with timed(tmp_path, clock, "12h flag") as scene:
        await scene.later(clock, timedelta(hours=12))
        assert (await scene.match()).status is MatchStatus.RUNNING
        await scene.later(clock, timedelta(seconds=6))
        assert await loser_on_time(scene) == scene.north.id
        assert hand_text.over(await look(scene, scene.north)) in scene.north.direct_messages()[-1].text
        assert reminders_of(scene.north) == []


@pytest.mark.thorough
async def test_a_reminder_has_a_line_and_a_button_for_each_match(tmp_path: Path) -> None:
    """It is reposted for another match, edited after a move, and deleted after the last one."""
    clock, corner = Clock(), "quiet-corner"
    async with timed(tmp_path, clock) as scene:
        north, other = scene.north, scene.sandbox.channel(corner)
        await scene.later(clock, 3 * HOUR)
        await begin(scene, other, clock="2d")
        await scene.later(clock, DUE - 3 * HOUR)
        (first,) = reminders_of(north)
        assert first in north.pushes
        title, line, *_ = first.text.splitlines()
        assert reminders.title(1) in title
        assert as_channel(scene.channel) in line
        assert at(clock.now + 12 * HOUR) in line
        assert buttons(first) == [Action.OPEN_MATCH]
        await scene.later(clock, 3 * HOUR)
        (second,) = reminders_of(north)
        assert first.deleted
        assert second in north.pushes
        title, line, other_line, *_ = second.text.splitlines()
        assert reminders.title(2) in title
        assert as_channel(scene.channel) in line
        assert at(clock.now + 9 * HOUR) in line
        assert as_channel(other) in other_line
        assert at(clock.now + 12 * HOUR) in other_line
        assert buttons(second) == [Action.OPEN_MATCH, Action.OPEN_MATCH]
        pushes = len(north.pushes)
        await scene.ask(north, "pass")
        await scene.quiet()
        assert reminders_of(north) == [second]
        assert second.text.splitlines()[1] == other_line
        await scene.ask(north, "pass", other)
        await scene.quiet()
        assert second.deleted
        assert len(north.pushes) == pushes


@pytest.mark.nightly
async def test_reminders_of_the_same_hour_are_one_message(tmp_path: Path) -> None:
    """A turn that is due within the hour is included in the first reminder and causes no second one."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, HOUR / 2)
        await begin(scene, scene.sandbox.channel("quiet-corner"), clock="2d")
        await scene.later(clock, DUE - HOUR / 2)
        (reminder,), pushes = reminders_of(scene.north), len(scene.north.pushes)
        assert buttons(reminder) == [Action.OPEN_MATCH, Action.OPEN_MATCH]
        await scene.later(clock, HOUR)
        assert reminders_of(scene.north) == [reminder]
        assert len(scene.north.pushes) == pushes


async def test_a_hand_is_opened_in_a_message_of_its_own(tmp_path: Path) -> None:
    """Opening a match sends a new message and does not change the message with the button."""
    async with at_table(tmp_path, open_dms=False) as scene:
        opened = await click(scene.north, scene.table, Action.OPEN_MATCH, 1)
        again = await click(scene.north, opened.message, Action.OPEN_MATCH, 1)
        assert again.message is not opened.message
        assert shows_hand(again.message)


@pytest.mark.thorough
async def test_a_reminder_opens_the_hand_below_it(tmp_path: Path) -> None:
    """The hand is a new message with the moves; the reminder stays until the player moves."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, DUE)
        (reminder,) = reminders_of(scene.north)
        opened = await scene.press(scene.north, reminder, Action.OPEN_MATCH)
        assert opened.message is not reminder
        assert reminders_of(scene.north) == [reminder]
        assert buttons(opened.message) == MOVES
        await scene.press(scene.north, opened.message, Action.PASS)
        await scene.quiet()
        waiting = [Action.REFRESH_HAND, Action.GIVE_TIME, Action.GAMES]
        assert buttons(opened.message) == waiting
        assert reminder.deleted
        again = await click(scene.north, opened.message, Action.OPEN_MATCH, 1)
        assert buttons(again.message) == waiting


@pytest.mark.thorough
@pytest.mark.parametrize(
    "values", nightly_after(1, [{"push": Push.BOTH}, {"push": Push.CHANNEL}, {"hand_by_dm": False}])
)
async def test_a_reminder_goes_to_the_channel_for_those_who_want_that(tmp_path: Path, values: dict[str, Any]) -> None:
    """The ping shows the time left, follows gifts of time, and is deleted after the move."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await prefer(scene.alive.app, person_of(scene.north), **values)
        await scene.later(clock, DUE)
        assert len(reminders_of(scene.north)) == (values.get("push") is Push.BOTH)
        (call,) = calls(scene, scene.north)
        assert call is scene.posts[-1]
        assert call in scene.north.pushes
        assert at(clock.now + 12 * HOUR) in call.text
        await scene.press(scene.south, await scene.hand(scene.south), Action.GIVE_TIME)
        await scene.quiet()
        assert at(clock.now + 36 * HOUR) in call.text
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        assert call.deleted


@pytest.mark.nightly
async def test_a_refused_reminder_becomes_a_ping(tmp_path: Path) -> None:
    """If direct messages were closed since, the player is pinged in the channel, and nothing is retried."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        scene.north.user.open_dms = False
        await scene.later(clock, DUE)
        assert reminders_of(scene.north) == []
        (call,) = calls(scene, scene.north)
        assert call in scene.north.pushes
        assert buttons(call) == [Action.SHOW_HAND]
        await scene.later(clock, MINUTE)
        assert calls(scene, scene.north) == [call]


@pytest.mark.nightly
@pytest.mark.parametrize("values", [{"reminders": Reminders.OFF}, {"push": Push.NONE}])
async def test_who_wants_no_reminder_gets_none(tmp_path: Path, values: dict[str, Any]) -> None:
    """Players who switched reminders or notifications off get none, in direct messages or in the channel."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await prefer(scene.alive.app, person_of(scene.north), **values)
        before, posts = len(scene.north.pushes), len(scene.posts)
        await scene.later(clock, DUE)
        await scene.later(clock, 11 * HOUR)
        assert len(scene.north.pushes) == before
        assert len(scene.posts) == posts


@pytest.mark.thorough
async def test_a_reminder_follows_what_becomes_of_the_time(tmp_path: Path) -> None:
    """It is edited after a gift and when the time is up, without another notification."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, DUE)
        (reminder,), pushes = reminders_of(scene.north), len(scene.north.pushes)
        await scene.press(scene.south, await scene.hand(scene.south), Action.GIVE_TIME)
        await scene.quiet()
        assert at(clock.now + 36 * HOUR) in reminder.text
        assert len(scene.north.pushes) == pushes
        await scene.later(clock, 24 * HOUR)
        (second,) = reminders_of(scene.north)
        assert second in scene.north.pushes
        before = second.text
        await scene.later(clock, 12 * HOUR)
        assert at(clock.now) in before
        assert at(clock.now) not in second.text
        assert reminders_of(scene.north) == [second]


@pytest.mark.thorough
async def test_time_is_given_by_who_waits_alone_and_not_without_end(tmp_path: Path) -> None:
    """A player cannot give time on their own turn, without a clock, or beyond the maximum."""
    clock, corner = Clock(), "quiet-corner"
    async with timed(tmp_path, clock, "14d") as scene:
        hand = await scene.hand(scene.south)
        own = await click(scene.north, await scene.hand(scene.north), Action.GIVE_TIME, 1)
        assert isinstance(scene.error(own), NoTimeToGive)
        for _ in range(16):
            await scene.alive.app.times.give(person_of(scene.south).id, MATCH)
        assert scene.error(await scene.press(scene.south, hand, Action.GIVE_TIME)) is None
        assert isinstance(scene.error(await scene.press(scene.south, hand, Action.GIVE_TIME)), TooMuchTime)
        place = ChannelId(scene.sandbox.channel(corner).id)
        await Players(scene.alive.app, (person_of(scene.north), person_of(scene.south))).begin("classic", place)
        unlimited = await click(scene.south, hand, Action.GIVE_TIME, 2)
        assert isinstance(scene.error(unlimited), NoTimeToGive)


async def no_nudge(scene: Scene, message: Message) -> NudgeRefusal:
    """Have South nudge North from an old message, and return the reason of the refusal."""
    refused = scene.error(await click(scene.south, message, Action.NUDGE, 1))
    assert isinstance(refused, NoNudge)
    return refused.reason


@pytest.mark.thorough
async def test_a_nudge_is_possible_after_a_day_and_once_a_day(tmp_path: Path) -> None:
    """The button appears after a day without a move; an outdated button is refused with the reason."""
    clock = Clock()
    async with timed(tmp_path, clock, "7d") as scene:
        await scene.later(clock, 23 * HOUR)
        hand = (await scene.press(scene.south, await scene.hand(scene.south), Action.REFRESH_HAND)).message
        assert Action.NUDGE not in buttons(hand)
        assert await no_nudge(scene, hand) is NudgeRefusal.TOO_SOON
        await scene.later(clock, HOUR)
        await scene.press(scene.south, hand, Action.REFRESH_HAND)
        nudged = await scene.press(scene.south, hand, Action.NUDGE)
        assert scene.error(nudged) is None
        assert Action.NUDGE not in buttons(hand)
        await scene.later(clock, timedelta())
        (reminder,) = reminders_of(scene.north)
        assert reminder in scene.north.pushes
        assert await no_nudge(scene, hand) is NudgeRefusal.TOO_SOON
        own = await click(scene.north, await scene.hand(scene.north), Action.NUDGE, 1)
        assert isinstance(scene.error(own), NotYourTurn)
        await scene.later(clock, DAY)
        await prefer(scene.alive.app, person_of(scene.north), nudges=False)
        assert await no_nudge(scene, hand) is NudgeRefusal.UNWANTED
        await prefer(scene.alive.app, person_of(scene.north), nudges=True)
        await scene.press(scene.south, await scene.hand(scene.south), Action.REFRESH_HAND)
        await scene.press(scene.south, await scene.hand(scene.south), Action.NUDGE)
        await scene.later(clock, timedelta())
        assert reminder.deleted
        assert len(reminders_of(scene.north)) == 1


@pytest.mark.nightly
async def test_a_nudge_waits_for_the_end_of_quiet_hours(tmp_path: Path) -> None:
    """A nudge at noon reaches a player whose quiet hours end at two o'clock at that time."""
    clock = Clock()
    async with timed(tmp_path, clock, "7d") as scene:
        await scene.use(scene.north, "gin me preferences", time_zone="UTC", quiet_from="11:00", quiet_to="14:00")
        await scene.later(clock, DAY)
        hand = (await scene.press(scene.south, await scene.hand(scene.south), Action.REFRESH_HAND)).message
        await scene.press(scene.south, hand, Action.NUDGE)
        await scene.later(clock, HOUR)
        assert reminders_of(scene.north) == []
        await scene.later(clock, HOUR)
        assert len(reminders_of(scene.north)) == 1


async def pause(scene: Scene) -> None:
    """Have North offer a pause, and South agree."""
    asked = (await scene.use(scene.north, "gin resign", scene.channel)).message
    offered = await scene.press(scene.north, asked, Action.PAUSE)
    assert await proposals(scene, scene.north) in offered.text
    await scene.quiet()
    agreed = await scene.press(scene.south, await scene.hand(scene.south), Action.PAUSE)
    assert (await scene.match()).paused
    assert hand_text.paused(await scene.match()) in agreed.text
    await scene.quiet()


async def proposals(scene: Scene, person: Person | None = None) -> str:
    """Return the text about offers in the match: for one of its players, or for everyone."""
    match = await scene.match()
    told = hand_text.proposals(match, None if person is None else match.seat_of(PersonId(person.id)))
    assert told
    return told


@pytest.mark.thorough
async def test_an_offer_to_pause_is_declined(tmp_path: Path) -> None:
    """The offer notifies the opponent; offer and refusal are shown at the table, and the match is not paused."""
    async with timed(tmp_path, Clock()) as scene:
        table = await scene.press(scene.north, scene.table, Action.LEAVE_MATCH)
        before = len(scene.south.pushes)
        await scene.press(scene.north, table.message, Action.PAUSE)
        await scene.quiet()
        assert await proposals(scene) in scene.table.text
        hand = await scene.hand(scene.south)
        assert scene.south.pushes[before:] == [hand]
        assert await proposals(scene, scene.south) in hand.text
        asked = (await scene.use(scene.south, "gin resign", scene.channel)).message
        assert Action.PAUSE in buttons(asked)
        await scene.press(scene.south, hand, Action.KEEP_PLAYING)
        await scene.quiet()
        assert (await scene.match()).proposed is None
        assert await proposals(scene) in scene.table.text
        assert Action.CONTINUE not in buttons(scene.table)
        old = await scene.press(scene.south, asked, Action.PAUSE)
        assert isinstance(scene.error(old), NoOffer)
        assert not (await scene.match()).paused


@pytest.mark.thorough
async def test_while_a_match_is_paused_nobody_moves_and_its_channel_is_free(tmp_path: Path) -> None:
    """Table and hands show the pause and the time left, moves are refused, and another match can use the channel."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, HOUR)
        before = scene.table.images[0].alt
        await pause(scene)
        table = scene.table
        assert table.images[0].alt != before
        assert "1 day 23 hours" in await times_told(scene)
        assert await times_told(scene) in table.text
        always = [Action.SHOW_HAND, Action.SHOW_SCORE, Action.SHOW_RULES, Action.LEAVE_MATCH]
        assert buttons(table) == [*always, Action.CONTINUE]
        hand = await scene.hand(scene.north)
        assert hand_text.paused(await scene.match()) in hand.text
        assert await times_told(scene, scene.north) in hand.text
        assert ways(hand) == [Action.CONTINUE, Action.GAMES]
        await scene.later(clock, 30 * DAY)
        assert isinstance(scene.error(await scene.use(scene.north, "gin pass", scene.channel)), Paused)
        version = (await scene.match()).version
        for action in (Action.NUDGE, Action.GIVE_TIME, Action.PAUSE, Action.PASS):
            made = await click(scene.south, await scene.hand(scene.south), action, 1, version=version)
            assert isinstance(scene.error(made), Paused), action
        assert hand_text.turn_line(await look(scene, scene.north)) in await scene.ask(scene.north, "games")
        leaving = await scene.press(scene.north, table, Action.LEAVE_MATCH)
        assert buttons(leaving.message) == [Action.CALL_OFF, Action.RESIGN, Action.STAY]
        await scene.press(scene.north, leaving.message, Action.STAY)
        assert (await scene.match()).paused
        await begin(scene, scene.channel)
        assert len(hands(scene.north)) == 2


@pytest.mark.nightly
async def test_a_paused_match_continues_in_a_thread(tmp_path: Path) -> None:
    """One player asks to continue, the other agrees; the table moves to a thread, and the old one says so."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        north, south = scene.north, scene.south
        await pause(scene)
        old = scene.table
        asked = await scene.press(south, old, Action.CONTINUE)
        assert await proposals(scene, south) in asked.text
        assert buttons(asked.message) == [Action.KEEP_PLAYING]
        await scene.quiet()
        hand = await scene.hand(north)
        assert await proposals(scene, north) in hand.text
        assert hand_text.or_play_on(await scene.match()) in hand.text
        await scene.press(north, hand, Action.KEEP_PLAYING)
        await scene.quiet()
        assert await proposals(scene) in scene.table.text
        await scene.press(south, asked.message, Action.KEEP_PLAYING)
        assert (await scene.match()).paused
        await scene.press(south, scene.table, Action.CONTINUE)
        await scene.quiet()
        await scene.press(north, await scene.hand(north), Action.CONTINUE)
        await scene.quiet()
        thread = next(one for one in north.channels() if one.name == "North vs South")
        hand = await scene.hand(north)
        assert hand in north.pushes
        assert as_channel(thread) in hand.text
        assert buttons(hand) == MOVES
        (table,) = scene.posts_in(thread)
        assert at(clock.now + 2 * DAY) in await times_told(scene)
        assert await times_told(scene) in table.text
        assert old.text == IN_THREAD
        assert buttons(old) == []
        assert scene.error(await scene.use(north, "gin pass", thread)) is None
        again = await click(south, table, Action.CONTINUE, 1)
        assert isinstance(scene.error(again), NotPaused)


@pytest.mark.nightly
async def test_continuing_twice_at_once_leads_to_one_thread(tmp_path: Path) -> None:
    """If players press *Continue* several times, the answers link to the match or say that it already continues."""
    async with timed(tmp_path, Clock()) as scene:
        await pause(scene)
        table = scene.table
        pressed = [await one.press(table, "Continue") for one in (scene.north, scene.south, scene.north, scene.south)]
        told = [await one.done() for one in pressed]
        await scene.quiet()
        (thread,) = [one for one in scene.north.channels() if one.thread is not None]
        assert any(as_channel(thread) in one.text for one in told)
        assert {type(scene.error(one)) for one in told} <= {type(None), NotPaused}
        (only,) = scene.posts_in(thread)
        assert Action.CONTINUE not in buttons(only)
        assert not (await scene.match()).paused


def without_threads() -> World:
    """Return a world in which the bot may not open threads in the channel."""
    world = stopped_world()
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    unable = member_overwrite(world.bot, deny=Permission.CREATE_PUBLIC_THREADS)
    games.overwrites.append(unable)
    return world


@pytest.mark.nightly
async def test_a_paused_match_continues_in_its_channel_where_there_are_no_threads(tmp_path: Path) -> None:
    """Without threads, a match continues in its channel when that is free; until then the players learn why not."""
    async with timed(tmp_path, Clock(), world=without_threads()) as scene:
        await pause(scene)
        paused = scene.table
        await begin(scene, scene.channel)
        await scene.press(scene.south, paused, Action.CONTINUE)
        await scene.quiet()
        refused = await scene.press(scene.north, paused, Action.CONTINUE)
        in_the_way = ChannelBusy(await scene.match(2), NoThread.BOT_MAY_NOT)
        assert refused.text == refusals.no_room_to_continue(in_the_way)
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, leaving, Action.RESIGN)
        await scene.quiet()
        agreed = await scene.press(scene.north, paused, Action.CONTINUE)
        assert as_channel(scene.channel) in agreed.text
        await scene.quiet()
        assert not (await scene.match()).paused
        assert (await scene.match()).channel_id == scene.channel.id
        assert await times_told(scene) in scene.table.text


@pytest.mark.nightly
async def test_a_paused_match_outlives_its_channel(tmp_path: Path) -> None:
    """If its channel is deleted, a paused match continues in the channel to which a player moves it."""
    async with timed(tmp_path, Clock()) as scene:
        await pause(scene)
        scene.sandbox.moderation.delete_channel(scene.channel)
        await scene.quiet()
        other = scene.sandbox.channel("quiet-corner")
        hand = (await scene.use(scene.north, "gin hand", other)).message
        assert refusals.CHANNEL_DELETED in hand.text
        assert (await scene.press(scene.north, hand, Action.CONTINUE)).text == refusals.CHANNEL_DELETED
        await scene.ask(scene.north, "table", other)
        await scene.quiet()
        (table,) = scene.posts_in(other)
        await scene.press(scene.south, table, Action.CONTINUE)
        going_on = await scene.press(scene.north, table, Action.CONTINUE)
        thread = next(one for one in scene.north.channels() if one.name == "North vs South")
        assert as_channel(thread) in going_on.text
        assert place(await scene.match()) == as_channel(thread)


@pytest.mark.thorough
async def test_a_holiday_stops_the_time_and_tables_say_so(tmp_path: Path) -> None:
    """No reminder is sent during a holiday. *I'm back* ends it; a second press is refused."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        away = await scene.use(scene.north, "gin me away", scene.channel, days=14)
        until = date_of(clock.now + 14 * DAY)
        assert until in away.text
        await scene.quiet()
        assert until in await times_told(scene)
        assert await times_told(scene) in scene.table.text
        assert holidays.away(clock.now + 14 * DAY)[:-1] in (await scene.hand(scene.north)).text
        await scene.later(clock, 3 * DAY)
        assert reminders_of(scene.north) == []
        hand = (await scene.press(scene.south, await scene.hand(scene.south), Action.REFRESH_HAND)).message
        assert ways(hand) == [Action.REFRESH_HAND, Action.GIVE_TIME, Action.GAMES]
        assert await no_nudge(scene, hand) is NudgeRefusal.AWAY
        panel = await scene.use(scene.north, "gin me preferences")
        assert until in panel.text
        back = await scene.press(scene.north, panel.message, Action.COME_BACK)
        assert back.message is panel.message
        assert WELCOME_BACK in back.text
        assert until not in back.text
        assert isinstance(scene.error(await scene.press(scene.north, away.message, Action.COME_BACK)), NotAway)
        await scene.quiet()
        assert at(clock.now + 2 * DAY) in await times_told(scene)
        assert await times_told(scene) in scene.table.text
        again = await click(scene.north, back.message, Action.COME_BACK, "me")
        assert isinstance(scene.error(again), NotAway)


@pytest.mark.nightly
async def test_a_reminder_that_came_before_a_holiday_follows_it(tmp_path: Path) -> None:
    """The reminder shows the additional time without a new notification."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, DUE)
        (reminder,), pushes = reminders_of(scene.north), len(scene.north.pushes)
        away = await scene.use(scene.north, "gin me away", scene.channel, days=1)
        await scene.quiet()
        assert at(clock.now + 36 * HOUR) in reminder.text
        await scene.later(clock, HOUR)
        await scene.press(scene.north, away.message, Action.COME_BACK)
        await scene.quiet()
        assert at(clock.now + 12 * HOUR) in reminder.text
        assert len(scene.north.pushes) == pushes


@pytest.mark.nightly
async def test_the_table_says_that_who_waits_is_away_too(tmp_path: Path) -> None:
    """The table also shows the holiday of the waiting player, until that player moves."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.use(scene.south, "gin me away", scene.channel, days=2)
        await scene.quiet()
        until = date_of(clock.now + 2 * DAY)
        assert until in await times_told(scene)
        assert await times_told(scene) in scene.table.text
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        assert until in await times_told(scene)
        assert await times_told(scene) in scene.table.text
        await scene.later(clock, HOUR)
        await scene.ask(scene.south, "pass")
        await scene.quiet()
        assert until not in scene.table.text


async def have_holidays(scene: Scene, clock: Clock, *days: int) -> None:
    """Have North take holidays of these lengths, 15 days apart."""
    for one in days:
        await scene.ask(scene.north, "me away", days=one)
        await scene.later(clock, 15 * DAY)


async def too_long(scene: Scene, days: int) -> tuple[int, int]:
    """Have North ask for too long a holiday; return the maximum length and the days left in the year."""
    refused = scene.error(await scene.use(scene.north, "gin me away", scene.channel, days=days))
    assert isinstance(refused, TooLongAway)
    return refused.most, refused.left


async def test_holidays_have_an_end(tmp_path: Path) -> None:
    """Holidays are limited to thirty days a year; a refusal has the number of days left."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        await have_holidays(scene, clock, 14, 14)
        assert await too_long(scene, 5) == (2, 2)
        await scene.ask(scene.north, "me away", days=2)
        await scene.later(clock, 3 * DAY)
        assert await too_long(scene, 1) == (0, 0)


async def days_left(scene: Scene) -> str:
    """Return the text about North's remaining holidays."""
    return holidays.left(await scene.alive.app.holidays.now(PersonId(scene.north.id)))


async def test_a_holiday_says_how_many_days_are_left_and_what_it_replaces(tmp_path: Path) -> None:
    """`/gin me away` shows the days left and the replaced holiday; `/gin games` shows the holiday and can end it."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        service = scene.alive.app.holidays
        first = await scene.use(scene.north, "gin me away", scene.channel, days=14)
        assert "16 days" in await days_left(scene)
        assert first.text == holidays.taken(await service.now(PersonId(scene.north.id)))
        second = await scene.use(scene.north, "gin me away", scene.channel, days=3)
        assert "27 days" in await days_left(scene)
        assert await days_left(scene) in second.text
        assert len(second.text) > len(first.text)
        games = await scene.use(scene.north, "gin games", scene.channel)
        assert holidays.away(clock.now + 3 * DAY) in games.text
        back = await scene.press(scene.north, games.message, Action.COME_BACK)
        assert WELCOME_BACK in back.text
        listed = await scene.press(scene.north, back.message, Action.GAMES)
        assert Action.COME_BACK not in buttons(listed.message)
        third = await scene.ask(scene.north, "me away", days=1)
        assert third == holidays.taken(await service.now(PersonId(scene.north.id)))


@pytest.mark.thorough
async def test_a_holiday_is_taken_and_ended_among_the_preferences(tmp_path: Path) -> None:
    """The panel shows the days left, replaces a current holiday with a new one, and can end it."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, "holiday")
        assert "30 days" in await days_left(scene)
        assert await days_left(scene) in panel.text
        assert buttons(panel) == [Action.OPEN_PREFERENCE]
        assert [option.value for option in panel.selects[0].options] == ["1", "2", "3", "5", "7", "10", "14"]
        await scene.choose(scene.north, panel, Action.TAKE_HOLIDAY, "14")
        assert holidays.away(clock.now + 14 * DAY) in panel.text
        assert "16 days" in await days_left(scene)
        assert await days_left(scene) in panel.text
        await scene.quiet()
        assert date_of(clock.now + 14 * DAY) in scene.table.text
        await scene.choose(scene.north, panel, Action.TAKE_HOLIDAY, "2")
        assert holidays.away(clock.now + 2 * DAY) in panel.text
        assert "28 days" in await days_left(scene)
        assert await days_left(scene) in panel.text
        await scene.later(clock, HOUR)
        back = await scene.press(scene.north, panel, Action.COME_BACK)
        assert back.message is panel
        assert WELCOME_BACK in panel.text
        assert "29 days" in await days_left(scene)
        assert await days_left(scene) in panel.text
        assert buttons(panel) == [Action.OPEN_PREFERENCE]


@pytest.mark.thorough
async def test_no_more_days_of_holiday_are_offered_than_are_left(tmp_path: Path) -> None:
    """The menu ends at the number of days left, and is gone when none are left. Larger numbers are refused."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        await have_holidays(scene, clock, 14, 12)
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, "holiday")
        assert [option.value for option in panel.selects[0].options] == ["1", "2", "3", "4"]
        refused = scene.error(await click(scene.north, panel, Action.TAKE_HOLIDAY, "me", values=["5"]))
        assert isinstance(refused, TooLongAway)
        assert (refused.most, refused.left) == (4, 4)
        await scene.choose(scene.north, panel, Action.TAKE_HOLIDAY, "4")
        assert await days_left(scene) in panel.text
        await scene.later(clock, 5 * DAY)
        await scene.press(scene.north, panel, Action.OPEN_PREFERENCE)
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, "holiday")
        assert (await scene.alive.app.holidays.now(PersonId(scene.north.id))).left == 0
        assert await days_left(scene) in panel.text
        assert panel.selects == []


@pytest.mark.thorough
@pytest.mark.parametrize("by_dm", nightly_after(1, [True, False]))
async def test_a_hand_has_the_way_back_from_a_holiday(tmp_path: Path, by_dm: bool) -> None:
    """The button ends the holiday and updates the hand in place; the greeting stays until the next change."""
    clock = Clock()
    async with timed(tmp_path, clock, open_dms=by_dm) as scene:
        shown = await scene.hand(scene.north) if by_dm else None
        shown = shown or (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert Action.COME_BACK not in buttons(shown)
        await scene.ask(scene.north, "me away", days=2)
        await scene.quiet()
        until = date_of(clock.now + 2 * DAY)
        if not by_dm:
            shown = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert until in shown.text
        assert until in scene.table.text
        back = await scene.press(scene.north, shown, Action.COME_BACK)
        await scene.quiet()
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
    """The hand after the move has the greeting, also in direct messages, where no edit overwrites it."""
    clock = Clock()
    async with timed(tmp_path, clock, open_dms=by_dm) as scene:
        await scene.ask(scene.north, "me away", days=2)
        await scene.quiet()
        until = date_of(clock.now + 2 * DAY)
        assert until in scene.table.text
        asked = None if by_dm else await scene.use(scene.north, "gin hand", scene.channel)
        shown = await scene.hand(scene.north) if asked is None else asked.message
        await scene.press(scene.north, shown, Action.TAKE)
        await scene.quiet()
        assert WELCOME_BACK in shown.text
        assert until not in scene.table.text
        await scene.press(scene.north, shown, Action.DISCARD, "Qh")
        assert WELCOME_BACK not in shown.text


@pytest.mark.nightly
async def test_a_command_that_ends_a_holiday_says_so(tmp_path: Path) -> None:
    """The answer to a command has the greeting if the command ended the holiday. A refused command does not end it."""
    async with timed(tmp_path, Clock()) as scene:
        await scene.ask(scene.north, "me away", days=2)
        assert WELCOME_BACK not in await scene.ask(scene.north, "discard", card="Qh")
        assert (await scene.ask(scene.north, "pass")).startswith(WELCOME_BACK)
        ended = await click(scene.north, scene.table, Action.COME_BACK, "me")
        assert isinstance(scene.error(ended), NotAway)


@pytest.mark.thorough
async def test_the_next_match_is_one_press_away(tmp_path: Path) -> None:
    """In a private hand the next match replaces the current one; if no match is waiting, the answer says so."""
    clock, corner = Clock(), "quiet-corner"
    async with timed(tmp_path, clock, open_dms=False) as scene:
        other = scene.sandbox.channel(corner)
        await begin(scene, other)
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
async def test_the_next_match_comes_below_a_hand_by_direct_message(tmp_path: Path) -> None:
    """In direct messages each match keeps its own message, so the next match is a new one."""
    clock, corner = Clock(), "quiet-corner"
    async with timed(tmp_path, clock) as scene:
        other = scene.sandbox.channel(corner)
        await begin(scene, other)
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
    """Turns in five matches are played by buttons in one private message, in the order of their deadlines."""
    clock = Clock()
    async with timed(tmp_path, clock, open_dms=False) as scene:
        for days in ("14d", "none", "3d", "12h"):
            await begin(scene, scene.channel, clock=days)
        threads = [one for one in scene.north.channels() if one.thread is not None]
        assert len(threads) == 4
        call = calls(scene, scene.north)[0]
        hand = (await scene.press(scene.north, call, Action.SHOW_HAND)).message
        places = list[str]()
        for left in (4, 3, 2, 1, 0):
            places.append(hand.text.splitlines()[0].rpartition("· ")[2])
            await scene.press(scene.north, hand, Action.PASS)
            assert (Action.NEXT_MATCH in buttons(hand)) == bool(left)
            if left:
                assert (await scene.press(scene.north, hand, Action.NEXT_MATCH)).message is hand
        by_time = [scene.channel, threads[3], threads[2], threads[0], threads[1]]
        assert places == [as_channel(one) for one in by_time]
        await scene.quiet()
        for person, number in ((scene.north, 0), (scene.south, 5)):
            of_person = await scene.alive.app.lookup.hands(PersonId(person.id))
            assert sum(hand.view.to_act for hand in of_person) == number
            listed = await scene.ask(person, "games")
            assert all(hand_text.turn_line(hand) in listed for hand in of_person)


@pytest.mark.thorough
async def test_the_list_of_matches_is_by_urgency(tmp_path: Path) -> None:
    """The player's own turns come first, by time left, then the opponents'; the menu opens a match."""
    clock, corner = Clock(), "quiet-corner"
    world = stopped_world()
    people = {user.display_name: user for user in world.users.values()}
    family = world.add_guild("Family", [people[name] for name in ("North", "South", "East")])
    kitchen = world.add_channel(family, "kitchen")
    async with timed(tmp_path, clock, "7d", world=world) as scene:
        other = scene.sandbox.channel(corner)
        await begin(scene, other, clock="2d")
        await begin(scene, kitchen, clock="1d")
        here = (await scene.use(scene.north, "gin games", scene.channel)).message
        soon, late = at(clock.now + 2 * DAY), at(clock.now + 7 * DAY)
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
        assert hand_text.turn_line(await look(scene, scene.north, MatchId(2))) in lines[2]
        assert soon in lines[2]
        await scene.later(clock, 2 * DAY)
        listed = await scene.ask(scene.north, "games")
        assert soon not in listed
        assert hand_text.turn_line(await look(scene, scene.north, MatchId(2))) in listed


@pytest.mark.nightly
async def test_who_lost_sight_of_the_channel_is_not_hurried(tmp_path: Path) -> None:
    """From the time of the reminder their clock stops and nothing is sent, until they use the bot."""
    clock = Clock()
    async with timed(tmp_path, clock, open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        unseen = member_overwrite(scene.south.user, deny=Permission.VIEW_CHANNEL)
        scene.sandbox.moderation.set_overwrites(scene.channel, unseen)
        await scene.quiet()
        posts, pushes = len(scene.posts), len(scene.south.pushes)
        await scene.later(clock, DUE)
        still = await times_told(scene)
        assert "12 hours" in still
        assert date_of(clock.now + 12 * HOUR) in still
        assert still in scene.table.text
        await scene.later(clock, 11 * HOUR)
        assert still in scene.table.text
        assert len(scene.south.pushes) == pushes
        assert len(scene.posts) == posts
        waiting = await scene.use(scene.north, "gin hand", scene.channel)
        assert ways(waiting.message) == [Action.REFRESH_HAND, Action.GIVE_TIME, Action.GAMES]
        refused = scene.error(await click(scene.north, waiting.message, Action.CLAIM, 1))
        assert isinstance(refused, TooSoon)
        assert refused.time is not None
        assert refused.time.call_off_at is not None
        await scene.use(scene.south, "gin games")
        await scene.quiet()
        assert at(clock.now + 12 * HOUR) in await times_told(scene)
        assert await times_told(scene) in scene.table.text
