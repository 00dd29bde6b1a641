"""The words of the result of a day's deal."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import TAKE, discard
from bot.engine.deals.showdown import OutcomeKind
from bot.model.appearance import DEFAULT_APPEARANCE
from bot.model.daily import DailyDeal, DailyResult
from bot.model.daily_posts import DailySummary, KeyChoice
from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.statistics import Player
from bot.opponent.play.advice import AdvisedMove
from cardart.text.card_names import card_names
from cogs.daily import daily_post_panel as panels
from cogs.daily import daily_post_text as texts
from cogs.delivery.pictures import Pictures
from tests.cogs.samples import MESSAGE_LIMIT, length, text_of

DAY = date(2026, 11, 22)
NEXT = DailyDeal(date(2026, 11, 23), bytes(range(32)))
KING = Card.parse("Ks")
CHOICE = KeyChoice(3, None, AdvisedMove(discard(KING), 1.0), 5, 2, 6.2)


def person(number: int, points: int | None, name: str | None = None) -> DailyResult:
    """Return the result of a person; None as points means that they did not finish."""
    player = Player(PersonId(number), name or f"Person {number}", username=f"account{number}")
    kind = None if points is None else OutcomeKind.KNOCK
    return DailyResult(DAY, player, MatchId(number), points, None if points is None else 9, kind, False)


def summary(*results: DailyResult) -> DailySummary:
    """Return the result of a day with these people."""
    return DailySummary(GuildId(1), DAY, DEFAULT_APPEARANCE, results, {}, None, NEXT)


@pytest.mark.parametrize(("is_pictured", "listed"), [(True, "45"), (False, "2345")])
def test_people_in_the_picture_are_not_listed_again(is_pictured: bool, listed: str) -> None:
    """Below the picture, the list has those who are not on its steps; without it, all but the best, who stand above."""
    podium = summary(*(person(number, 50 - number) for number in range(1, 6)), person(6, None)).podium
    shown = texts.further_places(podium, {}, is_pictured=is_pictured)
    assert shown is not None
    assert [number for number in "123456" if f"Person {number}" in shown] == [*listed]
    assert "Person 1" in texts.best(podium, {})


def test_all_who_share_the_best_result_are_named() -> None:
    """If several people have the best result, all are named with it, and none is listed again."""
    podium = summary(person(1, 30), person(2, 30), person(3, 20)).podium
    assert all(f"Person {number}" in texts.best(podium, {}) for number in (1, 2))
    shown = texts.further_places(podium, {}, is_pictured=False)
    assert shown is not None
    assert [number for number in "123" if f"Person {number}" in shown] == ["3"]


@pytest.mark.parametrize("is_pictured", [True, False])
def test_every_known_accuracy_is_shown_once(is_pictured: bool) -> None:
    """Each person in the list or the picture has their accuracy in the text."""
    podium = summary(*(person(number, 50 - number) for number in range(1, 6))).podium
    accuracies = {PersonId(number): 90.0 + number for number in range(1, 6)}
    shown = texts.best(podium, accuracies) + (texts.further_places(podium, accuracies, is_pictured=is_pictured) or "")
    assert [shown.count(f"{90 + number}%") for number in range(1, 6)] == [1] * 5


@pytest.mark.parametrize("found", [0, 2, 4])
def test_the_choice_names_the_move_and_nobody(found: int) -> None:
    """The choice that mattered most has the move, the turn, the points, and how many of those who faced it chose it."""
    choice = replace(CHOICE, found=found)
    shown, found_by = texts.key_choice(choice, card_names("en")), texts.found_by(choice)
    assert all(fact in shown for fact in (card_names("en").short(KING), "3", "6", found_by))
    assert (str(found) in found_by, str(CHOICE.people) in found_by) == (found > 0, True)


def test_a_card_to_take_is_named() -> None:
    """If the best move was to take the face-up card, the card and the discard after it are named."""
    best = AdvisedMove(TAKE, 1.0, then=discard(Card.parse("2h")))
    shown = texts.key_choice(replace(CHOICE, top=KING, best=best), card_names("en"))
    assert all(card_names("en").short(card) in shown for card in (KING, Card.parse("2h")))


@pytest.mark.parametrize("step", [0, 1], ids=["all equal", "in pairs"])
async def test_the_longest_result_fits_into_a_message(step: int) -> None:
    """A result with many people, long names that look equal and all facts is no longer than a message may be."""
    results = [person(number, 50 - step * (number // 2), "_" * 32) for number in range(1, 200)]
    accuracies = {PersonId(number): 90.0 for number in range(1, 21)}
    message = await panels.result(replace(summary(*results), accuracies=accuracies, choice=CHOICE), Pictures())
    assert message.in_words is not None
    for version in (message, message.in_words()):
        assert length(version) < MESSAGE_LIMIT
        assert NEXT.commitment.hex() in text_of(version)
