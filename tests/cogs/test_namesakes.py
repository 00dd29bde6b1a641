"""If players have the same display name, every text also shows their user names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from bot.model.ids import PersonId
from bot.sandbox import Message, Person
from cogs.actions import Action
from cogs.people.preferences_panel import NO_PICTURES
from tests.cogs.scenes import Scene, hands, open_scene
from tests.helpers.shufflers import IMMEDIATE_GIN

pytestmark = pytest.mark.thorough

_AMBIGUOUS_NAME: Final = re.compile("⁨sam⁩", re.IGNORECASE)
_NORTH, _SOUTH, _WEST = (
    f"⁨{shown} \\({account}\\)⁩" for shown, account in (("sam", "north"), ("Sam", "south"), ("ＳＡＭ", "west"))
)


def _give_equal_names(scene: Scene) -> tuple[Person, Person, Person]:
    """Give three people display names that look the same, and return the people."""
    north, south, west = scene.north, scene.south, scene.west
    for person, shown in ((north, "sam"), (south, "Sam"), (west, "ＳＡＭ")):
        person.user.display_name = shown
    return north, south, west


def _all_text(message: Message) -> str:
    """Return all text of a message: its content, its menu options and the alt texts of its pictures."""
    options = [option.label for menu in message.selects for option in menu.options]
    return "\n".join((message.text, *options, *(str(image.alt) for image in message.images)))


async def _play_short_match(scene: Scene, first: Person, second: Person) -> Message:
    """Have two people play a short match, and return the message about its end."""
    table = scene.posts
    await (await first.slash("gin challenge", scene.channel, opponent=second, target=10)).done()
    invitation = await scene.wait_for_post(Action.ACCEPT, exclude=table)
    assert f"<@{second.id}>" in _all_text(invitation)
    await scene.press(second, invitation, Action.ACCEPT)
    await scene.wait_until_idle()
    posted = await scene.wait_for_post(Action.SHOW_SCORE, exclude=table)
    for shown in (_all_text(posted), *(_all_text(hands(player)[-1]) for player in (first, second))):
        assert _AMBIGUOUS_NAME.search(shown) is None
    assert "(north)" in posted.text.replace("\\", "") or "(south)" in posted.text.replace("\\", "")
    await scene.ask(first, "take")
    await scene.ask(first, "gin")
    return await scene.wait_for_post(Action.REMATCH, exclude=table)


async def test_every_text_tells_namesakes_apart(tmp_path: Path) -> None:
    """Tables, hands, results, the leaderboard, profiles, history, records and comparisons tell namesakes apart."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_GIN) as scene:
        north, south, west = _give_equal_names(scene)
        for person in (north, south, west):
            # The bot learns people's names from their interactions.
            await scene.ask(person, "me preferences")
        await scene.wait_until_idle()
        end = _all_text(await _play_short_match(scene, north, south))
        assert _NORTH in end
        assert _AMBIGUOUS_NAME.search(end) is None
        await scene.wait_until_idle()
        asked = {
            "gin-stats versus": {"person": south},
            "gin-stats profile": {"person": south},
            "gin leaderboard": {},
            "gin-stats score": {},
        }
        for command, options in asked.items():
            answer = await scene.use(north, command, scene.channel, **options)
            for shown in map(_all_text, answer.messages):
                assert _AMBIGUOUS_NAME.search(shown) is None, command
                # The names on a leaderboard are in its picture.
                assert _SOUTH in shown or "Sam (south)" in shown, command
        choices = (await scene.use(north, "gin me preferences", scene.channel)).message
        await scene.change_setting(north, choices, Action.PREFER_APPEARANCE, NO_PICTURES)
        for command, options in asked.items():
            answer = await scene.use(north, command, scene.channel, **options)
            for shown in map(_all_text, answer.messages):
                assert _AMBIGUOUS_NAME.search(shown) is None, command
                assert _SOUTH in shown, command
        lists = [
            await scene.use(north, f"gin-stats {subcommand}", scene.channel) for subcommand in ("history", "records")
        ]
        assert all(_SOUTH in _all_text(item.message) for item in lists)
        pictures = (await scene.use(west, "gin leaderboard", scene.channel)).message
        assert "(north)" in str(pictures.images[0].alt)
        assert "(south)" in str(pictures.images[0].alt)


@pytest.mark.nightly
async def test_the_list_of_matches_tells_opponents_apart(tmp_path: Path) -> None:
    """If opponents in two matches have the same name, the list of matches adds their user names; the tables do not."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_GIN) as scene:
        _, south, west = _give_equal_names(scene)
        east = scene.east
        for opponent in (south, west):
            challenge = await scene.invite(east, opponent)
            await scene.press(opponent, challenge, Action.ACCEPT)
            await scene.wait_until_idle()
        assert _AMBIGUOUS_NAME.search(scene.table.text) is not None
        games = (await scene.use(east, "gin games", scene.channel)).message
        shown = _all_text(games)
        assert _SOUTH in shown
        assert _WEST in shown
        assert _AMBIGUOUS_NAME.search(shown) is None
        (menu,) = games.selects
        assert [option.label for option in menu.options] == ["East vs Sam (south)", "East vs ＳＡＭ (west)"]


async def test_user_names_are_updated_and_deleted(tmp_path: Path) -> None:
    """The user name is saved, updated when it changes, exported, and deleted along with the person."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        north, south, _ = _give_equal_names(scene)
        await scene.press(south, await scene.invite(north, south), Action.ACCEPT)
        await scene.wait_until_idle()
        north.user.username = "polaris"
        await scene.ask(north, "take")
        await scene.wait_until_idle()
        assert "⁨sam \\(polaris\\)⁩" in scene.table.text
        exports, person_id = scene.bot.app.exports, PersonId(north.id)
        exported = (await exports.export(person_id))["person"]
        assert (exported["name"], exported["username"]) == ("sam", "polaris")
        await scene.bot.app.people.forget(person_id)
        assert (await exports.export(person_id))["person"] is None


async def test_a_replay_tells_its_presenter_and_players_apart(tmp_path: Path) -> None:
    """If a spectator who shows a replay has the display name of a player, the post also has their user name."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        north, south, west = _give_equal_names(scene)
        await _play_short_match(scene, north, south)
        await scene.wait_until_idle()
        replay = (await scene.use(west, "gin-deal replay", scene.channel)).message
        before = scene.posts
        await scene.press(west, replay, Action.SHOW_REPLAY_TO_ALL)
        await scene.wait_until_idle()
        (shown,) = [post for post in scene.posts if post not in before]
        assert _WEST in shown.text
