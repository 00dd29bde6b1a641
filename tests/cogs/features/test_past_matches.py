"""Finished matches are listed, opened, replayed and exported, for people who can see their channel."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.engine.record import replay
from bot.opponent.levels import Level
from bot.play.refusals import NotOver
from bot.sandbox import Interaction, Message, Permission, World, member_overwrite
from bot.values.records import RecordKind
from cogs.kit.actions import Action
from cogs.support import past_matches
from cogs.text.refusals import ONLY_IN_SERVERS
from tests.cogs.scenes import at_table, buttons, clubhouse, person_of, won_match
from tests.helpers.components import controls
from tests.helpers.forgery import choose, click
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import interaction
from tests.helpers.worlds import stopped_world


def listed(message: Message) -> list[int]:
    """Return the ids of the matches that a message lists."""
    return [int(one.value) for menu in message.selects for one in menu.options]


async def test_ones_matches_are_listed_opened_and_handed_out(tmp_path: Path) -> None:
    """Opening a match leaves the list in place; the match's record is a file that can be replayed."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        assert listed((await scene.use(scene.north, "gin-stats history", scene.channel)).message) == []
        match_id = await won_match(scene)
        panel = (await scene.use(scene.south, "gin-stats history", scene.channel)).message
        assert panel.ephemeral
        assert listed(panel) == [match_id]
        opened = (await scene.choose(scene.south, panel, Action.PAST_MATCH, str(match_id))).message
        assert buttons(opened) == [Action.MATCH_RECORD, Action.REVIEW, Action.VERSUS, Action.VERIFY]
        assert len(opened.images) == 1
        given = (await scene.press(scene.south, opened, Action.MATCH_RECORD)).message
        assert given.ephemeral
        (file,) = given.attachments
        assert replay(file.content.decode()).score.winner == 0
        # The texts of this feature.
        where = f"0 – 85 · {scene.alive.app.clock():%-d %b %Y} · <#{scene.channel.id}>"
        assert panel.text == f"### Your matches on this server\n**Lost** against ⁨North⁩\n-# {where}"


@pytest.mark.thorough
async def test_a_match_of_others_is_opened_and_replayed(tmp_path: Path) -> None:
    """Anyone who sees the channel can open a match, but only its players can review it; a replay is a new message."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        match_id = await won_match(scene)
        panel = (await scene.use(scene.east, "gin-stats history", scene.channel, person=scene.north)).message
        opened = (await scene.choose(scene.east, panel, Action.PAST_MATCH, str(match_id))).message
        watched = (await scene.choose(scene.east, opened, Action.REPLAY_DEAL, "1")).message
        assert Action.REPLAY_STEP in buttons(watched)
        assert buttons(opened) == [Action.MATCH_RECORD, Action.VERSUS, Action.VERIFY]


@pytest.mark.nightly
async def test_direct_messages_list_the_matches_of_everywhere(tmp_path: Path) -> None:
    """In direct messages, the list has the player's matches on all servers and practice, but no other person's."""
    world = stopped_world()
    people = {user.display_name: user for user in world.users.values()}
    family = world.add_guild("Family", [people["South"], people["North"]])
    world.add_channel(family, "kitchen")
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 4, world=world) as scene:
        await won_match(scene)
        await won_match(scene, channel=scene.sandbox.channel("kitchen"))
        north = person_of(scene.north)
        app = scene.alive.app
        practice, _ = await app.practice.start(north, None, interaction(), level=Level.NOVICE)
        await app.endings.resign(north.id, practice.match.id, interaction())
        panel = (await scene.use(scene.north, "gin-stats history", scene.north.dm)).message
        assert listed(panel) == [3, 2, 1]
        for shown in ("kitchen\u2069, \u2068Family", "games\u2069, ", "novice"):
            assert shown in panel.text
        assert listed((await scene.use(scene.north, "gin-stats history", scene.channel)).message) == [1]
        asked = await click(scene.north, panel, Action.HISTORY, "me", argument=str(scene.south.id))
        assert asked.text == ONLY_IN_SERVERS


@pytest.mark.thorough
async def test_a_running_match_has_neither_page_nor_record(tmp_path: Path) -> None:
    """A running match has neither, even for its players and with forged buttons."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=300) as scene:
        for action in (Action.PAST_MATCH, Action.MATCH_RECORD):
            for person in (scene.north, scene.east):
                made = await click(person, scene.table, action, 1)
                assert isinstance(scene.error(made), NotOver)
                assert not made.message.attachments


def shut_room() -> World:
    """Return a world with a channel that East and West cannot see."""
    made = stopped_world()
    people = {user.display_name: user for user in made.users.values()}
    shut = [member_overwrite(people[name], deny=Permission.VIEW_CHANNEL) for name in ("East", "West")]
    made.add_channel(next(iter(made.guilds.values())), "back-room", overwrites=shut)
    return made


def told(made: Interaction) -> str:
    """Return everything in an answer, with the contents of its files."""
    files = [file.content.decode("latin-1") for one in made.messages for file in one.attachments]
    return json.dumps([[one.components for one in made.messages], made.text, files], default=str)


@pytest.mark.thorough
async def test_nobody_gets_a_match_of_a_channel_that_they_do_not_see(tmp_path: Path) -> None:
    """Lists, menus, records and buttons never lead to a match in a channel that the person cannot see."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 2, world=shut_room()) as scene:
        hidden = await won_match(scene, channel=scene.sandbox.channel("back-room"))
        seen = await won_match(scene, channel=scene.sandbox.channel("games"))
        back_room = scene.sandbox.channel("back-room").id
        for person, expected in ((scene.east, [seen]), (scene.north, [seen, hidden])):
            made = await scene.use(person, "gin-stats history", scene.channel, person=scene.south)
            assert listed(made.message) == expected
            assert (str(back_room) in told(made)) == (person is scene.north)
            panel = (await scene.use(person, "gin-stats records", scene.channel)).message
            for kind in (RecordKind.FASTEST_GIN, RecordKind.LARGEST_DEAL, RecordKind.LONGEST_DEAL):
                podium = await scene.press(person, panel, Action.SERVER_RECORDS, kind)
                assert {*listed(panel)} == {*expected}
                assert (str(back_room) in told(podium)) == (person is scene.north)
                # The names of record holders are public, as on the leaderboard.
                assert panel.text.count("\u2068North\u2069 against") == 2
                await scene.press(person, panel, Action.SERVER_RECORDS)
        message = (await scene.use(scene.east, "gin-stats records", scene.channel)).message
        for action in (Action.PAST_MATCH, Action.MATCH_RECORD, Action.REPLAY_DEAL, Action.VERSUS):
            for made in (
                await click(scene.east, message, action, hidden),
                await click(scene.east, message, action, hidden, values=["1"]),
                await choose(scene.east, message, action, hidden, "1"),
            ):
                assert "North" not in told(made)
                assert "[Record" not in told(made)
                assert not made.message.attachments, action


@pytest.mark.thorough
async def test_pages_are_turned_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are turned both ways in the same message. Many hidden matches do not block the way to older ones."""
    monkeypatch.setattr(past_matches, "PAGE", 1)
    monkeypatch.setattr(past_matches, "MOST_READ", 1)
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 3, world=shut_room()) as scene:
        seen = await won_match(scene)
        first, second = [await won_match(scene, channel=scene.sandbox.channel("back-room")) for _ in range(2)]
        panel = (await scene.use(scene.north, "gin-stats history", scene.channel)).message
        for page in (second, first, seen, first):
            assert listed(panel) == [page]
            turns = [one.event.argument or "" for one in controls(panel) if one.action is Action.HISTORY]
            assert ["/newer/" in turn for turn in turns] == [True] * (page != second) + [False] * (page != seen)
            await scene.press(scene.north, panel, Action.HISTORY, turns[-1])
        panel = (await scene.use(scene.east, "gin-stats history", scene.channel, person=scene.north)).message
        assert listed(panel) == []
        assert buttons(panel) == [Action.HISTORY]
        await scene.press(scene.east, panel, Action.HISTORY)
        assert listed(panel) == [seen]
        assert buttons(panel) == [Action.HISTORY]
