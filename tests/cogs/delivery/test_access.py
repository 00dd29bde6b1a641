"""Permissions to see a channel: the bot asks Discord at most once a minute, and refuses if it gets no answer."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.ids import ChannelId, GuildId
from bot.model.matches import MatchStatus
from bot.model.people import Push
from bot.play.refusals import NoMatch
from bot.sandbox import (
    Delay,
    Interaction,
    Permission,
    Person,
    Refuse,
    Reset,
    ServerError,
    member_overwrite,
    role_overwrite,
)
from cogs.actions import Action
from cogs.delivery import access as module
from cogs.delivery.access import ANSWER_TIMEOUT, CACHE_SECONDS
from cogs.delivery.errors import UserError
from cogs.delivery.refusals import may_not_write
from cogs.showdowns.showdown_text import NO_DEAL
from tests.cogs.scenes import Scene, buttons, open_match_scene, open_scene, person_of, world_with_private_thread
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import Players, prefer
from tests.helpers.waiting import eventually
from tests.helpers.worlds import stopped_world

_MEMBERS = "GET /guilds/{guild_id}/members/{user_id}"


@pytest.fixture(autouse=True)
def _long_timeout(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    """Allow Discord a minute to answer, because the machine may be busy."""
    monkeypatch.setattr(module, "ANSWER_TIMEOUT", 60.0)


async def ask_for_score(scene: Scene, person: Person | None = None) -> Interaction:
    """Have a person, by default a spectator, ask in direct messages for the score of the match in the channel."""
    person = person or scene.east
    message = (await scene.use(person, "gin help")).message
    return await click(person, message, Action.SHOW_SCORE, 1)


def shows_score(answer: Interaction) -> bool:
    """Return True if an answer is the score of a match without a finished deal."""
    return NO_DEAL[MatchStatus.RUNNING] in answer.text


async def sees(scene: Scene, person: Person | None = None) -> bool:
    """Return True if a person gets the match's score, and False if the refusal is `NoMatch`. Fail otherwise."""
    answer = await ask_for_score(scene, person)
    error = scene.error(answer)
    assert error is None or isinstance(error, NoMatch)
    assert shows_score(answer) is (error is None)
    return error is None


def request_count(scene: Scene, route: str = _MEMBERS) -> int:
    """Return the number of requests to a route."""
    return scene.sandbox.journal.routes[f"GET {route.removeprefix('GET ')}"]


@pytest.mark.thorough
async def test_discord_is_asked_once_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord's answer, yes or no, is cached for a minute; after that a person who left the server sees nothing."""
    now = 0.0
    async with open_match_scene(tmp_path, IMMEDIATE_GIN) as scene:
        guild = scene.channel.guild
        assert guild is not None
        monkeypatch.setattr(scene.bot.client.access, "_clock", lambda: now)
        for _ in range(3):
            assert await sees(scene)
        assert request_count(scene) == 1
        scene.sandbox.moderation.leave(guild, scene.east.user)
        assert await sees(scene)
        now += CACHE_SECONDS
        for _ in range(3):
            assert not await sees(scene)
        assert request_count(scene) == 2
        scene.sandbox.moderation.join(guild, scene.east.user)
        now += CACHE_SECONDS
        assert await sees(scene)


@pytest.mark.thorough
async def test_errors_from_discord_count_as_no(tmp_path: Path) -> None:
    """If Discord answers with an error, the person sees nothing. After a temporary error, the bot soon asks again."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN) as scene:
        for fault in (ServerError(503), Reset()):
            scene.sandbox.faults.requests(fault, on="GET /guilds/*", times=5)
            assert not await sees(scene)
        scene.sandbox.faults.clear()
        assert await sees(scene)
        scene.sandbox.faults.requests(Refuse(50013), on="GET /guilds/*", times=5)
        assert not await sees(scene, scene.west)


@pytest.mark.thorough
async def test_a_slow_answer_counts_as_no(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Discord takes too long to answer, the person gets a refusal within three seconds."""
    assert ANSWER_TIMEOUT < 3
    monkeypatch.setattr(module, "ANSWER_TIMEOUT", 0.01)
    async with open_match_scene(tmp_path, IMMEDIATE_GIN) as scene:
        scene.sandbox.faults.requests(Delay(600), on="GET /guilds/*")
        assert not await sees(scene)
        scene.sandbox.world.clock.advance(600)


@pytest.mark.thorough
async def test_members_and_players_need_no_request(tmp_path: Path) -> None:
    """For interactions on the match's server or by its players, the bot need not ask Discord about permissions."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN) as scene:
        for person in (scene.east, scene.south):
            for channel in (scene.channel, scene.sandbox.channel("general")):
                message = (await scene.use(person, "gin help", channel)).message
                assert shows_score(await click(person, message, Action.SHOW_SCORE, 1))
        message = (await scene.use(scene.south, "gin help")).message
        for action in (Action.SHOW_HAND, Action.SHOW_SCORE, Action.SHOW_RULES):
            await click(scene.south, message, action, 1)
        assert request_count(scene) == 0


@pytest.mark.thorough
async def test_an_archived_thread_is_looked_up(tmp_path: Path) -> None:
    """The bot asks Discord about an archived thread, which the gateway does not report, and about its members."""
    world = stopped_world()
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    people = {user.display_name: user for user in world.users.values()}
    thread = world.add_thread(games, "whispers", people["East"], private=True, members=[world.bot])
    assert thread.guild is not None
    async with open_scene(tmp_path, IMMEDIATE_GIN, world=world) as scene:
        players = Players(scene.bot.app, (person_of(scene.north), person_of(scene.south)))
        await players.begin("classic", ChannelId(thread.id), GuildId(thread.guild.id))
        await scene.wait_until_idle()
        scene.sandbox.moderation.archive(thread)
        await scene.wait_until_idle()
        assert await sees(scene)
        message = (await scene.use(scene.west, "gin help")).message
        assert isinstance(scene.error(await click(scene.west, message, Action.SHOW_SCORE, 1)), NoMatch)


@pytest.mark.thorough
async def test_a_menu_does_not_name_hidden_channels(tmp_path: Path) -> None:
    """A player who can no longer see a match's channel can choose the match, but the menu does not name the channel."""
    async with open_scene(tmp_path) as scene:
        guild = scene.channel.guild
        assert guild is not None
        south = person_of(scene.south)
        for name in ("games", "general"):
            channel = scene.sandbox.channel(name)
            await Players(scene.bot.app, (person_of(scene.north), south)).begin(
                "classic", ChannelId(channel.id), GuildId(guild.id)
            )
        await scene.wait_until_idle()
        hidden = member_overwrite(scene.south.user, deny=Permission.VIEW_CHANNEL)
        scene.sandbox.moderation.set_overwrites(scene.channel, hidden)
        await scene.wait_until_idle()
        answer = await scene.use(scene.south, "gin hand", scene.sandbox.channel("quiet-corner"))
        descriptions = [str(option.description) for option in answer.message.selects[0].options]
        assert ["#" in description for description in descriptions] == [False, True]
        assert "#general" in descriptions[1]
        hand = await scene.choose(scene.south, answer.message, Action.SHOW_HAND, "1")
        assert Action.REFRESH_HAND in buttons(hand.message)


@pytest.mark.thorough
async def test_pings_do_not_add_people_to_private_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who was removed from the match's thread is not pinged there, since a ping would add them again."""
    now = 0.0
    world, thread = world_with_private_thread()
    async with open_scene(tmp_path, IMMEDIATE_GIN, world=world) as scene:
        monkeypatch.setattr(scene.bot.client.access, "_clock", lambda: now)
        north, south = person_of(scene.north), person_of(scene.south)
        for player in (north, south):
            await prefer(scene.bot.app, player, push=Push.CHANNEL)
        assert thread.guild is not None
        await Players(scene.bot.app, (north, south)).begin("classic", ChannelId(thread.id), GuildId(thread.guild.id))
        await scene.wait_until_idle()
        assert scene.north.pushes[-1].channel is thread
        scene.sandbox.moderation.remove_from_thread(thread, scene.south.user)
        await scene.ask(scene.north, "pass", thread)
        await scene.wait_until_idle()
        assert thread not in scene.south.channels()
        assert buttons((await scene.use(scene.south, "gin hand", scene.channel)).message) == [Action.TAKE, Action.PASS]
        pushes = len(scene.north.pushes)
        await scene.ask(scene.south, "pass")
        await scene.wait_until_idle()
        assert [push.channel for push in scene.north.pushes[pushes:]] == [thread]


@pytest.mark.thorough
@pytest.mark.parametrize("how", nightly_after(1, ["late", "called"]))
async def test_challenges_do_not_add_people_to_private_threads(tmp_path: Path, how: str) -> None:
    """A challenge that is posted late or again does not add a person to the thread from which they were removed."""
    clock = Clock()
    world, thread = world_with_private_thread()
    async with open_scene(tmp_path, world=world, clock=clock) as scene:
        if how == "late":
            scene.sandbox.faults.requests(ServerError(501), on="POST /channels/*/messages", times=2)
            await scene.ask(scene.north, "challenge", thread, opponent=scene.south)
        else:
            scene.sandbox.moderation.add_to_thread(thread, scene.east.user)
            await scene.ask(scene.south, "challenge", thread, rules="penalty")
        await scene.wait_until_idle()
        scene.sandbox.moderation.remove_from_thread(thread, scene.south.user)
        if how == "late":
            await scene.advance(clock, timedelta(minutes=1))
        else:
            await scene.ask(scene.east, "accept", thread)
        reader = scene.north if how == "late" else scene.east
        await scene.sandbox.until(lambda: any(post.author is world.bot for post in reader.sees(thread)))
        await scene.wait_until_idle()
        assert thread not in scene.south.channels()


@pytest.mark.thorough
async def test_pending_members_may_not_write(tmp_path: Path) -> None:
    """Members who have not accepted the server's rules can see the score, but the bot posts nothing for them."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN) as scene:
        guild = scene.channel.guild
        assert guild is not None
        message = (await scene.use(scene.north, "gin help")).message
        guild.members[scene.north.id].pending = True
        refused = scene.error(await click(scene.north, message, Action.REPOST_TABLE, 1))
        assert isinstance(refused, UserError)
        assert refused.text == may_not_write(scene.channel.id)
        assert shows_score(await click(scene.north, message, Action.SHOW_SCORE, 1))


@pytest.mark.nightly
@pytest.mark.parametrize("problem", nightly_after(1, ["cannot say", "has not told of its channels yet"]))
async def test_no_ping_is_lost_while_discord_does_not_answer(tmp_path: Path, problem: str) -> None:
    """A ping is sent even if Discord at first cannot say who is in the thread, or has not reported the channel yet."""
    world, thread = world_with_private_thread()
    async with open_scene(tmp_path, IMMEDIATE_GIN, world=world) as scene:
        north, south = person_of(scene.north), person_of(scene.south)
        for player in (north, south):
            await prefer(scene.bot.app, player, push=Push.CHANNEL)
        channel = thread if problem == "cannot say" else scene.channel
        assert channel.guild is not None
        players = Players(scene.bot.app, (north, south))
        match = await players.begin("classic", ChannelId(channel.id), GuildId(channel.guild.id))
        await scene.wait_until_idle()
        if problem == "cannot say":
            scene.sandbox.faults.requests(ServerError(501), on="GET /channels/*/thread-members/*")
        else:
            scene.sandbox.faults.events(Delay(60), on="GUILD_CREATE")
            await scene.sandbox.gateway.invalidate(resumable=False)
            await eventually(lambda: scene.bot.client.get_channel(channel.id) is None)
        before = len(scene.south.pushes)
        await players.move(match.id, "pass")
        called = await scene.sandbox.until(lambda: scene.south.pushes[before:])
        assert [push.channel for push in called] == [channel]
        scene.sandbox.world.clock.advance(60)


async def test_everyone_sees_public_channels_only(tmp_path: Path) -> None:
    """Open channels and their public threads, even archived ones, count as visible to everyone; others do not."""
    world, whispers = world_with_private_thread()
    async with open_scene(tmp_path, world=world) as scene:
        guild, moderation = scene.channel.guild, scene.sandbox.moderation
        assert guild is not None
        corner = scene.sandbox.channel("quiet-corner")
        threads = [moderation.create_thread(place, "evening", scene.north.user) for place in (scene.channel, corner)]
        moderation.set_overwrites(corner, role_overwrite(guild.roles[guild.id], deny=Permission.VIEW_CHANNEL))
        for thread in (threads[0], whispers):
            moderation.archive(thread)
        await scene.wait_until_idle()
        channels = {"open": scene.channel, "open thread": threads[0], "hidden": corner, "hidden thread": threads[1]}
        ids = {name: channel.id for name, channel in channels.items()} | {"private": whispers.id, "gone": 1}
        access, guild_id = scene.bot.client.access, GuildId(guild.id)
        visible = {
            name: await access.is_visible_to_all(guild_id, ChannelId(channel_id)) for name, channel_id in ids.items()
        }
        assert [name for name, is_visible in visible.items() if is_visible] == ["open", "open thread"]
        with pytest.raises(TimeoutError):
            await access.is_visible_to_all(GuildId(1), ChannelId(scene.channel.id))
