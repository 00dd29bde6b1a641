"""Matches that are over, page by page, opened, replayed and handed out, to those who may see them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.engine.record import replay
from bot.opponent.levels import Level
from bot.sandbox import Interaction, Permission, Person, World, member_overwrite
from bot.values.guilds import Place
from bot.values.ids import ChannelId, GuildId, MatchId
from cogs.kit.actions import Action
from cogs.support import past_matches
from tests.cogs.scenes import Scene, at_table, clubhouse, labels, person_of
from tests.helpers.forgery import choose, click
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import Players, interaction

pytestmark = pytest.mark.slow


def place_of(scene: Scene, name: str) -> Place:
    """Return a channel of the server."""
    channel = scene.sandbox.channel(name)
    assert channel.guild is not None
    return Place(GuildId(channel.guild.id), ChannelId(channel.id))


async def play(scene: Scene, channel: str = "games", people: tuple[Person, ...] | None = None) -> MatchId:
    """Let two people play a match of a single deal."""
    table = Players(scene.alive.app, tuple(person_of(one) for one in people or (scene.north, scene.south)))
    place = place_of(scene, channel)
    match = await table.begin("classic target=10", place.channel_id, place.guild_id)
    await table.win(match.id)
    return match.id


async def test_ones_matches_are_listed_opened_replayed_and_handed_out(tmp_path: Path) -> None:
    """The list stays while a match is opened; its deals are replayed, its record is a file that can be played again."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        none = await scene.use(scene.north, "gin-stats history", scene.channel)
        assert "You have not finished a match on this server yet" in none.text
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.quiet()
        listed = await scene.use(scene.south, "gin-stats history", scene.channel)
        assert listed.message.ephemeral
        assert "### Your matches on this server" in listed.text
        assert "**Lost** against \u2068North\u2069" in listed.text
        assert f"0 – 85 · {scene.alive.app.clock():%-d %b %Y} · <#{scene.channel.id}>" in listed.text
        opened = await scene.choose(scene.south, listed.message, "Open a match …", "1")
        assert "\u2068North\u2069 wins the match" in opened.text
        assert labels(opened.message) == ["Record", "Review", "Versus", "Verify"]
        assert len(opened.message.images) == 1
        replayed = await scene.choose(scene.south, opened.message, "Replay a deal …", "1")
        assert "### Replay · Deal 1" in replayed.text
        assert labels(opened.message) == ["Record", "Review", "Versus", "Verify"]
        given = await scene.press(scene.south, opened.message, "Record")
        assert given.message.ephemeral
        (file,) = given.message.attachments
        assert replay(file.content.decode()).score.winner == 0
        # Whoever sees the channel may look at it, too; a review is of one's own play.
        other = await scene.use(scene.east, "gin-stats history", scene.channel, person=scene.north)
        assert "### Matches of \u2068North\u2069 on this server" in other.text
        opened = await scene.choose(scene.east, other.message, "Open a match …", "1")
        assert labels(opened.message) == ["Record", "Versus", "Verify"]


async def test_pages_are_turned_in_place(tmp_path: Path) -> None:
    """Eight to a page, both ways, in the same message."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 10) as scene:
        for _ in range(10):
            await play(scene)
        panel = (await scene.use(scene.north, "gin-stats history", scene.channel)).message
        assert (panel.text.count("**Won**"), labels(panel)) == (8, ["Older"])
        await scene.press(scene.north, panel, "Older")
        assert (panel.text.count("**Won**"), labels(panel)) == (2, ["Newer"])
        await scene.press(scene.north, panel, "Newer")
        assert (panel.text.count("**Won**"), labels(panel)) == (8, ["Older"])


async def test_direct_messages_list_the_matches_of_everywhere(tmp_path: Path) -> None:
    """With the channel and the server; practice too. Of others nothing is listed there."""
    world = World.default()
    people = {user.display_name: user for user in world.users.values()}
    family = world.add_guild("Family", [people["South"], people["North"]])
    world.add_channel(family, "kitchen")
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 4, world=world) as scene:
        await play(scene)
        await play(scene, "kitchen")
        north = person_of(scene.north)
        app = scene.alive.app
        practice, _ = await app.practice.start(north, None, interaction(), level=Level.NOVICE)
        await app.endings.resign(north.id, practice.match.id, interaction())
        listed = await scene.use(scene.north, "gin-stats history", scene.north.dm)
        assert "### Your matches everywhere" in listed.text
        assert "kitchen\u2069, \u2068Family" in listed.text
        assert "games\u2069, " in listed.text
        assert "practice (level: " in listed.text
        here = await scene.use(scene.north, "gin-stats history", scene.channel)
        assert "kitchen" not in here.text
        assert here.text.count("**Won**") == 1
        asked = await click(scene.north, listed.message, Action.HISTORY, "me", argument=str(scene.south.id))
        assert "This only works in a server" in asked.text


async def test_a_running_match_has_neither_page_nor_record(tmp_path: Path) -> None:
    """Not for its players either, whatever they send."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=300) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        message = (await scene.use(scene.north, "gin help", scene.channel)).message
        for action in (Action.PAST_MATCH, Action.MATCH_RECORD):
            for person in (scene.north, scene.east):
                made = await click(person, scene.table, action, 1)
                assert "is still running. Ask again once it is over" in made.text
                assert not made.message.attachments
        assert message is not None


def shut_room() -> World:
    """Return the clubhouse with a room that East and West do not see."""
    made = World.default()
    people = {user.display_name: user for user in made.users.values()}
    shut = [member_overwrite(people[name], deny=Permission.VIEW_CHANNEL) for name in ("East", "West")]
    made.add_channel(next(iter(made.guilds.values())), "back-room", overwrites=shut)
    return made


def told(made: Interaction) -> str:
    """Return all that an answer holds, with what its files say."""
    files = [file.content.decode("latin-1") for one in made.messages for file in one.attachments]
    return json.dumps([[one.components for one in made.messages], made.text, files], default=str)


async def test_nobody_gets_a_match_of_a_channel_that_they_do_not_see(tmp_path: Path) -> None:
    """No list, menu or podium leads there, and no button gives its page, its replay or its record."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 5, world=shut_room()) as scene:
        hidden = [await play(scene, "back-room") for _ in range(2)]
        seen = await play(scene, "games")
        back_room = scene.sandbox.channel("back-room").id
        for person, expected in ((scene.east, [seen]), (scene.north, [seen, *hidden[::-1]])):
            listed = await scene.use(person, "gin-stats history", scene.channel, person=scene.south)
            assert [int(one.value) for menu in listed.message.selects for one in menu.options] == expected
            assert (str(back_room) in told(listed)) == (person is scene.north)
            panel = (await scene.use(person, "gin-stats records", scene.channel)).message
            for name in ("Fastest gin", "Largest deal", "Longest deal"):
                podium = await scene.press(person, panel, name)
                options = {int(one.value) for menu in panel.selects for one in menu.options}
                assert options == set(expected)
                assert (str(back_room) in told(podium)) == (person is scene.north)
                # Who holds a record is no secret, as on the leaderboard.
                assert panel.text.count("\u2068North\u2069 against") == 3
                await scene.press(person, panel, "All records")
        message = (await scene.use(scene.east, "gin-stats records", scene.channel)).message
        for match_id in hidden:
            for action in (Action.PAST_MATCH, Action.MATCH_RECORD, Action.REPLAY_DEAL, Action.VERSUS):
                for made in (
                    await click(scene.east, message, action, match_id),
                    await click(scene.east, message, action, match_id, values=["1"]),
                    await choose(scene.east, message, action, match_id, "1"),
                ):
                    assert "North" not in told(made)
                    assert "Shuffle" not in told(made)
                    assert not made.message.attachments, action


async def test_pages_go_on_behind_matches_that_are_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many matches in a channel that is not seen leave a way to the older ones that are."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 12, world=shut_room()) as scene:
        monkeypatch.setattr(past_matches, "MOST_READ", 1)
        seen = [await play(scene) for _ in range(2)]
        for _ in range(9):
            await play(scene, "back-room")
        listed = await scene.use(scene.east, "gin-stats history", scene.channel, person=scene.north)
        assert "Nothing here that you may see" in listed.text
        assert labels(listed.message) == ["Older"]
        await scene.press(scene.east, listed.message, "Older")
        assert [int(one.value) for one in listed.message.selects[0].options] == seen[::-1]
        assert labels(listed.message) == ["Newer"]
