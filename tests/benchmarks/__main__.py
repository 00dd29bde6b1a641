"""`python -m tests.benchmarks`: print measurements, each with a reference from the same run and any limit."""

from __future__ import annotations

import warnings
from typing import Final

from bot.hosting import logs
from tests.benchmarks import answers, engine, housekeeping, move_work, open_matches, pictures, presses, standings, store

BOUNDS: Final = {
    "least deadwood of a uniform ten-card hand": "at most 1.2 µs",
    "whole random deals, legal moves listed at every step": "at least 600 deals/s",
    "a verifiable deal, beside the same without a chain": "at most ratio 1.1",
    "commits of a deal, beside the same without a chain": "at most ratio 1.1",
    "hand picture, time": "at most 4 ms, ratio 0.3",
    "hand picture, size": "at most 18 KB, ratio 0.5",
    "table picture, time": "at most 6 ms, ratio 0.5",
    "table picture, size": "at most 30 KB, ratio 0.5",
    "showdown picture, time": "at most 8 ms, ratio 0.5",
    "showdown picture, size": "at most 40 KB, ratio 0.5",
    "score pad, time": "at most 8 ms",
    "score pad, size": "at most 40 KB",
    "profile, time": "at most 10 ms",
    "profile, size": "at most 40 KB",
    "activity of a server, time": "at most 8 ms",
    "activity of a server, size": "at most 40 KB",
    "every face and the back, drawn first": "at most 300 ms",
    "memory, grown over 10000 pictures": "less than 50 MB",
    "longest replay, time": "at most 2,000 ms",
    "longest replay, size": "at most 8,192 KB",
    **{
        f"{what} and own place of {size:,}": "at most ratio 20"
        for what in ("top ten", "last page")
        for size in standings.SIZES
    },
    f"ready with {open_matches.MATCHES:,} open matches": "at most 5 s",
    f"CPU until ready with {open_matches.MATCHES:,} open matches": "at most 4 s",
    f"memory with {open_matches.MATCHES:,} open matches": "at most 200 MB",
    "answer to a click, beside its parts": "at most ratio 1.35",
    "answer to a turn command, beside its parts": "at most ratio 1.35",
    "CPU of a click until all is quiet, in hand pictures": "at most ratio 4.5",
    "CPU of a turn command until all is quiet, in hand pictures": "at most ratio 5.5",
    "reads of Accept": "at most 4",
    "writes of Accept": "at most 3",
    "transactions of a move": "at most 3",
    "statements of a move": "at most 10",
}


def main() -> None:
    """Measure everything and print one figure per line."""
    # On Python 3.11, importing discord.py warns about a module that was removed in 3.13.
    warnings.simplefilter("ignore", DeprecationWarning)
    logs.set_up("WARNING")
    print(f"{'figure':54}{'measured':>11}{'reference':>11}{'ratio':>8}  unit        bound")
    for module in (engine, pictures, store, housekeeping, standings, open_matches, presses, move_work, answers):
        for name, ours, reference, unit in module.measure():
            figures = f"{ours:11.3f}{reference:11.3f}{ours / reference:8.2f}"
            print(f"{name:54}{figures}  {unit:12}{BOUNDS.get(name, '')}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
