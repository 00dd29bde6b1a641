"""The commands for a server's managers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.engine.rules import PRESETS
from bot.play import refusals as why
from bot.sandbox import MEMBER_DEFAULTS, Interaction, Message, Permission, Person, member_overwrite
from bot.values.appearance import Appearance
from bot.values.challenges import Challenge
from bot.values.clocks import Clock
from bot.values.guilds import GuildSettings
from bot.values.ids import ChannelId, PersonId
from bot.values.matches import MatchStatus
from cogs.features.admin import NO_HOUSE_RULES, NONE_RUNNING, NOTHING_CHANGED, NOTHING_MISSING
from cogs.kit.actions import Action, Subject
from cogs.panels.layout import Accent
from cogs.panels.settings import CHANGE, server_panel
from cogs.text import refusals as texts
from cogs.text import rules as rules_text
from cogs.text.people import versus
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse
from tests.cogs.text.samples import text_of
from tests.helpers.components import accent_of
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.worlds import stopped_world

_COMMANDS = ("settings", "end", "check", "reset")
_RULES = ("preview", "save", "remove", "list")
_LINE = "rules to 50 · gin 30, lay-offs by hand"


async def _use(scene: Scene, command: str, **options: object) -> Interaction:
    """Have the manager, North, use an admin command."""
    return await scene.use(scene.north, f"gin-admin {command}", scene.channel, **options)


async def _settings(scene: Scene) -> GuildSettings:
    return await scene.alive.app.guilds.settings(scene.guild_id)


async def _house_rules(scene: Scene) -> list[str]:
    return [one.name for one in await scene.alive.app.rulebook.house_rules(scene.guild_id)]


async def _challenged(scene: Scene, person: Person, **options: object) -> Challenge:
    """Have a person challenge anyone, and return the challenge."""
    await scene.use(person, "gin challenge", scene.channel, **options)
    return (await scene.alive.app.challenges.own(PersonId(person.id)))[-1]


async def _completed(scene: Scene, command: str, option: str, typed: str) -> Sequence[str]:
    """Return the completions of an option for a text that North has typed."""
    offered = await scene.north.complete(command, scene.channel, option=option, value=typed)
    return [choice["value"] for choice in (await offered.answer()).choices]


async def _winners(scene: Scene) -> list[str | None]:
    """Return the names on the leaderboard."""
    board = await scene.alive.app.leaderboards.page(scene.guild_id, PersonId(scene.north.id))
    return [row.standing.player.name for row in board.rows]


def _show_admin_commands(scene: Scene) -> None:
    """Show the command to people who do not manage the server, as the server's Integrations page can."""
    commands = scene.sandbox.state.commands.scopes[None].values()
    next(row for row in commands if row["name"] == "gin-admin")["default_member_permissions"] = None


def _names(scene: Scene, person: Person) -> list[str]:
    return [row["name"] for row in person.commands(scene.channel)]


async def test_managers_only(tmp_path: Path) -> None:
    """Discord hides the commands from other members; if an override shows them, the bot refuses."""
    async with clubhouse(tmp_path) as scene:
        assert _names(scene, scene.north) == ["gin", "gin-admin", "gin-deal", "gin-stats"]
        assert _names(scene, scene.south) == ["gin", "gin-deal", "gin-stats"]
        _show_admin_commands(scene)
        given = {
            "rules preview": {"rules": "strict"},
            "rules save": {"name": "Ours", "rules": "strict"},
            "rules remove": {"name": "Ours"},
        }
        for command in (*_COMMANDS, *(f"rules {one}" for one in _RULES)):
            refused = await scene.use(scene.south, f"gin-admin {command}", scene.channel, **given.get(command, {}))
            assert refused.text == texts.MANAGERS_ONLY


@pytest.mark.thorough
async def test_a_panel_is_dead_once_its_owner_manages_no_more(tmp_path: Path) -> None:
    """The permission is checked at each press: a person who lost it cannot change anything with an old panel."""
    world = stopped_world()
    guild = next(iter(world.guilds.values()))
    role = world.add_role(guild, "Managers", Permission.MANAGE_GUILD | MEMBER_DEFAULTS)
    south = next(user for user in world.users.values() if user.display_name == "South")
    guild.members[south.id].roles.append(role.id)
    async with at_table(tmp_path, world=world) as scene:
        panels = [(await scene.use(scene.south, f"gin-admin {one}", scene.channel)).message for one in _COMMANDS]
        scene.sandbox.moderation.set_role(guild, role, MEMBER_DEFAULTS)
        settings, end, _, reset = panels
        for refused in (
            await (await scene.south.choose(settings, CHANGE, Action.SET_RULES)).done(),
            await scene.choose(scene.south, end, Action.END_MATCH, "1"),
            await scene.press(scene.south, reset, Action.RESET_LEADERBOARD_NOW),
        ):
            assert refused.text == texts.MANAGERS_ONLY
        assert (await scene.match()).status is MatchStatus.RUNNING


@pytest.mark.thorough
async def test_public_messages_have_the_servers_look(tmp_path: Path) -> None:
    """The managers' theme and card language apply to the table from the next move on."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        before = _felt(scene.table)
        panel = (await _use(scene, "settings")).message
        await scene.change(scene.north, panel, Action.SET_APPEARANCE, "dark-two")
        await scene.change(scene.north, panel, Action.SET_LANGUAGE, "pl")
        assert (await _settings(scene)).appearance == Appearance("dark", four_colours=False, language="pl")
        await scene.ask(scene.north, "take")
        told = await scene.use(scene.north, "gin discard", scene.channel, card="Qh")
        assert "Q♥" in told.text
        await scene.quiet()
        assert _felt(scene.table) != before
        assert "2♦" in scene.table.text
        assert "D♥" in scene.table.text
        assert "D♥" in str(scene.table.images[0].alt)


def _felt(table: Message) -> object:
    """Return the colour in a corner of the table's picture."""
    with Image.open(BytesIO(table.images[0].content)) as image:
        return image.convert("RGB").getpixel((2, 2))


async def test_settings_rule_the_challenges_that_name_nothing(tmp_path: Path) -> None:
    """Default rules, target, clock and channels are saved in place, and the next challenge uses them."""
    async with clubhouse(tmp_path) as scene:
        panel = (await _use(scene, "settings")).message
        assert await _settings(scene) == GuildSettings()
        await scene.change(scene.north, panel, Action.SET_RULES, "straight")
        await scene.change(scene.north, panel, Action.SET_TARGET, "25")
        await scene.change(scene.north, panel, Action.SET_CLOCK, "3d")
        await scene.change(scene.north, panel, Action.SET_CHANNELS, scene.channel)
        chosen = GuildSettings("straight", 25, (ChannelId(scene.channel.id),), clock=Clock.parse("3d"))
        assert await _settings(scene) == chosen
        assert text_of(server_panel(chosen, [])) in panel.text.replace("**Saved.**\n", "")
        challenge = await _challenged(scene, scene.south)
        assert (challenge.ruleset, challenge.rules.target, challenge.clock) == ("straight", 25, chosen.clock)
        challenge = await _challenged(scene, scene.east, rules="classic", target=10, clock="none")
        assert (challenge.ruleset, challenge.rules.target, str(challenge.clock)) == ("classic", 10, "none")


@pytest.mark.thorough
async def test_settings_have_a_way_back(tmp_path: Path) -> None:
    """Settings can be reset; a value that no menu has is refused."""
    async with clubhouse(tmp_path) as scene:
        panel = (await _use(scene, "settings")).message
        await scene.change(scene.north, panel, Action.SET_CHANNELS, scene.channel)
        await scene.change(scene.north, panel, Action.SET_TARGET, "10")
        await scene.change(scene.north, panel, Action.SET_CLOCK, "3d")
        forged = await click(scene.north, panel, Action.SET_CLOCK, Subject.SERVER, values=["tomorrow"])
        assert forged.text == texts.OLD_BUTTON
        await scene.change(scene.north, panel, Action.SET_CHANNELS)
        await scene.change(scene.north, panel, Action.SET_TARGET, "default")
        await scene.change(scene.north, panel, Action.SET_CLOCK, "none")
        assert await _settings(scene) == GuildSettings()


async def test_house_rules_are_saved_played_and_removed(tmp_path: Path) -> None:
    """House rules can be used in challenges and appear in completions, until they are removed."""
    async with clubhouse(tmp_path) as scene:
        rules = "standard target=50 gin_bonus=30"
        preview = await _use(scene, "rules preview", rules=rules)
        found = (await scene.alive.app.rulebook.read(scene.guild_id, rules)).rules
        assert rules_text.explained(found) in preview.text
        assert await _house_rules(scene) == []
        saved = await _use(scene, "rules save", name=" Friday  night ", rules=rules)
        assert rules_text.line(found, "Friday night") in saved.text
        assert rules_text.line(found, "Friday night") in (await _use(scene, "rules list")).text
        assert await _completed(scene, "gin challenge", "rules", "frid") == ["Friday night"]
        challenge = await _challenged(scene, scene.south, rules="friday NIGHT")
        assert (challenge.ruleset, challenge.rules) == ("Friday night", found)
        assert await _completed(scene, "gin-admin rules remove", "name", "night") == ["Friday night"]
        asked = await _use(scene, "rules remove", name="FRIDAY night")
        assert buttons(asked.message) == [Action.REMOVE_RULES_NOW, Action.CHANGE_NOTHING]
        await scene.press(scene.north, asked.message, Action.REMOVE_RULES_NOW)
        assert await _house_rules(scene) == []


@pytest.mark.thorough
async def test_house_rules_can_be_the_default(tmp_path: Path) -> None:
    """After they are removed, the default is a preset again. Running matches keep their rules."""
    async with clubhouse(tmp_path) as scene:
        await _use(scene, "rules save", name="Friday night", rules="standard target=50")
        panel = (await _use(scene, "settings")).message
        await scene.choose(scene.north, panel, Action.OPEN_SETTING, Action.SET_RULES)
        await scene.choose(scene.north, panel, Action.SET_RULES, "Friday night", argument="house")
        assert (await _settings(scene)).rules == "Friday night"
        invitation = await scene.invite(scene.south)
        await scene.press(scene.east, invitation, Action.ACCEPT)
        await _use(scene, "rules save", name="friday night", rules="classic")
        assert await _house_rules(scene) == ["friday night"]
        kept = await _use(scene, "rules remove", name="friday night")
        assert (await scene.press(scene.north, kept.message, Action.CHANGE_NOTHING)).text == NOTHING_CHANGED
        assert await _house_rules(scene) == ["friday night"]
        removed = await _use(scene, "rules remove", name="friday night")
        await scene.press(scene.north, removed.message, Action.REMOVE_RULES_NOW)
        assert (await _challenged(scene, scene.west)).ruleset == "classic"
        assert scene.refusal(await _use(scene, "rules remove", name="friday night")) is why.UnknownRules
        match = await scene.match()
        assert (match.ruleset, match.rules.target) == ("Friday night", 50)


async def test_house_rules_that_cannot_be_are_refused(tmp_path: Path) -> None:
    """A preset's name, an invalid name, and rules that cannot be played are refused, and nothing is saved."""
    async with clubhouse(tmp_path) as scene:
        for name, rules, taken in (("Classic", "strict", True), ("_x_", "strict", False)):
            refused = scene.error(await _use(scene, "rules save", name=name, rules=rules))
            assert isinstance(refused, why.WrongRulesName)
            assert refused.taken == taken
        for rules, offers in (("strict target=0", False), ("classic spade_doubles=on", False), ("bridge", True)):
            refused = scene.error(await _use(scene, "rules save", name="Ours", rules=rules))
            assert isinstance(refused, why.UnknownRules)
            assert bool(refused.offered) == offers
        assert (await _use(scene, "rules list")).text == NO_HOUSE_RULES


@pytest.mark.thorough
async def test_the_longest_house_rules_fit(tmp_path: Path) -> None:
    """With the maximum number and length of house rules, the list, settings and options respect Discord's limits."""
    async with clubhouse(tmp_path) as scene:
        long = (
            "oklahoma oklahoma_ace=1 spade_doubles=on oklahoma_boxes=on discard_drawn=never undercut_on_tie=off "
            "lay_off_mode=manual lay_off_chain=off last_discard=may_go_out line_credit=at_once shutout=double_score "
            "shutout_needs=winner_won_all winner=first_to_target aces=round_the_corner next_dealer=winner"
        )
        names = [f"{number:02} {'W' * 29}" for number in range(25)]
        for name in names:
            await scene.alive.app.rulebook.save(scene.guild_id, name, long)
        listed = await _use(scene, "rules list")
        assert len(listed.text.splitlines()) == 25
        assert scene.refusal(await _use(scene, "rules save", name="More", rules=long)) is why.TooManyHouseRules
        assert names[0] in (await _use(scene, "settings")).text
        draft = await scene.use(scene.north, "gin challenge", scene.channel, options=True)
        assert Action.DRAFT_SEND in buttons(draft.message)
        unknown = await scene.use(scene.north, "gin challenge", scene.channel, rules="bridge")
        assert scene.refusal(unknown) is why.UnknownRules
        assert (await _challenged(scene, scene.north, rules=names[-1])).ruleset == names[-1]


@pytest.mark.thorough
async def test_presets_that_are_not_offered_are_neither_completed_nor_played(tmp_path: Path) -> None:
    """If managers offer only some presets, others are refused with the list; house rules may still use any preset."""
    async with clubhouse(tmp_path) as scene:
        south, offered = scene.south, ["classic", "rotation"]
        panel = (await _use(scene, "settings")).message
        await scene.change(scene.north, panel, Action.SET_OFFERED, *offered)
        for command in ("challenge", "rules"):
            assert await _completed(scene, f"gin {command}", "rules", "") == offered
            assert await _completed(scene, f"gin {command}", "rules", "strict target=9") == []
            refused = scene.error(await scene.use(south, f"gin {command}", scene.channel, rules="strict"))
            assert isinstance(refused, why.NotOffered)
            assert [*refused.offered] == offered
        draft = (await scene.use(south, "gin challenge", scene.channel, options=True)).message
        assert [option.value for option in draft.selects[0].options] == offered
        refused = await scene.change(scene.north, panel, Action.SET_OFFERED, "rotation")
        assert refused.text == texts.default_must_be_offered("classic")
        assert [*(await _settings(scene)).offered] == offered
        await _use(scene, "rules save", name="Ours", rules="strict")
        assert (await _challenged(scene, south, rules="Ours")).ruleset == "Ours"
        await scene.choose(scene.north, panel, Action.SET_OFFERED, *PRESETS)
        assert (await _settings(scene)).offered == ()


async def test_a_manager_ends_a_match(tmp_path: Path) -> None:
    """The match counts for nobody, the result is posted, and a second attempt says that it is over."""
    async with at_table(tmp_path, open_dms=False) as scene:
        first, second = [(await _use(scene, "end")).message for _ in range(2)]
        for panel in (first, second):
            (menu,) = panel.selects
            assert [option.value for option in menu.options] == ["1"]
            asked = await scene.choose(scene.north, panel, Action.END_MATCH, "1")
            assert versus(await scene.match()) in asked.text
            assert buttons(panel) == [Action.END_MATCH_NOW, Action.CHANGE_NOTHING]
        assert (await scene.match()).status is MatchStatus.RUNNING
        await scene.press(scene.north, first, Action.END_MATCH_NOW)
        assert (await scene.match()).status is MatchStatus.CANCELLED
        assert await scene.post(Action.REMATCH)
        assert scene.refusal(await scene.press(scene.north, second, Action.END_MATCH_NOW)) is why.MatchOver
        assert (await _use(scene, "end")).text == NONE_RUNNING


async def test_check_names_what_is_missing_in_this_channel(tmp_path: Path) -> None:
    """The answer lists missing permissions by their names in Discord's settings."""
    async with clubhouse(tmp_path) as scene:
        assert (await _use(scene, "check")).text == NOTHING_MISSING
        denied = Permission.ATTACH_FILES | Permission.CREATE_PUBLIC_THREADS
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(scene.sandbox.world.bot, deny=denied))
        told = await _use(scene, "check")
        assert "**Attach Files** and **Create Public Threads**" in told.text
        assert accent_of(told.message) == Accent.TROUBLE.value


@pytest.mark.thorough
async def test_the_leaderboard_begins_anew_when_asked_twice(tmp_path: Path) -> None:
    """`reset` asks first; *Reset* then removes all results."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, open_dms=False) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.quiet()
        asked, kept = [(await _use(scene, "reset")).message for _ in range(2)]
        assert buttons(asked) == [Action.RESET_LEADERBOARD_NOW, Action.CHANGE_NOTHING]
        assert (await scene.press(scene.north, kept, Action.CHANGE_NOTHING)).text == NOTHING_CHANGED
        assert await _winners(scene) == ["North", "South"]
        await scene.press(scene.north, asked, Action.RESET_LEADERBOARD_NOW)
        assert await _winners(scene) == []


@pytest.mark.thorough
async def test_names_are_found_without_accents_and_punctuation(tmp_path: Path) -> None:
    """House rules and time zones ignore case, accents and punctuation; an abbreviation suggests matching zones."""
    async with clubhouse(tmp_path) as scene:
        name = "Mémé's-Rules"
        await _use(scene, "rules save", name=name, rules="strict")
        assert (await _challenged(scene, scene.north, rules="meme s rules")).ruleset == name
        assert await _completed(scene, "gin challenge", "rules", "memes") == [name]
        removed = await _use(scene, "rules remove", name="MEMES_RULES")
        assert name in removed.text
        await _use(scene, "time_zone", zone="zürich")
        assert (await _settings(scene)).time_zone == "Europe/Zurich"
        unknown = scene.error(await _use(scene, "time_zone", zone="EST"))
        assert isinstance(unknown, why.UnknownTimeZone)
        assert "America/New_York" in unknown.likely


# The texts of this feature.
def test_the_settings_are_listed_by_name() -> None:
    """The panel has a line for each setting with its current value."""
    settings = GuildSettings(offered=("classic", "rotation"))
    told = text_of(server_panel(settings, []))
    assert "**Default rules:** classic\n**Target:** as the rules say\n**Clock:** no clock\n" in told
    assert "**Presets on offer:** classic and rotation\n**Channels to play in:** all\n" in told
    assert "**House rules:** none. `/gin-admin rules` manages them." in told
    other = replace(settings, target=25, offered=(), channels=(ChannelId(7),), clock=Clock.parse("3d"))
    told = text_of(server_panel(other, []))
    assert "**Target:** 25 points\n**Clock:** 3 days per turn, then the match may be claimed\n" in told
    assert "**Presets on offer:** all\n**Channels to play in:** <#7>\n" in told
    assert "Now: classic" in text_of(server_panel(settings, [], opened=Action.SET_RULES))


@pytest.mark.thorough
async def test_what_managers_are_told(tmp_path: Path) -> None:
    """Questions name the consequences for matches and results, and answers say what was done."""
    async with at_table(tmp_path, open_dms=False) as scene:
        north = scene.north
        zone = await _use(scene, "time_zone", zone="zürich")
        assert "**The time zone is Europe/Zurich now.**" in zone.text
        saved = await _use(scene, "rules save", name="Ours", rules="standard target=50 gin_bonus=30")
        assert "**Saved. Challenges can use them now.**" in saved.text
        assert (await _use(scene, "rules list")).text == f"- **Ours** {_LINE}"
        asked = await _use(scene, "rules remove", name="Ours")
        gone = "Nobody can choose them any more. Running matches keep them."
        assert asked.text == f"Remove the **Ours** rules? {gone}"
        removed = await scene.press(north, asked.message, Action.REMOVE_RULES_NOW)
        assert removed.text == "The **Ours** rules were removed. Running matches keep them."
        end = await _use(scene, "end")
        assert end.text == "Which match should I end? It will not count in the standings."
        (menu,) = end.message.selects
        assert menu.options[0].label == "North vs South"
        assert str(menu.options[0].description).startswith("#games, last move ")
        asked = await scene.choose(north, end.message, Action.END_MATCH, "1")
        assert asked.text.startswith("End ⁨North⁩ vs ⁨South⁩ now? Its players will see that it was called off.")
        ended = await scene.press(north, end.message, Action.END_MATCH_NOW)
        assert ended.text == "I ended ⁨North⁩ vs ⁨South⁩. It does not count in the standings."
        reset = await _use(scene, "reset")
        assert reset.text.startswith("Reset the leaderboard? All results so far will be removed from it.")
        done = await scene.press(north, reset.message, Action.RESET_LEADERBOARD_NOW)
        assert done.text == "The leaderboard was reset. New results count from now on."
