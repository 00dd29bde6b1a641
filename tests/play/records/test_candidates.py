"""The records that a finished match may set."""

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
    """Replay the match of a stored record."""
    return Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8")).replay()


def found(match: Match, kind: RecordKind) -> list[Entry]:
    """Return the match's candidates of one kind; the nth deal ended n minutes after `AT`."""
    ends = {place: AT + timedelta(minutes=place) for place in range(1, 100)}
    return [one for one in candidates(match, MATCH, ends, AT) if one.kind is kind]


def test_every_deal_with_hands_laid_down_counts() -> None:
    """Each deal with hands laid down is a longest and a largest deal, with its own value and time."""
    match = recorded("004-score-sheet")
    longest, largest = found(match, RecordKind.LONGEST_DEAL), found(match, RecordKind.LARGEST_DEAL)
    assert [one.value for one in longest] == [turns_of(deal) for deal in match.finished]
    outcomes = [deal.outcome for deal in match.finished if deal.outcome is not None]
    assert [(one.seat, one.value) for one in largest] == [
        (one.winner, one.points) for one in outcomes if one.winner is not None
    ]
    assert [one.at for one in longest] == [AT + timedelta(minutes=place) for place in range(1, len(longest) + 1)]


def test_a_turn_begins_with_a_card() -> None:
    """Passing on the upcard is not a turn. Taking it is one, so gin on the upcard is the fastest possible gin."""
    (gin,) = found(recorded("gin-on-the-upcard"), RecordKind.FASTEST_GIN)[:1]
    assert gin.value == 1
    for deal in recorded("004-score-sheet").finished:
        taken = [move.verb for move in deal.history if move.verb in (Verb.DRAW, Verb.TAKE)]
        gone = [move.verb for move in deal.history if move.verb in (Verb.DISCARD, Verb.KNOCK, Verb.BIG_GIN)]
        assert turns_of(deal) == len(taken) == len(gone)


def test_a_void_deal_holds_nothing() -> None:
    """A void deal sets no record: it would nearly always be the longest, and nobody may see it."""
    match = recorded("void-deal")
    void = [place for place, deal in enumerate(match.finished, 1) if not deal.laid_down]
    assert void
    assert {one.number for one in found(match, RecordKind.LONGEST_DEAL)}.isdisjoint(void)


@pytest.mark.parametrize("name", ["preset-penalty", "preset-partners", "preset-hollywood", "preset-rotation"])
def test_a_comeback_is_the_most_that_the_winner_was_behind(name: str) -> None:
    """A comeback is the largest deficit of the winner, in every format, by the scores after each deal."""
    match = recorded(name)
    winner = match.score.winner
    assert winner is not None
    sign = -1 if name == "preset-penalty" else 1
    behind = max(max(sign * (other - one.scores[winner]) for other in one.scores) for one in match.scores)
    made = [(one.seat, one.value) for one in found(match, RecordKind.COMEBACK)]
    assert made == ([(match.sides[winner][0], behind)] if behind > 0 else [])


def test_penalty_points_are_no_large_deal() -> None:
    """Penalty points do not make a deal a largest deal."""
    assert found(recorded("preset-penalty"), RecordKind.LARGEST_DEAL) == []
    assert found(recorded("preset-penalty"), RecordKind.LONGEST_DEAL)


def test_a_forfeit_is_no_comeback() -> None:
    """A win by forfeit is not a comeback, but the deals before it count."""
    match = led_by_the_first()
    resigned = apply(match, Play(Seat(0), RESIGN))
    assert resigned.score.winner == 1
    assert found(resigned, RecordKind.COMEBACK) == []
    assert found(resigned, RecordKind.LONGEST_DEAL) == found(match, RecordKind.LONGEST_DEAL) != []


def led_by_the_first() -> Match:
    record = Record.parse((RECORDS / "004-score-sheet.gin").read_text(encoding="utf-8"))
    match = new_match(record.rules, 2)
    for action in record.actions:
        match = apply(match, action)
        if match.score.scores[0] > match.score.scores[1]:
            return match
    raise AssertionError("the first player never leads")
