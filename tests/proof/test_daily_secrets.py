"""Until the day is over, no output reveals hidden cards of its deal, not even to people who have finished it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.engine.deals.moves import DRAW, PASS, Move, discard
from bot.model.daily import day_at
from bot.model.daily_standings import DailyPeriod
from bot.model.ids import ChannelId, MatchId
from bot.model.matches import MatchStatus
from bot.opponent.play.levels import Level
from bot.opponent.play.position import Position
from bot.play.loading.loaded_match import LoadedMatch
from bot.sandbox import Person
from bot.workers.workers import Workers
from cogs.actions import Action, Subject
from cogs.delivery.refusals import OLD_BUTTON
from tests.cogs.scenes import Scene, open_scene, person_of
from tests.cogs.test_outsiders import values_for
from tests.engine.decks import GIN_HAND, POOR_HAND, deck
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.fixed_chain import use_fixed_chain
from tests.helpers.forgery import Sweep, click, commands_of, invoke
from tests.helpers.shufflers import IMMEDIATE_GIN, Deck
from tests.helpers.table import change_settings, interaction
from tests.helpers.thinkers import make_reviews_brief, use_local_thinker
from tests.proof.wiretap import Transcript, Wiretap

pytestmark = pytest.mark.thorough

DAY: Final = timedelta(days=1)
MATCH: Final = MatchId(2)
"""North's try. The first match is South's try of the day before."""


@dataclass(frozen=True, slots=True)
class Case:
    """A way to play the deal: North's presses, and two decks with which everybody sees the same until the day is over.

    Only cards of the computer differ. `status` is the match's status after the presses.
    """

    decks: tuple[Deck, Deck]
    presses: tuple[tuple[Action, str | None], ...]
    status: MatchStatus = MatchStatus.FINISHED


def variants(build: Callable[[str], Deck], first: str, second: str) -> tuple[Deck, Deck]:
    """Return the decks that a function builds with either of two cards or hands of the computer."""
    return build(first), build(second)


CASES: Final = {
    "lay-offs": Case(
        variants(
            lambda card: deck("Kc Kd Kh Qc Qd Qh Ac 2c 3c 9h", f"{card} 2h 4h 6h 8h Th 2s 4s 6s 8s", "5d"), "Ks", "Qs"
        ),
        ((Action.TAKE, None), (Action.KNOCK, "9h")),
    ),
    "running": Case(
        variants(lambda card: deck(POOR_HAND, f"{GIN_HAND} {card}", "Ks", "9c 9d 9s Jc"), "Qh", "Qd"),
        (
            *((Action.PASS, None), (Action.DRAW, None), (Action.DISCARD, "Ts")),
            *((Action.DRAW, None), (Action.DISCARD, "Th")),
        ),
        MatchStatus.RUNNING,
    ),
    "gin": Case(
        variants(lambda card: deck(f"{GIN_HAND} Qh", f"{card} 4h 6h 8h Th 2s 4s 6s 8s Ts", "Ks"), "2h", "2d"),
        ((Action.TAKE, None), (Action.GIN, None)),
    ),
    "loss": Case(
        variants(lambda run: deck(POOR_HAND, f"Ac 2c 3c {run} Kc Kd Kh Qh", "Ks"), "4d 5d 6d", "4c 5c 6c"),
        ((Action.PASS, None),),
    ),
}
"""The other deck differs in the card that the computer lays off; in a card that it holds while the try continues, or
when North goes gin; or in the hand with which it goes gin."""
STARTS_A_GAME: Final = (Action.PRACTISE, Action.PRACTISE_LEVEL, Action.LESSON, Action.START_DAILY)
"""Actions after which other cards are dealt."""
NOT_COMPARED: Final = ("gin practice", "gin-deal decks", "gin me privacy")
"""Commands that deal other cards, or whose answers differ in each run."""
MOVES: Final = tuple(f"gin {name}" for name in ("draw", "take", "pass", "discard", "knock", "gin", "big", "layoff"))
"""Commands that could end a running try."""


@pytest.fixture(autouse=True)
def immediate_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have computers answer immediately, even if the machine is busy, and review quickly."""
    use_local_thinker(monkeypatch)
    make_reviews_brief(monkeypatch)


@pytest.fixture(autouse=True)
def same_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the same hash chain for everything: one run may draw it more often than the other."""
    use_fixed_chain(monkeypatch)


async def patient_move(position: Position, level: Level, seed: int) -> Move:
    """Pass, draw, or discard the card just drawn, so that the moves do not depend on the computer's hand."""
    if position.new_card is not None:
        return discard(position.new_card)
    return PASS if PASS in position.moves else DRAW


async def play_and_look(folder: Path, case: Case, dealt: Deck, actions: Iterable[Action]) -> Transcript:
    """Let North play the deal of the day. Return all output of that, and of everything that North and South then try.

    They try all commands, and some `actions`. South has played the day before, but not today: on that day the computer
    acts first, and goes gin.
    """
    clock = Clock()
    async with open_scene(folder, IMMEDIATE_GIN, dealt, clock=clock) as scene:
        await scene.bot.app.daily_tries.start(person_of(scene.south), scene.guild_id, interaction())
        await scene.wait_until_idle()
        await scene.advance(clock, DAY)
        await scene.bot.app.daily_deals.close_past()
        invitation = (await scene.use(scene.north, "gin daily", scene.channel)).message
        await scene.press(scene.north, invitation, Action.START_DAILY)
        hand = await scene.wait_for_turn(scene.north)
        await scene.wait_until_idle()
        tap = Wiretap(scene.sandbox, frozenset())
        with pytest.MonkeyPatch.context() as monkeypatch:
            if case.status is MatchStatus.RUNNING:
                monkeypatch.setattr(Workers, "move", staticmethod(patient_move))
            for action, argument in case.presses:
                await scene.press(scene.north, hand, action, argument)
                await scene.wait_until_idle()
        await change_settings(scene.bot.app, scene.guild_id, daily_channel=ChannelId(scene.channel.id), daily_hour=0)
        await scene.bot.app.daily_posts.run()
        await scene.wait_until_idle()
        assert has_button(scene.posts[-1], Action.DAILY)
        sweeps = [
            Sweep(person, (await scene.use(person, "gin help", scene.channel)).message, [MATCH])
            for person in (scene.north, scene.south)
        ]
        for sweep in sweeps:
            await _use_commands(scene, sweep.person, is_running=case.status is MatchStatus.RUNNING)
            await _look_at_days(scene, sweep, day_at(clock.now), has_played_before=sweep.person is sweeps[1].person)
            for action in actions:
                if action not in STARTS_A_GAME and action is not Action.FORGET_NOW:
                    await _try_out(scene, sweep, action)
        assert (await scene.match(MATCH)).status is case.status
        for sweep in sweeps:
            await _try_out(scene, sweep, Action.FORGET_NOW)
        tap.record_screen(scene.south, "South")
        return tap.transcript()


# Wait after each attempt, so that the messages that follow are in the same order.


async def _try_out(scene: Scene, sweep: Sweep, action: Action) -> None:
    async for _ in sweep.attempts(action):
        await scene.wait_until_idle()


async def _use_commands(scene: Scene, person: Person, *, is_running: bool) -> None:
    """Use every command with the options that it needs. While the try `is_running`, make no moves."""
    for command in commands_of(scene.bot):
        if not command.qualified_name.startswith((*NOT_COMPARED, *(MOVES if is_running else ()))):
            required = {parameter.display_name for parameter in command.parameters if parameter.required}
            values = {name: value for name, value in values_for(scene, command).items() if name in required}
            await invoke(scene.bot, person, scene.channel, command, values)
            await scene.wait_until_idle()


async def _look_at_days(scene: Scene, sweep: Sweep, today: date, *, has_played_before: bool) -> None:
    """Use the buttons of the standings and of the calendar, and open two days. Today's deal cannot be opened."""
    for period in DailyPeriod:
        assert await _shows_something(scene, sweep, Action.DAILY_STANDINGS, period)
    for first in (today - DAY, today):
        assert await _shows_something(scene, sweep, Action.DAILY_CALENDAR, first.isoformat())
    assert await _shows_something(scene, sweep, Action.DAILY_DAY, "0", today - DAY) is has_played_before
    assert not await _shows_something(scene, sweep, Action.DAILY_DAY, "0", today)


async def _shows_something(
    scene: Scene, sweep: Sweep, action: Action, argument: str, chosen: date | None = None
) -> bool:
    """Press a button, or choose a day in a menu. Return False if the answer is that there is no such component."""
    values = None if chosen is None else [chosen.isoformat()]
    shown = await click(sweep.person, sweep.message, action, Subject.SELF, argument=argument, values=values)
    await scene.wait_until_idle()
    return OLD_BUTTON not in shown.text


async def compared(folder: Path, case: Case, actions: Iterable[Action] = Action) -> list[Transcript]:
    """Return the output with each of the decks."""
    folders = [folder / "first", folder / "second"]
    for own in folders:
        own.mkdir()
    return [await play_and_look(own, case, dealt, actions) for own, dealt in zip(folders, case.decks, strict=True)]


@pytest.mark.parametrize("name", nightly_after(2, CASES))
async def test_no_output_depends_on_the_computers_cards(tmp_path: Path, name: str) -> None:
    """During a try and after it, everything that anybody can get is the same, whatever cards the computer held."""
    first, second = await compared(tmp_path, CASES[name])
    assert first.keys() == second.keys()
    assert {key for key in first if first[key] != second[key]} == set()


async def test_the_comparison_notices_a_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If deals of the day are not sealed, the comparison finds the difference."""

    def require_nothing(loaded: LoadedMatch, _: datetime) -> LoadedMatch:
        return loaded

    monkeypatch.setattr("bot.play.loading.unit_of_work.require_open", require_nothing)
    first, second = await compared(tmp_path, CASES["lay-offs"], [Action.REPLAY])
    assert first != second
