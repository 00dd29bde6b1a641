"""What people may ask about matches: which one they mean, the table, their own hand, the score sheet."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.play.boards import Boards, card_of, seat_at
from bot.play.refusals import NoMatch, NotSeated, WhichMatch
from bot.play.values import EndPost, MatchCard, OwnHand, Table
from bot.store import matches
from bot.store.database import Database, Transaction
from bot.store.rows import MatchRow


class Lookup:
    """Questions about matches; nothing here changes any."""

    def __init__(self, database: Database, boards: Boards, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._boards = boards
        self._clock = clock

    async def meant_by(self, person_id: int, channel_id: int | None) -> MatchCard:
        """The match that a player's command means: the channel's, else the person's only running one.

        Raises:
            NotSeated: the channel's match is played by others, and the person plays nowhere.
            WhichMatch: the person plays several elsewhere.
            NoMatch: there is none.
        """

        async def work(transaction: Transaction) -> MatchCard:
            return card_of(await meant(transaction, person_id, channel_id))

        return await self._database.read(work)

    async def in_channel(self, channel_id: int) -> MatchCard | None:
        """The match that runs in a channel."""

        async def work(transaction: Transaction) -> MatchCard | None:
            row = await matches.running_in(transaction, channel_id)
            return None if row is None else card_of(row)

        return await self._database.read(work)

    async def last_in(self, channel_id: int, person_id: int) -> MatchCard:
        """The match that a rematch in a channel would follow.

        Raises:
            NoMatch: none has ended there.
            NotSeated: others played it.
        """

        async def work(transaction: Transaction) -> MatchCard:
            row = await matches.last_in(transaction, channel_id)
            if row is None:
                raise NoMatch(here=True)
            if card_of(row).seat_of(person_id) is None:
                raise NotSeated(card_of(row))
            return card_of(row)

        return await self._database.read(work)

    async def table(self, match_id: int, board: int = 1) -> Table:
        """A board of a match as everyone sees it.

        Raises:
            NoMatch: there is no such match.
            LookupError: it has no such board.
        """

        async def work(transaction: Transaction) -> Table:
            return (await self._boards.load(transaction, match_id)).table(board)

        return await self._database.read(work)

    async def sheet(self, match_id: int) -> EndPost:
        """The deals of a match so far, and what they add up to.

        Raises:
            NoMatch: there is no such match.
        """

        async def work(transaction: Transaction) -> EndPost:
            return (await self._boards.load(transaction, match_id)).end()

        return await self._database.read(work)

    async def hand(self, person_id: int, match_id: int) -> OwnHand:
        """A match as one of its players sees it.

        Raises:
            NoMatch: there is no such match.
            NotSeated: the person does not play in it.
        """

        async def work(transaction: Transaction) -> OwnHand:
            board = await self._boards.load(transaction, match_id)
            return board.hand(seat_at(board, person_id), self._clock())

        return await self._database.read(work)

    async def hands(self, person_id: int) -> tuple[OwnHand, ...]:
        """Every running match of a person, as they see it; oldest first."""

        async def work(transaction: Transaction) -> tuple[OwnHand, ...]:
            rows = await matches.running_of(transaction, person_id)
            boards = [await self._boards.of(transaction, row) for row in rows]
            return tuple(board.hand(seat_at(board, person_id), self._clock()) for board in boards)

        return await self._database.read(work)


async def meant(transaction: Transaction, person_id: int, channel_id: int | None) -> MatchRow:
    """Within a transaction: the match that a player's command means; see `Lookup.meant_by`."""
    here = None if channel_id is None else await matches.running_in(transaction, channel_id)
    if here is not None and card_of(here).seat_of(person_id) is not None:
        return here
    theirs = await matches.running_of(transaction, person_id)
    if len(theirs) == 1:
        return theirs[0]
    if theirs:
        raise WhichMatch(tuple(map(card_of, theirs)))
    if here is not None:
        raise NotSeated(card_of(here))
    raise NoMatch(here=channel_id is not None)
