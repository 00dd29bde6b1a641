"""The golden records of this folder: each replays to the JSON beside it, and brute force agrees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.engine.deal import Deal
from bot.engine.record import Record
from bot.engine.summary import summary
from tests import oracle

RECORDS = sorted(Path(__file__).parent.glob("*.gin"))
each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)


def test_there_are_golden_records() -> None:
    """The folder is found and holds the score sheet."""
    assert "004-score-sheet" in {path.stem for path in RECORDS}


@each_record
def test_a_record_replays_to_the_json_beside_it(path: Path) -> None:
    """A golden record's summary is exactly the JSON of the same name."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert summary(Record.parse(path.read_text(encoding="utf-8")).replay()) == expected


@each_record
def test_a_record_survives_printing(path: Path) -> None:
    """Printing a golden record and reading it again gives the same record and the same match."""
    record = Record.parse(path.read_text(encoding="utf-8"))
    again = Record.parse(str(record))
    assert again == record
    assert again.replay() == record.replay()


@each_record
def test_brute_force_agrees_with_every_deal(path: Path) -> None:
    """The oracle allows each move of the finished deals, and finds the same result."""
    match = Record.parse(path.read_text(encoding="utf-8")).replay()
    for deal in match.finished:
        assert _replayed_by_brute_force(deal).result == _result(deal)


def _replayed_by_brute_force(deal: Deal) -> oracle.Deal:
    slow = oracle.Deal(tuple(map(str, deal.deck)))
    for move in map(str, deal.history):
        assert move in slow.legal()
        slow.play(move)
    return slow


def _result(deal: Deal) -> tuple[str, int | None, tuple[int, ...], int]:
    assert deal.outcome is not None
    winner = None if deal.outcome.winner is None else deal.seats.index(deal.outcome.winner)
    return deal.outcome.kind.value, winner, deal.outcome.deadwood, deal.outcome.points
