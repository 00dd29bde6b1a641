"""Hints in words."""

from __future__ import annotations

import re
from random import Random

import pytest

from bot.engine.cards import Card
from bot.engine.match import Match
from bot.engine.moves import BIG_GIN, DRAW, TAKE, Move, discard, knock
from bot.engine.rules import Rules
from bot.opponent.advice import Advised
from bot.opponent.choosing import advise
from bot.opponent.judge import trained
from bot.opponent.table import Table
from bot.values.matches import Advice
from cogs.text import hints
from tests.cogs.text.samples import hand_of, just_dealt
from tests.opponent.helpers import mixed

KD, SEVEN, TWO = Card.parse("Kd"), Card.parse("7s"), Card.parse("2c")


def advice(*moves: Advised, match: Match | None = None, seat: int = 1) -> Advice:
    """Return advice about a hand that has just been dealt."""
    return Advice(hand_of(match or just_dealt("classic"), seat), moves)


def worth(move: Move, points: float, left: int = 10, goes_out: float = 0.1, danger: float = 0.1) -> Advised:
    """Return a move with what it is worth."""
    return Advised(move, points, left, goes_out, danger, discard(KD) if move is TAKE else None)


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ([worth(BIG_GIN, 0)], "**Go big gin**: all eleven cards are in melds, which nothing beats."),
        ([worth(knock(KD), 30, 0)], "**Knock with K♦**: it is gin, which nothing beats."),
        (
            [worth(knock(KD), 12.4, 4), worth(discard(KD), 9.2)],
            "**Knock with K♦**: it leaves 4, and brings 12 points on average, while playing on brings 9 points.",
        ),
        (
            [worth(knock(KD), 0.1, 4), worth(discard(KD), -3)],
            "**Knock with K♦**: it leaves 4, and brings nothing on average, "
            "while playing on brings a loss of 3 points.",
        ),
        (
            [worth(discard(SEVEN), 9.2, 10), worth(knock(KD), 6, 8)],
            "**Discard 7♠**: you could knock, but playing on is worth 3 points more on average.",
        ),
        (
            [worth(discard(SEVEN), 3, 10), worth(discard(KD), 2, 17)],
            "**Discard 7♠**: it leaves 10, the least deadwood.",
        ),
        (
            [worth(discard(SEVEN), 3, 10, goes_out=0.25), worth(discard(KD), 2, 10, goes_out=0.1)],
            "**Discard 7♠**: it leaves 10, the least deadwood, with the best chances: "
            "about 1 in 4 of the next cards let you go out.",
        ),
        (
            [worth(discard(SEVEN), 3, 10), worth(discard(KD), 2, 10, danger=0.4)],
            "**Discard 7♠**: it leaves 10, the least deadwood, and your opponent is least likely to use the card.",
        ),
        (
            [worth(discard(SEVEN), 3, 12, goes_out=0.5), worth(discard(KD), 2, 10)],
            "**Discard 7♠**: it leaves 12, but about 1 in 2 of the next cards then let you go out.",
        ),
        (
            [worth(discard(SEVEN), 3, 12), worth(discard(KD), 2, 10, danger=0.4)],
            "**Discard 7♠**: it leaves 12, but your opponent is much less likely to use the card.",
        ),
        (
            [worth(discard(SEVEN), 3, 12), worth(discard(KD), 2, 10)],
            "**Discard 7♠**: it leaves 12 and keeps the cards together that may still become melds.",
        ),
        ([worth(TAKE, 3, 31)], "**Take 6♣ and discard K♦**: your deadwood goes from 0 to 31."),
        ([worth(DRAW, 3)], "**Draw**: there is nothing else to take."),
        (
            [worth(DRAW, 3), worth(TAKE, 1, 31)],
            "**Draw**: the face-up card would leave you 31 at best, and show your opponent what you collect.",
        ),
    ],
)
def test_every_reason(moves: list[Advised], said: str) -> None:
    """One sentence says what speaks for the best move."""
    assert hints.hint(advice(*moves)) == said


def test_what_the_next_best_costs() -> None:
    """In whole points, at least one, unless that is hardly anything; nothing comes near gin."""
    best = worth(discard(SEVEN), 3)
    assert hints.next_best(advice(best, worth(discard(KD), 2.8))).endswith("It is worth as much, within half a point.")
    assert hints.next_best(advice(best, worth(discard(KD), 2.3))).endswith("It costs about 1 point on average.")
    assert hints.next_best(advice(best, worth(knock(TWO), -9))) == (
        "Next best: *Knock with 2♣*. It costs about 12 points on average."
    )
    assert hints.next_best(advice(worth(knock(KD), 25, 0), best)) == "Anything else gives a sure gin away."
    assert hints.next_best(advice(best)) == "There is nothing else to be done."


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["classic", "partners", "tournament", "traditional"])
def test_every_position_has_a_hint(rules: str) -> None:
    """Whatever comes up in a match, the hint is a sentence, and so is what the next best costs."""
    seats = 4 if rules == "partners" else 2
    table, random = Table(Rules.parse(rules), seats, "hints"), Random(4)
    for _ in range(150):
        seat = random.choice(table.to_act)
        position = table.position(seat)
        given = advice(*advise(trained(), position), match=table.match, seat=seat)
        assert re.fullmatch(r"\*\*[A-Z][^*]+\*\*: [^{}]+\.", hints.hint(given), re.DOTALL)
        assert hints.next_best(given).endswith((".", "!"))
        table.play(seat, mixed(position, random))
