"""Blocking people: from challenges, lobbies, rematches and nudges, on all servers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.ids import PersonId
from bot.model.matches import REMATCH_TIMEOUT
from bot.model.people import Person
from bot.play import refusals
from bot.play.challenges import steps
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.match_writer import MatchService
from bot.play.matches.proposals import decline
from bot.store import blocks, challenges, matches, people

MAX_BLOCKED: Final = 25
"""Maximum number of people that a person may block: a menu of people shows no more."""


class Blocks(MatchService):
    """The people that each person has blocked."""

    async def blocked_by(self, person_id: PersonId) -> tuple[PersonId, ...]:
        """Return the people that a person has blocked."""
        async with self._units.read() as unit:
            return await blocks.blocked_by(unit.transaction, person_id)

    async def block(self, person: Person, blocked_id: PersonId) -> None:
        """Block another person. See `change`."""
        await self.change(person, blocked=[blocked_id])

    async def unblock(self, person: Person, blocked_id: PersonId) -> None:
        await self.change(person, unblocked=[blocked_id])

    @shielded
    async def change(
        self, person: Person, *, blocked: Collection[PersonId] = (), unblocked: Collection[PersonId] = ()
    ) -> None:
        """Block some other people, and unblock others. End all offers between the person and those that they block.

        Running matches go on. Raise `TooManyBlocked`.
        """
        async with self._units.write() as unit:
            people.touch(unit.transaction, [person.id, *blocked])
            people.save_name(unit.transaction, person, unit.now)
            await blocks.remove(unit.transaction, person.id, unblocked)
            for blocked_id in sorted(blocked):
                await blocks.add(unit.transaction, person.id, blocked_id)
                await _end_challenges(unit, person.id, blocked_id)
                await self._decline_rematches(unit, person.id, blocked_id)
            if len(await blocks.blocked_by(unit.transaction, person.id)) > MAX_BLOCKED:
                raise refusals.TooManyBlocked(MAX_BLOCKED)

    async def _decline_rematches(self, unit: UnitOfWork, person_id: PersonId, blocked_id: PersonId) -> None:
        """Decline the rematches that a blocked person has offered."""
        since = unit.now - REMATCH_TIMEOUT
        for row in await matches.offering_rematch(unit.transaction, None, [blocked_id], person_id, since):
            if row.info.can_have_rematch:
                loaded = await unit.restore(row)
                await decline(unit, self._writer, loaded, loaded.seat_of(person_id))


async def _end_challenges(unit: UnitOfWork, person_id: PersonId, blocked_id: PersonId) -> None:
    """End the open challenges between two people, and give up their places in each other's lobbies."""
    for challenger_id, guest_id in ((person_id, blocked_id), (blocked_id, person_id)):
        for challenge in await challenges.pending_from(unit.transaction, challenger_id):
            if guest_id not in challenge.joined_ids | challenge.named_ids or challenge.expires_at <= unit.now:
                continue
            if challenge.is_lobby:
                await steps.give_up_place(unit, challenge, guest_id)
            else:
                await steps.save(unit, challenge, status=_ended(challenge, person_id))


def _ended(challenge: Challenge, blocker_id: PersonId) -> ChallengeStatus:
    """Return the status of a challenge that a block ends: the blocker withdraws their own, and declines the other's."""
    return ChallengeStatus.WITHDRAWN if challenge.challenger.id == blocker_id else ChallengeStatus.DECLINED
