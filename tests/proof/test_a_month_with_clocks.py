"""A month with clocks: quiet hours, daylight saving time, a holiday, removal of the bot, and both kinds of endings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.sandbox import Channel, Message, Permission, Person
from bot.store import tables
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchStatus
from cogs.kit.actions import Action
from cogs.text.clocks import away_until, date_of
from tests.cogs.scenes import Scene, clubhouse
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.databases import fetch
from tests.helpers.players import press
from tests.helpers.shufflers import KNOCK_AT_ONCE

pytestmark = [pytest.mark.nightly, pytest.mark.both_databases]

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


async def begin(scene: Scene, channel: Channel, clock: str) -> None:
    """Let North challenge South in a channel, who accepts."""
    invitation = await scene.invite(scene.north, scene.south, channel, clock=clock)
    await press(scene.south, invitation, Action.ACCEPT)
    await scene.quiet()


def reminded(person: Person) -> bool:
    """Return True if a person has a reminder."""
    return any(has_button(message, Action.OPEN_MATCH) for message in person.direct_messages())


async def test_a_month_with_clocks(tmp_path: Path) -> None:
    """No player is reminded at night, even when clocks change, or loses because of a holiday or the bot's absence."""
    clock = Clock()
    clock.now = datetime(2026, 10, 23, 12, tzinfo=UTC)
    async with clubhouse(tmp_path, *[KNOCK_AT_ONCE] * 4, clock=clock) as scene:
        games, general, guild = scene.channel, scene.sandbox.channel("general"), scene.sandbox.channel("games").guild
        assert guild is not None
        quiet = {"time_zone": "Europe/Paris", "quiet_from": "22:00", "quiet_to": "8:00"}
        await scene.use(scene.north, "gin me preferences", games, **quiet)
        await begin(scene, games, "2d flag")

        # Due at 2:00 in the night before daylight saving time ends, so it is sent at 22:00.
        await scene.later(clock, timedelta(hours=31, minutes=59))
        assert not reminded(scene.north)
        await scene.later(clock, MINUTE)
        assert clock.now == datetime(2026, 10, 24, 20, tzinfo=UTC)
        assert reminded(scene.north)

        # A second match begins in the night, which is an hour longer.
        await scene.later(clock, HOUR)
        await begin(scene, general, "12h")
        await scene.use(scene.north, "gin pass", games)
        await scene.use(scene.north, "gin pass", general)
        await scene.quiet()

        # A holiday of a week stops South's clocks, and both tables show it.
        away = await scene.use(scene.south, "gin me away", games, days=7)
        await scene.quiet()
        assert away.message is not None
        for match_id, channel in ((MatchId(1), games), (MatchId(2), general)):
            shown = await scene.alive.app.lookup.table(match_id)
            (until,) = filter(None, (away_until(shown.match, time) for time in shown.times.values()))
            assert date_of(until) in newest(scene, channel, Action.SHOW_SCORE).text
        await scene.later(clock, 6 * DAY)
        await press(scene.south, away.message, Action.COME_BACK)
        await scene.later(clock, HOUR)

        # The bot is removed for ten days, longer than any turn, and then returns.
        scene.sandbox.moderation.remove_bot(guild)
        await scene.quiet()
        await scene.later(clock, 10 * DAY)
        scene.sandbox.moderation.add_bot(guild, Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES)
        await scene.quiet()
        await scene.later(clock, HOUR)
        running = [hand.match.clock for hand in await scene.alive.app.lookup.hands(_id(scene.south))]
        assert sorted(map(str, running)) == ["12h", "2d flag"]

        # One match ends automatically. In the other, the waiting player claims the win.
        await scene.later(clock, 12 * HOUR)
        people = (scene.north, scene.south)
        claimant, hand = next(
            (one, hand) for one in people for hand in one.direct_messages() if has_button(hand, Action.CLAIM)
        )
        await press(claimant, hand, Action.CLAIM)
        await scene.later(clock, 2 * DAY)
        for match_id, channel in ((MatchId(1), games), (MatchId(2), general)):
            assert (await scene.alive.app.lookup.info(match_id)).status is MatchStatus.FINISHED
            log = await fetch(
                scene.alive.database, select(tables.action.c.text).where(tables.action.c.match_id == match_id)
            )
            assert any(text.endswith(" time") for (text,) in log)
            assert has_button(newest(scene, channel, Action.REMATCH), Action.REMATCH)


def newest(scene: Scene, channel: Channel, action: Action) -> Message:
    """Return the newest message of a channel with a button, as a spectator sees it."""
    return next(one for one in reversed(scene.posts_in(channel)) if has_button(one, action))


def _id(person: Person) -> PersonId:
    return PersonId(person.id)
