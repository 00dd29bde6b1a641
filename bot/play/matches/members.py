"""Where the players of a match are: asked of Discord before a transaction that depends on it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bot.engine.moves import Seat
from bot.values.guilds import Place
from bot.values.ids import PersonId
from bot.values.matches import MatchInfo
from bot.values.presence import Presence


class Members(Protocol):
    """Answers about the members of servers, as they are now."""

    async def presence(self, person_id: PersonId, place: Place) -> Presence | None:
        """Return whether a person can reach a table in a channel; None if nobody can say."""
        ...

    async def may_remove(self, person_ids: Collection[PersonId], place: Place) -> bool:
        """Return whether any of these people may kick or ban members, or manage the channel; True if nobody can say."""
        ...


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The answers about the players of a match.

    `presences` has those who were asked about, None where nobody could say. `remover_is_there` is True if one of the
    players who are still there may remove members, or if that is not known.
    """

    presences: Mapping[PersonId, Presence | None] = field(default_factory=dict[PersonId, Presence | None])
    remover_is_there: bool = True

    def of(self, person_id: PersonId | None) -> Presence | None:
        """Return where a person is; None if that is not known."""
        return None if person_id is None else self.presences.get(person_id)

    def all_gone(self, match: MatchInfo, but: Seat | None = None) -> bool:
        """Return whether every person in the match has left, or every person `but` the one in a seat."""
        people = [player.id for seat, player in enumerate(match.players) if player.computer is None and seat != but]
        return all(self.of(person_id) is Presence.GONE for person_id in people)


UNKNOWN = Whereabouts()


async def ask_about(members: Members, match: MatchInfo, seats: Iterable[Seat]) -> Whereabouts:
    """Ask where the players of some seats are. If one cannot reach the table, ask about everybody in the match."""
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
    return Whereabouts(presences, remover_is_there=has_left and await members.may_remove(there, place))


async def _presences(
    members: Members, match: MatchInfo, place: Place, people: Collection[PersonId]
) -> dict[PersonId, Presence | None]:
    answers = await asyncio.gather(*(members.presence(person_id, place) for person_id in people))
    found = dict(zip(people, answers, strict=True))
    if match.channel_deleted:
        # Members cannot reach a table without a channel.
        return {one: Presence.GONE if there is Presence.GONE else Presence.SHUT_OUT for one, there in found.items()}
    return found
