"""Faults of seeds, reveals and events in a record are reported with their line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.engine.errors import RecordError
from bot.engine.fairness.audit import audit
from bot.engine.records.record import Record

RECORDS = Path(__file__).parents[2] / "records"
DUEL = (RECORDS / "verifiable-duel.gin").read_text(encoding="utf-8")
PARTNERS = (RECORDS / "verifiable-partners.gin").read_text(encoding="utf-8")


def without_lines(start: str, text: str = DUEL) -> str:
    """Return a record without the lines that begin with this text."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(start))


def with_moved_line(start: str, before: str) -> str:
    """Return the duel's record with one line moved before another, both given by their beginnings."""
    lines = DUEL.splitlines(keepends=True)
    line = next(line for line in lines if line.startswith(start))
    lines.remove(line)
    lines.insert(next(place for place, existing in enumerate(lines) if existing.startswith(before)), line)
    return "".join(lines)


def with_repeated_line(start: str) -> str:
    """Return the duel's record with one line repeated: the first that begins with this text."""
    line = next(line for line in DUEL.splitlines(keepends=True) if line.startswith(start))
    return DUEL.replace(line, line + line, 1)


@pytest.mark.parametrize(
    ("edit", "what", "event"),
    [
        (lambda: without_lines("seed 1"), "each seat must give a seed before the first event", None),
        (lambda: without_lines("seed"), "each seat must give a seed before the first event", None),
        (lambda: DUEL.replace("seed 1", "seed 3", 1), "each seat must give a seed before the first event", None),
        (lambda: with_repeated_line("seed 1"), "before the first event each seat gives one seed", None),
        (lambda: DUEL.replace("from=", "from=1"), "a seed counts from the wrong deal", None),
        (lambda: DUEL.replace(" from=4", ""), "a seed counts from the wrong deal", None),
        (lambda: with_moved_line("seed 0", "0 "), "each seat must give a seed before the first event", None),
        (lambda: DUEL.replace("seed 0 3df3", "seed 7 3df3"), "there is no such seat", None),
        (lambda: DUEL.replace(" event=2", ""), "events are numbered from 1 to 16384", None),
        (lambda: DUEL.replace(" event=2", " event=0"), "events are numbered from 1 to 16384", None),
        (lambda: DUEL.replace(" event=2", " event=16385"), "events are numbered from 1 to 16384", None),
        (lambda: DUEL.replace(" event=3", " event=2"), "the event is there twice", 2),
        (lambda: without_lines("cut"), "an event is missing: 1", 2),
        (lambda: without_lines("deal 3"), "an event is missing: 4", 5),
        (lambda: with_moved_line("cut", "reveal"), "the event comes after a later one", 1),
        (lambda: with_moved_line("deal 3", "deal 2"), "the event comes after a later one", 3),
        (lambda: DUEL.replace("deal 3 ", "deal 9 "), "the event is out of order", 4),
        (lambda: DUEL.replace("deal 1 dealer=", "deal 1 board=2 dealer="), "the event is out of order", 2),
        (lambda: with_moved_line("reveal 1", "0 "), "the record cannot be replayed", None),
        (lambda: with_moved_line("reveal 2", "deal 1"), "a seed is revealed before its event", 2),
        (lambda: with_repeated_line("reveal 2"), "seeds are revealed in the order of their events, once", 2),
        (lambda: with_moved_line("reveal 2", "reveal 1"), "seeds are revealed in the order of their events, once", 1),
        (lambda: DUEL.replace("reveal 5", "reveal 6"), "a seed is revealed before its event", 6),
        (
            lambda: without_lines("seed 2", PARTNERS),
            "each seat must give a seed before the first event",
            None,
        ),
        (
            lambda: PARTNERS.replace(" seats=1,0", ""),
            "with several boards, a deal must list its seats",
            2,
        ),
        (lambda: PARTNERS.replace(" event=4", " event=99"), "an event is missing: 4", 5),
    ],
)
def test_each_fault_is_named(edit: Callable[[], str], what: str, event: int | None) -> None:
    """Each fault of seeds, events and reveals has its own message, and the answer is `wrong`."""
    text = edit()
    assert text not in (DUEL, PARTNERS)
    record = Record.parse(text)
    found = audit(record)
    difference = next((difference for difference in found.differences if difference.what == what), None)
    assert difference is not None, found.differences
    assert difference.event == event
    assert found.answer == "wrong"


@pytest.mark.parametrize("event", [0, 16385, 999_999_999])
def test_a_reveal_that_no_chain_has_is_refused(event: int) -> None:
    """A reveal of an event number outside the hash chain is refused, and the error names its line."""
    text = f"{DUEL}reveal {event} {'0' * 64}\n"
    with pytest.raises(RecordError, match=f"line {len(DUEL.splitlines()) + 1}: a chain has no seed for event {event}"):
        audit(Record.parse(text))


def test_numbers_of_events_may_come_out_of_order_on_two_boards() -> None:
    """Events on two boards are numbered in order of play, but a record prints one board after the other."""
    events = [line.rpartition("event=")[2].split()[0] for line in PARTNERS.splitlines() if "event=" in line]
    assert events != sorted(events, key=int)
    assert audit(Record.parse(PARTNERS)).answer == "consistent"
