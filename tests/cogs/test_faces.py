"""The players' avatars in pictures: from an interaction to the table, and out of it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model.ids import MatchId, PersonId
from bot.sandbox import Clock, World
from cardart import draw_table
from cogs.actions import Action
from cogs.words.names import portraits
from tests.cogs.scenes import Scene, open_scene
from tests.helpers.living import start_match
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.thinkers import use_local_thinker


async def _shows_faces(scene: Scene) -> bool:
    """Return True if the table's picture differs from the one for players without avatars."""
    await scene.wait_until_idle()
    table = await scene.bot.app.lookup.table(MatchId(1))
    letters = draw_table(table.view, portraits(table.match.players), table.match.appearance)
    (image,) = scene.table.images
    return image.content != letters.content


@pytest.mark.thorough
async def test_avatars_appear_on_the_table(tmp_path: Path) -> None:
    """The table shows the players' avatars after they are loaded, and none of players who hide theirs."""
    world = World.default(clock=Clock(running=False), avatars=True)
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, world=world, avatars=True) as scene:
        await start_match(scene.bot)
        await scene.wait_until_idle()
        avatars = scene.bot.client.pictures.avatars
        players = (await scene.bot.app.lookup.table(MatchId(1))).match.players
        assert [player.avatar for player in players] == [scene.north.user.avatar, scene.south.user.avatar]
        await avatars.load(players)
        await scene.ask(scene.north, "pass")
        assert await _shows_faces(scene)
        for person in (scene.north, scene.south):
            panel = (await scene.use(person, "gin me preferences")).message
            await scene.change_setting(person, panel, Action.PREFER_AVATAR, "no")
        await scene.ask(scene.south, "pass")
        assert not await _shows_faces(scene)


@pytest.mark.thorough
async def test_practice_loads_the_avatar_before_the_first_showdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hand of a practice match loads the player's avatar for the showdown, the first picture with faces there."""
    use_local_thinker(monkeypatch)
    world = World.default(clock=Clock(running=False), avatars=True)
    async with open_scene(tmp_path, IMMEDIATE_GIN, world=world, avatars=True) as scene:
        await scene.use(scene.north, "gin practice start", scene.north.dm, target=10)
        await scene.wait_for_turn(scene.north)
        avatars = scene.bot.client.pictures.avatars
        await avatars.load(())
        players = (await scene.bot.app.lookup.hand(PersonId(scene.north.id), MatchId(1))).match.players
        assert players[0].avatar == scene.north.user.avatar
        assert avatars.of_people(players).keys() == {scene.north.id}
