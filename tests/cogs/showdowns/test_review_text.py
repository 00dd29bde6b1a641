"""Reviews in words."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import BIG_GIN, DONE, DRAW, PASS, TAKE, Seat, discard, knock
from bot.engine.deals.showdown import VOID, Outcome, OutcomeKind
from bot.engine.matches.views import SeatView, ShowdownView
from bot.engine.rules import Rules
from bot.model.people import Preferences
from bot.model.reviews import Mistake, Reviewed
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.choosing import advise
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.table import Table
from bot.opponent.review.reviews import Review, Verdict
from cardart.text.card_names import ENGLISH
from cogs.showdowns import review_text as texts
from cogs.showdowns.review_panel import review
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    advised,
    hand_of,
    length,
    long_match,
    match_info_of,
    opened_pictures,
    players,
    showdowns_of,
    weak_hand_match,
    with_moves,
)
from tests.opponent.helpers import mixed_move

KING, QUEEN, SEVEN = Card.parse("Kd"), Card.parse("Qd"), Card.parse("7s")
KNOCK_WITH_KING, KNOCK_WITH_QUEEN = knock(KING), knock(QUEEN)


def verdict(lost: float, step: int = 0) -> Verdict:
    """Return the verdict on a choice that cost this many points."""
    return Verdict(step, AdvisedMove(DRAW, -lost), AdvisedMove(TAKE, 0.0), 0.1)


def reviewed(
    *costs: float, points: float = 22, outcomes: tuple[Outcome, ...] = (), rules: str = "classic", seats: int = 2
) -> Reviewed:
    """Return a review of a deal in which the choices of seat 0 cost these points.

    With several `outcomes`, return a review of a match with one deal per outcome; the choices are in the first deal.
    """
    match = long_match(1, rules, seats)
    (deal, *_) = showdowns_of(match)
    deals = tuple(replace(deal.view, outcome=outcome) for outcome in outcomes) or (deal.view,)
    first = Review(tuple(map(verdict, costs)), 0, 0, 0, points)
    rest = (Review((), 0, 0, 0, 0),) * (len(deals) - 1)
    view = hand_of(weak_hand_match(), 0).view
    mistakes = tuple(Mistake(deals[0], view, verdict) for verdict in first.verdicts if verdict.points_lost)
    return Reviewed(
        deal.match, Seat(0), deals, (first, *rest), mistakes, whole_match=len(deals) > 1, reviewable=len(deals)
    )


def won_by(seat: int, points: int, boxes: int = 1) -> Outcome:
    """Return the outcome of a deal that a seat won."""
    return Outcome(OutcomeKind.KNOCK, Seat(seat), Seat(seat), (), (), (0, points), points, boxes=boxes)


def mistake(played: AdvisedMove, best: AdvisedMove, view: SeatView | None = None, error: float = 0.0) -> Mistake:
    """Return a mistake of seat 0 with the move played and the best move."""
    (deal, *_) = showdowns_of(long_match(1))
    view_with_choices = with_moves(view or hand_of(weak_hand_match(), 0).view, played, best, legal=(DONE, BIG_GIN))
    return Mistake(deal.view, view_with_choices, Verdict(0, played, best, error))


@pytest.mark.parametrize(
    ("played", "best", "why"),
    [
        (advised(discard(KING), 0), advised(BIG_GIN, 30), "all cards were in melds, and nothing beats that."),
        (
            advised(discard(KING), 0),
            advised(KNOCK_WITH_KING, 30, 0),
            "nothing beats gin.",
        ),
        (
            advised(discard(SEVEN), 9.2),
            advised(KNOCK_WITH_KING, 12.4, 4),
            "on average, it gains 12 points, and playing on gains 9 points.",
        ),
        (
            advised(discard(SEVEN), -3),
            advised(KNOCK_WITH_KING, 0.2, 4),
            "on average, it gains nothing, and playing on loses 3 points.",
        ),
        (
            advised(KNOCK_WITH_QUEEN, 18, 0, 0, 0),
            advised(KNOCK_WITH_KING, 25, 2),
            "on average, it gains 25 points, and the actual knock gains 18 points.",
        ),
        (
            advised(discard(SEVEN), 12, 4),
            advised(KNOCK_WITH_KING, 12.4, 4),
            "it would have been a little better on average than playing on.",
        ),
        (
            advised(KNOCK_WITH_KING, 9, 8),
            advised(discard(SEVEN), 12, 10),
            "on average, playing on gains 12 points, and the knock gains 9 points.",
        ),
        (
            advised(KNOCK_WITH_KING, -9, 8),
            advised(discard(SEVEN), -1, 10),
            "on average, playing on loses 1 point, and the knock loses 9 points.",
        ),
        (
            advised(KNOCK_WITH_KING, -9.2, 8),
            advised(discard(SEVEN), -8.7, 10),
            "playing on would have been a little better on average than the knock.",
        ),
        (
            advised(discard(SEVEN), 0, 17),
            advised(discard(KING), 3, 10),
            "it would have left 10 points of deadwood instead of 17.",
        ),
        (
            advised(discard(SEVEN), 0, goes_out=0),
            advised(discard(KING), 3, goes_out=0.4),
            "the chance to go out next turn would have been 40% instead of almost 0%.",
        ),
        (
            advised(discard(SEVEN), 0, goes_out=0.2),
            advised(discard(KING), 3, 14, goes_out=0.66),
            "the chance to go out next turn would have been 66% instead of 20%.",
        ),
        (
            advised(discard(SEVEN), 0, danger=0.4),
            advised(discard(KING), 3),
            "the next player was much less likely to use that card.",
        ),
        (
            advised(discard(SEVEN), 0),
            advised(discard(KING), 3),
            "it would have kept cards that could become melds.",
        ),
        (
            advised(DRAW, 0),
            advised(TAKE, 25, 0, then=KNOCK_WITH_KING),
            "nothing beats gin.",
        ),
        (
            advised(DRAW, 0),
            advised(TAKE, 25, 3, then=KNOCK_WITH_KING),
            "that card made it possible to knock with 3 points of deadwood.",
        ),
        (advised(DRAW, 0), advised(TAKE, 5, 31), "deadwood would have gone from 37 to 31."),
        (advised(DRAW, 0), advised(TAKE, 5, 37), "that card fitted the rest of the hand."),
        (
            advised(TAKE, 0, 31),
            advised(DRAW, 5),
            "taking the face-up card saved only 8 points and revealed which cards the player was collecting.",
        ),
        (
            advised(TAKE, 1, 8, then=KNOCK_WITH_KING),
            advised(PASS, 5),
            "on average, leaving the face-up card gains 5 points, and taking it gains 1 point.",
        ),
        (
            AdvisedMove(TAKE, 0),
            advised(DRAW, 5),
            "the deal was already very long, so it was time to just draw.",
        ),
        (advised(PASS, -8), advised(DONE, -3), "it would have left less deadwood."),
    ],
)
def test_each_mistake_gives_a_true_reason(played: AdvisedMove, best: AdvisedMove, why: str) -> None:
    """One sentence says why the best move was better, without addressing the reader."""
    told = texts.mistake(1, mistake(played, best), ENGLISH, whole_match=False)
    assert told.endswith(f" better: {why}")
    assert not re.search(r"\byou", told, re.IGNORECASE)


def test_a_mistake_names_the_move_and_the_better_move() -> None:
    """The text names the turn, the move and the better move; in a review of a match, it also names the deal."""
    found = mistake(advised(DRAW, 0), advised(TAKE, 4.6, 31), error=0.6)
    told = "drew from the stock.** *Take 2♦ and discard K♦* was 5 points better (± 1): deadwood would have gone "
    assert texts.mistake(1, found, ENGLISH, whole_match=False).startswith(f"**1. Turn 1: {told}")
    assert texts.mistake(2, found, ENGLISH, whole_match=True).startswith(f"**2. Deal 1, turn 1: {told}")


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        ((0,), "**Accuracy 100%**: no mistakes."),
        ((0, 0, 0), "**Accuracy 100%**: no mistakes."),
        ((4,), "**Accuracy 67%** (± 1): the only choice cost 4 points."),
        ((0, 4, 0), "**Accuracy 89%** (± 1): 1 of 3 choices cost 4 points."),
        ((3, 4), "**Accuracy 71%** (± 1): 2 of 2 choices cost 7 points in total."),
    ],
)
def test_the_summary_has_the_accuracy(costs: tuple[float, ...], expected: str) -> None:
    """The summary has the points lost and the accuracy, with its margin below 100%. One mistake has a singular."""
    shown = reviewed(*costs)
    assert texts.summary(shown) == expected
    headings = ["Well played!", "**The costliest choice**", "**The costliest choices**"]
    assert texts.mistakes(shown) == headings[len(shown.mistakes)]


def test_without_choices_nothing_is_praised() -> None:
    """Without a choice, the text does not praise the player, in a deal or in a match."""
    deal, match = reviewed(), reviewed(outcomes=(won_by(0, 22), won_by(1, 7)))
    assert texts.summary(deal) == "The deal ended before there was a choice to make."
    assert texts.summary(match) == "These deals ended before there was a choice to make."
    assert texts.mistakes(deal) is texts.mistakes(match) is None


@pytest.mark.parametrize(
    ("outcomes", "points", "rules", "expected"),
    [
        ((won_by(0, 22),), 42, "classic", "Result **+42** (22 points + 20 for winning the deal): "),
        ((won_by(1, 1),), -21, "classic", "Result **−21** (1 point + 20 for losing the deal): "),
        ((won_by(0, 22, 3),), 82, "classic", "Result **+82** (22 points + 60 for winning 3 lines): "),
        ((won_by(0, 22),), 22, "research", "Result **+22**: "),
        ((VOID,), 0, "classic", "Result **0**: "),
        (
            (won_by(0, 22), won_by(0, 9), won_by(1, 40)),
            11,
            "classic",
            "Result **+11** (−9 points and +20 for deals won): ",
        ),
        ((won_by(0, 22), won_by(1, 40)), -18, "classic", "Result **−18**: "),
        ((won_by(1, 22), won_by(1, 40), VOID), -102, "classic", "(−62 points and −40 for deals lost): "),
    ],
)
def test_a_result_names_the_bonus(outcomes: tuple[Outcome, ...], points: float, rules: str, expected: str) -> None:
    """A result names the bonus added to the points of the deals, and the parts of the result add up."""
    shown = reviewed(5, points=points, outcomes=outcomes, rules=rules)
    told = texts.result(shown)
    assert expected in told
    parts = re.findall(r"\*\*([+−]?\d+)\*\*", told)
    total, *added = (int(part.replace("−", "-")) for part in parts)
    assert total == points == sum(added)


@pytest.mark.parametrize(
    ("points", "seats", "expected"),
    [
        (12, 2, "Result **+12** (12 penalty points fewer than the opponent): "),
        (12.5, 3, "Result **+12** (12 penalty points fewer than the others on average): "),
        (-1, 3, "Result **−1** (1 penalty point more than the others on average): "),
        (0.2, 4, "Result **0** (as many penalty points as the others on average): "),
    ],
)
def test_penalty_points_are_compared(points: float, seats: int, expected: str) -> None:
    """With penalty points, the result is positive if the player has fewer penalty points than the opponents."""
    assert texts.result(reviewed(points=points, rules="penalty", seats=seats)).startswith(expected)


def test_each_deal_of_a_match_has_a_line() -> None:
    """In a review of a match each deal has a line; a review of a single deal has none."""
    assert texts.by_deal(reviewed(3)) is None
    told = texts.by_deal(reviewed(4, points=42, outcomes=(won_by(0, 22), won_by(1, 7))))
    assert told is not None
    assert told.splitlines() == [
        "Deal 1: accuracy 67% · choices −4 · luck 0 · result +42",
        "Deal 1: no choice · choices 0 · luck 0 · result 0",
    ]


async def test_a_long_match_fits() -> None:
    """A review of 25 deals with the longest names and three mistakes fits a message, and lists the last 20 deals."""
    match = long_match(25, "partners", 4)
    deals = tuple(showdown.view for showdown in showdowns_of(match))[:25]
    info = replace(match_info_of(match), players=players(*[LONGEST_NAME] * 4))
    far = Review((verdict(123), verdict(0)), -111, 222, -333, -444)
    view = hand_of(weak_hand_match(), 0).view
    costly = Verdict(0, advised(TAKE, -123.4, 99), advised(DRAW, 0), 44)
    mistakes = (Mistake(deals[-1], view, costly),) * 3
    shown = Reviewed(info, Seat(0), deals, (far,) * 25, mistakes, whole_match=True, reviewable=25)
    told = texts.by_deal(shown)
    assert told is not None
    assert told.splitlines()[0] == "The last 20 of 25 deals:"
    assert len(told.splitlines()) == 21
    async with opened_pictures() as pictures:
        panel = await review(shown, Preferences(pictures=False), pictures, shown_by=LONGEST_NAME)
    assert length(panel) < MESSAGE_LIMIT


@pytest.mark.thorough
@pytest.mark.parametrize("rules", ["classic", "penalty"])
def test_every_pair_of_moves_has_a_reason(rules: str) -> None:
    """For every move that was not the best, one sentence gives the reason, and its numbers match the hand."""
    seats = 3 if rules == "penalty" else 2
    table, random = Table(Rules.parse(rules), seats, "reviews"), Random(4)
    for _ in range(80):
        seat = random.choice(table.to_act)
        position, view = table.position(seat), hand_of(table.match, seat).view
        best, *others = advise(trained_judge(), position)
        for played in others:
            told = texts.mistake(1, Mistake(_deal(), view, Verdict(0, played, best, 0)), ENGLISH, whole_match=False)
            assert re.fullmatch(r"\*\*1\. Turn \d+: [^*]+\.\*\* \*[^*]+\* was \d+ points? better: [^{}]+\.", told)
            assert not re.search(r"\byou", told, re.IGNORECASE)
            for before, after in re.findall(r"from (\d+) to (\d+)", told):
                assert int(after) < int(before) == view.arrangement.deadwood
            leaves = {choice.card: choice.deadwood for choice in view.discard_choices}
            for left, instead in re.findall(r"left (\d+) instead of (\d+)", told):
                assert best.move.card is not None
                assert played.move.card is not None
                assert (int(left), int(instead)) == (leaves[best.move.card], leaves[played.move.card])
                assert int(left) < int(instead)
        table.play(seat, mixed_move(position, random))


def _deal() -> ShowdownView:
    (deal, *_) = showdowns_of(long_match(1))
    return deal.view
