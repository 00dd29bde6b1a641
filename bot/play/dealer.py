"""The dealer carries matches on, inside transactions: starts them, writes the log, brings in chance, and has it told.

Every change goes the same way: the match's lock, load, apply, commit with a version check, release; then the courier.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime

from bot.engine.actions import Awaiting
from bot.engine.deal import Deal
from bot.engine.match import Action, Cut, Match, Play, Reshuffle, Shuffle, apply, new_match
from bot.engine.moves import RESIGN, Seat
from bot.engine.rules import Rules
from bot.play.boards import Board, Boards, card_of, seat_at
from bot.play.chance import Chance
from bot.play.outbox import Change, Outbox, tell
from bot.play.refusals import ChannelBusy, Frozen, MatchOver, NoMatch, Refusal, Stale
from bot.play.results import results
from bot.play.values import Ladder, MatchStatus, OwnHand
from bot.store import matches
from bot.store.database import Database, Transaction
from bot.store.rows import MatchRow


class _MovedOn(Exception):  # noqa: N818 - no fault: the transaction is undone, and the person shown the present state
    """The log has grown since the match was loaded, or holds the interaction already."""

    def __init__(self, match_id: int) -> None:
        super().__init__()
        self.match_id = match_id


class Dealer:
    """Changes matches. Methods that take a transaction are steps of a larger piece of work."""

    def __init__(
        self, database: Database, boards: Boards, outbox: Outbox, chance: Chance, clock: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._boards = boards
        self._outbox = outbox
        self._chance = chance
        self.clock = clock

    async def work(self, match_id: int, work: Callable[[Transaction], Awaitable[Board]]) -> Board:
        """Do a piece of work on a match, alone on it; the board that comes of it is committed."""
        async with self._boards.lock(match_id):
            return await self.begin(work)

    async def begin(self, work: Callable[[Transaction], Awaitable[Board]]) -> Board:
        """Do a piece of work that makes a match; the board that comes of it is committed.

        Raises:
            Frozen: the match's server removed the bot.
        """
        board = await self._outbox.write(lambda transaction: _unless_frozen(transaction, work))
        self.dealt(board)
        return board

    def dealt(self, board: Board) -> None:
        """A board of which a piece of work has come is committed."""
        self._boards.keep(board)

    async def work_for(
        self,
        person_id: int,
        match_id: int | None,
        work: Callable[[Transaction], Awaitable[Board]],
        interaction_id: int | None = None,
    ) -> OwnHand:
        """The same for a player, who gets the hand as it is afterwards; None where the work finds the match itself.

        An interaction that comes again after it was served is answered as it was then, and changes nothing.

        Raises:
            Stale: the match moved on in the meantime.
        """
        try:
            board = await (self.begin(work) if match_id is None else self.work(match_id, work))
        except (Refusal, _MovedOn) as reason:
            served = await self._database.read(lambda transaction: self._served(transaction, interaction_id))
            if served is None and isinstance(reason, _MovedOn):
                moved_on = reason.match_id
                board = await self._database.read(lambda transaction: self._boards.load(transaction, moved_on))
                raise Stale(board.hand(seat_at(board, person_id), self.clock())) from None
            if served is None:
                raise
            board = served
        return board.hand(seat_at(board, person_id), self.clock())

    async def _served(self, transaction: Transaction, interaction_id: int | None) -> Board | None:
        """The match that an interaction has changed before; None where it has changed none."""
        match_id = None if interaction_id is None else await matches.caused(transaction, interaction_id)
        return None if match_id is None else await self._boards.load(transaction, match_id)

    async def load(self, transaction: Transaction, match_id: int) -> Board:
        """A match.

        Raises:
            NoMatch: there is none.
        """
        return await self._boards.load(transaction, match_id)

    async def of(self, transaction: Transaction, row: MatchRow) -> Board:
        """The match of a row."""
        return await self._boards.of(transaction, row)

    async def running(self, transaction: Transaction, match_id: int) -> Board:
        """A match that is not over.

        Raises:
            NoMatch: there is none.
            MatchOver: it is over.
        """
        board = await self._boards.load(transaction, match_id)
        if board.row.status is not MatchStatus.RUNNING:
            raise MatchOver(board.card)
        return board

    async def start(
        self,
        transaction: Transaction,
        guild_id: int,
        channel_id: int,
        system: str,
        rules: Rules,
        people: Sequence[int],
    ) -> Board:
        """Begin a match: the cut, and the first deal. The people are by seat.

        Raises:
            ChannelBusy: another match runs in the channel.
        """
        busy = await matches.running_in(transaction, channel_id)
        if busy is not None:
            raise ChannelBusy(card_of(busy))
        values = {"guild_id": guild_id, "channel_id": channel_id, "system": system, "rules": str(rules)}
        values |= {"ladder": Ladder.of(rules)}
        match_id = await matches.create(transaction, values, people, self.clock())
        row = await matches.load(transaction, match_id)
        if row is None:
            raise NoMatch(here=True)
        return await self.advance(transaction, Board(row, new_match(rules, len(people))), [])

    async def advance(
        self,
        transaction: Transaction,
        board: Board,
        actions: Sequence[Action],
        interaction_id: int | None = None,
        *,
        clicked: Seat | None = None,
    ) -> Board:
        """Apply actions, and all that chance must bring after them, and write them to the log.

        Args:
            transaction: the piece of work this is part of.
            board: the match as it is.
            actions: what the players do, in order.
            interaction_id: what caused them.
            clicked: the seat whose own direct message they came from.

        Raises:
            IllegalMove: the rules do not allow one of them; nothing was written.
        """
        before, now = board.match, self.clock()
        steps = list(self._steps(before, actions))
        after = steps[-1][1]
        version = board.row.version
        texts = [str(action) for action, _ in steps]
        if not await matches.append(transaction, board.row.id, version, texts, interaction_id, now):
            raise _MovedOn(board.row.id)
        row = replace(board.row, version=version + len(steps), revision=board.row.revision + 1, moved_at=now)
        ended = range(len(before.finished) + 1, len(after.finished) + 1)
        for place in ended:
            over = next(step for step, (_, match) in enumerate(steps, 1) if len(match.finished) == place)
            outcome = after.finished[place - 1].outcome
            if outcome is not None:
                await matches.add_deal(
                    transaction, row.id, place, outcome.kind, outcome.winner, outcome.points, version + over, now
                )
        if after.score.over:
            await matches.finish(transaction, row.id, results(after), now)
            row = replace(row, status=MatchStatus.FINISHED, ended_at=now)
        touched = _touched(before, after)
        if after.format.boards > 1:
            row = await _moved_seats(transaction, row, [seat for deal in touched for seat in deal.seats])
        board = Board(row, after)
        await tell(transaction, board, _change(before, board, touched, clicked), now)
        return board

    async def resign(self, transaction: Transaction, board: Board, seat: Seat, interaction_id: int | None) -> Board:
        """A seat of a running match gives it up."""
        return await self.advance(transaction, board, [Play(seat, RESIGN)], interaction_id)

    async def cancel(self, transaction: Transaction, board: Board) -> Board:
        """A running match ends and counts for nothing."""
        now = self.clock()
        await matches.set_wish(transaction, board.row.id, None, None)
        await matches.revise(transaction, board.row.id, status=MatchStatus.CANCELLED, ended_at=now)
        return await self.told(transaction, board)

    async def told(self, transaction: Transaction, board: Board, change: Change | None = None) -> Board:
        """The match after a change to its row, which the messages are to show."""
        row = await matches.load(transaction, board.row.id)
        if row is None:
            raise NoMatch(here=False)
        board = Board(row, board.match)
        await tell(transaction, board, change or Change(), self.clock())
        return board

    def _steps(self, match: Match, actions: Sequence[Action]) -> Sequence[tuple[Action, Match]]:
        """Each action with the match after it: the players', then chance's until a player is to act."""
        steps: list[tuple[Action, Match]] = []
        for action in actions:
            match = apply(match, action)
            steps.append((action, match))
        while (awaited := match.awaits) is not None:
            action = self._brought(match, awaited)
            match = apply(match, action)
            steps.append((action, match))
        return steps

    def _brought(self, match: Match, awaited: Awaiting) -> Action:
        if awaited is Awaiting.CUT:
            return Cut(self._chance.cut(match.seats))
        if (waiting := match.reshuffling) is not None:
            return Reshuffle(self._chance.stock(waiting.discards[:-1]))
        due = match.due
        if not due:
            cards = self._chance.cut(match.seats)
            due = match.seatings(Seat(cards.index(min(cards))))
        seating = due[0]
        seats = seating.seats if match.format.says_seats else None
        return Shuffle(seating.number, seating.dealer, self._chance.deck(), seats, seating.board)


async def _unless_frozen(transaction: Transaction, work: Callable[[Transaction], Awaitable[Board]]) -> Board:
    board = await work(transaction)
    if board.row.frozen:
        raise Frozen(board.card)
    return board


def _touched(before: Match, after: Match) -> tuple[Deal, ...]:
    """The deals that have changed, begun or ended."""
    deals = (*after.finished[len(before.finished) :], *after.playing)
    return tuple(deal for deal in deals if not any(deal is one for one in before.playing))


def _change(before: Match, board: Board, touched: Sequence[Deal], clicked: Seat | None) -> Change:
    """What messages must tell of the step from a match to the board after it."""
    known = {(deal.number, deal.board) for deal in before.playing}
    dealt = {deal.to_act for deal in touched if (deal.number, deal.board) not in known}
    return Change(
        boards=tuple(dict.fromkeys(deal.board for deal in touched)),
        began=tuple(seat for seat in board.to_act if seat in dealt or seat not in before.to_act),
        ended=tuple(range(len(before.finished) + 1, len(board.match.finished) + 1)),
        clicked=clicked,
    )


async def _moved_seats(transaction: Transaction, row: MatchRow, seats: Sequence[int]) -> MatchRow:
    """The row of a match of several boards, once it holds that those of these seats have changed."""
    await matches.move_seats(transaction, row.id, seats, row.version, row.moved_at)
    moved = [
        replace(seat, version=row.version, moved_at=row.moved_at) if seat.seat in seats else seat for seat in row.seats
    ]
    return replace(row, seats=tuple(moved))
