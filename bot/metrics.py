"""What a running bot measures of itself, for Prometheus.

Every process measures; whoever sets `DEADWOOD_METRICS` can read it at that address. Nothing here names a person, a
server or a match. `docs/operating.md` says what to look for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

from prometheus_client import Counter, Gauge, Histogram, start_http_server

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 15.0, 60.0)
_MILLISECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""The bounds in which times are counted. Answers are deferred after 1.5 seconds."""

ANSWERS: Final = Histogram(
    "deadwood_answer_seconds", "Time from an interaction to its answer, by what was used", ["used"], buckets=_SECONDS
)
DEFERRALS: Final = Counter("deadwood_deferrals", "Answers that took so long that they were deferred")
FAILURES: Final = Counter("deadwood_failures", "Interactions that were answered with an apology, by kind", ["kind"])
DELIVERIES: Final = Counter("deadwood_deliveries", "Messages that were to be delivered, by result", ["result"])
MESSAGES_DUE: Final = Gauge("deadwood_messages_due", "Messages that are due and not delivered")
OLDEST_MESSAGE: Final = Gauge("deadwood_messages_oldest_seconds", "Age of the message that has been due longest")
RESPONSES: Final = Counter("deadwood_discord_responses", "What Discord's API answered, by status", ["status"])
RATE_LIMITS: Final = Counter("deadwood_rate_limits", "Requests that Discord's rate limits refused, by scope", ["scope"])
OPEN_MATCHES: Final = Gauge("deadwood_open_matches", "Matches that are going on")
MOVES: Final = Counter("deadwood_moves", "Moves that were made")
DEALS: Final = Counter("deadwood_deals", "Deals that ended")
TRANSACTIONS: Final = Histogram(
    "deadwood_transaction_seconds", "Time that a transaction took, by kind", ["kind"], buckets=_MILLISECONDS
)
CONFLICTS: Final = Counter("deadwood_conflicts", "Transactions that began anew because another one was first")
PICTURES: Final = Histogram(
    "deadwood_picture_seconds", "Time that drawing took, by picture", ["picture"], buckets=_MILLISECONDS
)
COMPUTER_QUEUE: Final = Gauge("deadwood_computer_queue", "Choices that wait for the computer player, by kind", ["kind"])
SHARD_CONNECTED: Final = Gauge("deadwood_shard_connected", "1 if a shard of this process is connected", ["shard"])
SHARD_LATENCY: Final = Gauge("deadwood_shard_latency_seconds", "Heartbeat round trip of a shard", ["shard"])
SHARDS_WORKED_FOR: Final = Gauge("deadwood_shards_worked_for", "Shards for whose servers this process works")
SERVERS: Final = Gauge("deadwood_servers", "Servers that this process is connected to")

_ADDRESS: Final = re.compile(r"(?:\[(?P<ipv6>[^\]]+)\]|(?P<host>[^:\[\]]*)):(?P<port>\d{1,5})")


def parse_address(text: str) -> tuple[str, int]:
    """Return the host and the port of an address such as `127.0.0.1:9464` or `[::1]:9464`. Raise `ValueError`."""
    match = _ADDRESS.fullmatch(text)
    if match is None or int(match["port"]) > 65535:
        raise ValueError("write an address and a port, such as 127.0.0.1:9464")
    return match["ipv6"] or match["host"] or "127.0.0.1", int(match["port"])


@contextmanager
def served(address: tuple[str, int] | None) -> Generator[None]:
    """Serve the metrics at a host and port during the block, in a thread of their own; nowhere if there is none.

    Raise `OSError` if that cannot be.
    """
    if address is None:
        yield
        return
    server, thread = start_http_server(address[1], address[0])
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def watch_queue(kind: str, size: Callable[[], int]) -> None:
    """Report the length of a queue of the computer player, whenever somebody asks."""
    COMPUTER_QUEUE.labels(kind).set_function(size)
