"""Matches as they are kept: loaded from the log, held while they are worked on, and shown as views.

What is kept in memory is only ever a shortcut: a match by its version, which the database confirms at each use.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from weakref import WeakValueDictionary

from bot.engine.deal import Phase
from bot.engine.match import Match, apply_all, new_match
from bot.engine.moves import Seat
from bot.engine.record import parse_actions
from bot.engine.views import PublicView, SeatView, ShowdownView, public_view, seat_view, showdown_view
from bot.play.refusals import NoMatch, NotSeated
from bot.play.rulebook import kept_rules
from bot.play.values import (
    ABANDONED_AFTER,
    EndPost,
    Look,
    MatchCard,
    MatchStatus,
    Order,
    OwnHand,
    Player,
    ShowdownPost,
    Table,
    Wish,
)
from bot.store import matches
from bot.store.database import Transaction
from bot.store.rows import MatchRow, SeatRow

_KEPT: Final = 512


@dataclass(frozen=True, slots=True)
class Board:
    """A match with its whole state, for the services alone: what they hand out are the views below."""

    row: MatchRow
    match: Match

    @property
    def card(self) -> MatchCard:
        """The match without its cards."""
        return card_of(self.row)

    @property
    def running(self) -> bool:
        """Whether the match goes on."""
        return self.row.status is MatchStatus.RUNNING

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats whose turn it is, one for each board; none once the match is over, be it called off amid a deal."""
        return self.match.to_act if self.running else ()

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that are asked to agree to what another offers: to call the match off, or to play again."""
        wish = Wish.CANCEL if self.running else Wish.REMATCH
        silent = [Seat(seat.seat) for seat in self.row.seats if seat.wants != wish]
        return tuple(silent) if len(silent) < len(self.row.seats) else ()

    def board_of(self, seat: Seat) -> int:
        """The board that a seat plays on now, or played on last."""
        return self.match.deal_of(seat).board

    def changed_at(self, seat: Seat) -> tuple[int, datetime]:
        """The version at which a seat's board changed last, and when that was."""
        row = self.row.seats[seat]
        if row.version is None or row.moved_at is None:
            return self.row.version, self.row.moved_at
        return row.version, row.moved_at

    def keeps_waiting(self, seat: Seat) -> Seat | None:
        """Whose turn an opponent's is that a seat waits for: at its own board, or anywhere while that is done."""
        if seat in self.to_act:
            return None
        here = self.match.deal_of(seat).to_act
        side = next(side for side in self.match.sides if seat in side)
        awaited = self.to_act if here is None else (here,) if here in self.to_act else ()
        others = [other for other in awaited if other not in side]
        return min(others, key=lambda other: self.changed_at(other)[1], default=None)

    def against(self, seat: Seat) -> tuple[Seat, ...]:
        """Whom a seat plays with at its board now."""
        return tuple(other for other in self.match.deal_of(seat).seats if other != seat)

    def table(self, board: int = 1) -> Table:
        """A board of the match as everyone sees it."""
        view = self._public(board)
        return Table(self.card, view, max(self.changed_at(seat)[1] for seat in view.order))

    def hand(self, seat: Seat, now: datetime) -> OwnHand:
        """The match as one seat sees it."""
        awaited = self.keeps_waiting(seat)
        may_claim = awaited is not None and now - self.changed_at(awaited)[1] >= ABANDONED_AFTER
        view = seat_view(self.match, seat)
        moved_at = self.changed_at(seat)[1]
        person, shown = self.row.seats[seat].person, view if self.running else _broken_off(view)
        hand = OwnHand(self.card, shown, moved_at, may_claim, self._last(seat), Look())
        if person is None:
            return hand
        look = Look(person.theme, person.four_colours, person.language)
        return replace(hand, look=look, order=Order(person.hand_order), pictures=person.pictures)

    def showdown(self, place: int) -> ShowdownPost:
        """A finished deal, by its place in the order of ending, from 1."""
        return ShowdownPost(self.card, self._showdown(place))

    def end(self) -> EndPost:
        """All deals of the match, in the order of ending."""
        deals = tuple(self._showdown(place) for place in range(1, len(self.match.finished) + 1))
        return EndPost(self.card, self._public(1), deals)

    @property
    def open_deals(self) -> int:
        """How many finished deals are not of a round still in play, in which other cards are hidden."""
        in_play = {deal.number for deal in self.match.playing}
        return sum(deal.number not in in_play for deal in self.match.finished)

    def _public(self, board: int) -> PublicView:
        view = public_view(self.match, board)
        return view if self.running else replace(view, turn=None, phase=Phase.DONE)

    def _showdown(self, place: int) -> ShowdownView:
        deal = self.match.finished[place - 1]
        return showdown_view(self.match, deal.number, deal.board)

    def _last(self, seat: Seat) -> ShowdownView | None:
        """The last deal that is over at a seat's board, while others are in play."""
        several = self.match.format.boards > 1
        over = [at for at, deal in enumerate(self.match.finished, 1) if seat in deal.seats or not several]
        return self._showdown(over[-1]) if over and self.match.playing else None


class Boards:
    """Loads matches, and lets one piece of work at a time change each."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[int, Match]] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, match_id: int) -> asyncio.Lock:
        """The lock of a match."""
        lock = self._locks.get(match_id)
        if lock is None:
            lock = self._locks[match_id] = asyncio.Lock()
        return lock

    async def load(self, transaction: Transaction, match_id: int) -> Board:
        """A match by its id.

        Raises:
            NoMatch: there is none.
        """
        row = await matches.load(transaction, match_id)
        if row is None:
            raise NoMatch(here=False)
        return await self.of(transaction, row)

    async def of(self, transaction: Transaction, row: MatchRow) -> Board:
        """The match of a row: replayed from its log, unless this version was seen before."""
        kept = self._kept.get(row.id)
        if kept is not None and kept[0] == row.version:
            self._kept.move_to_end(row.id)
            return Board(row, kept[1])
        actions = parse_actions("\n".join(await matches.actions(transaction, row.id)))
        match = apply_all(new_match(kept_rules(row.rules), len(row.seats)), actions)
        board = Board(row, match)
        self.keep(board)
        return board

    def keep(self, board: Board) -> None:
        """Remember a state that is committed."""
        self._kept[board.row.id] = board.row.version, board.match
        self._kept.move_to_end(board.row.id)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def seat_at(board: Board, person_id: int) -> Seat:
    """Where a person sits.

    Raises:
        NotSeated: they do not play in that match.
    """
    seat = board.card.seat_of(person_id)
    if seat is None:
        raise NotSeated(board.card)
    return seat


def card_of(row: MatchRow) -> MatchCard:
    """The match without its cards, from its row."""
    return MatchCard(
        id=row.id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        homeless=row.homeless,
        status=MatchStatus(row.status),
        version=row.version,
        revision=row.revision,
        system=row.system,
        rules=kept_rules(row.rules),
        players=tuple(_player(seat) for seat in row.seats),
        wishes=tuple(None if seat.wants is None else Wish(seat.wants) for seat in row.seats),
        started_at=row.started_at,
        moved_at=row.moved_at,
        ended_at=row.ended_at,
        look=Look(row.theme, row.four_colours, row.language),
    )


def _broken_off(view: SeatView) -> SeatView:
    """What a seat sees of a match that is over: nobody's turn, and nothing to do."""
    return replace(
        view,
        public=replace(view.public, turn=None, phase=Phase.DONE),
        new_card=None,
        discard_choices=(),
        lay_offs=(),
        best_response=None,
        moves=(),
    )


def _player(seat: SeatRow) -> Player:
    return Player(None, None) if seat.person is None else Player(seat.person.id, seat.person.name)
