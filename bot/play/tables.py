"""Where the table of a match stands: posted afresh when asked for, and moved when its channel is gone."""

from __future__ import annotations

from bot.play.boards import Board, card_of
from bot.play.dealer import Dealer
from bot.play.outbox import Change
from bot.play.refusals import ChannelBusy
from bot.play.values import MatchCard
from bot.store import matches
from bot.store.database import Transaction


class Tables:
    """The tables of running matches."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer

    async def show(self, match_id: int, person_id: int, channel_id: int) -> MatchCard:
        """Post the table afresh; a homeless match moves to the channel where one of its players asks.

        Raises:
            NoMatch: there is no such match.
            MatchOver: it is over.
            ChannelBusy: another match runs in the channel it would move to.
        """

        async def work(transaction: Transaction) -> Board:
            board = await self._dealer.running(transaction, match_id)
            if board.row.homeless and board.card.seat_of(person_id) is not None:
                busy = await matches.running_in(transaction, channel_id)
                if busy is not None and busy.id != match_id:
                    raise ChannelBusy(card_of(busy))
                await matches.revise(transaction, match_id, channel_id=channel_id, homeless=False)
            else:
                await matches.revise(transaction, match_id)
            return await self._dealer.told(transaction, board, Change(fresh_table=True))

        return (await self._dealer.work(match_id, work)).card
