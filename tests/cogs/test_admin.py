"""What managers of a server may do."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.sandbox import MEMBER_DEFAULTS, Permission, Person, World, member_overwrite
from cogs.admin import EVERY_CHANNEL
from tests.cogs.scenes import Scene, at_table, clubhouse, labels
from tests.helpers.chance import GIN_AT_ONCE

pytestmark = pytest.mark.slow

_COMMANDS = ("settings", "end", "check", "reset")


def _show_admin_commands(scene: Scene) -> None:
    """Do what a server's Integrations page can: show the command to people who do not manage the server."""
    commands = scene.sandbox.core.commands.scopes[None].values()
    next(row for row in commands if row["name"] == "gin-admin")["default_member_permissions"] = None


def _names(scene: Scene, person: Person) -> list[str]:
    return [row["name"] for row in person.commands(scene.channel)]


async def test_managers_only(tmp_path: Path) -> None:
    """Discord hides the commands from others, and where an override shows them the bot refuses kindly."""
    async with clubhouse(tmp_path) as scene:
        assert _names(scene, scene.north) == ["gin", "gin-admin"]
        assert _names(scene, scene.south) == ["gin"]
        _show_admin_commands(scene)
        for command in _COMMANDS:
            told = (await scene.uses(scene.south, f"gin-admin {command}", scene.channel)).text
            assert told == "Only people who may manage this server can do that. Ask one of them."


async def test_a_panel_is_dead_once_its_owner_manages_no_more(tmp_path: Path) -> None:
    """The permission is checked at each press: one who lost it changes nothing with a panel that is still there."""
    world = World.default()
    guild = next(iter(world.guilds.values()))
    role = world.add_role(guild, "Managers", Permission.MANAGE_GUILD | MEMBER_DEFAULTS)
    south = next(user for user in world.users.values() if user.display_name == "South")
    guild.members[south.id].roles.append(role.id)
    async with at_table(tmp_path, world=world) as scene:
        panels = [(await scene.uses(scene.south, f"gin-admin {one}", scene.channel)).message for one in _COMMANDS]
        scene.sandbox.moderation.set_role(guild, role, MEMBER_DEFAULTS)
        settings, end, _, reset = panels
        for press in (
            scene.chooses(scene.south, settings, "Rules …", "Rules: straight"),
            scene.chooses(scene.south, end, "End a match …", "1"),
            scene.presses(scene.south, reset, "Begin anew"),
        ):
            assert "Only people who may manage this server" in (await press).text
        assert "⁨North⁩ vs ⁨South⁩" in scene.table.text


async def test_settings_rule_the_challenges_that_name_nothing(tmp_path: Path) -> None:
    """Rules, target and channels change in place and are what the next challenge goes by."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.uses(scene.north, "gin-admin settings", scene.channel)).message
        assert "plays **classic**. Played in every channel." in panel.text
        await scene.chooses(scene.north, panel, "Rules …", "Rules: straight")
        await scene.chooses(scene.north, panel, "Target …", "Target: 25 points")
        await scene.chooses(scene.north, panel, EVERY_CHANNEL, scene.channel)
        assert f"plays **straight**. Played in <#{scene.channel.id}>." in panel.text
        assert "**straight** rules to 25" in (await scene.invites(scene.south)).text
        assert "**classic** rules to 10" in (await scene.invites(scene.south, rules="classic", target=10)).text
        await scene.chooses(scene.north, panel, EVERY_CHANNEL)
        await scene.chooses(scene.north, panel, "Target …", "Target: as the rules say")
        assert "every channel" in panel.text


async def test_a_manager_ends_a_match(tmp_path: Path) -> None:
    """The match counts for nobody, the channel says so, and a second try finds it over."""
    async with at_table(tmp_path) as scene:
        first, second = [(await scene.uses(scene.north, "gin-admin end", scene.channel)).message for _ in range(2)]
        (menu,) = first.selects
        assert [(option.label, str(option.description)[:18]) for option in menu.options] == [
            ("North vs South", "#games, last move ")
        ]
        for panel in (first, second):
            assert "End ⁨North⁩ vs ⁨South⁩ now?" in (await scene.chooses(scene.north, panel, "End a match …", "1")).text
        assert "⁨North⁩ vs ⁨South⁩" in scene.table.text
        assert "is ended" in (await scene.presses(scene.north, first, "End the match")).text
        assert "called off, nothing counts" in (await scene.post("Rematch")).text
        assert "is over" in (await scene.presses(scene.north, second, "End the match")).text
        assert "No match runs" in (await scene.uses(scene.north, "gin-admin end", scene.channel)).text


async def test_check_names_what_is_missing_in_this_channel(tmp_path: Path) -> None:
    """Everything there, and then each missing permission as Discord's settings name it."""
    async with clubhouse(tmp_path) as scene:
        assert "every permission I need" in (await scene.uses(scene.north, "gin-admin check", scene.channel)).text
        denied = Permission.ATTACH_FILES | Permission.CREATE_PUBLIC_THREADS
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(scene.sandbox.world.bot, deny=denied))
        told = (await scene.uses(scene.north, "gin-admin check", scene.channel)).text
        assert "Here I lack: **Attach Files** and **Create Public Threads**." in told


async def test_the_leaderboard_begins_anew_when_asked_twice(tmp_path: Path) -> None:
    """`reset` asks first; after *Begin anew* old results are gone and running matches go on."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        await scene.asks(scene.north, "take")
        await scene.asks(scene.north, "gin")
        asked = await scene.uses(scene.north, "gin-admin reset", scene.channel)
        assert labels(asked.message) == ["Begin anew"]
        assert "**1.** ⁨North⁩" in await scene.asks(scene.north, "leaderboard")
        await scene.presses(scene.north, asked.message, "Begin anew")
        assert "No match is finished yet" in await scene.asks(scene.north, "leaderboard")
