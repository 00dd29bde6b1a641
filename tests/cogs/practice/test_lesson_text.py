"""The texts of the lesson."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from bot.engine.cards.cards import Card, parse_cards
from bot.engine.cards.melds import Meld
from bot.engine.errors import NotationError
from bot.lesson.lesson import LessonPosition, positions
from bot.lesson.script import CONTINUE, Topic
from cardart.text.card_names import ENGLISH, card_names
from cogs.practice import lesson_text as texts
from tests.lesson.visible import visible_cards

MAX_TOTAL_WORDS: Final = 450
"""Maximum number of words in all steps: about three minutes, including the pictures and presses."""
MAX_STEP_WORDS: Final = 55

EVERY_STEP = pytest.mark.parametrize("position", positions(), ids=lambda position: position.topic)
POSITIONS: Final = {position.topic: position for position in positions()}


def card_groups(text: str) -> Iterator[tuple[Card, ...]]:
    """Yield the groups of cards that a text has in braces."""
    for found in re.findall(r"\{(\w+)\}", text):
        try:
            yield parse_cards(found)
        except NotationError:
            assert found.isalpha(), found


def test_every_step_has_words() -> None:
    """Each step has an explanation. If it has other buttons than *Next*, it also has a text for wrong presses."""
    assert set(texts.STEP_TEXTS) == set(Topic)
    assert set(texts.CORRECTIONS) == {position.topic for position in positions() if position.press != CONTINUE}


def test_the_lesson_takes_about_three_minutes() -> None:
    """All steps together have at most 450 words, and each one at most 55."""
    words = [len(texts.step_text(position, ENGLISH).split()) for position in positions()]
    assert max(words) <= MAX_STEP_WORDS
    assert sum(words) <= MAX_TOTAL_WORDS


@EVERY_STEP
def test_only_cards_in_the_picture_are_named(position: LessonPosition) -> None:
    """A step names only cards in its picture, except that one step names two cards which the learner hopes to draw."""
    named = texts.STEP_TEXTS[position.topic] + texts.CORRECTIONS.get(position.topic, "")
    cards = {card for group in card_groups(named) for card in group}
    waited_for = set(parse_cards("3c 6c")) if position.topic is Topic.PLAN else set[Card]()
    assert cards - visible_cards(position) == waited_for


@pytest.mark.parametrize(
    ("topic", "named", "visible_meld"),
    [
        (Topic.MELDS, "5h6h7h", ""),
        (Topic.UPCARD, "9s 9c9d", ""),
        (Topic.PLAN, "5c 4c 3c", ""),
        (Topic.PLAN, "5c 4c 6c", ""),
        (Topic.PILE, "6c 4c5c", ""),
        (Topic.SCORE, "8h", "5h6h7h"),
        (Topic.GIN_SCORE, "Jh", "JcJdJs"),
        (Topic.LAY_OFF, "8s 5s6s7s", ""),
        (Topic.LAY_OFF_ALL, "Jh", "JcJdJs"),
        (Topic.UNDERCUT, "7d", "4d5d6d"),
        (Topic.UNDERCUT, "Kh", "ThJhQh"),
    ],
)
def test_cards_named_together_are_a_meld(topic: Topic, named: str, visible_meld: str) -> None:
    """Cards that a step names as a group form a meld, or extend a meld in the picture."""
    groups = set(card_groups(texts.STEP_TEXTS[topic] + texts.CORRECTIONS.get(topic, "")))
    assert {parse_cards(group) for group in named.split()} <= groups
    if visible_meld:
        assert Meld.parse(visible_meld) in melds_shown(POSITIONS[topic])
    Meld.of(parse_cards(named + visible_meld))


def melds_shown(position: LessonPosition) -> set[Meld]:
    """Return the melds in a step's picture: the learner's, the knocker's and, in a showdown, everyone's."""
    knock, showdown = position.hand.public.knock, position.showdown
    hands = [position.hand.arrangement, *([] if knock is None else [knock.arrangement])]
    hands += [] if showdown is None else showdown.outcome.hands
    return {meld for hand in hands for meld in hand.melds}


@pytest.mark.parametrize("position", [position for position in positions() if position.press.startswith("x ")])
def test_the_requested_discard_has_the_most_points(position: LessonPosition) -> None:
    """If a step asks for a discard, no other unmatched card has more points."""
    asked = Card.parse(position.press.removeprefix("x "))
    assert asked in position.hand.arrangement.unmatched
    assert asked.points == max(card.points for card in position.hand.arrangement.unmatched)


def test_the_numbers_match_the_engine() -> None:
    """The points in the English texts are those that the engine counts."""
    expected = {
        Topic.KNOCK: "leaves 10 points of deadwood or less",
        Topic.SCORE: "Her deadwood is 17, and yours is 1. You score the difference: **16** points.",
        Topic.GIN_SCORE: "Ada's deadwood plus 25 for gin: 36 + 25 = **61**.",
        Topic.LAY_OFF_SCORE: "Laying off lowered your deadwood from 30 to 12. Ada's is 1, so she scores only **11**.",
        Topic.UNDERCUT: "with 9 points of deadwood. You have 20,",
        Topic.UNDERCUT_SCORE: "Ada knocked with 9, but your deadwood is only 3. That's an **undercut**: you score "
        "**31**, the difference plus 25. You now have 108 and win the match, because you've reached 100. With "
        "bonuses for the match and for each deal you won, your final score is 268.",
    }
    for topic, text in expected.items():
        assert text in texts.step_text(POSITIONS[topic], ENGLISH)


@EVERY_STEP
def test_cards_are_named_in_the_readers_language(position: LessonPosition) -> None:
    """In German, the texts have no English letter for a jack or a queen, and no brace."""
    german = texts.step_text(position, card_names("de")) + texts.correction_text(position, "pass", card_names("de"))
    assert not re.search(r"[{}]|[JQ][♣♦♥♠]", german)


@pytest.mark.parametrize(
    ("topic", "press", "expected"),
    [
        (
            Topic.DEADWOOD,
            "x 6h",
            "That would break up your run 5♥ 6♥ 7♥. K♦ counts 10 and doesn't go with anything. Press K♦.",
        ),
        (
            Topic.DEADWOOD,
            "x 9c",
            "That would break up your set 9♣ 9♦ 9♠. K♦ counts 10 and doesn't go with anything. Press K♦.",
        ),
        (Topic.DEADWOOD, "x As", "A♠ counts only 1. K♦ counts 10 and doesn't go with anything. Press K♦."),
        (
            Topic.PLAN,
            "x Jd",
            "J♦ would be just as good, but let's follow the lesson. Q♠ counts 10 and doesn't go with anything. "
            "Press Q♠.",
        ),
        (Topic.UPCARD, "pass", "Without 9♠ you have no set of nines. Press *Take 9♠*."),
        (Topic.STOCK, "take", "10♥ doesn't make a meld with your cards. Press *Draw*."),
        (
            Topic.KNOCK,
            "x Jd",
            "That would only discard J♦, and the deal would go on. Knock with J♦: that leaves the least deadwood. "
            "Press *Knock J♦ · leaves 1*.",
        ),
        (
            Topic.GIN,
            "x 2h",
            "That would break up your run 2♥ 3♥ 4♥ 5♥. Nothing beats gin. Press *Gin!*",
        ),
        (Topic.LAY_OFF, "l Jh>JcJdJs", "Lay off just one card first. Press 8♠."),
        (Topic.UNDERCUT, "done", "The green button lays off both cards at once. Press *Lay off 7♦ K♥*."),
        (Topic.SCORE, "nonsense", "There's nothing to decide here. Press the button below to go on."),
    ],
)
def test_wrong_presses_have_an_explanation(topic: Topic, press: str, expected: str) -> None:
    """After a wrong press, the last line has the reason, if there is one, and the button to press."""
    lines = texts.step_text(POSITIONS[topic], ENGLISH).splitlines()
    assert texts.correction_text(POSITIONS[topic], press, ENGLISH).splitlines() == [*lines[:-1], f"**{expected}**"]
