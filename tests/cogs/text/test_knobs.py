"""Each value of each knob in words."""

from __future__ import annotations

import pytest

from bot.engine.rules import KNOBS, Value
from cogs.text.knobs import NUMBER, TITLES, WORDS, said


def values_of(knob: str) -> list[Value]:
    """Each value of a knob; of many numbers the first two and the last."""
    numbers = KNOBS[knob].numbers
    return [*KNOBS[knob].names, *sorted({*numbers[:2], *numbers[-1:]})]


def test_every_knob_has_words() -> None:
    """The words are of the very knobs that the engine plays, in their order."""
    assert list(WORDS) == list(KNOBS)
    assert sorted(TITLES) == sorted(KNOBS)
    assert len({*TITLES.values()}) == len(KNOBS)


@pytest.mark.parametrize("knob", KNOBS)
def test_every_value_of_a_knob_has_words_of_its_own(knob: str) -> None:
    """No value is left without words, none shares them, a number is named, and no name of ours shows through."""
    told = {KNOBS[knob].print(value): said(knob, value) for value in values_of(knob)}
    for words in told.values():
        assert 0 < len(words.short) <= 100, "a menu shows at most 100 characters"
        assert words.long.endswith(".")
        for text in (words.short, words.long):
            assert "_" not in text
            assert "None" not in text
            assert "{" not in text
    assert len({words.short for words in told.values()}) == len(told)
    assert len({words.long for words in told.values()}) == len(told)
    for number in KNOBS[knob].numbers[-1:]:
        assert str(number) in said(knob, number).short or len(KNOBS[knob].numbers) <= 2


def test_no_words_are_of_values_that_are_none() -> None:
    """Every key is a value of its knob, or stands for its numbers."""
    for knob, values in WORDS.items():
        assert all(value == NUMBER or KNOBS[knob].allows(value) for value in values), knob
