"""Determinizations: deals whose hidden cards are consistent with everything that a player knows."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.deals.phases import legal_moves
from bot.engine.rules import Rules
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.observation import position_in
from bot.opponent.play.table import Table
from bot.opponent.review.determinizations import DeterminizationSampler
from tests.opponent.helpers import RESEARCH, each_table, move_without_going_out, positions


@each_table(2)
def test_a_determinization_has_the_same_position(preset: str, seats: int) -> None:
    """A determinization gives the player the same position and legal moves, and has each card exactly once."""
    for number, (_, _, position) in enumerate(positions(Rules.parse(preset), seats, preset, limit=150)):
        if position.knock is not None or number % 3:
            continue
        for deal in DeterminizationSampler(trained_judge(), position).sample(2, seed=number):
            assert position_in(deal, len(position.hand_sizes), position.score, position.past) == position
            assert legal_moves(deal) == position.moves
            hidden = [card for hand in deal.hands for card in hand]
            assert len({*hidden, *deal.discards, *deal.stock}) == 52


def test_no_hand_has_undrawn_reshuffled_cards() -> None:
    """Two cards are left in the stock at a reshuffle. Until both are drawn, no hand has a reshuffled card."""
    random, table, seen = Random("again"), Table(Rules.parse("penalty"), 2, "again"), 0
    while seen < 4:
        position = table.position(table.to_act[0])
        deal = table.match.deal_of(position.seat)
        if len(deal.deck) > 52 and deal.dealt <= 52:
            for determinization in DeterminizationSampler(trained_judge(), position).sample(20, seed=seen):
                assert not any(card in hand for hand in determinization.hands for card in deal.deck[52:])
            seen += 1
        table.play(position.seat, move_without_going_out(position, random))


def test_determinizations_are_refused_after_a_knock() -> None:
    """Determinizations are refused while a knock is being answered, because the hands are open."""
    found = positions(Rules.parse("strict"), 2, "knock", limit=400)
    answer = next(position for *_, position in found if position.knock is not None)
    with pytest.raises(ValueError, match="knock"):
        DeterminizationSampler(trained_judge(), answer)


def test_the_same_seed_gives_the_same_determinizations() -> None:
    """The same seed gives the same determinizations again, and another seed gives other ones."""
    *_, position = list(positions(RESEARCH, 2, "seed", limit=8))[-1]
    first, again, other = (DeterminizationSampler(trained_judge(), position).sample(4, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
