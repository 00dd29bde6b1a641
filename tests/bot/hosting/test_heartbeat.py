"""The heartbeat: a file with the time at which the bot was last healthy."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.files.private_files import PrivateFileError
from bot.hosting.heartbeat import MAX_AGE, NO_HEARTBEAT, Heartbeat
from bot.model.shards import Shards
from tests.helpers.processes import ANOTHER_USER, needs_root

ADDRESS = "postgresql://bot@host/deadwood"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the folder for heartbeats of bots on PostgreSQL. The folder does not exist yet."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path / f"deadwood-{os.getuid()}"


def test_a_beat_is_fresh_and_ends_with_the_bot(tmp_path: Path) -> None:
    """A heartbeat exists and is fresh from the first beat until the bot stops. Stopping twice is harmless."""
    heart = Heartbeat(tmp_path / "deadwood.db")
    assert heart.trouble() == NO_HEARTBEAT
    heart.beat()
    assert heart.trouble() is None
    assert os.listdir(tmp_path) == ["deadwood.db.heartbeat"]
    heart.stop()
    heart.stop()
    assert heart.trouble() == NO_HEARTBEAT


def test_stop_succeeds_if_the_file_cannot_be_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the heartbeat file cannot be deleted, as in a read-only folder, the stop succeeds and the file stays."""
    heart = Heartbeat(tmp_path / "deadwood.db")
    heart.beat()
    monkeypatch.setattr(Path, "unlink", Mock(side_effect=PermissionError))
    heart.stop()
    assert heart.trouble() is None


def test_a_beat_reports_a_problem_until_the_next_beat(tmp_path: Path) -> None:
    """A beat can carry a problem, which the next beat clears."""
    heart = Heartbeat(tmp_path / "deadwood.db")
    heart.beat("an answer took 7 seconds")
    assert heart.trouble() == "an answer took 7 seconds"
    heart.beat()
    assert heart.trouble() is None


def test_the_exit_reason_is_reported_until_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason for an exit is reported until the next start or heartbeat. A start does not delete a heartbeat."""
    heart = Heartbeat(tmp_path / "deadwood.db")
    heart.end("its file was removed")
    monkeypatch.setattr(time, "time", Mock(return_value=time.time() + 10 * MAX_AGE))
    assert heart.trouble() == "its file was removed"
    heart.forget_end()
    assert heart.trouble() == NO_HEARTBEAT
    heart.forget_end()
    heart.beat()
    heart.forget_end()
    assert heart.trouble() is None
    heart.end("its file was removed")
    heart.beat()
    assert heart.trouble() is None


def test_a_deleted_folder_is_recreated(folder: Path) -> None:
    """The heartbeat folder is recreated if other programs delete it, but not used if others can write to it."""
    heart = Heartbeat(ADDRESS)
    heart.beat()
    shutil.rmtree(folder)
    heart.beat()
    assert heart.trouble() is None
    shutil.rmtree(folder)
    folder.mkdir()
    folder.chmod(0o777)
    heart.beat()
    assert list(folder.iterdir()) == []


def test_a_renamed_working_directory_does_not_move_the_heartbeat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the working directory is renamed, the heartbeat is still written to its original path."""
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    heart = Heartbeat(Path("deadwood.db"))
    (tmp_path / "folder").rename(tmp_path / "renamed")
    (tmp_path / "folder").mkdir()
    heart.beat()
    assert Heartbeat(tmp_path / "folder" / "deadwood.db").trouble() is None


@pytest.mark.parametrize("text", ["", "soon"])
def test_an_unreadable_heartbeat_counts_as_none(tmp_path: Path, text: str) -> None:
    """A file with unreadable content counts as no heartbeat."""
    (tmp_path / "deadwood.db.heartbeat").write_text(text)
    assert Heartbeat(tmp_path / "deadwood.db").trouble() == NO_HEARTBEAT


@pytest.mark.parametrize("since", [MAX_AGE + 1, -MAX_AGE - 1])
def test_a_stale_beat_reports_its_age(tmp_path: Path, since: float) -> None:
    """A stale heartbeat is reported with its age, even if its time is in the future because the clock was set back."""
    (tmp_path / "deadwood.db.heartbeat").write_text(str(time.time() - since))
    assert "the last heartbeat was 31 seconds ago" in str(Heartbeat(tmp_path / "deadwood.db").trouble())


def test_server_heartbeats_are_in_a_private_folder(folder: Path) -> None:
    """Each PostgreSQL address and set of shards has a file in a private folder. The file's name hides the address."""
    heart = Heartbeat(ADDRESS)
    heart.beat()
    assert Heartbeat(ADDRESS).trouble() is None
    assert folder.stat().st_mode & 0o777 == 0o700
    for other in (
        Heartbeat(ADDRESS + "2"),
        Heartbeat(ADDRESS, Shards.parse("0-1/4")),
        Heartbeat(ADDRESS, Shards.parse("2-3/4")),
    ):
        assert other.trouble() == NO_HEARTBEAT
        other.beat()
    names = os.listdir(folder)
    assert len(names) == 4
    assert all(name.endswith(".heartbeat") and "host" not in name for name in names)
    heart.stop()
    assert len(os.listdir(folder)) == 3


def test_a_folder_that_others_may_write_to_is_refused(folder: Path) -> None:
    """A heartbeat folder that other users can write to is refused, because they could fake a heartbeat."""
    folder.mkdir()
    folder.chmod(0o770)
    with pytest.raises(PrivateFileError, match=f"others may write to {folder}"):
        Heartbeat(ADDRESS)
    folder.chmod(0o755)
    assert Heartbeat(ADDRESS).trouble() == NO_HEARTBEAT


@needs_root
def test_a_folder_of_another_user_is_refused(folder: Path) -> None:
    """A heartbeat folder owned by another user is refused, because anyone can create folders in /tmp."""
    folder.mkdir(mode=0o700)
    os.chown(folder, ANOTHER_USER, ANOTHER_USER)
    with pytest.raises(PrivateFileError, match="others may write to"):
        Heartbeat(ADDRESS)


def test_a_link_or_a_file_in_its_place_is_refused(folder: Path, tmp_path: Path) -> None:
    """A symbolic link or a file in place of the heartbeat folder is refused."""
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PrivateFileError, match="it is not a folder"):
        Heartbeat(ADDRESS)
    folder.unlink()
    folder.touch()
    with pytest.raises(PrivateFileError, match="cannot use the folder"):
        Heartbeat(ADDRESS)
