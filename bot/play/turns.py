"""A player's move: checked against the table as it is, written to the log, and answered with the hand after it."""

from __future__ import annotations

from bot.engine.cards import Card
from bot.engine.errors import IllegalMove
from bot.engine.match import Play, canonical_action
from bot.engine.moves import DONE, Move, Seat, Verb, knock
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
            move: the move, or what is asked for. A knock that names no melds lays down the default arrangement; a
                lay-off that names no meld goes where it serves best.
            interaction_id: what caused it; the same one never moves twice, and gets the same answer again.
            version: the state that the person saw, where that is known; what happens on other boards is no matter.
            in_own_message: the click came from the player's own direct message, which its answer brings up to date.

        Raises:
            NoMatch: there is no such match.
            NotSeated: the person does not play in it.
            MatchOver: it is over.
            Stale: the table has moved on from that version.
            NotYourTurn: others are to act.
            Illegal: the rules do not allow it.
        """

        async def work(transaction: Transaction) -> Board:
            board = await self._dealer.load(transaction, match_id)
            seat = seat_at(board, person_id)
            if board.row.status is not MatchStatus.RUNNING:
                raise MatchOver(board.card)
            if version is not None and not board.changed_at(seat)[0] <= version <= board.row.version:
                raise Stale(board.hand(seat, self._dealer.clock()))
            clicked = seat if in_own_message else None
            return await self._made(transaction, board, seat, move, interaction_id, clicked)

        return await self._dealer.work_for(person_id, match_id, work, interaction_id)

    async def command(self, person_id: int, channel_id: int | None, move: Move | Ask, interaction_id: int) -> OwnHand:
        """Make a move in the match that a command in a channel means, and give the hand as it is after it.

        Raises:
            NoMatch, WhichMatch, NotSeated: no one match is meant; see `Lookup.meant_by`.
            NotYourTurn: others are to act.
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

        if seat not in board.to_act:
            raise NotYourTurn(hand())
        plays = [canonical_action(board.match, Play(seat, one)) for one in _moves(hand(), move)]
        try:
            return await self._dealer.advance(transaction, board, plays, interaction_id, clicked=clicked)
        except IllegalMove as error:
            raise Illegal(hand(), error.code, _card(move)) from None


def _card(move: Move | Ask) -> Card | None:
    return move.card if isinstance(move, Move) else None


def _moves(hand: OwnHand, move: Move | Ask) -> list[Move]:
    """The engine's moves for what is asked.

    Raises:
        Illegal: it is not there to be asked for.
    """
    match move:
        case Ask.GIN:
            return [_gin(hand)]
        case Ask.LAY_OFF_ALL:
            return _lay_off_all(hand)
        case Move(Verb.LAY_OFF, Card() as card, None):
            return [_lay_off(hand, card)]
        case Move():
            return [move]


def _lay_off_all(hand: OwnHand) -> list[Move]:
    """The best response to the end.

    Raises:
        Illegal: no knock is to be answered.
    """
    if hand.view.best_response is None:
        raise Illegal(hand, "no-lay-off", None)
    return [*(Move(Verb.LAY_OFF, one.card, (one.meld,)) for one in hand.view.best_response.lay_offs), DONE]


def _lay_off(hand: OwnHand, card: Card) -> Move:
    """A lay-off where the best response has it, else on the first meld that takes the card."""
    best = hand.view.best_response.lay_offs if hand.view.best_response is not None else ()
    for choice in (*best, *hand.view.lay_offs):
        if choice.card == card:
            return Move(Verb.LAY_OFF, card, (choice.meld,))
    return Move(Verb.LAY_OFF, card)


def _gin(hand: OwnHand) -> Move:
    """The knock that leaves nothing.

    Raises:
        Illegal: no discard leaves nothing.
    """
    for choice in hand.view.discard_choices:
        if choice.knocks and choice.leaves == 0:
            return knock(choice.card)
    raise Illegal(hand, "no-gin", None)
