"""The golden records of this folder: each replays to the JSON of the same name, also with the reference implementation.

There is one record for each preset, `preset-NAME`. The others show special cases, older versions of the format and
verifiable matches, and must never change.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.engine.fairness.audit import audit
from bot.engine.fairness.fair import CHAIN_LENGTH, hashed, player_seed
from bot.engine.records.record import Record
from bot.engine.rules import PRESETS
from bot.engine.to_json import match_to_json
from tests.helpers.cases import thorough_after
from tests.reference.scores import expected_json

RECORDS = sorted(Path(__file__).parent.glob("*.gin"))
each_record = pytest.mark.parametrize(
    "path", thorough_after(8, sorted(RECORDS, key=lambda path: len(path.read_bytes()))), ids=lambda path: path.stem
)


def test_there_are_golden_records() -> None:
    """There is a golden record of every preset, and one of the printed score sheet."""
    assert {"004-score-sheet", *(f"preset-{name}" for name in PRESETS)} <= {path.stem for path in RECORDS}


@pytest.mark.parametrize("preset", thorough_after(3, PRESETS))
def test_a_preset_has_a_finished_match(preset: str) -> None:
    """A preset's record uses the preset and reaches the end of the match."""
    record = Record.parse(Path(__file__).with_name(f"preset-{preset}.gin").read_text(encoding="utf-8"))
    assert record.rules.preset == preset
    assert record.replay().score.is_over


@each_record
def test_a_record_replays_to_its_json(path: Path) -> None:
    """A golden record's summary equals the JSON of the same name."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert match_to_json(Record.parse(path.read_text(encoding="utf-8")).replay()) == expected


@each_record
def test_a_record_round_trips(path: Path) -> None:
    """Printing and parsing a golden record gives the same record and the same match."""
    record = Record.parse(path.read_text(encoding="utf-8"))
    again = Record.parse(str(record))
    assert again == record
    assert again.replay() == record.replay()


@each_record
def test_the_reference_agrees(path: Path) -> None:
    """The brute-force reference computes the same JSON, deal by deal and in total."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert expected_json(str(Record.parse(path.read_text(encoding="utf-8")))) == expected


MESSAGE = "1190000000000000002"
WORDS = {
    "duel": {0: ["north wind", "süd ♠"], 1: [MESSAGE]},
    "partners": {0: ["north"], 1: ["east", "winds change"], 2: ["south"], 3: ["west"]},
    "penalty": {0: ["north wind"], 1: [MESSAGE], 2: ["house"]},
}
"""By record and seat, the words from which the player seeds in the verifiable record are computed."""


@pytest.mark.parametrize("name", WORDS)
def test_the_cards_of_a_verifiable_record_follow_from_its_seeds(name: str) -> None:
    """Given the commitment and the texts for player seeds, `audit` confirms every event of a verifiable match."""
    record = Record.parse(Path(__file__).with_name(f"verifiable-{name}.gin").read_text(encoding="utf-8"))
    commit = hashed(player_seed(f"verifiable-{name}"), CHAIN_LENGTH)
    found = audit(record, commit, WORDS[name])
    assert (found.answer, found.sealed, found.differences) == ("ok", (), ())
    assert record.version == 3
