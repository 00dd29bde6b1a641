"""Actions of waiting players other than claiming: giving time, and nudging."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.engine.deals.moves import Seat
from bot.model.clocks import TimeChange
from bot.model.ids import MatchId, PersonId
from bot.model.matches import OwnHand
from bot.play import refusals
from bot.play.clocks.turn_time import TurnTime
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.match_writer import MatchService
from bot.play.outbox.changes import Change, update_reminder
from bot.store import blocks, clocks, matches

MAX_TIME_LEFT: Final = timedelta(days=30)
MAX_TIME_LEFT_LIVE: Final = timedelta(hours=3)
"""Remaining time above which a player with a live clock cannot be given more time."""


class Times(MatchService):
    """Actions of waiting players that concern the awaited player's clock.

    Every method can raise `NoMatch`, `NotSeated`, `MatchOver`, `Frozen`, `Paused` or `Vacant`, in addition to the
    errors that its own docstring names.
    """

    @shielded
    async def give(self, person_id: PersonId, match_id: MatchId) -> OwnHand:
        """Add `Clock.gift` to the awaited player's time. Raise `NoTimeToGive` or `TooMuchTime`."""
        async with self._units.write() as unit:
            loaded, seat = await _load(unit, match_id, person_id)
            awaited, clock = loaded.awaited_by(seat), loaded.info.clock
            time = None if awaited is None else loaded.turn_time(awaited, unit.now)
            if awaited is None or time is None or clock.time is None:
                raise refusals.NoTimeToGive(loaded.info)
            if time.left(unit.now) > (MAX_TIME_LEFT_LIVE if clock.is_live else MAX_TIME_LEFT):
                raise refusals.TooMuchTime(loaded.info)
            # If the player has exceeded their time, the excess is not deducted from the gift: they get the full gift.
            allowance = max(time.allowance, time.running_time(unit.now)) + clock.gift
            extended = replace(time, allowance=allowance)
            values = {"time_left": allowance, "used_up_at": None, "reminders": extended.reminders_due(unit.now)}
            matches.change_some_seats(unit.transaction, match_id, [awaited], **values)
            await clocks.add_change(
                unit.transaction, match_id, awaited, TimeChange.GIFT, allowance - time.allowance, unit.now
            )
            loaded = await self._writer.revise(unit, loaded)
            await update_reminder(unit, loaded, awaited)
            return loaded.hand(seat, unit.now)

    @shielded
    async def nudge(self, person_id: PersonId, match_id: MatchId) -> OwnHand:
        """Remind the awaited player, after their quiet hours if necessary. Raise `NotYourTurn` or `NoNudge`."""
        async with self._units.write() as unit:
            loaded, seat = await _load(unit, match_id, person_id)
            awaited = loaded.awaited_by(seat)
            time = None if awaited is None else loaded.turn_time(awaited, unit.now)
            if awaited is None or time is None:
                raise refusals.NotYourTurn(loaded.hand(seat, unit.now))
            if (reason := await _nudge_refusal(unit, time, loaded.info.players[awaited].id, person_id)) is not None:
                raise refusals.NoNudge(loaded.info, reason, awaited)
            matches.change_some_seats(unit.transaction, match_id, [awaited], nudged_at=unit.now)
            # No board changes: a nudge only shows in the reminder.
            loaded = await self._writer.revise(unit, loaded, Change(boards=()))
            return loaded.hand(seat, unit.now)


async def _load(unit: UnitOfWork, match_id: MatchId, person_id: PersonId) -> tuple[LoadedMatch, Seat]:
    """Return a running match that is not paused, and a person's seat."""
    loaded = await unit.load_running(match_id)
    seat = loaded.seat_of(person_id)
    if loaded.info.is_paused:
        raise refusals.Paused(loaded.info)
    return loaded, seat


async def _nudge_refusal(
    unit: UnitOfWork, time: TurnTime, awaited_id: PersonId | None, person_id: PersonId
) -> refusals.NudgeRefusal | None:
    """Return the reason why a person cannot nudge the awaited player; None if they can.

    A block has the same reason as the preference against nudges, so that a blocked person does not learn of it.
    """
    is_blocked = awaited_id is not None and person_id in await blocks.blocked_by(unit.transaction, awaited_id)
    if is_blocked or not time.preferences.nudges:
        return refusals.NudgeRefusal.UNWANTED
    if time.may_be_nudged(unit.now):
        return None
    away = time.has_left_server or time.is_standing_still(unit.now)
    return refusals.NudgeRefusal.AWAY if away else refusals.NudgeRefusal.TOO_SOON
