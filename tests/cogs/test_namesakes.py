"""If players have the same display name, every text also shows their user names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from bot.sandbox import Message, Person
from bot.values.ids import PersonId
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, clubhouse, hands
from tests.helpers.shufflers import GIN_AT_ONCE

pytestmark = pytest.mark.thorough

_BARE: Final = re.compile("⁨sam⁩", re.IGNORECASE)
_NORTH, _SOUTH, _WEST = (
    f"⁨{shown} \\({account}\\)⁩" for shown, account in (("sam", "north"), ("Sam", "south"), ("ＳＡＭ", "west"))
)


def _rename(scene: Scene) -> tuple[Person, Person, Person]:
    """Give three people display names that look the same, and return the people."""
    north, south, west = scene.north, scene.south, scene.west
    for person, shown in ((north, "sam"), (south, "Sam"), (west, "ＳＡＭ")):
        person.user.display_name = shown
    return north, south, west


def _shown(message: Message) -> str:
    """Return all text of a message: its content, its menu options and the alt texts of its pictures."""
    options = [option.label for menu in message.selects for option in menu.options]
    return "\n".join((message.text, *options, *(str(image.alt) for image in message.images)))


async def _played(scene: Scene, first: Person, second: Person) -> Message:
    """Have two people play a short match, and return the message about its end."""
    table = scene.posts
    await (await first.slash("gin challenge", scene.channel, opponent=second, target=10)).done()
    invitation = await scene.post(Action.ACCEPT, but=table)
    assert f"<@{second.id}>" in _shown(invitation)
    await scene.press(second, invitation, Action.ACCEPT)
    await scene.quiet()
    posted = await scene.post(Action.SHOW_SCORE, but=table)
    for shown in (_shown(posted), *(_shown(hands(one)[-1]) for one in (first, second))):
        assert _BARE.search(shown) is None
    assert "(north)" in posted.text.replace("\\", "") or "(south)" in posted.text.replace("\\", "")
    await scene.ask(first, "take")
    await scene.ask(first, "gin")
    return await scene.post(Action.REMATCH, but=table)


async def test_each_text_says_who_is_meant(tmp_path: Path) -> None:
    """Tables, hands, results, the leaderboard, profiles, history, records and comparisons tell namesakes apart."""
    async with clubhouse(tmp_path, GIN_AT_ONCE, GIN_AT_ONCE) as scene:
        north, south, west = _rename(scene)
        for person in (north, south, west):
            # The bot learns people's names when they use it.
            await scene.ask(person, "me preferences")
        await scene.quiet()
        end = _shown(await _played(scene, north, south))
        assert _NORTH in end
        assert _SOUTH in end
        assert _BARE.search(end) is None
        await scene.quiet()
        asked = {
            "gin-stats versus": {"person": south},
            "gin-stats profile": {"person": south},
            "gin leaderboard": {},
            "gin score": {},
        }
        for command, options in asked.items():
            made = await scene.use(north, command, scene.channel, **options)
            for shown in map(_shown, made.messages):
                assert _BARE.search(shown) is None, command
                assert _SOUTH in shown, command
        lists = [await scene.use(north, f"gin-stats {one}", scene.channel) for one in ("history", "records")]
        assert all(_SOUTH in _shown(one.message) for one in lists)
        pictures = (await scene.use(west, "gin leaderboard", scene.channel)).message
        assert "(north)" in str(pictures.images[0].alt)
        assert "(south)" in str(pictures.images[0].alt)


@pytest.mark.nightly
async def test_a_list_of_matches_says_whom_each_is_against(tmp_path: Path) -> None:
    """If two opponents have the same name, the list of matches tells them apart, although no single match needs to."""
    async with clubhouse(tmp_path, GIN_AT_ONCE, GIN_AT_ONCE) as scene:
        _, south, west = _rename(scene)
        east = scene.east
        for opponent in (south, west):
            challenge = await scene.invite(east, opponent)
            await scene.press(opponent, challenge, Action.ACCEPT)
            await scene.quiet()
        assert _BARE.search(scene.table.text) is not None
        games = (await scene.use(east, "gin games", scene.channel)).message
        shown = _shown(games)
        assert _SOUTH in shown
        assert _WEST in shown
        assert _BARE.search(shown) is None
        (menu,) = games.selects
        assert [option.label for option in menu.options] == ["East vs Sam (south)", "East vs ＳＡＭ (west)"]


async def test_the_name_of_an_account_is_kept_up_to_date_and_forgotten(tmp_path: Path) -> None:
    """The user name is saved, updated when it changes, exported, and deleted along with the person."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        north, south, _ = _rename(scene)
        await scene.press(south, await scene.invite(north, south), Action.ACCEPT)
        await scene.quiet()
        north.user.username = "polaris"
        await scene.ask(north, "take")
        await scene.quiet()
        assert "⁨sam \\(polaris\\)⁩" in scene.table.text
        exports, person_id = scene.alive.app.exports, PersonId(north.id)
        exported = (await exports.export(person_id))["person"]
        assert (exported["name"], exported["username"]) == ("sam", "polaris")
        await scene.alive.app.people.forget(person_id)
        assert (await exports.export(person_id))["person"] is None


async def test_somebody_who_shows_a_deal_is_told_apart_from_its_players(tmp_path: Path) -> None:
    """A spectator who shows a deal is distinguished from a player with the same display name."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        north, south, west = _rename(scene)
        await _played(scene, north, south)
        await scene.quiet()
        replay = (await scene.use(west, "gin replay", scene.channel)).message
        before = scene.posts
        await scene.press(west, replay, Action.SHOW_REPLAY_TO_ALL)
        await scene.quiet()
        (shown,) = [post for post in scene.posts if post not in before]
        assert _WEST in shown.text
