"""The lesson, taken by pressing buttons."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.lesson.lesson import positions
from bot.lesson.script import READ_ON
from bot.opponent.levels import Level
from bot.sandbox import Channel, Message
from bot.values.ids import PersonId
from bot.values.matches import MatchInfo, MatchKind
from cardart.text.card_names import ENGLISH
from cogs.features.tables import NO_MATCHES
from cogs.kit.actions import Action, Subject
from cogs.panels.layout import Accent
from cogs.panels.lesson import START_OVER
from cogs.text import lesson as texts
from cogs.text.refusals import BROKEN
from tests.cogs.scenes import Scene, buttons, clubhouse, hands, person_of, shows_hand
from tests.helpers.components import accent_of, controls, find_button
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import interaction, prefer

END = len(positions())


async def begin(scene: Scene, channel: Channel | None = None, *, step: int = 0) -> Message:
    """Have North open the lesson at a step, by default in the channel, and return its message."""
    await take(scene, 0, step)
    return (await scene.use(scene.north, "gin practice learn", channel or scene.channel)).message


async def take(scene: Scene, first: int, last: int) -> None:
    """Have North take steps through the services, from `first` to before `last`."""
    for step in range(first, last):
        assert await scene.alive.app.lessons.press(person_of(scene.north), step, positions()[step].press) == step + 1


async def press(scene: Scene, message: Message, what: str) -> None:
    """Have North press a button of the lesson, and wait for the answer."""
    await scene.press(scene.north, message, Action.LESSON, what)


async def practised(scene: Scene) -> MatchInfo:
    """Return the only match that North is playing. Check that it is practice against a novice."""
    (match,) = await scene.playing(scene.north)
    assert match.kind is MatchKind.PRACTICE
    assert [player.computer for player in match.players] == [None, Level.NOVICE]
    return match


def shows(message: Message, step: int) -> bool:
    """Return True if a message shows a step, or the end."""
    return f"### {texts.title(step)}\n" in message.text and (texts.DONE in message.text) == (step == END)


@pytest.mark.thorough
async def test_the_whole_lesson_is_taken_in_one_private_message(tmp_path: Path) -> None:
    """Each step is shown with its number and a picture in the same private message; nothing is posted."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        message = await begin(scene)
        assert message.ephemeral
        for step, position in enumerate(positions()):
            assert shows(message, step)
            assert texts.told(position, ENGLISH) in message.text
            assert len(message.images) == 1
            await press(scene, message, position.press)
        assert shows(message, END)
        assert buttons(message) == [Action.PRACTISE, Action.LESSON]
        await scene.quiet()
        assert scene.posts == hands(scene.north) == []
        assert await scene.ask(scene.north, "games") == NO_MATCHES


async def test_another_press_changes_nothing_and_is_answered(tmp_path: Path) -> None:
    """A wrong press shows the same step with an explanation; the right press then continues the lesson."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene, step=2)
        await press(scene, message, "x 6h")
        assert shows(message, 2)
        assert texts.told_again(positions()[2], "x 6h", ENGLISH) in message.text
        assert accent_of(message) == Accent.TROUBLE.value
        await press(scene, message, positions()[2].press)
        assert shows(message, 3)
        assert texts.told(positions()[3], ENGLISH) in message.text
        assert accent_of(message) == Accent.YOURS.value


@pytest.mark.thorough
async def test_every_other_button_of_every_step_is_answered(tmp_path: Path) -> None:
    """No wrong button of any step leaves that step, and each one gets an explanation."""
    async with clubhouse(tmp_path) as scene:
        # Texts are enough to distinguish the steps.
        await prefer(scene.alive.app, person_of(scene.north), pictures=False)
        message = await begin(scene)
        for step, position in enumerate(positions()):
            others = [one for one in controls(message) if one.event.argument not in (position.press, START_OVER)]
            for other in others:
                made = await (await scene.north.press(message, other.custom_id)).done()
                assert not made.failed
                assert shows(message, step)
                assert texts.told_again(position, str(other.event.argument), ENGLISH) in message.text
            await press(scene, message, position.press)
        assert shows(message, END)


async def test_it_can_be_left_and_resumed(tmp_path: Path) -> None:
    """The command resumes the lesson where the person left off, anywhere; old messages show the current step too."""
    async with clubhouse(tmp_path) as scene:
        old = await begin(scene)
        await take(scene, 0, 4)
        new = await begin(scene, scene.north.dm)
        assert shows(new, 4)
        assert str(texts.resumed(4)) in new.text
        await press(scene, new, positions()[4].press)
        assert shows(new, 5)
        assert str(texts.resumed(5)) not in new.text
        await press(scene, old, positions()[0].press)
        assert shows(old, 5)
        assert texts.told(positions()[5], ENGLISH) in old.text
        # South has not taken any steps.
        other = await scene.use(scene.south, "gin practice learn", scene.channel)
        assert shows(other.message, 0)


@pytest.mark.thorough
async def test_pressing_twice_takes_one_step(tmp_path: Path) -> None:
    """A second press of an outdated button shows the current step, even if the button would be right there."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        twice = find_button(message, Action.LESSON, READ_ON)
        assert twice is not None
        first, second = [await scene.north.press(message, twice) for _ in range(2)]
        await first.done()
        await second.done()
        assert await scene.alive.app.lessons.step(PersonId(scene.north.id)) == 1
        await scene.press_late(scene.north, message, twice)
        assert shows(message, 1)


@pytest.mark.thorough
async def test_starting_over(tmp_path: Path) -> None:
    """*Start over* works from the middle and from the end; the first step does not have it."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        assert find_button(message, Action.LESSON, START_OVER) is None
        for step in (3, END):
            message = await begin(scene, step=step)
            assert shows(message, step)
            await press(scene, message, START_OVER)
            assert shows(message, 0)


async def test_practice_follows(tmp_path: Path) -> None:
    """*Practise* begins a match against a novice, with the hand in the direct messages."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        message = await begin(scene, step=END)
        await scene.press(scene.north, message, Action.PRACTISE)
        await scene.turn(scene.north)
        assert await practised(scene)


@pytest.mark.thorough
async def test_practice_follows_once(tmp_path: Path) -> None:
    """A second press of *Practise* shows the running match; after that match it begins another."""
    async with clubhouse(tmp_path, GIN_AT_ONCE, GIN_AT_ONCE) as scene:
        message = await begin(scene, step=END)
        practise = find_button(message, Action.PRACTISE)
        assert practise is not None
        await scene.press_late(scene.north, message, practise)
        await scene.turn(scene.north)
        first = await practised(scene)
        await scene.press_late(scene.north, message, practise)
        await scene.quiet()
        assert (await practised(scene)).id == first.id
        await scene.alive.app.endings.resign(PersonId(scene.north.id), first.id, interaction())
        await scene.quiet()
        told = await scene.press_late(scene.north, message, practise)
        assert f"https://discord.com/channels/@me/{scene.north.dm.id}" in told.text
        await scene.turn(scene.north)
        assert (await practised(scene)).id != first.id


@pytest.mark.thorough
async def test_in_direct_messages_a_second_press_shows_the_hand(tmp_path: Path) -> None:
    """A second press shows the hand in place, because the first one may be far above."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        message = await begin(scene, scene.north.dm, step=END)
        practise = find_button(message, Action.PRACTISE)
        assert practise is not None
        await scene.press_late(scene.north, message, practise)
        assert not shows_hand(message)
        await scene.turn(scene.north)
        await scene.press_late(scene.north, message, practise)
        assert shows_hand(message)


@pytest.mark.thorough
async def test_without_direct_messages_practice_follows_in_place(tmp_path: Path) -> None:
    """Without direct messages, the hand is sent below the lesson's message."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        scene.north.user.open_dms = False
        message = await begin(scene, step=END)
        await scene.press(scene.north, message, Action.PRACTISE)
        await scene.quiet()
        assert not shows_hand(message)
        hand = scene.north.sees(scene.channel)[-1]
        assert hand.ephemeral
        assert shows_hand(hand)


async def test_the_help_leads_there(tmp_path: Path) -> None:
    """The help's button shows the lesson where the person left off."""
    async with clubhouse(tmp_path) as scene:
        await take(scene, 0, 1)
        told = (await scene.use(scene.north, "gin help", scene.channel)).message
        await scene.press(scene.north, told, Action.LESSON)
        assert shows(told, 1)
        assert str(texts.resumed(1)) in told.text


@pytest.mark.thorough
async def test_made_up_presses_are_harmless(tmp_path: Path) -> None:
    """Forged steps and presses show the person's current step."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene)
        for step, what in ((0, "x 9"), (0, ""), (0, "gin"), (7, READ_ON), (10**17, START_OVER), (END, READ_ON)):
            made = await click(scene.north, message, Action.LESSON, Subject.SELF, argument=what, version=step)
            assert shows(made.messages[-1], 0)
            assert BROKEN not in made.text


@pytest.mark.thorough
async def test_who_is_forgotten_begins_again(tmp_path: Path) -> None:
    """After *Forget me*, the old message shows the first step."""
    async with clubhouse(tmp_path) as scene:
        message = await begin(scene, step=2)
        asked = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        await scene.press(scene.north, asked, Action.FORGET)
        await scene.press(scene.north, asked, Action.FORGET_NOW)
        await press(scene, message, positions()[2].press)
        assert shows(message, 0)


# The texts of this feature. `tests/cogs/text/test_lesson.py` has the texts of the steps.
def test_each_step_says_how_far_it_is() -> None:
    """The end has no number, and neither the first step nor the end is announced as resumed."""
    assert texts.title(1) == "Learn gin rummy · step 2 of 15"
    assert texts.title(END) == "Learn gin rummy"
    assert texts.resumed(4) == "You left off at step 5 of 15."
    assert texts.resumed(0) is texts.resumed(END) is None
