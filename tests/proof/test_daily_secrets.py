"""Until the day is over, no output reveals hidden cards of its deal, not even to people who have finished it."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.model.ids import ChannelId, MatchId
from bot.play.loading.loaded_match import LoadedMatch
from bot.sandbox import Message, Person
from cogs.actions import Action
from tests.cogs.scenes import Scene, open_scene
from tests.engine.decks import GIN_HAND, deck
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.forgery import Sweep, commands_of, invoke
from tests.helpers.shufflers import Deck
from tests.helpers.table import change_settings
from tests.helpers.thinkers import make_reviews_brief, use_local_thinker
from tests.proof.test_leaks import seeded_chains
from tests.proof.wiretap import Transcript, Wiretap

pytestmark = pytest.mark.thorough

MATCH: Final = MatchId(1)
DECKS: Final = [deck(f"{GIN_HAND} Qh", f"{swapped} 4h 6h 8h Th 2s 4s 6s 8s Ts", "Ks") for swapped in ("2h", "2d")]
"""Two decks with the same result: the person goes gin in the first turn. One card of the computer is another."""
STARTS_A_GAME: Final = (Action.PRACTISE, Action.PRACTISE_LEVEL, Action.LESSON, Action.START_DAILY)
"""Actions after which other cards are dealt."""
NOT_COMPARED: Final = ("gin practice", "gin-deal decks", "gin me privacy")
"""Commands that deal other cards, or whose answers differ in each run."""


@pytest.fixture(autouse=True)
def immediate_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have computers answer immediately, even if the machine is busy, and review quickly."""
    use_local_thinker(monkeypatch)
    make_reviews_brief(monkeypatch)


async def play_and_look(folder: Path, dealt: Deck) -> Transcript:
    """Let North finish the deal of the day. Return all output of everything that North and South then try."""
    clock = Clock()
    clock.pass_by(timedelta(days=1))  # On this day, the person acts first.
    with seeded_chains("daily") as commitments:
        async with open_scene(folder, dealt, clock=clock) as scene:
            invitation = (await scene.use(scene.north, "gin daily", scene.channel)).message
            await scene.press(scene.north, invitation, Action.START_DAILY)
            hand = await scene.wait_for_turn(scene.north)
            await scene.press(scene.north, hand, Action.TAKE)
            await scene.wait_until_idle()
            tap = Wiretap(scene.sandbox, frozenset(), commitments)
            await scene.press(scene.north, hand, Action.GIN)
            await scene.wait_until_idle()
            await change_settings(
                scene.bot.app, scene.guild_id, daily_channel=ChannelId(scene.channel.id), daily_hour=0
            )
            await scene.bot.app.daily_posts.run()
            await scene.wait_until_idle()
            assert has_button(scene.posts[-1], Action.DAILY)
            for person in (scene.north, scene.south):
                await _look_around(scene, person)
            await scene.wait_until_idle()
            tap.record_screen(scene.south, "South")
            return tap.transcript()


async def _look_around(scene: Scene, person: Person) -> None:
    """Try every button and every command. Wait after each, so that the messages that follow are in the same order."""
    message: Message = (await scene.use(person, "gin help", scene.channel)).message
    sweep = Sweep(person, message, [MATCH])
    for action in (action for action in Action if action not in STARTS_A_GAME):
        async for _ in sweep.attempts(action):
            await scene.wait_until_idle()
    for command in commands_of(scene.bot):
        needs_options = any(parameter.required for parameter in command.parameters)
        if not needs_options and not command.qualified_name.startswith(NOT_COMPARED):
            await invoke(scene.bot, person, scene.channel, command, {})
            await scene.wait_until_idle()


async def compared(folder: Path) -> list[Transcript]:
    """Return the output with each of the decks."""
    folders = [folder / "first", folder / "second"]
    for own in folders:
        own.mkdir()
    return [await play_and_look(own, dealt) for own, dealt in zip(folders, DECKS, strict=True)]


async def test_no_output_depends_on_the_computers_cards(tmp_path: Path) -> None:
    """After the end of a try, everything that anybody can get is the same, whatever cards the computer held."""
    first, second = await compared(tmp_path)
    assert first.keys() == second.keys()
    assert {key for key in first if first[key] != second[key]} == set()


async def test_the_comparison_notices_a_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If deals of the day are not sealed, the comparison finds the difference."""

    def require_nothing(loaded: LoadedMatch, _: datetime) -> LoadedMatch:
        return loaded

    monkeypatch.setattr("bot.play.loading.unit_of_work.require_open", require_nothing)
    first, second = await compared(tmp_path)
    assert first != second
