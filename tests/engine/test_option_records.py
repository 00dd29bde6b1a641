"""Every value of every option matters: for each there is a match that would have gone otherwise by the default.

The matches are in `tests/records/options`, named `OPTION-VALUE`. Most are played by the value, which is then replaced
by the default. Where a value only forbids what the default allows (`discard_drawn=never`), or only decides who deals
first, no match played by it can tell; its record is played by the default, which is then replaced by the value.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.engine.record import Record, RecordError
from bot.engine.rules import OPTIONS, Rules, Value
from bot.engine.to_json import match_to_json
from tests.helpers.cases import thorough_after
from tests.reference.scores import reference_json

FOLDER = Path(__file__).parents[1] / "records" / "options"
RECORDS = sorted(FOLDER.glob("*.gin"))
FORBIDDING = {
    "first_dealer-challenged",
    "first_dealer-challenger",
    "first_dealer-random",
    "knock_limit-0",
    "knock_limit-upcard",
    "discard_drawn-never",
}
"""The values that are proved by a record of the default."""


def named_values() -> list[str]:
    """`OPTION-VALUE` for every value that has a name of its own and is no default."""
    return [
        f"{name}-{option.print(value)}"
        for name, option in OPTIONS.items()
        for value in option.named
        if value != getattr(Rules(), name)
    ]


def replayed(record: Record) -> dict[str, Any] | str:
    """Return the JSON of a replay, whatever result the record claims, or the error's code if it cannot be replayed."""
    try:
        return match_to_json(replace(record, result=None).replay())
    except RecordError as error:
        return error.code


@pytest.mark.parametrize("name", named_values())
def test_every_named_value_has_a_record(name: str) -> None:
    """A new value needs a match that it matters to."""
    assert (FOLDER / f"{name}.gin").exists()


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.numbers.range])
def test_every_number_has_a_record(name: str) -> None:
    """Of an option that is a number one other than the default stands for all."""
    others = [path for path in RECORDS if path.stem.startswith(f"{name}-") and path.stem.split("-")[1].isdigit()]
    assert others


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_value_matters(path: Path) -> None:
    """With the value and the default exchanged a finished match scores something else, or cannot be played at all."""
    name, _, text = path.stem.partition("-")
    record = Record.parse(path.read_text(encoding="utf-8"))
    value: Value = OPTIONS[name].parse(text)
    default: Value = getattr(Rules(), name)
    of, other = (default, value) if path.stem in FORBIDDING else (value, default)
    assert value != default
    assert getattr(record.rules, name) == of
    header = [word for word in str(record.rules).split() if not word.startswith(f"{name}=")]
    exchanged = Rules.parse(" ".join((*header, f"{name}={OPTIONS[name].print(other)}")))
    assert replayed(replace(record, rules=exchanged)) != replayed(record)


@pytest.mark.parametrize("path", thorough_after(15, RECORDS), ids=lambda path: path.stem)
def test_the_reference_agrees(path: Path) -> None:
    """The matches are over, and brute force, apart from the engine, comes to what the replay says."""
    record = Record.parse(path.read_text(encoding="utf-8"))
    match = record.replay()
    assert match.score.over
    assert match_to_json(match) == reference_json(str(record))
