"""`python -m tests.load`: measure a bot with many servers, many open matches and people who click at a fixed rate.

The sandbox and the simulated people run in this process, on the same machine as the bot and its database. All figures
except the CPU time are therefore affected by the load of the sandbox and the people as well.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import ceil
from pathlib import Path
from statistics import quantiles
from time import monotonic
from typing import Final

from bot.hosting import logs
from bot.hosting.heartbeat import Heartbeat
from bot.model.shards import Shards
from bot.sandbox import Sandbox
from bot.store.address import database_name
from tests.helpers.databases import DatabaseKind, new_database, use_database
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player
from tests.helpers.ports import free_port
from tests.helpers.postgres import postmaster
from tests.load.bots import running_bots
from tests.load.driving import play, sit_down
from tests.load.filling import build_world, fill
from tests.load.measuring import Watch, due_message_count, read

MAX_GUILDS_PER_SHARD: Final = 2_500
"""Maximum number of servers per shard: https://discord.com/developers/docs/events/gateway#sharding."""


@dataclass(frozen=True, slots=True)
class Load:
    """The parameters of a run: `rate` is in clicks per second."""

    kind: DatabaseKind
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
    with tempfile.TemporaryDirectory() as folder, use_database(load.kind, durable=True):
        path = Path(folder)
        url = new_database(path / "deadwood.db")
        await fill(url, load.servers, load.matches, load.played)
        world, tables = build_world(load.servers, load.played)
        async with Sandbox(world) as sandbox:
            homes = _shards_per_process(load)
            starts = sandbox.gateway.starts
            # Let all shards identify simultaneously: Discord's limit on identifying is not measured.
            starts.shards = starts.max_concurrency = homes[0].count
            ports, started_at = [free_port() for _ in homes], monotonic()
            async with running_bots(sandbox, url, path, homes, ports) as pids:
                hearts = [Heartbeat(database_name(url), home) for home in homes]
                while any(heart.trouble() for heart in hearts):  # noqa: ASYNC110 - there is no event for it
                    await asyncio.sleep(0.02)
                ready = monotonic() - started_at
                seated = await sit_down(sandbox, tables)
                return await _measure(load, url, ready, pids, ports, seated)


def _shards_per_process(load: Load) -> list[Shards]:
    """Return the shards of each process: the same number for each, and as few as Discord allows."""
    per_process = ceil(load.servers / MAX_GUILDS_PER_SHARD / load.processes)
    count = per_process * load.processes
    return [Shards(frozenset(range(first, first + per_process)), count) for first in range(0, count, per_process)]


async def _measure(
    load: Load, url: str, ready: float, pids: Sequence[int], ports: Sequence[int], seated: Sequence[Sequence[Player]]
) -> Figures:
    """Let people play, and return the figures."""
    database, watch = DatabaseInspector(url), Watch()
    server_pid = postmaster(durable=True) if load.kind is DatabaseKind.POSTGRESQL else None
    # Wait until the initial messages are delivered, so that they are not measured with the moves.
    while await asyncio.to_thread(due_message_count, database):  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0.2)
    watching = asyncio.create_task(watch.run(database, pids))
    first_reading = await asyncio.to_thread(read, pids, ports, database, server_pid)
    results = await play(seated, load.rate, load.seconds)
    # PostgreSQL updates its row statistics with a delay.
    await asyncio.sleep(2)
    usage = (await asyncio.to_thread(read, pids, ports, database, server_pid)).since(first_reading)
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    moves = max(1, usage.moves)
    hundredths = quantiles(results.answers, n=100) if len(results.answers) > 1 else [0.0] * 99
    return Figures(
        ready=ready,
        answers=len(results.answers) / load.seconds,
        p50=hundredths[49],
        p95=hundredths[94],
        p99=hundredths[98],
        failed=results.failed,
        moves=usage.moves / load.seconds,
        bot=usage.bot / moves,
        database=usage.database / moves,
        active=None if usage.active is None else usage.active / moves,
        rows=None if usage.rows is None else usage.rows / moves,
        commits=usage.commits / moves,
        memory=watch.memory,
        queue=watch.messages_due,
    )


_HEADINGS: Final = (
    "  database  processes  servers  matches  ready s  wanted/s  answers/s  50 % ms  95 % ms  99 % ms  failed"
    "  moves/s  bot ms  database ms  active ms  rows  commit ms    MB  queue"
)


def format_line(load: Load, figures: Figures) -> str:
    """Format a run's results as a line of the printed table."""
    values = (
        *(load.kind, load.processes, load.servers, load.matches, f"{figures.ready:.1f}", f"{load.rate:g}"),
        f"{figures.answers:.1f}",
        *(f"{1000 * seconds:.0f}" for seconds in (figures.p50, figures.p95, figures.p99)),
        *(figures.failed, f"{figures.moves:.1f}"),
        *(f"{1000 * seconds:.1f}" for seconds in (figures.bot, figures.database)),
        "-" if figures.active is None else f"{1000 * figures.active:.1f}",
        "-" if figures.rows is None else f"{figures.rows:.0f}",
        *(f"{1000 * figures.commits:.1f}", f"{figures.memory:.0f}", figures.queue),
    )
    widths = [len(words) for words in re.findall(r" *\S+(?: \S+)*(?:  |$)", _HEADINGS)]
    return "".join(f"{value:>{width - 2}}  " for value, width in zip(values, widths, strict=True)).rstrip()


def main() -> None:
    """Measure all loads that the command line describes, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--database", type=DatabaseKind, action="append", help="sqlite or postgresql; both by default")
    parser.add_argument("--processes", type=int, nargs="+", default=[1], help="how many")
    parser.add_argument("--servers", type=int, default=100)
    parser.add_argument("--matches", type=int, nargs="+", default=[1_000], help="how many are open")
    parser.add_argument("--played", type=int, default=100, help="in how many of them people play")
    parser.add_argument("--rate", type=float, nargs="+", default=[20.0], help="clicks a second")
    parser.add_argument("--seconds", type=float, default=30.0, help="for how long")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)
    logs.set_up("WARNING")
    print("What is between moves/s and MB is for each move. People click as often as wanted if answers come in time.")
    print(_HEADINGS, flush=True)
    for kind in arguments.database or list(DatabaseKind):
        for processes, matches, rate in product(arguments.processes, arguments.matches, arguments.rate):
            if kind is DatabaseKind.SQLITE and processes > 1:
                continue
            played = min(arguments.played, matches)
            load = Load(kind, processes, arguments.servers, matches, played, rate, arguments.seconds)
            print(format_line(load, asyncio.run(run(load))), flush=True)


if __name__ == "__main__":
    main()
