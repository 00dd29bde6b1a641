"""The result of a match and the audit of a record as JSON-compatible data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import VOID
from bot.engine.fairness.audit import Audit
from bot.engine.matches.match import Match
from bot.engine.matches.scoring import Score, charges


def match_to_json(match: Match) -> dict[str, Any]:
    """Return the deals, scores, bonuses and totals of a match.

    Lists are by seat (in partners by team); `seats` in a deal is its order of play. `kind` is an `OutcomeKind`, or
    `unfinished` for a deal in play. `winner` and `margin` are None while the match runs; a drawn match has no winner
    and the margin 0. `lost_on_time` is present only after a loss on time, and `replaced`, a list of seats, only after a
    takeover. Hollywood has its three games as `columns`, and their sums at the top level.
    """
    deals = sorted((*match.finished, *match.playing), key=lambda deal: (deal.number, deal.board))
    result = _score(match.score) | _forfeit(match)
    if match.score.columns:
        result["columns"] = [_score(column) for column in match.score.columns]
    if match.replaced_seats:
        result["replaced"] = list(match.replaced_seats)
    return {"deals": [_deal(match, deal) for deal in deals], **result}


def audit_to_json(audit: Audit) -> dict[str, Any]:
    """Return an audit as JSON-compatible data: its answer, events by number, every difference, and the seeds.

    Seeds are hexadecimal. Ids are strings, because many programs cannot represent such large numbers. `given` is true
    if the caller supplied every text that the seat's seeds were made from, and all match.
    """
    channel, message = audit.commit_message or (None, None)
    return {
        "answer": audit.answer.value,
        "checked": list(audit.checked),
        "sealed": list(audit.sealed),
        "withheld": list(audit.withheld),
        "differences": [asdict(difference) for difference in audit.differences],
        "commit": audit.commit.hex(),
        "commit_message": None if message is None else {"channel": str(channel), "message": str(message)},
        "seats": [
            {
                "seat": seat,
                "given": seat in audit.confirmed,
                "seeds": [
                    {"seed": given_seed.seed.hex(), "from": given_seed.counts_from, "kind": given_seed.kind.value}
                    for given_seed in given
                ],
            }
            for seat, given in enumerate(audit.seeds)
        ],
    }


def _forfeit(match: Match) -> dict[str, Any]:
    if match.forfeit is not None and match.forfeit.on_time:
        return {"resigned": None, "lost_on_time": match.forfeit.seat}
    return {"resigned": None if match.forfeit is None else match.forfeit.seat}


def _score(score: Score) -> dict[str, Any]:
    return {
        "scores": list(score.scores),
        "bonuses": {"line": list(score.line), "game": list(score.game), "shutout": list(score.shutout)},
        "totals": list(score.totals),
        "winner": score.winner,
        "margin": score.margin,
    }


def _deal(match: Match, deal: Deal) -> dict[str, Any]:
    """Return a deal as JSON-compatible data.

    Its points are the winner's or, in the penalty game, the sum of all charges. A deal in play looks like a void one,
    except for its kind.
    """
    outcome = deal.outcome or VOID
    deadwood = dict(zip(deal.seats, outcome.deadwood, strict=False))
    penalty = match.rules.format == "penalty"
    board = {"board": deal.board} if match.format.boards > 1 else {}
    return {
        "deal": deal.number,
        **board,
        "dealer": deal.dealer,
        "seats": list(deal.seats),
        "winner": outcome.winner,
        "kind": "unfinished" if deal.outcome is None else outcome.kind.value,
        "deadwood": [deadwood.get(Seat(seat)) for seat in range(match.seats)],
        "points": sum(charges(deal.seats, outcome).values()) if penalty else outcome.points,
    }
