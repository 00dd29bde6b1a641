"""What each seat takes from a match that is over into the standings."""

from __future__ import annotations

from bot.engine.match import Match
from bot.engine.showdown import Outcome, OutcomeKind
from bot.play.values import Ladder
from bot.store.rows import SeatResult

_GINS = (OutcomeKind.GIN, OutcomeKind.BIG_GIN)


def results(match: Match) -> list[SeatResult]:
    """The result of each seat.

    Deals count for those who played them: won or lost unless nobody won. Points are those of the deals won, or the
    penalty points. Where a resignation leaves the others without a result, only the one who resigned has lost.
    """
    played = [(deal.seats, deal.outcome) for deal in match.finished if deal.outcome is not None]
    scores = match.score.scores if Ladder.of(match.rules) is Ladder.PENALTY else None
    return [
        _result(match, seat, [outcome for seats, outcome in played if seat in seats], scores)
        for seat in range(match.seats)
    ]


def _result(match: Match, seat: int, outcomes: list[Outcome], charged: tuple[int, ...] | None) -> SeatResult:
    score = match.score
    won = [outcome for outcome in outcomes if outcome.winner == seat]
    scored = [outcome for outcome in outcomes if outcome.winner is not None]
    result = None if score.winner is None else seat in match.sides[score.winner]
    if result is None and seat == match.resigned:
        result = False
    return SeatResult(
        won=result,
        drawn=score.winner is None and match.resigned is None,
        deals_won=len(won),
        deals_lost=len(scored) - len(won),
        points=charged[seat] if charged is not None else sum(outcome.points for outcome in won),
        gins=sum(outcome.kind in _GINS for outcome in won),
        undercuts=sum(outcome.kind is OutcomeKind.UNDERCUT for outcome in won),
    )
