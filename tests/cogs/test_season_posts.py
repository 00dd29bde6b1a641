"""The post with a season's results appears once, in the configured channel, and reveals nothing hidden."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.model.guilds import GuildSettings
from bot.model.ids import ChannelId, GuildId
from bot.model.seasons import Seasons
from bot.sandbox import (
    MEMBER_DEFAULTS,
    Channel,
    Guild,
    Message,
    Permission,
    Refuse,
    Reset,
    ServerError,
    role_overwrite,
)
from cogs.actions import Action
from cogs.delivery.refusals import may_not_write
from cogs.servers.refusals import cannot_post_results
from tests.cogs.scenes import Scene, buttons, open_scene, person_of
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import new_database
from tests.helpers.living import bot_on, sandbox_of
from tests.helpers.table import change_settings
from tests.helpers.worlds import stopped_world
from tests.play.finished import save_finished_match


def _season_results(posts: list[Message]) -> list[Message]:
    """Return the posts with season results, which have a leaderboard button and no others."""
    return [post for post in posts if buttons(post) == [Action.LEADERBOARD]]


def _guild(scene: Scene) -> Guild:
    assert scene.channel.guild is not None
    return scene.channel.guild


async def _settings(scene: Scene) -> GuildSettings:
    return await scene.bot.app.guilds.settings(GuildId(_guild(scene).id))


async def _play_season(scene: Scene, clock: Clock, *deals: tuple[Channel, int]) -> None:
    """For each (channel, points) in `deals`, save a match that North won there by those points. Then end the season."""
    guild = _guild(scene)
    await change_settings(
        scene.bot.app, GuildId(guild.id), seasons=Seasons.MONTHLY, season_channel=ChannelId(scene.channel.id)
    )
    for channel, points in deals:
        await save_finished_match(
            *(scene.bot.database, clock, person_of(scene.north), person_of(scene.south), points),
            void=False,
            channel_id=ChannelId(channel.id),
            guild_id=GuildId(guild.id),
        )
    clock.now = datetime(2026, 12, 1, 0, 30, tzinfo=UTC)


async def _run_maintenance(scene: Scene) -> list[Message]:
    """Run the maintenance, and return the season results in the channel."""
    await scene.bot.app.leaderboards.run_upkeep()
    scene.bot.app.outbox.notify()
    await scene.wait_until_idle()
    return _season_results(scene.posts)


async def test_the_result_of_a_season_is_posted_once(tmp_path: Path) -> None:
    """A season's result is posted once, with a picture and the champion as text, and pings no one."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        began_at = int(clock.now.timestamp())
        await _play_season(scene, clock, (scene.channel, 60), (scene.channel, 85))
        pushes = len(scene.north.pushes)
        (post,) = await _run_maintenance(scene)
        assert len(scene.north.pushes) == pushes
        opened = (await scene.press(scene.east, post, Action.LEADERBOARD)).message
        assert opened.ephemeral
        assert "November 2026" in opened.text
        revision = post.revision
        await save_finished_match(
            *(scene.bot.database, clock, person_of(scene.south), person_of(scene.north)),
            guild_id=GuildId(_guild(scene).id),
        )
        assert await _run_maintenance(scene) == [post]
        assert post.revision == revision
        profile = (await scene.use(scene.south, "gin-stats profile", scene.channel, person=scene.north)).message
        assert all("November 2026" in shown for shown in (profile.text, str(profile.images[0].alt)))
        # Check the exact wording of the post, and of its picture's description.
        began_late = f"-# Counted from <t:{began_at}:f>. Matches that ended earlier don't count."
        assert post.text.splitlines() == [
            "### November 2026 is over",
            "**Champion in matches for points:** ⁨North⁩",
            began_late,
        ]
        assert [str(picture.alt) for picture in post.images] == [
            "November 2026, Matches for points, from 21 Nov. 1. North: 2 matches won, 0 lost. "
            "Most gins: North, 2 gins. Best streak: North, 2 won. Largest deal: North, 85 points."
        ]
        assert "**Champion of this season:** ⁨North⁩" in opened.text
        assert began_late in opened.text


@pytest.mark.thorough
async def test_a_restart_does_not_repeat_the_result(tmp_path: Path) -> None:
    """A restart does not repeat the post about a season, even if the bot stopped before Discord confirmed it."""
    url, clock = new_database(tmp_path / "deadwood.db"), Clock()
    async with sandbox_of() as sandbox:
        async with bot_on(sandbox, url, clock=clock) as alive:
            scene = Scene(alive)
            await _play_season(scene, clock, (scene.channel, 60))
            sandbox.faults.requests(Reset(applied=True), on="POST /channels/*/messages", times=1)
            await alive.app.leaderboards.run_upkeep()
            alive.app.outbox.notify()
            await sandbox.until(lambda: _season_results(scene.posts))
        for _ in range(2):
            async with bot_on(sandbox, url, clock=clock) as alive:
                assert len(await _run_maintenance(Scene(alive))) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("hidden", ["channel", "private thread", "unknown"])
async def test_a_deal_in_a_hidden_channel_is_not_named(tmp_path: Path, hidden: str) -> None:
    """If the largest deal was in a hidden channel, the post names the largest one that everyone could see."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        guild, corner = _guild(scene), scene.sandbox.channel("quiet-corner")
        private = corner
        if hidden == "private thread":
            private = scene.sandbox.moderation.create_thread(
                scene.channel, "whispers", scene.north.user, private=True, members=[scene.sandbox.world.bot]
            )
        elif hidden == "channel":
            scene.sandbox.moderation.set_overwrites(
                corner, role_overwrite(guild.roles[guild.id], deny=Permission.VIEW_CHANNEL)
            )
        public = scene.sandbox.moderation.create_thread(scene.channel, "evening", scene.north.user)
        await scene.wait_until_idle()
        await _play_season(scene, clock, (private, 99), (public, 70), (scene.channel, 60))
        if hidden == "unknown":
            scene.sandbox.moderation.delete_channel(corner)
        await scene.wait_until_idle()
        (post,) = await _run_maintenance(scene)
        assert "Largest deal: North, 70 points." in str(post.images[0].alt)
        assert "99" not in post.text + str(post.images[0].alt)


@pytest.mark.thorough
async def test_without_a_visible_deal_none_is_named(tmp_path: Path) -> None:
    """If all deals were played in hidden channels, the post does not name a largest deal."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        guild, corner = _guild(scene), scene.sandbox.channel("quiet-corner")
        hide = role_overwrite(guild.roles[guild.id], deny=Permission.VIEW_CHANNEL)
        scene.sandbox.moderation.set_overwrites(corner, hide)
        await _play_season(scene, clock, (corner, 99))
        (post,) = await _run_maintenance(scene)
        assert "99" not in post.text + str(post.images[0].alt)
        assert "Most gins: North, 1 gin." in str(post.images[0].alt)


@pytest.mark.thorough
@pytest.mark.parametrize("why", nightly_after(2, ["forbidden", "deleted", "hidden"]))
async def test_a_result_that_cannot_be_posted_is_given_up(tmp_path: Path, why: str) -> None:
    """If the bot may not write in the channel, or the channel was deleted, the bot tries once, and never again."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        guild, corner = _guild(scene), scene.sandbox.channel("quiet-corner")
        await _play_season(scene, clock, (scene.channel, 60))
        await change_settings(scene.bot.app, GuildId(guild.id), season_channel=ChannelId(corner.id))
        if why == "deleted":
            scene.sandbox.moderation.delete_channel(corner)
        else:
            code = 50013 if why == "forbidden" else 50001
            scene.sandbox.faults.requests(Refuse(code), on=f"POST /channels/{corner.id}/messages", times=100)
        await _run_maintenance(scene)
        scene.sandbox.faults.clear()
        clock.now = datetime(2026, 12, 1, 12, tzinfo=UTC)
        await _run_maintenance(scene)
        assert (await scene.bot.app.outbox.work()).next_due is None
        if why != "deleted":
            assert _season_results(scene.posts_in(corner)) == []


@pytest.mark.thorough
async def test_without_attach_files_the_result_is_text(tmp_path: Path) -> None:
    """Without permission to attach files, the season's post is text; during a Discord outage it is delayed."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        guild, began_at = _guild(scene), int(clock.now.timestamp())
        deny = role_overwrite(guild.roles[guild.id], deny=Permission.ATTACH_FILES)
        bots = [role_overwrite(guild.roles[role], deny=Permission.ATTACH_FILES) for role in _roles_of_bot(scene)]
        scene.sandbox.moderation.set_overwrites(scene.channel, deny, *bots)
        await _play_season(scene, clock, (scene.channel, 60))
        scene.sandbox.faults.requests(ServerError(503), on="POST /channels/*/messages", times=1)
        await _run_maintenance(scene)
        clock.now = datetime(2026, 12, 1, 12, tzinfo=UTC)
        (post,) = await _run_maintenance(scene)
        assert post.images == []
        assert post.text.splitlines() == [
            "### November 2026 is over",
            "**Matches for points**",
            "**1.** ⁨North⁩: **1** won, 0 lost",
            "Most gins: ⁨North⁩ (1) · Largest deal: ⁨North⁩ (60 points)",
            f"-# Counted from <t:{began_at}:f>. Matches that ended earlier don't count.",
        ]


def _roles_of_bot(scene: Scene) -> list[int]:
    return list(_guild(scene).members[scene.sandbox.world.bot.id].roles)


async def test_managers_choose_the_channel(tmp_path: Path) -> None:
    """Managers can choose only a channel in which they may write. The answer names permissions that the bot lacks."""
    world = stopped_world()
    guild = next(iter(world.guilds.values()))
    role = world.add_role(guild, "Managers", Permission.MANAGE_GUILD | MEMBER_DEFAULTS)
    south = next(user for user in world.users.values() if user.display_name == "South")
    guild.members[south.id].roles.append(role.id)
    async with open_scene(tmp_path, world=world) as scene:
        panel = (await scene.use(scene.south, "gin-admin settings", scene.channel)).message
        assert (await _settings(scene)).season_channel is None
        await scene.change_setting(scene.south, panel, Action.SET_SEASON_CHANNEL, scene.channel)
        assert (await _settings(scene)).season_channel == scene.channel.id
        assert f"<#{scene.channel.id}>" in panel.text
        await scene.change_setting(scene.south, panel, Action.SET_SEASON_CHANNEL)
        assert (await _settings(scene)).season_channel is None
        corner = scene.sandbox.channel("quiet-corner")
        bot_muted = [
            role_overwrite(guild.roles[role], deny=Permission.SEND_MESSAGES)
            for role in (guild.id, *_roles_of_bot(scene))
        ]
        scene.sandbox.moderation.set_overwrites(corner, *bot_muted)
        await scene.wait_until_idle()
        refused = await scene.change_setting(scene.south, panel, Action.SET_SEASON_CHANNEL, corner)
        assert refused.text == may_not_write(ChannelId(corner.id))
        assert (await _settings(scene)).season_channel is None
        panel = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        answer = await scene.change_setting(scene.north, panel, Action.SET_SEASON_CHANNEL, corner)
        assert cannot_post_results(corner.id, ["Send Messages", "Attach Files"]) in answer.text
        assert (await _settings(scene)).season_channel == corner.id
