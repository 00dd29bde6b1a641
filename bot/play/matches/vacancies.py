"""Vacant seats: at a table of three or four, a computer can take over the seat of a player who lost on time.

The others are asked once. The match continues if they all agree within `VACANT_FOR`. Otherwise, it ends.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.engine.actions import Replace
from bot.engine.match import apply
from bot.engine.moves import TIME, Seat
from bot.opponent.levels import Level
from bot.play import refusals
from bot.play.clocks.turn_time import left_to_go_on
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.match_writer import MatchService, MatchWriter, MovedOn
from bot.play.matches.passing_time import new_turn
from bot.play.outbox.changes import Change, enqueue_lost_seat, withdraw_reminders
from bot.store import matches
from bot.values.ids import InteractionId, MatchId, PersonId
from bot.values.matches import MadeCasual, MatchKind, OwnHand, Proposal

LEVEL: Final = Level.STRONG
"""The level of computers that take over seats."""


class Vacancies(MatchService):
    """Answers to the question whether a computer should take over a vacant seat.

    Every method may raise `NoMatch`, `NotSeated`, `MatchOver`, `Frozen` or `NotVacant`. Raise `Vacant` to the player
    who lost the seat, and `Stale` if the question was about another seat, at another `version` of the match.
    """

    @shielded
    async def play_on(
        self, person_id: PersonId, match_id: MatchId, interaction_id: InteractionId, *, version: int | None = None
    ) -> OwnHand:
        """Agree to play on with a computer. It takes over the seat when all have agreed."""
        try:
            async with self._units.write() as unit:
                loaded, seat = await _load(unit, match_id, person_id, version)
                await matches.change_seats(unit.transaction, match_id, [seat], proposal=Proposal.REPLACE)
                loaded = await self._writer.revise(unit, loaded, Change(asks=frozenset()))
                if not loaded.asked:
                    loaded = await _take_over(unit, self._writer, loaded, interaction_id)
                return await unit.hand(loaded, seat)
        except (refusals.Refusal, MovedOn) as reason:
            return await self._answer_again(person_id, interaction_id, reason)

    @shielded
    async def end(
        self, person_id: PersonId, match_id: MatchId, interaction_id: InteractionId, *, version: int | None = None
    ) -> OwnHand:
        """End the match instead of playing on: the player who lost the seat has lost on time."""
        try:
            async with self._units.write() as unit:
                loaded, seat = await _load(unit, match_id, person_id, version)
                loaded = await end_vacancy(unit, self._writer, loaded, interaction_id, by=seat)
                return await unit.hand(loaded, seat)
        except (refusals.Refusal, MovedOn) as reason:
            return await self._answer_again(person_id, interaction_id, reason)


async def vacate(
    unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, lost: Seat, asked: Collection[Seat]
) -> LoadedMatch:
    """Make a seat that lost on time vacant, and ask the `asked` seats to decide. Nobody can move until they do.

    People who are not asked have left the server.
    """
    transaction, was, clock = unit.transaction, loaded, loaded.info.clock
    match_id, players = loaded.info.id, loaded.info.players
    for seat in loaded.to_act:
        # A live clock keeps the remaining time. Any other clock will restart with its full time.
        time = loaded.turn_time(seat, unit.now) if clock.live and seat != lost else None
        left = None if time is None else max(time.left(unit.now), timedelta())
        await matches.change_seats(transaction, match_id, [seat], **new_turn(left))
    await matches.change_seats(transaction, match_id, proposal=None)
    gone = [seat for seat, player in enumerate(players) if player.id is not None and seat not in (*asked, lost)]
    if gone:
        await matches.change_seats(transaction, match_id, gone, gone_at=unit.now)
    people = (players[seat].id for seat in asked)
    change = Change(asks=frozenset(one for one in people if one is not None), called=(lost,))
    halted = {"vacant_seat": lost, "vacant_at": unit.now, "to_act": 0, "computer_due_at": None}
    loaded = await writer.revise(unit, loaded, change, **halted)
    await withdraw_reminders(unit, was, was.to_act)
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
    return await writer.forfeit(unit, loaded, vacant, TIME, interaction_id, by=by)


async def _take_over(
    unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, interaction_id: InteractionId
) -> LoadedMatch:
    """Let a computer take over the vacant seat, and restart all turns. Raise `MovedOn` like `MatchWriter.advance`."""
    transaction, info, vacant = unit.transaction, loaded.info, loaded.info.vacant_seat
    assert vacant is not None
    action = Replace(vacant)
    state = apply(loaded.state, action)
    to_act = state.to_act
    saved = await matches.append(
        transaction,
        info.id,
        info.version,
        [str(action)],
        interaction_id,
        unit.now,
        computer_is_due=vacant in to_act or bool(info.computers_among(to_act)),
        to_act=to_act,
        turn_at=info.turn_at,
    )
    if not saved:
        raise MovedOn(info.id)
    taken = {"person_id": None, "leaver_id": info.players[vacant].id, "computer": LEVEL}
    await matches.change_seats(transaction, info.id, [vacant], **taken, **new_turn())
    await matches.change_seats(transaction, info.id, proposal=None)
    left = {seat: _left(loaded, seat) for seat in to_act if seat != vacant and info.players[seat].id is not None}
    agreed_casual = info.kind is MatchKind.CASUAL and info.made_casual is None
    casual = {"kind": MatchKind.CASUAL, "made_casual": None if agreed_casual else MadeCasual.COMPUTER}
    loaded = replace(loaded, state=state)
    change = Change(turn_began=to_act)
    loaded = await writer.begin_turns(unit, loaded, left, change, **casual, vacant_seat=None, vacant_at=None)
    await enqueue_lost_seat(unit, loaded, vacant)
    if loaded.computers_to_act:
        unit.computers_called.append(info.id)
    return loaded


def _left(loaded: LoadedMatch, seat: Seat) -> timedelta | None:
    """Return the time of a seat whose turn restarts. None means the full time of the clock."""
    clock, kept = loaded.info.clock, loaded.row.seats[seat].time_left
    return left_to_go_on(clock, clock.full if kept is None else kept) if clock.live else None


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
    if version not in (None, loaded.info.version):
        raise refusals.Stale(loaded.hand(seat, unit.now))
    return loaded, seat
