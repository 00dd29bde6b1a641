"""The choices of a player in a finished deal, with the player's knowledge at each of them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.deal import Deal, Phase
from bot.engine.lay_offs import suggested_response
from bot.engine.moves import Move, Seat, Verb, knock
from bot.engine.phases import canonical, legal_moves, play
from bot.engine.replay import moves_made
from bot.opponent.advice import Advised
from bot.opponent.gains import gain
from bot.opponent.position import PastDeal, Position
from bot.opponent.responses import next_step
from bot.opponent.reviews import Verdict
from bot.opponent.seeing import position_in


@dataclass(frozen=True, slots=True)
class Choice:
    """A position with a choice, the move that the player made, and its index in the deal, from 0."""

    step: int
    position: Position
    played: Move


@dataclass(frozen=True, slots=True)
class Played:
    """The choices of a player in a finished deal, and the result.

    `choices` are the choices before anyone went out. `answers` are the steps of a response to a knock, if lay-offs were
    possible, compared with the best ones. `dealt` are the positions that show the cards the player received: the first
    one, and one after each draw from the stock.
    """

    choices: tuple[Choice, ...]
    answers: tuple[Verdict, ...]
    dealt: tuple[Position, ...]
    points: float

    @staticmethod
    def of(over: Deal, seat: Seat, seats: int, score: tuple[int, ...], past: tuple[PastDeal, ...]) -> Played:
        """Return the choices of a seat. `seats` is the match's number of seats; `score` and `past` are from that time.

        Raise `ValueError` if the deal is not finished or was void.
        """
        if over.outcome is None or not over.laid_down:
            raise ValueError("the deal has no result")
        choices, answers, dealt = list[Choice](), list[Verdict](), list[Position]()
        for step, (deal, move) in enumerate(moves_made(over)):
            if deal.to_act != seat:
                continue
            position = position_in(deal, seats, score, past)
            if deal.phase is Phase.LAY_OFF:
                if any(legal.verb is Verb.LAY_OFF for legal in position.moves):
                    answers.append(_answer(step, position, deal, move))
                continue
            if not dealt or (position.new_card is not None and not deal.is_from_pile):
                dealt.append(position)
            if len(position.moves) > 1:
                choices.append(Choice(step, position, _without_default_melds(deal, move)))
        points = gain(over.rules, over.seats, over.outcome, seat)
        return Played(tuple(choices), tuple(answers), tuple(dealt), points)


def _without_default_melds(deal: Deal, move: Move) -> Move:
    """Return a knock without melds if it lays down the default ones; return other moves unchanged."""
    if move.verb is Verb.KNOCK and move.card is not None and canonical(deal, knock(move.card)) == move:
        return knock(move.card)
    return move


def _answer(step: int, position: Position, deal: Deal, move: Move) -> Verdict:
    """Return the value of a response step and of the best one. All hands are open, so both are exact."""
    moves = (move, _best_answer(deal))
    played, best = (Advised(one, _points_at_best(play(deal, one), position.seat)) for one in moves)
    return Verdict(step, played, best if best.worth > played.worth else played, 0.0)


def _points_at_best(deal: Deal, seat: Seat) -> float:
    """Return the points of a deal for a player if everyone completes the best response to the knock."""
    while deal.outcome is None:
        deal = play(deal, _best_answer(deal))
    return gain(deal.rules, deal.seats, deal.outcome, seat)


def _best_answer(deal: Deal) -> Move:
    """Return the next step of the best response to a knock, keeping melds that were already chosen."""
    return next_step(suggested_response(deal), legal_moves(deal))
