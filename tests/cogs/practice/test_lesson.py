"""The lesson, taken by pressing buttons."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.lesson.lesson import positions
from bot.lesson.script import CONTINUE
from bot.model.ids import PersonId
from bot.model.matches import MatchInfo, MatchKind
from bot.opponent.play.levels import Level
from bot.sandbox import Channel, Message
from cardart.text.card_names import ENGLISH
from cogs.actions import Action, Subject
from cogs.delivery.refusals import FAULT
from cogs.kit.layout import Accent
from cogs.practice import lesson_text as texts
from cogs.practice.lesson_panel import START_OVER
from cogs.tables.tables import NO_MATCHES
from tests.cogs.scenes import Scene, buttons, hands, open_scene, person_of, shows_hand
from tests.helpers.components import accent_of, controls, find_button
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import interaction, prefer

END = len(positions())


async def open_lesson(scene: Scene, channel: Channel | None = None, *, step: int = 0) -> Message:
    """Have North open the lesson at a step, by default in the channel, and return its message."""
    await take_steps(scene, 0, step)
    return (await scene.use(scene.north, "gin practice learn", channel or scene.channel)).message


async def take_steps(scene: Scene, first: int, last: int) -> None:
    """Have North complete the steps from `first` up to, but not including, `last`, without pressing buttons."""
    for step in range(first, last):
        assert await scene.bot.app.lessons.press(person_of(scene.north), step, positions()[step].press) == step + 1


async def press_in_lesson(scene: Scene, message: Message, argument: str) -> None:
    """Have North press a button of the lesson, and wait for the answer."""
    await scene.press(scene.north, message, Action.LESSON, argument)


async def practice_match(scene: Scene) -> MatchInfo:
    """Return the only match that North is playing. Check that it is practice against a novice."""
    (match,) = await scene.matches_of(scene.north)
    assert match.kind is MatchKind.PRACTICE
    assert [player.computer for player in match.players] == [None, Level.NOVICE]
    return match


def shows_step(message: Message, step: int) -> bool:
    """Return True if a message shows this step, or for `END` the page after the last step."""
    return f"### {texts.title(step)}\n" in message.text and (texts.DONE in message.text) == (step == END)


@pytest.mark.thorough
async def test_the_whole_lesson_is_taken_in_one_private_message(tmp_path: Path) -> None:
    """Each step is shown with its number and a picture in the same private message; nothing is posted."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        message = await open_lesson(scene)
        assert message.ephemeral
        for step, position in enumerate(positions()):
            assert shows_step(message, step)
            assert texts.step_text(position, ENGLISH) in message.text
            assert len(message.images) == 1
            await press_in_lesson(scene, message, position.press)
        assert shows_step(message, END)
        assert buttons(message) == [Action.PRACTISE, Action.LESSON]
        await scene.wait_until_idle()
        assert scene.posts == hands(scene.north) == []
        assert await scene.ask(scene.north, "games") == NO_MATCHES


async def test_a_wrong_press_is_explained(tmp_path: Path) -> None:
    """A wrong press shows the same step with an explanation; the right press then continues the lesson."""
    async with open_scene(tmp_path) as scene:
        message = await open_lesson(scene, step=2)
        await press_in_lesson(scene, message, "x 6h")
        assert shows_step(message, 2)
        assert texts.correction_text(positions()[2], "x 6h", ENGLISH) in message.text
        assert accent_of(message) == Accent.TROUBLE.value
        await press_in_lesson(scene, message, positions()[2].press)
        assert shows_step(message, 3)
        assert texts.step_text(positions()[3], ENGLISH) in message.text
        assert accent_of(message) == Accent.YOURS.value


@pytest.mark.nightly
async def test_every_wrong_button_is_explained(tmp_path: Path) -> None:
    """In every step, each wrong button shows an explanation, and the lesson stays at that step."""
    async with open_scene(tmp_path) as scene:
        # Switch pictures off: the texts are enough to tell the steps apart.
        await prefer(scene.bot.app, person_of(scene.north), pictures=False)
        message = await open_lesson(scene)
        for step, position in enumerate(positions()):
            others = [
                control for control in controls(message) if control.event.argument not in (position.press, START_OVER)
            ]
            for other in others:
                answer = await (await scene.north.press(message, other.custom_id)).done()
                assert not answer.failed
                assert shows_step(message, step)
                assert texts.correction_text(position, str(other.event.argument), ENGLISH) in message.text
            await press_in_lesson(scene, message, position.press)
        assert shows_step(message, END)


async def test_the_lesson_can_be_resumed(tmp_path: Path) -> None:
    """The lesson resumes at the current step, also in another channel; a press in an old message shows that step."""
    async with open_scene(tmp_path) as scene:
        old = await open_lesson(scene)
        await take_steps(scene, 0, 4)
        new = await open_lesson(scene, scene.north.dm)
        assert shows_step(new, 4)
        assert str(texts.resumed(4)) in new.text
        await press_in_lesson(scene, new, positions()[4].press)
        assert shows_step(new, 5)
        assert str(texts.resumed(5)) not in new.text
        await press_in_lesson(scene, old, positions()[0].press)
        assert shows_step(old, 5)
        assert texts.step_text(positions()[5], ENGLISH) in old.text
        # South has not taken any steps.
        other = await scene.use(scene.south, "gin practice learn", scene.channel)
        assert shows_step(other.message, 0)


@pytest.mark.thorough
async def test_pressing_twice_takes_one_step(tmp_path: Path) -> None:
    """Pressing an earlier step's button again only shows the current step.

    It does not complete the current step, even if the right button there has the same label.
    """
    async with open_scene(tmp_path) as scene:
        message = await open_lesson(scene)
        twice = find_button(message, Action.LESSON, CONTINUE)
        assert twice is not None
        first, second = [await scene.north.press(message, twice) for _ in range(2)]
        await first.done()
        await second.done()
        assert await scene.bot.app.lessons.step(PersonId(scene.north.id)) == 1
        await scene.press_late(scene.north, message, twice)
        assert shows_step(message, 1)


@pytest.mark.thorough
async def test_the_lesson_can_be_started_over(tmp_path: Path) -> None:
    """*Start over* works from the middle and from the end; the first step does not have it."""
    async with open_scene(tmp_path) as scene:
        message = await open_lesson(scene)
        assert find_button(message, Action.LESSON, START_OVER) is None
        for step in (3, END):
            message = await open_lesson(scene, step=step)
            assert shows_step(message, step)
            await press_in_lesson(scene, message, START_OVER)
            assert shows_step(message, 0)


async def test_practice_begins_after_the_lesson(tmp_path: Path) -> None:
    """*Practise* begins a match against a novice, with the hand in the direct messages."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        message = await open_lesson(scene, step=END)
        await scene.press(scene.north, message, Action.PRACTISE)
        await scene.wait_for_turn(scene.north)
        assert await practice_match(scene)


@pytest.mark.thorough
async def test_practice_begins_once(tmp_path: Path) -> None:
    """A second press of *Practise* shows the running match; after that match it begins another."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_GIN) as scene:
        message = await open_lesson(scene, step=END)
        practise = find_button(message, Action.PRACTISE)
        assert practise is not None
        await scene.press_late(scene.north, message, practise)
        await scene.wait_for_turn(scene.north)
        first = await practice_match(scene)
        await scene.press_late(scene.north, message, practise)
        await scene.wait_until_idle()
        assert (await practice_match(scene)).id == first.id
        await scene.bot.app.endings.resign(PersonId(scene.north.id), first.id, interaction())
        await scene.wait_until_idle()
        answer = await scene.press_late(scene.north, message, practise)
        assert f"https://discord.com/channels/@me/{scene.north.dm.id}" in answer.text
        await scene.wait_for_turn(scene.north)
        assert (await practice_match(scene)).id != first.id


@pytest.mark.thorough
async def test_in_direct_messages_a_second_press_shows_the_hand(tmp_path: Path) -> None:
    """A second press of *Practise* shows the hand in the lesson's message, so the person need not scroll to find it."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        message = await open_lesson(scene, scene.north.dm, step=END)
        practise = find_button(message, Action.PRACTISE)
        assert practise is not None
        await scene.press_late(scene.north, message, practise)
        assert not shows_hand(message)
        await scene.wait_for_turn(scene.north)
        await scene.press_late(scene.north, message, practise)
        assert shows_hand(message)


@pytest.mark.thorough
async def test_without_direct_messages_practice_begins_in_place(tmp_path: Path) -> None:
    """Without direct messages, *Practise* sends a private hand below the lesson's message."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        scene.north.user.open_dms = False
        message = await open_lesson(scene, step=END)
        await scene.press(scene.north, message, Action.PRACTISE)
        await scene.wait_until_idle()
        assert not shows_hand(message)
        hand = scene.north.sees(scene.channel)[-1]
        assert hand.ephemeral
        assert shows_hand(hand)


async def test_the_help_opens_the_lesson(tmp_path: Path) -> None:
    """The help's button shows the lesson where the person left off."""
    async with open_scene(tmp_path) as scene:
        await take_steps(scene, 0, 1)
        message = (await scene.use(scene.north, "gin help", scene.channel)).message
        await scene.press(scene.north, message, Action.LESSON)
        assert shows_step(message, 1)
        assert str(texts.resumed(1)) in message.text


@pytest.mark.thorough
async def test_forged_presses_are_harmless(tmp_path: Path) -> None:
    """Forged steps and presses show the person's current step."""
    async with open_scene(tmp_path) as scene:
        message = await open_lesson(scene)
        for step, argument in ((0, "x 9"), (0, ""), (0, "gin"), (7, CONTINUE), (10**17, START_OVER), (END, CONTINUE)):
            answer = await click(scene.north, message, Action.LESSON, Subject.SELF, argument=argument, version=step)
            assert shows_step(answer.messages[-1], 0)
            assert FAULT not in answer.text


@pytest.mark.thorough
async def test_forget_me_restarts_the_lesson(tmp_path: Path) -> None:
    """After *Forget me*, a press in an old message shows the first step."""
    async with open_scene(tmp_path) as scene:
        message = await open_lesson(scene, step=2)
        asked = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        await scene.press(scene.north, asked, Action.FORGET)
        await scene.press(scene.north, asked, Action.FORGET_NOW)
        await press_in_lesson(scene, message, positions()[2].press)
        assert shows_step(message, 0)


# The test below compares the exact wording. `tests/cogs/practice/test_lesson_text.py` tests the texts of the steps.
def test_each_title_has_the_progress() -> None:
    """A step's title has its number. *You left off at …* is shown at neither the first step nor the end."""
    assert texts.title(1) == "Learn gin rummy · step 2 of 15"
    assert texts.title(END) == "Learn gin rummy"
    assert texts.resumed(4) == "You left off at step 5 of 15."
    assert texts.resumed(0) is texts.resumed(END) is None
