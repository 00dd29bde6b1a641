"""`python -m tests.load`: how a bot does with many servers, many open matches, and people who play at a rate.

The sandbox and the people are in this process, and so on the same machine as the bot and its database: the figures are
those of all three together, but for the processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import socket
import tempfile
import warnings
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import quantiles
from time import monotonic
from typing import Final

from bot import logs
from bot.sandbox import Sandbox
from bot.values.shards import Shards
from tests.helpers.databases import Kind, new_database, on
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Player
from tests.helpers.postgres import postmaster
from tests.helpers.processes import BOT, settings_for, started
from tests.load.driving import play, sit_down
from tests.load.filling import build_world, fill
from tests.load.measuring import Watch, read


@dataclass(frozen=True, slots=True)
class Load:
    """What a bot has to bear."""

    kind: Kind
    processes: int
    servers: int
    matches: int
    played: int
    rate: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Figures:
    """How it did. Times are in seconds, memory is in MB; processor time, rows and database time are for each move."""

    ready: float
    answers: float
    half: float
    most: float
    nearly_all: float
    failed: int
    bot: float
    database: float
    rows: float | None
    transactions: float
    memory: float
    queue: int


async def run(load: Load) -> Figures:
    """Put a load on a bot."""
    with tempfile.TemporaryDirectory() as folder, on(load.kind, lasting=True):
        path = Path(folder)
        url = new_database(path / "deadwood.db")
        await fill(url, load.servers, load.matches, load.played)
        world, tables = build_world(load.servers, load.played)
        async with Sandbox(world) as sandbox:
            sandbox.gateway.starts.shards = load.processes
            ports = [_free_port() for _ in range(load.processes)]
            begun = monotonic()
            async with _bots(sandbox, url, path, ports) as pids:
                await sandbox.until(lambda: len(sandbox.gateway.sessions) == load.processes, 300)
                ready = monotonic() - begun
                seated = await sit_down(sandbox, tables)
                return await _measured(load, url, ready, pids, ports, seated)


@asynccontextmanager
async def _bots(sandbox: Sandbox, url: str, folder: Path, ports: Sequence[int]) -> AsyncGenerator[list[int]]:
    """Run a process for each port, each with one shard."""
    async with AsyncExitStack() as stack:
        pids = list[int]()
        for shard, port in enumerate(ports):
            settings = settings_for(sandbox) | {
                "DEADWOOD_DATABASE_URL": url,
                "DEADWOOD_METRICS": f"127.0.0.1:{port}",
                "DEADWOOD_SHARDS": str(Shards(frozenset((shard,)), len(ports))),
                "DEADWOOD_LOG_LEVEL": "WARNING",
            }
            log = stack.enter_context((folder / f"bot-{shard}.log").open("wb"))
            process = await stack.enter_async_context(started(folder, [*BOT, "run"], settings, log))
            pids.append(process.pid)
        yield pids


async def _measured(
    load: Load, url: str, ready: float, pids: Sequence[int], ports: Sequence[int], seated: Sequence[Sequence[Player]]
) -> Figures:
    """Let people play, and return what that took."""
    database, watch = Onlooker(url), Watch()
    first = postmaster(lasting=True) if load.kind is Kind.POSTGRESQL else None
    watching = asyncio.create_task(watch.run(database, pids))
    before = await asyncio.to_thread(read, pids, ports, database, first)
    seen = await play(seated, load.rate, load.seconds)
    # Figures of rows come a moment later.
    await asyncio.sleep(2)
    used = (await asyncio.to_thread(read, pids, ports, database, first)).since(before)
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    moves = max(1, len(seen.answers))
    hundredths = quantiles(seen.answers, n=100) if len(seen.answers) > 1 else [0.0] * 99
    return Figures(
        ready=ready,
        answers=len(seen.answers) / load.seconds,
        half=hundredths[49],
        most=hundredths[94],
        nearly_all=hundredths[98],
        failed=seen.failed,
        bot=used.bot / moves,
        database=used.database / moves,
        rows=None if used.rows is None else used.rows / moves,
        transactions=used.transactions / moves,
        memory=watch.memory,
        queue=watch.messages_due,
    )


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


_HEADINGS: Final = (
    "database  processes  servers  matches  ready s  answers/s  50 % ms  95 % ms  99 % ms  failed"
    "  bot ms  database ms  rows  transactions ms  MB  queue"
)


def line_of(load: Load, figures: Figures) -> str:
    """Return the line of a run in the table."""
    rows = "-" if figures.rows is None else f"{figures.rows:.0f}"
    values = (
        *(load.kind, load.processes, load.servers, load.matches, f"{figures.ready:.1f}", f"{figures.answers:.1f}"),
        *(f"{1000 * one:.0f}" for one in (figures.half, figures.most, figures.nearly_all)),
        figures.failed,
        *(f"{1000 * one:.1f}" for one in (figures.bot, figures.database)),
        *(rows, f"{1000 * figures.transactions:.1f}", f"{figures.memory:.0f}", figures.queue),
    )
    widths = [len(word) for word in re.split(r"  +", _HEADINGS)]
    return "  ".join(f"{value:>{width}}" for value, width in zip(values, widths, strict=True))


def main() -> None:
    """Run the load that the arguments say, on each database, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--database", type=Kind, action="append", help="sqlite or postgresql; both by default")
    parser.add_argument("--processes", type=int, nargs="+", default=[1], help="how many, each with one shard")
    parser.add_argument("--servers", type=int, default=100)
    parser.add_argument("--matches", type=int, nargs="+", default=[1_000], help="how many are open")
    parser.add_argument("--played", type=int, default=100, help="in how many of them people play")
    parser.add_argument("--rate", type=float, nargs="+", default=[20.0], help="moves a second")
    parser.add_argument("--seconds", type=float, default=30.0, help="for how long")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)
    logs.set_up("WARNING")
    print("Processor time, rows and time in transactions are for each move.")
    print(_HEADINGS, flush=True)
    for kind in chosen.database or list(Kind):
        for processes, matches, rate in product(chosen.processes, chosen.matches, chosen.rate):
            if kind is Kind.SQLITE and processes > 1:
                continue
            played = min(chosen.played, matches)
            load = Load(kind, processes, chosen.servers, matches, played, rate, chosen.seconds)
            print(line_of(load, asyncio.run(run(load))), flush=True)


if __name__ == "__main__":
    main()
