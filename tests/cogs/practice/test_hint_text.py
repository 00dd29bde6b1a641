"""Hints in words."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.cards.melds import best_arrangement
from bot.engine.deals.moves import BIG_GIN, DONE, DRAW, PASS, TAKE, Move, discard, knock
from bot.engine.matches.match import Match
from bot.engine.rules import Rules
from bot.model.matches import Advice
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.choosing import advise
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.table import Table
from cogs.practice import hint_text as hints
from tests.cogs.samples import advised, hand_of, weak_hand_match, with_moves
from tests.helpers.cases import nightly_after
from tests.opponent.helpers import mixed_move

KING, SEVEN, TWO_OF_CLUBS = Card.parse("Kd"), Card.parse("7s"), Card.parse("2c")
KNOCK_WITH_KING = knock(KING)


def advice(*moves: AdvisedMove, legal: tuple[Move, ...] = (DONE,), match: Match | None = None) -> Advice:
    """Return advice for seat 0 with these evaluated moves, best first. `legal` are legal moves without evaluation."""
    hand = hand_of(match or weak_hand_match(), 0)
    return Advice(replace(hand, view=with_moves(hand.view, *moves, legal=legal)), moves)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ([advised(BIG_GIN, 0)], "**Go big gin**: all your cards are in melds."),
        ([advised(KNOCK_WITH_KING, 30, 0)], "**Go gin with K♦**: nothing beats gin."),
        (
            [advised(KNOCK_WITH_KING, 12.4, 4)],
            "**Knock with K♦**: it leaves 4 points of deadwood, the least you can knock with.",
        ),
        (
            [advised(KNOCK_WITH_KING, 12.4, 4), advised(discard(KING), 9.2)],
            "**Knock with K♦**: knocking gains 12 points on average, while playing on gains 9 points.",
        ),
        (
            [advised(KNOCK_WITH_KING, 0.1, 4), advised(discard(KING), -3)],
            "**Knock with K♦**: knocking gains nothing on average, while playing on loses 3 points.",
        ),
        (
            [advised(KNOCK_WITH_KING, -1, 4), advised(discard(KING), -3)],
            "**Knock with K♦**: knocking loses 1 point on average, while playing on loses 3 points.",
        ),
        (
            [advised(KNOCK_WITH_KING, 2, 4), advised(discard(KING), 0.2)],
            "**Knock with K♦**: knocking gains 2 points on average, while playing on gains nothing.",
        ),
        (
            [advised(KNOCK_WITH_KING, -2.9, 4), advised(discard(KING), -3.2)],
            "**Knock with K♦**: knocking scores a little better on average than playing on.",
        ),
        (
            [advised(discard(SEVEN), 9.2, 10), advised(KNOCK_WITH_KING, 6, 8)],
            "**Discard 7♠**: playing on is worth 3 points more than knocking.",
        ),
        (
            [advised(discard(SEVEN), 9.2, 1), advised(KNOCK_WITH_KING, 6, 1)],
            "**Discard 7♠**: playing on is worth 3 points more than knocking, because you'd undercut most knocks.",
        ),
        (
            [advised(discard(SEVEN), 3, 10), advised(discard(KING), 2, 17)],
            "**Discard 7♠**: it leaves the least deadwood, 10 points.",
        ),
        (
            [advised(discard(SEVEN), 3, 10), advised(discard(KING), 2, 10)],
            "**Discard 7♠**: it leaves the least deadwood, 10 points.",
        ),
        (
            [advised(discard(SEVEN), 3, 10, goes_out=0.25), advised(discard(KING), 2, 10, goes_out=0.1)],
            "**Discard 7♠**: it leaves the least deadwood, 10 points, and your chance to go out next turn is 25%.",
        ),
        (
            [
                advised(discard(SEVEN), 3, 10, goes_out=0.25),
                advised(discard(KING), 2, 10, goes_out=0.1),
                advised(discard(TWO_OF_CLUBS), 1, 10, goes_out=0.3),
            ],
            "**Discard 7♠**: it leaves the least deadwood, 10 points.",
        ),
        (
            [advised(discard(SEVEN), 3, 10), advised(discard(KING), 2, 10, danger=0.4)],
            "**Discard 7♠**: it leaves the least deadwood, 10 points, and your opponent is least likely to use that "
            "card.",
        ),
        (
            [
                advised(discard(SEVEN), 3, 10),
                advised(discard(KING), 2, 10, danger=0.4),
                advised(discard(TWO_OF_CLUBS), 1, 10, danger=0),
            ],
            "**Discard 7♠**: it leaves the least deadwood, 10 points.",
        ),
        (
            [advised(discard(SEVEN), 3, 12, goes_out=0.6), advised(discard(KING), 2, 10)],
            "**Discard 7♠**: it leaves 12 points of deadwood, but your chance to go out next turn is 60%.",
        ),
        (
            [advised(discard(SEVEN), 3, 12), advised(discard(KING), 2, 10, danger=0.4)],
            "**Discard 7♠**: it leaves 12 points of deadwood, but your opponent is much less likely to use that card.",
        ),
        (
            [advised(discard(SEVEN), 3, 12), advised(discard(KING), 2, 10)],
            "**Discard 7♠**: it leaves 12 points of deadwood, but keeps cards that could become melds.",
        ),
        (
            [advised(TAKE, 3, 0, then=KNOCK_WITH_KING)],
            "**Take 2♦ and go gin with K♦**: nothing beats gin.",
        ),
        (
            [advised(TAKE, 3, 8, then=KNOCK_WITH_KING)],
            "**Take 2♦ and knock with K♦**: that leaves 8 points of deadwood.",
        ),
        ([advised(TAKE, 3, 31)], "**Take 2♦ and discard K♦**: your deadwood goes from 37 to 31."),
        ([advised(TAKE, 3, 37)], "**Take 2♦ and discard K♦**: the face-up card fits the rest of your hand."),
        (
            [advised(DRAW, 3), advised(TAKE, 1, 31)],
            "**Draw**: taking the face-up card lowers your deadwood by only 8 points and shows your opponent what "
            "you're collecting.",
        ),
        (
            [advised(PASS, 3), advised(TAKE, 1, 9, then=KNOCK_WITH_KING)],
            "**Pass**: passing is worth 2 points more than taking the face-up card and knocking.",
        ),
        (
            [advised(DRAW, 3), advised(TAKE, 1, 9, then=KNOCK_WITH_KING)],
            "**Draw**: drawing is worth 2 points more than taking the face-up card and knocking.",
        ),
        ([advised(DONE, 0)], "**Lay off no more cards**: that leaves the least deadwood."),
    ],
)
def test_each_hint_gives_a_true_reason(moves: list[AdvisedMove], expected: str) -> None:
    """A hint gives a reason for the best move that is true even when every other advised move is considered."""
    assert hints.hint(advice(*moves, legal=(DONE, BIG_GIN))) == expected


@pytest.mark.parametrize(
    ("only_move", "expected"),
    [
        (DRAW, "**Draw**: you can only draw now."),
        (PASS, "**Pass**: you can only pass now."),
        (KNOCK_WITH_KING, "**Go gin with K♦**: it's your only move."),
    ],
)
def test_the_only_move_is_called_so(only_move: Move, expected: str) -> None:
    """The hint for an only legal move says that it is the only one, and says nothing about deadwood or gin."""
    given = advice(advised(only_move, 0, deadwood=0), legal=())
    assert hints.hint(given) == expected
    assert hints.next_best(given) == "You have no other move."


def test_in_a_long_deal_the_hint_is_to_draw() -> None:
    """If only drawing was considered because a deal is long, the hint says so, not that it is the only move."""
    given = advice(advised(DRAW, 3), legal=(TAKE,))
    assert hints.hint(given) == "**Draw**: this deal is already very long, so draw from the stock."
    assert hints.next_best(given) == "Taking the face-up card would only make the deal longer."


def test_several_opponents_are_called_the_next_player() -> None:
    """With several opponents, the hint says *the next player* instead of *your opponent*."""
    given = advice(
        advised(discard(SEVEN), 3, 12), advised(discard(KING), 2, 10, danger=0.4), match=weak_hand_match(seats=3)
    )
    assert (
        hints.hint(given)
        == "**Discard 7♠**: it leaves 12 points of deadwood, but the next player is much less likely to use that card."
    )


def test_the_next_best_move_has_its_cost() -> None:
    """The next best move has a cost in points or is *just as good*. If gin is certain, the hint names no other move."""
    best = advised(discard(SEVEN), 3)
    assert hints.next_best(advice(best, advised(discard(KING), 2.8))) == "Next best: *Discard K♦*. It's just as good."
    assert hints.next_best(advice(best, advised(discard(KING), 2.3))).endswith("It's about 1 point worse.")
    assert hints.next_best(advice(best, advised(knock(TWO_OF_CLUBS), -9))) == (
        "Next best: *Knock with 2♣*. It's about 12 points worse."
    )
    assert hints.next_best(advice(advised(DRAW, 3), advised(TAKE, 1))) == (
        "Next best: *Take 2♦ and discard K♦*. It's about 2 points worse."
    )
    assert hints.next_best(advice(advised(knock(KING), 25, 0), best)) == "You have gin, so don't give it up."
    assert hints.next_best(advice(advised(BIG_GIN, 0))) == "You have big gin, so don't give it up."
    assert hints.next_best(advice(advised(DONE, 0), legal=(TAKE,))) == "No other move leaves less deadwood."


def least_after_taking(given: Advice) -> int:
    """Return the least deadwood after taking the face-up card and discarding a card of the hand."""
    view = given.hand.view
    assert view.public.top is not None
    return min(best_arrangement(view.hand + view.public.top - card).deadwood for card in view.hand)


def may_meld(card: Card, hand: Hand) -> bool:
    """Return True if a third card would make a meld of a card and another one in a hand."""
    return any(
        best_arrangement(Hand.of((card, own, third))).deadwood == 0
        for own in hand
        for third in DECK
        if len({card, own, third}) == 3
    )


@pytest.mark.nightly
@pytest.mark.parametrize("rules", nightly_after(2, ["classic", "partners", "tournament", "traditional"]))
def test_every_position_has_a_hint(rules: str) -> None:
    """In every position of a match, the hint and the cost of the next best move are correct sentences."""
    seats = 4 if rules == "partners" else 2
    table, random = Table(Rules.parse(rules), seats, "hints"), Random(4)
    for _ in range(150):
        seat = random.choice(table.to_act)
        position = table.position(seat)
        given = Advice(hand_of(table.match, seat), tuple(advise(trained_judge(), position)))
        hint = hints.hint(given)
        assert re.fullmatch(r"\*\*[A-Z][^*]+\*\*: [^{}]+\.", hint, re.DOTALL)
        assert hints.next_best(given).endswith(".")
        assert ("can only draw" in hint) == (position.moves == (DRAW,))
        assert ("very long" in hint) <= (TAKE in position.moves)
        for before, after in re.findall(r"from (\d+) to (\d+)", hint):
            assert int(after) < int(before) == given.hand.view.arrangement.deadwood
        top = given.hand.view.public.top
        if "lowers your deadwood by" in hint:
            assert top is not None
            assert ("you're collecting" in hint) == may_meld(top, given.hand.view.hand)
        if "wouldn't lower your deadwood" in hint:
            assert least_after_taking(given) >= given.hand.view.arrangement.deadwood
        leaves = {
            discard_choice.card: discard_choice.deadwood
            for discard_choice in given.hand.view.discard_choices
            if discard_choice.is_allowed or discard_choice.can_knock
        }
        card = given.moves[0].move.card
        for left in re.findall(r"it leaves (?:the least deadwood, )?(\d+)", hint):
            assert card is not None
            assert int(left) == leaves[card]
            assert "the least deadwood" not in hint or int(left) == min(leaves.values())
        table.play(seat, mixed_move(position, random))
