"""The metrics of a running bot, for Prometheus.

They are always measured, and served if `DEADWOOD_METRICS` is set. None of them identifies a person, a server or a
match. `docs/hosting/monitoring.md` explains the alerts that use them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from prometheus_client import Counter, Gauge, Histogram, start_http_server

_ANSWER_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 15.0, 60.0)
"""Histogram buckets for answers, in seconds: the bot defers after 1.5, and Discord rejects answers after 3."""
_FAST_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""Histogram buckets for the database and for pictures, in seconds."""


class Failure(StrEnum):
    """The reason why an interaction was answered with an apology, or not at all."""

    DATABASE = "database"
    """The database was unavailable."""
    FAULT = "fault"
    """An unexpected error."""
    RATE_LIMIT = "rate limit"
    """Discord's rate limit blocked the answer for too long."""
    UNANSWERED = "unanswered"
    """Neither an answer nor an apology could be sent."""


class Delivery(StrEnum):
    """The result of an attempt to deliver a message."""

    POSTED = "posted"
    SHOWN = "shown"
    REMOVED = "removed"
    MISSING = "missing"
    """The message was deleted, and is posted again."""
    OUTDATED = "outdated"
    """The delivery came too late: the answer to a click had already updated the message to a newer state."""
    FAILED = "failed"
    """Discord refused the message or could not be reached. The delivery is retried."""
    BROKEN = "broken"
    """An unexpected error. The delivery is retried much later."""


def _counter(name: str, documentation: str, label: str, values: Iterable[str]) -> Counter:
    """Return a counter whose series start at 0 for the given values of its label.

    Prometheus does not see an increase in a series that starts at 1, so an alert would miss the first event.
    """
    counter = Counter(name, documentation, [label])
    for value in values:
        counter.labels(value)
    return counter


ANSWERS: Final = Histogram(
    "deadwood_answer_seconds",
    "Time from an interaction to its answer, by command or component",
    ["used"],
    buckets=_ANSWER_BUCKETS,
)
DEFERRALS: Final = Counter("deadwood_deferrals", "Answers that took so long that they were deferred")
FAILURES: Final = _counter(
    "deadwood_failures", "Interactions that were answered with an apology, by kind", "kind", Failure
)
DELIVERIES: Final = _counter("deadwood_deliveries", "Attempts to deliver a message, by result", "result", Delivery)
MESSAGES_DUE: Final = Gauge("deadwood_messages_due", "Messages that are due for delivery")
OLDEST_MESSAGE: Final = Gauge(
    "deadwood_messages_oldest_seconds",
    "Seconds by which the next delivery attempt is overdue; a failed message is due again after a pause",
)
MESSAGES_FAILING: Final = Gauge("deadwood_messages_failing", "Messages whose last ten or more delivery attempts failed")
RESPONSES: Final = _counter(
    "deadwood_discord_responses", "Responses of Discord's API, by status", "status", ("200", "401", "403", "429")
)
RATE_LIMITS: Final = _counter(
    "deadwood_rate_limits",
    "Requests that Discord's rate limits refused, by scope",
    "scope",
    ("user", "global", "shared", "unknown"),
)
IDENTIFIES_LEFT: Final = Gauge(
    "deadwood_identifies_left", "Number of identifies that Discord still allowed when a shard of this process asked"
)
IDENTIFIES_RESET: Final = Gauge(
    "deadwood_identifies_reset_timestamp_seconds", "Unix time at which the number of identifies is reset"
)
MEASUREMENTS_FAILED: Final = Counter(
    "deadwood_measurements_failed", "Measurements that failed because the database could not be used"
)
DATABASE_LOG: Final = Gauge(
    "deadwood_database_log_bytes", "Size of SQLite's write-ahead log, which grows while another program reads"
)
OPEN_MATCHES: Final = Gauge("deadwood_open_matches", "Matches in progress")
MOVES: Final = Counter("deadwood_moves", "Moves made")
DEALS: Final = Counter("deadwood_deals", "Deals that ended")
TRANSACTIONS: Final = Histogram(
    "deadwood_transaction_seconds",
    "Duration of transactions, by kind, including the wait for their turn and the bot's own work during them",
    ["kind"],
    buckets=_FAST_BUCKETS,
)
COMMITS: Final = Histogram("deadwood_commit_seconds", "Time the database took to commit", buckets=_FAST_BUCKETS)
CONFLICTS: Final = Counter("deadwood_conflicts", "Transactions retried because of a conflict with another one")
PICTURES: Final = Histogram(
    "deadwood_picture_seconds", "Time to draw a picture, by picture", ["picture"], buckets=_FAST_BUCKETS
)
COMPUTER_QUEUE: Final = Gauge("deadwood_computer_queue", "Jobs queued for the computer player, by kind", ["kind"])
SHARD_CONNECTED: Final = Gauge("deadwood_shard_connected", "1 if a shard of this process is connected", ["shard"])
SHARD_LATENCY: Final = Gauge("deadwood_shard_latency_seconds", "Heartbeat round trip of a shard", ["shard"])
SHARDS_SERVED: Final = Gauge("deadwood_shards_worked_for", "Shards whose background work this process does")
SERVERS: Final = Gauge("deadwood_servers", "Servers that this process is connected to")


_server_count = 0


def is_served() -> bool:
    """Return True if the metrics are being served."""
    return _server_count > 0


@contextmanager
def serve_metrics(address: tuple[str, int] | None) -> Generator[None]:
    """Serve the metrics at a host and port during the block, in a separate thread; if `address` is None, do nothing.

    Raise `OSError` if the server cannot listen at this address.
    """
    if address is None:
        yield
        return
    global _server_count
    server, thread = start_http_server(address[1], address[0])
    _server_count += 1
    try:
        yield
    finally:
        _server_count -= 1
        server.shutdown()
        server.server_close()
        thread.join()


def watch_queue(kind: str, size: Callable[[], int]) -> None:
    """Report the length of one of the computer player's queues at each scrape."""
    COMPUTER_QUEUE.labels(kind).set_function(size)
