"""A player's move: checked against the table as it is, written to the log, and answered with the hand after it."""

from __future__ import annotations

from bot.engine.cards import Card
from bot.engine.errors import IllegalMove
from bot.engine.match import Play, canonical_action
from bot.engine.moves import Move, Seat, knock
from bot.play.boards import Board, seat_at
from bot.play.dealer import Dealer
from bot.play.lookup import meant
from bot.play.refusals import Illegal, MatchOver, NotYourTurn, Stale
from bot.play.values import Ask, MatchStatus, OwnHand
from bot.store.database import Transaction


class Turns:
    """Moves in running matches."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer

    async def move(
        self,
        person_id: int,
        match_id: int,
        move: Move | Ask,
        interaction_id: int,
        *,
        version: int | None = None,
        in_own_message: bool = False,
    ) -> OwnHand:
        """Make a move, and give the hand as it is after it.

        Args:
            person_id: who moves.
            match_id: in which match.
            move: the move, or `Ask.GIN` for a knock with a discard that leaves nothing.
            interaction_id: what caused it; the same one never moves twice, and gets the same answer again.
            version: the state that the person saw, where that is known.
            in_own_message: the click came from the player's own direct message, which its answer brings up to date.

        Raises:
            NoMatch: there is no such match.
            NotSeated: the person does not play in it.
            MatchOver: it is over.
            Stale: the table has moved on from that version.
            NotYourTurn: another seat is to act.
            Illegal: the rules do not allow it.
        """

        async def work(transaction: Transaction) -> Board:
            board = await self._dealer.load(transaction, match_id)
            seat = seat_at(board, person_id)
            if board.row.status is not MatchStatus.RUNNING:
                raise MatchOver(board.card)
            if version is not None and version != board.row.version:
                raise Stale(board.hand(seat, self._dealer.clock()))
            clicked = seat if in_own_message else None
            return await self._made(transaction, board, seat, move, interaction_id, clicked)

        return await self._dealer.work_for(person_id, match_id, work, interaction_id)

    async def command(self, person_id: int, channel_id: int | None, move: Move | Ask, interaction_id: int) -> OwnHand:
        """Make a move in the match that a command in a channel means, and give the hand as it is after it.

        Raises:
            NoMatch, WhichMatch, NotSeated: no one match is meant; see `Lookup.meant_by`.
            NotYourTurn: another seat is to act.
            Illegal: the rules do not allow it.
        """

        async def work(transaction: Transaction) -> Board:
            board = await self._dealer.of(transaction, await meant(transaction, person_id, channel_id))
            return await self._made(transaction, board, seat_at(board, person_id), move, interaction_id, None)

        return await self._dealer.work_for(person_id, None, work, interaction_id)

    async def _made(
        self,
        transaction: Transaction,
        board: Board,
        seat: Seat,
        move: Move | Ask,
        interaction_id: int,
        clicked: Seat | None,
    ) -> Board:
        def hand() -> OwnHand:
            return board.hand(seat, self._dealer.clock())

        if board.match.to_act != seat:
            raise NotYourTurn(hand())
        engine_move = move if isinstance(move, Move) else _gin(hand())
        play = canonical_action(board.match, Play(seat, engine_move))
        try:
            return await self._dealer.advance(transaction, board, [play], interaction_id, clicked=clicked)
        except IllegalMove as error:
            raise Illegal(hand(), error.code, _card(move)) from None


def _card(move: Move | Ask) -> Card | None:
    return move.card if isinstance(move, Move) else None


def _gin(hand: OwnHand) -> Move:
    """The knock that leaves nothing.

    Raises:
        Illegal: no discard leaves nothing.
    """
    for choice in hand.view.choices:
        if choice.knocks and choice.leaves == 0:
            return knock(choice.card)
    raise Illegal(hand, "no-gin", None)
