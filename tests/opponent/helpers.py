"""Helpers for the tests of the computer player: positions of simulated matches."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from bot.engine.moves import Move, Seat, Verb
from bot.engine.rules import Rules
from bot.opponent.judge import trained
from bot.opponent.many_hands import Floats
from bot.opponent.position import Position
from bot.opponent.table import Table
from bot.opponent.yardsticks import simple
from tests.engine import decks
from tests.helpers.cases import nightly_after, thorough_after

KINDS = [
    *(("research", 2), ("penalty", 3), ("partners", 4), ("big", 2), ("tournament", 2), ("round_the_corner", 2)),
    *(("strict_rotation", 3), ("winner_stays", 3), ("oklahoma", 2), ("straight", 2)),
]
"""Presets with different positions, moves or formats. All others differ from one of these only in scoring."""
TABLES = [*KINDS, *sorted({*decks.TABLES} - {*KINDS})]
"""Every preset with each allowed number of players."""
RESEARCH = Rules.parse("research")


def each_table(quick: int) -> pytest.MarkDecorator:
    """Run a test for every preset and number of players: `quick` cases always, `KINDS` by day, the rest at night."""
    return pytest.mark.parametrize(("preset", "seats"), nightly_after(len(KINDS), thorough_after(quick, TABLES)))


def trained_weights() -> dict[str, Floats]:
    """Return the weights of the trained judge by name."""
    values, estimate = trained().values, trained().estimate
    layers = {"suits": (values.suits,), "values": values.layers, "estimate": estimate.layers}
    return {
        f"{name}.{place}.{part}": getattr(layer, part)
        for name, group in layers.items()
        for place, layer in enumerate(group)
        for part in ("weights", "bias")
    }


def copy_without_weights(directory: Path) -> None:
    """Copy the computer player to a directory, with unreadable weights."""
    bot = Path(__file__).parents[2] / "bot"
    for part in ("engine", "opponent"):
        shutil.copytree(bot / part, directory / "bot" / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(bot / "__init__.py", directory / "bot")
    (directory / "bot" / "opponent" / "weights.npz").write_bytes(b"PK")


def mixed(position: Position, random: Random) -> Move:
    """Return the simple player's move, or sometimes a random legal one, for more varied positions."""
    return random.choice(position.moves) if random.random() < 0.2 else simple(position, random)


def never_out(position: Position, random: Random) -> Move:
    """Return the simple player's move, or a move that does not end the deal if that one would."""
    move = simple(position, random)
    if move.verb not in (Verb.KNOCK, Verb.BIG_GIN):
        return move
    discards = [one for one in position.moves if one.verb is Verb.DISCARD]
    return next((one for one in discards if one.card == move.card), random.choice(discards or position.moves))


def played(table: Table, player: Callable[[Position], Move]) -> Iterator[tuple[Position, Move]]:
    """Yield the positions of a match until it is over, each with the move that `player` makes for all seats."""
    while table.to_act:
        position = table.position(table.to_act[0])
        move = player(position)
        yield position, move
        table.play(position.seat, move)


def positions(rules: Rules, seats: int, seed: str, most: int = 400) -> Iterator[tuple[Table, Seat, Position]]:
    """Yield up to `most` positions of a match between mixed players, each before its move."""
    table, random = Table(rules, seats, seed), Random(seed)
    for _ in range(most):
        if not table.to_act:
            return
        seat = random.choice(table.to_act)
        position = table.position(seat)
        yield table, seat, position
        table.play(seat, mixed(position, random))
