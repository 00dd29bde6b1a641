"""The script of the lesson: four prepared deals of one match, with the learner's steps in each deal.

Everything is played on the engine, so a step that breaks the rules fails as soon as the lesson is shown. The texts of
the steps are in `cogs/practice/lesson_text.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.rules import Rules


class Topic(StrEnum):
    """The subject that a step teaches. It identifies the step's text."""

    MELDS = "melds"
    UPCARD = "upcard"
    DEADWOOD = "deadwood"
    STOCK = "stock"
    PLAN = "plan"
    PILE = "pile"
    KNOCK = "knock"
    SCORE = "score"
    GIN = "gin"
    GIN_SCORE = "gin_score"
    LAY_OFF = "lay_off"
    LAY_OFF_ALL = "lay_off_all"
    LAY_OFF_SCORE = "lay_off_score"
    UNDERCUT = "undercut"
    UNDERCUT_SCORE = "undercut_score"


CONTINUE: Final = "next"
"""A button of the lesson that makes no move."""
GIN: Final = "gin"
"""A button of the lesson that knocks with the discard that leaves no deadwood."""
LAY_OFF_ALL: Final = "all"
"""A button of the lesson that makes the lay-offs that leave the least deadwood, and finishes."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the lesson: its topic, the button that the learner presses, and the opponent's moves after it.

    `press` is a move in notation, or one of the constants above. `then` are moves in notation, separated by commas.
    """

    topic: Topic
    press: str = CONTINUE
    then: str = ""


@dataclass(frozen=True, slots=True)
class PreparedDeal:
    """A deal with known cards: both hands, the upcard, and the cards drawn from the stock.

    `before` are the moves of both players before the first step, in order.
    """

    learner: str
    opponent: str
    upcard: str
    stock: str
    before: str
    steps: tuple[Step, ...]


RULES: Final = Rules.parse("standard first_dealer=challenged")
"""The preset `standard`, with lay-offs chosen by players. The opponent deals first, then the players take turns."""

DEALS: Final = (
    PreparedDeal(
        learner="5h 6h 7h 9c 9d As 4c Jd Qs Kd",
        opponent="3d 3h 3s Qc Kc 8h 8s 7d Th 6c",
        upcard="9s",
        stock="2d 5c Jc",
        before="",
        steps=(
            Step(Topic.MELDS),
            Step(Topic.UPCARD, "take"),
            Step(Topic.DEADWOOD, "x Kd", "draw, x Th"),
            Step(Topic.STOCK, "draw"),
            Step(Topic.PLAN, "x Qs", "draw, x 6c"),
            Step(Topic.PILE, "take"),
            Step(Topic.KNOCK, "k Jd", "l 8h>5h6h7h, done"),
            Step(Topic.SCORE),
        ),
    ),
    PreparedDeal(
        learner="2h 3h 4h 5h Jc Jd Js 8s 9s 7d",
        opponent="4c 5c 6c 7c Jh 9d 6d 8h 2s Kh",
        upcard="Qd",
        stock="Ad Ts",
        before="pass, pass, draw, x Kh, draw",
        steps=(
            Step(Topic.GIN, GIN),
            Step(Topic.GIN_SCORE),
        ),
    ),
    PreparedDeal(
        learner="6c 6d 6h 8s Jh 2d 2h 4d 3s Ah",
        opponent="5s 6s 7s Jc Jd Js 2c 3c Ad Kh",
        upcard="4c",
        stock="",
        before="pass, take, k Kh",
        steps=(
            Step(Topic.LAY_OFF, "l 8s>5s6s7s"),
            Step(Topic.LAY_OFF_ALL, LAY_OFF_ALL),
            Step(Topic.LAY_OFF_SCORE),
        ),
    ),
    PreparedDeal(
        learner="9c 9d 9s 5c 5h 5s Kh 7d As 2d",
        opponent="Th Jh Qh 4d 5d 2c 3s 3h Ac Ks",
        upcard="6d",
        stock="",
        before="take, k Ks",
        steps=(
            Step(Topic.UNDERCUT, LAY_OFF_ALL),
            Step(Topic.UNDERCUT_SCORE),
        ),
    ),
)
