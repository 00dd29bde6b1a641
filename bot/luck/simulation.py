"""`python -m bot.luck.simulation`: play deals between computers and write `bands.json` from their luck.

Both seats are computers of one level, the rules are `classic`, and each batch of matches is played to the end. The
output depends only on the seed, not on the number of processes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.child_processes import process_pool
from bot.engine.deals.moves import Seat
from bot.engine.rules import Rules
from bot.luck.bands import DATA_PATH, MIN_DEALS, Band, OneDeal
from bot.luck.measures import Luck, luck_of_deal
from bot.opponent.play.choosing import choose
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.table import Table

Floats = NDArray[np.float64]

RULES: Final = Rules()
LEVEL: Final = Level.STRONG
SEED: Final = "luck"
BATCH_SIZE: Final = 128
"""Number of matches in a batch. They are played simultaneously, so that networks judge many positions together."""
BATCH_COUNT: Final = 70
"""Number of batches that are played for the data, with about 50,000 deals in all."""

SIMULATED_PLAYERS: Final = 20_000
"""Number of simulated players for checking how many players the 95 % ranges really include."""
CHECKED_DEAL_COUNTS: Final = (MIN_DEALS, 100, 300)
"""Numbers of deals for which the 95 % ranges are checked."""
DECIMAL_PLACES: Final = 5
"""Number of decimal places of the numbers in `bands.json`."""


def main(arguments: list[str] | None = None) -> int:
    """Generate the data, print it, and save it. Return 0."""
    parser = argparse.ArgumentParser(prog="python -m bot.luck.simulation", description=__doc__)
    parser.add_argument("--shares", type=int, default=BATCH_COUNT, help=f"number of batches of {BATCH_SIZE} matches")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--seed", default=SEED, help="seed for shuffling the cards")
    options = parser.parse_args(arguments)
    with process_pool(options.jobs) as pool:
        shares = pool.map(partial(play_batch, options.seed), range(options.shares))
        parts = [part for share in shares for part in share]
    data = json.dumps(data_from(parts, options.seed), indent=2)
    print(data)
    DATA_PATH.write_text(data + "\n")
    return 0


def play_batch(seed: str, batch: int, matches: int = BATCH_SIZE) -> list[Luck]:
    """Play a batch of matches. Return the luck of each seat in each deal that ended with hands laid down."""
    judge = trained_judge()
    numbers = range(batch * matches, (batch + 1) * matches)
    tables = [Table(RULES, 2, f"{seed}/{number}") for number in numbers]
    active = list(range(matches))
    while active:
        seats = [tables[place].to_act[0] for place in active]
        positions = [tables[place].position(seat) for place, seat in zip(active, seats, strict=True)]
        moves = choose(judge, LEVEL, positions, [numbers[place] for place in active])
        for index, seat, move in zip(active, seats, moves, strict=True):
            tables[index].play(seat, move)
        active = [place for place in active if tables[place].to_act]
    deals = [deal for table in tables for deal in table.match.finished if deal.is_laid_down]
    return [luck_of_deal(deal, Seat(seat)) for deal in deals for seat in range(2)]


def data_from(parts: Sequence[Luck], seed: str) -> dict[str, Any]:
    """Return the contents of `bands.json`, given the luck of each seat in many deals.

    They are the distribution of the luck in one deal, and the fraction of simulated players in each 95 % range.
    """
    distribution = deal_distribution(parts)
    return {
        "rules": str(RULES),
        "level": LEVEL,
        "seed": seed,
        "deals": len(parts) // 2,
        "one_deal": asdict(distribution),
        "within": {str(deals): coverage(parts, distribution, deals) for deals in CHECKED_DEAL_COUNTS},
    }


def deal_distribution(parts: Sequence[Luck]) -> OneDeal:
    """Return the distribution of a seat's luck in one deal, given its luck in many deals."""
    opening, draws, useful, gins, undercuts = _columns(parts)
    share = useful.sum() / draws.sum()
    deviations = opening.std(), (useful - share * draws).std()
    values = opening.mean(), deviations[0], draws.mean(), share, deviations[1], gins.mean(), undercuts.mean()
    return OneDeal(*(round(float(value), DECIMAL_PLACES) for value in values))


def coverage(parts: Sequence[Luck], distribution: OneDeal, deals: int) -> dict[str, float]:
    """Simulate players with `deals` random deals each. Return the fraction of players in the range of each measure."""
    columns, bands = _columns(parts), distribution.bands(deals)
    samples = np.random.default_rng(deals).integers(len(parts), size=(SIMULATED_PLAYERS, deals))
    opening, draws, useful, gins, undercuts = (column[samples].sum(axis=1) for column in columns)
    return {
        "opening": _fraction_within(bands.opening, opening / deals),
        "useful": _fraction_within(bands.useful, useful / draws),
        "gins": _fraction_within(bands.gins, gins),
        "undercuts": _fraction_within(bands.undercuts, undercuts),
    }


def _fraction_within(band: Band, values: Floats) -> float:
    return round(float(((band.low <= values) & (values <= band.high)).mean()), 3)


def _columns(parts: Sequence[Luck]) -> tuple[Floats, ...]:
    """Return an array of each measure over all deals, in the order of the fields of `Luck`."""
    rows = [(part.opening, part.draws, part.useful, part.gins, part.undercuts) for part in parts]
    return tuple(np.array(rows, dtype=np.float64).T)


if __name__ == "__main__":
    sys.exit(main())
