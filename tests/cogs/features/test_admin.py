"""What managers of a server may do."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.engine.rules import PRESETS
from bot.sandbox import MEMBER_DEFAULTS, Message, Permission, Person, World, member_overwrite
from bot.values.ids import GuildId
from cogs.kit.actions import Action
from cogs.panels.settings import CHANGE
from tests.cogs.scenes import Scene, at_table, clubhouse, labels
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE

pytestmark = pytest.mark.slow

_COMMANDS = ("settings", "end", "check", "reset")
_RULES: Mapping[str, Mapping[str, str]] = {
    "rules preview": {"rules": "strict"},
    "rules save": {"name": "Ours", "rules": "strict"},
    "rules remove": {"name": "Ours"},
    "rules list": {},
}


def _show_admin_commands(scene: Scene) -> None:
    """Do what a server's Integrations page can: show the command to people who do not manage the server."""
    commands = scene.sandbox.state.commands.scopes[None].values()
    next(row for row in commands if row["name"] == "gin-admin")["default_member_permissions"] = None


def _names(scene: Scene, person: Person) -> list[str]:
    return [row["name"] for row in person.commands(scene.channel)]


async def test_managers_only(tmp_path: Path) -> None:
    """Discord hides the commands from others, and where an override shows them the bot refuses kindly."""
    async with clubhouse(tmp_path) as scene:
        assert _names(scene, scene.north) == ["gin", "gin-admin", "gin-deal", "gin-stats"]
        assert _names(scene, scene.south) == ["gin", "gin-deal", "gin-stats"]
        _show_admin_commands(scene)
        for command in (*_COMMANDS, *_RULES):
            given = _RULES.get(command, {})
            told = (await scene.use(scene.south, f"gin-admin {command}", scene.channel, **given)).text
            assert told == "Only people with the **Manage Server** permission can do that. Ask one of them."


async def test_a_panel_is_dead_once_its_owner_manages_no_more(tmp_path: Path) -> None:
    """The permission is checked at each press: one who lost it changes nothing with a panel that is still there."""
    world = World.default()
    guild = next(iter(world.guilds.values()))
    role = world.add_role(guild, "Managers", Permission.MANAGE_GUILD | MEMBER_DEFAULTS)
    south = next(user for user in world.users.values() if user.display_name == "South")
    guild.members[south.id].roles.append(role.id)
    async with at_table(tmp_path, world=world) as scene:
        panels = [(await scene.use(scene.south, f"gin-admin {one}", scene.channel)).message for one in _COMMANDS]
        scene.sandbox.moderation.set_role(guild, role, MEMBER_DEFAULTS)
        settings, end, _, reset = panels
        for press in (
            scene.choose(scene.south, settings, CHANGE, "Default rules"),
            scene.choose(scene.south, end, "End a match …", "1"),
            scene.press(scene.south, reset, "Reset"),
        ):
            assert "Only people with the **Manage Server** permission" in (await press).text
        assert "⁨North⁩ vs ⁨South⁩" in scene.table.text


async def test_public_messages_have_the_servers_look(tmp_path: Path) -> None:
    """Whatever its managers choose, and the names of cards too; the table follows with the next move."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await scene.quiet()
        before = _felt(scene.table)
        panel = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        assert "**Saved.**" in (await scene.change(scene.north, panel, Action.SET_APPEARANCE, "dark-two")).text
        assert "**Saved.**" in (await scene.change(scene.north, panel, Action.SET_LANGUAGE, "pl")).text
        await scene.ask(scene.north, "take")
        told = await scene.use(scene.north, "gin discard", scene.channel, card="Qh")
        assert "discarded Q♥" in told.text
        await scene.quiet()
        assert _felt(scene.table) != before
        assert "⁨North⁩ took 2♦ and discarded D♥" in scene.table.text
        assert "Discard pile: D♥ on top" in str(scene.table.images[0].alt)


def _felt(table: Message) -> object:
    """The colour in the corner of a table's picture."""
    with Image.open(BytesIO(table.images[0].content)) as image:
        return image.convert("RGB").getpixel((2, 2))


async def test_settings_rule_the_challenges_that_name_nothing(tmp_path: Path) -> None:
    """Rules, target and channels change in place and are what the next challenge goes by."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        assert "**Default rules:** classic\n**Target:** as the rules say\n" in panel.text
        await scene.change(scene.north, panel, Action.SET_RULES, "straight")
        await scene.change(scene.north, panel, Action.SET_TARGET, "25 points")
        await scene.change(scene.north, panel, Action.SET_CHANNELS, scene.channel)
        assert "**Default rules:** straight\n**Target:** 25 points\n" in panel.text
        assert f"**Channels to play in:** <#{scene.channel.id}>" in panel.text
        assert "**straight** rules to 25" in (await scene.invite(scene.south)).text
        assert "**classic** rules to 10" in (await scene.invite(scene.south, rules="classic", target=10)).text
        await scene.change(scene.north, panel, Action.SET_CHANNELS)
        await scene.change(scene.north, panel, Action.SET_TARGET, "As the rules say")
        assert "**Channels to play in:** all" in panel.text


async def test_house_rules_are_previewed_saved_played_and_removed(tmp_path: Path) -> None:
    """A name for rules of the server's own: in challenges, completions and as the default, until it is removed."""
    async with clubhouse(tmp_path) as scene:
        north, south = scene.north, scene.south

        async def rules(command: str, **options: object) -> str:
            return (await scene.use(north, f"gin-admin rules {command}", scene.channel, **options)).text

        assert "There are no house rules" in await rules("list")
        line = "rules to 50 · gin 30, lay-offs by hand"
        preview = await rules("preview", rules="standard target=50 gin_bonus=30")
        assert f"**standard** {line.replace('rules', 'rules (changed)')}" in preview
        assert "There are no house rules" in await rules("list")
        saved = await rules("save", name=" Friday  night ", rules="standard target=50 gin_bonus=30")
        assert "**Saved. Challenges can use them now.**" in saved
        assert f"**Friday night** {line}" in saved
        assert await rules("list") == f"- **Friday night** {line}"
        completed = await south.complete("gin challenge", scene.channel, option="rules", value="frid")
        assert [choice["value"] for choice in (await completed.answer()).choices] == ["Friday night"]
        invitation = await scene.invite(north, south, rules="friday NIGHT")
        assert f"**Friday night** {line}" in invitation.text
        assert f"**Friday night** {line}" in await scene.ask(south, "rules", rules="Friday night gin_bonus=30")
        panel = (await scene.use(north, "gin-admin settings", scene.channel)).message
        assert "**House rules:** **Friday night**. " in panel.text
        await scene.choose(north, panel, CHANGE, "Default rules")
        assert "Now: classic" in panel.text
        await scene.choose(north, panel, "House rules …", "Friday night")
        assert "**Default rules:** Friday night" in panel.text
        assert f"**Friday night** {line}" in (await scene.invite(south)).text
        await scene.press(south, invitation, "Accept")
        await rules("save", name="friday night", rules="classic")
        assert "**friday night** rules to 100 · the usual rules" in await rules("list")
        named = await north.complete("gin-admin rules remove", scene.channel, option="name", value="night")
        assert [choice["value"] for choice in (await named.answer()).choices] == ["friday night"]
        for answer, told in (
            ("Cancel", "Nothing was changed."),
            ("Remove", "The **friday night** rules were removed. Running matches keep them."),
        ):
            asked = await scene.use(north, "gin-admin rules remove", scene.channel, name="FRIDAY night")
            assert "Remove the **friday night** rules?" in asked.text
            assert (await scene.press(north, asked.message, answer)).text == told
        assert "**classic** rules to 100" in (await scene.invite(scene.east)).text
        assert "there are no house rules 'friday night'" in await rules("remove", name="friday night")
        await scene.quiet()
        assert "**Friday night** rules to 50" in scene.table.text
        assert f"**Friday night** {line}" in await scene.ask(scene.east, "score")


async def test_house_rules_that_cannot_be_are_refused(tmp_path: Path) -> None:
    """A preset's name, signs that are none of a name, rules that cannot be played: the answer says what to do."""
    async with clubhouse(tmp_path) as scene:

        async def saved(name: str, rules: str) -> str:
            return (await scene.use(scene.north, "gin-admin rules save", scene.channel, name=name, rules=rules)).text

        assert "the name of built-in rules" in await saved("Classic", "strict")
        assert "the name of built-in rules" in await saved("round the corner", "strict")
        assert "A name has 1 to 32 letters" in await saved("_x_", "strict")
        assert "'target=0': '0' is not 1 to 10000 or none" in await saved("Ours", "strict target=0")
        assert "The choices are **classic**" not in await saved("Ours", "strict target=0")
        assert "needs knock_limit=upcard" in await saved("Ours", "classic spade_doubles=on")
        assert "The choices are **classic**" in await saved("Ours", "bridge")
        assert "no house rules" in (await scene.use(scene.north, "gin-admin rules list", scene.channel)).text


async def test_the_longest_house_rules_fit(tmp_path: Path) -> None:
    """As many as there may be, with many changes each: list, settings and options stay within Discord's limits."""
    async with clubhouse(tmp_path) as scene:
        guild = next(iter(scene.sandbox.world.guilds.values()))
        long = (
            "oklahoma oklahoma_ace=1 spade_doubles=on oklahoma_boxes=on discard_drawn=never undercut_on_tie=off "
            "lay_off_mode=manual lay_off_chain=off last_discard=may_go_out line_credit=at_once shutout=double_score "
            "shutout_needs=winner_won_all winner=first_to_target aces=round_the_corner next_dealer=winner"
        )
        for number in range(25):
            await scene.alive.app.rulebook.save(GuildId(guild.id), f"{number:02} {'W' * 29}", long)
        listed = await scene.use(scene.north, "gin-admin rules list", scene.channel)
        assert len(listed.text.splitlines()) == 25
        more = await scene.use(scene.north, "gin-admin rules save", scene.channel, name="More", rules=long)
        assert "This server has 25 house rules, which is the limit." in more.text
        assert "00 WWW" in (await scene.use(scene.north, "gin-admin settings", scene.channel)).text
        assert "before it is sent" in await scene.ask(scene.north, "challenge", options=True)
        assert "The choices are **classic**" in await scene.ask(scene.north, "challenge", rules="bridge")
        assert "24 WWW" in await scene.ask(scene.north, "challenge", rules=f"24 {'W' * 29}")


async def test_presets_that_are_not_offered_are_neither_completed_nor_played(tmp_path: Path) -> None:
    """Where managers offer some presets, others are refused with the list; house rules may be of any still."""
    async with clubhouse(tmp_path) as scene:
        north, south = scene.north, scene.south
        panel = (await scene.use(north, "gin-admin settings", scene.channel)).message
        assert "**Presets on offer:** all\n" in panel.text
        await scene.change(north, panel, Action.SET_OFFERED, "classic", "rotation")
        assert "**Presets on offer:** classic and rotation\n" in panel.text
        for command in ("challenge", "rules"):
            asked = await south.complete(f"gin {command}", scene.channel, option="rules", value="")
            assert [choice["value"] for choice in (await asked.answer()).choices] == ["classic", "rotation"]
            changed = await south.complete(f"gin {command}", scene.channel, option="rules", value="strict target=9")
            assert (await changed.answer()).choices == []
            told = await scene.ask(south, command, rules="strict")
            assert told == "This server does not offer **strict**. The choices are **classic** and **rotation**."
        draft = (await scene.use(south, "gin challenge", scene.channel, options=True)).message
        assert [option.value for option in draft.selects[0].options] == ["classic", "rotation"]
        refused = await scene.change(north, panel, Action.SET_OFFERED, "rotation")
        assert "**classic** are the default rules, so they stay on offer" in refused.text
        assert (
            "**Presets on offer:** classic and rotation\n"
            in (await scene.use(north, "gin-admin settings", scene.channel)).text
        )
        preview = await scene.use(north, "gin-admin rules preview", scene.channel, rules="strict")
        assert "**strict** rules to 100" in preview.text
        saved = await scene.use(north, "gin-admin rules save", scene.channel, name="Ours", rules="strict")
        assert "Saved." in saved.text
        assert "**Ours** rules to 100" in await scene.ask(south, "challenge", rules="Ours")
        await scene.choose(north, panel, "Presets to offer …", *PRESETS)
        assert "**Presets on offer:** all\n" in panel.text


async def test_a_manager_ends_a_match(tmp_path: Path) -> None:
    """The match counts for nobody, the channel says so, and a second try finds it over."""
    async with at_table(tmp_path) as scene:
        first, second = [(await scene.use(scene.north, "gin-admin end", scene.channel)).message for _ in range(2)]
        (menu,) = first.selects
        assert [(option.label, str(option.description)[:18]) for option in menu.options] == [
            ("North vs South", "#games, last move ")
        ]
        kept = (await scene.use(scene.north, "gin-admin end", scene.channel)).message
        assert (await scene.press(scene.north, kept, "Cancel")).text == "Nothing was changed."
        for panel in (first, second):
            assert "End ⁨North⁩ vs ⁨South⁩ now?" in (await scene.choose(scene.north, panel, "End a match …", "1")).text
            assert labels(panel) == ["End the match", "Cancel"]
        assert "⁨North⁩ vs ⁨South⁩" in scene.table.text
        assert "I ended ⁨North⁩ vs ⁨South⁩." in (await scene.press(scene.north, first, "End the match")).text
        assert "called off, nothing counts" in (await scene.post("Rematch")).text
        assert "was called off" in (await scene.press(scene.north, second, "End the match")).text
        assert "No match is running" in (await scene.use(scene.north, "gin-admin end", scene.channel)).text


async def test_check_names_what_is_missing_in_this_channel(tmp_path: Path) -> None:
    """Everything there, and then each missing permission as Discord's settings name it."""
    async with clubhouse(tmp_path) as scene:
        assert "every permission I need" in (await scene.use(scene.north, "gin-admin check", scene.channel)).text
        denied = Permission.ATTACH_FILES | Permission.CREATE_PUBLIC_THREADS
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(scene.sandbox.world.bot, deny=denied))
        told = (await scene.use(scene.north, "gin-admin check", scene.channel)).text
        assert "I am missing here: **Attach Files** and **Create Public Threads**." in told


async def test_the_leaderboard_begins_anew_when_asked_twice(tmp_path: Path) -> None:
    """`reset` asks first; after *Reset* old results are gone and running matches go on."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        asked = await scene.use(scene.north, "gin-admin reset", scene.channel)
        assert labels(asked.message) == ["Reset", "Cancel"]
        kept = await scene.use(scene.north, "gin-admin reset", scene.channel)
        assert (await scene.press(scene.north, kept.message, "Cancel")).text == "Nothing was changed."
        assert "**1.** ⁨North⁩" in await scene.ask(scene.north, "leaderboard")
        await scene.press(scene.north, asked.message, "Reset")
        assert "No match has ended here yet" in await scene.ask(scene.north, "leaderboard")


async def test_a_server_has_a_usual_clock(tmp_path: Path) -> None:
    """Challenges that name none have it, and those that name another have that."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        assert "**Clock:** no clock" in panel.text
        await scene.change(scene.north, panel, Action.SET_CLOCK, "3d")
        assert "**Clock:** 3 days per turn, then the match may be claimed" in panel.text
        assert "Clock: 3 days per turn." in (await scene.invite(scene.south)).text
        assert "Clock:" not in (await scene.invite(scene.east, clock="none")).text
        forged = await click(scene.north, panel, Action.SET_CLOCK, "server", values=["tomorrow"])
        assert "too old to work" in forged.text
        await scene.change(scene.north, panel, Action.SET_CLOCK, "none")
        assert "Clock:" not in (await scene.invite(scene.west)).text


async def test_names_are_found_without_accents_and_punctuation(tmp_path: Path) -> None:
    """House rules, in commands and completions, and time zones; an abbreviation is answered with zones that fit."""
    async with clubhouse(tmp_path) as scene:
        north = scene.north
        await scene.use(north, "gin-admin rules save", scene.channel, name="Mémé's-Rules", rules="strict")
        assert "**Mémé's-Rules**" in (await scene.invite(north, rules="meme s rules")).text
        completed = await (await north.complete("gin challenge", scene.channel, option="rules", value="memes")).answer()
        assert [choice["value"] for choice in completed.choices] == ["Mémé's-Rules"]
        removed = await scene.use(north, "gin-admin rules remove", scene.channel, name="MEMES_RULES")
        assert "Mémé's-Rules" in removed.text
        told = await scene.use(north, "gin-admin time_zone", scene.channel, zone="zürich")
        assert "The time zone is Europe/Zurich now." in told.text
        told = await scene.use(north, "gin-admin time_zone", scene.channel, zone="EST")
        assert "*New York*" in told.text
