"""The lesson's panel: a hand with the buttons of a real one, or a showdown, and an explanation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest
from discord import Button

from bot.engine.cards.cards import DECK
from bot.lesson.lesson import LessonPosition, positions
from bot.lesson.script import CONTINUE
from bot.model.appearance import Appearance, HandOrder
from bot.model.people import DEFAULT_PREFERENCES, Preferences
from cardart import all_emojis
from cogs.actions import Action, Subject
from cogs.delivery.pictures import Pictures
from cogs.kit.components import ComponentEvent
from cogs.kit.messages import Message
from cogs.practice.lesson_panel import START_OVER, lesson
from tests.cogs.samples import MESSAGE_LIMIT, text_of
from tests.helpers.message_parts import buttons_in
from tests.helpers.table import NORTH
from tests.lesson.visible import visible_cards

STEPS = list(enumerate(positions()))
EVERY_STEP = pytest.mark.parametrize(("step", "position"), STEPS, ids=[position.topic for _, position in STEPS])
WITHOUT_PICTURES = replace(DEFAULT_PREFERENCES, pictures=False)


@pytest.fixture
async def pictures() -> AsyncIterator[Pictures]:
    """Yield an object that draws pictures."""
    made = Pictures()
    yield made
    await made.close()


def buttons_with_events(message: Message) -> Iterator[tuple[ComponentEvent, Button]]:
    """For each button in a message, yield the event in its custom id, and the button itself."""
    for button in buttons_in(message):
        event = ComponentEvent.parse(button.custom_id or "")
        assert event is not None
        yield event, button


@EVERY_STEP
@pytest.mark.parametrize("order", HandOrder)
async def test_exactly_one_button_is_right(
    pictures: Pictures, step: int, position: LessonPosition, order: HandOrder
) -> None:
    """Every button's custom id has the lesson's action and step, and exactly one enabled button is the right one."""
    shown = await lesson(step, NORTH, replace(WITHOUT_PICTURES, hand_order=order), pictures)
    events = [(event, item) for event, item in buttons_with_events(shown)]
    assert {(event.subject, event.version, event.action) for event, _ in events} == {
        (Subject.SELF, step, Action.LESSON)
    }
    assert len({item.custom_id for _, item in events}) == len(events)
    assert all(len(item.custom_id or "") <= 100 for _, item in events)
    assert [event.argument for event, item in events if not item.disabled].count(position.press) == 1
    assert (START_OVER in [event.argument for event, _ in events]) == (step > 0)


@EVERY_STEP
async def test_the_text_names_the_button(pictures: Pictures, step: int, position: LessonPosition) -> None:
    """The last line names the label of the button to press, also after the player pressed another one."""
    shown = await lesson(step, NORTH, WITHOUT_PICTURES, pictures)
    (label,) = [item.label for event, item in buttons_with_events(shown) if event.argument == position.press]
    assert label is not None
    assert f"Press {label}" in text_of(shown).replace("*", "").removesuffix(".")
    if position.press != CONTINUE:
        again = await lesson(step, NORTH, WITHOUT_PICTURES, pictures, refused="other_knocks")
        assert f"Press {label}" in text_of(again).replace("*", "").removesuffix(".")


@EVERY_STEP
async def test_without_pictures_the_text_names_every_card(
    pictures: Pictures, step: int, position: LessonPosition
) -> None:
    """Without pictures, a step's text names all cards that the picture would show, and fits a message."""
    shown = await lesson(step, NORTH, WITHOUT_PICTURES, pictures)
    assert not shown.attached
    assert len(text_of(shown)) < MESSAGE_LIMIT
    for card in visible_cards(position):
        assert card.symbol in text_of(shown)


@pytest.mark.thorough
@EVERY_STEP
async def test_pictures_follow_preferences(pictures: Pictures, step: int, position: LessonPosition) -> None:
    """A step has one picture with alt text, which follows the player's theme, colours and language."""
    plain = await lesson(step, NORTH, DEFAULT_PREFERENCES, pictures)
    dark = replace(DEFAULT_PREFERENCES, appearance=Appearance("dark", four_colours=True, language="de"))
    other = await lesson(step, NORTH, dark, pictures)
    (file,), (other_file,) = plain.attached, other.attached
    assert file.alt
    assert file.content != other_file.content
    assert not plain.without_files().attached
    assert len(text_of(plain.without_files())) > len(text_of(plain))


@pytest.mark.thorough
async def test_cards_are_emojis_if_uploaded(pictures: Pictures) -> None:
    """If card emojis were uploaded, texts contain them. A version without emojis exists in case Discord refuses one."""
    appearance = DEFAULT_PREFERENCES.appearance
    pictures.emojis.update({emoji.name: 10**18 + number for number, emoji in enumerate(all_emojis())})
    shown = await lesson(2, NORTH, DEFAULT_PREFERENCES, pictures)
    assert pictures.emojis.is_complete(appearance)
    assert str(pictures.emojis.card(DECK[-3], appearance)) in text_of(shown)
    assert shown.without_emojis is not None
    assert "Press K♦" in text_of(shown.without_emojis()).replace("*", "")


@pytest.mark.parametrize("preferences", [DEFAULT_PREFERENCES, WITHOUT_PICTURES])
async def test_the_end_offers_practice(pictures: Pictures, preferences: Preferences) -> None:
    """The page after the last step has buttons to begin a practice match and to start the lesson over."""
    shown = await lesson(len(positions()), NORTH, preferences, pictures)
    assert [(event.action, item.label) for event, item in buttons_with_events(shown)] == [
        (Action.PRACTISE, "Practise"),
        (Action.LESSON, "Start over"),
    ]
    assert "Well done" in text_of(shown)
