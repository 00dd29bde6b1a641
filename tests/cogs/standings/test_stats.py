"""Profiles, comparisons of two people, and a server's records."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import update

from bot.model.ids import ChannelId, GuildId
from bot.model.statistics import Category
from bot.play.refusals import ProfileHidden
from bot.sandbox import Message, Person
from bot.store import tables
from cogs.actions import Action
from cogs.delivery.refusals import OLD_BUTTON, ONLY_IN_SERVERS
from cogs.standings import profile_text, records_text, versus_text
from cogs.standings.refusals import BOTS_HAVE_NONE
from tests.cogs.scenes import Scene, buttons, latest_with, open_match_scene, open_scene, person_of, play_match
from tests.helpers.databases import execute
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import Players, interaction, prefer
from tests.play.finished import save_finished_deal


async def show_profile(scene: Scene, person: Person, of: Person | None = None) -> Message:
    """Have a person look at a profile, by default their own."""
    options = {} if of is None else {"person": of}
    return (await scene.use(person, "gin-stats profile", scene.channel, **options)).message


async def test_a_profile_has_results_and_a_chart(tmp_path: Path) -> None:
    """Before the first finished match, a profile has only a friendly text; after it, numbers and a chart."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        before = await show_profile(scene, scene.north)
        assert (before.text, before.images) == (profile_text.NOTHING, [])
        await play_match(scene)
        panel = await show_profile(scene, scene.north)
        assert panel.ephemeral
        (chart,) = panel.images
        # Check the exact wording of the profile: what the picture shows is in its description, the rest in the text.
        for part in (
            "North: 1 match, 1 won (100%), 0 lost.",
            "Net points +85.",
            "Most often against South: 1 match, 1 won, 0 lost.",
        ):
            assert part in str(chart.alt)
        for part in (
            "### ⁨North⁩: matches for points",
            "-# 1 won, 0 lost · 85 points",
            "-# Net points: your points minus the best opponent's points.",
        ):
            assert part in panel.text
        assert "+85" not in panel.text
        assert "⁨South⁩" not in panel.text
        await prefer(scene.bot.app, person_of(scene.north), pictures=False)
        in_words = await show_profile(scene, scene.north)
        assert in_words.images == []
        for part in (
            "### ⁨North⁩: matches for points",
            "**1** match: **1** won (100%), 0 lost",
            "Net points **+85**",
            "Most often against ⁨South⁩: 1 match",
        ):
            assert part in in_words.text


@pytest.mark.nightly
async def test_a_profile_follows_the_viewer(tmp_path: Path) -> None:
    """The chart uses the viewer's theme; each player sees their own results; profiles exist only on servers."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await play_match(scene)
        (chart,) = (await show_profile(scene, scene.north)).images
        choices = await scene.use(scene.north, "gin me preferences", scene.channel)
        await scene.change_setting(scene.north, choices.message, Action.PREFER_APPEARANCE, "dark-four")
        (dark,) = (await show_profile(scene, scene.north)).images
        assert dark.content != chart.content
        assert dark.alt == chart.alt
        assert "Net points −85." in str((await show_profile(scene, scene.south)).images[0].alt)
        assert (await scene.use(scene.north, "gin-stats profile", scene.north.dm)).text == ONLY_IN_SERVERS


@pytest.mark.thorough
async def test_a_profile_switches_between_categories(tmp_path: Path) -> None:
    """The profile of a player with matches for points and for penalty points has a button to switch between them."""
    async with open_scene(tmp_path) as scene:
        guild = next(iter(scene.sandbox.world.guilds.values()))
        north, south = person_of(scene.north), person_of(scene.south)
        table = Players(scene.bot.app, (north, south))
        for number, rules in enumerate(("classic", "classic", "penalty")):
            match = await table.begin(rules, ChannelId(9_000 + number), GuildId(guild.id))
            await save_finished_deal(scene.bot.database, match.id)
            await scene.bot.app.endings.resign(north.id, match.id, interaction())
        panel = await show_profile(scene, scene.north)
        for matches, category in ((2, Category.POINTS), (1, Category.PENALTY), (2, Category.POINTS)):
            assert profile_text.CATEGORIES[category] in panel.text
            assert f"North: {matches} match" in str(panel.images[0].alt)
            assert buttons(panel) == [Action.PROFILE]
            assert (await scene.press(scene.north, panel, Action.PROFILE)).message is panel


@pytest.mark.thorough
async def test_a_profile_has_luck_statistics(tmp_path: Path) -> None:
    """Luck is shown with its expected ranges once there are enough deals; until then the number of deals is shown."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await play_match(scene)
        app, database = scene.bot.app, scene.bot.database
        while await app.luck_counting.count_some():
            pass
        few = (await show_profile(scene, scene.north)).text
        assert "30 two-player classic deals" in few
        assert "(1 so far)" in few
        await execute(database, update(tables.luck).values(deals=40, opening=2200, draws=200, useful=130))
        for person in (scene.north, scene.east):
            text = (await show_profile(scene, person, scene.north)).text
            for measure in ("**55.0** on average (52.1 to 60.7)", "**65.0%** (60.5% to 73.7%)", "**1** (1 to 8)"):
                assert measure in text


@pytest.mark.thorough
async def test_profiles_can_be_limited_to_opponents(tmp_path: Path) -> None:
    """If South shows their profile only to opponents, North, who played South, still sees it, and East does not."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await play_match(scene)
        shown = await show_profile(scene, scene.east, scene.south)
        assert shown.ephemeral
        assert "⁨South⁩" in shown.text
        assert buttons(shown) == [Action.VERSUS_PERSON]
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change_setting(scene.south, panel, Action.PREFER_PROFILE, "played")
        for command in ("gin-stats profile", "gin-stats versus", "gin-stats history"):
            refused = await scene.use(scene.east, command, scene.channel, person=scene.south)
            assert refused.message.ephemeral
            assert isinstance(scene.error(refused), ProfileHidden)
            assert scene.error(await scene.use(scene.north, command, scene.channel, person=scene.south)) is None
        assert isinstance(scene.error(await scene.press(scene.east, shown, Action.VERSUS_PERSON)), ProfileHidden)
        assert buttons(await show_profile(scene, scene.south, scene.south)) == []


async def _score_sheet(scene: Scene, person: Person) -> Message:
    """Have a person press *Score sheet* below the result of a match, and return the answer."""
    end = await scene.wait_for_post(Action.REMATCH)
    return (await scene.press(person, end, Action.SHOW_SCORE)).message


async def test_two_people_are_compared(tmp_path: Path) -> None:
    """The command and the button below a score sheet compare two people, with the viewer's results first."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await play_match(scene)
        shown = await scene.use(scene.north, "gin-stats versus", scene.channel, person=scene.south)
        assert str(shown.message.images[0].alt).startswith("North against South: 1 match.")
        sheet = await _score_sheet(scene, scene.south)
        mirrored = await scene.press(scene.south, sheet, Action.VERSUS)
        assert mirrored.message.ephemeral
        assert mirrored.text.startswith("### ⁨South⁩ against ⁨North⁩")
        # Check the exact wording of the comparison.
        assert shown.text.startswith("### ⁨North⁩ against ⁨South⁩: matches for points")
        assert "Won North 1, South 0." in str(shown.message.images[0].alt)
        assert "won **1**" not in shown.text
        await prefer(scene.bot.app, person_of(scene.north), pictures=False)
        in_words = await scene.use(scene.north, "gin-stats versus", scene.channel, person=scene.south)
        assert in_words.message.images == []
        assert in_words.text.startswith("### ⁨North⁩ against ⁨South⁩: matches for points")
        assert "**1 match**: ⁨North⁩ won **1**, ⁨South⁩ won **0**" in in_words.text


@pytest.mark.thorough
async def test_a_result_stays_while_its_players_are_compared(tmp_path: Path) -> None:
    """The comparison is a new message below the result. Nobody is compared with themselves or with a bot."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10) as scene:
        none = await scene.use(scene.north, "gin-stats versus", scene.channel, person=scene.south)
        assert none.message.images == []
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.wait_until_idle()
        end = latest_with(scene.south.direct_messages(), Action.VERSUS)
        result = end.text
        private = await scene.press(scene.south, end, Action.VERSUS)
        assert private.text.startswith("### ⁨South⁩ against ⁨North⁩")
        opened = await scene.choose(scene.south, private.message, Action.PAST_MATCH, "1")
        assert Action.MATCH_RECORD in buttons(opened.message)
        assert opened.message.id != private.message.id
        await scene.press(scene.south, end, Action.SHOWDOWN_DETAILS)
        assert end.text == result
        for person, expected in (
            (scene.north, versus_text.NOT_YOURSELF),
            (scene.sandbox.world.bot.id, BOTS_HAVE_NONE),
        ):
            assert (await scene.use(scene.north, "gin-stats versus", scene.channel, person=person)).text == expected


@pytest.mark.thorough
async def test_a_spectator_chooses_a_player_to_compare(tmp_path: Path) -> None:
    """A spectator who presses *Versus* is asked to choose a player; a forged choice gets the reply for old buttons."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await play_match(scene)
        sheet = await _score_sheet(scene, scene.east)
        asked = await scene.press(scene.east, sheet, Action.VERSUS)
        assert versus_text.WHICH in asked.text
        (menu,) = asked.message.selects
        assert [option.label for option in menu.options] == ["North", "South"]
        other = await click(scene.east, sheet, Action.VERSUS, 1, argument=str(scene.west.id))
        assert other.text == OLD_BUTTON
        chosen = await scene.choose(scene.east, asked.message, Action.VERSUS, str(scene.south.id))
        assert "⁨South⁩" in chosen.text


async def test_each_record_has_a_podium(tmp_path: Path) -> None:
    """The records page has the best record of each kind. Buttons open a kind's podium, with a menu of its matches."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        before = await scene.use(scene.east, "gin-stats records", scene.channel)
        assert records_text.NOTHING in before.text
        await play_match(scene)
        while await scene.bot.app.records_backfill.step() is not None:
            pass
        panel = (await scene.use(scene.east, "gin-stats records", scene.channel)).message
        every = panel.text
        assert records_text.STILL_LOOKING not in every
        assert buttons(panel) == [Action.SERVER_RECORDS, Action.SERVER_RECORDS, Action.SERVER_RECORDS]
        await scene.press(scene.east, panel, Action.SERVER_RECORDS, "largest_deal")
        assert f"<#{scene.channel.id}>" in panel.text
        opened = await scene.choose(scene.east, panel, Action.PAST_MATCH, "1")
        assert Action.MATCH_RECORD in buttons(opened.message)
        # Check the exact wording of a podium and of the records page.
        assert "**1.** 85 points, ⁨North⁩ against ⁨South⁩" in panel.text
        assert "**Fastest gin:** 1 turn, ⁨North⁩ against ⁨South⁩" in every
        assert "**Largest deal:** 85 points" in every
        await scene.press(scene.east, panel, Action.SERVER_RECORDS)
        assert panel.text == every
        assert (await scene.use(scene.east, "gin-stats records", scene.east.dm)).text == ONLY_IN_SERVERS
