"""Background work of the client: heartbeats, which keep the players' clocks running, and chores."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final

from bot.connection.connections import Connections
from bot.model.shards import Shards
from bot.play.application import Application
from bot.play.refusals import Unavailable

HOUSEKEEPING_INTERVAL: Final = 60.0
HEARTBEAT_INTERVAL: Final = 10.0


class Heartbeats:
    """Saves heartbeats of the shards that are ready, and runs the clocks of their matches."""

    def __init__(
        self, app: Application, connections: Connections, wait_until_saved: Callable[[], Awaitable[None]]
    ) -> None:
        """`wait_until_saved` waits until all gateway events so far, such as server outages, are saved."""
        self._app = app
        self._connections = connections
        self._wait_until_saved = wait_until_saved

    async def run(self) -> None:
        """Save a heartbeat when a shard becomes ready, and every few seconds. Without heartbeats, all clocks stop."""
        while True:
            self._connections.changed.clear()
            ready, wait = self._connections.ready, HEARTBEAT_INTERVAL
            if ready - self._app.connected.shards.numbers:
                await self._wait_until_saved()
            if ready:
                try:
                    await self._app.require_database()
                    newly = ready - self._app.connected.shards.numbers
                    await self._app.outages.beat(ready, self._app.leases.home.count, newly=newly)
                    self.run_clocks(ready)
                except Unavailable:
                    # Stop the clocks even if only the database check failed: people cannot move without the database.
                    self._app.connected.interrupt()
                    wait /= 10
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._connections.changed.wait()

    def run_clocks(self, shards: Collection[int]) -> None:
        """Run the clocks in matches of the given shards, except shards that are no longer ready."""
        ready = Shards(self._connections.ready.intersection(shards), self._app.leases.home.count)
        if ready != self._app.connected.shards:
            self._app.connected.change(ready)
            self._app.timekeeper.check_soon()


async def run_chores(app: Application) -> None:
    """Every minute, repair stored times that a wrong clock produced. The leading process also does all chores.

    Each process repairs times, because its own clock may have been wrong.
    """
    while True:
        with suppress(Unavailable):
            await app.time_repair.repair()
        if app.share.is_leader:
            await _run_chores_once(app)
        await asyncio.sleep(HOUSEKEEPING_INTERVAL)


async def _run_chores_once(app: Application) -> None:
    """Do all chores, such as expiring challenges, even if the database refuses some of them.

    Each day on which the bot runs has a deal, even if nobody plays it: a day without one ends no streak.
    """
    for chore in (
        app.daily_deals.close_past,
        app.daily_deals.begin_today,
        app.daily_reminders.request_due,
        app.daily_posts.run,
        app.daily_posts.forget_old,
        app.challenges.expire,
        app.guilds.purge,
        app.leaderboards.run_upkeep,
        app.erasure.run,
        app.outages.forget_old,
    ):
        with suppress(Unavailable):
            await chore()


async def fill_records(app: Application) -> None:
    """Backfill the record tables, in one process at a time."""
    async with app.exclusive.locked("records"):
        await app.records_backfill.run()
