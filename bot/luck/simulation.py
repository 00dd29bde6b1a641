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
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.luck.bands import DATA, FEWEST_DEALS, Band, OneDeal
from bot.luck.measures import Luck, luck_of_deal
from bot.opponent.choosing import choose
from bot.opponent.judge import trained
from bot.opponent.levels import Level
from bot.opponent.table import Table

Floats = NDArray[np.float64]

RULES: Final = Rules()
LEVEL: Final = Level.STRONG
SEED: Final = "luck"
MATCHES: Final = 128
"""Number of matches in a batch. They are played simultaneously, so that networks judge many positions together."""
SHARES: Final = 70
"""Number of batches in the data: about 50,000 deals."""

PLAYERS: Final = 20_000
"""Number of simulated players for checking the coverage of the ranges."""
CHECKED: Final = (FEWEST_DEALS, 100, 300)
"""Numbers of deals of these players."""
DIGITS: Final = 5
"""Number of decimal places in the data."""


def main(arguments: list[str] | None = None) -> int:
    """Generate the data, print it, and save it. Return 0."""
    parser = argparse.ArgumentParser(prog="python -m bot.luck.simulation", description=__doc__)
    parser.add_argument("--shares", type=int, default=SHARES, help=f"how many times {MATCHES} matches are played")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes play")
    parser.add_argument("--seed", default=SEED, help="what the cards come from")
    options = parser.parse_args(arguments)
    with process_pool(options.jobs) as pool:
        shares = pool.map(partial(play, options.seed), range(options.shares))
        parts = [part for share in shares for part in share]
    data = json.dumps(made_of(parts, options.seed), indent=2)
    print(data)
    DATA.write_text(data + "\n")
    return 0


def play(seed: str, share: int, matches: int = MATCHES) -> list[Luck]:
    """Play a batch of matches. Return the luck of each seat in each deal that ended with hands laid down."""
    judge = trained()
    numbers = range(share * matches, (share + 1) * matches)
    tables = [Table(RULES, 2, f"{seed}/{number}") for number in numbers]
    running = list(range(matches))
    while running:
        seats = [tables[place].to_act[0] for place in running]
        positions = [tables[place].position(seat) for place, seat in zip(running, seats, strict=True)]
        moves = choose(judge, LEVEL, positions, [numbers[place] for place in running])
        for place, seat, move in zip(running, seats, moves, strict=True):
            tables[place].play(seat, move)
        running = [place for place in running if tables[place].to_act]
    deals = [deal for table in tables for deal in table.match.finished if deal.laid_down]
    return [luck_of_deal(deal, Seat(seat)) for deal in deals for seat in range(2)]


def made_of(parts: Sequence[Luck], seed: str) -> dict[str, Any]:
    """Return the data from deals: the distribution of one deal, and the coverage of the ranges."""
    one = one_deal(parts)
    return {
        "rules": str(RULES),
        "level": LEVEL,
        "seed": seed,
        "deals": len(parts) // 2,
        "one_deal": asdict(one),
        "within": {str(deals): within(parts, one, deals) for deals in CHECKED},
    }


def one_deal(parts: Sequence[Luck]) -> OneDeal:
    """Return the means and deviations of a seat in one of these deals."""
    opening, draws, useful, gins, undercuts = _columns(parts)
    share = useful.sum() / draws.sum()
    around = opening.std(), (useful - share * draws).std()
    values = opening.mean(), around[0], draws.mean(), share, around[1], gins.mean(), undercuts.mean()
    return OneDeal(*(round(float(value), DIGITS) for value in values))


def within(parts: Sequence[Luck], one: OneDeal, deals: int) -> dict[str, float]:
    """Return the fraction of simulated players within each range, given players with `deals` random deals each."""
    columns, bands = _columns(parts), one.bands(deals)
    chosen = np.random.default_rng(deals).integers(len(parts), size=(PLAYERS, deals))
    opening, draws, useful, gins, undercuts = (column[chosen].sum(axis=1) for column in columns)
    return {
        "opening": _share_within(bands.opening, opening / deals),
        "useful": _share_within(bands.useful, useful / draws),
        "gins": _share_within(bands.gins, gins),
        "undercuts": _share_within(bands.undercuts, undercuts),
    }


def _share_within(band: Band, values: Floats) -> float:
    return round(float(((band.low <= values) & (values <= band.high)).mean()), 3)


def _columns(parts: Sequence[Luck]) -> tuple[Floats, ...]:
    """Return each measure for all deals, in the order of the fields of `Luck`."""
    rows = [(part.opening, part.draws, part.useful, part.gins, part.undercuts) for part in parts]
    return tuple(np.array(rows, dtype=np.float64).T)


if __name__ == "__main__":
    sys.exit(main())
