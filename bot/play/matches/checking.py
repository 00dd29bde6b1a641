"""Finds matches whose rows contradict their logs."""

from __future__ import annotations

from bot.model.ids import MatchId
from bot.model.matches import MatchStatus
from bot.play.loading.loaded_match import UnreadableMatchError, replay
from bot.play.matches.match_writer import seat_result
from bot.store import history, matches
from bot.store.transaction import Transaction


async def find_fault(transaction: Transaction, match_id: MatchId) -> str | None:
    """Replay a match from its log, and return the first contradiction in its rows; None if there is none."""
    try:
        row = await matches.load(transaction, match_id)
        if row is None:
            return "it has no seats"
        log = await matches.actions(transaction, match_id)
        state = replay(row.info, log)
    except UnreadableMatchError:
        return "its log cannot be replayed"
    except (LookupError, TypeError, ValueError):
        return "its rows cannot be read"
    status = row.info.status
    if row.info.version != len(log):
        return "its version is not the length of its log"
    if state.score.is_over is not (status is MatchStatus.FINISHED):
        return "its status does not match its log"
    outcomes = [(place, deal.outcome) for place, deal in enumerate(state.finished, 1) if deal.outcome is not None]
    deals = tuple((place, outcome.kind, outcome.winner, outcome.points) for place, outcome in outcomes)
    # The deals of the day have no rows of their own, so that they count in no statistic.
    deals = deals if row.info.day is None else ()
    if await matches.deal_results(transaction, match_id) != deals:
        return "its finished deals do not match its log"
    if status is MatchStatus.FINISHED:
        results = tuple(seat_result(state, seat) for seat in range(state.seats))
        if (await history.results(transaction, [match_id]))[match_id] != results:
            return "its result does not match its log"
    return None
