"""Erasing forgotten people from the database's files, where deleted rows leave traces."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

import structlog

from bot.play.loading.unit_of_work import Service, Units, shielded
from bot.store import erasures
from bot.store.database import Database, Lane

log = structlog.get_logger(__name__)

PAUSE: Final = timedelta(minutes=10)
"""How long after an attempt the next one may begin: each writes the whole database again."""

COPIES_KEPT_FOR: Final = timedelta(days=30)
"""How long a copy from before an update is kept, unless somebody is forgotten sooner."""


class Erasure(Service):
    """Removes from the files what the database no longer holds."""

    def __init__(self, units: Units, database: Database) -> None:
        super().__init__(units)
        self._database = database
        self._paused_until = 0.0
        """By the loop's clock, which no change of the system's clock moves."""

    @shielded
    async def run(self) -> None:
        """Remove old copies, and all traces of forgotten people if there are any and the last attempt is long past.

        What fails is logged, and due again after the pause.
        """
        loop = asyncio.get_running_loop()
        if loop.time() < self._paused_until:
            return
        try:
            await self._database.remove_copies(self._units.clock() - COPIES_KEPT_FOR)
            async with self._units.read(Lane.BACKGROUND) as unit:
                request = await erasures.asked(unit.transaction)
            if request is None:
                return
            self._paused_until = loop.time() + PAUSE.total_seconds()
            await self._database.erase_traces()
            async with self._units.write() as unit:
                await erasures.done(unit.transaction, request)
        except Exception as error:
            # Whoever is being forgotten is forgotten already: they need not hear of this.
            self._paused_until = loop.time() + PAUSE.total_seconds()
            log.warning("traces of forgotten people remain for now", problem=str(error))
