"""Deals in which a position may be."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.phases import legal_moves
from bot.engine.rules import Rules
from bot.opponent.judge import trained
from bot.opponent.seeing import position_in
from bot.opponent.table import Table
from bot.opponent.worlds import Worlds
from tests.opponent.helpers import RESEARCH, each_table, never_out, positions


@each_table(2)
def test_a_world_shows_the_same_position(preset: str, seats: int) -> None:
    """Whoever is to act sees in it exactly what they saw, and may do the same; every card is in one place."""
    for number, (_, _, position) in enumerate(positions(Rules.parse(preset), seats, preset, most=150)):
        if position.knock is not None or number % 3:
            continue
        for deal in Worlds(trained(), position).draw(2, seed=number):
            assert position_in(deal, len(position.hand_sizes), position.score, position.past) == position
            assert legal_moves(deal) == position.moves
            hidden = [card for hand in deal.hands for card in hand]
            assert len({*hidden, *deal.discards, *deal.stock}) == 52


def test_nobody_holds_a_reshuffled_card_that_they_cannot_have_drawn() -> None:
    """All saw the pile go under the two cards left: until those are drawn, no hand has any of it but what is known."""
    random, table, seen = Random("again"), Table(Rules.parse("penalty"), 2, "again"), 0
    while seen < 4:
        position = table.position(table.to_act[0])
        deal = table.match.deal_of(position.seat)
        if len(deal.deck) > 52 and deal.dealt <= 52:
            for world in Worlds(trained(), position).draw(20, seed=seen):
                assert not any(card in hand for hand in world.hands for card in deal.deck[52:])
            seen += 1
        table.play(position.seat, never_out(position, random))


def test_an_answer_to_a_knock_is_no_chance() -> None:
    """Hands are laid down then, and no world is drawn."""
    found = positions(Rules.parse("strict"), 2, "knock", most=400)
    answer = next(position for *_, position in found if position.knock is not None)
    with pytest.raises(ValueError, match="knock"):
        Worlds(trained(), answer)


def test_the_same_seed_draws_the_same_worlds() -> None:
    """And another one draws others."""
    *_, position = list(positions(RESEARCH, 2, "seed", most=8))[-1]
    first, again, other = (Worlds(trained(), position).draw(4, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
