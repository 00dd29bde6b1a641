"""A match with its whole state. Only services use it. They return views of it, which are built here."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.engine.deal import Phase
from bot.engine.errors import GinError
from bot.engine.limits import is_full
from bot.engine.match import Match, apply_log, new_match, without_limit
from bot.engine.moves import Seat
from bot.engine.record import parse_actions
from bot.engine.views import PublicView, SeatView, ShowdownView, public_view, seat_view, showdown_view
from bot.play.clocks.reckoning import Span, moment_after
from bot.play.clocks.turn_time import TurnTime
from bot.play.refusals import NotSeated
from bot.store import matches
from bot.store.rows import MatchRow, PersonRow
from bot.store.transaction import Transaction
from bot.values.clocks import TimeLeft
from bot.values.ids import ChannelId, MatchId, PersonId
from bot.values.matches import VACANT_FOR, MatchInfo, MatchStatus, MatchSummary, OwnHand, Proposal, Showdown, Table
from bot.values.people import DEFAULT_PREFERENCES

CACHED_RUNNING: Final = 512
CACHED_ENDED: Final = 32
"""Maximum number of cached matches, each up to 70 KB. Of the finished ones, people mostly look at the latest."""


MAX_PAUSED_FOR: Final = timedelta(days=7)
"""Maximum wait for a player who asked to continue a paused match. After it, they may call the match off."""


class UnreadableMatchError(RuntimeError):
    """A match's stored actions cannot be replayed: the database was changed by hand, or the engine has a fault."""


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match's row, the state after its log, and the standstills of its clocks during the current turns.

    `still` applies to all seats, `holidays` to the people in them. `disconnected_since` is the time at which the shard
    of the match's server was last connected, if it is disconnected. None of these is loaded if all turns have just
    begun.
    """

    row: MatchRow
    state: Match
    still: tuple[Span, ...] = ()
    holidays: Mapping[PersonId, Sequence[Span]] = field(default_factory=dict[PersonId, Sequence[Span]])
    disconnected_since: datetime | None = None

    @property
    def info(self) -> MatchInfo:
        """The match without its cards."""
        return self.row.info

    @property
    def running(self) -> bool:
        """True if the match is not over."""
        return self.info.status is MatchStatus.RUNNING

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats whose turn it is, one for each board.

        Empty while a seat is vacant, and after the end of the match, even if it ended during a deal.
        """
        return self.state.to_act if self.running and self.info.vacant_seat is None else ()

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that have not answered yet: a proposal of another player, or the question about a vacant seat."""
        proposed, vacant = self.info.proposed, self.info.vacant_seat
        agreeing = [] if proposed is None else self.info.proposing(proposed)
        silent = tuple(
            Seat(seat)
            for seat, player in enumerate(self.info.players)
            if player.computer is None and seat not in agreeing
        )
        if vacant is not None:
            # Players who have left the server have no say.
            return tuple(seat for seat in silent if seat != vacant and self.row.seats[seat].gone_at is None)
        return silent if agreeing else ()

    @property
    def computers_to_act(self) -> tuple[Seat, ...]:
        """The seats of computers that must move now."""
        return () if self.info.paused else self.info.computers_among(self.to_act)

    def seat_of(self, person_id: PersonId) -> Seat:
        """Return a person's seat. Raise `NotSeated`."""
        seat = self.info.seat_of(person_id)
        if seat is None:
            raise NotSeated(self.info)
        return seat

    def changed_at(self, seat: Seat) -> tuple[int, datetime]:
        """Return the version and time of the last change of a seat's board."""
        row = self.row.seats[seat]
        if row.version is None or row.moved_at is None:
            return self.info.version, self.info.moved_at
        return row.version, row.moved_at

    def awaited_by(self, seat: Seat) -> Seat | None:
        """Return the opponent that a seat waits for: at its own board, or at any board if its own is finished."""
        if seat in self.to_act:
            return None
        here = self.state.deal_of(seat).to_act
        side = next(side for side in self.state.sides if seat in side)
        awaited = self.to_act if here is None else (here,) if here in self.to_act else ()
        opponents = [other for other in awaited if other not in side]
        return min(opponents, key=lambda other: self.changed_at(other)[1], default=None)

    def with_seat(self, seat: Seat, **values: Any) -> LoadedMatch:
        """Return the match with changed values in the row of a seat."""
        seats = tuple(replace(row, **values) if row.seat == seat else row for row in self.row.seats)
        return replace(self, row=replace(self.row, seats=seats))

    def turn_began(self, seat: Seat) -> datetime:
        """Return the start of the current turn of a seat."""
        return self.row.seats[seat].turn_at or self.info.turn_at or self.info.moved_at

    def turn_time(self, seat: Seat, now: datetime) -> TurnTime | None:
        """Return the clock of a seat. Return None if it is not the seat's turn, or if its clock never runs."""
        row, clock = self.row.seats[seat], self.info.clock
        if row.person is None or seat not in self.to_act or not self.info.has_time(seat):
            return None
        outages = self.row.unavailable_since, self.disconnected_since
        still = self._standstills(now) + ([] if clock.live else self._holidays_of(row.person))
        return TurnTime(
            clock=clock,
            since=self.turn_began(seat),
            allowance=clock.full if row.time_left is None else row.time_left,
            still=tuple(still),
            stopped=self.info.paused or row.stopped_at is not None,
            preferences=row.person.preferences,
            cut_off=any(since is not None for since in outages),
            reminders=row.reminders,
            reminded_at=row.reminded_at,
            nudged_at=row.nudged_at,
            used_up_at=row.used_up_at,
            stopped_at=None if self.info.paused else row.stopped_at,
            gone=row.gone_at is not None,
        )

    def _standstills(self, now: datetime) -> list[Span]:
        """Return the standstills for every seat, including those that have not ended."""
        ongoing = self.row.left_at, self.row.unavailable_since, self.disconnected_since
        return [*self.still, *((since, now) for since in ongoing if since is not None)]

    def _holidays_of(self, person: PersonRow) -> list[Span]:
        """Return the holidays of a player, including one that has not ended."""
        known = [*self.holidays.get(person.id, ())]
        if person.away_from is not None and person.away_until is not None:
            known.append((person.away_from, person.away_until))
        return known

    def next_due(self, now: datetime) -> datetime | None:
        """Return the time at which the timekeeper must check the match next; None if it need not.

        When a server returns or becomes available again, all its matches are checked.
        """
        if self.row.frozen or self.row.unavailable_since is not None:
            return None
        if self.info.vacant_at is not None:
            return moment_after(self.info.vacant_at, VACANT_FOR, self._standstills(now))
        if self.info.paused:
            asked = [self._may_give_up_at(Seat(row.seat), now) for row in self.row.seats]
            return min((at for at in asked if at is not None and at > now), default=None)
        times = [self.turn_time(seat, now) for seat in self.to_act]
        moments = [time.next_due(now) for time in times if time is not None]
        return min((at for at in moments if at is not None), default=None)

    def time_left(self, seat: Seat, now: datetime) -> TimeLeft | None:
        """Return the public view of a seat's clock.

        Return None if the seat has no clock. A clock per turn is only shown during the seat's turn, or while its player
        is on holiday.
        """
        row, time, live = self.row.seats[seat], self.turn_time(seat, now), self.info.clock.live
        away_until = None if row.person is None or live else row.person.away_until
        if time is not None:
            return time.time_left(now, away_until)
        away_until = None if away_until is None or away_until <= now else away_until
        if not self.info.has_time(seat) or not (live or away_until is not None):
            return None
        return TimeLeft(self.info.clock.full if row.time_left is None else row.time_left, None, away_until)

    def may_be_claimed(self, seat: Seat, now: datetime) -> bool:
        """Return True if a seat has used up its time, and the timekeeper has notified the waiting players.

        This is False while the seat's player cannot reach the table.
        """
        time = self.turn_time(seat, now)
        if time is None or time.stopped or time.cut_off:
            return False
        return time.used_up_at is not None and time.left(now) <= timedelta()

    def may_call_off(self, seat: Seat, now: datetime) -> bool:
        """Return True if a player may call the match off alone.

        They may if they can claim it, if another player could not reach the table for too long, or if nobody answered
        when they asked to continue a paused match.
        """
        if not self.running:
            return False
        if self.info.paused:
            return self.was_kept_waiting(seat, now)
        return self.may_claim(seat, now) or any(other != seat for other in self.unreachable(now))

    def may_claim(self, seat: Seat, now: datetime) -> bool:
        """Return True if a player is waiting for an opponent who has no time left."""
        awaited = self.awaited_by(seat)
        is_on = self.running and not self.info.paused
        return is_on and awaited is not None and self.may_be_claimed(awaited, now)

    def unreachable(self, now: datetime) -> tuple[Seat, ...]:
        """Return the seats whose players could not reach the table for too long."""
        times = {seat: self.turn_time(seat, now) for seat in self.to_act}
        return tuple(seat for seat, time in times.items() if time is not None and time.may_call_off(now))

    def was_kept_waiting(self, seat: Seat, now: datetime) -> bool:
        """Return True if a player asked to continue a paused match, and has waited long enough for the others."""
        at = self._may_give_up_at(seat, now)
        return at is not None and at <= now

    def _may_give_up_at(self, seat: Seat, now: datetime) -> datetime | None:
        """Return the time from which a player may call a paused match off; None if they did not ask to continue it.

        The holidays of players who have not agreed are not counted, as in a turn.
        """
        asked_at = self.row.seats[seat].continue_asked_at
        if not self.info.paused or asked_at is None:
            return None
        still = self._standstills(now)
        for row in self.row.seats:
            is_asked = row.seat != seat and self.info.proposals[row.seat] is not Proposal.CONTINUE
            if is_asked and row.person is not None:
                still += self._holidays_of(row.person)
        return moment_after(asked_at, MAX_PAUSED_FOR, still)

    def table(self, board: int, now: datetime) -> Table:
        """Return the public view of a board."""
        view = self._public(board)
        moved_at = max(self.changed_at(seat)[1] for seat in view.seats)
        return Table(self.info, view, moved_at, self._times(view.seats, now))

    def _times(self, seats: Sequence[Seat], now: datetime) -> dict[Seat, TimeLeft]:
        """Return the public clocks of some seats. Empty while a seat is vacant, because no clock matters then."""
        shown = self.running and self.info.vacant_seat is None
        times = {seat: self.time_left(seat, now) for seat in seats} if shown else {}
        return {seat: time for seat, time in times.items() if time is not None}

    def hand(self, seat: Seat, now: datetime) -> OwnHand:
        """Return the match as one seat sees it."""
        awaited, person = self.awaited_by(seat), self.row.seats[seat].person
        view, goes_on = seat_view(self.state, seat), self.running and not self.info.halted
        if awaited is not None and not (goes_on and self.info.has_time(awaited)):
            awaited = None
        seats = view.public.seats if awaited in (None, *view.public.seats) else (*view.public.seats, awaited)
        return OwnHand(
            match=self.info,
            view=view if goes_on else _without_turn(view),
            moved_at=self.changed_at(seat)[1],
            may_claim=self.may_claim(seat, now),
            last_deal=self._last_deal(seat),
            preferences=DEFAULT_PREFERENCES if person is None else person.preferences,
            dm_channel_id=hand_channel(person),
            times=self._times(seats, now),
            awaited=awaited,
            may_nudge=awaited is not None and self.may_be_nudged(awaited, now),
            deals_over=len(self.state.finished),
            may_call_off=self.may_call_off(seat, now),
        )

    def may_be_nudged(self, seat: Seat, now: datetime) -> bool:
        """Return True if players who wait for a seat may nudge it."""
        time = self.turn_time(seat, now)
        return time is not None and time.may_be_nudged(now)

    def showdown(self, place: int) -> Showdown:
        """Return the n-th finished deal, from 1, in order of ending."""
        return Showdown(self.info, self._showdown(place))

    def summary(self) -> MatchSummary:
        """Return all finished deals."""
        deals = tuple(self._showdown(place) for place in range(1, len(self.state.finished) + 1))
        seeds, called_off = self.state.seeds, self.info.status is MatchStatus.CANCELLED
        used_up = called_off and seeds is not None and seeds.used_up
        full = called_off and not self.state.playing and is_full(self.info.version)
        return MatchSummary(self.info, self._public(1), deals, used_up, full)

    def _public(self, board: int) -> PublicView:
        view = public_view(self.state, board)
        if not self.running:
            return replace(view, turn=None, phase=Phase.DONE)
        # The table of a halted match still shows the deal.
        return replace(view, turn=None) if self.info.halted else view

    def _showdown(self, place: int) -> ShowdownView:
        deal = self.state.finished[place - 1]
        return showdown_view(self.state, deal.number, deal.board)

    def _last_deal(self, seat: Seat) -> ShowdownView | None:
        """Return the last finished deal at a seat's board."""
        several = self.state.format.boards > 1
        places = [place for place, deal in enumerate(self.state.finished, 1) if seat in deal.seats or not several]
        return self._showdown(places[-1]) if places else None


def hand_channel(person: PersonRow | None) -> ChannelId | None:
    """Return the channel for a person's hand by direct message; None if they do not get it."""
    if person is None or person.dm_closed_at is not None or not person.preferences.hand_by_dm:
        return None
    return person.dm_channel_id


def _without_turn(view: SeatView) -> SeatView:
    """Return a seat's view of a finished or halted match, with no turn and no possible action."""
    public = replace(view.public, turn=None, phase=Phase.DONE)
    return replace(view, public=public, new_card=None, discard_choices=(), lay_offs=(), best_response=None, moves=())


class MatchCache:
    """A cache of match states, each with its version and the time of that version.

    Both are compared with the database at each use. The version alone is not enough: a database that lost commits, for
    example after a failover to a lagging replica, has other moves with the same numbers.
    """

    def __init__(self) -> None:
        self._running: OrderedDict[MatchId, tuple[int, datetime, Match]] = OrderedDict()
        self._ended: OrderedDict[MatchId, tuple[int, datetime, Match]] = OrderedDict()

    async def restore(self, transaction: Transaction, row: MatchRow, *, in_thread: bool = False) -> LoadedMatch:
        """Return the match of a row. Replay its log unless its state is cached.

        With `in_thread`, replay in a thread, because a long match would block the event loop, and cache nothing,
        because an export would evict all matches in play.
        """
        info = row.info
        states = self._running if info.status is MatchStatus.RUNNING else self._ended
        cached = states.get(info.id)
        if cached is not None and cached[:2] == _reached(info):
            states.move_to_end(info.id)
            return LoadedMatch(row, cached[2])
        log = await matches.actions(transaction, info.id)
        if in_thread:
            return LoadedMatch(row, await asyncio.to_thread(replayed, info, log))
        loaded = LoadedMatch(row, replayed(info, log))
        self.save(loaded)
        return loaded

    def save(self, loaded: LoadedMatch) -> None:
        """Cache a committed state."""
        self._running.pop(loaded.info.id, None)
        states, most = (self._running, CACHED_RUNNING) if loaded.running else (self._ended, CACHED_ENDED)
        states[loaded.info.id] = *_reached(loaded.info), loaded.state
        states.move_to_end(loaded.info.id)
        if len(states) > most:
            states.popitem(last=False)


def _reached(info: MatchInfo) -> tuple[int, datetime]:
    """Return the version of a match and its time, in the database's precision."""
    return info.version, info.moved_at.replace(microsecond=info.moved_at.microsecond // 1000 * 1000)


def replayed(info: MatchInfo, log: Sequence[str]) -> Match:
    """Return the state after a log. Raise `UnreadableMatchError`."""
    try:
        match = apply_log(new_match(info.rules, len(info.players)), parse_actions("\n".join(log)))
    except GinError as error:
        # The error's text lists legal moves, which reveal a hand, and this text is logged.
        raise UnreadableMatchError(f"the actions of match {info.id} cannot be replayed: {error.code}") from None
    # A running match never waits for cards, unless its log is older than the limit on turns.
    return without_limit(match) if info.status is MatchStatus.RUNNING and match.awaits is not None else match
