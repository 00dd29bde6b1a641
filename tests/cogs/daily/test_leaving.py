"""The deals of the day of people who leave a server. The bot gets no event, and sees that only if it asks Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.daily import day_at
from bot.model.daily_standings import DailyPeriod
from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId, PersonId
from bot.model.presence import Presence
from bot.sandbox import Channel, Person
from bot.store import daily
from cogs.actions import Action
from cogs.delivery import access
from tests.cogs.daily.test_daily_posts import begin, daily_posts, end_day, go_gin, post_daily, run_chores
from tests.cogs.daily.test_daily_standings import alt, show
from tests.cogs.scenes import Scene, open_scene
from tests.helpers.clock import Clock
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import change_settings
from tests.helpers.thinkers import make_reviews_brief, use_local_thinker
from tests.helpers.worlds import stopped_world

pytestmark = pytest.mark.thorough

ANNEXE = "annexe"


@pytest.fixture
async def scene(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    """Run a bot on two servers with the same members. In its deals of the day, the first player goes gin at once."""
    use_local_thinker(monkeypatch)
    make_reviews_brief(monkeypatch)
    monkeypatch.setattr(access, "ANSWER_TIMEOUT", 600)
    world = stopped_world()
    people = [user for user in world.users.values() if user is not world.bot]
    world.add_channel(world.add_guild("The Annexe", people), ANNEXE)
    async with open_scene(tmp_path, *[IMMEDIATE_GIN] * 9, world=world, clock=clock) as scene:
        yield scene


async def leave(scene: Scene, person: Person) -> None:
    """Have a person leave the server with the channel `games`, and let the bot see that."""
    guild = scene.channel.guild
    assert guild is not None
    scene.sandbox.moderation.leave(guild, person.user)
    place = Place(scene.guild_id, ChannelId(scene.channel.id))
    assert await scene.bot.client.access.presence(PersonId(person.id), place) is Presence.GONE


async def players_on(scene: Scene, clock: Clock, channel: Channel) -> list[int | None]:
    """Return the people whose tries at today's deal count on the server of a channel."""
    assert channel.guild is not None
    today = day_at(clock.now)
    async with scene.bot.database.read() as transaction:
        results = await daily.results(transaction, GuildId(channel.guild.id), today, today)
    return [result.player.id for result in results]


async def test_the_results_of_people_who_left_stay(scene: Scene, clock: Clock) -> None:
    """A person who has left stays in the server's standings and in the result of the post, with the replay."""
    post = await post_daily(scene)
    await go_gin(scene, scene.south, post)
    await begin(scene, scene.north, post)
    await leave(scene, scene.south)
    assert "South" in alt(await show(scene, scene.east))
    await end_day(scene, clock)
    assert "South" in post.text
    assert (await scene.press(scene.east, post, Action.REPLAY)).message.images
    assert "South" in alt(await show(scene, scene.east, period=DailyPeriod.ALL))


async def test_a_try_that_was_opened_before_leaving_counts(scene: Scene, clock: Clock) -> None:
    """A try counts on the server on which it was opened, even if the person leaves before they finish it."""
    await begin(scene, scene.south, await post_daily(scene))
    hand = await scene.wait_for_turn(scene.south)
    await leave(scene, scene.south)
    await scene.press(scene.south, hand, Action.TAKE)
    await scene.press(scene.south, hand, Action.GIN)
    assert await players_on(scene, clock, scene.channel) == [scene.south.id]
    assert "South" in alt(await show(scene, scene.east))


async def test_people_who_left_play_only_for_other_servers(scene: Scene, clock: Clock) -> None:
    """A try that a person begins from the post of another server does not count on the server that they left."""
    annexe = scene.sandbox.channel(ANNEXE)
    assert annexe.guild is not None
    await post_daily(scene)
    await change_settings(scene.bot.app, GuildId(annexe.guild.id), daily_channel=ChannelId(annexe.id))
    await run_chores(scene)
    (post,) = daily_posts(scene, annexe)
    await leave(scene, scene.south)
    await go_gin(scene, scene.south, post)
    assert await players_on(scene, clock, annexe) == [scene.south.id]
    assert await players_on(scene, clock, scene.channel) == []
