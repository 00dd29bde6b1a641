"""A rate limit on notifications of offers: challenges, and proposals such as a pause or a rematch.

Offers can be made and withdrawn endlessly. Beyond the limit they still work, but notify nobody. Offers that led to a
match were welcome, so they no longer count. Offers dated in the future do not count either: the clock was wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from bot.model.ids import PersonId
from bot.model.statistics import Player
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import offer_pings, people
from bot.store.removal import StaleRows

MAX_PINGS: Final = 2
"""Maximum number of pings from one person to another by offers within `PING_PERIOD`."""

PING_PERIOD: Final = timedelta(hours=1)


async def grant_pings(unit: UnitOfWork, from_id: PersonId, to_ids: Iterable[PersonId]) -> tuple[PersonId, ...]:
    """Return the people that an offer may notify now, and record the pings."""
    requested = tuple(to_ids)
    if not requested or _is_silenced(unit, from_id):
        return ()
    people.touch(unit.transaction, [from_id, *requested])
    period = unit.now - PING_PERIOD, unit.now
    granted = tuple(
        [to_id for to_id in requested if await offer_pings.count(unit.transaction, from_id, to_id, *period) < MAX_PINGS]
    )
    await offer_pings.add(unit.transaction, from_id, granted, unit.now)
    return granted


async def forget_pings_among(unit: UnitOfWork, players: Iterable[Player]) -> None:
    """Delete the pings among people who have begun a match together, so that they no longer count."""
    people = [player.id for player in players if player.id is not None]
    if len(people) > 1:
        await offer_pings.remove_among(unit.transaction, people)


async def forget_pings_of(unit: UnitOfWork, person_id: PersonId) -> None:
    """Delete the pings from and to a person.

    While a deleted ping would still count, the person's offers notify nobody. Otherwise, people could get around the
    limit by asking to be forgotten.
    """
    last = max((at for _, at in await offer_pings.sent_by(unit.transaction, person_id)), default=None)
    if last is not None:
        unit.silence(person_id, last + PING_PERIOD)
    await offer_pings.forget(unit.transaction, person_id)


def old_pings(at: datetime) -> StaleRows:
    """Return the pings that no longer count."""
    return offer_pings.outside(at - PING_PERIOD, at)


def _is_silenced(unit: UnitOfWork, person_id: PersonId) -> bool:
    until = unit.silenced_until(person_id) or unit.now
    return timedelta() < until - unit.now <= PING_PERIOD
