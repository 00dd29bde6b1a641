"""What a match that is over has for the records."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.engine.actions import Play
from bot.engine.match import Match, apply, new_match
from bot.engine.moves import RESIGN, Seat, Verb
from bot.engine.record import Record
from bot.play.records.candidates import candidates, turns_of
from bot.values.ids import MatchId
from bot.values.records import Entry, RecordKind

RECORDS: Final = Path(__file__).parents[2] / "records"
AT: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
MATCH: Final = MatchId(7)


def recorded(name: str) -> Match:
    """Return the match of a record."""
    return Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8")).replay()


def found(match: Match, kind: RecordKind) -> list[Entry]:
    """Return what a match has of a kind."""
    ends = {place: AT + timedelta(minutes=place) for place in range(1, 100)}
    return [one for one in candidates(match, MATCH, ends, AT) if one.kind is kind]


def test_every_deal_with_hands_laid_down_counts() -> None:
    """The longest deals have the turns of all players, the largest the winner's points, each with its own time."""
    match = recorded("004-score-sheet")
    longest, largest = found(match, RecordKind.LONGEST_DEAL), found(match, RecordKind.LARGEST_DEAL)
    assert [one.value for one in longest] == [turns_of(deal) for deal in match.finished]
    outcomes = [deal.outcome for deal in match.finished if deal.outcome is not None]
    assert [(one.seat, one.value) for one in largest] == [
        (one.winner, one.points) for one in outcomes if one.winner is not None
    ]
    assert [one.at for one in longest] == [AT + timedelta(minutes=place) for place in range(1, len(longest) + 1)]


def test_a_turn_begins_with_a_card() -> None:
    """Passing an upcard is no turn; taking it is one, and gin on it the fastest there can be."""
    (gin,) = found(recorded("gin-on-the-upcard"), RecordKind.FASTEST_GIN)[:1]
    assert gin.value == 1
    for deal in recorded("004-score-sheet").finished:
        taken = [move.verb for move in deal.history if move.verb in (Verb.DRAW, Verb.TAKE)]
        gone = [move.verb for move in deal.history if move.verb in (Verb.DISCARD, Verb.KNOCK, Verb.BIG_GIN)]
        assert turns_of(deal) == len(taken) == len(gone)


def test_a_void_deal_holds_nothing() -> None:
    """It would be the longest nearly always, and nobody may watch it."""
    match = recorded("void-deal")
    void = [place for place, deal in enumerate(match.finished, 1) if not deal.laid_down]
    assert void
    assert {one.number for one in found(match, RecordKind.LONGEST_DEAL)}.isdisjoint(void)


@pytest.mark.parametrize("name", ["preset-penalty", "preset-partners", "preset-hollywood", "preset-rotation"])
def test_a_comeback_is_the_most_that_the_winner_was_behind(name: str) -> None:
    """In every format: by the scores after each deal, of which the fewest penalty points are best."""
    match = recorded(name)
    winner = match.score.winner
    assert winner is not None
    sign = -1 if name == "preset-penalty" else 1
    behind = max(max(sign * (other - one.scores[winner]) for other in one.scores) for one in match.scores)
    made = [(one.seat, one.value) for one in found(match, RecordKind.COMEBACK)]
    assert made == ([(match.sides[winner][0], behind)] if behind > 0 else [])


def test_penalty_points_are_no_large_deal() -> None:
    """What a deal charges others is not compared with what one earns."""
    assert found(recorded("preset-penalty"), RecordKind.LARGEST_DEAL) == []
    assert found(recorded("preset-penalty"), RecordKind.LONGEST_DEAL)


def test_a_forfeit_is_no_comeback() -> None:
    """Whoever was behind when the other resigned has not caught up. The deals before count."""
    match = led_by_the_first()
    resigned = apply(match, Play(Seat(0), RESIGN))
    assert resigned.score.winner == 1
    assert found(resigned, RecordKind.COMEBACK) == []
    assert found(resigned, RecordKind.LONGEST_DEAL) == found(match, RecordKind.LONGEST_DEAL) != []


def led_by_the_first() -> Match:
    """Return a running match in which the first player leads."""
    record = Record.parse((RECORDS / "004-score-sheet.gin").read_text(encoding="utf-8"))
    match = new_match(record.rules, 2)
    for action in record.actions:
        match = apply(match, action)
        if match.score.scores[0] > match.score.scores[1]:
            return match
    raise AssertionError("the first player leads at some time")
