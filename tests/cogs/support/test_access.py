"""Permissions to see a channel: the bot asks Discord once a minute, and refuses if Discord does not answer."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

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
from bot.values.ids import ChannelId, GuildId
from bot.values.matches import MatchStatus
from bot.values.people import Push
from cogs.kit.actions import Action
from cogs.support import access as module
from cogs.support.access import ANSWER_WITHIN, CACHED_FOR
from cogs.support.errors import UserError
from cogs.text.refusals import may_not_write
from cogs.text.showdown import NO_DEAL
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, person_of, private_thread
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import Players, prefer
from tests.helpers.waiting import eventually
from tests.helpers.worlds import stopped_world

_MEMBERS = "GET /guilds/{guild_id}/members/{user_id}"


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    """Allow Discord a minute to answer, because the machine may be busy."""
    monkeypatch.setattr(module, "ANSWER_WITHIN", 60.0)


async def ask(scene: Scene, person: Person | None = None) -> Interaction:
    """Have a person, by default a spectator, ask in direct messages for the score of the match in the channel."""
    person = person or scene.east
    message = (await scene.use(person, "gin help")).message
    return await click(person, message, Action.SHOW_SCORE, 1)


def shows_score(answer: Interaction) -> bool:
    """Return True if an answer is the score of a match without a finished deal."""
    return NO_DEAL[MatchStatus.RUNNING] in answer.text


async def sees(scene: Scene, person: Person | None = None) -> bool:
    """Return True if a person gets the score. Otherwise check that the refusal is `NoMatch`."""
    answer = await ask(scene, person)
    error = scene.error(answer)
    assert error is None or isinstance(error, NoMatch)
    assert shows_score(answer) is (error is None)
    return error is None


def asked(scene: Scene, route: str = _MEMBERS) -> int:
    """Return the number of requests to a route."""
    return scene.sandbox.journal.routes[f"GET {route.removeprefix('GET ')}"]


@pytest.mark.thorough
async def test_discord_is_asked_once_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord's answer is cached for a minute, whether yes or no; after that a person who left sees nothing."""
    now = 0.0
    async with at_table(tmp_path, GIN_AT_ONCE) as scene:
        guild = scene.channel.guild
        assert guild is not None
        monkeypatch.setattr(scene.alive.client.access, "_clock", lambda: now)
        for _ in range(3):
            assert await sees(scene)
        assert asked(scene) == 1
        scene.sandbox.moderation.leave(guild, scene.east.user)
        assert await sees(scene)
        now += CACHED_FOR
        for _ in range(3):
            assert not await sees(scene)
        assert asked(scene) == 2
        scene.sandbox.moderation.join(guild, scene.east.user)
        now += CACHED_FOR
        assert await sees(scene)


@pytest.mark.thorough
async def test_what_discord_does_not_say_is_refused(tmp_path: Path) -> None:
    """An error counts as no. After a temporary error the next attempt asks again."""
    async with at_table(tmp_path, GIN_AT_ONCE) as scene:
        for fault in (ServerError(503), Reset()):
            scene.sandbox.faults.requests(fault, on="GET /guilds/*", times=5)
            assert not await sees(scene)
        scene.sandbox.faults.clear()
        assert await sees(scene)
        scene.sandbox.faults.requests(Refuse(50013), on="GET /guilds/*", times=5)
        assert not await sees(scene, scene.west)


@pytest.mark.thorough
async def test_a_slow_answer_is_a_no_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Discord takes too long, the person gets a refusal within three seconds."""
    assert ANSWER_WITHIN < 3
    monkeypatch.setattr(module, "ANSWER_WITHIN", 0.01)
    async with at_table(tmp_path, GIN_AT_ONCE) as scene:
        scene.sandbox.faults.requests(Delay(600), on="GET /guilds/*")
        assert not await sees(scene)
        scene.sandbox.world.clock.advance(600)


@pytest.mark.thorough
async def test_where_an_interaction_comes_from_nobody_is_asked_about(tmp_path: Path) -> None:
    """No request is made for interactions on the match's server or by its players."""
    async with at_table(tmp_path, GIN_AT_ONCE) as scene:
        for person in (scene.east, scene.south):
            for channel in (scene.channel, scene.sandbox.channel("general")):
                message = (await scene.use(person, "gin help", channel)).message
                assert shows_score(await click(person, message, Action.SHOW_SCORE, 1))
        message = (await scene.use(scene.south, "gin help")).message
        for action in (Action.SHOW_HAND, Action.SHOW_SCORE, Action.SHOW_RULES):
            await click(scene.south, message, action, 1)
        assert asked(scene) == 0


@pytest.mark.thorough
async def test_an_archived_thread_is_looked_up(tmp_path: Path) -> None:
    """The bot looks up a thread that the gateway did not send, and the members of a private one."""
    world = stopped_world()
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    people = {user.display_name: user for user in world.users.values()}
    thread = world.add_thread(games, "whispers", people["East"], private=True, members=[world.bot])
    assert thread.guild is not None
    async with clubhouse(tmp_path, GIN_AT_ONCE, world=world) as scene:
        players = Players(scene.alive.app, (person_of(scene.north), person_of(scene.south)))
        await players.begin("classic", ChannelId(thread.id), GuildId(thread.guild.id))
        await scene.quiet()
        scene.sandbox.moderation.archive(thread)
        await scene.quiet()
        assert await sees(scene)
        message = (await scene.use(scene.west, "gin help")).message
        assert isinstance(scene.error(await click(scene.west, message, Action.SHOW_SCORE, 1)), NoMatch)


@pytest.mark.nightly
async def test_a_menu_names_no_channel_that_somebody_cannot_see(tmp_path: Path) -> None:
    """A player who can no longer see the channel plays on, but the menu does not show the channel's current name."""
    async with clubhouse(tmp_path) as scene:
        guild = scene.channel.guild
        assert guild is not None
        south = person_of(scene.south)
        for name in ("games", "general"):
            channel = scene.sandbox.channel(name)
            await Players(scene.alive.app, (person_of(scene.north), south)).begin(
                "classic", ChannelId(channel.id), GuildId(guild.id)
            )
        await scene.quiet()
        hidden = member_overwrite(scene.south.user, deny=Permission.VIEW_CHANNEL)
        scene.sandbox.moderation.set_overwrites(scene.channel, hidden)
        await scene.quiet()
        made = await scene.use(scene.south, "gin hand", scene.sandbox.channel("quiet-corner"))
        told = [str(option.description) for option in made.message.selects[0].options]
        assert ["#" in one for one in told] == [False, True]
        assert "#general" in told[1]
        hand = await scene.choose(scene.south, made.message, Action.SHOW_HAND, "1")
        assert Action.REFRESH_HAND in buttons(hand.message)


@pytest.mark.thorough
async def test_no_ping_brings_somebody_back_into_a_private_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player who was removed from the thread plays on elsewhere; a member is pinged in the thread as usual."""
    now = 0.0
    world, thread = private_thread()
    async with clubhouse(tmp_path, GIN_AT_ONCE, world=world) as scene:
        monkeypatch.setattr(scene.alive.client.access, "_clock", lambda: now)
        north, south = person_of(scene.north), person_of(scene.south)
        for player in (north, south):
            await prefer(scene.alive.app, player, push=Push.CHANNEL)
        assert thread.guild is not None
        await Players(scene.alive.app, (north, south)).begin("classic", ChannelId(thread.id), GuildId(thread.guild.id))
        await scene.quiet()
        assert scene.north.pushes[-1].channel is thread
        scene.sandbox.moderation.remove_from_thread(thread, scene.south.user)
        await scene.ask(scene.north, "pass", thread)
        await scene.quiet()
        assert thread not in scene.south.channels()
        assert buttons((await scene.use(scene.south, "gin hand", scene.channel)).message) == [Action.TAKE, Action.PASS]
        pushes = len(scene.north.pushes)
        await scene.ask(scene.south, "pass")
        await scene.quiet()
        assert [push.channel for push in scene.north.pushes[pushes:]] == [thread]


@pytest.mark.thorough
@pytest.mark.parametrize("how", nightly_after(1, ["late", "called"]))
async def test_no_challenge_brings_somebody_back_into_a_private_thread(tmp_path: Path, how: str) -> None:
    """This holds for a post that was delayed, and for one that is posted again because the match can begin."""
    clock = Clock()
    world, thread = private_thread()
    async with clubhouse(tmp_path, world=world, clock=clock) as scene:
        if how == "late":
            scene.sandbox.faults.requests(ServerError(501), on="POST /channels/*/messages", times=2)
            await scene.ask(scene.north, "challenge", thread, opponent=scene.south)
        else:
            scene.sandbox.moderation.add_to_thread(thread, scene.east.user)
            await scene.ask(scene.south, "challenge", thread, rules="penalty")
        await scene.quiet()
        scene.sandbox.moderation.remove_from_thread(thread, scene.south.user)
        if how == "late":
            await scene.age(clock, timedelta(minutes=1))
        else:
            await scene.ask(scene.east, "accept", thread)
        reader = scene.north if how == "late" else scene.east
        await scene.sandbox.until(lambda: any(post.author is world.bot for post in reader.sees(thread)))
        await scene.quiet()
        assert thread not in scene.south.channels()


@pytest.mark.nightly
async def test_whoever_has_not_agreed_to_a_servers_rules_may_not_write_there(tmp_path: Path) -> None:
    """They may look at a match from an old message elsewhere, but the bot posts nothing on their behalf."""
    async with at_table(tmp_path, GIN_AT_ONCE) as scene:
        guild = scene.channel.guild
        assert guild is not None
        message = (await scene.use(scene.north, "gin help")).message
        guild.members[scene.north.id].pending = True
        refused = scene.error(await click(scene.north, message, Action.REPOST_TABLE, 1))
        assert isinstance(refused, UserError)
        assert refused.text == may_not_write(scene.channel.id)
        assert shows_score(await click(scene.north, message, Action.SHOW_SCORE, 1))


@pytest.mark.thorough
@pytest.mark.parametrize("what", nightly_after(1, ["cannot say", "has not told of its channels yet"]))
async def test_no_ping_is_lost_while_discord(tmp_path: Path, what: str) -> None:
    """The bot checks again later if a ping would add the player to the thread. Other channels need no check."""
    world, thread = private_thread()
    async with clubhouse(tmp_path, GIN_AT_ONCE, world=world) as scene:
        north, south = person_of(scene.north), person_of(scene.south)
        for player in (north, south):
            await prefer(scene.alive.app, player, push=Push.CHANNEL)
        channel = thread if what == "cannot say" else scene.channel
        assert channel.guild is not None
        players = Players(scene.alive.app, (north, south))
        match = await players.begin("classic", ChannelId(channel.id), GuildId(channel.guild.id))
        await scene.quiet()
        if what == "cannot say":
            scene.sandbox.faults.requests(ServerError(501), on="GET /channels/*/thread-members/*")
        else:
            scene.sandbox.faults.events(Delay(60), on="GUILD_CREATE")
            await scene.sandbox.gateway.invalidate(resumable=False)
            await eventually(lambda: scene.alive.client.get_channel(channel.id) is None)
        before = len(scene.south.pushes)
        await players.move(match.id, "pass")
        called = await scene.sandbox.until(lambda: scene.south.pushes[before:])
        assert [push.channel for push in called] == [channel]
        scene.sandbox.world.clock.advance(60)


async def test_what_everyone_sees(tmp_path: Path) -> None:
    """That is an open channel and its public threads, even archived ones; nothing private, hidden or deleted."""
    world, whispers = private_thread()
    async with clubhouse(tmp_path, world=world) as scene:
        guild, moderation = scene.channel.guild, scene.sandbox.moderation
        assert guild is not None
        corner = scene.sandbox.channel("quiet-corner")
        threads = [moderation.create_thread(place, "evening", scene.north.user) for place in (scene.channel, corner)]
        moderation.set_overwrites(corner, role_overwrite(guild.roles[guild.id], deny=Permission.VIEW_CHANNEL))
        for thread in (threads[0], whispers):
            moderation.archive(thread)
        await scene.quiet()
        channels = {"open": scene.channel, "open thread": threads[0], "hidden": corner, "hidden thread": threads[1]}
        ids = {name: channel.id for name, channel in channels.items()} | {"private": whispers.id, "gone": 1}
        access, guild_id = scene.alive.client.access, GuildId(guild.id)
        seen = {name: await access.everyone_sees(guild_id, ChannelId(one)) for name, one in ids.items()}
        assert [name for name, sees in seen.items() if sees] == ["open", "open thread"]
        with pytest.raises(TimeoutError):
            await access.everyone_sees(GuildId(1), ChannelId(scene.channel.id))
