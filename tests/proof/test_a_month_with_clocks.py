"""A month of play with clocks: quiet hours, daylight saving time, a holiday, and removal of the bot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.model.ids import ChannelId, MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.sandbox import Channel, Message, Permission, Person
from bot.store import tables
from cogs.actions import Action
from cogs.words.clocks import away_until, date_of
from tests.cogs.scenes import Scene, open_scene
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.databases import fetch
from tests.helpers.players import press
from tests.helpers.shufflers import IMMEDIATE_KNOCK

pytestmark = [pytest.mark.nightly, pytest.mark.both_databases]

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


async def begin(scene: Scene, channel: Channel, clock: str) -> MatchId:
    """Start a match in a channel: North challenges South, who accepts. Return the match."""
    invitation = await scene.invite(scene.north, scene.south, channel, clock=clock)
    await press(scene.south, invitation, Action.ACCEPT)
    await scene.wait_until_idle()
    match = await scene.bot.app.lookup.running_in(ChannelId(channel.id))
    assert match is not None
    return match.id


def reminded(person: Person) -> bool:
    """Return True if a person's direct messages have a reminder of their turn."""
    return any(has_button(message, Action.OPEN_MATCH) for message in person.direct_messages())


async def test_a_month_with_clocks(tmp_path: Path) -> None:
    """No player is reminded during quiet hours, or loses on time because of a holiday or the bot's removal."""
    clock = Clock()
    clock.now = datetime(2026, 10, 23, 12, tzinfo=UTC)
    async with open_scene(tmp_path, *[IMMEDIATE_KNOCK] * 4, clock=clock) as scene:
        games, general, guild = scene.channel, scene.sandbox.channel("general"), scene.sandbox.channel("games").guild
        assert guild is not None
        quiet = {"time_zone": "Europe/Paris", "quiet_from": "22:00", "quiet_to": "8:00"}
        await scene.use(scene.north, "gin me preferences", games, **quiet)
        first_match = await begin(scene, games, "2d flag")

        # The reminder is due at 2:00, in the night when clocks are put back. It is sent at 22:00, before quiet hours.
        await scene.advance_until_idle(clock, timedelta(hours=31, minutes=59))
        assert not reminded(scene.north)
        await scene.advance_until_idle(clock, MINUTE)
        assert clock.now == datetime(2026, 10, 24, 20, tzinfo=UTC)
        assert reminded(scene.north)

        # A second match begins an hour later, in the same night, which has an extra hour because clocks are put back.
        await scene.advance_until_idle(clock, HOUR)
        matches = ((first_match, games), (await begin(scene, general, "12h"), general))
        await scene.use(scene.north, "gin pass", games)
        await scene.use(scene.north, "gin pass", general)
        await scene.wait_until_idle()

        # A holiday of a week stops South's clocks, and both tables show it.
        away = await scene.use(scene.south, "gin me away", games, days=7)
        await scene.wait_until_idle()
        assert away.message is not None
        for match_id, channel in matches:
            shown = await scene.bot.app.lookup.table(match_id)
            (until,) = filter(None, (away_until(shown.match, time) for time in shown.times_left.values()))
            assert date_of(until) in newest(scene, channel, Action.SHOW_SCORE).text
        await scene.advance_until_idle(clock, 6 * DAY)
        await press(scene.south, away.message, Action.COME_BACK)
        await scene.advance_until_idle(clock, HOUR)

        # The bot is removed for ten days, longer than any turn, and then returns.
        scene.sandbox.moderation.remove_bot(guild)
        await scene.wait_until_idle()
        await scene.advance_until_idle(clock, 10 * DAY)
        scene.sandbox.moderation.add_bot(guild, Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES)
        await scene.wait_until_idle()
        await scene.advance_until_idle(clock, HOUR)
        running = [hand.match.clock for hand in await scene.bot.app.lookup.hands(_id(scene.south))]
        assert sorted(map(str, running)) == ["12h", "2d flag"]

        # The match with `flag` ends automatically when the time is up. In the other, the waiting player claims the win.
        await scene.advance_until_idle(clock, 12 * HOUR)
        people = (scene.north, scene.south)
        claimant, hand = next(
            (person, hand) for person in people for hand in person.direct_messages() if has_button(hand, Action.CLAIM)
        )
        await press(claimant, hand, Action.CLAIM)
        await scene.advance_until_idle(clock, 2 * DAY)
        for match_id, channel in matches:
            assert (await scene.bot.app.lookup.info(match_id)).status is MatchStatus.FINISHED
            log = await fetch(
                scene.bot.database, select(tables.action.c.text).where(tables.action.c.match_id == match_id)
            )
            assert any(text.endswith(" time") for (text,) in log)
            assert has_button(newest(scene, channel, Action.REMATCH), Action.REMATCH)


def newest(scene: Scene, channel: Channel, action: Action) -> Message:
    """Return a channel's newest message with a button for this action, as a spectator sees the message."""
    return next(post for post in reversed(scene.posts_in(channel)) if has_button(post, action))


def _id(person: Person) -> PersonId:
    return PersonId(person.id)
