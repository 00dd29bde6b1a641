"""Determinizations of positions."""

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
    """A determinization gives the player the same position and legal moves, and has every card in one place."""
    for number, (_, _, position) in enumerate(positions(Rules.parse(preset), seats, preset, most=150)):
        if position.knock is not None or number % 3:
            continue
        for deal in Worlds(trained(), position).draw(2, seed=number):
            assert position_in(deal, len(position.hand_sizes), position.score, position.past) == position
            assert legal_moves(deal) == position.moves
            hidden = [card for hand in deal.hands for card in hand]
            assert len({*hidden, *deal.discards, *deal.stock}) == 52


def test_nobody_holds_a_reshuffled_card_that_they_cannot_have_drawn() -> None:
    """Until the last two old stock cards are drawn, no hand has a reshuffled card unless it is known to."""
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
    """Determinizations are refused while a knock is being answered, because the hands are open."""
    found = positions(Rules.parse("strict"), 2, "knock", most=400)
    answer = next(position for *_, position in found if position.knock is not None)
    with pytest.raises(ValueError, match="knock"):
        Worlds(trained(), answer)


def test_the_same_seed_draws_the_same_worlds() -> None:
    """A seed gives the same determinizations again, and another seed gives others."""
    *_, position = list(positions(RESEARCH, 2, "seed", most=8))[-1]
    first, again, other = (Worlds(trained(), position).draw(4, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
