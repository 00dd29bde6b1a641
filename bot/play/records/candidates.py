"""Find the results of a finished match that may set server records, such as the longest deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Verb
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.match import Match
from bot.model.ids import MatchId
from bot.model.records import Entry, RecordKind
from bot.model.statistics import Category


def candidates(match: Match, match_id: MatchId, ends: Mapping[int, datetime], ended_at: datetime) -> Iterator[Entry]:
    """Yield the possible records of a finished match. `ends` has the times at which its deals ended, by number from 1.

    Deals broken off by a forfeit and void deals, whose hands nobody saw, do not count.
    """
    for number, deal in enumerate(match.finished, 1):
        if deal.is_laid_down:
            yield from _deal_candidates(match, match_id, deal, number, ends.get(number, ended_at))
    deficit = _largest_deficit(match)
    if deficit is not None and deficit > 0:
        assert match.score.winner is not None
        seat = match.sides[match.score.winner][0]
        yield Entry(RecordKind.COMEBACK, match_id, 0, seat, deficit, ended_at)


def _deal_candidates(match: Match, match_id: MatchId, deal: Deal, number: int, at: datetime) -> Iterator[Entry]:
    outcome, turns = deal.outcome, turns_of(deal)
    assert outcome is not None
    seat = deal.seats[0] if outcome.winner is None else outcome.winner
    if outcome.kind in (OutcomeKind.GIN, OutcomeKind.BIG_GIN):
        yield Entry(RecordKind.FASTEST_GIN, match_id, number, seat, turns, at)
    if outcome.points > 0 and Category.of(match.rules) is not Category.PENALTY:
        yield Entry(RecordKind.LARGEST_DEAL, match_id, number, seat, outcome.points, at)
    yield Entry(RecordKind.LONGEST_DEAL, match_id, number, seat, turns, at)


def turns_of(deal: Deal) -> int:
    """Return the number of turns of a deal. Each begins with a card from the stock or the discard pile."""
    return sum(move.verb in (Verb.DRAW, Verb.TAKE) for move in deal.history)


def _largest_deficit(match: Match) -> int | None:
    """Return the largest deficit that the winning side had after any deal; None without a winner or after a forfeit."""
    winner = match.score.winner
    if winner is None or match.forfeit is not None:
        return None
    fewest_points_win = Category.of(match.rules) is Category.PENALTY

    def deficit(scores: tuple[int, ...]) -> int:
        others = [points for side, points in enumerate(scores) if side != winner]
        return scores[winner] - min(others) if fewest_points_win else max(others) - scores[winner]

    return max((deficit(score.scores) for score in match.scores), default=0)
