"""How matches end early and begin again: resigning, claiming, calling off, ending by an admin, and the rematch."""

from __future__ import annotations

from bot.engine.moves import Seat
from bot.play.boards import Board, seat_at
from bot.play.dealer import Dealer
from bot.play.outbox import Change
from bot.play.refusals import MatchRunning, NoMatch, NotSeated, NotWelcome, NotYourTurn, RematchBegun, TooSoon
from bot.play.rulebook import kept_rules
from bot.play.values import ABANDONED_AFTER, OFFER_STANDS, Challengers, MatchCard, MatchStatus, OwnHand, Wish
from bot.store import matches
from bot.store.database import Transaction


class Endings:
    """Ends of matches, and what follows them."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer

    async def resign(self, person_id: int, match_id: int, interaction_id: int) -> OwnHand:
        """Give a match up, whatever the score: it ends, and the one who resigns loses.

        Of two players the other wins; in partners the other team does. With three or four who play for themselves
        there is no result for the others.

        Raises:
            NoMatch: there is no such match.
            NotSeated: the person does not play in it.
            MatchOver: it is over.
        """

        async def work(transaction: Transaction) -> Board:
            board = await self._dealer.running(transaction, match_id)
            return await self._dealer.resign(transaction, board, seat_at(board, person_id), interaction_id)

        return await self._dealer.work_for(person_id, match_id, work, interaction_id)

    async def claim(self, person_id: int, match_id: int, interaction_id: int) -> OwnHand:
        """End a match in which an opponent has kept one waiting for `ABANDONED_AFTER`: it counts as their resignation.

        What that means for the others is the format's: see `resign`. Several boards are waited for one by one; a silent
        partner can be claimed by the other team alone.

        Raises:
            NoMatch: there is no such match.
            NotSeated: the person does not play in it.
            MatchOver: it is over.
            NotYourTurn: nobody keeps the person waiting.
            TooSoon: not so long yet.
        """

        async def work(transaction: Transaction) -> Board:
            board = await self._dealer.running(transaction, match_id)
            seat = seat_at(board, person_id)
            hand = board.hand(seat, self._dealer.clock())
            silent = board.keeps_waiting(seat)
            if silent is None:
                raise NotYourTurn(hand)
            if not hand.may_claim:
                raise TooSoon(board.card, board.changed_at(silent)[1] + ABANDONED_AFTER)
            return await self._dealer.resign(transaction, board, silent, interaction_id)

        return await self._dealer.work_for(person_id, match_id, work, interaction_id)

    async def call_off(self, person_id: int, match_id: int) -> OwnHand:
        """Agree to cancel a match: done once all do, or at once where one may claim it.

        Raises:
            NoMatch: there is no such match.
            NotSeated: the person does not play in it.
            MatchOver: it is over.
        """

        async def work(transaction: Transaction) -> Board:
            board = await self._dealer.running(transaction, match_id)
            seat = seat_at(board, person_id)
            agreed = all(
                other.wants == Wish.CANCEL or other.seat == seat or other.person is None for other in board.row.seats
            )
            if agreed or board.hand(seat, self._dealer.clock()).may_claim:
                return await self._dealer.cancel(transaction, board)
            await matches.set_wish(transaction, match_id, seat, Wish.CANCEL)
            await matches.revise(transaction, match_id)
            return await self._dealer.told(transaction, board, Change(offered=True))

        return await self._dealer.work_for(person_id, match_id, work)

    async def keep_playing(self, person_id: int, match_id: int) -> OwnHand:
        """Take back the offer to cancel a match, or turn the others' down.

        Raises:
            NoMatch: there is no such match.
            NotSeated: the person does not play in it.
            MatchOver: it is over.
        """

        async def work(transaction: Transaction) -> Board:
            board = await self._dealer.running(transaction, match_id)
            seat_at(board, person_id)
            await matches.set_wish(transaction, match_id, None, None)
            await matches.revise(transaction, match_id)
            return await self._dealer.told(transaction, board)

        return await self._dealer.work_for(person_id, match_id, work)

    async def end(self, match_id: int, guild_id: int) -> MatchCard:
        """Cancel a match of a server, on behalf of those who manage it.

        Raises:
            NoMatch: that server has no such match.
            MatchOver: it is over.
        """

        async def work(transaction: Transaction) -> Board:
            board = await self._dealer.running(transaction, match_id)
            if board.row.guild_id != guild_id:
                raise NoMatch(here=False)
            return await self._dealer.cancel(transaction, board)

        return (await self._dealer.work(match_id, work)).card

    async def rematch(self, person_id: int, match_id: int, channel_id: int | None = None) -> MatchCard:
        """Agree to play again by the same rules in the same seats; begun once all do, within `OFFER_STANDS`.

        Args:
            person_id: who agrees.
            match_id: the match that is over.
            channel_id: where to play, if not in the same channel.

        Returns:
            The new match, or the old one with the wishes in it while somebody has not agreed.

        Raises:
            NoMatch: there is no such match.
            NotSeated: the person did not play in it, or somebody who did was forgotten.
            MatchRunning: it is not over.
            RematchBegun: all agreed before.
            NotWelcome: one of the others takes no challenges, and has not offered it themselves.
            ChannelBusy: another match runs in the channel.
        """

        async def work(transaction: Transaction) -> Board:
            board, seat = await self._over(transaction, match_id, person_id)
            row, now = board.row, self._dealer.clock()
            people = [other.person for other in row.seats if other.person is not None]
            if len(people) < len(row.seats):
                raise NotSeated(board.card)
            lapsed = now - row.moved_at >= OFFER_STANDS
            if lapsed:
                await matches.set_wish(transaction, match_id, None, None)
            for other, person in zip(row.seats, people, strict=True):
                offers = other.wants == Wish.REMATCH and not lapsed
                if other.seat != seat and not offers and person.challengers == Challengers.NOBODY:
                    raise NotWelcome(person.id)
            await matches.set_wish(transaction, match_id, seat, Wish.REMATCH)
            await matches.revise(transaction, match_id, moved_at=now)
            old = await self._dealer.told(transaction, board, Change(offered=True))
            if any(other.wants != Wish.REMATCH for other in old.row.seats):
                return old
            where = channel_id or row.channel_id
            ids = [person.id for person in people]
            return await self._dealer.start(transaction, row.guild_id, where, row.system, kept_rules(row.rules), ids)

        return (await self._dealer.work(match_id, work)).card

    async def take_back(self, person_id: int, match_id: int) -> MatchCard:
        """Take back the offer to play again.

        Raises:
            NoMatch: there is no such match.
            NotSeated: the person did not play in it.
            MatchRunning: it is not over.
            RematchBegun: both agreed before.
        """

        async def work(transaction: Transaction) -> Board:
            board, seat = await self._over(transaction, match_id, person_id)
            await matches.set_wish(transaction, match_id, seat, None)
            await matches.revise(transaction, match_id)
            return await self._dealer.told(transaction, board)

        return (await self._dealer.work(match_id, work)).card

    async def _over(self, transaction: Transaction, match_id: int, person_id: int) -> tuple[Board, Seat]:
        """A match that is over and not yet played again, and where a person sat in it."""
        board = await self._dealer.load(transaction, match_id)
        seat = seat_at(board, person_id)
        if board.row.status is MatchStatus.RUNNING:
            raise MatchRunning(board.card)
        if all(other.wants == Wish.REMATCH for other in board.row.seats):
            raise RematchBegun(board.card)
        return board, seat
