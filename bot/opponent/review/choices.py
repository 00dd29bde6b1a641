"""The choices of a player in a finished deal, with the player's knowledge at each of them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.deals.deal import Deal
from bot.engine.deals.lay_offs import suggested_response
from bot.engine.deals.moves import Move, Seat, Verb, knock
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import canonical, legal_moves, play
from bot.engine.matches.replay import moves_with_deals
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.observation import position_in
from bot.opponent.play.position import PastDeal, Position
from bot.opponent.play.responses import next_step
from bot.opponent.review.reviews import Verdict
from bot.opponent.review.rewards import reward


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a player: its position, the move that was made, and the index of that move in the deal, from 0."""

    step: int
    position: Position
    move: Move


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """The choices of a player in a finished deal, and the result.

    `choices` are the choices before anyone went out. `responses` are the verdicts on the steps of the player's response
    to a knock, if lay-offs were possible. `luck_positions` are the positions that show the cards the player received:
    the first one, and one after each draw from the stock.
    """

    choices: tuple[Choice, ...]
    responses: tuple[Verdict, ...]
    luck_positions: tuple[Position, ...]
    points: float

    @staticmethod
    def of(finished: Deal, seat: Seat, seats: int, score: tuple[int, ...], past: tuple[PastDeal, ...]) -> PlayedDeal:
        """Return the choices of a seat in a finished deal of a match with `seats` seats.

        `score` and `past` are the score and the finished deals before this deal. Raise `ValueError` if the deal is not
        finished or was void.
        """
        if finished.outcome is None or not finished.is_laid_down:
            raise ValueError("the deal has no result")
        choices, answers, dealt = list[Choice](), list[Verdict](), list[Position]()
        for step, (deal, move) in enumerate(moves_with_deals(finished)):
            if deal.to_act != seat:
                continue
            position = position_in(deal, seats, score, past)
            if deal.phase is Phase.LAY_OFF:
                if any(legal.verb is Verb.LAY_OFF for legal in position.moves):
                    answers.append(_response_verdict(step, position, deal, move))
                continue
            if not dealt or (position.new_card is not None and not deal.is_from_pile):
                dealt.append(position)
            if len(position.moves) > 1:
                choices.append(Choice(step, position, _without_default_melds(deal, move)))
        points = reward(finished.rules, finished.seats, finished.outcome, seat)
        return PlayedDeal(tuple(choices), tuple(answers), tuple(dealt), points)


def _without_default_melds(deal: Deal, move: Move) -> Move:
    """Return a knock without melds if it lays down the default ones; return other moves unchanged."""
    if move.verb is Verb.KNOCK and move.card is not None and canonical(deal, knock(move.card)) == move:
        return knock(move.card)
    return move


def _response_verdict(step: int, position: Position, deal: Deal, move: Move) -> Verdict:
    """Return the verdict on a step of a response to a knock.

    All hands are open, so the values of this step and of the best one are exact.
    """
    moves = (move, _best_response_step(deal))
    played, best = (AdvisedMove(move, _points_with_best_responses(play(deal, move), position.seat)) for move in moves)
    return Verdict(step, played, best if best.worth > played.worth else played, 0.0)


def _points_with_best_responses(deal: Deal, seat: Seat) -> float:
    """Return a player's points in a deal if all remaining responses to the knock are the best ones."""
    while deal.outcome is None:
        deal = play(deal, _best_response_step(deal))
    return reward(deal.rules, deal.seats, deal.outcome, seat)


def _best_response_step(deal: Deal) -> Move:
    """Return the next step of the best response to a knock, keeping melds that were already chosen."""
    return next_step(suggested_response(deal), legal_moves(deal))
