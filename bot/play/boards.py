"""Matches as they are kept: loaded from the log, held while they are worked on, and shown as views.

What is kept in memory is only ever a shortcut: a match by its version, which the database confirms at each use.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final
from weakref import WeakValueDictionary

from bot.engine.match import Match, apply_all, new_match
from bot.engine.moves import Seat
from bot.engine.record import parse_actions
from bot.engine.rules import Rules
from bot.engine.views import public_view, seat_view, showdown_view
from bot.play.refusals import NoMatch, NotSeated
from bot.play.values import (
    ABANDONED_AFTER,
    EndPost,
    MatchCard,
    MatchStatus,
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
    def to_act(self) -> Seat | None:
        """The seat whose turn it is; None once the match is over, be it called off amid a deal."""
        return self.match.to_act if self.row.status is MatchStatus.RUNNING else None

    def table(self) -> Table:
        """The match as everyone sees it."""
        return Table(self.card, public_view(self.match))

    def hand(self, seat: Seat, now: datetime) -> OwnHand:
        """The match as one seat sees it."""
        idle = now - self.row.moved_at >= ABANDONED_AFTER
        waiting = self.to_act is not None and self.to_act != seat
        played = len(self.match.finished)
        last = showdown_view(self.match, played) if played and self.match.deal is not None else None
        return OwnHand(self.card, seat_view(self.match, seat), idle and waiting, last)

    def showdown(self, number: int) -> ShowdownPost:
        """A finished deal."""
        return ShowdownPost(self.card, showdown_view(self.match, number))

    def end(self) -> EndPost:
        """All deals of the match."""
        deals = tuple(showdown_view(self.match, number) for number in range(1, len(self.match.finished) + 1))
        return EndPost(self.card, public_view(self.match), deals)


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
        match = apply_all(new_match(Rules.parse(row.rules), len(row.seats)), actions)
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
        rules=_rules(row.rules),
        players=tuple(_player(seat) for seat in row.seats),
        wishes=tuple(None if seat.wants is None else Wish(seat.wants) for seat in row.seats),
        started_at=row.started_at,
        moved_at=row.moved_at,
        ended_at=row.ended_at,
    )


@lru_cache(maxsize=64)
def _rules(text: str) -> Rules:
    """Rules from their text; a server's matches are mostly played by the same few."""
    return Rules.parse(text)


def _player(seat: SeatRow) -> Player:
    return Player(None, None) if seat.person is None else Player(seat.person.id, seat.person.name)
