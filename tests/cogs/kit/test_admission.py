"""Admission control: the bot refuses interactions when it is too busy, and drops those that are too late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.sandbox import Clock, Delay, Interaction, Request
from bot.values.ids import GuildId, PersonId
from bot.values.matches import MatchStatus, OwnHand
from cogs.features.tables import NO_MATCHES
from cogs.kit import admission
from cogs.kit.actions import Action
from cogs.kit.admission import DROPPED, LATEST, MOST_FOR_ONE
from cogs.text.refusals import ONE_AT_A_TIME, VERY_BUSY
from cogs.text.showdown import NO_DEAL
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse
from tests.helpers.cases import nightly_after
from tests.helpers.components import find_button, moves_shown
from tests.helpers.waiting import eventually
from tests.helpers.worlds import stopped_world


@asynccontextmanager
async def hanging(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[list[PersonId]]:
    """Block all lists of matches until the block ends. Yield the ids of the people who are waiting for a list."""
    released, lookup, waiting = asyncio.Event(), scene.alive.app.lookup, list[PersonId]()
    real = lookup.hands

    async def hands(person_id: PersonId, guild_id: GuildId | None = None) -> tuple[OwnHand, ...]:
        waiting.append(person_id)
        await released.wait()
        return await real(person_id, guild_id)

    monkeypatch.setattr(lookup, "hands", hands)
    try:
        yield waiting
    finally:
        released.set()


async def test_one_person_gets_two_answers_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A third command is refused until one is answered. Completions and other people are not affected."""
    async with clubhouse(tmp_path) as scene:
        asked = list[Interaction]()
        async with hanging(scene, monkeypatch):
            asked = [await scene.north.slash("gin games", scene.channel) for _ in range(MOST_FOR_ONE)]
            assert await scene.ask(scene.north, "games") == ONE_AT_A_TIME
            assert await scene.ask(scene.north, "help") == ONE_AT_A_TIME
            assert Action.LESSON in buttons((await scene.use(scene.south, "gin help", scene.channel)).message)
            completed = await scene.north.complete("gin challenge", scene.channel, option="rules", value="okl")
            await completed.answer()
            assert completed.choices
        assert {(await one.done()).text for one in asked} == {await scene.ask(scene.north, "games")}
        assert asked[0].text != ONE_AT_A_TIME


@pytest.mark.thorough
async def test_only_one_more_waits_for_an_answer_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the two answers in progress, one more interaction waits briefly; any others are refused immediately."""
    monkeypatch.setattr(admission, "GRACE", 3.0)
    async with clubhouse(tmp_path) as scene:
        async with hanging(scene, monkeypatch) as waiting:
            asked = [await scene.north.slash("gin games", scene.channel) for _ in range(MOST_FOR_ONE)]
            await eventually(lambda: len(waiting) == MOST_FOR_ONE)
            patient = await scene.north.slash("gin help", scene.channel)
            assert await scene.ask(scene.north, "help") == ONE_AT_A_TIME
            assert patient.pending
        for one in (*asked, patient):
            await one.done()
        assert Action.LESSON in buttons(patient.message)


async def test_a_bot_that_many_ask_at_once_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the limit for all people, the bot refuses politely, and it answers again when there is room."""
    monkeypatch.setattr(admission, "MOST_AT_ONCE", 2)
    async with clubhouse(tmp_path) as scene:
        async with hanging(scene, monkeypatch):
            asked = [await person.slash("gin games", scene.channel) for person in (scene.north, scene.south)]
            assert await scene.ask(scene.east, "games") == VERY_BUSY
        for one in asked:
            await one.done()
        assert await scene.ask(scene.east, "games") == NO_MATCHES


@pytest.mark.thorough
async def test_more_than_can_be_refused_in_time_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interactions that cannot even be refused in time are dropped; the bot answers again when there is room."""
    monkeypatch.setattr(admission, "MOST_WAITING", 2)
    monkeypatch.setattr(admission, "SAY_EVERY", 0.1)
    async with clubhouse(tmp_path) as scene:
        async with hanging(scene, monkeypatch):
            asked = [await person.slash("gin games", scene.channel) for person in (scene.north, scene.south)]
            with capture_logs() as lines:
                dropped = await scene.east.slash("gin help", scene.channel)
                await _told(lines, 1)
        for one in asked:
            await one.done()
        assert await scene.ask(scene.east, "games") == NO_MATCHES
        scene.sandbox.world.clock.advance(LATEST)
        assert scene.sandbox.unanswered == [dropped]
        scene.sandbox.unanswered.clear()


def _make_room_for_twelve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOST_WAITING", 12)
    monkeypatch.setattr(admission, "SAY_EVERY", 0.1)
    monkeypatch.setattr(admission, "GRACE", 0)


async def _way_to_flood(scene: Scene, kind: str) -> Callable[[], Awaitable[Interaction]]:
    """Return a function that makes North do one thing, for a flood of these."""
    north, channel = scene.north, scene.channel
    if kind == "command":
        return lambda: north.slash("gin help", channel)
    if kind == "completion":
        return lambda: north.complete("gin challenge", channel, option="rules", value="okl")
    if kind == "button":
        table = scene.table
        return lambda: north.press(table, str(find_button(table, Action.SHOW_SCORE)))
    panel = await scene.use(north, "gin me words", channel)
    asked = await scene.press(north, panel.message, Action.MATCH_WORDS)
    return lambda: north.submit(asked.modal, {"Your words": "north wind"})


def _hold(scene: Scene, made: Interaction) -> Interaction:
    """Have Discord delay the response to an interaction by a second, and return the interaction."""
    scene.sandbox.faults.requests(Delay(1), on=f"POST /interactions/{made.id}/*")
    return made


async def _refused_of(scene: Scene, flood: Sequence[Interaction], answered: int) -> list[Interaction]:
    """Wait for the answers to the first interactions of a flood, and let the others time out.

    Return the interactions that were answered with a refusal.
    """
    scene.sandbox.world.clock.advance(1)
    for one in flood[:answered]:
        await one.done()
    scene.sandbox.faults.clear()
    scene.sandbox.world.clock.advance(LATEST)
    assert set(scene.sandbox.unanswered) == set(flood[answered:])
    scene.sandbox.unanswered.clear()
    return [one for one in flood[:answered] if one.text == ONE_AT_A_TIME or not (one.text or one.choices)]


async def _answered_others(scene: Scene) -> None:
    """Check that a command, a button and a completion by East are answered as usual."""
    assert Action.LESSON in buttons((await scene.use(scene.east, "gin help", scene.channel)).message)
    assert NO_DEAL[MatchStatus.RUNNING] in (await scene.press(scene.east, scene.table, Action.SHOW_SCORE)).text
    completed = await scene.east.complete("gin challenge", scene.channel, option="rules", value="okl")
    await completed.answer()
    assert completed.choices


@pytest.mark.thorough
@pytest.mark.parametrize("kind", nightly_after(1, ["button", "command", "completion", "dialog"]))
async def test_one_persons_flood_leaves_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A flood by one person fills at most half of the room; two of its interactions are handled, others as usual."""
    async with at_table(tmp_path, world=stopped_world()) as scene:
        do = await _way_to_flood(scene, kind)
        await scene.quiet()
        _make_room_for_twelve(monkeypatch)
        with capture_logs() as lines:
            flood = [_hold(scene, await do()) for _ in range(20)]
            await _told(lines, 14)
            await _answered_others(scene)
            assert all(one.pending for one in flood)
        assert len(await _refused_of(scene, flood, 6)) == 4


@pytest.mark.nightly
async def test_a_flood_by_several_people_leaves_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each person who floods the bot gets an equal part of the room, and other people are answered as usual."""
    async with at_table(tmp_path, world=stopped_world()) as scene:
        _make_room_for_twelve(monkeypatch)
        people = (scene.north, scene.south, scene.west)
        with capture_logs() as lines:
            flood = [
                _hold(scene, await person.slash("gin help", scene.channel)) for _ in range(10) for person in people
            ]
            await _told(lines, 21)
            await _answered_others(scene)
            assert all(one.pending for one in flood)
        assert [one.user for one in await _refused_of(scene, flood, 9)] == [person.user for person in people]


@pytest.mark.thorough
async def test_a_flood_is_told_to_wait_in_turn_with_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals take turns: another person is refused before the person who floods the bot is refused a third time."""
    monkeypatch.setattr(admission, "MOST_AT_ONCE", 2)
    monkeypatch.setattr("bot.client.TURNED_AWAY_AT_ONCE", 1)
    answered = list[str]()

    def note(request: Request) -> None:
        if request.path.startswith("/interactions/"):
            answered.append(request.path.split("/")[2])

    async with clubhouse(tmp_path, world=stopped_world()) as scene:
        async with hanging(scene, monkeypatch) as waiting:
            asked = [await scene.north.slash("gin games", scene.channel) for _ in range(2)]
            await eventually(lambda: len(waiting) == len(asked))
            scene.sandbox.journal.observers.append(note)
            flood = [await scene.north.slash("gin help", scene.channel)]
            flood += [_hold(scene, await scene.north.slash("gin help", scene.channel))]
            flood += [await scene.north.slash("gin help", scene.channel) for _ in range(4)]
            other = await scene.east.slash("gin help", scene.channel)
            # The match clocks stop while the bot is too busy to answer everyone.
            await eventually(lambda: not scene.alive.app.connected.shards.numbers)
            scene.sandbox.world.clock.advance(1)
            for one in (*flood, other):
                await one.done()
        for one in asked:
            await one.done()
        assert other.text == VERY_BUSY
        assert {one.text for one in flood} == {ONE_AT_A_TIME}
        told = [one for one in answered if one not in {str(made.id) for made in asked}]
        assert told.index(str(other.id)) <= 2


async def test_nothing_is_suggested_while_the_bot_is_too_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy bot answers a completion with no choices, because Discord accepts no error message there."""
    async with clubhouse(tmp_path) as scene:
        monkeypatch.setattr(admission, "MOST_AT_ONCE", 0)
        turned_away = await scene.east.complete("gin challenge", scene.channel, option="rules", value="okl")
        assert (await turned_away.done()).choices == []


@pytest.mark.thorough
async def test_what_cannot_be_told_to_wait_in_time_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While Discord is slow to accept one refusal, others become too late; the log counts them."""
    monkeypatch.setattr("bot.client.TURNED_AWAY_AT_ONCE", 1)
    monkeypatch.setattr(admission, "SAY_EVERY", 0.1)
    async with clubhouse(tmp_path, world=stopped_world()) as scene:
        async with hanging(scene, monkeypatch) as waiting:
            asked = [await scene.north.slash("gin games", scene.channel) for _ in range(MOST_FOR_ONE)]
            await eventually(lambda: len(waiting) == len(asked))
            with capture_logs() as lines:
                flood = [await scene.north.slash("gin help", scene.channel) for _ in range(4)]
                on = [f"POST /interactions/{one.id}/*" for one in flood]
                slow = [scene.sandbox.faults.requests(Delay(LATEST - 0.1), on=one) for one in on]
                await scene.sandbox.until(lambda: any(one.hits for one in slow))
                scene.sandbox.world.clock.advance(LATEST - 0.1)
                await _told(lines, 3)
        for one in asked:
            await one.done()
        scene.sandbox.faults.clear()
        scene.sandbox.world.clock.advance(LATEST)
        assert len(scene.sandbox.unanswered) == 3
        assert set(scene.sandbox.unanswered) < set(flood)
        scene.sandbox.unanswered.clear()


@pytest.mark.thorough
async def test_what_waited_too_long_is_not_worked_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that arrives after Discord's time limit does not count, and the log counts such interactions."""
    monkeypatch.setattr(admission, "SAY_EVERY", 0.1)
    async with at_table(tmp_path, pressed=True) as scene:
        hand = await scene.turn(scene.north)
        version = (await scene.alive.app.lookup.hands(PersonId(scene.north.id)))[0].match.version
        scene.sandbox.faults.events(Delay(LATEST + 1), times=3)
        with capture_logs() as lines:
            late = [await scene.north.press(hand, str(find_button(hand, Action.PASS))) for _ in range(3)]
            scene.sandbox.world.clock.advance(LATEST + 1)
            await _told(lines, 3)
        assert all(one.failed for one in late)
        assert (await scene.alive.app.lookup.hands(PersonId(scene.north.id)))[0].match.version == version
        scene.sandbox.unanswered.clear()
        assert scene.error(await scene.press(scene.north, hand, Action.PASS)) is None
        assert moves_shown(hand) == 1


@pytest.mark.thorough
async def test_nothing_is_begun_that_would_be_answered_too_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interaction that already waited is dropped if the work in progress would make its answer late."""
    monkeypatch.setattr(admission, "ANSWER_TAKES", 0.45 * LATEST)
    monkeypatch.setattr(admission, "SAY_EVERY", 0.1)
    waited = 0.0
    async with clubhouse(tmp_path) as scene:
        world_clock = scene.sandbox.world.clock
        scene.alive.client.doorkeeper = admission.Doorkeeper(lambda: world_clock.now() + waited)
        async with hanging(scene, monkeypatch) as waiting:
            asked = [await person.slash("gin games", scene.channel) for person in (scene.north, scene.south)]
            await eventually(lambda: len(waiting) == len(asked))
            waited = LATEST / 5
            with capture_logs() as lines:
                dropped = await scene.east.slash("gin help", scene.channel)
                await _told(lines, 1)
        for one in asked:
            await one.done()
        assert Action.LESSON in buttons((await scene.use(scene.east, "gin help", scene.channel)).message)
        world_clock.advance(LATEST)
        assert scene.sandbox.unanswered == [dropped]
        scene.sandbox.unanswered.clear()


async def _told(lines: list[EventDict], dropped: int) -> None:
    """Wait until the log has counted this many dropped interactions, and check that it has no other warnings."""
    await eventually(lambda: sum(_counts(lines)) >= dropped)
    assert sum(_counts(lines)) == dropped


def _counts(lines: list[EventDict]) -> list[int]:
    warnings = [line for line in lines if line["log_level"] == "warning"]
    assert {line["event"] for line in warnings} <= {DROPPED}
    return [line["count"] for line in warnings]


@pytest.mark.thorough
async def test_a_clock_that_is_wrong_does_no_harm(tmp_path: Path) -> None:
    """Only time differences count: a bot whose clock is a day ahead or behind answers as usual."""
    async with clubhouse(tmp_path) as scene:
        for wrong in (86_400.0, -86_400.0):
            clock = partial(_shifted, scene.sandbox.world.clock, wrong)
            scene.alive.client.doorkeeper = admission.Doorkeeper(clock)  # pyright: ignore[reportPrivateUsage]
            assert await scene.ask(scene.north, "games") == NO_MATCHES


def _shifted(clock: Clock, seconds: float) -> float:
    return clock.now() + seconds
