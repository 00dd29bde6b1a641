"""The two baseline players."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random

import pytest

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import least_deadwood
from bot.engine.deals.moves import TAKE, Verb
from bot.engine.rules import Rules
from bot.opponent.play.table import Table
from bot.opponent.training.baselines import joins_meld, patient, simple
from tests.opponent.helpers import RESEARCH, each_table, play_through


@pytest.mark.parametrize(
    ("hand", "card", "melds"),
    [("4c 5c 9d", "6c", True), ("4c 6c 9d", "5c", True), ("4c 4d 9d", "4s", True), ("4c 5d 9d", "6c", False)],
)
def test_joins_meld(hand: str, card: str, melds: bool) -> None:
    """A card joins a meld if it forms a set or a run with cards of the hand."""
    assert joins_meld(Hand.parse(hand), Card.parse(card), "low") == melds


def test_the_simple_player_is_the_published_one() -> None:
    """As published, the simple player takes only cards that meld, keeps the least deadwood, and knocks when it can."""
    seen = Counter[str]()
    for number in range(4):
        for position, move in play_through(
            Table(RESEARCH, 2, f"simple {number}"), partial(simple, random=Random(number))
        ):
            if TAKE in position.moves:
                assert (move == TAKE) == joins_meld(position.hand, position.discards[-1], "low")
            if move.card is not None:
                deadwood = least_deadwood(position.hand - move.card)
                choices = {move.card for move in position.moves if move.card is not None}
                assert deadwood == min(least_deadwood(position.hand - card) for card in choices)
                assert (move.verb is Verb.KNOCK) == (deadwood <= 10)
            seen[move.verb] += 1
    assert seen[Verb.TAKE] > 4
    assert seen[Verb.KNOCK] > 10


def test_the_patient_player_goes_for_gin() -> None:
    """The patient player knocks with deadwood only when the stock is nearly used up."""
    for number in range(4):
        for position, move in play_through(
            Table(RESEARCH, 2, f"patient {number}"), partial(patient, random=Random(number))
        ):
            if move.verb is Verb.KNOCK and move.card is not None and position.stock > 6:
                assert least_deadwood(position.hand - move.card) == 0


@each_table(0)
def test_baselines_finish_every_kind_of_match(preset: str, seats: int) -> None:
    """Both baselines finish a match of any preset with legal moves, within 500 deals."""
    for player in (simple, patient):
        table = Table(Rules.parse(preset), seats, preset)
        for _ in play_through(table, partial(player, random=Random(preset))):
            assert len(table.past) < 500
        assert table.match.score.is_over
