"""The levels of the computer player."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.melds import least_deadwood
from bot.engine.moves import BIG_GIN, DRAW, Move, Verb
from bot.engine.rules import Rules
from bot.opponent.choosing import choose
from bot.opponent.judge import ENDLESS, trained
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.table import Table
from tests.helpers.cases import nightly_after
from tests.opponent.helpers import RESEARCH, TABLES, never_out, positions

MATCHES = 2
"""The matches of each level with itself in the suite, by any rules and with any number of players."""
MORE_MATCHES = 20


@pytest.mark.slow
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("matches", [MATCHES, *nightly_after(0, [MORE_MATCHES])])
def test_every_level_plays_everything(level: Level, matches: int) -> None:
    """Whole matches of any preset, with any number of players, end after legal moves of theirs in at most 500 deals."""
    tables = [
        Table(Rules.parse(f"{preset} target=15"), seats, f"{preset} {level} {number}")
        for preset, seats in TABLES
        for number in range(matches)
    ]
    while running := [(table, table.position(table.to_act[0])) for table in tables if table.to_act]:
        for asked in _alike(running):
            positions = [position for _, position in asked]
            moves = choose(trained(), level, positions, [1] * len(asked))
            for (table, position), move in zip(asked, moves, strict=True):
                table.play(position.seat, move)
                assert len(table.past) <= 500
    assert all(table.match.score.over for table in tables)


def _alike(running: list[tuple[Table, Position]]) -> list[list[tuple[Table, Position]]]:
    """Return those that the judge takes together: with the same rules for aces, and with hands of the same size."""
    groups: dict[object, list[tuple[Table, Position]]] = {}
    for table, position in running:
        groups.setdefault((position.rules.aces, min(position.hand_sizes)), []).append((table, position))
    return list(groups.values())


@pytest.mark.slow
def test_a_move_depends_on_the_position_and_the_seed_alone() -> None:
    """The same position gets the same move again, after others and in another order."""
    asked = [position for *_, position in positions(RESEARCH, 2, "order", most=60)]
    judge = trained()
    for level in Level:
        first = [choose(judge, level, [position], [number])[0] for number, position in enumerate(asked)]
        again = [choose(judge, level, [position], [number])[0] for number, position in reversed([*enumerate(asked)])]
        assert first == again[::-1]


@pytest.mark.slow
def test_the_seed_matters_to_those_who_misjudge() -> None:
    """A novice plays otherwise with another seed, an expert never."""
    asked = [position for *_, position in positions(RESEARCH, 2, "seeds", most=60)]
    judge = trained()
    for level in (Level.NOVICE, Level.EXPERT):
        one, other = (choose(judge, level, asked, [seed] * len(asked)) for seed in (1, 2))
        assert (one == other) == (level is Level.EXPERT)


@pytest.mark.slow
def test_nobody_misses_gin_or_big_gin() -> None:
    """Every level goes out with gin when it can."""
    judge, random, seen = trained(), Random("gin"), set[Verb]()
    for number in range(12):
        for _, _, position in positions(Rules.parse("express target=25"), 2, f"gin {number}"):
            gins = [one for one in position.moves if one.verb is Verb.KNOCK and _leaves_nothing(position, one)]
            moves = choose(judge, random.choice(list(Level)), [position], [number])
            if BIG_GIN in position.moves:
                assert moves == [BIG_GIN]
            elif gins:
                assert (moves[0].verb, moves[0].card) in {(one.verb, one.card) for one in gins}
                seen.add(Verb.KNOCK)
    assert seen


@pytest.mark.slow
def test_a_deal_that_does_not_end_is_ended() -> None:
    """After many moves every level knocks as soon as it may, and draws until then."""
    rules, random, knocked = Rules.parse("penalty"), Random("endless"), 0
    table = Table(rules, 3, "endless")
    while table.to_act and knocked < 12:
        position = table.position(table.to_act[0])
        if len(position.history) >= ENDLESS:
            moves = {choose(trained(), level, [position], [1])[0] for level in Level}
            assert DRAW not in position.moves or moves == {DRAW}
            if any(one.verb is Verb.KNOCK for one in position.moves):
                assert {one.verb for one in moves} == {Verb.KNOCK}
                knocked += 1
        table.play(position.seat, never_out(position, random))
    assert knocked == 12


def _leaves_nothing(position: Position, move: Move) -> bool:
    return move.card is not None and least_deadwood(position.hand - move.card) == 0
