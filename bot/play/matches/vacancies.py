"""Vacant seats: at a table of three or four, a computer can take over the seat of a player who lost on time.

The others are asked once. The match continues if they all agree within `VACANCY_TIMEOUT`. Otherwise, it ends.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.engine.deals.moves import LOSE_ON_TIME, Seat
from bot.engine.matches.actions import Replace
from bot.engine.matches.match import apply
from bot.model.ids import InteractionId, MatchId, PersonId
from bot.model.matches import MadeCasual, MatchKind, OwnHand, Proposal
from bot.opponent.play.levels import Level
from bot.play import refusals
from bot.play.clocks.turn_time import time_after_return
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.match_writer import MatchChanged, MatchService, MatchWriter
from bot.play.matches.passing_time import new_turn_columns
from bot.play.outbox.changes import Change, enqueue_lost_seat, withdraw_reminders
from bot.store import matches

TAKEOVER_LEVEL: Final = Level.STRONG
"""The level of computers that take over seats."""


class Vacancies(MatchService):
    """Handles the answers to the question whether a computer should take over a vacant seat.

    Every method can raise `NoMatch`, `NotSeated`, `MatchOver`, `Frozen` or `NotVacant`. It raises `Vacant` if the
    person is the one who lost the seat, and `Stale` if the question was asked at another `version` of the match,
    perhaps about another seat.
    """

    @shielded
    async def play_on(
        self, person_id: PersonId, match_id: MatchId, interaction_id: InteractionId, *, version: int | None = None
    ) -> OwnHand:
        """Agree to play on with a computer. The computer takes over the vacant seat when all players have agreed."""
        try:
            async with self._units.write() as unit:
                loaded, seat = await _load(unit, match_id, person_id, version)
                matches.change_some_seats(unit.transaction, match_id, [seat], proposal=Proposal.REPLACE)
                loaded = await self._writer.revise(unit, loaded, Change(asked_people=frozenset()))
                if not loaded.seats_to_answer:
                    loaded = await _take_over(unit, self._writer, loaded, interaction_id)
                return loaded.hand(seat, unit.now)
        except (refusals.Refusal, MatchChanged) as reason:
            return await self._hand_after_retry(person_id, interaction_id, reason)

    @shielded
    async def end(
        self, person_id: PersonId, match_id: MatchId, interaction_id: InteractionId, *, version: int | None = None
    ) -> OwnHand:
        """End the match instead of playing on: the player who lost the seat has lost on time."""
        try:
            async with self._units.write() as unit:
                loaded, seat = await _load(unit, match_id, person_id, version)
                loaded = await end_vacancy(unit, self._writer, loaded, interaction_id, by=seat)
                return loaded.hand(seat, unit.now)
        except (refusals.Refusal, MatchChanged) as reason:
            return await self._hand_after_retry(person_id, interaction_id, reason)


async def vacate(
    unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, lost_seat: Seat, asked: Collection[Seat]
) -> LoadedMatch:
    """Make a seat that lost on time vacant, and ask the `asked` seats to decide. Nobody can move until they do.

    The people who are not asked are marked as having left the server.
    """
    transaction, loaded_before, clock = unit.transaction, loaded, loaded.info.clock
    match_id, players = loaded.info.id, loaded.info.players
    for seat in loaded.to_act:
        # A live clock keeps the remaining time. Any other clock will restart with its full time.
        time = loaded.turn_time(seat, unit.now) if clock.is_live and seat != lost_seat else None
        left = None if time is None else max(time.left(unit.now), timedelta())
        matches.change_some_seats(transaction, match_id, [seat], **new_turn_columns(left))
    await matches.change_seats(transaction, match_id, proposal=None)
    seats_left = [
        seat for seat, player in enumerate(players) if player.id is not None and seat not in (*asked, lost_seat)
    ]
    if seats_left:
        matches.change_some_seats(transaction, match_id, seats_left, gone_at=unit.now)
    people = (players[seat].id for seat in asked)
    change = Change(asked_people=frozenset(person for person in people if person is not None), notified=(lost_seat,))
    columns = {"vacant_seat": lost_seat, "vacant_at": unit.now, "to_act": 0, "computer_due_at": None}
    loaded = await writer.revise(unit, loaded, change, **columns)
    await withdraw_reminders(unit, loaded_before, loaded_before.to_act)
    return loaded


async def end_vacancy(
    unit: UnitOfWork,
    writer: MatchWriter,
    loaded: LoadedMatch,
    interaction_id: InteractionId | None = None,
    *,
    by: Seat | None,
) -> LoadedMatch:
    """End a match with a vacant seat: its player has lost on time. `by` is the seat that decided, if any."""
    vacant = loaded.info.vacant_seat
    assert vacant is not None
    return await writer.forfeit(unit, loaded, vacant, LOSE_ON_TIME, interaction_id, by=by)


async def _take_over(
    unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, interaction_id: InteractionId
) -> LoadedMatch:
    """Let a computer take over the vacant seat, and restart the clocks of the current turns.

    Raise `MatchChanged` like `MatchWriter.advance`.
    """
    transaction, info, vacant = unit.transaction, loaded.info, loaded.info.vacant_seat
    assert vacant is not None
    action = Replace(vacant)
    state = apply(loaded.state, action)
    to_act = state.to_act
    matches.append(
        transaction,
        info.id,
        info.version,
        [str(action)],
        interaction_id,
        unit.now,
        changed=MatchChanged(info.id),
        computer_is_due=vacant in to_act or bool(info.computer_seats(to_act)),
        to_act=to_act,
        turn_at=info.turn_at,
    )
    seat_columns = {"person_id": None, "leaver_id": info.players[vacant].id, "computer": TAKEOVER_LEVEL}
    personal = {"orders": None, "arranged": None}
    matches.change_some_seats(transaction, info.id, [vacant], **seat_columns, **personal, **new_turn_columns())
    await matches.change_seats(transaction, info.id, proposal=None)
    left = {
        seat: _restart_time(loaded, seat) for seat in to_act if seat != vacant and info.players[seat].id is not None
    }
    agreed_casual = info.kind is MatchKind.CASUAL and info.made_casual is None
    casual = {"kind": MatchKind.CASUAL, "made_casual": None if agreed_casual else MadeCasual.COMPUTER}
    loaded = replace(loaded, state=state)
    change = Change(new_turns=to_act)
    loaded = await writer.restart_turns(unit, loaded, left, change, **casual, vacant_seat=None, vacant_at=None)
    await enqueue_lost_seat(unit, loaded, vacant)
    if loaded.computers_to_act:
        unit.computer_turns.append(info.id)
    return loaded


def _restart_time(loaded: LoadedMatch, seat: Seat) -> timedelta | None:
    """Return the time that a seat has when its turn restarts; None for the full time of the clock."""
    clock, kept = loaded.info.clock, loaded.row.seats[seat].time_left
    return time_after_return(clock, clock.full_time if kept is None else kept) if clock.is_live else None


async def _load(
    unit: UnitOfWork, match_id: MatchId, person_id: PersonId, version: int | None
) -> tuple[LoadedMatch, Seat]:
    """Return a match with a vacant seat, and the seat of a person who may decide."""
    loaded = await unit.load_running(match_id, even_vacant=True)
    seat, vacant = loaded.seat_of(person_id), loaded.info.vacant_seat
    if vacant is None:
        raise refusals.NotVacant(loaded.info)
    if seat == vacant:
        raise refusals.Vacant(loaded.info)
    if version not in (None, loaded.version_for(seat)):
        raise refusals.Stale(loaded.hand(seat, unit.now))
    return loaded, seat
