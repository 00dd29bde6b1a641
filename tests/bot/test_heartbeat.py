"""The heartbeat: a file that says when the bot was last well."""

from __future__ import annotations

import os
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.heartbeat import FRESH, NO_HEARTBEAT, Heartbeat


def test_a_beat_is_fresh_and_ends_with_the_bot(tmp_path: Path) -> None:
    """There is none before the first beat, all is well after it, and there is none once the bot stops, even twice."""
    heart = Heartbeat(tmp_path / "deadwood.db")
    assert heart.trouble() == NO_HEARTBEAT
    heart.beat()
    assert heart.trouble() is None
    assert os.listdir(tmp_path) == ["deadwood.db.heartbeat"]
    heart.stop()
    heart.stop()
    assert heart.trouble() == NO_HEARTBEAT


def test_a_beat_that_cannot_be_taken_back_keeps_nobody_from_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a folder that has become read-only: the stop goes on, and the beat stays there to grow old."""
    heart = Heartbeat(tmp_path / "deadwood.db")
    heart.beat()
    monkeypatch.setattr(Path, "unlink", Mock(side_effect=PermissionError))
    heart.stop()
    assert heart.trouble() is None


def test_a_beat_tells_of_trouble_until_the_next_one(tmp_path: Path) -> None:
    """A bot that is connected but not well says why."""
    heart = Heartbeat(tmp_path / "deadwood.db")
    heart.beat("an answer took 7 seconds")
    assert heart.trouble() == "an answer took 7 seconds"
    heart.beat()
    assert heart.trouble() is None


@pytest.mark.parametrize("text", ["", "soon"])
def test_a_heartbeat_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    """A file of something else counts as no heartbeat."""
    (tmp_path / "deadwood.db.heartbeat").write_text(text)
    assert Heartbeat(tmp_path / "deadwood.db").trouble() == NO_HEARTBEAT


@pytest.mark.parametrize("since", [FRESH + 1, -FRESH - 1])
def test_a_stale_beat_tells_its_age(tmp_path: Path, since: float) -> None:
    """The age is counted from what the file says, whichever way the clock was set."""
    (tmp_path / "deadwood.db.heartbeat").write_text(str(time.time() - since))
    assert "the last heartbeat was 31 seconds ago" in str(Heartbeat(tmp_path / "deadwood.db").trouble())
