"""Admission control: a busy bot refuses interactions, and drops those that are too late to answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.model.guilds import NamedRules
from bot.model.ids import GuildId, PersonId
from bot.model.matches import MatchStatus, OwnHand
from bot.sandbox import Clock, Delay, Interaction, Request
from cogs.actions import Action
from cogs.delivery.refusals import ONE_AT_A_TIME, VERY_BUSY
from cogs.fairness.verification_panel import WORDS_LABEL
from cogs.kit import admission
from cogs.kit.admission import DROPPED, MAX_ANSWERS_PER_PERSON, RESPONSE_TIMEOUT
from cogs.showdowns.showdown_text import NO_DEAL
from cogs.tables.tables import NO_MATCHES
from tests.cogs.scenes import Scene, buttons, open_match_scene, open_scene
from tests.helpers.cases import nightly_after
from tests.helpers.components import find_button, moves_shown
from tests.helpers.waiting import eventually
from tests.helpers.worlds import stopped_world


@asynccontextmanager
async def block_match_lists(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[list[PersonId]]:
    """Block all lists of matches inside the `with` block. Yield the ids of the people who wait for a list."""
    released, lookup, waiting = asyncio.Event(), scene.bot.app.lookup, list[PersonId]()
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


async def test_a_person_has_at_most_two_answers_in_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person's third command is refused until one is answered. Completions and other people are not affected."""
    async with open_scene(tmp_path) as scene:
        asked = list[Interaction]()
        async with block_match_lists(scene, monkeypatch):
            asked = [await scene.north.slash("gin games", scene.channel) for _ in range(MAX_ANSWERS_PER_PERSON)]
            assert await scene.ask(scene.north, "games") == ONE_AT_A_TIME
            assert await scene.ask(scene.north, "help") == ONE_AT_A_TIME
            assert Action.LESSON in buttons((await scene.use(scene.south, "gin help", scene.channel)).message)
            completed = await scene.north.complete("gin challenge", scene.channel, option="rules", value="okl")
            await completed.answer()
            assert completed.choices
        assert {(await interaction.done()).text for interaction in asked} == {await scene.ask(scene.north, "games")}
        assert asked[0].text != ONE_AT_A_TIME


@pytest.mark.nightly
async def test_one_more_interaction_waits_briefly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two answers in progress, a person's next interaction waits briefly; further ones are refused immediately."""
    monkeypatch.setattr(admission, "GRACE_SECONDS", 3.0)
    async with open_scene(tmp_path) as scene:
        async with block_match_lists(scene, monkeypatch) as waiting:
            asked = [await scene.north.slash("gin games", scene.channel) for _ in range(MAX_ANSWERS_PER_PERSON)]
            await eventually(lambda: len(waiting) == MAX_ANSWERS_PER_PERSON)
            patient = await scene.north.slash("gin help", scene.channel)
            assert await scene.ask(scene.north, "help") == ONE_AT_A_TIME
            assert patient.pending
        for interaction in (*asked, patient):
            await interaction.done()
        assert Action.LESSON in buttons(patient.message)


async def test_a_busy_bot_refuses_politely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the limit of answers in progress for all people, the bot replies that it is busy; later it answers again."""
    monkeypatch.setattr(admission, "MAX_ANSWERS", 2)
    async with open_scene(tmp_path) as scene:
        async with block_match_lists(scene, monkeypatch):
            asked = [await person.slash("gin games", scene.channel) for person in (scene.north, scene.south)]
            assert await scene.ask(scene.east, "games") == VERY_BUSY
        for interaction in asked:
            await interaction.done()
        assert await scene.ask(scene.east, "games") == NO_MATCHES


@pytest.mark.thorough
async def test_interactions_beyond_the_waiting_limit_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interactions that cannot even be refused in time are dropped; the bot answers again when there is room."""
    monkeypatch.setattr(admission, "MAX_WAITING", 2)
    monkeypatch.setattr(admission, "LOG_INTERVAL", 0.1)
    async with open_scene(tmp_path) as scene:
        async with block_match_lists(scene, monkeypatch):
            asked = [await person.slash("gin games", scene.channel) for person in (scene.north, scene.south)]
            with capture_logs() as lines:
                dropped = await scene.east.slash("gin help", scene.channel)
                await _wait_for_dropped(lines, 1)
        for interaction in asked:
            await interaction.done()
        assert await scene.ask(scene.east, "games") == NO_MATCHES
        scene.sandbox.world.clock.advance(RESPONSE_TIMEOUT)
        assert scene.sandbox.unanswered == [dropped]
        scene.sandbox.unanswered.clear()


def _limit_waiting_to_twelve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MAX_WAITING", 12)
    monkeypatch.setattr(admission, "LOG_INTERVAL", 0.1)
    monkeypatch.setattr(admission, "GRACE_SECONDS", 0)


async def _flood_action(scene: Scene, kind: str) -> Callable[[], Awaitable[Interaction]]:
    """Return a function that makes North send an interaction of this kind each time it is called."""
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
    return lambda: north.submit(asked.modal, {WORDS_LABEL: "north wind"})


def _delay_answer(scene: Scene, interaction: Interaction) -> Interaction:
    """Have Discord delay the bot's response to an interaction by a second, and return the interaction."""
    scene.sandbox.faults.requests(Delay(1), on=f"POST /interactions/{interaction.id}/*")
    return interaction


async def _refused_interactions(scene: Scene, flood: Sequence[Interaction], answered: int) -> list[Interaction]:
    """Wait for the answers to the first interactions of a flood, and let the others time out.

    Return the interactions that were answered with a refusal.
    """
    # A completion that waits for these answers must not be delayed after them.
    scene.sandbox.faults.clear()
    scene.sandbox.world.clock.advance(1)
    for interaction in flood[:answered]:
        await interaction.done()
    scene.sandbox.world.clock.advance(RESPONSE_TIMEOUT)
    assert set(scene.sandbox.unanswered) == set(flood[answered:])
    scene.sandbox.unanswered.clear()
    return [
        interaction
        for interaction in flood[:answered]
        if interaction.text == ONE_AT_A_TIME or not (interaction.text or interaction.choices)
    ]


async def _check_others_are_answered(scene: Scene) -> None:
    """Check that a command, a button and a completion by East are answered as usual."""
    assert Action.LESSON in buttons((await scene.use(scene.east, "gin help", scene.channel)).message)
    assert NO_DEAL[MatchStatus.RUNNING] in (await scene.press(scene.east, scene.table, Action.SHOW_SCORE)).text
    completed = await scene.east.complete("gin challenge", scene.channel, option="rules", value="okl")
    await completed.answer()
    assert completed.choices


@pytest.mark.thorough
@pytest.mark.parametrize("kind", nightly_after(1, ["button", "command", "completion", "dialog"]))
async def test_a_flood_by_one_person_leaves_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A flood of interactions by one person fills at most half of the queue, so others are answered as usual.

    All but two are refused, and of completions all but the newest, too.
    """
    async with open_match_scene(tmp_path, world=stopped_world()) as scene:
        do = await _flood_action(scene, kind)
        await scene.wait_until_idle()
        _limit_waiting_to_twelve(monkeypatch)
        with capture_logs() as lines:
            flood = [_delay_answer(scene, await do()) for _ in range(20)]
            await _wait_for_dropped(lines, 14)
            await _check_others_are_answered(scene)
            assert all(interaction.pending for interaction in flood)
        assert len(await _refused_interactions(scene, flood, 6)) == (3 if kind == "completion" else 4)


@pytest.mark.nightly
async def test_a_flood_by_several_people_leaves_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People who flood the bot share the queue equally, and other people are answered as usual."""
    async with open_match_scene(tmp_path, world=stopped_world()) as scene:
        _limit_waiting_to_twelve(monkeypatch)
        people = (scene.north, scene.south, scene.west)
        with capture_logs() as lines:
            flood = [
                _delay_answer(scene, await person.slash("gin help", scene.channel))
                for _ in range(10)
                for person in people
            ]
            await _wait_for_dropped(lines, 21)
            await _check_others_are_answered(scene)
            assert all(interaction.pending for interaction in flood)
        assert [refused_interaction.user for refused_interaction in await _refused_interactions(scene, flood, 9)] == [
            person.user for person in people
        ]


@pytest.mark.nightly
async def test_refusals_alternate_between_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals alternate: another person is refused before the person who floods the bot gets a third refusal."""
    monkeypatch.setattr(admission, "MAX_ANSWERS", 2)
    monkeypatch.setattr("bot.connection.answering.MAX_TRY_LATER_TASKS", 1)
    answered = list[str]()

    def note(request: Request) -> None:
        if request.path.startswith("/interactions/"):
            answered.append(request.path.split("/")[2])

    async with open_scene(tmp_path, world=stopped_world()) as scene:
        async with block_match_lists(scene, monkeypatch) as waiting:
            asked = [await scene.north.slash("gin games", scene.channel) for _ in range(2)]
            await eventually(lambda: len(waiting) == len(asked))
            scene.sandbox.journal.observers.append(note)
            flood = [await scene.north.slash("gin help", scene.channel)]
            flood += [_delay_answer(scene, await scene.north.slash("gin help", scene.channel))]
            flood += [await scene.north.slash("gin help", scene.channel) for _ in range(4)]
            other = await scene.east.slash("gin help", scene.channel)
            # Wait until the bot has stopped all match clocks, which shows that it is too busy to answer everyone.
            await eventually(lambda: not scene.bot.app.connected.shards.numbers)
            scene.sandbox.world.clock.advance(1)
            for interaction in (*flood, other):
                await interaction.done()
        for interaction in asked:
            await interaction.done()
        assert other.text == VERY_BUSY
        assert {interaction.text for interaction in flood} == {ONE_AT_A_TIME}
        refused_ids = [
            interaction_id for interaction_id in answered if interaction_id not in {str(made.id) for made in asked}
        ]
        assert refused_ids.index(str(other.id)) <= 2


async def test_the_newest_completion_has_choices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a person's earlier completions are in progress, the newest one waits and has choices; others have none."""
    async with open_scene(tmp_path) as scene:
        released, rulebook = asyncio.Event(), scene.bot.app.rulebook
        real = rulebook.offered

        async def offered(guild_id: GuildId) -> Sequence[NamedRules]:
            await released.wait()
            return await real(guild_id)

        monkeypatch.setattr(rulebook, "offered", offered)
        typed = [
            await scene.north.complete("gin challenge", scene.channel, option="rules", value="oklahoma"[: end + 1])
            for end in range(MAX_ANSWERS_PER_PERSON + 2)
        ]
        *started, superseded, newest = typed
        assert (await superseded.done()).choices == []
        assert newest.pending
        released.set()
        for interaction in (*started, newest):
            assert (await interaction.done()).choices


async def test_a_busy_bot_has_no_completions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy bot answers a completion with no choices, because Discord accepts no error message there."""
    async with open_scene(tmp_path) as scene:
        monkeypatch.setattr(admission, "MAX_ANSWERS", 0)
        completion = await scene.east.complete("gin challenge", scene.channel, option="rules", value="okl")
        assert (await completion.done()).choices == []


@pytest.mark.thorough
async def test_refusals_that_are_too_late_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Discord is slow to accept one refusal, others become too late; these are dropped and counted in the log."""
    monkeypatch.setattr("bot.connection.answering.MAX_TRY_LATER_TASKS", 1)
    monkeypatch.setattr(admission, "LOG_INTERVAL", 0.1)
    async with open_scene(tmp_path, world=stopped_world()) as scene:
        async with block_match_lists(scene, monkeypatch) as waiting:
            asked = [await scene.north.slash("gin games", scene.channel) for _ in range(MAX_ANSWERS_PER_PERSON)]
            await eventually(lambda: len(waiting) == len(asked))
            with capture_logs() as lines:
                flood = [await scene.north.slash("gin help", scene.channel) for _ in range(4)]
                on = [f"POST /interactions/{interaction.id}/*" for interaction in flood]
                slow = [scene.sandbox.faults.requests(Delay(RESPONSE_TIMEOUT - 0.1), on=path) for path in on]
                await scene.sandbox.until(lambda: any(fault.hits for fault in slow))
                scene.sandbox.world.clock.advance(RESPONSE_TIMEOUT - 0.1)
                await _wait_for_dropped(lines, 3)
        for interaction in asked:
            await interaction.done()
        scene.sandbox.faults.clear()
        scene.sandbox.world.clock.advance(RESPONSE_TIMEOUT)
        assert len(scene.sandbox.unanswered) == 3
        assert set(scene.sandbox.unanswered) < set(flood)
        scene.sandbox.unanswered.clear()


@pytest.mark.thorough
async def test_interactions_that_are_too_late_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that reaches the bot after Discord's time limit is not made; the log counts such interactions."""
    monkeypatch.setattr(admission, "LOG_INTERVAL", 0.1)
    async with open_match_scene(tmp_path, by_buttons=True) as scene:
        hand = await scene.wait_for_turn(scene.north)
        version = (await scene.bot.app.lookup.hands(PersonId(scene.north.id)))[0].match.version
        scene.sandbox.faults.events(Delay(RESPONSE_TIMEOUT + 1), times=3)
        with capture_logs() as lines:
            late = [await scene.north.press(hand, str(find_button(hand, Action.PASS))) for _ in range(3)]
            scene.sandbox.world.clock.advance(RESPONSE_TIMEOUT + 1)
            await _wait_for_dropped(lines, 3)
        assert all(interaction.failed for interaction in late)
        assert (await scene.bot.app.lookup.hands(PersonId(scene.north.id)))[0].match.version == version
        scene.sandbox.unanswered.clear()
        assert scene.error(await scene.press(scene.north, hand, Action.PASS)) is None
        assert moves_shown(hand) == 1


@pytest.mark.thorough
async def test_interactions_that_would_be_late_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A waiting interaction is dropped if the answers in progress would make its own answer too late."""
    monkeypatch.setattr(admission, "ANSWER_SECONDS", 0.45 * RESPONSE_TIMEOUT)
    monkeypatch.setattr(admission, "LOG_INTERVAL", 0.1)
    waited = 0.0
    async with open_scene(tmp_path) as scene:
        world_clock = scene.sandbox.world.clock
        scene.bot.client.answering.admission_control = admission.AdmissionControl(lambda: world_clock.now() + waited)
        async with block_match_lists(scene, monkeypatch) as waiting:
            asked = [await person.slash("gin games", scene.channel) for person in (scene.north, scene.south)]
            await eventually(lambda: len(waiting) == len(asked))
            waited = RESPONSE_TIMEOUT / 5
            with capture_logs() as lines:
                dropped = await scene.east.slash("gin help", scene.channel)
                await _wait_for_dropped(lines, 1)
        for interaction in asked:
            await interaction.done()
        assert Action.LESSON in buttons((await scene.use(scene.east, "gin help", scene.channel)).message)
        world_clock.advance(RESPONSE_TIMEOUT)
        assert scene.sandbox.unanswered == [dropped]
        scene.sandbox.unanswered.clear()


async def _wait_for_dropped(lines: list[EventDict], dropped: int) -> None:
    """Wait until the log has counted this many dropped interactions, and check that it has no other warnings."""
    await eventually(lambda: sum(_dropped_counts(lines)) >= dropped)
    assert sum(_dropped_counts(lines)) == dropped


def _dropped_counts(lines: list[EventDict]) -> list[int]:
    warnings = [line for line in lines if line["log_level"] == "warning"]
    assert {line["event"] for line in warnings} <= {DROPPED}
    return [line["count"] for line in warnings]


@pytest.mark.thorough
async def test_a_wrong_clock_does_not_matter(tmp_path: Path) -> None:
    """Only time differences count: a bot whose clock is a day ahead or behind answers as usual."""
    async with open_scene(tmp_path) as scene:
        for offset in (86_400.0, -86_400.0):
            clock = partial(_shifted_time, scene.sandbox.world.clock, offset)
            scene.bot.client.answering.admission_control = admission.AdmissionControl(clock)  # pyright: ignore[reportPrivateUsage]
            assert await scene.ask(scene.north, "games") == NO_MATCHES


def _shifted_time(clock: Clock, seconds: float) -> float:
    return clock.now() + seconds
