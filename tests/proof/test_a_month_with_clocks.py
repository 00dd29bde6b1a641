"""A month with the real client: quiet hours, summer time, a holiday, the removal of the bot, and both endings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.sandbox import Channel, Permission, Person
from bot.values.ids import PersonId
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, clubhouse, labels
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.shufflers import KNOCK_AT_ONCE

pytestmark = pytest.mark.slow

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


async def begin(scene: Scene, channel: Channel, clock: str) -> None:
    """Let North challenge South in a channel, who accepts."""
    invitation = await scene.invite(scene.north, scene.south, channel, clock=clock)
    await scene.press(scene.south, invitation, "Accept")
    await scene.quiet()


def reminded(person: Person) -> bool:
    """Return whether a person has a reminder."""
    return any(has_button(message, Action.OPEN_MATCH) for message in person.direct_messages())


async def test_a_month_with_clocks(tmp_path: Path) -> None:
    """Nobody is reminded at night, whatever the clock on the wall does, and nobody loses by what is not their fault."""
    clock = Clock()
    clock.now = datetime(2026, 10, 23, 12, tzinfo=UTC)
    async with clubhouse(tmp_path, *[KNOCK_AT_ONCE] * 4, clock=clock) as scene:
        games, general, guild = scene.channel, scene.sandbox.channel("general"), scene.sandbox.channel("games").guild
        assert guild is not None
        quiet = {"time_zone": "Europe/Paris", "quiet_from": "22:00", "quiet_to": "8:00"}
        await scene.use(scene.north, "gin me preferences", games, **quiet)
        await begin(scene, games, "2d flag")

        # Due at two in the night, when it is still summer there: it comes at ten in the evening.
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

        # A holiday of a week: South's time stands still, and both tables say so.
        away = await scene.use(scene.south, "gin me away", games, days=7)
        await scene.quiet()
        assert "South⁩ is away until" in scene.table.text
        await scene.later(clock, 6 * DAY)
        await scene.press(scene.south, away.message, "I'm back")
        await scene.later(clock, HOUR)

        # The bot is removed for ten days, longer than any turn, and comes back.
        scene.sandbox.moderation.remove_bot(guild)
        await scene.quiet()
        await scene.later(clock, 10 * DAY)
        scene.sandbox.moderation.add_bot(guild, Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES)
        await scene.quiet()
        await scene.later(clock, HOUR)
        running = [hand.match.clock for hand in await scene.alive.app.lookup.hands(_id(scene.south))]
        assert sorted(map(str, running)) == ["12h", "2d flag"]

        # Both endings: one match ends by itself, in the other the one who waits claims.
        await scene.later(clock, 12 * HOUR)
        waiting = [hand for hand in scene.north.direct_messages() if "Claim the match" in labels(hand)]
        waiting += [hand for hand in scene.south.direct_messages() if "Claim the match" in labels(hand)]
        assert waiting
        claimant = scene.north if waiting[0] in scene.north.direct_messages() else scene.south
        assert "You **won**" in (await scene.press(claimant, waiting[0], "Claim the match")).text
        await scene.later(clock, 2 * DAY)
        assert "lost on time" in (await scene.post("Rematch", games)).text
        assert "lost on time" in (await scene.post("Rematch", general)).text


def _id(person: Person) -> PersonId:
    return PersonId(person.id)
