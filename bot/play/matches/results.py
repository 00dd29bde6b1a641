"""The result of each seat of a finished match, for the leaderboard."""

from __future__ import annotations

from bot.engine.match import Match
from bot.engine.showdown import Outcome, OutcomeKind
from bot.store.rows import SeatResult
from bot.values.statistics import Category

_GINS = (OutcomeKind.GIN, OutcomeKind.BIG_GIN)


def seat_results(match: Match) -> list[SeatResult]:
    """Return the result of each seat.

    Deals count for those who played them, as won or lost unless nobody won. Points are those of the deals won, or the
    penalty points. If a resignation leaves the others without a result, only the player who resigned has lost.
    """
    played = [(deal.seats, deal.outcome) for deal in match.finished if deal.outcome is not None]
    penalties = match.score.scores if Category.of(match.rules) is Category.PENALTY else None
    return [
        _seat_result(match, seat, [outcome for seats, outcome in played if seat in seats], penalties)
        for seat in range(match.seats)
    ]


def _seat_result(match: Match, seat: int, outcomes: list[Outcome], penalties: tuple[int, ...] | None) -> SeatResult:
    score = match.score
    won = [outcome for outcome in outcomes if outcome.winner == seat]
    scored = [outcome for outcome in outcomes if outcome.winner is not None]
    has_won = None if score.winner is None else seat in match.sides[score.winner]
    if has_won is None and seat == match.resigned:
        has_won = False
    return SeatResult(
        won=has_won,
        drawn=score.winner is None and match.resigned is None,
        deals_won=len(won),
        deals_lost=len(scored) - len(won),
        points=penalties[seat] if penalties is not None else sum(outcome.points for outcome in won),
        gins=sum(outcome.kind in _GINS for outcome in won),
        undercuts=sum(outcome.kind is OutcomeKind.UNDERCUT for outcome in won),
    )
