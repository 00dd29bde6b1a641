"""Clocks at the table: the time left, reminders, nudges, gifts of time, pauses, holidays, and the next match."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.sandbox import Channel, Message, Permission, Person, World, member_overwrite
from bot.values.ids import MatchId, PersonId
from bot.values.people import Push, Reminders
from cogs.kit.actions import Action
from cogs.panels.settings import CHANGE
from cogs.text.holidays import WELCOME_BACK
from cogs.text.table import IN_THREAD
from tests.cogs.scenes import Scene, clubhouse, hands, labels, person_of, ways
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.forgery import click
from tests.helpers.shufflers import KNOCK_AT_ONCE

pytestmark = pytest.mark.slow

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DUE: Final = timedelta(days=1, hours=12)
"""When somebody is reminded who has two days."""


@asynccontextmanager
async def timed(
    directory: Path, clock: Clock, limit: str = "2d", *, open_dms: bool = True, world: World | None = None
) -> AsyncGenerator[Scene]:
    """A match with a clock of North, who acts first, against South; without `open_dms` neither takes messages."""
    async with clubhouse(directory, *[KNOCK_AT_ONCE] * 12, clock=clock, world=world) as scene:
        scene.north.user.open_dms = scene.south.user.open_dms = open_dms
        await begin(scene, scene.channel, clock=limit)
        yield scene


async def begin(scene: Scene, channel: Channel, **options: object) -> None:
    """Let North challenge South in a channel, who accepts."""
    invitation = await scene.invite(scene.north, scene.south, channel, **options)
    await scene.press(scene.south, invitation, "Accept")
    await scene.quiet()


def reminders(person: Person) -> list[Message]:
    """Return the reminders in a person's direct messages."""
    return [message for message in person.direct_messages() if has_button(message, Action.OPEN_MATCH)]


async def prefer(scene: Scene, person: Person, **values: object) -> None:
    """Change preferences of somebody."""
    await scene.alive.app.people.change_preferences(person_of(person), lambda now: replace(now, **values))


def at(moment: datetime) -> str:
    """Return a moment as messages have it."""
    return f"<t:{int(moment.timestamp())}:R>"


async def test_the_time_left_is_told(tmp_path: Path) -> None:
    """Table and hands say until when the turn lasts; after the turn they say it of the other."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        ends = at(clock.now + 2 * DAY)
        assert f"⁨North⁩'s time is up {ends}." in scene.table.text
        assert f"Your time is up {ends}." in (await scene.hand(scene.north)).text
        assert f"⁨North⁩'s time is up {ends}." in (await scene.hand(scene.south)).text
        assert ways(await scene.hand(scene.south)) == ["Refresh", "Give a day", "My games"]
        await scene.later(clock, HOUR)
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        ends = at(clock.now + 2 * DAY)
        assert f"⁨South⁩'s time is up {ends}." in scene.table.text
        assert f"Your time is up {ends}." in (await scene.hand(scene.south)).text
        assert "North⁩'s time" not in scene.table.text


async def test_both_banks_of_a_live_clock_are_told(tmp_path: Path) -> None:
    """The one that runs has a moment, the other what is left, and a turn adds to it."""
    clock = Clock()
    async with timed(tmp_path, clock, "10m+20s") as scene:
        running, waiting = f"time is up {at(clock.now + 10 * MINUTE)}.", "has 10 minutes left."
        assert f"⁨North⁩'s {running}\n⁨South⁩ {waiting}" in scene.table.text
        assert f"Your {running}\n⁨South⁩ {waiting}" in (await scene.hand(scene.north)).text
        await scene.later(clock, MINUTE)
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        assert f"⁨North⁩ has 9 minutes 20 seconds left.\n⁨South⁩'s {at(clock.now + 10 * MINUTE)}" in (
            scene.table.text.replace("time is up ", "")
        )
        hand = await scene.hand(scene.north)
        assert "You have 9 minutes 20 seconds left." in hand.text
        assert "They have 5 minutes more now." in (await scene.press(scene.north, hand, "Give 5 minutes")).text
        await scene.quiet()
        assert f"⁨South⁩'s time is up {at(clock.now + 15 * MINUTE)}." in scene.table.text


async def left_of_north(scene: Scene) -> timedelta:
    """Return how much time North has left in the first match."""
    hand = await scene.alive.app.lookup.hand(PersonId(scene.north.id), MatchId(1))
    return hand.times[hand.view.seat].left


@pytest.mark.parametrize(("limit", "gift"), [("1m", "1 minute"), ("4m+5s", "4 minutes"), ("12h", "12 hours")])
async def test_a_gift_is_no_longer_than_the_clock(tmp_path: Path, limit: str, gift: str) -> None:
    """The button and the answer name what is given: at most the time that everybody had at first."""
    clock = Clock()
    async with timed(tmp_path, clock, limit) as scene:
        before = await left_of_north(scene)
        given = await scene.press(scene.south, await scene.hand(scene.south), f"Give {gift}")
        assert f"They have {gift} more now." in given.text
        assert await left_of_north(scene) == 2 * before


@pytest.mark.parametrize("push", [Push.DM, Push.CHANNEL, Push.NONE])
async def test_who_waits_is_told_that_the_time_is_up_and_may_claim(tmp_path: Path, push: Push) -> None:
    """They hear of it as of their turns, and may go on waiting, call off at once, or claim."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await prefer(scene, scene.south, push=push)
        before = len(scene.south.pushes)
        await scene.later(clock, 2 * DAY)
        pushes = scene.south.pushes[before:]
        hand = await scene.hand(scene.south)
        assert "⁨North⁩ has no time left. ⁨South⁩ may claim the match, go on waiting or call it off." in scene.table.text
        own = (await scene.hand(scene.north)).text
        assert "You have no time left. ⁨South⁩ may claim the match; until then a move still counts." in own
        assert hand.text.count("no time left") == 1
        assert "You may claim the match, or go on waiting." in hand.text
        assert ways(hand) == ["Refresh", "Nudge", "Give a day", "My games", "Claim the match", "Call the match off"]
        match push:
            case Push.DM:
                assert pushes == [hand]
            case Push.CHANNEL:
                (call,) = pushes
                assert f"<@{scene.south.id}>, you wait for somebody who has no time left." in call.text
                assert labels(call) == ["My hand"]
            case _:
                assert pushes == []
        if push is Push.DM:
            assert (
                "it does not count in the standings"
                in (await scene.press(scene.south, hand, "Call the match off")).text.lower()
            )
            await scene.quiet()
            assert "called off" in scene.posts[-1].text
        else:
            assert "You **won** your match" in (await scene.press(scene.south, hand, "Claim the match")).text
            await scene.quiet()
            assert "⁨South⁩ wins: ⁨North⁩ lost on time" in scene.posts[-1].text


async def test_who_waits_is_told_in_the_channel_if_direct_messages_are_closed(tmp_path: Path) -> None:
    """Discord refuses the message that says it: a ping takes its place."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        scene.south.user.open_dms = False
        await scene.later(clock, 2 * DAY)
        (call,) = [one for one in scene.posts if f"<@{scene.south.id}>, you wait for somebody" in one.text]
        assert call in scene.south.pushes
        shown = await scene.press(scene.south, call, "My hand")
        assert "Claim the match" in labels(shown.message)


async def test_a_week_without_a_clock_is_told_as_well(tmp_path: Path) -> None:
    """Nobody has run out of time, and the ping says why they may claim."""
    clock = Clock()
    async with timed(tmp_path, clock, "none", open_dms=False) as scene:
        await prefer(scene, scene.north, reminders=Reminders.OFF)
        await scene.later(clock, 7 * DAY)
        call = scene.posts[-1]
        assert f"<@{scene.south.id}>, you have been kept waiting for a week." in call.text
        hand = (await scene.press(scene.south, call, "My hand")).message
        assert "You have been kept waiting for a week. You may claim the match, or go on waiting." in hand.text
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        assert call.deleted or "kept waiting" not in call.text


async def test_a_flag_ends_the_match_by_itself(tmp_path: Path) -> None:
    """Nobody has to do anything: the table goes, and the end says who lost on time."""
    clock = Clock()
    async with timed(tmp_path, clock, "12h flag") as scene:
        await scene.later(clock, timedelta(hours=12))
        assert "lost on time" not in scene.posts[-1].text
        await scene.later(clock, timedelta(seconds=6))
        assert "⁨South⁩ wins: ⁨North⁩ lost on time" in scene.posts[-1].text
        assert "You lost your match" in scene.north.direct_messages()[-1].text
        assert reminders(scene.north) == []


async def test_a_reminder_has_a_line_and_a_button_for_each_match(tmp_path: Path) -> None:
    """It is posted again for another match, edited when one was moved in, and goes with the last."""
    clock, corner = Clock(), "quiet-corner"
    async with timed(tmp_path, clock) as scene:
        north, other = scene.north, scene.sandbox.channel(corner)
        await scene.later(clock, 3 * HOUR)
        await begin(scene, other, clock="2d")
        await scene.later(clock, DUE - 3 * HOUR)
        (first,) = reminders(north)
        assert first in north.pushes
        line = f"<#{scene.channel.id}> against ⁨South⁩: your time is up {at(clock.now + 12 * HOUR)}."
        assert first.text.startswith(f"### It is your turn\n{line}\n-# ")
        assert labels(first) == ["My hand"]
        await scene.later(clock, 3 * HOUR)
        (second,) = reminders(north)
        assert first.deleted
        assert second in north.pushes
        line = f"<#{scene.channel.id}> against ⁨South⁩: your time is up {at(clock.now + 9 * HOUR)}."
        other_line = f"<#{other.id}> against ⁨South⁩: your time is up {at(clock.now + 12 * HOUR)}."
        assert second.text.startswith(f"### It is your turn in 2 matches\n{line}\n{other_line}\n-# ")
        assert labels(second) == ["My hand", "My hand"]
        pushes = len(north.pushes)
        await scene.ask(north, "pass")
        await scene.quiet()
        assert reminders(north) == [second]
        assert second.text.startswith(f"### It is your turn\n{other_line}\n-# ")
        await scene.ask(north, "pass", other)
        await scene.quiet()
        assert second.deleted
        assert len(north.pushes) == pushes


async def test_reminders_of_the_same_hour_are_one_message(tmp_path: Path) -> None:
    """The later one comes with the first, and not again."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, HOUR / 2)
        await begin(scene, scene.sandbox.channel("quiet-corner"), clock="2d")
        await scene.later(clock, DUE - HOUR / 2)
        (reminder,), pushes = reminders(scene.north), len(scene.north.pushes)
        assert labels(reminder) == ["My hand", "My hand"]
        await scene.later(clock, HOUR)
        assert reminders(scene.north) == [reminder]
        assert len(scene.north.pushes) == pushes


async def test_a_reminder_opens_the_hand_below_it(tmp_path: Path) -> None:
    """The hand comes as a message of its own, playable, and the reminder stays until the move."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, DUE)
        (reminder,) = reminders(scene.north)
        opened = await scene.press(scene.north, reminder, "My hand")
        assert opened.message is not reminder
        assert reminders(scene.north) == [reminder]
        assert "**Your turn:**" in opened.message.text
        await scene.play(scene.north, opened.message, Action.PASS)
        await scene.quiet()
        assert "Waiting for ⁨South⁩" in opened.message.text
        assert reminder.deleted
        again = await click(scene.north, opened.message, Action.OPEN_MATCH, 1)
        assert "Waiting for ⁨South⁩" in again.text


@pytest.mark.parametrize("values", [{"push": Push.CHANNEL}, {"push": Push.BOTH}, {"hand_by_dm": False}])
async def test_a_reminder_goes_to_the_channel_for_those_who_want_that(
    tmp_path: Path, values: dict[str, object]
) -> None:
    """The ping says that it is still their turn and how long, and goes with the move."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await prefer(scene, scene.north, **values)
        await scene.later(clock, DUE)
        assert len(reminders(scene.north)) == (values.get("push") is Push.BOTH)
        call = scene.posts[-1]
        assert call in scene.north.pushes
        until = at(clock.now + 12 * HOUR)
        assert f"<@{scene.north.id}>, it is still your turn, and your time is up {until}. You play" in call.text
        await scene.press(scene.south, await scene.hand(scene.south), "Give a day")
        await scene.quiet()
        assert f"your time is up {at(clock.now + 36 * HOUR)}." in call.text
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        assert call.deleted


async def test_a_refused_reminder_becomes_a_ping(tmp_path: Path) -> None:
    """Direct messages were closed meanwhile: the person is told in the channel, and nothing is tried again."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        scene.north.user.open_dms = False
        await scene.later(clock, DUE)
        assert reminders(scene.north) == []
        (call,) = [one for one in scene.posts if f"<@{scene.north.id}>, it is still your turn" in one.text]
        assert call in scene.north.pushes
        assert labels(call) == ["My hand"]
        await scene.later(clock, MINUTE)
        assert [one for one in scene.posts if "it is still your turn" in one.text] == [call]


@pytest.mark.parametrize("values", [{"push": Push.NONE}, {"reminders": Reminders.OFF}])
async def test_who_wants_no_reminder_gets_none(tmp_path: Path, values: dict[str, object]) -> None:
    """Neither by direct message nor in the channel."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await prefer(scene, scene.north, **values)
        before, posts = len(scene.north.pushes), len(scene.posts)
        await scene.later(clock, DUE)
        await scene.later(clock, 11 * HOUR)
        assert len(scene.north.pushes) == before
        assert len(scene.posts) == posts


async def test_a_reminder_follows_what_becomes_of_the_time(tmp_path: Path) -> None:
    """It tells a gift, and that the time is up, without calling again."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, DUE)
        (reminder,), pushes = reminders(scene.north), len(scene.north.pushes)
        given = await scene.press(scene.south, await scene.hand(scene.south), "Give a day")
        assert "They have a day more now." in given.text
        await scene.quiet()
        assert f"your time is up {at(clock.now + 36 * HOUR)}." in reminder.text
        assert len(scene.north.pushes) == pushes
        await scene.later(clock, 24 * HOUR)
        (second,) = reminders(scene.north)
        assert second in scene.north.pushes
        await scene.later(clock, 12 * HOUR)
        assert "your time is up." in second.text
        assert reminders(scene.north) == [second]


async def test_time_is_given_by_who_waits_alone_and_not_without_end(tmp_path: Path) -> None:
    """The other, somebody without a clock, and a giver without measure are refused kindly."""
    clock, corner = Clock(), "quiet-corner"
    async with timed(tmp_path, clock, "14d") as scene:
        hand = await scene.hand(scene.south)
        own = await click(scene.north, await scene.hand(scene.north), Action.GIVE_TIME, 1)
        assert "There is nobody to give time to" in own.text
        for _ in range(17):
            assert "They have a day more now." in (await scene.press(scene.south, hand, "Give a day")).text
        assert "so much time left already" in (await scene.press(scene.south, hand, "Give a day")).text
        await begin(scene, scene.sandbox.channel(corner))
        assert "no clock" in (await click(scene.south, hand, Action.GIVE_TIME, 2)).text


async def test_a_nudge_is_possible_after_a_day_and_once_a_day(tmp_path: Path) -> None:
    """The button appears, goes, and comes back; whoever presses an old one is told why not."""
    clock = Clock()
    async with timed(tmp_path, clock, "7d") as scene:
        await scene.later(clock, 23 * HOUR)
        hand = (await scene.press(scene.south, await scene.hand(scene.south), "Refresh")).message
        assert "Nudge" not in labels(hand)
        assert "kept you waiting for a day" in (await click(scene.south, hand, Action.NUDGE, 1)).text
        await scene.later(clock, HOUR)
        await scene.press(scene.south, hand, "Refresh")
        nudged = await scene.press(scene.south, hand, "Nudge")
        assert "I nudge them now, or as soon as their quiet hours are over." in nudged.text
        assert "Nudge" not in labels(hand)
        await scene.later(clock, timedelta())
        (reminder,) = reminders(scene.north)
        assert reminder in scene.north.pushes
        assert "You were nudged." in reminder.text
        assert "and then once a day" in (await click(scene.south, hand, Action.NUDGE, 1)).text
        assert "your turn" in (await click(scene.north, await scene.hand(scene.north), Action.NUDGE, 1)).text
        await scene.later(clock, DAY)
        await prefer(scene, scene.north, nudges=False)
        assert "would rather not be nudged" in (await click(scene.south, hand, Action.NUDGE, 1)).text
        await prefer(scene, scene.north, nudges=True)
        await scene.press(scene.south, await scene.hand(scene.south), "Refresh")
        await scene.press(scene.south, await scene.hand(scene.south), "Nudge")
        await scene.later(clock, timedelta())
        assert reminder.deleted
        assert "You were nudged." in reminders(scene.north)[0].text


async def test_a_nudge_waits_for_the_end_of_quiet_hours(tmp_path: Path) -> None:
    """It is noon; somebody who sleeps until two hears of it then."""
    clock = Clock()
    async with timed(tmp_path, clock, "7d") as scene:
        await scene.use(scene.north, "gin me preferences", time_zone="UTC", quiet_from="11:00", quiet_to="14:00")
        await scene.later(clock, DAY)
        hand = (await scene.press(scene.south, await scene.hand(scene.south), "Refresh")).message
        await scene.press(scene.south, hand, "Nudge")
        await scene.later(clock, HOUR)
        assert reminders(scene.north) == []
        await scene.later(clock, HOUR)
        assert len(reminders(scene.north)) == 1


async def pause(scene: Scene) -> None:
    """Let North offer to pause the match, and South agree."""
    asked = (await scene.use(scene.north, "gin resign", scene.channel)).message
    offered = await scene.press(scene.north, asked, "Pause")
    assert "You have offered to pause the match. It pauses once the other player agrees." in offered.text
    await scene.quiet()
    agreed = await scene.press(scene.south, await scene.hand(scene.south), "Pause the match")
    assert "The match is paused, and no time runs." in agreed.text
    await scene.quiet()


async def test_an_offer_to_pause_is_declined(tmp_path: Path) -> None:
    """The other is called, the table says both, and nothing has changed."""
    async with timed(tmp_path, Clock()) as scene:
        table = await scene.press(scene.north, scene.table, "Pause or leave")
        before = len(scene.south.pushes)
        await scene.press(scene.north, table.message, "Pause")
        await scene.quiet()
        assert "⁨North⁩ would like to pause the match. *My hand* has the buttons to answer." in scene.table.text
        hand = await scene.hand(scene.south)
        assert scene.south.pushes[before:] == [hand]
        assert "⁨North⁩ would like to pause the match.\nOr decline, and the match goes on." in hand.text
        asked = (await scene.use(scene.south, "gin resign", scene.channel)).message
        assert "Pause" in labels(asked)
        await scene.press(scene.south, hand, "Keep playing")
        await scene.quiet()
        assert "⁨South⁩ declined the offer." in scene.table.text
        assert "Paused" not in scene.table.text
        old = await scene.press(scene.south, asked, "Pause")
        assert "Nobody offers that in ⁨North⁩ vs ⁨South⁩ any more." in old.text


async def test_while_a_match_is_paused_nobody_moves_and_its_channel_is_free(tmp_path: Path) -> None:
    """Table and hands say so once, with what is left and the way on; another match begins in the channel."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, HOUR)
        await pause(scene)
        table = scene.table
        assert "Paused." in str(table.images[0].alt)
        assert "**Paused.** The match goes on once both players press *Continue*.\n⁨North⁩ has 1 day 23 hours left." in (
            table.text
        )
        assert labels(table) == ["My hand", "Score", "Rules", "Pause or leave", "Continue"]
        hand = await scene.hand(scene.north)
        assert "The match is paused, and no time runs. It goes on once both players press *Continue*." in hand.text
        assert "You have 1 day 23 hours left." in hand.text
        assert ways(hand) == ["Continue", "My games"]
        await scene.later(clock, 30 * DAY)
        assert "The match is paused" in await scene.ask(scene.north, "pass")
        for action in (Action.NUDGE, Action.GIVE_TIME, Action.PAUSE, Action.PASS):
            made = await click(scene.south, await scene.hand(scene.south), action, 1)
            assert "The match is paused" in made.text, action
        assert "paused" in await scene.ask(scene.north, "games")
        leaving = await scene.press(scene.north, table, "Pause or leave")
        assert labels(leaving.message) == ["Call off", "Resign", "Keep playing"]
        assert "The match is paused already." in leaving.text
        assert "Nothing has changed." in (await scene.press(scene.north, leaving.message, "Keep playing")).text
        await begin(scene, scene.channel)
        assert len(hands(scene.north)) == 2


async def test_a_paused_match_continues_in_a_thread(tmp_path: Path) -> None:
    """One asks, the other may decline or agree; the table moves, and where it was leads there."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        north, south = scene.north, scene.south
        await pause(scene)
        old = scene.table
        asked = await scene.press(south, old, "Continue")
        assert "You have offered to go on with the match. It goes on once the other player agrees." in asked.text
        assert labels(asked.message) == ["Withdraw the offer"]
        await scene.quiet()
        hand = await scene.hand(north)
        assert "⁨South⁩ would like to go on with the match.\nOr decline, and the match stays paused." in hand.text
        await scene.press(north, hand, "Not yet")
        await scene.quiet()
        assert "⁨North⁩ declined the offer." in scene.table.text
        nothing = await scene.press(south, asked.message, "Withdraw the offer")
        assert "The match stays paused." in nothing.text
        await scene.press(south, scene.table, "Continue")
        await scene.quiet()
        await scene.press(north, await scene.hand(north), "Continue")
        await scene.quiet()
        thread = next(one for one in north.channels() if one.name == "North vs South")
        hand = await scene.hand(north)
        assert hand in north.pushes
        assert f"· <#{thread.id}>\n**Your turn:**" in hand.text
        (table,) = scene.posts_in(thread)
        assert f"⁨North⁩'s time is up {at(clock.now + 2 * DAY)}." in table.text
        assert old.text == IN_THREAD
        assert labels(old) == []
        assert "You passed" in await scene.ask(north, "pass", thread)
        again = await click(south, table, Action.CONTINUE, 1)
        assert "This match is not paused." in again.text


async def test_continuing_twice_at_once_leads_to_one_thread(tmp_path: Path) -> None:
    """Whoever presses again, or presses together with the other, is told where the match is, or that it goes on."""
    async with timed(tmp_path, Clock()) as scene:
        await pause(scene)
        table = scene.table
        pressed = [await one.press(table, "Continue") for one in (scene.north, scene.south, scene.north, scene.south)]
        told = [(await one.done()).text for one in pressed]
        await scene.quiet()
        assert any("The match goes on in <#" in text for text in told)
        assert all(
            any(part in text for part in ("The match goes on in", "You have offered", "This match is not paused"))
            for text in told
        )
        (thread,) = [one for one in scene.north.channels() if one.thread is not None]
        (only,) = scene.posts_in(thread)
        assert "Paused" not in only.text


def without_threads() -> World:
    """Return a world in which the bot opens no threads."""
    world = World.default()
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    unable = member_overwrite(world.bot, deny=Permission.CREATE_PUBLIC_THREADS)
    games.overwrites.append(unable)
    return world


async def test_a_paused_match_continues_in_its_channel_where_there_are_no_threads(tmp_path: Path) -> None:
    """As soon as that is free; until then its players are told what is in the way."""
    async with timed(tmp_path, Clock(), world=without_threads()) as scene:
        await pause(scene)
        paused = scene.table
        await begin(scene, scene.channel)
        await scene.press(scene.south, paused, "Continue")
        await scene.quiet()
        refused = await scene.press(scene.north, paused, "Continue")
        assert "is running in" in refused.text
        assert "let me create public threads there" in refused.text
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, leaving, "Resign")
        await scene.quiet()
        agreed = await scene.press(scene.north, paused, "Continue")
        assert f"The match goes on in <#{scene.channel.id}>." in agreed.text
        await scene.quiet()
        assert "to take the" in scene.table.text


async def test_a_paused_match_outlives_its_channel(tmp_path: Path) -> None:
    """It continues in another one once a player moves it there; until then they are told how."""
    async with timed(tmp_path, Clock()) as scene:
        await pause(scene)
        scene.sandbox.moderation.delete_channel(scene.channel)
        await scene.quiet()
        other = scene.sandbox.channel("quiet-corner")
        hand = (await scene.use(scene.north, "gin hand", other)).message
        told = "Use `/gin table` in another channel of the same server to continue there."
        assert told in hand.text
        assert told in (await scene.press(scene.north, hand, "Continue")).text
        await scene.ask(scene.north, "table", other)
        await scene.quiet()
        (table,) = scene.posts_in(other)
        await scene.press(scene.south, table, "Continue")
        going_on = await scene.press(scene.north, table, "Continue")
        thread = next(one for one in scene.north.channels() if one.name == "North vs South")
        assert f"The match goes on in <#{thread.id}>." in going_on.text


async def test_a_holiday_stops_the_time_and_tables_say_so(tmp_path: Path) -> None:
    """No reminder comes; *I'm back* ends it, and once more changes nothing."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        away = await scene.use(scene.north, "gin me away", scene.channel, days=14)
        until = f"<t:{int((clock.now + 14 * DAY).timestamp())}:f>"
        assert f"You are away until {until}" in away.text
        await scene.quiet()
        assert f"⁨North⁩ is away until {until}, with 2 days left after that." in scene.table.text
        assert f"You are away until {until}" in (await scene.hand(scene.north)).text
        await scene.later(clock, 3 * DAY)
        assert reminders(scene.north) == []
        hand = (await scene.press(scene.south, await scene.hand(scene.south), "Refresh")).message
        assert ways(hand) == ["Refresh", "Give a day", "My games"]
        assert "stands still" in (await click(scene.south, hand, Action.NUDGE, 1)).text
        panel = await scene.use(scene.north, "gin me preferences")
        assert f"You are away until {until}." in panel.text
        back = await scene.press(scene.north, panel.message, "I'm back")
        assert back.message is panel.message
        assert f"**{WELCOME_BACK}**" in back.text
        assert "**Holiday:** none" in back.text
        assert "You are not away" in (await scene.press(scene.north, away.message, "I'm back")).text
        await scene.quiet()
        assert f"⁨North⁩'s time is up {at(clock.now + 2 * DAY)}." in scene.table.text
        again = await click(scene.north, back.message, Action.COME_BACK, "me")
        assert "You are not away" in again.text


async def test_a_reminder_that_came_before_a_holiday_follows_it(tmp_path: Path) -> None:
    """It says that there is more time, and calls nobody; the next one comes once that is nearly over."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, DUE)
        (reminder,), pushes = reminders(scene.north), len(scene.north.pushes)
        away = await scene.use(scene.north, "gin me away", scene.channel, days=1)
        await scene.quiet()
        assert f"your time is up {at(clock.now + 36 * HOUR)}." in reminder.text
        await scene.later(clock, HOUR)
        await scene.press(scene.north, away.message, "I'm back")
        await scene.quiet()
        assert f"your time is up {at(clock.now + 12 * HOUR)}." in reminder.text
        assert len(scene.north.pushes) == pushes


async def test_the_table_says_that_who_waits_is_away_too(tmp_path: Path) -> None:
    """The other should not hurry for somebody who will not move anyway; a move ends the holiday."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.use(scene.south, "gin me away", scene.channel, days=2)
        await scene.quiet()
        until = f"<t:{int((clock.now + 2 * DAY).timestamp())}:f>"
        assert f"⁨South⁩ is away until {until}." in scene.table.text
        await scene.ask(scene.north, "pass")
        await scene.quiet()
        assert f"⁨South⁩ is away until {until}, with 2 days left after that." in scene.table.text
        await scene.later(clock, HOUR)
        await scene.ask(scene.south, "pass")
        await scene.quiet()
        assert "away" not in scene.table.text


async def have_holidays(scene: Scene, clock: Clock, *days: int) -> None:
    """Let North have been away so many days, time after time."""
    for one in days:
        await scene.ask(scene.north, "me away", days=one)
        await scene.later(clock, 15 * DAY)


async def test_holidays_have_an_end(tmp_path: Path) -> None:
    """Thirty days a year: whoever wants more is told what they have left."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        await have_holidays(scene, clock, 14, 14)
        assert "1 to 2 days now: you have 2 days left of the 30 in a year" in await scene.ask(
            scene.north, "me away", days=5
        )
        await scene.ask(scene.north, "me away", days=2)
        await scene.later(clock, 3 * DAY)
        assert "taken all 30 days of holiday" in await scene.ask(scene.north, "me away", days=1)


async def test_a_holiday_says_how_many_days_are_left_and_what_it_replaces(tmp_path: Path) -> None:
    """By command; the list of one's games says it too, and ends it."""
    async with clubhouse(tmp_path, clock=Clock()) as scene:
        first = await scene.use(scene.north, "gin me away", scene.channel, days=14)
        assert "You have 16 days left of the 30 in a year." in first.text
        assert "replaces" not in first.text
        second = await scene.use(scene.north, "gin me away", scene.channel, days=3)
        assert "This holiday replaces the one that was already on. You have 27 days left" in second.text
        games = await scene.use(scene.north, "gin games", scene.channel)
        assert "You are away until" in games.text
        back = await scene.press(scene.north, games.message, "I'm back")
        assert WELCOME_BACK in back.text
        assert "You are away" not in (await scene.press(scene.north, back.message, "My games")).text
        assert "replaces" not in await scene.ask(scene.north, "me away", days=1)


async def test_a_holiday_is_taken_and_ended_among_the_preferences(tmp_path: Path) -> None:
    """The panel offers no more days than are left, a new holiday in place of one that is on, and the way back."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        assert "**Holiday:** none" in panel.text
        await scene.choose(scene.north, panel, CHANGE, "Holiday")
        assert "You have 30 days left of the 30 in a year." in panel.text
        assert labels(panel) == ["Back"]
        offered = ["1 day", "2 days", "3 days", "5 days", "7 days", "10 days", "14 days"]
        assert [option.label for option in panel.selects[0].options] == offered
        await scene.choose(scene.north, panel, "Begin a holiday …", "14 days")
        until = f"<t:{int((clock.now + 14 * DAY).timestamp())}:f>"
        assert "**Your holiday has begun.**" in panel.text
        assert f"You are away until {until}." in panel.text
        assert "You have 16 days left of the 30 in a year. A new one takes the place" in panel.text
        await scene.quiet()
        assert f"⁨North⁩ is away until {until}" in scene.table.text
        await scene.choose(scene.north, panel, "Begin a new holiday …", "2 days")
        assert "**Your new holiday has begun, in place of the one before.**" in panel.text
        assert "You have 28 days left" in panel.text
        await scene.later(clock, HOUR)
        back = await scene.press(scene.north, panel, "I'm back")
        assert back.message is panel
        assert f"**{WELCOME_BACK}**" in panel.text
        assert "You have 29 days left" in panel.text
        await scene.press(scene.north, panel, "Back")
        assert "**Holiday:** none" in panel.text


async def test_no_more_days_of_holiday_are_offered_than_are_left(tmp_path: Path) -> None:
    """The last number is what is left, and then the menu goes; a number that was offered before is refused."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        await have_holidays(scene, clock, 14, 12)
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        await scene.choose(scene.north, panel, CHANGE, "Holiday")
        assert [option.value for option in panel.selects[0].options] == ["1", "2", "3", "4"]
        refused = await click(scene.north, panel, Action.TAKE_HOLIDAY, "me", values=["5"])
        assert "1 to 4 days now: you have 4 days left of the 30 in a year" in refused.text
        await scene.choose(scene.north, panel, "Begin a holiday …", "4 days")
        assert "You have no more days left of the 30 in a year. A new one takes the place" in panel.text
        await scene.later(clock, 5 * DAY)
        await scene.press(scene.north, panel, "Back")
        await scene.choose(scene.north, panel, CHANGE, "Holiday")
        assert "no more days left of the 30 in a year. *Pause or leave* under a table" in panel.text
        assert panel.selects == []


@pytest.mark.parametrize("by_dm", [True, False])
async def test_a_hand_has_the_way_back_from_a_holiday(tmp_path: Path, by_dm: bool) -> None:
    """It ends the holiday and shows the hand in place, which says so until the next change."""
    clock = Clock()
    async with timed(tmp_path, clock, open_dms=by_dm) as scene:
        shown = await scene.hand(scene.north) if by_dm else None
        shown = shown or (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert "I'm back" not in labels(shown)
        await scene.ask(scene.north, "me away", days=2)
        await scene.quiet()
        if not by_dm:
            shown = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert "You are away until" in shown.text
        back = await scene.press(scene.north, shown, "I'm back")
        await scene.quiet()
        assert back.message is shown
        assert f"**{WELCOME_BACK}**" in shown.text
        assert "away" not in shown.text
        assert "I'm back" not in labels(shown)
        assert "away" not in scene.table.text
        none = await click(scene.north, shown, Action.COME_BACK, 1)
        assert "You are not away" in none.text
        await scene.play(scene.north, shown, Action.PASS)
        assert WELCOME_BACK not in shown.text


@pytest.mark.parametrize("by_dm", [True, False])
async def test_a_move_that_ends_a_holiday_says_so_once(tmp_path: Path, by_dm: bool) -> None:
    """In the hand after the move, also in direct messages, where nothing overwrites it."""
    clock = Clock()
    async with timed(tmp_path, clock, open_dms=by_dm) as scene:
        await scene.ask(scene.north, "me away", days=2)
        await scene.quiet()
        asked = None if by_dm else await scene.use(scene.north, "gin hand", scene.channel)
        shown = await scene.hand(scene.north) if asked is None else asked.message
        await scene.play(scene.north, shown, Action.TAKE)
        await scene.quiet()
        assert f"**{WELCOME_BACK}**" in shown.text
        assert "away" not in scene.table.text
        await scene.play(scene.north, shown, Action.DISCARD, "Qh")
        assert WELCOME_BACK not in shown.text


async def test_a_command_that_ends_a_holiday_says_so(tmp_path: Path) -> None:
    """In the one line that answers it where the hand comes by direct message; a refused one ends nothing."""
    async with timed(tmp_path, Clock()) as scene:
        await scene.ask(scene.north, "me away", days=2)
        assert WELCOME_BACK not in await scene.ask(scene.north, "discard", card="Qh")
        assert (await scene.ask(scene.north, "pass")).startswith(f"{WELCOME_BACK} You passed")
        assert "You are not away" in (await click(scene.north, scene.table, Action.COME_BACK, "me")).text


async def test_the_next_match_is_one_press_away(tmp_path: Path) -> None:
    """In a private hand it comes in place; after the last one there is kindly none."""
    clock, corner = Clock(), "quiet-corner"
    async with timed(tmp_path, clock, open_dms=False) as scene:
        other = scene.sandbox.channel(corner)
        await begin(scene, other)
        shown = (await scene.use(scene.north, "gin hand", scene.channel)).message
        moved = await scene.play(scene.north, shown, Action.PASS)
        assert moved.message is shown
        assert "Next match (1)" in labels(shown)
        await scene.press(scene.north, shown, "Nudge" if "Nudge" in labels(shown) else "Give a day")
        went = await scene.press(scene.north, shown, "Next match (1)")
        assert went.message is shown
        assert f"Your next match, in <#{other.id}>" in shown.text
        assert f"· <#{other.id}>" in shown.text
        again = await scene.use(scene.north, "gin hand", scene.channel)
        assert f"· <#{scene.channel.id}>" in again.text
        assert not shown.deleted
        await scene.play(scene.north, shown, Action.PASS)
        assert "Next match" not in str(labels(shown))
        none = await click(scene.north, shown, Action.NEXT_MATCH, 2)
        assert "No other match waits for you now." in none.text


async def test_the_next_match_comes_below_a_hand_by_direct_message(tmp_path: Path) -> None:
    """The direct message of a match stays its own."""
    clock, corner = Clock(), "quiet-corner"
    async with timed(tmp_path, clock) as scene:
        other = scene.sandbox.channel(corner)
        await begin(scene, other)
        first, second = hands(scene.north)
        assert f"· <#{scene.channel.id}>" in first.text
        await scene.play(scene.north, first, Action.PASS)
        assert "Next match (1)" in labels(first)
        went = await scene.press(scene.north, first, "Next match (1)")
        assert went.message not in (first, second)
        assert f"· <#{other.id}>" in went.message.text
        assert f"· <#{scene.channel.id}>" in first.text


async def test_an_evening_with_five_matches_needs_only_buttons(tmp_path: Path) -> None:
    """From the first ping on, each turn is a press away, in one private message; then the other has five to play."""
    clock = Clock()
    async with timed(tmp_path, clock, open_dms=False) as scene:
        for days in ("14d", "none", "3d", "12h"):
            await begin(scene, scene.channel, clock=days)
        threads = [one for one in scene.north.channels() if one.thread is not None]
        assert len(threads) == 4
        call = next(one for one in scene.posts if f"<@{scene.north.id}>, it is your turn" in one.text)
        hand = (await scene.press(scene.north, call, "My hand")).message
        places = list[str]()
        for left in (4, 3, 2, 1, 0):
            places.append(hand.text.splitlines()[0].rpartition("· ")[2])
            await scene.play(scene.north, hand, Action.PASS)
            offered = [label for label in labels(hand) if label and label.startswith("Next match")]
            assert offered == ([f"Next match ({left})"] if left else [])
            if left:
                assert (await scene.press(scene.north, hand, offered[0])).message is hand
        by_time = [scene.channel, threads[3], threads[2], threads[0], threads[1]]
        assert places == [f"<#{one.id}>" for one in by_time]
        await scene.quiet()
        assert "**your turn**" not in await scene.ask(scene.north, "games")
        listed = await scene.ask(scene.south, "games")
        assert listed.count("**your turn**") == 5


async def test_the_list_of_matches_is_by_urgency(tmp_path: Path) -> None:
    """Own turns by the time left come first, then those of others; the menu leads there."""
    clock, corner = Clock(), "quiet-corner"
    world = World.default()
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
        assert f"- <#{other.id}> against ⁨South⁩: **your turn**, your time is up {soon}," in lines[1]
        assert f"- <#{scene.channel.id}> against ⁨South⁩: **your turn**, your time is up {late}," in lines[2]
        assert str(kitchen.id) not in here.text
        everywhere = (await scene.use(scene.north, "gin games")).message
        assert str(kitchen.id) in everywhere.text.splitlines()[1]
        await scene.choose(scene.north, everywhere, "Go to a match …", everywhere.selects[0].options[0].value)
        assert f"· <#{kitchen.id}>" in everywhere.text
        await scene.ask(scene.north, "pass", other)
        lines = (await scene.use(scene.north, "gin games", scene.channel)).text.splitlines()
        assert str(scene.channel.id) in lines[1]
        assert f"waiting, their time is up {soon}," in lines[2]
        await scene.later(clock, 2 * DAY)
        assert "waiting, **their time is up**, deal 1" in await scene.ask(scene.north, "games")


async def test_who_lost_sight_of_the_channel_is_not_hurried(tmp_path: Path) -> None:
    """Their time stands still from when they were to be reminded, nothing is sent, and an action lets it run again."""
    clock = Clock()
    async with timed(tmp_path, clock, open_dms=False) as scene:
        await scene.ask(scene.north, "pass")
        unseen = member_overwrite(scene.south.user, deny=Permission.VIEW_CHANNEL)
        scene.sandbox.moderation.set_overwrites(scene.channel, unseen)
        await scene.quiet()
        posts, pushes = len(scene.posts), len(scene.south.pushes)
        await scene.later(clock, DUE)
        still = "⁨South⁩ has 12 hours left; it stands still for now. They cannot reach the table."
        until = f"<t:{int((clock.now + 12 * HOUR).timestamp())}:f>"
        assert f"{still} The other player may call the match off from {until}." in scene.table.text
        await scene.later(clock, 11 * HOUR)
        assert still in scene.table.text
        assert len(scene.south.pushes) == pushes
        assert len(scene.posts) == posts
        waiting = await scene.use(scene.north, "gin hand", scene.channel)
        assert ways(waiting.message) == ["Refresh", "Give a day", "My games"]
        assert "cannot reach the table" in (await click(scene.north, waiting.message, Action.CLAIM, 1)).text
        await scene.use(scene.south, "gin games")
        await scene.quiet()
        assert f"⁨South⁩'s time is up {at(clock.now + 12 * HOUR)}." in scene.table.text
