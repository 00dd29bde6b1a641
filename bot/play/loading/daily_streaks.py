"""People's streaks in the deals of the day, which survive the days on which people could not play."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from bot.model.daily import PLAYER, end_of, was_called_off
from bot.model.ids import PersonId
from bot.model.streaks import NO_STREAKS, Streaks
from bot.play.clocks.reckoning import elapsed
from bot.play.loading.loaded_match import LoadedMatch
from bot.store import clocks, daily
from bot.store.transaction import Transaction

_DAY: Final = timedelta(days=1)


async def was_down(transaction: Transaction, day: date) -> bool:
    """Return True if people on some shard could not play for at least half of a past day."""
    ends = end_of(day)
    begins = ends - _DAY
    spans = await clocks.shard_standstills(transaction, begins, ends)
    for shard, seen_at in (await clocks.shard_times(transaction)).items():
        spans[shard].append((seen_at, ends))
    return any(elapsed(begins, ends, own) <= _DAY / 2 for own in spans.values())


async def missable_days(transaction: Transaction, first: date, until: date) -> set[date]:
    """Return the days from `first` to `until` that are over, except those on which people could not play."""
    missable = set(await daily.playable_days(transaction, first, until))
    for day in await daily.open_days(transaction, until):
        # The deal of a past day stays open for some minutes.
        if day >= first and not await was_down(transaction, day):
            missable.add(day)
    return missable


async def could_not_play(transaction: Transaction, day: date) -> bool:
    """Return True if people could not play the deal of a past day, so that an unfinished try counts as nothing."""
    return day not in await missable_days(transaction, day, day + _DAY)


async def streaks_of(
    transaction: Transaction, person_ids: Collection[PersonId], until: date
) -> dict[PersonId, Streaks]:
    """Return people's streaks up to a day, which is included."""
    finished, called_off = await daily.ended_days(transaction, person_ids, until)
    if not any(finished.values()):
        return dict.fromkeys(person_ids, NO_STREAKS)
    first = min(day for days in finished.values() for day in days)
    missable = await missable_days(transaction, first, until)
    return {
        person_id: Streaks.of(finished[person_id], missable.difference(called_off[person_id]))
        for person_id in person_ids
    }


async def with_streak(transaction: Transaction, loaded: LoadedMatch) -> LoadedMatch:
    """Return a finished try with the streak that its person had then, and whether it counts on no server."""
    day, person = loaded.info.day, loaded.row.seats[PLAYER].person
    if day is None or person is None:
        return loaded
    streaks = await streaks_of(transaction, [person.id], day)
    counts_nowhere = not await daily.counts_on(transaction, None, day, person.id)
    return replace(loaded, daily_streak=streaks[person.id].current, counts_nowhere=counts_nowhere)


async def with_outage(transaction: Transaction, loaded: LoadedMatch) -> LoadedMatch:
    """Return an unfinished try with how it counts, if it lasted until the end of its day.

    It counts as nothing if people could not play for much of the day.
    """
    day = loaded.info.day
    assert day is not None
    if was_called_off(day, loaded.info.ended_at):
        return loaded
    deal = await daily.load(transaction, day)
    price = None if deal is None else deal.worst_points
    return replace(loaded, daily_price=price, was_down=await could_not_play(transaction, day))
