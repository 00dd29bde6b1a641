"""Advice about positions."""

from __future__ import annotations

import json
from random import Random

from bot.engine.deals.moves import PASS, TAKE, Verb
from bot.engine.deals.phase import Phase
from bot.engine.rules import Rules
from bot.opponent.play.advice import advised_from_json, advised_to_json
from bot.opponent.play.choosing import advise, choose
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.table import Table
from tests.opponent.helpers import each_table, move_without_going_out, positions


@each_table(1)
def test_the_best_advice_is_the_experts_move(preset: str, seats: int) -> None:
    """The best advice is the expert's move. No move is listed twice, and all other moves are sorted by worth."""
    for *_, position in positions(Rules.parse(preset), seats, f"advice {preset}", limit=24):
        advised = advise(trained_judge(), position)
        (move,) = choose(trained_judge(), Level.EXPERT, [position], [1])
        assert advised[0].move == move
        moves = [option.move for option in advised]
        assert len({*moves}) == len(moves)
        assert {(move.verb, move.card) for move in moves} <= {(move.verb, move.card) for move in position.moves}
        others = [option.worth for option in advised[1:]]
        assert others == sorted(others, reverse=True)
        for option in advised:
            assert advised_from_json(json.loads(json.dumps(advised_to_json(option)))).move == option.move
            assert 0 <= option.goes_out <= 1.001
            assert (option.then is not None) == (option.move.verb is Verb.TAKE)


def test_a_pass_at_the_wall_is_worth_nothing() -> None:
    """At the wall, the advice is to pass or to go out. Passing is worth 0, because the deal is then void."""
    random, seen, number = Random("wall"), 0, 0
    while seen < 2:
        number += 1
        table = Table(Rules.parse("tournament"), 2, f"wall {number}")
        while table.to_act and table.match.deal_of(table.to_act[0]).number == 1:
            position = table.position(table.to_act[0])
            if position.phase is Phase.WALL and len(position.moves) > 1:
                advised = {option.move: option for option in advise(trained_judge(), position)}
                assert {*advised} == {PASS, TAKE} == {*position.moves}
                assert advised[PASS].worth == 0
                seen += 1
            table.play(position.seat, move_without_going_out(position, random))
