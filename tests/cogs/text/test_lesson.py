"""The texts of the lesson."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from bot.engine.cards import Card, parse_cards
from bot.engine.errors import NotationError
from bot.engine.melds import Meld
from bot.lesson.lesson import Position, positions
from bot.lesson.script import READ_ON, Topic
from cardart.text.card_names import ENGLISH, names_of
from cogs.text import lesson as texts
from tests.lesson.visible import visible_cards

MOST_WORDS: Final = 450
"""About three minutes of reading, including pictures and presses."""
MOST_WORDS_IN_A_STEP: Final = 55

EVERY_STEP = pytest.mark.parametrize("position", positions(), ids=lambda position: position.topic)
POSITIONS: Final = {position.topic: position for position in positions()}


def braces(text: str) -> Iterator[tuple[Card, ...]]:
    """Yield the groups of cards in braces."""
    for found in re.findall(r"\{(\w+)\}", text):
        try:
            yield parse_cards(found)
        except NotationError:
            assert found.isalpha(), found


def test_every_step_has_words() -> None:
    """Each topic has an explanation, and a text for wrong presses if other buttons can be pressed."""
    assert set(texts.TOLD) == set(Topic)
    assert set(texts.INSTEAD) == {position.topic for position in positions() if position.press != READ_ON}


def test_it_takes_about_three_minutes() -> None:
    """All steps together have at most 450 words, and each one at most 55."""
    words = [len(texts.told(position, ENGLISH).split()) for position in positions()]
    assert max(words) <= MOST_WORDS_IN_A_STEP
    assert sum(words) <= MOST_WORDS


@EVERY_STEP
def test_only_cards_in_the_picture_are_named(position: Position) -> None:
    """One step also names two cards that the learner waits for."""
    named = texts.TOLD[position.topic] + texts.INSTEAD.get(position.topic, "")
    cards = {card for group in braces(named) for card in group}
    waited_for = set(parse_cards("3c 6c")) if position.topic is Topic.PLAN else set[Card]()
    assert cards - visible_cards(position) == waited_for


@pytest.mark.parametrize(
    ("topic", "named", "beside"),
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
def test_what_is_called_a_meld_is_one(topic: Topic, named: str, beside: str) -> None:
    """All cards that a step names together form a meld, possibly with a visible one."""
    groups = set(braces(texts.TOLD[topic] + texts.INSTEAD.get(topic, "")))
    assert {parse_cards(group) for group in named.split()} <= groups
    if beside:
        assert Meld.parse(beside) in melds_shown(POSITIONS[topic])
    Meld.of(parse_cards(named + beside))


def melds_shown(position: Position) -> set[Meld]:
    """Return the melds of the learner's hand, of the knocker, and of the showdown."""
    knock, showdown = position.hand.public.knock, position.showdown
    hands = [position.hand.arrangement, *([] if knock is None else [knock.laid])]
    hands += [] if showdown is None else showdown.outcome.hands
    return {meld for hand in hands for meld in hand.melds}


@pytest.mark.parametrize("position", [one for one in positions() if one.press.startswith("x ")])
def test_the_discard_that_is_asked_for_is_the_highest_loose_card(position: Position) -> None:
    """No unmatched card has more points."""
    asked = Card.parse(position.press.removeprefix("x "))
    assert asked in position.hand.arrangement.unmatched
    assert asked.points == max(card.points for card in position.hand.arrangement.unmatched)


def test_the_numbers_are_those_of_the_engine() -> None:
    """The points in the English texts are those that the engine counts."""
    expected = {
        Topic.KNOCK: "leaves 10 points of deadwood or less",
        Topic.SCORE: "Her deadwood is 17, yours 1. You score the difference: **16** points.",
        Topic.GIN_SCORE: "her deadwood and 25 more for gin: 36 + 25 = **61**.",
        Topic.LAY_OFF_SCORE: "Your deadwood is 12 instead of 30. Ada's is 1, so she scores only **11**.",
        Topic.UNDERCUT: "with 9 points of deadwood. You have 20,",
        Topic.UNDERCUT_SCORE: "**31**. That makes 108 in all. The first to 100 wins the match; "
        "with the bonuses for the match and for each deal won you have 268.",
    }
    for topic, text in expected.items():
        assert text in texts.told(POSITIONS[topic], ENGLISH)


@EVERY_STEP
def test_cards_are_named_as_the_reader_likes(position: Position) -> None:
    """In German, the texts have no English letter for a jack or a queen, and no brace."""
    told = texts.told(position, names_of("de")) + texts.told_again(position, "pass", names_of("de"))
    assert not re.search(r"[{}]|[JQ][♣♦♥♠]", told)


@pytest.mark.parametrize(
    ("topic", "press", "said"),
    [
        (Topic.DEADWOOD, "x 6h", "That would break up your run 5♥ 6♥ 7♥. K♦ counts 10 and fits nothing. Press K♦."),
        (Topic.DEADWOOD, "x 9c", "That would break up your set 9♣ 9♦ 9♠. K♦ counts 10 and fits nothing. Press K♦."),
        (Topic.DEADWOOD, "x As", "A♠ counts only 1. K♦ counts 10 and fits nothing. Press K♦."),
        (
            Topic.PLAN,
            "x Jd",
            "J♦ would be just as good, but the lesson goes another way. Q♠ counts 10 and fits nothing. Press Q♠.",
        ),
        (Topic.UPCARD, "pass", "Without it you have no set of nines. Press *Take 9♠*."),
        (Topic.STOCK, "take", "10♥ makes no meld with your cards. Press *Draw*."),
        (
            Topic.KNOCK,
            "x Jd",
            "That would only discard J♦, and the deal would go on. Knock with J♦: it leaves the least. "
            "Press *Knock J♦ · leaves 1*.",
        ),
        (
            Topic.GIN,
            "x 2h",
            "That would break up your run 2♥ 3♥ 4♥ 5♥. Nothing beats gin. Press *Gin!*",
        ),
        (Topic.LAY_OFF, "l Jh>JcJdJs", "Start with a single card. Press 8♠."),
        (Topic.UNDERCUT, "done", "The green button does it all at once. Press *Lay off 7♦ K♥*."),
        (Topic.SCORE, "nonsense", "There is nothing to decide here. The button below goes on."),
    ],
)
def test_what_else_is_pressed_is_answered_kindly(topic: Topic, press: str, said: str) -> None:
    """The last line is replaced by the reason, if there is one, and the button to press."""
    told = texts.told(POSITIONS[topic], ENGLISH).splitlines()
    assert texts.told_again(POSITIONS[topic], press, ENGLISH).splitlines() == [*told[:-1], f"**{said}**"]
