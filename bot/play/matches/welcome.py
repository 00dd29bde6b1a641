"""Check that a person may make others an offer, or accept theirs."""

from __future__ import annotations

from collections.abc import Collection

from bot.model.ids import PersonId
from bot.model.people import Challengers
from bot.play import refusals
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import blocks, people


async def require_welcome(unit: UnitOfWork, challenger_id: PersonId, named: Collection[PersonId]) -> None:
    """Check that a challenger may name these people. Raise `Blocked` or `NotWelcome`."""
    await require_unblocked(unit, challenger_id, named)
    for person_id in named:
        person = await people.load(unit.transaction, person_id)
        wanted = Challengers.ANYONE if person is None else person.preferences.challengers
        if wanted is Challengers.NOBODY:
            raise refusals.NotWelcome(person_id)
        if wanted is Challengers.PLAYED and not await people.have_played(unit.transaction, challenger_id, person_id):
            raise refusals.NotWelcome(person_id)


async def require_unblocked(unit: UnitOfWork, person_id: PersonId, others: Collection[PersonId]) -> None:
    """Check that a person and the others have not blocked each other.

    Raise `Blocked` if the person has blocked one of the others. If one of them has blocked the person, raise
    `NotWelcome`, so that it looks like their preference for challenges.
    """
    found = await blocks.between(unit.transaction, person_id, others)
    for blocker_id, blocked_id in found:
        if blocker_id == person_id:
            raise refusals.Blocked(blocked_id)
    for blocker_id, _ in found:
        raise refusals.NotWelcome(blocker_id)
