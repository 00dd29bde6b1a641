"""What a match amounts to, as plain data for JSON."""

from __future__ import annotations

from typing import Any

from bot.engine.deal import Deal
from bot.engine.match import Match
from bot.engine.moves import Seat
from bot.engine.showdown import Outcome


def summary(match: Match) -> dict[str, Any]:
    """The deals, scores, bonuses and totals of a match; lists are by seat, `seats` in a deal is its order of play.

    `kind` is a `Kind`, or `unfinished` for the deal in play. `winner` and `margin` are None while the match runs; a
    drawn match has no winner and the margin 0.
    """
    score = match.score
    deals = [_deal(deal, match.seats) for deal in match.finished]
    if match.deal is not None:
        deals.append(_deal(match.deal, match.seats))
    return {
        "deals": deals,
        "scores": list(score.scores),
        "bonuses": {"line": list(score.line), "game": list(score.game), "shutout": list(score.shutout)},
        "totals": list(score.totals),
        "winner": score.winner,
        "margin": score.margin,
        "resigned": match.resigned,
    }


def _deal(deal: Deal, seats: int) -> dict[str, Any]:
    outcome = deal.outcome
    return {
        "deal": deal.number,
        "dealer": deal.dealer,
        "seats": list(deal.seats),
        "winner": None if outcome is None else outcome.winner,
        "kind": "unfinished" if outcome is None else outcome.kind.value,
        "deadwood": _by_seat(deal, outcome, seats),
        "points": 0 if outcome is None else outcome.points,
    }


def _by_seat(deal: Deal, outcome: Outcome | None, seats: int) -> list[int | None]:
    counted = {} if outcome is None else dict(zip(deal.seats, outcome.deadwood, strict=False))
    return [counted.get(seat) for seat in map(Seat, range(seats))]
