"""The choices of a player in a finished deal."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.deal import Deal
from bot.engine.match import Match
from bot.engine.moves import DONE, Move, Seat, Verb
from bot.engine.phases import play
from bot.engine.replay import moves_made
from bot.engine.rules import Rules
from bot.engine.views import Phase
from bot.opponent.choices import Played
from bot.opponent.gains import gain
from bot.opponent.position import Position
from bot.opponent.table import Table
from tests.opponent.helpers import RESEARCH, each_table, mixed, played


def over(rules: Rules, seats: int, seed: str) -> tuple[Match, list[tuple[Position, Move]]]:
    """Play with mixed players until a deal has a result. Return the match, and the positions and moves of that deal."""
    table, random, seen = Table(rules, seats, seed), Random(seed), list[tuple[Position, Move]]()
    for position, move in played(table, lambda one: mixed(one, random)):
        if table.match.finished and table.match.finished[-1].laid_down:
            break
        seen.append((position, move))
    deal = table.match.finished[-1]
    return table.match, [one for one in seen if (one[0].number, one[0].seats) == (deal.number, deal.seats)]


@each_table(3)
def test_every_choice_is_there_with_what_was_known(preset: str, seats: int) -> None:
    """Each choice has its position and the move made; positions without a choice are excluded."""
    match, seen = over(Rules.parse(preset), seats, f"choices {preset}")
    deal = match.finished[-1]
    for seat in deal.seats:
        did = Played.of(deal, seat, seats, seen[0][0].score, seen[0][0].past)
        mine = [(position, move) for position, move in seen if position.seat == seat and position.knock is None]
        assert [choice.position for choice in did.choices] == [one for one, _ in mine if len(one.moves) > 1]
        for choice in did.choices:
            move = deal.history[choice.step]
            assert (choice.played.verb, choice.played.card) == (move.verb, move.card)
        drawn = [one for one, _ in mine if one.phase is Phase.DISCARD and one.history[-1].card is None]
        assert [one for one in did.dealt if one.new_card is not None] == drawn
        assert deal.outcome is not None
        assert did.points == gain(deal.rules, deal.seats, deal.outcome, seat)


def test_points_of_two_add_up() -> None:
    """One player's gain is the other's loss."""
    match, _ = over(RESEARCH, 2, "sum")
    first, second = (Played.of(match.finished[-1], seat, 2, (0, 0), ()) for seat in match.finished[-1].seats)
    assert first.points == -second.points != 0


def test_a_lay_off_that_was_left_out_is_found() -> None:
    """A response to a knock is compared exactly with the best one, and a missed lay-off costs its points."""
    rules = Rules.parse("research lay_off_mode=manual")
    for number in range(40):
        match, _ = over(rules, 2, f"lay off {number}")
        deal = match.finished[-1]
        assert deal.outcome is not None
        at = next((step for step, move in enumerate(deal.history) if move.verb is Verb.LAY_OFF), None)
        if at is None or deal.outcome.knocker is None:
            continue
        answering = next(seat for seat in deal.seats if seat != deal.outcome.knocker)
        best = Played.of(deal, answering, 2, (0, 0), ())
        refused = _until(match, at)
        did = Played.of(play(refused, DONE), answering, 2, (0, 0), ())
        assert did.answers[-1].played.move == DONE
        assert did.answers[-1].lost == best.points - did.points > 0
        return
    raise AssertionError("nobody laid anything off")


def _until(match: Match, step: int) -> Deal:
    """Return the last deal before one of its moves."""
    return next(deal for at, (deal, _) in enumerate(moves_made(match.finished[-1])) if at == step)


def test_a_void_deal_has_nothing_to_review() -> None:
    """A void or unfinished deal has no review."""
    table = Table(RESEARCH, 2, "open")
    deal = table.match.deal_of(Seat(0))
    with pytest.raises(ValueError, match="no result"):
        Played.of(deal, Seat(0), 2, (0, 0), ())
    with pytest.raises(ValueError, match="no result"):
        Played.of(replace(deal, outcome=None), Seat(0), 2, (0, 0), ())
