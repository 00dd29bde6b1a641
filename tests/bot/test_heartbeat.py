"""The heartbeat: a file that says when the bot was last well."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.heartbeat import FRESH, Heartbeat


def test_a_beat_is_fresh_and_ends_with_the_bot(tmp_path: Path) -> None:
    """There is none before the first beat, a fresh one after it, and none once the bot stops, even twice."""
    heart = Heartbeat(tmp_path / "deadwood.db")
    assert heart.age() is None
    heart.beat()
    age = heart.age()
    assert age is not None
    assert age < FRESH
    assert os.listdir(tmp_path) == ["deadwood.db.heartbeat"]
    heart.stop()
    heart.stop()
    assert heart.age() is None


@pytest.mark.parametrize("text", ["", "soon"])
def test_a_heartbeat_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    """A file of something else counts as no heartbeat."""
    (tmp_path / "deadwood.db.heartbeat").write_text(text)
    assert Heartbeat(tmp_path / "deadwood.db").age() is None


def test_a_stale_beat_tells_its_age(tmp_path: Path) -> None:
    """The age is counted from what the file says, whichever way the clock was set."""
    (tmp_path / "deadwood.db.heartbeat").write_text("1000.0")
    age = Heartbeat(tmp_path / "deadwood.db").age()
    assert age is not None
    assert age > FRESH
