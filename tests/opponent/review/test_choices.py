"""The choices of a player in a finished deal."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import DONE, Move, Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import play
from bot.engine.matches.match import Match
from bot.engine.matches.replay import moves_with_deals
from bot.engine.rules import Rules
from bot.opponent.play.position import Position
from bot.opponent.play.table import Table
from bot.opponent.review.choices import PlayedDeal
from bot.opponent.review.rewards import reward
from tests.opponent.helpers import RESEARCH, each_table, mixed_move, play_through


def play_until_result(rules: Rules, seats: int, seed: str) -> tuple[Match, list[tuple[Position, Move]]]:
    """Play `mixed_move` until a deal has a result. Return the match, and the positions and moves of that deal."""
    table, random, seen = Table(rules, seats, seed), Random(seed), list[tuple[Position, Move]]()
    for position, move in play_through(table, lambda asked: mixed_move(asked, random)):
        if table.match.finished and table.match.finished[-1].is_laid_down:
            break
        seen.append((position, move))
    deal = table.match.finished[-1]
    return table.match, [entry for entry in seen if (entry[0].number, entry[0].seats) == (deal.number, deal.seats)]


@each_table(3)
def test_every_choice_has_its_position(preset: str, seats: int) -> None:
    """Each choice has its position and the move made. Positions with only one legal move are excluded."""
    match, seen = play_until_result(Rules.parse(preset), seats, f"choices {preset}")
    deal = match.finished[-1]
    for seat in deal.seats:
        played_deal = PlayedDeal.of(deal, seat, seats, seen[0][0].score, seen[0][0].past)
        own_moves = [(position, move) for position, move in seen if position.seat == seat and position.knock is None]
        assert [choice.position for choice in played_deal.choices] == [
            position for position, _ in own_moves if len(position.moves) > 1
        ]
        for choice in played_deal.choices:
            move = deal.history[choice.step]
            assert (choice.move.verb, choice.move.card) == (move.verb, move.card)
        drawn = [
            position
            for position, _ in own_moves
            if position.phase is Phase.DISCARD and position.history[-1].card is None
        ]
        assert [
            luck_position for luck_position in played_deal.luck_positions if luck_position.new_card is not None
        ] == drawn
        assert deal.outcome is not None
        assert played_deal.points == reward(deal.rules, deal.seats, deal.outcome, seat)


def test_points_of_two_players_cancel() -> None:
    """In a deal of two players, one gains as many points as the other loses."""
    match, _ = play_until_result(RESEARCH, 2, "sum")
    first, second = (PlayedDeal.of(match.finished[-1], seat, 2, (0, 0), ()) for seat in match.finished[-1].seats)
    assert first.points == -second.points != 0


def test_a_missed_lay_off_costs_its_points() -> None:
    """The loss of a response to a knock is computed exactly: a missed lay-off costs its points."""
    rules = Rules.parse("research lay_off_mode=manual")
    for number in range(40):
        match, _ = play_until_result(rules, 2, f"lay off {number}")
        deal = match.finished[-1]
        assert deal.outcome is not None
        lay_off_step = next((step for step, move in enumerate(deal.history) if move.verb is Verb.LAY_OFF), None)
        if lay_off_step is None or deal.outcome.knocker is None:
            continue
        answering = next(seat for seat in deal.seats if seat != deal.outcome.knocker)
        best = PlayedDeal.of(deal, answering, 2, (0, 0), ())
        refused = _deal_before(match, lay_off_step)
        played_deal = PlayedDeal.of(play(refused, DONE), answering, 2, (0, 0), ())
        assert played_deal.responses[-1].played.move == DONE
        assert played_deal.responses[-1].points_lost == best.points - played_deal.points > 0
        return
    raise AssertionError("nobody laid anything off")


def _deal_before(match: Match, step: int) -> Deal:
    """Return the newest finished deal as it was just before its move `step`, counted from 0."""
    return next(deal for index, (deal, _) in enumerate(moves_with_deals(match.finished[-1])) if index == step)


def test_a_void_deal_has_no_review() -> None:
    """A void or unfinished deal has no review."""
    table = Table(RESEARCH, 2, "open")
    deal = table.match.deal_of(Seat(0))
    with pytest.raises(ValueError, match="no result"):
        PlayedDeal.of(deal, Seat(0), 2, (0, 0), ())
    with pytest.raises(ValueError, match="no result"):
        PlayedDeal.of(replace(deal, outcome=None), Seat(0), 2, (0, 0), ())
