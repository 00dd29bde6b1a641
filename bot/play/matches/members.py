"""Checks if the players of a match are on the server and can reach the table.

Discord is asked before a transaction that depends on the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bot.engine.deals.moves import Seat
from bot.model.guilds import Place
from bot.model.ids import PersonId
from bot.model.matches import MatchInfo
from bot.model.presence import Presence


class Members(Protocol):
    """Current information about the members of servers."""

    async def presence(self, person_id: PersonId, place: Place) -> Presence | None:
        """Return a person's presence at the table in `place`; None if unknown."""
        ...

    async def may_remove(self, person_ids: Collection[PersonId], place: Place) -> bool:
        """Return True if any of these people can kick or ban members or manage the channel, or if that is unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Discord's answers about the presence of the players of a match.

    `presences` has an entry for each person who was asked about; None means unknown. `has_remover` is True if a player
    who has not left is allowed to remove members, or if that is unknown.
    """

    presences: Mapping[PersonId, Presence | None] = field(default_factory=dict[PersonId, Presence | None])
    has_remover: bool = True

    def of(self, person_id: PersonId | None) -> Presence | None:
        """Return a person's presence; None if unknown."""
        return None if person_id is None else self.presences.get(person_id)

    def have_all_left(self, match: MatchInfo, except_seat: Seat | None = None) -> bool:
        """Return True if all people in the match, except the one in seat `except_seat`, have left."""
        people = [
            player.id for seat, player in enumerate(match.players) if player.computer is None and seat != except_seat
        ]
        return all(self.of(person_id) is Presence.GONE for person_id in people)


UNKNOWN = Whereabouts()


async def ask_whereabouts(members: Members, match: MatchInfo, seats: Iterable[Seat]) -> Whereabouts:
    """Ask Discord if the players of some seats can reach the table.

    If one of them cannot reach the table, ask about all players of the match.
    """
    place = match.place
    if place is None:
        return UNKNOWN
    everybody = [player.id for player in match.players if player.id is not None]
    first = {player.id for seat in seats if (player := match.players[seat]).id is not None}
    presences = await _presences(members, match, place, first)
    if not {Presence.GONE, Presence.SHUT_OUT}.intersection(presences.values()):
        return Whereabouts(presences)
    presences |= await _presences(members, match, place, {*everybody}.difference(first))
    there = [person_id for person_id in everybody if presences[person_id] is not Presence.GONE]
    has_left = len(there) < len(everybody)
    return Whereabouts(presences, has_remover=has_left and await members.may_remove(there, place))


async def _presences(
    members: Members, match: MatchInfo, place: Place, people: Collection[PersonId]
) -> dict[PersonId, Presence | None]:
    answers = await asyncio.gather(*(members.presence(person_id, place) for person_id in people))
    presences = dict(zip(people, answers, strict=True))
    if match.channel_deleted:
        # If the match has no channel, members cannot reach the table.
        return {
            person_id: Presence.GONE if there is Presence.GONE else Presence.SHUT_OUT
            for person_id, there in presences.items()
        }
    return presences
