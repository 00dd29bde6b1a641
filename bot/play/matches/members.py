"""Where the players of a match are. Discord is asked before a transaction that depends on the answer."""

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
    """Current information about the members of servers."""

    async def presence(self, person_id: PersonId, place: Place) -> Presence | None:
        """Return a person's presence, that is, if they can reach a table in a channel; None if unknown."""
        ...

    async def may_remove(self, person_ids: Collection[PersonId], place: Place) -> bool:
        """Return True if any of these people may kick or ban members, or manage the channel, or if that is unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The answers about the players of a match.

    `presences` contains the people who were asked about, with None for unknown. `remover_is_there` is True if a player
    who has not left may remove members, or if that is unknown.
    """

    presences: Mapping[PersonId, Presence | None] = field(default_factory=dict[PersonId, Presence | None])
    remover_is_there: bool = True

    def of(self, person_id: PersonId | None) -> Presence | None:
        """Return where a person is; None if that is unknown."""
        return None if person_id is None else self.presences.get(person_id)

    def all_gone(self, match: MatchInfo, but: Seat | None = None) -> bool:
        """Return True if all people in the match, except the one in seat `but`, have left."""
        people = [player.id for seat, player in enumerate(match.players) if player.computer is None and seat != but]
        return all(self.of(person_id) is Presence.GONE for person_id in people)


UNKNOWN = Whereabouts()


async def ask_about(members: Members, match: MatchInfo, seats: Iterable[Seat]) -> Whereabouts:
    """Ask where the players of some seats are. If one cannot reach the table, ask about all players of the match."""
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
        # Without a channel, members cannot reach the table.
        return {one: Presence.GONE if there is Presence.GONE else Presence.SHUT_OUT for one, there in found.items()}
    return found
