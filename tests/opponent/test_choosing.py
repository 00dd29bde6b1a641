"""The levels of the computer player."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.melds import least_deadwood
from bot.engine.moves import BIG_GIN, DRAW, Move, Verb
from bot.engine.rules import Rules
from bot.opponent import choosing
from bot.opponent.choosing import choose
from bot.opponent.judge import ENDLESS, trained
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.seeing import position_in
from bot.opponent.table import Table
from tests.engine.decks import GIN_HAND, POOR_HAND, deal
from tests.engine.decks import played as after
from tests.helpers.cases import nightly_after
from tests.opponent.helpers import KINDS, RESEARCH, TABLES, never_out, positions

MATCHES = 20
"""Number of nightly matches of each level against itself, for every preset and number of players."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("levels", "matches"), [(tuple(Level), 1), *nightly_after(0, [((one,), MATCHES) for one in Level])]
)
def test_every_level_plays_everything(levels: tuple[Level, ...], matches: int) -> None:
    """Matches of any preset and number of players end after legal moves, within 500 deals."""
    tables = [
        Table(Rules.parse(f"{preset} target=15"), seats, f"{preset} {levels[0]} {number}")
        for preset, seats in (KINDS if matches == 1 else TABLES)
        for number in range(matches)
    ]
    while running := [(table, table.position(table.to_act[0])) for table in tables if table.to_act]:
        for level, asked in _alike(running, levels):
            positions = [position for _, position in asked]
            moves = choose(trained(), level, positions, [1] * len(asked))
            for (table, position), move in zip(asked, moves, strict=True):
                table.play(position.seat, move)
                assert len(table.past) <= 500
    assert all(table.match.score.over for table in tables)


def _alike(
    running: list[tuple[Table, Position]], levels: tuple[Level, ...]
) -> list[tuple[Level, list[tuple[Table, Position]]]]:
    """Return the tables by level. The tables of a group share hand size and rule for aces, as the judge requires.

    Every seat changes its level from deal to deal.
    """
    groups: dict[tuple[Level, object], list[tuple[Table, Position]]] = {}
    for table, position in running:
        level = levels[(position.seat + len(table.past)) % len(levels)]
        groups.setdefault((level, (position.rules.aces, min(position.hand_sizes))), []).append((table, position))
    return [(level, group) for (level, _), group in groups.items()]


def test_a_move_depends_on_the_position_and_the_seed_alone() -> None:
    """A position and seed get the same move again, after other positions and in another order."""
    asked = [position for *_, position in positions(RESEARCH, 2, "order", most=8)]
    judge = trained()
    for level in Level:
        first = [choose(judge, level, [position], [number])[0] for number, position in enumerate(asked)]
        again = [choose(judge, level, [position], [number])[0] for number, position in reversed([*enumerate(asked)])]
        assert first == again[::-1]


def test_the_seed_matters_to_those_who_misjudge() -> None:
    """Another seed changes a novice's moves, but never an expert's."""
    asked = [position for *_, position in positions(RESEARCH, 2, "seeds", most=60)]
    judge = trained()
    for level in (Level.NOVICE, Level.EXPERT):
        one, other = (choose(judge, level, asked, [seed] * len(asked)) for seed in (1, 2))
        assert (one == other) == (level is Level.EXPERT)


def test_nobody_misses_gin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every level goes out with gin when it can, even if it misjudges everything else."""
    monkeypatch.setattr(choosing, "MISJUDGED", dict.fromkeys(Level, 1000.0))
    seen = 0
    for number in range(12):
        for _, _, position in positions(Rules.parse("express target=25"), 2, f"gin {number}"):
            gins = {(one.verb, one.card) for one in position.moves if _is_gin(position, one)}
            for level in Level if gins else ():
                (move,) = choose(trained(), level, [position], [number])
                assert (move.verb, move.card) in gins
                seen += 1
    assert seen


def test_nobody_misses_big_gin() -> None:
    """No level discards from eleven cards that are all melded."""
    before = deal(f"{GIN_HAND} 7d", POOR_HAND, "8d", rules=Rules.parse("express"))
    position = position_in(after(before, "take"), 2, (0, 0), ())
    assert len(position.moves) > 1
    assert {choose(trained(), level, [position], [1])[0] for level in Level} == {BIG_GIN}


def test_a_deal_that_does_not_end_is_ended() -> None:
    """After many moves, every level knocks as soon as it can, and draws until then."""
    rules, random, knocked = Rules.parse("penalty"), Random("endless"), 0
    table = Table(rules, 3, "endless")
    while table.to_act and knocked < 4:
        position = table.position(table.to_act[0])
        if len(position.history) >= ENDLESS:
            moves = {choose(trained(), level, [position], [1])[0] for level in Level}
            assert DRAW not in position.moves or moves == {DRAW}
            if any(one.verb is Verb.KNOCK for one in position.moves):
                assert {one.verb for one in moves} == {Verb.KNOCK}
                knocked += 1
        table.play(position.seat, never_out(position, random))
    assert knocked == 4


def _is_gin(position: Position, move: Move) -> bool:
    return move.card is not None and move.verb is Verb.KNOCK and least_deadwood(position.hand - move.card) == 0
