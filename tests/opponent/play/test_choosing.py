"""The levels of the computer player."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.cards.melds import least_deadwood
from bot.engine.deals.moves import BIG_GIN, DRAW, Move, Verb
from bot.engine.rules import Rules
from bot.opponent.play import choosing
from bot.opponent.play.choosing import choose
from bot.opponent.play.judge import ENDLESS_MOVES, trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.observation import position_in
from bot.opponent.play.position import Position
from bot.opponent.play.table import Table
from tests.engine.decks import GIN_HAND, POOR_HAND, deal
from tests.engine.decks import played as after
from tests.helpers.cases import nightly_after
from tests.opponent.helpers import ALL_TABLES, DISTINCT_TABLES, RESEARCH, move_without_going_out, positions

MATCHES = 20
"""Number of nightly matches of each level against itself, for every preset and number of players."""


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("levels", "matches"), [(tuple(Level), 1), *nightly_after(0, [((level,), MATCHES) for level in Level])]
)
def test_every_level_finishes_every_kind_of_match(levels: tuple[Level, ...], matches: int) -> None:
    """At every level, matches with any preset and number of players end within 500 deals, with legal moves only."""
    tables = [
        Table(Rules.parse(f"{preset} target=15"), seats, f"{preset} {levels[0]} {number}")
        for preset, seats in (DISTINCT_TABLES if matches == 1 else ALL_TABLES)
        for number in range(matches)
    ]
    while active := [(table, table.position(table.to_act[0])) for table in tables if table.to_act]:
        for level, group in _tables_by_level(active, levels):
            positions = [position for _, position in group]
            moves = choose(trained_judge(), level, positions, [1] * len(group))
            for (table, position), move in zip(group, moves, strict=True):
                table.play(position.seat, move)
                assert len(table.past) <= 500
    assert all(table.match.score.is_over for table in tables)


def _tables_by_level(
    active: list[tuple[Table, Position]], levels: tuple[Level, ...]
) -> list[tuple[Level, list[tuple[Table, Position]]]]:
    """Group the tables by the level of the player to move, and return each level with its tables.

    The judge also requires that the tables of a group have the same hand size and rule for aces. Seats change their
    level from deal to deal.
    """
    groups: dict[tuple[Level, object], list[tuple[Table, Position]]] = {}
    for table, position in active:
        level = levels[(position.seat + len(table.past)) % len(levels)]
        groups.setdefault((level, (position.rules.aces, min(position.hand_sizes))), []).append((table, position))
    return [(level, group) for (level, _), group in groups.items()]


def test_a_move_depends_only_on_position_and_seed() -> None:
    """The same position and seed always get the same move, in whatever order positions are judged."""
    asked = [position for *_, position in positions(RESEARCH, 2, "order", limit=8)]
    judge = trained_judge()
    for level in Level:
        first = [choose(judge, level, [position], [number])[0] for number, position in enumerate(asked)]
        again = [choose(judge, level, [position], [number])[0] for number, position in reversed([*enumerate(asked)])]
        assert first == again[::-1]


def test_the_seed_affects_only_noisy_levels() -> None:
    """Another seed changes a novice's moves, but never an expert's."""
    asked = [position for *_, position in positions(RESEARCH, 2, "seeds", limit=60)]
    judge = trained_judge()
    for level in (Level.NOVICE, Level.EXPERT):
        one, other = (choose(judge, level, asked, [seed] * len(asked)) for seed in (1, 2))
        assert (one == other) == (level is Level.EXPERT)


def test_no_level_misses_gin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every level goes out with gin when it can, even if it misjudges everything else."""
    monkeypatch.setattr(choosing, "LEVEL_NOISE", dict.fromkeys(Level, 1000.0))
    seen = 0
    for number in range(12):
        for _, _, position in positions(Rules.parse("express target=25"), 2, f"gin {number}"):
            gins = {(move.verb, move.card) for move in position.moves if _is_gin(position, move)}
            for level in Level if gins else ():
                (move,) = choose(trained_judge(), level, [position], [number])
                assert (move.verb, move.card) in gins
                seen += 1
    assert seen


def test_no_level_misses_big_gin() -> None:
    """Every level that holds eleven melded cards goes out with big gin instead of discarding."""
    before = deal(f"{GIN_HAND} 7d", POOR_HAND, "8d", rules=Rules.parse("express"))
    position = position_in(after(before, "take"), 2, (0, 0), ())
    assert len(position.moves) > 1
    assert {choose(trained_judge(), level, [position], [1])[0] for level in Level} == {BIG_GIN}


def test_levels_end_an_endless_deal() -> None:
    """After many moves, every level draws from the stock whenever it can, and knocks as soon as it can."""
    rules, random, knocked = Rules.parse("penalty"), Random("endless"), 0
    table = Table(rules, 3, "endless")
    while table.to_act and knocked < 4:
        position = table.position(table.to_act[0])
        if len(position.history) >= ENDLESS_MOVES:
            moves = {choose(trained_judge(), level, [position], [1])[0] for level in Level}
            assert DRAW not in position.moves or moves == {DRAW}
            if any(move.verb is Verb.KNOCK for move in position.moves):
                assert {move.verb for move in moves} == {Verb.KNOCK}
                knocked += 1
        table.play(position.seat, move_without_going_out(position, random))
    assert knocked == 4


def _is_gin(position: Position, move: Move) -> bool:
    return move.card is not None and move.verb is Verb.KNOCK and least_deadwood(position.hand - move.card) == 0
