"""Profiles, comparisons of two people, and a server's records."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import update

from bot.play.refusals import ProfileHidden
from bot.sandbox import Message, Person
from bot.store import tables
from bot.values.ids import ChannelId, GuildId
from bot.values.statistics import Category
from cogs.kit.actions import Action
from cogs.text import profile as profile_text
from cogs.text import records as records_text
from cogs.text import versus as versus_text
from cogs.text.refusals import BOTS_HAVE_NONE, OLD_BUTTON, ONLY_IN_SERVERS
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, latest, person_of, won_match
from tests.helpers.databases import execute
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import Players, interaction
from tests.play.finished import save_a_deal


async def profile(scene: Scene, person: Person, of: Person | None = None) -> Message:
    """Have a person look at a profile, by default their own."""
    given = {} if of is None else {"person": of}
    return (await scene.use(person, "gin-stats profile", scene.channel, **given)).message


async def test_a_profile_shows_how_one_does_here(tmp_path: Path) -> None:
    """Before the first finished match there is a friendly text; then numbers and a chart."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        before = await profile(scene, scene.north)
        assert (before.text, before.images) == (profile_text.NOTHING, [])
        await won_match(scene)
        panel = await profile(scene, scene.north)
        assert panel.ephemeral
        (chart,) = panel.images
        assert chart.alt
        # The texts of this feature.
        for part in (
            "### ⁨North⁩: matches for points",
            "**1** match: **1** won (100%), 0 lost",
            "Net points **+85**",
            "Most often against ⁨South⁩: 1 match",
        ):
            assert part in panel.text


@pytest.mark.thorough
async def test_a_profile_is_drawn_for_who_asks(tmp_path: Path) -> None:
    """The chart uses the viewer's theme; each player sees their own results; profiles exist only on servers."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene)
        (chart,) = (await profile(scene, scene.north)).images
        choices = await scene.use(scene.north, "gin me preferences", scene.channel)
        await scene.change(scene.north, choices.message, Action.PREFER_APPEARANCE, "dark-four")
        (dark,) = (await profile(scene, scene.north)).images
        assert dark.content != chart.content
        assert dark.alt == chart.alt
        assert "**−85**" in (await profile(scene, scene.south)).text
        assert (await scene.use(scene.north, "gin-stats profile", scene.north.dm)).text == ONLY_IN_SERVERS


@pytest.mark.thorough
async def test_a_profile_leads_to_the_other_ladders(tmp_path: Path) -> None:
    """A player with matches for points and for penalty points switches between both with a button."""
    async with clubhouse(tmp_path) as scene:
        guild = next(iter(scene.sandbox.world.guilds.values()))
        north, south = person_of(scene.north), person_of(scene.south)
        table = Players(scene.alive.app, (north, south))
        for number, rules in enumerate(("classic", "classic", "penalty")):
            match = await table.begin(rules, ChannelId(9_000 + number), GuildId(guild.id))
            await save_a_deal(scene.alive.database, match.id)
            await scene.alive.app.endings.resign(north.id, match.id, interaction())
        panel = await profile(scene, scene.north)
        for matches, category in ((2, Category.POINTS), (1, Category.PENALTY), (2, Category.POINTS)):
            assert profile_text.CATEGORIES[category] in panel.text
            assert f"**{matches}** match" in panel.text
            assert buttons(panel) == [Action.PROFILE]
            assert (await scene.press(scene.north, panel, Action.PROFILE)).message is panel


@pytest.mark.thorough
async def test_a_profile_shows_how_the_cards_fell(tmp_path: Path) -> None:
    """Luck is shown with its expected ranges once there are enough deals; until then the number of deals is shown."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene)
        app, database = scene.alive.app, scene.alive.database
        while await app.luck_counting.count_some():
            pass
        few = (await profile(scene, scene.north)).text
        assert "from **30** deals" in few
        assert "there is **1**" in few
        await execute(database, update(tables.luck).values(deals=40, opening=2200, draws=200, useful=130))
        for person in (scene.north, scene.east):
            told = (await profile(scene, person, scene.north)).text
            for measure in ("**55.0** on average (52.1 to 60.7)", "**65.0%** (60.5% to 73.7%)", "**1** (1 to 8)"):
                assert measure in told


@pytest.mark.thorough
async def test_somebody_elses_profile_is_shown_unless_they_keep_it(tmp_path: Path) -> None:
    """East sees South's results until South shows them only to opponents; North still sees them."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene)
        shown = await profile(scene, scene.east, scene.south)
        assert shown.ephemeral
        assert "⁨South⁩" in shown.text
        assert buttons(shown) == [Action.VERSUS_PERSON]
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change(scene.south, panel, Action.PREFER_PROFILE, "played")
        for command in ("gin-stats profile", "gin-stats versus", "gin-stats history"):
            refused = await scene.use(scene.east, command, scene.channel, person=scene.south)
            assert refused.message.ephemeral
            assert isinstance(scene.error(refused), ProfileHidden)
            assert scene.error(await scene.use(scene.north, command, scene.channel, person=scene.south)) is None
        assert isinstance(scene.error(await scene.press(scene.east, shown, Action.VERSUS_PERSON)), ProfileHidden)
        assert buttons(await profile(scene, scene.south, scene.south)) == []


async def test_two_people_are_compared(tmp_path: Path) -> None:
    """The command and the button below the result compare two people, from the viewer's side."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene)
        shown = await scene.use(scene.north, "gin-stats versus", scene.channel, person=scene.south)
        assert str(shown.message.images[0].alt).startswith("N against S: 1 match.")
        end = await scene.post(Action.VERSUS)
        mirrored = await scene.press(scene.south, end, Action.VERSUS)
        assert mirrored.message.ephemeral
        assert mirrored.text.startswith("### ⁨South⁩ against ⁨North⁩")
        # The texts of this feature.
        assert shown.text.startswith("### ⁨North⁩ against ⁨South⁩: matches for points")
        assert "**1 match**: ⁨North⁩ won **1**, ⁨South⁩ won **0**" in shown.text


@pytest.mark.thorough
async def test_a_result_stays_while_its_players_are_compared(tmp_path: Path) -> None:
    """In direct messages the comparison is a new message. Nobody is compared with themselves or with a bot."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        none = await scene.use(scene.north, "gin-stats versus", scene.channel, person=scene.south)
        assert none.message.images == []
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.quiet()
        end = latest(scene.south.direct_messages(), Action.VERSUS)
        result = end.text
        private = await scene.press(scene.south, end, Action.VERSUS)
        assert private.text.startswith("### ⁨South⁩ against ⁨North⁩")
        opened = await scene.choose(scene.south, private.message, Action.PAST_MATCH, "1")
        assert Action.MATCH_RECORD in buttons(opened.message)
        assert opened.message.id != private.message.id
        await scene.press(scene.south, end, Action.REPLAY)
        assert end.text == result
        for person, told in (
            (scene.north, versus_text.NOT_YOURSELF),
            (scene.sandbox.world.bot.id, BOTS_HAVE_NONE),
        ):
            assert (await scene.use(scene.north, "gin-stats versus", scene.channel, person=person)).text == told


@pytest.mark.thorough
async def test_who_looks_on_chooses_whom_to_be_compared_with(tmp_path: Path) -> None:
    """Spectators can use the button and choose a player; a choice that was not offered counts as an old button."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene)
        end = await scene.post(Action.VERSUS)
        asked = await scene.press(scene.east, end, Action.VERSUS)
        assert versus_text.WHICH in asked.text
        (menu,) = asked.message.selects
        assert [one.label for one in menu.options] == ["North", "South"]
        other = await click(scene.east, end, Action.VERSUS, 1, argument=str(scene.west.id))
        assert other.text == OLD_BUTTON
        chosen = await scene.choose(scene.east, asked.message, Action.VERSUS, str(scene.south.id))
        assert "⁨South⁩" in chosen.text


async def test_records_are_shown_with_a_podium_for_each(tmp_path: Path) -> None:
    """The overview has the best of each kind; each kind has a ranking, from which its matches can be opened."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        before = await scene.use(scene.east, "gin-stats records", scene.channel)
        assert records_text.NOTHING in before.text
        await won_match(scene)
        panel = (await scene.use(scene.east, "gin-stats records", scene.channel)).message
        every = panel.text
        assert records_text.STILL_LOOKING not in every
        assert buttons(panel) == [Action.SERVER_RECORDS, Action.SERVER_RECORDS, Action.SERVER_RECORDS]
        await scene.press(scene.east, panel, Action.SERVER_RECORDS, "largest_deal")
        assert f"<#{scene.channel.id}>" in panel.text
        opened = await scene.choose(scene.east, panel, Action.PAST_MATCH, "1")
        assert Action.MATCH_RECORD in buttons(opened.message)
        # The texts of this feature.
        assert "**1.** 85 points, ⁨North⁩ against ⁨South⁩" in panel.text
        assert "**Fastest gin:** 1 turn, ⁨North⁩ against ⁨South⁩" in every
        assert "**Largest deal:** 85 points" in every
        await scene.press(scene.east, panel, Action.SERVER_RECORDS)
        assert panel.text == every
        assert (await scene.use(scene.east, "gin-stats records", scene.east.dm)).text == ONLY_IN_SERVERS
