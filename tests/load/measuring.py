"""Measurements of a load: CPU time, memory, database time and queue lengths."""

from __future__ import annotations

import asyncio
import os
import urllib.request
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.processes import process_and_children

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_ACTIVE_TIME_QUERY: Final = "SELECT active_time FROM pg_stat_database WHERE datname = current_database()"
_ROWS_QUERY: Final = (
    "SELECT CAST(sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del) AS BIGINT)"
    " FROM pg_stat_user_tables"
)
_DUE_QUERY: Final = "SELECT count(*) FROM outbox_message WHERE wanted_revision > shown_revision AND due_at <= :now"


@dataclass(frozen=True, slots=True)
class Reading:
    """Counters at a point in time. Times are in seconds.

    `bot` and `database` are CPU time, with that of child processes, `active` is the time in which PostgreSQL ran
    statements, `rows` is the number of rows that it read or changed in the bot's tables, and `commits` is the time in
    which the bot waited for commits.
    """

    moves: int
    bot: float
    database: float
    active: float | None
    rows: int | None
    commits: float

    def since(self, before: Reading) -> Reading:
        """Return the difference from an earlier reading."""
        return Reading(
            self.moves - before.moves,
            self.bot - before.bot,
            self.database - before.database,
            None if self.active is None or before.active is None else self.active - before.active,
            None if self.rows is None or before.rows is None else self.rows - before.rows,
            self.commits - before.commits,
        )


@dataclass
class Watch:
    """Records the maximum number of due messages, and the maximum memory of a process with its children, in MB."""

    messages_due: int = 0
    memory: float = 0.0

    async def run(self, database: DatabaseInspector, pids: Sequence[int]) -> None:
        """Update the maxima every second until cancelled."""
        while True:
            self.messages_due = max(self.messages_due, await asyncio.to_thread(due_message_count, database))
            self.memory = max(self.memory, *(sum(map(resident_memory, process_and_children(pid))) for pid in pids))
            await asyncio.sleep(1)


def due_message_count(database: DatabaseInspector) -> int:
    """Return the number of messages that are waiting to be sent."""
    ((due,),) = database.rows(_DUE_QUERY, now=int(time() * 1000))
    return due


def read(pids: Iterable[int], ports: Iterable[int], database: DatabaseInspector, server: int | None) -> Reading:
    """Read the counters of the bot's processes and of the database. `server` is PostgreSQL's main process, if any."""
    metrics = defaultdict[str, float](float)
    for port in ports:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            for family in text_string_to_metric_families(answer.read().decode()):
                for sample in family.samples:
                    metrics[sample.name] += sample.value
    rows = active = None
    if database.dialect == "postgresql":
        database.rows("SELECT pg_stat_clear_snapshot()")
        ((active,),), ((rows,),) = database.rows(_ACTIVE_TIME_QUERY), database.rows(_ROWS_QUERY)
    return Reading(
        int(metrics["deadwood_moves_total"]),
        sum(cpu_time(process) for pid in pids for process in process_and_children(pid)),
        0.0 if server is None else sum(map(cpu_time, process_and_children(server))),
        None if active is None else active / 1000,
        rows,
        metrics["deadwood_commit_seconds_sum"],
    )


def cpu_time(pid: int) -> float:
    """Return the CPU time of a process in seconds, including finished children."""
    with suppress(FileNotFoundError, ProcessLookupError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(field) for field in fields[11:15]) / _TICKS
    return 0.0


def resident_memory(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    with suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0
