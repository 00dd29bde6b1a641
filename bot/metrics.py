"""What a running bot measures of itself, for Prometheus.

Every process measures; whoever sets `DEADWOOD_METRICS` can read it at that address. Nothing here names a person, a
server or a match. `docs/operating.md` says what to look for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from prometheus_client import Counter, Gauge, Histogram, start_http_server

_COARSE: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 15.0, 60.0)
"""The bounds of the buckets for answers, in seconds: the bot defers after 1.5, and Discord accepts none after 3."""
_FINE: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""The bounds of the buckets for the database and for pictures, in seconds."""


class Failure(StrEnum):
    """Why an interaction was answered with an apology."""

    DATABASE = "database"
    """The database cannot be used at the moment."""
    FAULT = "fault"
    """An error that nobody foresaw."""
    RATE_LIMIT = "rate limit"
    """Discord's rate limit for the answer is used up for too long."""
    UNANSWERED = "unanswered"
    """Not even the apology could be sent."""


class Delivery(StrEnum):
    """What became of a message that was to be delivered."""

    POSTED = "posted"
    SHOWN = "shown"
    REMOVED = "removed"
    MISSING = "missing"
    """Somebody deleted it: it is posted again."""
    OUTDATED = "outdated"
    """The answer to a click showed something newer in its place."""
    FAILED = "failed"
    """Discord refused it or could not be reached: it is tried again."""
    BROKEN = "broken"
    """An error that nobody foresaw: it is tried again much later."""


def _counter(name: str, documentation: str, label: str, values: Iterable[str]) -> Counter:
    """Return a counter that counts from 0 for some values of its label.

    Prometheus cannot tell that a series increased which it first saw at 1, so nothing would alert to the first one.
    """
    counter = Counter(name, documentation, [label])
    for value in values:
        counter.labels(value)
    return counter


ANSWERS: Final = Histogram(
    "deadwood_answer_seconds", "Time from an interaction to its answer, by what was used", ["used"], buckets=_COARSE
)
DEFERRALS: Final = Counter("deadwood_deferrals", "Answers that took so long that they were deferred")
FAILURES: Final = _counter(
    "deadwood_failures", "Interactions that were answered with an apology, by kind", "kind", Failure
)
DELIVERIES: Final = _counter("deadwood_deliveries", "Attempts to deliver a message, by result", "result", Delivery)
MESSAGES_DUE: Final = Gauge("deadwood_messages_due", "Messages that wait for an attempt to deliver them")
OLDEST_MESSAGE: Final = Gauge(
    "deadwood_messages_oldest_seconds",
    "How long the next attempt to deliver a message is overdue; one that failed is due again after a pause",
)
MESSAGES_FAILING: Final = Gauge(
    "deadwood_messages_failing", "Messages that could not be delivered at the last ten attempts or more"
)
RESPONSES: Final = _counter(
    "deadwood_discord_responses", "What Discord's API answered, by status", "status", ("200", "401", "403", "429")
)
RATE_LIMITS: Final = _counter(
    "deadwood_rate_limits",
    "Requests that Discord's rate limits refused, by scope",
    "scope",
    ("user", "global", "shared", "unknown"),
)
IDENTIFIES_LEFT: Final = Gauge(
    "deadwood_identifies_left", "How often the bot might still connect when a shard of this process last asked"
)
IDENTIFIES_RESET: Final = Gauge(
    "deadwood_identifies_reset_timestamp_seconds", "When it may connect as often as at first again, in Unix time"
)
MEASUREMENTS_FAILED: Final = Counter(
    "deadwood_measurements_failed", "How often what waits could not be counted, since the database could not be used"
)
DATABASE_LOG: Final = Gauge(
    "deadwood_database_log_bytes", "Size of SQLite's write-ahead log, which grows while another program reads"
)
OPEN_MATCHES: Final = Gauge("deadwood_open_matches", "Matches that are going on")
MOVES: Final = Counter("deadwood_moves", "Moves that were made")
DEALS: Final = Counter("deadwood_deals", "Deals that ended")
TRANSACTIONS: Final = Histogram(
    "deadwood_transaction_seconds",
    "Time that a transaction took, by kind, with the wait for its turn and what the bot does in it",
    ["kind"],
    buckets=_FINE,
)
COMMITS: Final = Histogram("deadwood_commit_seconds", "Time that the database took to commit", buckets=_FINE)
CONFLICTS: Final = Counter("deadwood_conflicts", "Transactions that were tried again because another one was first")
PICTURES: Final = Histogram(
    "deadwood_picture_seconds", "Time that drawing took, by picture", ["picture"], buckets=_FINE
)
COMPUTER_QUEUE: Final = Gauge("deadwood_computer_queue", "Choices that wait for the computer player, by kind", ["kind"])
SHARD_CONNECTED: Final = Gauge("deadwood_shard_connected", "1 if a shard of this process is connected", ["shard"])
SHARD_LATENCY: Final = Gauge("deadwood_shard_latency_seconds", "Heartbeat round trip of a shard", ["shard"])
SHARDS_WORKED_FOR: Final = Gauge("deadwood_shards_worked_for", "Shards for whose servers this process works")
SERVERS: Final = Gauge("deadwood_servers", "Servers that this process is connected to")


_servers = 0


def are_read() -> bool:
    """Return whether the metrics are served, so that somebody may read them."""
    return _servers > 0


@contextmanager
def served(address: tuple[str, int] | None) -> Generator[None]:
    """Serve the metrics at a host and port during the block, in a thread of their own; nowhere if there is none.

    Raise `OSError` if that cannot be.
    """
    if address is None:
        yield
        return
    global _servers
    server, thread = start_http_server(address[1], address[0])
    _servers += 1
    try:
        yield
    finally:
        _servers -= 1
        server.shutdown()
        server.server_close()
        thread.join()


def watch_queue(kind: str, size: Callable[[], int]) -> None:
    """Report the length of a queue of the computer player, whenever somebody asks."""
    COMPUTER_QUEUE.labels(kind).set_function(size)
