"""Pauses by agreement: clocks stop, the channel becomes free, and the match resumes when all agree."""

from __future__ import annotations

from datetime import timedelta

from bot.engine.deals.moves import Seat
from bot.model.clocks import TimeChange
from bot.model.guilds import Place
from bot.model.ids import ChannelId, MatchId, PersonId
from bot.model.matches import OwnHand, Proposal
from bot.play import refusals
from bot.play.clocks.turn_time import time_after_return
from bot.play.guilds.guilds import require_allowed_channel
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.match_writer import MatchService
from bot.play.matches.passing_time import new_turn_columns
from bot.play.matches.proposals import propose
from bot.play.outbox.changes import Change, withdraw_reminders
from bot.store import clocks, matches


class Pauses(MatchService):
    """Pauses and resumes matches.

    Every method can raise `NoMatch`, `NotSeated`, `MatchOver`, `Frozen` or `Vacant`, in addition to the errors that its
    own docstring names.
    """

    @shielded
    async def pause(
        self, person_id: PersonId, match_id: MatchId, *, quiet: bool = False, is_answer: bool = False
    ) -> OwnHand:
        """Agree to pause a match. It is paused when all agree. Raise `Paused` if it is already paused.

        The first proposal notifies the other players, within a rate limit, unless `quiet` is True. With `is_answer`,
        only agree to an existing proposal: raise `NoOffer` if it no longer exists.
        """
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            seat = loaded.seat_of(person_id)
            if loaded.info.is_paused:
                raise refusals.Paused(loaded.info)
            if is_answer and not loaded.info.seats_proposing(Proposal.PAUSE):
                raise refusals.NoOffer(loaded.info)
            loaded = await propose(unit, self._writer, loaded, seat, Proposal.PAUSE, quiet=quiet)
            if not loaded.seats_to_answer:
                loaded_before = loaded
                for turn_seat in loaded.to_act:
                    # The remaining time is kept until the match resumes.
                    if (time := loaded.turn_time(turn_seat, unit.now)) is not None:
                        left = max(time.left(unit.now), timedelta())
                        matches.change_some_seats(unit.transaction, match_id, [turn_seat], **new_turn_columns(left))
                await matches.change_seats(unit.transaction, match_id, proposal=None)
                await clocks.add_change(unit.transaction, match_id, None, TimeChange.PAUSE, timedelta(), unit.now)
                loaded = await self._writer.revise(unit, loaded, paused_at=unit.now)
                await withdraw_reminders(unit, loaded_before, loaded_before.to_act)
            return loaded.hand(seat, unit.now)

    @shielded
    async def resume(
        self,
        person_id: PersonId,
        match_id: MatchId,
        channel_id: ChannelId | None = None,
        parent_id: ChannelId | None = None,
        *,
        quiet: bool = False,
        is_answer: bool = False,
        agrees_only: bool = False,
    ) -> OwnHand:
        """Agree to resume a paused match. It resumes when all agree. See `pause`.

        With `agrees_only`, the match stays paused even when all agree, so that the caller can first find a channel.
        `channel_id` is the channel to play in, if it changes; `parent_id` is its parent channel if it is a thread.
        Raise `NotPaused`, `NoOffer`, `WrongChannel` or `ChannelBusy`.
        """
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            seat, place = loaded.seat_of(person_id), loaded.info.place
            if not loaded.info.is_paused or place is None:
                raise refusals.NotPaused(loaded.info)
            if is_answer and not loaded.info.seats_proposing(Proposal.CONTINUE):
                raise refusals.NoOffer(loaded.info)
            loaded = await propose(unit, self._writer, loaded, seat, Proposal.CONTINUE, quiet=quiet)
            if loaded.seats_to_answer or agrees_only:
                return loaded.hand(seat, unit.now)
            new_place = Place(place.guild_id, channel_id or place.channel_id, parent_id)
            await _require_free_channel(unit, new_place)
            await matches.change_seats(unit.transaction, match_id, proposal=None, continue_asked_at=None)
            clock, left = loaded.info.clock, dict[Seat, timedelta | None]()
            for turn_seat in loaded.to_act:
                if (time := loaded.turn_time(turn_seat, unit.now)) is not None:
                    left[turn_seat] = time_after_return(clock, time.allowance)
                    span = (left[turn_seat] or clock.full_time) - time.allowance
                    await clocks.add_change(unit.transaction, match_id, turn_seat, TimeChange.CONTINUE, span, unit.now)
            loaded = await self._writer.restart_turns(
                unit,
                loaded,
                left,
                Change(new_turns=loaded.to_act, repost_table=True),
                paused_at=None,
                channel_id=new_place.channel_id,
                channel_deleted=False,
            )
            if loaded.computers_to_act:
                unit.computer_turns.append(match_id)
            return loaded.hand(seat, unit.now)


async def _require_free_channel(unit: UnitOfWork, place: Place) -> None:
    """Check that a match may be played in a channel. Raise `WrongChannel` or `ChannelBusy`."""
    await require_allowed_channel(unit, place)
    if (busy := await matches.running_in(unit.transaction, place.channel_id)) is not None:
        raise refusals.ChannelBusy(busy.info)
