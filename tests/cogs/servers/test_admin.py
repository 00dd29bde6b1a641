"""`/gin-admin`: the commands for a server's managers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.engine.rules import PRESETS
from bot.model.appearance import Appearance
from bot.model.challenges import Challenge
from bot.model.clocks import Clock
from bot.model.guilds import GuildSettings, MatchHome
from bot.model.ids import ChannelId, PersonId
from bot.model.matches import MatchStatus
from bot.model.seasons import Seasons
from bot.play import refusals as why
from bot.sandbox import MEMBER_DEFAULTS, Interaction, Message, Permission, Person, member_overwrite
from cardart import draw_themes
from cogs.actions import Action, Subject
from cogs.delivery.refusals import OLD_BUTTON
from cogs.kit.layout import Accent
from cogs.people.preferences_panel import CHANGE
from cogs.servers.admin import LIMIT_CHANNELS, NO_HOUSE_RULES, NONE_RUNNING, NOTHING_CHANGED, NOTHING_MISSING
from cogs.servers.refusals import MANAGERS_ONLY, default_must_be_offered
from cogs.servers.settings_panel import server_panel
from cogs.words import rules as rules_text
from cogs.words.names import versus
from tests.cogs.samples import text_of
from tests.cogs.scenes import Scene, buttons, menus, open_match_scene, open_scene
from tests.helpers.clock import Clock as GameClock
from tests.helpers.components import accent_of
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.worlds import stopped_world

_COMMANDS = ("settings", "end", "check", "reset")
_RULES = ("preview", "save", "remove", "list")
_RULES_LINE = ", first to 50 · gin 30, manual lay-offs"


async def _use_admin(scene: Scene, command: str, **options: object) -> Interaction:
    """Have the manager, North, use an admin command."""
    return await scene.use(scene.north, f"gin-admin {command}", scene.channel, **options)


async def _settings(scene: Scene) -> GuildSettings:
    return await scene.bot.app.guilds.settings(scene.guild_id)


async def _house_rules(scene: Scene) -> list[str]:
    return [house_rule.name for house_rule in await scene.bot.app.rulebook.house_rules(scene.guild_id)]


async def _challenge_anyone(scene: Scene, person: Person, **options: object) -> Challenge:
    """Have a person challenge anyone, and return the challenge."""
    await scene.use(person, "gin challenge", scene.channel, **options)
    return (await scene.bot.app.challenges.own(PersonId(person.id)))[-1]


async def _completed(scene: Scene, command: str, option: str, typed: str) -> Sequence[str]:
    """Return the completions that North gets for an option and a typed text."""
    offered = await scene.north.complete(command, scene.channel, option=option, value=typed)
    return [choice["value"] for choice in (await offered.answer()).choices]


async def _leaderboard_names(scene: Scene) -> list[str | None]:
    """Return the names on the leaderboard."""
    board = await scene.bot.app.leaderboards.page(scene.guild_id, PersonId(scene.north.id))
    return [row.standing.player.name for row in board.rows]


def _show_admin_commands(scene: Scene) -> None:
    """Make `/gin-admin` visible to all members, as a manager can do on the server's Integrations page."""
    commands = scene.sandbox.state.commands.scopes[None].values()
    next(row for row in commands if row["name"] == "gin-admin")["default_member_permissions"] = None


def _command_names(scene: Scene, person: Person) -> list[str]:
    return [row["name"] for row in person.commands(scene.channel)]


async def test_only_managers_can_use_admin_commands(tmp_path: Path) -> None:
    """Discord shows the commands only to managers; if an override shows them to others, the bot refuses them."""
    async with open_scene(tmp_path) as scene:
        assert _command_names(scene, scene.north) == ["gin", "gin-admin", "gin-deal", "gin-stats"]
        assert _command_names(scene, scene.south) == ["gin", "gin-deal", "gin-stats"]
        _show_admin_commands(scene)
        required_options = {
            "rules preview": {"rules": "strict"},
            "rules save": {"name": "Ours", "rules": "strict"},
            "rules remove": {"name": "Ours"},
        }
        for command in (*_COMMANDS, *(f"rules {rule}" for rule in _RULES)):
            refused = await scene.use(
                scene.south, f"gin-admin {command}", scene.channel, **required_options.get(command, {})
            )
            assert refused.text == MANAGERS_ONLY


@pytest.mark.thorough
async def test_a_former_managers_panel_changes_nothing(tmp_path: Path) -> None:
    """The permission is checked at each press: a person who lost it cannot change anything with an old panel."""
    world = stopped_world()
    guild = next(iter(world.guilds.values()))
    role = world.add_role(guild, "Managers", Permission.MANAGE_GUILD | MEMBER_DEFAULTS)
    south = next(user for user in world.users.values() if user.display_name == "South")
    guild.members[south.id].roles.append(role.id)
    async with open_match_scene(tmp_path, world=world) as scene:
        panels = [
            (await scene.use(scene.south, f"gin-admin {command}", scene.channel)).message for command in _COMMANDS
        ]
        scene.sandbox.moderation.set_role(guild, role, MEMBER_DEFAULTS)
        settings, end, _, reset = panels
        for refused in (
            await (await scene.south.choose(settings, CHANGE, Action.SET_RULES)).done(),
            await scene.choose(scene.south, end, Action.END_MATCH, "1"),
            await scene.press(scene.south, reset, Action.RESET_LEADERBOARD_NOW),
        ):
            assert refused.text == MANAGERS_ONLY
        assert (await scene.match()).status is MatchStatus.RUNNING


@pytest.mark.nightly
async def test_public_messages_use_the_servers_theme(tmp_path: Path) -> None:
    """The theme and card language that managers choose apply to the table from the next move on."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        before = _corner_colour(scene.table)
        panel = (await _use_admin(scene, "settings")).message
        await scene.change_setting(scene.north, panel, Action.SET_APPEARANCE, "dark-two")
        await scene.change_setting(scene.north, panel, Action.SET_LANGUAGE, "pl")
        assert (await _settings(scene)).appearance == Appearance("dark", four_colours=False, language="pl")
        await scene.ask(scene.north, "take")
        answer = await scene.use(scene.north, "gin discard", scene.channel, card="Qh")
        assert "Q♥" in answer.text
        await scene.wait_until_idle()
        assert _corner_colour(scene.table) != before
        described = str(scene.table.images[0].alt)
        assert "2♦" in described
        assert "D♥" in described


@pytest.mark.nightly
async def test_all_themes_are_shown_while_choosing_one_for_a_server(tmp_path: Path) -> None:
    """A picture of all themes is shown with the menu of a server's themes, and the server's own theme is marked.

    Choosing one moves the mark, and *Back* leads to the settings.
    """
    async with open_scene(tmp_path) as scene:
        panel = (await _use_admin(scene, "settings")).message
        await scene.choose(scene.north, panel, Action.OPEN_SETTING, Action.SET_APPEARANCE)
        for value, theme in (("deco-four", "deco"), ("dark-four", "dark")):
            await scene.choose(scene.north, panel, Action.SET_APPEARANCE, value)
            assert [image.alt for image in panel.images] == [draw_themes(Appearance(theme, four_colours=True)).alt]
            assert [option.value for option in panel.selects[0].options if option.default] == [value]
        await scene.press(scene.north, panel, Action.OPEN_SETTING)
        assert menus(panel) == [Action.OPEN_SETTING]
        assert not panel.images


def _corner_colour(table: Message) -> object:
    """Return the colour in a corner of the table's picture."""
    with Image.open(BytesIO(table.images[0].content)) as image:
        return image.convert("RGB").getpixel((2, 2))


async def test_settings_are_defaults_for_challenges(tmp_path: Path) -> None:
    """Default rules, target, clock, channels and places of matches are saved immediately, for new challenges."""
    async with open_scene(tmp_path) as scene:
        panel = (await _use_admin(scene, "settings")).message
        assert await _settings(scene) == GuildSettings(match_home=MatchHome.CHANNEL)
        await scene.change_setting(scene.north, panel, Action.SET_RULES, "straight")
        await scene.change_setting(scene.north, panel, Action.SET_TARGET, "25")
        await scene.change_setting(scene.north, panel, Action.SET_CLOCK, "3d")
        await scene.change_setting(scene.north, panel, Action.SET_CHANNELS, scene.channel)
        await scene.change_setting(scene.north, panel, Action.SET_HOME, MatchHome.THREAD)
        chosen = GuildSettings("straight", 25, (ChannelId(scene.channel.id),), clock=Clock.parse("3d"))
        assert await _settings(scene) == chosen
        assert text_of(server_panel(chosen, [])) in panel.text.replace("**Saved.**\n", "")
        challenge = await _challenge_anyone(scene, scene.south)
        assert (challenge.ruleset, challenge.rules.target, challenge.clock) == ("straight", 25, chosen.clock)
        challenge = await _challenge_anyone(scene, scene.east, rules="classic", target=10, clock="none")
        assert (challenge.ruleset, challenge.rules.target, str(challenge.clock)) == ("classic", 10, "none")


async def test_turning_seasons_on_says_which_matches_count(tmp_path: Path) -> None:
    """Turning seasons on or changing their length says that earlier matches don't count; turning them off does not."""
    async with open_scene(tmp_path, clock=GameClock()) as scene:
        panel = (await _use_admin(scene, "settings")).message
        for seasons, season in ((Seasons.MONTHLY, "November 2026"), (Seasons.QUARTERLY, "the 4th quarter of 2026")):
            await scene.change_setting(scene.north, panel, Action.SET_SEASONS, seasons)
            assert f"Saved. Matches that end from now on count in {season}." in panel.text
        for seasons in (Seasons.QUARTERLY, Seasons.NONE):
            await scene.change_setting(scene.north, panel, Action.SET_SEASONS, seasons)
            assert "**Saved.**" in panel.text


@pytest.mark.thorough
async def test_settings_can_be_reset(tmp_path: Path) -> None:
    """Settings can be reset to their defaults; a forged value is refused."""
    async with open_scene(tmp_path) as scene:
        panel = (await _use_admin(scene, "settings")).message
        await scene.change_setting(scene.north, panel, Action.SET_CHANNELS, scene.channel)
        await scene.change_setting(scene.north, panel, Action.SET_TARGET, "10")
        await scene.change_setting(scene.north, panel, Action.SET_CLOCK, "3d")
        forged = await click(scene.north, panel, Action.SET_CLOCK, Subject.SERVER, values=["tomorrow"])
        assert forged.text == OLD_BUTTON
        await scene.change_setting(scene.north, panel, Action.SET_CHANNELS)
        await scene.change_setting(scene.north, panel, Action.SET_TARGET, "default")
        await scene.change_setting(scene.north, panel, Action.SET_CLOCK, "none")
        assert await _settings(scene) == GuildSettings(match_home=MatchHome.CHANNEL)


async def test_house_rules_are_saved_played_and_removed(tmp_path: Path) -> None:
    """House rules can be used in challenges and appear in completions, until they are removed."""
    async with open_scene(tmp_path) as scene:
        rules = "standard target=50 gin_bonus=30"
        preview = await _use_admin(scene, "rules preview", rules=rules)
        parsed_rules = (await scene.bot.app.rulebook.read(scene.guild_id, rules)).rules
        assert rules_text.explained(parsed_rules) in preview.text
        assert await _house_rules(scene) == []
        saved = await _use_admin(scene, "rules save", name=" Friday  night ", rules=rules)
        assert rules_text.name(parsed_rules, "Friday night") in saved.text
        assert rules_text.line(parsed_rules, "Friday night") in (await _use_admin(scene, "rules list")).text
        assert await _completed(scene, "gin challenge", "rules", "frid") == ["Friday night"]
        challenge = await _challenge_anyone(scene, scene.south, rules="friday NIGHT")
        assert (challenge.ruleset, challenge.rules) == ("Friday night", parsed_rules)
        assert await _completed(scene, "gin-admin rules remove", "name", "night") == ["Friday night"]
        asked = await _use_admin(scene, "rules remove", name="FRIDAY night")
        assert buttons(asked.message) == [Action.REMOVE_RULES_NOW, Action.CHANGE_NOTHING]
        await scene.press(scene.north, asked.message, Action.REMOVE_RULES_NOW)
        assert await _house_rules(scene) == []


@pytest.mark.thorough
async def test_house_rules_can_be_the_default(tmp_path: Path) -> None:
    """House rules can be the default until they are removed. Running matches keep their rules."""
    async with open_scene(tmp_path) as scene:
        await _use_admin(scene, "rules save", name="Friday night", rules="standard target=50")
        panel = (await _use_admin(scene, "settings")).message
        await scene.choose(scene.north, panel, Action.OPEN_SETTING, Action.SET_RULES)
        await scene.choose(scene.north, panel, Action.SET_RULES, "Friday night", argument="house")
        assert (await _settings(scene)).rules == "Friday night"
        invitation = await scene.invite(scene.south)
        await scene.press(scene.east, invitation, Action.ACCEPT)
        await _use_admin(scene, "rules save", name="friday night", rules="classic")
        assert await _house_rules(scene) == ["friday night"]
        asked = await _use_admin(scene, "rules remove", name="friday night")
        assert (await scene.press(scene.north, asked.message, Action.CHANGE_NOTHING)).text == NOTHING_CHANGED
        assert await _house_rules(scene) == ["friday night"]
        removed = await _use_admin(scene, "rules remove", name="friday night")
        await scene.press(scene.north, removed.message, Action.REMOVE_RULES_NOW)
        assert (await _challenge_anyone(scene, scene.west)).ruleset == "classic"
        assert scene.error_type(await _use_admin(scene, "rules remove", name="friday night")) is why.UnknownRules
        match = await scene.match()
        assert (match.ruleset, match.rules.target) == ("Friday night", 50)


async def test_invalid_house_rules_are_refused(tmp_path: Path) -> None:
    """A preset's name, an invalid name, and rules that cannot be played are refused, and nothing is saved."""
    async with open_scene(tmp_path) as scene:
        for name, rules, name_taken in (("Classic", "strict", True), ("_x_", "strict", False)):
            refused = scene.error(await _use_admin(scene, "rules save", name=name, rules=rules))
            assert isinstance(refused, why.WrongRulesName)
            assert refused.taken == name_taken
        for rules, offers in (("strict target=0", False), ("classic spade_doubles=on", False), ("bridge", True)):
            refused = scene.error(await _use_admin(scene, "rules save", name="Ours", rules=rules))
            assert isinstance(refused, why.UnknownRules)
            assert bool(refused.offered) == offers
        assert (await _use_admin(scene, "rules list")).text == NO_HOUSE_RULES


@pytest.mark.thorough
async def test_the_longest_house_rules_fit(tmp_path: Path) -> None:
    """The list, the settings and drafts respect Discord's limits even with the most and the longest house rules."""
    async with open_scene(tmp_path) as scene:
        long = (
            "oklahoma oklahoma_ace=1 spade_doubles=on oklahoma_boxes=on discard_drawn=never undercut_on_tie=off "
            "lay_off_mode=manual lay_off_chain=off last_discard=may_go_out line_credit=at_once shutout=double_score "
            "shutout_needs=winner_won_all winner=first_to_target aces=round_the_corner next_dealer=winner"
        )
        names = [f"{number:02} {'W' * 29}" for number in range(25)]
        for name in names:
            await scene.bot.app.rulebook.save(scene.guild_id, name, long)
        listed = await _use_admin(scene, "rules list")
        assert len(listed.text.splitlines()) == 25
        assert scene.error_type(await _use_admin(scene, "rules save", name="More", rules=long)) is why.TooManyHouseRules
        assert names[0] in (await _use_admin(scene, "settings")).text
        draft = await scene.use(scene.north, "gin challenge", scene.channel, options=True)
        assert Action.DRAFT_SEND in buttons(draft.message)
        unknown = await scene.use(scene.north, "gin challenge", scene.channel, rules="bridge")
        assert scene.error_type(unknown) is why.UnknownRules
        assert (await _challenge_anyone(scene, scene.north, rules=names[-1])).ruleset == names[-1]


@pytest.mark.thorough
async def test_presets_that_are_not_offered_are_neither_completed_nor_played(tmp_path: Path) -> None:
    """If managers offer only some presets, other presets are refused, but house rules may still be based on them."""
    async with open_scene(tmp_path) as scene:
        south, offered = scene.south, ["classic", "rotation"]
        panel = (await _use_admin(scene, "settings")).message
        await scene.change_setting(scene.north, panel, Action.SET_OFFERED, *offered)
        for command in ("challenge", "rules"):
            assert await _completed(scene, f"gin {command}", "rules", "") == offered
            assert await _completed(scene, f"gin {command}", "rules", "strict target=9") == []
            refused = scene.error(await scene.use(south, f"gin {command}", scene.channel, rules="strict"))
            assert isinstance(refused, why.NotOffered)
            assert [*refused.offered] == offered
        draft = (await scene.use(south, "gin challenge", scene.channel, options=True)).message
        assert [option.value for option in draft.selects[0].options] == offered
        refused = await scene.change_setting(scene.north, panel, Action.SET_OFFERED, "rotation")
        assert refused.text == default_must_be_offered("classic")
        assert [*(await _settings(scene)).offered] == offered
        await _use_admin(scene, "rules save", name="Ours", rules="strict")
        assert (await _challenge_anyone(scene, south, rules="Ours")).ruleset == "Ours"
        await scene.choose(scene.north, panel, Action.SET_OFFERED, *PRESETS)
        assert (await _settings(scene)).offered == ()


async def test_a_manager_ends_a_match(tmp_path: Path) -> None:
    """A match that a manager ends does not count; its result is posted, and a second attempt says that it is over."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        first, second = [(await _use_admin(scene, "end")).message for _ in range(2)]
        for panel in (first, second):
            (menu,) = panel.selects
            assert [option.value for option in menu.options] == ["1"]
            asked = await scene.choose(scene.north, panel, Action.END_MATCH, "1")
            assert versus(await scene.match()) in asked.text
            assert buttons(panel) == [Action.END_MATCH_NOW, Action.CHANGE_NOTHING]
        assert (await scene.match()).status is MatchStatus.RUNNING
        await scene.press(scene.north, first, Action.END_MATCH_NOW)
        assert (await scene.match()).status is MatchStatus.CANCELLED
        assert await scene.wait_for_post(Action.REMATCH)
        assert scene.error_type(await scene.press(scene.north, second, Action.END_MATCH_NOW)) is why.MatchOver
        assert (await _use_admin(scene, "end")).text == NONE_RUNNING


async def test_check_names_missing_permissions(tmp_path: Path) -> None:
    """`/gin-admin check` lists the bot's missing permissions by their names in Discord's settings."""
    async with open_scene(tmp_path) as scene:
        assert (await _use_admin(scene, "check")).text == f"{NOTHING_MISSING}\n\n{LIMIT_CHANNELS}"
        denied = Permission.ATTACH_FILES | Permission.CREATE_PUBLIC_THREADS
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(scene.sandbox.world.bot, deny=denied))
        answer = await _use_admin(scene, "check")
        assert "**Attach Files** and **Create Public Threads**" in answer.text
        assert accent_of(answer.message) == Accent.TROUBLE.value
        assert LIMIT_CHANNELS not in answer.text


@pytest.mark.thorough
async def test_check_says_how_to_limit_the_channels(tmp_path: Path) -> None:
    """If nothing is missing, `/gin-admin check` says how to limit the bot to channels, unless that was done already."""
    async with open_scene(tmp_path) as scene:
        assert (await _use_admin(scene, "check")).text == f"{NOTHING_MISSING}\n\n{LIMIT_CHANNELS}"
        settings = (await _use_admin(scene, "settings")).message
        await scene.change_setting(scene.north, settings, Action.SET_CHANNELS, scene.channel)
        assert (await _use_admin(scene, "check")).text == NOTHING_MISSING


@pytest.mark.thorough
async def test_reset_asks_before_it_clears_the_leaderboard(tmp_path: Path) -> None:
    """`/gin-admin reset` asks first; *Reset* then removes all results from the leaderboard."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10, open_dms=False) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.wait_until_idle()
        asked, cancelled = [(await _use_admin(scene, "reset")).message for _ in range(2)]
        assert buttons(asked) == [Action.RESET_LEADERBOARD_NOW, Action.CHANGE_NOTHING]
        assert (await scene.press(scene.north, cancelled, Action.CHANGE_NOTHING)).text == NOTHING_CHANGED
        assert await _leaderboard_names(scene) == ["North", "South"]
        await scene.press(scene.north, asked, Action.RESET_LEADERBOARD_NOW)
        assert await _leaderboard_names(scene) == []


@pytest.mark.thorough
async def test_names_are_found_without_accents_and_punctuation(tmp_path: Path) -> None:
    """Names of house rules and time zones are found whatever their case, accents and punctuation."""
    async with open_scene(tmp_path) as scene:
        name = "Mémé's-Rules"
        await _use_admin(scene, "rules save", name=name, rules="strict")
        assert (await _challenge_anyone(scene, scene.north, rules="meme s rules")).ruleset == name
        assert await _completed(scene, "gin challenge", "rules", "memes") == [name]
        removed = await _use_admin(scene, "rules remove", name="MEMES_RULES")
        assert name in removed.text
        await _use_admin(scene, "time_zone", zone="zürich")
        assert (await _settings(scene)).time_zone == "Europe/Zurich"
        unknown = scene.error(await _use_admin(scene, "time_zone", zone="EST"))
        assert isinstance(unknown, why.UnknownTimeZone)
        assert "America/New_York" in unknown.suggestions


# The tests below compare the exact wording.
def test_the_settings_are_listed_by_name() -> None:
    """The panel has a line for each setting with its current value."""
    settings = GuildSettings(offered=("classic", "rotation"))
    text = text_of(server_panel(settings, []))
    assert "**Default rules:** classic\n**Target:** set by the rules\n**Clock:** no clock\n" in text
    assert "**Available rules:** classic and rotation\n**Allowed channels:** all\n" in text
    assert "**House rules:** none. Manage them with `/gin-admin rules`." in text
    other = replace(settings, target=25, offered=(), channels=(ChannelId(7),), clock=Clock.parse("3d"))
    text = text_of(server_panel(other, []))
    assert (
        "**Target:** 25 points\n**Clock:** 3 days per turn; if time runs out, the others can claim the match\n" in text
    )
    assert "**Available rules:** all\n**Allowed channels:** <#7>\n" in text
    assert "Now: classic" in text_of(server_panel(settings, [], opened=Action.SET_RULES))


@pytest.mark.thorough
async def test_admin_texts(tmp_path: Path) -> None:
    """Questions say what would happen to matches and results; answers say what was done."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        north = scene.north
        zone = await _use_admin(scene, "time_zone", zone="zürich")
        assert "**The time zone is now Europe/Zurich.**" in zone.text
        saved = await _use_admin(scene, "rules save", name="Ours", rules="standard target=50 gin_bonus=30")
        assert "**Saved. You can now use these rules in challenges.**" in saved.text
        assert (await _use_admin(scene, "rules list")).text == f"- **Ours**{_RULES_LINE}"
        asked = await _use_admin(scene, "rules remove", name="Ours")
        gone = "Matches already in progress keep these rules."
        assert asked.text == f"Remove **Ours** rules? {gone}"
        removed = await scene.press(north, asked.message, Action.REMOVE_RULES_NOW)
        assert removed.text == f"Removed **Ours** rules. {gone}"
        await _use_admin(scene, "rules save", name="Mum's rules", rules="classic")
        asked = await _use_admin(scene, "rules remove", name="Mum's rules")
        assert asked.text == f"Remove **Mum's rules**? {gone}"
        end = await _use_admin(scene, "end")
        assert end.text == "Which match should I end? It won't count."
        (menu,) = end.message.selects
        assert menu.options[0].label == "North vs South"
        assert str(menu.options[0].description).startswith("#games, last move ")
        asked = await scene.choose(north, end.message, Action.END_MATCH, "1")
        assert asked.text.startswith("End ⁨North⁩ vs ⁨South⁩ now? It won't count.")
        ended = await scene.press(north, end.message, Action.END_MATCH_NOW)
        assert ended.text == "I ended ⁨North⁩ vs ⁨South⁩. It doesn't count."
        reset = await _use_admin(scene, "reset")
        assert reset.text.startswith("Reset the leaderboard?")
        done = await scene.press(north, reset.message, Action.RESET_LEADERBOARD_NOW)
        assert done.text == "I've reset the leaderboard. Only results from now on count."
