"""Candidates for a server's records in a finished match."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.engine.deals.moves import RESIGN, Seat, Verb
from bot.engine.matches.actions import Play
from bot.engine.matches.match import Match, apply, new_match
from bot.engine.records.record import Record
from bot.model.ids import MatchId
from bot.model.records import Entry, RecordKind
from bot.play.records.candidates import candidates, turns_of

RECORDS: Final = Path(__file__).parents[2] / "records"
ENDED_AT: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
MATCH: Final = MatchId(7)


def replayed(name: str) -> Match:
    """Return the match of a stored game record."""
    return Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8")).replay()


def candidates_of(match: Match, kind: RecordKind) -> list[Entry]:
    """Return the match's candidates for one kind of record. The nth deal ended n minutes after `ENDED_AT`."""
    ends = {number: ENDED_AT + timedelta(minutes=number) for number in range(1, 100)}
    return [entry for entry in candidates(match, MATCH, ends, ENDED_AT) if entry.kind is kind]


def test_every_deal_with_hands_laid_down_counts() -> None:
    """Each deal that ended with hands laid down is a candidate for the longest deal and the deal with most points."""
    match = replayed("004-score-sheet")
    longest, largest = candidates_of(match, RecordKind.LONGEST_DEAL), candidates_of(match, RecordKind.LARGEST_DEAL)
    assert [candidate.value for candidate in longest] == [turns_of(deal) for deal in match.finished]
    outcomes = [deal.outcome for deal in match.finished if deal.outcome is not None]
    assert [(candidate.seat, candidate.value) for candidate in largest] == [
        (outcome.winner, outcome.points) for outcome in outcomes if outcome.winner is not None
    ]
    assert [candidate.at for candidate in longest] == [
        ENDED_AT + timedelta(minutes=place) for place in range(1, len(longest) + 1)
    ]


def test_a_turn_begins_with_a_card() -> None:
    """Turns are counted by cards drawn or taken. Passing on the upcard is not a turn; gin with the upcard takes one."""
    (gin,) = candidates_of(replayed("gin-on-the-upcard"), RecordKind.FASTEST_GIN)[:1]
    assert gin.value == 1
    for deal in replayed("004-score-sheet").finished:
        draws = [move.verb for move in deal.history if move.verb in (Verb.DRAW, Verb.TAKE)]
        discards = [move.verb for move in deal.history if move.verb in (Verb.DISCARD, Verb.KNOCK, Verb.BIG_GIN)]
        assert turns_of(deal) == len(draws) == len(discards)


def test_a_void_deal_sets_no_record() -> None:
    """A void deal sets no record: it would nearly always be the longest, and nobody is allowed to see it."""
    match = replayed("void-deal")
    void_numbers = [place for place, deal in enumerate(match.finished, 1) if not deal.is_laid_down]
    assert void_numbers
    assert {candidate.number for candidate in candidates_of(match, RecordKind.LONGEST_DEAL)}.isdisjoint(void_numbers)


@pytest.mark.parametrize("name", ["preset-penalty", "preset-partners", "preset-hollywood", "preset-rotation"])
def test_a_comeback_is_the_winners_largest_deficit(name: str) -> None:
    """In every format, a comeback is measured by the winner's largest deficit after any deal."""
    match = replayed(name)
    winner = match.score.winner
    assert winner is not None
    sign = -1 if name == "preset-penalty" else 1
    deficit = max(max(sign * (other - score.scores[winner]) for other in score.scores) for score in match.scores)
    comebacks = [(candidate.seat, candidate.value) for candidate in candidates_of(match, RecordKind.COMEBACK)]
    assert comebacks == ([(match.sides[winner][0], deficit)] if deficit > 0 else [])


def test_a_deal_for_penalty_points_cannot_be_the_largest() -> None:
    """A deal for penalty points cannot be the largest deal, but can be the longest."""
    assert candidates_of(replayed("preset-penalty"), RecordKind.LARGEST_DEAL) == []
    assert candidates_of(replayed("preset-penalty"), RecordKind.LONGEST_DEAL)


def test_a_forfeit_is_no_comeback() -> None:
    """A win by forfeit is not a comeback, but deals that were finished before it are candidates."""
    match = match_led_by_first_player()
    resigned = apply(match, Play(Seat(0), RESIGN))
    assert resigned.score.winner == 1
    assert candidates_of(resigned, RecordKind.COMEBACK) == []
    assert candidates_of(resigned, RecordKind.LONGEST_DEAL) == candidates_of(match, RecordKind.LONGEST_DEAL) != []


def match_led_by_first_player() -> Match:
    record = Record.parse((RECORDS / "004-score-sheet.gin").read_text(encoding="utf-8"))
    match = new_match(record.rules, 2)
    for action in record.actions:
        match = apply(match, action)
        if match.score.scores[0] > match.score.scores[1]:
            return match
    raise AssertionError("the first player never leads")
