"""A match loaded with its whole state. Services use it internally, and return views that are built here."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.errors import GinError
from bot.engine.limits import is_log_full
from bot.engine.matches.match import Match, apply_log, new_match, with_long_deals_resumed
from bot.engine.matches.views import (
    PublicView,
    SeatView,
    ShowdownView,
    has_open_draw,
    public_moves,
    public_view,
    seat_view,
    showdown_view,
)
from bot.engine.records.record import parse_actions
from bot.model.clocks import TimeLeft
from bot.model.daily import DailyScore
from bot.model.ids import ChannelId, MatchId, PersonId
from bot.model.matches import (
    VACANCY_TIMEOUT,
    Card,
    MatchInfo,
    MatchStatus,
    MatchSummary,
    OwnHand,
    Proposal,
    Showdown,
    Table,
)
from bot.model.orders import NO_ORDERS
from bot.model.people import DEFAULT_PREFERENCES
from bot.play.clocks.reckoning import Span, moment_after
from bot.play.clocks.turn_time import TurnTime
from bot.play.loading.arranged_hands import arranged_cards
from bot.play.loading.standing_orders import next_turn, orders_of, planned
from bot.play.refusals import NotSeated
from bot.store import matches
from bot.store.rows import ASKED_TOO_LATE, MatchRow, PersonRow
from bot.store.transaction import Transaction

MAX_CACHED_RUNNING: Final = 512
MAX_CACHED_ENDED: Final = 32
"""Maximum number of finished matches in the cache: people mostly view the latest ones. A match takes up to 70 KB."""


MAX_CONTINUE_WAIT: Final = timedelta(days=7)
"""Time after which a player who asked to continue a paused match may call it off, if the others have not agreed."""


_PHASES_WITH_ORDERS: Final = (Phase.OFFER, Phase.DRAW, Phase.DISCARD)
"""The phases of a deal in which a waiting player may have another turn."""


class UnreadableMatchError(RuntimeError):
    """A match's stored actions cannot be replayed: the database was changed by hand, or the engine has a fault."""


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match's row, its state after all logged actions, and the periods in its current turns when clocks did not run.

    `standstills` are the periods that apply to all seats, and `holidays` are the periods for single people.
    `disconnected_since` is the time at which the shard of the match's server lost its connection; None if the shard is
    connected. These three fields are not loaded, and keep their defaults, in practice matches or if all turns began
    recently. For a finished try at the deal of the day, `daily_streak` is the number of days in a row that its person
    had then finished; otherwise 0. `counts_nowhere`, `daily_price` and `was_down` are as in `OwnHand` for a try that is
    over, and `offers_daily` right after the last move.
    """

    row: MatchRow
    state: Match
    standstills: tuple[Span, ...] = ()
    holidays: Mapping[PersonId, Sequence[Span]] = field(default_factory=dict[PersonId, Sequence[Span]])
    disconnected_since: datetime | None = None
    daily_streak: int = 0
    counts_nowhere: bool = False
    daily_price: int | None = None
    was_down: bool = False
    offers_daily: bool = False
    _turn_times: dict[tuple[Seat, datetime], TurnTime | None] = field(
        default_factory=dict[tuple[Seat, datetime], TurnTime | None], init=False, repr=False, compare=False
    )
    """The results of `turn_time` so far: a move needs each several times."""

    @property
    def info(self) -> MatchInfo:
        """The match without its cards."""
        return self.row.info

    @property
    def is_running(self) -> bool:
        """True if the match is not over."""
        return self.info.status is MatchStatus.RUNNING

    @property
    def absent_people(self) -> list[PersonId]:
        """The players who have left the server or cannot reach the table."""
        seats = [seat for seat in self.row.seats if seat.gone_at is not None or seat.stopped_at is not None]
        return [seat.person.id for seat in seats if seat.person is not None]

    @property
    def final_deal(self) -> int | None:
        """The number of the finished deal whose showdown ended the match; None if no showdown did."""
        over = self.info.status is MatchStatus.FINISHED and self.state.forfeit is None
        return len(self.state.finished) if over else None

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats whose turn it is, one for each board.

        Empty while a seat is vacant, and after the end of the match, even if it ended during a deal.
        """
        return self.state.to_act if self.is_running and self.info.vacant_seat is None else ()

    @property
    def seats_to_answer(self) -> tuple[Seat, ...]:
        """The seats that must still answer a proposal or, if a seat is vacant, whether to play on with a computer."""
        proposed, vacant = self.info.open_proposal, self.info.vacant_seat
        agreeing = [] if proposed is None else self.info.seats_proposing(proposed)
        silent = tuple(
            Seat(seat)
            for seat, player in enumerate(self.info.players)
            if player.computer is None and seat not in agreeing
        )
        if vacant is not None:
            # Players who have left the server are not asked.
            return tuple(seat for seat in silent if seat != vacant and self.row.seats[seat].gone_at is None)
        return silent if agreeing else ()

    @property
    def computers_to_act(self) -> tuple[Seat, ...]:
        """The seats of computers that must move now."""
        return () if self.info.is_paused else self.info.computer_seats(self.to_act)

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

    def hides_draw(self, deal: Deal, viewer: Seat | None) -> bool:
        """Return True if a deal has an open draw that a seat has not seen or, if `viewer` is None, the public."""
        return self.is_running and has_open_draw(deal) and deal.to_act != viewer

    def version_for(self, seat: Seat) -> int:
        """Return the version of a seat's board as its player sees it: without a draw that is hidden from them."""
        return self._version(self.state.deal_of(seat), seat)

    def info_for(self, seat: Seat) -> MatchInfo:
        """Return the match without its cards, with the version of `version_for`."""
        return replace(self.info, version=self.version_for(seat))

    def public_info(self, board: int = 1) -> MatchInfo:
        """Return the match without its cards, with the version of a board as everyone sees it."""
        return replace(self.info, version=self._version(self.state.deal_on(board), None))

    def _version(self, deal: Deal, viewer: Seat | None) -> int:
        return self.changed_at(deal.seats[0])[0] - self.hides_draw(deal, viewer)

    def awaited_by(self, seat: Seat) -> Seat | None:
        """Return the opponent that a seat waits for, if any.

        That is an opponent on the seat's own board or, once the deal there is over, on any board.
        """
        if seat in self.to_act:
            return None
        own_board_seat = self.state.deal_of(seat).to_act
        side = next(side for side in self.state.sides if seat in side)
        awaited = self.to_act if own_board_seat is None else (own_board_seat,) if own_board_seat in self.to_act else ()
        opponents = [other for other in awaited if other not in side]
        return min(opponents, key=lambda other: self.changed_at(other)[1], default=None)

    def with_seat(self, seat: Seat, **values: Any) -> LoadedMatch:
        """Return the match with changed values in the row of a seat."""
        seats = tuple(replace(row, **values) if row.seat == seat else row for row in self.row.seats)
        return replace(self, row=replace(self.row, seats=seats))

    def turn_started_at(self, seat: Seat) -> datetime:
        """Return the start of the current turn of a seat."""
        return self.row.seats[seat].turn_at or self.info.turn_at or self.info.moved_at

    def turn_time(self, seat: Seat, now: datetime) -> TurnTime | None:
        """Return the clock of a seat. Return None if it is not the seat's turn, or if its clock never runs."""
        if (seat, now) not in self._turn_times:
            self._turn_times[seat, now] = self._new_turn_time(seat, now)
        return self._turn_times[seat, now]

    def _new_turn_time(self, seat: Seat, now: datetime) -> TurnTime | None:
        row, clock = self.row.seats[seat], self.info.clock
        if row.person is None or seat not in self.to_act or not self.info.has_time(seat):
            return None
        outages = self.row.unavailable_since, self.disconnected_since
        standstills = self._all_standstills(now) + ([] if clock.is_live else self._holidays_of(row.person))
        return TurnTime(
            clock=clock,
            since=self.turn_started_at(seat),
            allowance=clock.full_time if row.time_left is None else row.time_left,
            standstills=tuple(standstills),
            is_stopped=self.info.is_paused or row.stopped_at is not None,
            preferences=row.person.preferences,
            is_cut_off=any(since is not None for since in outages),
            reminders=row.reminders,
            reminded_at=row.reminded_at,
            nudged_at=row.nudged_at,
            used_up_at=row.used_up_at,
            stopped_at=None if self.info.is_paused else row.stopped_at,
            has_left_server=row.gone_at is not None,
        )

    def _all_standstills(self, now: datetime) -> list[Span]:
        """Return the standstills that apply to all seats, including current ones."""
        ongoing = self.row.left_at, self.row.unavailable_since, self.disconnected_since
        return [*self.standstills, *((since, now) for since in ongoing if since is not None)]

    def _holidays_of(self, person: PersonRow) -> list[Span]:
        """Return the holidays of a player, including the current one."""
        known = [*self.holidays.get(person.id, ())]
        if person.away_from is not None and person.away_until is not None:
            known.append((person.away_from, person.away_until))
        return known

    def next_due(self, now: datetime) -> datetime | None:
        """Return the time at which the timekeeper must check the match next; None if no check is planned.

        Return None while the server is unavailable or has removed the bot: the match is checked after that.
        """
        if self.row.is_frozen or self.row.unavailable_since is not None:
            return None
        if self.info.vacant_at is not None:
            return moment_after(self.info.vacant_at, VACANCY_TIMEOUT, self._all_standstills(now))
        if self.info.is_paused:
            asked = [self._may_give_up_at(Seat(row.seat), now) for row in self.row.seats]
            return min((at for at in asked if at is not None and at > now), default=None)
        times = [self.turn_time(seat, now) for seat in self.to_act]
        moments = [time.next_due(now) for time in times if time is not None]
        return min((at for at in moments if at is not None), default=None)

    def time_left(self, seat: Seat, now: datetime) -> TimeLeft | None:
        """Return a seat's remaining time as everyone can see it.

        Return None if the seat has no clock. A clock per turn is only shown during the seat's turn, or while its player
        is on holiday.
        """
        row, time, live = self.row.seats[seat], self.turn_time(seat, now), self.info.clock.is_live
        away_until = None if row.person is None or live else row.person.away_until
        if time is not None:
            return time.time_left(now, away_until)
        away_until = None if away_until is None or away_until <= now else away_until
        if not self.info.has_time(seat) or not (live or away_until is not None):
            return None
        return TimeLeft(self.info.clock.full_time if row.time_left is None else row.time_left, None, away_until)

    def may_be_claimed(self, seat: Seat, now: datetime) -> bool:
        """Return True if waiting players can claim the match: a seat has no time left, and they were notified of it.

        Return False while the seat's player cannot reach the table.
        """
        time = self.turn_time(seat, now)
        if time is None or time.is_stopped or time.is_cut_off:
            return False
        return time.used_up_at is not None and time.left(now) <= timedelta()

    def may_call_off(self, seat: Seat, now: datetime) -> bool:
        """Return True if a player may call the match off alone.

        They may if they can claim the match, if another player has been unable to reach the table for too long, or if
        they asked to continue a paused match and the others have not agreed for too long.
        """
        if not self.is_running:
            return False
        if self.info.is_paused:
            return self.was_kept_waiting(seat, now)
        return self.may_claim(seat, now) or any(other != seat for other in self.unreachable(now))

    def may_claim(self, seat: Seat, now: datetime) -> bool:
        """Return True if a player is waiting for an opponent who has no time left."""
        awaited = self.awaited_by(seat)
        is_on = self.is_running and not self.info.is_paused
        return is_on and awaited is not None and self.may_be_claimed(awaited, now)

    def unreachable(self, now: datetime) -> tuple[Seat, ...]:
        """Return the seats whose players have been unable to reach the table for too long."""
        times = {seat: self.turn_time(seat, now) for seat in self.to_act}
        return tuple(seat for seat, time in times.items() if time is not None and time.may_call_off(now))

    def was_kept_waiting(self, seat: Seat, now: datetime) -> bool:
        """Return True if a player asked to continue a paused match, and has waited for the others for too long."""
        at = self._may_give_up_at(seat, now)
        return at is not None and at <= now

    def _may_give_up_at(self, seat: Seat, now: datetime) -> datetime | None:
        """Return the time from which a player may call a paused match off; None if they did not ask to continue it.

        This is `MAX_CONTINUE_WAIT` after their request, not counting holidays of players who still have to agree.
        """
        asked_at = self.row.seats[seat].continue_asked_at
        if not self.info.is_paused or asked_at is None:
            return None
        standstills = self._all_standstills(now)
        for row in self.row.seats:
            is_asked = row.seat != seat and self.info.proposals[row.seat] is not Proposal.CONTINUE
            if is_asked and row.person is not None:
                standstills += self._holidays_of(row.person)
        return moment_after(asked_at, MAX_CONTINUE_WAIT, standstills)

    def table(self, board: int, now: datetime) -> Table:
        """Return the public table of one of the match's boards."""
        view = self._public(board)
        moved_at = max(self.changed_at(seat)[1] for seat in view.seats)
        return Table(self.public_info(board), view, moved_at, self._times(view.seats, now))

    def card(self) -> Card:
        """Return the match as its card shows it."""
        return Card(self.public_info(), self._public(1))

    def _times(self, seats: Sequence[Seat], now: datetime) -> dict[Seat, TimeLeft]:
        """Return the result of `time_left` for some seats. Empty while a seat is vacant: no clock matters then."""
        shown = self.is_running and self.info.vacant_seat is None
        times = {seat: self.time_left(seat, now) for seat in seats} if shown else {}
        return {seat: time for seat, time in times.items() if time is not None}

    def hand(self, seat: Seat, now: datetime) -> OwnHand:
        """Return the hand of a seat: the match as its player sees it.

        The hand of a deal of the day has no showdowns: the computer's cards stay sealed until the day is over.
        """
        awaited, row = self.awaited_by(seat), self.row.seats[seat]
        view, is_playable = seat_view(self.state, seat), self.is_running and not self.info.is_halted
        view = view if is_playable else _without_turn(view)
        if awaited is not None and not (is_playable and self.info.has_time(awaited)):
            awaited = None
        seats = view.public.seats if awaited in (None, *view.public.seats) else (*view.public.seats, awaited)
        return OwnHand(
            match=self.info_for(seat),
            view=view,
            moved_at=self.changed_at(seat)[1],
            may_claim=self.may_claim(seat, now),
            last_deal=self._last_deal(seat),
            unseen_deal=self.unseen_deal(seat),
            preferences=DEFAULT_PREFERENCES if row.person is None else row.person.preferences,
            dm_channel_id=hand_channel(row.person),
            times_left=self._times(seats, now),
            awaited_seat=awaited,
            may_nudge=awaited is not None and self.may_be_nudged(awaited, now),
            daily_score=None if self.is_running or self.info.day is None else DailyScore.of(self.state),
            daily_streak=self.daily_streak,
            counts_nowhere=self.counts_nowhere,
            daily_price=self.daily_price,
            was_down=self.was_down,
            finished_deals=len(self.state.finished),
            may_call_off=self.may_call_off(seat, now),
            may_take_back=is_playable and self.may_take_back(seat),
            may_not_ask_again=is_playable and self._may_not_ask_again(seat),
            asked_too_late=row.asked_back == ASKED_TOO_LATE and view.public.phase is not Phase.DONE,
            drew_before_request=view.is_to_act and view.public.phase is Phase.DISCARD and self._has_late_request,
            orders=orders_of(self.state, row).wanted if (turn := self.next_turn(seat)) is not None else NO_ORDERS,
            next_turn=turn,
            planned=planned(self.state, row, view),
            arranged=arranged_cards(self.state, row),
            other_turns=0 if view.is_to_act else row.other_turns,
            offers_daily=self.offers_daily,
        )

    def next_turn(self, seat: Seat) -> str | None:
        """Identify the next turn of a player who waits for another person's move; None if no orders are possible."""
        info, deal = self.info, self.state.deal_of(seat)
        is_waiting = self.is_running and not info.is_halted and seat not in self.to_act
        plays = seat in deal.seats and deal.phase in _PHASES_WITH_ORDERS
        is_possible = is_waiting and plays and not info.is_alone(seat) and self.row.seats[seat].person is not None
        return next_turn(deal, seat) if is_possible else None

    def may_take_back(self, seat: Seat) -> bool:
        """Return True if a seat's player may ask the others to let them take their last discard back, once in a deal.

        The answer depends only on moves that the player knows. The next player may have drawn a card by now.
        """
        return self._is_discard_open(seat) and not self._has_asked_back(seat)

    def _may_not_ask_again(self, seat: Seat) -> bool:
        """Return True if a player could ask for their last discard, but did so before without getting it back."""
        has_taken_back = seat in self.state.deal_of(seat).taken_back
        return self._is_discard_open(seat) and self._has_asked_back(seat) and not has_taken_back

    def _has_asked_back(self, seat: Seat) -> bool:
        return abs(self.row.seats[seat].asked_back or 0) == self.state.deal_of(seat).number

    def _is_discard_open(self, seat: Seat) -> bool:
        """Return True if a seat's player could ask for their last discard, unless they have asked in this deal."""
        deal = self.state.deal_of(seat)
        others = [row.person for row in self.row.seats if row.seat != seat]
        if not self.is_running or self.info.open_proposal is not None:
            return False
        if not all(other is not None and other.preferences.take_backs for other in others):
            return False
        seen = public_moves(deal)
        if self.hides_draw(deal, seat):
            seen = seen[:-1]
        elif deal.phase not in (Phase.DRAW, Phase.WALL):
            return False
        is_last = bool(seen) and (seen[-1].seat, seen[-1].verb) == (seat, Verb.DISCARD)
        return is_last and not deal.follows_reshuffle

    @property
    def _has_late_request(self) -> bool:
        """True if a player asks to take a discard back, but the next player had already drawn a card."""
        asking = self.info.seats_proposing(Proposal.TAKE_BACK)
        return any((self.row.seats[seat].asked_back or 0) < 0 for seat in asking)

    def may_be_nudged(self, seat: Seat, now: datetime) -> bool:
        """Return True if it is time for a nudge to a seat's player, by the opponents who are waiting for them.

        If the player wants no nudges, the button *Nudge* is shown all the same. Otherwise a person whom they have
        blocked would see the difference.
        """
        time = self.turn_time(seat, now)
        return time is not None and time.may_be_nudged(now)

    def finished_number(self, number: int, board: int | None = None) -> int:
        """Return the position of a deal among the finished deals, in the order in which they ended. 0 if unknown."""
        finished = enumerate(self.state.finished, 1)
        return next((at for at, deal in finished if deal.number == number and board in (None, deal.board)), 0)

    def showdown(self, number: int) -> Showdown:
        """Return the finished deal with this number. Deals are numbered from 1, in the order in which they ended."""
        return Showdown(self.public_info(), self._showdown(number))

    def summary(self) -> MatchSummary:
        """Return all finished deals and the score."""
        deals = tuple(self._showdown(number) for number in range(1, len(self.state.finished) + 1))
        seeds, called_off = self.state.seeds, self.info.status is MatchStatus.CANCELLED
        used_up = called_off and seeds is not None and seeds.is_used_up
        full = called_off and not self.state.playing and is_log_full(self.info.version)
        return MatchSummary(self.public_info(), self._public(1), deals, used_up, full)

    def _public(self, board: int) -> PublicView:
        view = public_view(self.state, board)
        if not self.is_running:
            return replace(view, turn=None, phase=Phase.DONE)
        # The table of a halted match still shows the deal, but nobody's turn.
        return replace(view, turn=None) if self.info.is_halted else view

    def _showdown(self, number: int) -> ShowdownView:
        deal = self.state.finished[number - 1]
        return showdown_view(self.state, deal.number, deal.board)

    def _last_deal(self, seat: Seat) -> ShowdownView | None:
        """Return the last finished deal at a seat's board."""
        numbers = self._finished_at_board_of(seat)
        return self._showdown(numbers[-1]) if numbers else None

    def unseen_deal(self, seat: Seat) -> ShowdownView | None:
        """Return the first finished deal at a seat's board whose showdown the player has not seen."""
        seen = self.row.seats[seat].seen_deal
        if not self.is_running or seen >= len(self.state.finished):
            return None
        unseen = [number for number in self._finished_at_board_of(seat) if number > seen]
        return self._showdown(unseen[0]) if unseen else None

    def _finished_at_board_of(self, seat: Seat) -> list[int]:
        """Return the numbers of the finished deals at a seat's board, in the order in which they ended.

        Return none in a deal of the day: its hand must not show a showdown.
        """
        if self.info.day is not None:
            return []
        has_boards = self.state.format.boards > 1
        return [number for number, deal in enumerate(self.state.finished, 1) if seat in deal.seats or not has_boards]


def hand_channel(person: PersonRow | None) -> ChannelId | None:
    """Return the direct message channel for a person's hands; None if they get no hands by direct message."""
    return dm_channel(person) if person is not None and person.preferences.hand_by_dm else None


def dm_channel(person: PersonRow | None) -> ChannelId | None:
    """Return the direct message channel with a person; None if none is open."""
    return None if person is None or person.dm_closed_at is not None else person.dm_channel_id


def _without_turn(view: SeatView) -> SeatView:
    """Return a seat's view of a finished or halted match, with no turn and no possible action."""
    public = replace(view.public, turn=None, phase=Phase.DONE)
    return replace(view, public=public, new_card=None, discard_choices=(), lay_offs=(), best_response=None, moves=())


class MatchCache:
    """A cache of loaded matches.

    The version of a match and the time of that version are compared with the database at each use. The version alone is
    not enough: a database that lost commits, for example after a failover to a lagging replica, might have other moves
    with the same version numbers.
    """

    def __init__(self) -> None:
        self._running: OrderedDict[MatchId, LoadedMatch] = OrderedDict()
        self._ended: OrderedDict[MatchId, LoadedMatch] = OrderedDict()

    async def restore(self, transaction: Transaction, row: MatchRow, *, in_thread: bool = False) -> LoadedMatch:
        """Return the match of a row. Replay its log unless its state is cached.

        With `in_thread`, replay without blocking the event loop, and do not cache the state: an export of many matches
        would push the matches in play out of the cache.
        """
        info = row.info
        known = self._running if info.status is MatchStatus.RUNNING else self._ended
        cached = known.get(info.id)
        if cached is not None and _version_key(cached.info) == _version_key(info):
            known.move_to_end(info.id)
            return LoadedMatch(row, cached.state)
        log = await matches.actions(transaction, info.id)
        if in_thread:
            return LoadedMatch(row, await asyncio.to_thread(replay, info, log))
        loaded = LoadedMatch(row, replay(info, log))
        self.save(loaded)
        return loaded

    def save(self, loaded: LoadedMatch) -> None:
        """Cache a match, after it was committed."""
        self._running.pop(loaded.info.id, None)
        known, max_size = (self._running, MAX_CACHED_RUNNING) if loaded.is_running else (self._ended, MAX_CACHED_ENDED)
        known[loaded.info.id] = loaded
        known.move_to_end(loaded.info.id)
        if len(known) > max_size:
            known.popitem(last=False)

    def latest(self, match_id: MatchId) -> LoadedMatch | None:
        """Return a running match as it was when last loaded or changed here; None if it is not in the cache."""
        return self._running.get(match_id)

    def latest_of(self, person_id: PersonId, channel_id: ChannelId | None) -> list[LoadedMatch]:
        """Return the running matches of a person in a channel that are in the cache, as `latest` does."""
        return [
            loaded
            for loaded in self._running.values()
            if loaded.info.channel_id == channel_id and loaded.info.seat_of(person_id) is not None
        ]


def _version_key(info: MatchInfo) -> tuple[int, datetime]:
    """Return the version of a match and the time of that version, with the database's precision."""
    return info.version, info.moved_at.replace(microsecond=info.moved_at.microsecond // 1000 * 1000)


def replay(info: MatchInfo, log: Sequence[str]) -> Match:
    """Return the state of a match after the actions in its log. Raise `UnreadableMatchError`."""
    try:
        match = apply_log(new_match(info.rules, len(info.players)), parse_actions("\n".join(log)))
    except GinError as error:
        # Leave out the error's text: it lists legal moves, which would reveal a hand when this message is logged.
        raise UnreadableMatchError(f"the actions of match {info.id} cannot be replayed: {error.code}") from None
    # A log from before the turn limit was introduced can end in the middle of a deal that exceeds it. Let that deal
    # continue, and do not shuffle for the next one.
    return with_long_deals_resumed(match) if info.status is MatchStatus.RUNNING and match.awaits is not None else match
