"""Losses on time, by a clock or a claim. All losses on time go through `lose_on_time`."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.deals.moves import LOSE_ON_TIME, Seat
from bot.model.ids import InteractionId
from bot.model.matches import MadeCasual, MatchKind
from bot.model.presence import Presence
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.matches.match_writer import MatchWriter
from bot.play.matches.members import Whereabouts
from bot.play.matches.vacancies import vacate
from bot.store import matches


async def lose_on_time(
    unit: UnitOfWork,
    writer: MatchWriter,
    loaded: LoadedMatch,
    seat: Seat,
    whereabouts: Whereabouts,
    interaction_id: InteractionId | None = None,
    *,
    by: Seat | None,
) -> LoadedMatch:
    """Make a seat of a running match lose on time. `by` is the seat that claims it; None if the clock ran out.

    If the clock ends a match that all players have left, call the match off instead. If the seat's player has left, and
    another player is allowed to remove members, make the match casual: nobody should win by removing an opponent.
    `whereabouts` are Discord's latest answers about the players. At a table of three or four, the match does not end
    yet: the seat becomes vacant, and the other players who have not left decide whether a computer takes it over.

    Raises:
        MatchChanged: the match has changed since it was loaded. The unit of work cannot be completed.
    """
    if by is None and whereabouts.have_all_left(loaded.info):
        return await writer.cancel(unit, loaded, by=None)
    if _has_left(loaded, seat, whereabouts) and whereabouts.has_remover:
        loaded = await _make_casual(unit, loaded, MadeCasual.REMOVER)
    asked = _people_to_ask(loaded, seat, whereabouts)
    if len(loaded.info.players) > 2 and asked:
        return await vacate(unit, writer, loaded, seat, asked)
    return await writer.forfeit(unit, loaded, seat, LOSE_ON_TIME, interaction_id, by=by)


def _people_to_ask(loaded: LoadedMatch, lost: Seat, whereabouts: Whereabouts) -> tuple[Seat, ...]:
    """Return the seats of the people to ask if a computer should take over `lost`, the seat that loses on time.

    All other people in the match are asked, except those who have left the server.
    """
    people = [(Seat(seat), player.id) for seat, player in enumerate(loaded.info.players) if player.id is not None]
    return tuple(seat for seat, person in people if seat != lost and whereabouts.of(person) is not Presence.GONE)


def _has_left(loaded: LoadedMatch, seat: Seat, whereabouts: Whereabouts) -> bool:
    """Return True if the seat's player has left the server. If `whereabouts` does not say, use the database."""
    presence = whereabouts.of(loaded.info.players[seat].id)
    return presence is Presence.GONE or (presence is None and loaded.row.seats[seat].gone_at is not None)


async def _make_casual(unit: UnitOfWork, loaded: LoadedMatch, reason: MadeCasual) -> LoadedMatch:
    """Make a standard match casual, so that it does not count in standings and records."""
    if loaded.info.kind is not MatchKind.STANDARD:
        return loaded
    await matches.make_casual(unit.transaction, loaded.info.id, reason)
    info = replace(loaded.info, kind=MatchKind.CASUAL, made_casual=reason)
    return replace(loaded, row=replace(loaded.row, info=info))
