"""The lesson, taken by presses."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.lesson.lesson import positions
from bot.sandbox import Interaction, Message, Person
from cogs.kit.actions import Action, Subject
from cogs.panels.layout import Accent
from tests.cogs.scenes import Scene, clubhouse, hands, labels
from tests.helpers.components import accent_of, find_button
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE

pytestmark = pytest.mark.slow

END = len(positions())


async def begin(scene: Scene) -> Message:
    """Let North begin the lesson in the channel; gives its message."""
    return (await scene.use(scene.north, "gin practice learn", scene.channel)).message


async def press(scene: Scene, message: Message, what: str) -> Interaction:
    """Let North press a button of the lesson, and wait for the answer."""
    button = find_button(message, Action.LESSON, what)
    assert button is not None, (what, labels(message))
    return await (await scene.north.press(message, button)).done()


async def take(scene: Scene, message: Message, first: int, last: int) -> None:
    """Let North take steps, from one to before another."""
    for position in positions()[first:last]:
        await press(scene, message, position.press)


async def test_the_whole_lesson_is_taken_in_one_private_message(tmp_path: Path) -> None:
    """Every step is shown with its number and a picture. Nothing is posted, and no match is begun before practice."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        message = await begin(scene)
        assert message.ephemeral
        for number, position in enumerate(positions(), 1):
            assert f"Learn gin rummy · step {number} of {END}" in message.text
            assert "You left off" not in message.text
            assert len(message.images) == 1
            await press(scene, message, position.press)
        assert "Well done" in message.text
        assert labels(message) == ["Practise", "Start over"]
        await scene.quiet()
        assert scene.posts == hands(scene.north) == []
        assert (await scene.ask(scene.north, "games")).startswith("You have no running matches.")


async def test_another_press_changes_nothing_and_is_answered_kindly(tmp_path: Path) -> None:
    """The same step is there with why not and what to press, and after that press the lesson goes on as ever."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        await take(scene, message, 0, 2)
        await press(scene, message, "x 6h")
        assert "That would break up your run" in message.text
        assert f"step 3 of {END}" in message.text
        assert accent_of(message) == Accent.TROUBLE.value
        await press(scene, message, "x Kd")
        assert f"step 4 of {END}" in message.text
        assert "That would" not in message.text
        assert accent_of(message) == Accent.YOURS.value
        await press(scene, message, "take")
        assert "makes no meld with your cards. Press Draw." in message.text.replace("*", "")


async def test_every_other_button_of_every_step_is_answered(tmp_path: Path) -> None:
    """Whatever else can be pressed, at no step does it lead away from there."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        for number, position in enumerate(positions(), 1):
            others = [one.custom_id for one in message.buttons if not one.disabled]
            for custom_id in others:
                if custom_id and custom_id.rpartition(":")[2] not in (position.press, "again"):
                    made = await (await scene.north.press(message, custom_id)).done()
                    assert not made.failed
                    assert f"step {number} of {END}" in message.text
                    assert "Something went wrong" not in message.text
            await press(scene, message, position.press)
        assert "Well done" in message.text


async def test_it_can_be_left_and_resumed(tmp_path: Path) -> None:
    """Anywhere: the command says at which step the person left off. The old message shows it, too."""
    async with clubhouse(tmp_path) as scene:
        old = await begin(scene)
        await take(scene, old, 0, 4)
        told = await scene.use(scene.north, "gin practice learn", scene.north.dm)
        assert f"You left off at step 5 of {END}." in told.text
        await press(scene, told.message, positions()[4].press)
        assert "You left off" not in told.message.text
        await press(scene, old, "x Jd")
        assert f"step 6 of {END}" in old.text
        assert "would be as good" not in old.text
        assert f"step 1 of {END}" in (await scene.use(scene.south, "gin practice learn", scene.channel)).text


async def test_pressing_twice_takes_one_step(tmp_path: Path) -> None:
    """A second press that was under way shows the step after the first, even where it would be right there."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        twice = find_button(message, Action.LESSON, "next")
        assert twice is not None
        first, second = [await scene.north.press(message, twice) for _ in range(2)]
        await first.done()
        await second.done()
        assert f"step 2 of {END}" in (await scene.use(scene.north, "gin practice learn", scene.channel)).text
        await (await scene.north.press(message, twice, late=True)).done()
        assert f"step 2 of {END}" in message.text


async def test_starting_over(tmp_path: Path) -> None:
    """From the middle and from the end; the first step offers none."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        assert "Start over" not in labels(message)
        await take(scene, message, 0, 3)
        await scene.press(scene.north, message, "Start over")
        assert f"step 1 of {END}" in message.text
        await take(scene, message, 0, END)
        assert "Well done" in (await scene.use(scene.north, "gin practice learn", scene.channel)).text
        await scene.press(scene.north, message, "Start over")
        assert f"step 1 of {END}" in message.text


async def test_practice_follows(tmp_path: Path) -> None:
    """*Practise* begins a match with a novice. Pressed again, it shows that one; once it is over, it begins another."""
    async with clubhouse(tmp_path, GIN_AT_ONCE, GIN_AT_ONCE) as scene:
        message = await begin(scene)
        await take(scene, message, 0, END)
        practise = find_button(message, Action.PRACTISE)
        assert practise is not None
        told = await (await scene.north.press(message, practise)).done()
        assert "You are playing against ⁨Computer⁩." in told.text
        assert "practice (level: novice)" in (await scene.turn(scene.north)).text
        await (await scene.north.press(message, practise, late=True)).done()
        await scene.quiet()
        assert (await scene.ask(scene.north, "games")).count("Practice (") == 1
        asked = await scene.use(scene.north, "gin resign", scene.channel)
        await scene.press(scene.north, asked.message, "Resign")
        await scene.quiet()
        told = await (await scene.north.press(message, practise, late=True)).done()
        assert "You are playing against ⁨Computer⁩. [Your hand](" in told.text
        assert "practice (level: novice)" in (await scene.turn(scene.north)).text
        assert (await scene.ask(scene.north, "games")).count("Practice (") == 1


async def test_in_direct_messages_a_second_press_shows_the_hand(tmp_path: Path) -> None:
    """The first hand may be far up by then."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        message = (await scene.use(scene.north, "gin practice learn", scene.north.dm)).message
        await take(scene, message, 0, END)
        practise = find_button(message, Action.PRACTISE)
        assert practise is not None
        await (await scene.north.press(message, practise)).done()
        assert message.text == "You are playing against ⁨Computer⁩."
        await scene.turn(scene.north)
        await (await scene.north.press(message, practise, late=True)).done()
        assert "You are playing against ⁨Computer⁩." in message.text
        assert "Your hand against ⁨Computer⁩ · practice (level: novice)" in message.text


async def test_without_direct_messages_practice_follows_in_place(tmp_path: Path) -> None:
    """The hand comes below the lesson's message."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        scene.north.user.open_dms = False
        message = await begin(scene)
        await take(scene, message, 0, END)
        await scene.press(scene.north, message, "Practise")
        await scene.quiet()
        assert message.text == "You are playing against ⁨Computer⁩."
        hand = scene.north.sees(scene.channel)[-1]
        assert hand.ephemeral
        assert "Your hand against ⁨Computer⁩ · practice (level: novice)" in hand.text


async def test_the_help_leads_there(tmp_path: Path) -> None:
    """Its button shows the lesson, where the person left it."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        await take(scene, message, 0, 1)
        told = (await scene.use(scene.north, "gin help", scene.channel)).message
        await scene.press(scene.north, told, "Learn it in three minutes")
        assert f"You left off at step 2 of {END}." in told.text


async def test_made_up_presses_are_harmless(tmp_path: Path) -> None:
    """Steps and presses that no button has show the step that the person is at."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        north: Person = scene.north
        for step, what in ((0, "x 9"), (0, ""), (0, "gin"), (7, "next"), (10**17, "again"), (END, "next")):
            made = await click(north, message, Action.LESSON, Subject.SELF, argument=what, version=step)
            assert f"step 1 of {END}" in made.messages[-1].text
            assert "Something went wrong" not in made.text


async def test_who_is_forgotten_begins_again(tmp_path: Path) -> None:
    """The old message shows the first step then."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        await take(scene, message, 0, 2)
        asked = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        await scene.press(scene.north, asked, "Forget me")
        await scene.press(scene.north, asked, "Forget me")
        await press(scene, message, "x Kd")
        assert f"step 1 of {END}" in message.text
