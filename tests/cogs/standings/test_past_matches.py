"""People who can see the channel of a finished match can list, open, replay and export the match."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.engine.records.record import replay_record
from bot.model.ids import MatchId, PersonId
from bot.model.records import RecordKind
from bot.opponent.play.levels import Level
from bot.play.refusals import NotOver
from bot.sandbox import Interaction, Message, Permission, World, member_overwrite
from cogs.actions import Action
from cogs.delivery.refusals import ONLY_IN_SERVERS
from cogs.standings import past_matches
from tests.cogs.scenes import buttons, open_match_scene, open_scene, person_of, play_match
from tests.helpers.components import controls
from tests.helpers.forgery import choose, click
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import interaction
from tests.helpers.worlds import stopped_world


def listed_ids(message: Message) -> list[int]:
    """Return the ids of the matches that a message lists."""
    return [int(option.value) for menu in message.selects for option in menu.options]


async def test_own_matches_are_listed_opened_and_exported(tmp_path: Path) -> None:
    """A player can list and open their finished matches, and get a match's record as a file that can be replayed."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        assert listed_ids((await scene.use(scene.north, "gin-stats history", scene.channel)).message) == []
        match_id = await play_match(scene)
        panel = (await scene.use(scene.south, "gin-stats history", scene.channel)).message
        assert panel.ephemeral
        assert listed_ids(panel) == [match_id]
        opened = (await scene.choose(scene.south, panel, Action.PAST_MATCH, str(match_id))).message
        assert buttons(opened) == [Action.MATCH_RECORD, Action.REVIEW, Action.VERSUS, Action.VERIFY]
        assert len(opened.images) == 1
        answer = (await scene.press(scene.south, opened, Action.MATCH_RECORD)).message
        assert answer.ephemeral
        (file,) = answer.attachments
        assert replay_record(file.content.decode()).score.winner == 0
        # Compare the exact wording of the list.
        where = f"0 – 85 deal points · {scene.bot.app.clock():%-d %b %Y} · <#{scene.channel.id}>"
        assert panel.text == f"### Your matches on this server\n**Lost** against ⁨North⁩\n-# {where}"


async def test_a_match_without_a_finished_deal_is_marked(tmp_path: Path) -> None:
    """The list says that a match resigned before the end of its first deal doesn't count."""
    async with open_match_scene(tmp_path) as scene:
        await scene.bot.app.endings.resign(PersonId(scene.north.id), MatchId(1), interaction())
        listed = await scene.use(scene.south, "gin-stats history", scene.channel)
        assert listed.text.endswith(" · doesn't count")


@pytest.mark.thorough
async def test_other_peoples_matches_can_be_opened(tmp_path: Path) -> None:
    """Anyone who sees the channel can open a match, but not review others' matches. A replay is a new message."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        match_id = await play_match(scene)
        panel = (await scene.use(scene.east, "gin-stats history", scene.channel, person=scene.north)).message
        opened = (await scene.choose(scene.east, panel, Action.PAST_MATCH, str(match_id))).message
        watched = (await scene.choose(scene.east, opened, Action.REPLAY_DEAL, "1")).message
        assert Action.REPLAY_STEP in buttons(watched)
        assert buttons(opened) == [Action.MATCH_RECORD, Action.VERSUS, Action.VERIFY]


@pytest.mark.nightly
async def test_direct_messages_list_matches_on_all_servers(tmp_path: Path) -> None:
    """In direct messages, a player can list their own matches (on all servers, and practice), but nobody else's."""
    world = stopped_world()
    people = {user.display_name: user for user in world.users.values()}
    family = world.add_guild("Family", [people["South"], people["North"]])
    world.add_channel(family, "kitchen")
    async with open_scene(tmp_path, *[IMMEDIATE_GIN] * 4, world=world) as scene:
        await play_match(scene)
        await play_match(scene, channel=scene.sandbox.channel("kitchen"))
        north = person_of(scene.north)
        app = scene.bot.app
        practice, _ = await app.practice.start(north, None, interaction(), level=Level.NOVICE)
        await app.endings.resign(north.id, practice.match.id, interaction())
        panel = (await scene.use(scene.north, "gin-stats history", scene.north.dm)).message
        assert listed_ids(panel) == [3, 2, 1]
        for shown in ("kitchen\u2069, \u2068Family", "games\u2069, ", "novice"):
            assert shown in panel.text
        assert listed_ids((await scene.use(scene.north, "gin-stats history", scene.channel)).message) == [1]
        asked = await click(scene.north, panel, Action.HISTORY, "me", argument=str(scene.south.id))
        assert asked.text == ONLY_IN_SERVERS


@pytest.mark.thorough
async def test_a_running_match_has_neither_page_nor_record(tmp_path: Path) -> None:
    """Even with forged buttons, nobody gets the page or the record of a running match, not even its players."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=300) as scene:
        for action in (Action.PAST_MATCH, Action.MATCH_RECORD):
            for person in (scene.north, scene.east):
                answer = await click(person, scene.table, action, 1)
                assert isinstance(scene.error(answer), NotOver)
                assert not answer.message.attachments


def world_with_hidden_room() -> World:
    """Return a world with a channel that East and West cannot see."""
    new_world = stopped_world()
    people = {user.display_name: user for user in new_world.users.values()}
    hidden_from = [member_overwrite(people[name], deny=Permission.VIEW_CHANNEL) for name in ("East", "West")]
    new_world.add_channel(next(iter(new_world.guilds.values())), "back-room", overwrites=hidden_from)
    return new_world


def everything_in(answer: Interaction) -> str:
    """Return an answer's text, components and files as one text."""
    files = [file.content.decode("latin-1") for message in answer.messages for file in message.attachments]
    return json.dumps([[message.components for message in answer.messages], answer.text, files], default=str)


@pytest.mark.thorough
async def test_matches_in_hidden_channels_are_not_shown(tmp_path: Path) -> None:
    """Lists, menus, records and buttons never lead to a match in a channel that the person cannot see."""
    async with open_scene(tmp_path, *[IMMEDIATE_GIN] * 2, world=world_with_hidden_room()) as scene:
        hidden = await play_match(scene, channel=scene.sandbox.channel("back-room"))
        visible = await play_match(scene, channel=scene.sandbox.channel("games"))
        back_room = scene.sandbox.channel("back-room").id
        for person, expected in ((scene.east, [visible]), (scene.north, [visible, hidden])):
            answer = await scene.use(person, "gin-stats history", scene.channel, person=scene.south)
            assert listed_ids(answer.message) == expected
            assert (str(back_room) in everything_in(answer)) == (person is scene.north)
            panel = (await scene.use(person, "gin-stats records", scene.channel)).message
            for kind in (RecordKind.FASTEST_GIN, RecordKind.LARGEST_DEAL, RecordKind.LONGEST_DEAL):
                podium = await scene.press(person, panel, Action.SERVER_RECORDS, kind)
                assert {*listed_ids(panel)} == {*expected}
                assert (str(back_room) in everything_in(podium)) == (person is scene.north)
                # Records set in hidden channels are listed, too: players' names are public, as on the leaderboard.
                assert panel.text.count("\u2068North\u2069 against") == 2
                await scene.press(person, panel, Action.SERVER_RECORDS)
        message = (await scene.use(scene.east, "gin-stats records", scene.channel)).message
        for action in (Action.PAST_MATCH, Action.MATCH_RECORD, Action.REPLAY_DEAL, Action.VERSUS):
            for answer in (
                await click(scene.east, message, action, hidden),
                await click(scene.east, message, action, hidden, values=["1"]),
                await choose(scene.east, message, action, hidden, "1"),
            ):
                assert "North" not in everything_in(answer)
                assert "[Record" not in everything_in(answer)
                assert not answer.message.attachments, action


@pytest.mark.thorough
async def test_pages_are_turned_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are turned both ways in the same message. A page of only hidden matches is empty, but leads to others."""
    monkeypatch.setattr(past_matches, "PAGE_SIZE", 1)
    monkeypatch.setattr(past_matches, "MAX_READS", 1)
    async with open_scene(tmp_path, *[IMMEDIATE_GIN] * 3, world=world_with_hidden_room()) as scene:
        visible = await play_match(scene)
        first, second = [await play_match(scene, channel=scene.sandbox.channel("back-room")) for _ in range(2)]
        panel = (await scene.use(scene.north, "gin-stats history", scene.channel)).message
        for page in (second, first, visible, first):
            assert listed_ids(panel) == [page]
            turns = [control.event.argument or "" for control in controls(panel) if control.action is Action.HISTORY]
            assert ["/newer/" in turn for turn in turns] == [True] * (page != second) + [False] * (page != visible)
            await scene.press(scene.north, panel, Action.HISTORY, turns[-1])
        panel = (await scene.use(scene.east, "gin-stats history", scene.channel, person=scene.north)).message
        assert listed_ids(panel) == []
        assert buttons(panel) == [Action.HISTORY]
        await scene.press(scene.east, panel, Action.HISTORY)
        assert listed_ids(panel) == [visible]
        assert buttons(panel) == [Action.HISTORY]
