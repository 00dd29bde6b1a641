"""Metrics that must be measured at intervals, such as the number of messages due for delivery."""

from __future__ import annotations

import asyncio
import math
from typing import Any, Final

import aiohttp
import discord

from bot import metrics
from bot.connection.connections import Connections
from bot.play.application import Application
from bot.play.refusals import Unavailable

MEASURE_INTERVAL: Final = 15.0
"""Interval between measurements, in seconds. Prometheus usually scrapes at this interval."""
MATCH_COUNT_INTERVAL: Final = 300.0
"""Interval between counts of the open matches, in seconds: a count reads one index entry per match."""


async def measure(client: discord.AutoShardedClient, app: Application, connections: Connections) -> None:
    """Update the metrics until cancelled. Do nothing if they are not served, to save database queries."""
    if not metrics.is_served():
        return
    loop, counted_at = asyncio.get_running_loop(), -MATCH_COUNT_INTERVAL
    while True:
        _measure_connections(client, app, connections)
        metrics.DATABASE_LOG.set(app.database_log_size)
        try:
            backlog = await app.census.backlog()
            metrics.MESSAGES_DUE.set(backlog.due)
            metrics.OLDEST_MESSAGE.set(backlog.overdue)
            metrics.MESSAGES_FAILING.set(backlog.failing)
            if loop.time() - counted_at >= MATCH_COUNT_INTERVAL:
                metrics.OPEN_MATCHES.set(await app.census.open_matches())
                counted_at = loop.time()
        except Unavailable:
            metrics.MEASUREMENTS_FAILED.inc()
        await asyncio.sleep(MEASURE_INTERVAL)


def _measure_connections(client: discord.AutoShardedClient, app: Application, connections: Connections) -> None:
    metrics.SERVERS.set(len(client.guilds))
    metrics.SHARDS_SERVED.set(len(app.share.shards.numbers))
    for shard in app.leases.home.numbers:
        metrics.SHARD_CONNECTED.labels(shard).set(shard in connections.connected)
    for shard, latency in client.latencies:
        # The latency is not finite before the first heartbeat.
        if math.isfinite(latency):
            metrics.SHARD_LATENCY.labels(shard).set(latency)


def trace_requests() -> aiohttp.TraceConfig:
    """Return a trace that counts the responses of Discord's API.

    After too many errors, Discord bans the IP address:
    https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans.
    """

    async def count(_: aiohttp.ClientSession, __: Any, answered: aiohttp.TraceRequestEndParams) -> None:
        response = answered.response
        metrics.RESPONSES.labels(response.status).inc()
        if response.status == 429:
            metrics.RATE_LIMITS.labels(response.headers.get("X-RateLimit-Scope", "unknown")).inc()

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(count)
    return trace
