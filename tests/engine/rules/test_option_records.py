"""Every value of every option matters: a record for it replays differently with that value and with the default.

The records are in `tests/records/options`, named `OPTION-VALUE`. Most have the value in their rules, and the test
replaces it by the default. If a value only forbids moves (`discard_drawn=never`) or chooses the first dealer, that
would not change the replay. Then the record's rules have the default, and the test replaces the default by the value.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.engine.records.record import Record, RecordError
from bot.engine.rules import OPTIONS, Rules, Value
from bot.engine.to_json import match_to_json
from tests.helpers.cases import thorough_after
from tests.reference.scores import expected_json

FOLDER = Path(__file__).parents[2] / "records" / "options"
RECORDS = sorted(FOLDER.glob("*.gin"))
PROVED_BY_DEFAULT = {
    "first_dealer-challenged",
    "first_dealer-challenger",
    "first_dealer-random",
    "knock_limit-0",
    "knock_limit-upcard",
    "discard_drawn-never",
}
"""Values that only forbid moves or choose the first dealer. Their records are played with the option's default."""


def named_values() -> list[str]:
    """Return `OPTION-VALUE` for every named value except defaults."""
    return [
        f"{name}-{option.print(value)}"
        for name, option in OPTIONS.items()
        for value in option.named_values
        if value != getattr(Rules(), name)
    ]


def replay_result(record: Record) -> dict[str, Any] | str:
    """Replay a record without checking its result header. Return the JSON of the replay, or an error code."""
    try:
        return match_to_json(replace(record, result=None).replay())
    except RecordError as error:
        return error.code


@pytest.mark.parametrize("name", named_values())
def test_every_named_value_has_a_record(name: str) -> None:
    """Every named value of an option, except the default, has a record."""
    assert (FOLDER / f"{name}.gin").exists()


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.numbers])
def test_every_number_has_a_record(name: str) -> None:
    """Every option that allows numbers has a record for a number that is not the default."""
    others = [path for path in RECORDS if path.stem.startswith(f"{name}-") and path.stem.split("-")[1].isdigit()]
    assert others


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_value_matters(path: Path) -> None:
    """Replacing the option's value by the default, or the default by the value, changes the result of the replay."""
    name, _, text = path.stem.partition("-")
    record = Record.parse(path.read_text(encoding="utf-8"))
    value: Value = OPTIONS[name].parse(text)
    default: Value = getattr(Rules(), name)
    played_value, exchanged_value = (default, value) if path.stem in PROVED_BY_DEFAULT else (value, default)
    assert value != default
    assert getattr(record.rules, name) == played_value
    header = [word for word in str(record.rules).split() if not word.startswith(f"{name}=")]
    exchanged = Rules.parse(" ".join((*header, f"{name}={OPTIONS[name].print(exchanged_value)}")))
    assert replay_result(replace(record, rules=exchanged)) != replay_result(record)


@pytest.mark.parametrize("path", thorough_after(15, RECORDS), ids=lambda path: path.stem)
def test_the_reference_agrees(path: Path) -> None:
    """Each option's record has a finished match, and the brute-force reference gives it the same result."""
    record = Record.parse(path.read_text(encoding="utf-8"))
    match = record.replay()
    assert match.score.is_over
    assert match_to_json(match) == expected_json(str(record))
