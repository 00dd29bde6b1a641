"""`python -m tests.load`: measure a bot with many servers, many open matches and people who click at a fixed rate.

The sandbox and the simulated people run in this process, on the same machine as the bot and its database. All figures
except the CPU time therefore include the load of all three.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import warnings
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import product
from math import ceil
from pathlib import Path
from statistics import quantiles
from time import monotonic
from typing import Final

from bot import logs
from bot.heartbeat import Heartbeat
from bot.sandbox import Sandbox
from bot.store.address import place_of
from bot.values.shards import Shards
from tests.helpers.databases import Kind, new_database, on
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Player
from tests.helpers.ports import free_port
from tests.helpers.postgres import postmaster
from tests.helpers.processes import BOT, settings_for, started
from tests.load.driving import play, sit_down
from tests.load.filling import build_world, fill
from tests.load.measuring import Watch, messages_due, read

GUILDS: Final = 2_500
"""Maximum number of servers per shard: https://discord.com/developers/docs/events/gateway#sharding."""


@dataclass(frozen=True, slots=True)
class Load:
    """The parameters of a run: `rate` is in clicks per second."""

    kind: Kind
    processes: int
    servers: int
    matches: int
    played: int
    rate: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The results of a run. Times are in seconds, memory is in MB, `answers` and `moves` are per second.

    `p50`, `p95` and `p99` are percentiles of the answer times. The following are per move: `bot` and `database` are CPU
    time, `active` is the time in which PostgreSQL ran statements, `rows` is the number of rows that it read or changed,
    and `commits` is the time in which the bot waited for commits.
    """

    ready: float
    answers: float
    p50: float
    p95: float
    p99: float
    failed: int
    moves: float
    bot: float
    database: float
    active: float | None
    rows: float | None
    commits: float
    memory: float
    queue: int


async def run(load: Load) -> Figures:
    """Run a bot under a load and measure it."""
    with tempfile.TemporaryDirectory() as folder, on(load.kind, lasting=True):
        path = Path(folder)
        url = new_database(path / "deadwood.db")
        await fill(url, load.servers, load.matches, load.played)
        world, tables = build_world(load.servers, load.played)
        async with Sandbox(world) as sandbox:
            homes = _homes(load)
            starts = sandbox.gateway.starts
            # Let all shards identify simultaneously: Discord's limit on that is not part of the measurement.
            starts.shards = starts.max_concurrency = homes[0].count
            ports, begun = [free_port() for _ in homes], monotonic()
            async with _bots(sandbox, url, path, homes, ports) as pids:
                hearts = [Heartbeat(place_of(url), home) for home in homes]
                while any(heart.trouble() for heart in hearts):  # noqa: ASYNC110 - there is no event for it
                    await asyncio.sleep(0.02)
                ready = monotonic() - begun
                seated = await sit_down(sandbox, tables)
                return await _measured(load, url, ready, pids, ports, seated)


def _homes(load: Load) -> list[Shards]:
    """Return the shards of each process: the same number for each, and as few as Discord allows."""
    each = ceil(load.servers / GUILDS / load.processes)
    count = each * load.processes
    return [Shards(frozenset(range(first, first + each)), count) for first in range(0, count, each)]


@asynccontextmanager
async def _bots(
    sandbox: Sandbox, url: str, folder: Path, homes: Sequence[Shards], ports: Sequence[int]
) -> AsyncGenerator[list[int]]:
    """Run a bot process for each element of `homes` during the block. Yield the process ids."""
    async with AsyncExitStack() as stack:
        pids = list[int]()
        for home, port in zip(homes, ports, strict=True):
            settings = settings_for(sandbox) | {
                "DEADWOOD_DATABASE_URL": url,
                "DEADWOOD_METRICS": f"127.0.0.1:{port}",
                "DEADWOOD_SHARDS": str(home),
                "DEADWOOD_LOG_LEVEL": "WARNING",
            }
            log = stack.enter_context((folder / f"bot-{port}.log").open("wb"))
            process = await stack.enter_async_context(started(folder, [*BOT, "run"], settings, log))
            pids.append(process.pid)
        yield pids


async def _measured(
    load: Load, url: str, ready: float, pids: Sequence[int], ports: Sequence[int], seated: Sequence[Sequence[Player]]
) -> Figures:
    """Let people play, and return the figures."""
    database, watch = Onlooker(url), Watch()
    first = postmaster(lasting=True) if load.kind is Kind.POSTGRESQL else None
    # Wait until the initial messages are delivered: they are not part of the moves.
    while await asyncio.to_thread(messages_due, database):  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0.2)
    watching = asyncio.create_task(watch.run(database, pids))
    before = await asyncio.to_thread(read, pids, ports, database, first)
    seen = await play(seated, load.rate, load.seconds)
    # PostgreSQL updates its row statistics with a delay.
    await asyncio.sleep(2)
    used = (await asyncio.to_thread(read, pids, ports, database, first)).since(before)
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    moves = max(1, used.moves)
    hundredths = quantiles(seen.answers, n=100) if len(seen.answers) > 1 else [0.0] * 99
    return Figures(
        ready=ready,
        answers=len(seen.answers) / load.seconds,
        p50=hundredths[49],
        p95=hundredths[94],
        p99=hundredths[98],
        failed=seen.failed,
        moves=used.moves / load.seconds,
        bot=used.bot / moves,
        database=used.database / moves,
        active=None if used.active is None else used.active / moves,
        rows=None if used.rows is None else used.rows / moves,
        commits=used.commits / moves,
        memory=watch.memory,
        queue=watch.messages_due,
    )


_HEADINGS: Final = (
    "  database  processes  servers  matches  ready s  wanted/s  answers/s  50 % ms  95 % ms  99 % ms  failed"
    "  moves/s  bot ms  database ms  active ms  rows  commit ms    MB  queue"
)


def line_of(load: Load, figures: Figures) -> str:
    """Format a run as a line of the table."""
    values = (
        *(load.kind, load.processes, load.servers, load.matches, f"{figures.ready:.1f}", f"{load.rate:g}"),
        f"{figures.answers:.1f}",
        *(f"{1000 * one:.0f}" for one in (figures.p50, figures.p95, figures.p99)),
        *(figures.failed, f"{figures.moves:.1f}"),
        *(f"{1000 * one:.1f}" for one in (figures.bot, figures.database)),
        "-" if figures.active is None else f"{1000 * figures.active:.1f}",
        "-" if figures.rows is None else f"{figures.rows:.0f}",
        *(f"{1000 * figures.commits:.1f}", f"{figures.memory:.0f}", figures.queue),
    )
    widths = [len(words) for words in re.findall(r" *\S+(?: \S+)*(?:  |$)", _HEADINGS)]
    return "".join(f"{value:>{width - 2}}  " for value, width in zip(values, widths, strict=True)).rstrip()


def main() -> None:
    """Run all loads that the arguments describe, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--database", type=Kind, action="append", help="sqlite or postgresql; both by default")
    parser.add_argument("--processes", type=int, nargs="+", default=[1], help="how many")
    parser.add_argument("--servers", type=int, default=100)
    parser.add_argument("--matches", type=int, nargs="+", default=[1_000], help="how many are open")
    parser.add_argument("--played", type=int, default=100, help="in how many of them people play")
    parser.add_argument("--rate", type=float, nargs="+", default=[20.0], help="clicks a second")
    parser.add_argument("--seconds", type=float, default=30.0, help="for how long")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)
    logs.set_up("WARNING")
    print("What is between moves/s and MB is for each move. People click as often as wanted if answers come in time.")
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
