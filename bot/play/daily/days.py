"""The deals of the day: begins each day's deal, and closes it when the day is over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import Final

import structlog

from bot.engine.fairness.fair import Chain
from bot.model.daily import PLAYER, DailyDeal, day_at, end_of, unfinished_result
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus
from bot.play import commitments
from bot.play.loading.batches import in_batches
from bot.play.loading.daily_streaks import was_down
from bot.play.loading.loaded_match import UnreadableMatchError
from bot.play.loading.unit_of_work import UnitOfWork, Units, shielded
from bot.play.matches.damaged import call_off_damaged
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.outbox.changes import Change, enqueue_hand
from bot.play.refusals import NoDaily, Unavailable
from bot.store import chains, daily, matches
from bot.store.rows import MatchRow

log = structlog.get_logger(__name__)

TRIES_PER_TRANSACTION: Final = 20
"""Maximum number of unfinished tries that one transaction ends: other writes wait for it."""
LEAD: Final = timedelta(minutes=5)
"""Time before midnight from which the next deal exists."""
CLOSING_DELAY: Final = timedelta(minutes=10)
"""Time after the end of a day when its deal is closed: a try that began in the last moment must have been ended."""


class DailyDeals(MatchService):
    """Begins the deals of the day, and closes those of past days."""

    def __init__(self, units: Units, writer: MatchWriter) -> None:
        super().__init__(units, writer)
        self._begun = set[date]()
        """The days of now whose deals are known to have begun."""

    async def begin_today(self) -> None:
        """Begin today's deal, unless it has begun, and in the last minutes of the day also the next one.

        So a press at midnight finds a deal on both sides.
        """
        now = self._units.clock()
        days = {day_at(now), day_at(now + LEAD)}
        for day in sorted(days - self._begun):
            async with self._units.read() as unit:
                has_begun = await daily.load(unit.transaction, day) is not None
            if not has_begun:
                await self._begin(day, await commitments.draw_chain())
        self._begun = days

    @shielded
    async def _begin(self, day: date, chain: Chain) -> None:
        async with self._units.write() as unit:
            if await daily.load(unit.transaction, day) is None:
                row = await chains.create(unit.transaction, chain, unit.now)
                await daily.add(unit.transaction, day, row.id)

    async def close_past(self) -> None:
        """End the unfinished tries at the deals of past days, and close these deals after `CLOSING_DELAY`.

        Until then, a try continues while it is the computer's turn: the person may have moved just before midnight.
        """
        now = self._units.clock()
        closing = day_at(now - CLOSING_DELAY)
        async with self._units.read() as unit:
            running = await daily.running(unit.transaction, day_at(now))
            is_open = bool(await daily.open_days(unit.transaction, closing))
        if await _change_all(running, lambda match_ids: self._end_all(match_ids, closing)) and is_open:
            for day in await self._close(closing):
                await self._show_price(day)

    async def _end_all(self, match_ids: Sequence[MatchId], closing: date) -> None:
        """End some tries together or, if that fails, one by one, so that a broken one does not block the others.

        The deals of days before `closing` are about to be closed.
        """
        try:
            await self._end(match_ids, closing)
        except Unavailable:
            raise
        except Exception as error:
            log.warning("tries at a past daily deal are ended one by one", error=repr(error))
            for match_id in match_ids:
                try:
                    await self._end([match_id], closing)
                except Unavailable:
                    raise
                except Exception:
                    log.exception("a try at a past daily deal could not be ended", match=match_id)

    @shielded
    async def _end(self, match_ids: Sequence[MatchId], closing: date) -> None:
        async with self._units.write() as unit:
            await matches.lock_matches(unit.transaction, match_ids)
            for match_id in match_ids:
                row = await matches.load(unit.transaction, match_id)
                if row is not None and row.info.status is MatchStatus.RUNNING:
                    await self._end_one(unit, row, closing)

    async def _end_one(self, unit: UnitOfWork, row: MatchRow, closing: date) -> None:
        assert row.info.day is not None
        try:
            loaded = await unit.restore(row)
        except UnreadableMatchError:
            await call_off_damaged(unit, row)
            return
        if row.info.day < closing or not loaded.computers_to_act:
            await self._writer.cancel(unit, loaded, by=None)

    @shielded
    async def _close(self, closing: date) -> Sequence[date]:
        """Close the deals of the days before `closing`. Return the days whose unfinished tries have a price since."""
        priced: list[date] = []
        async with self._units.write() as unit:
            for day in await daily.open_days(unit.transaction, closing):
                is_down = await was_down(unit.transaction, day)
                unfinished = None if is_down else unfinished_result(await daily.worst(unit.transaction, day))
                await daily.close(unit.transaction, day, unit.now, unfinished, was_down=is_down)
                if unfinished is not None:
                    priced.append(day)
        return priced

    async def _show_price(self, day: date) -> None:
        """Update the hands of the unfinished tries at a closed deal: now they can say how many points that costs.

        If the bot stops before this is done, the other hands keep the rule, without the points.
        """
        async with self._units.read() as unit:
            unfinished = await daily.unfinished(unit.transaction, day)
        await _change_all(unfinished, self._revise)

    @shielded
    async def _revise(self, match_ids: Sequence[MatchId]) -> None:
        async with self._units.write() as unit:
            await matches.lock_matches(unit.transaction, match_ids)
            for loaded in await unit.restore_readable(await matches.load_many(unit.transaction, match_ids)):
                revised = await self._writer.revise(unit, loaded, Change(boards=()))
                enqueue_hand(unit, revised, PLAYER, clicked=False)


async def _change_all(
    match_ids: Iterable[MatchId], change_some: Callable[[Sequence[MatchId]], Awaitable[None]]
) -> bool:
    """Change matches in batches of `TRIES_PER_TRANSACTION`. Return False if some remain; see `in_batches`."""
    remaining = iter(match_ids)

    async def change_next() -> bool:
        if batch := [*islice(remaining, TRIES_PER_TRANSACTION)]:
            await change_some(batch)
        return bool(batch)

    return await in_batches(change_next)


async def open_deal(unit: UnitOfWork) -> DailyDeal:
    """Return today's deal, which must have begun.

    Raise `NoDaily` if it was called off, or if it is closed because the clock was ahead.
    """
    today = day_at(unit.now)
    row = await daily.load(unit.transaction, today)
    if row is None or row.playable is None:
        raise NoDaily(end_of(today))
    return row.playable
