"""Helpers for the tests of the computer player: positions of simulated matches."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from bot.engine.deals.moves import Move, Seat, Verb
from bot.engine.rules import Rules
from bot.opponent.play.hand_arrays import Floats
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.position import Position
from bot.opponent.play.table import Table
from bot.opponent.training.baselines import simple
from tests.engine import decks
from tests.helpers.cases import nightly_after, thorough_after

DISTINCT_TABLES = [
    *(("research", 2), ("penalty", 3), ("partners", 4), ("big", 2), ("tournament", 2), ("round_the_corner", 2)),
    *(("strict_rotation", 3), ("winner_stays", 3), ("oklahoma", 2), ("straight", 2)),
]
"""Combinations of preset and number of players that differ in positions, moves or format.

All other combinations differ from these only in scoring.
"""
ALL_TABLES = [*DISTINCT_TABLES, *sorted({*decks.TABLES} - {*DISTINCT_TABLES})]
"""Every preset with each allowed number of players."""
RESEARCH = Rules.parse("research")


def each_table(quick: int) -> pytest.MarkDecorator:
    """Parametrize a test by preset and number of players.

    The first `quick` cases of `DISTINCT_TABLES` always run, and its other cases are thorough tests. All remaining cases
    are nightly tests.
    """
    return pytest.mark.parametrize(
        ("preset", "seats"), nightly_after(len(DISTINCT_TABLES), thorough_after(quick, ALL_TABLES))
    )


def trained_weights() -> dict[str, Floats]:
    """Return a dictionary from the name of each array of the trained judge's weights to the array."""
    values, estimate = trained_judge().values, trained_judge().estimate
    layers = {"suits": (values.suits,), "values": values.layers, "estimate": estimate.layers}
    return {
        f"{name}.{index}.{part}": getattr(layer, part)
        for name, group in layers.items()
        for index, layer in enumerate(group)
        for part in ("weights", "bias")
    }


def copy_with_damaged_weights(directory: Path) -> None:
    """Copy the computer player's code to a directory, with a damaged weights file in place of the real one."""
    bot = Path(__file__).parents[2] / "bot"
    for part in ("engine", "opponent"):
        shutil.copytree(bot / part, directory / "bot" / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(bot / "__init__.py", directory / "bot")
    (directory / "bot" / "opponent" / "weights.npz").write_bytes(b"PK")


def mixed_move(position: Position, random: Random) -> Move:
    """Return the simple player's move, or sometimes a random legal one, for more varied positions."""
    return random.choice(position.moves) if random.random() < 0.2 else simple(position, random)


def move_without_going_out(position: Position, random: Random) -> Move:
    """Return the simple player's move or, if that would end the deal, a move that does not."""
    move = simple(position, random)
    if move.verb not in (Verb.KNOCK, Verb.BIG_GIN):
        return move
    discards = [move for move in position.moves if move.verb is Verb.DISCARD]
    return next(
        (discard for discard in discards if discard.card == move.card), random.choice(discards or position.moves)
    )


def play_through(table: Table, player: Callable[[Position], Move]) -> Iterator[tuple[Position, Move]]:
    """Play a match to its end with the moves of `player` for all seats. Yield each position with its move."""
    while table.to_act:
        position = table.position(table.to_act[0])
        move = player(position)
        yield position, move
        table.play(position.seat, move)


def positions(rules: Rules, seats: int, seed: str, limit: int = 400) -> Iterator[tuple[Table, Seat, Position]]:
    """Play up to `limit` moves of a match with `mixed_move`. Before each move, yield the table, seat and position."""
    table, random = Table(rules, seats, seed), Random(seed)
    for _ in range(limit):
        if not table.to_act:
            return
        seat = random.choice(table.to_act)
        position = table.position(seat)
        yield table, seat, position
        table.play(seat, mixed_move(position, random))
