"""Open files, and the copies saved when they are lost."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.files.open_files import Guard, OpenFiles, find_lost_copy
from tests.helpers.lost_files import file_names
from tests.helpers.waiting import MAX_WAIT


@pytest.fixture
def files(tmp_path: Path) -> OpenFiles:
    """Create two files and track them as open files."""
    for name in ("main", "other"):
        (tmp_path / name).write_text("as it was")
    return OpenFiles(tmp_path / "main", tmp_path / "other")


@pytest.mark.parametrize("name", ["main", "other"])
def test_a_loss_is_described(files: OpenFiles, tmp_path: Path, name: str) -> None:
    """Removed and replaced files are reported with different reasons. A file with changed content is not lost."""
    (tmp_path / name).write_text("other words")
    assert files.find_loss() is None
    (tmp_path / name).rename(tmp_path / "elsewhere")
    missing = files.find_loss()
    assert missing is not None
    assert str(tmp_path / name) in missing
    (tmp_path / name).touch()
    assert files.find_loss() not in (None, missing)
    (tmp_path / "elsewhere").rename(tmp_path / name)
    assert files.find_loss() is None


def test_files_are_lost_if_their_folder_is_replaced(tmp_path: Path) -> None:
    """Files count as lost if their folder is replaced by a file, or by a symbolic link that points to itself."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "main").touch()
    files = OpenFiles(folder / "main")
    folder.rename(tmp_path / "elsewhere")
    folder.touch()
    assert files.find_loss() is not None
    folder.unlink()
    folder.symlink_to("folder")
    assert files.find_loss() is not None


def test_inaccessible_files_are_not_lost(files: OpenFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files in a folder that cannot be entered do not count as lost."""
    monkeypatch.setattr(os, "stat", Mock(side_effect=PermissionError))
    assert files.find_loss() is None


def test_a_missing_file_cannot_be_tracked(tmp_path: Path) -> None:
    """Tracking a missing file raises an error that names the file."""
    with pytest.raises(FileNotFoundError) as missing:
        OpenFiles(tmp_path / "main")
    assert missing.value.filename == str(tmp_path / "main")


async def test_a_failed_copy_is_deleted(files: OpenFiles, tmp_path: Path) -> None:
    """A copy gets its final name only when complete. A failed copy is deleted."""

    async def fail(target: Path) -> None:
        assert os.listdir(tmp_path) != [*file_names(tmp_path) - {target.name}]
        assert find_lost_copy(tmp_path / "main") is None
        raise OSError(28, "No space left on device")

    (tmp_path / "main").unlink()
    guard = Guard(files, fail)
    guard.start()
    await asyncio.wait_for(guard.stop(), MAX_WAIT)
    assert (guard.copy, file_names(tmp_path)) == (None, {"other"})
    assert guard.loss == files.find_loss()


async def test_a_loss_names_its_copy(files: OpenFiles, tmp_path: Path) -> None:
    """The description of a lost file names its saved copy, so the last line of the log is enough to find the copy."""

    async def copy(target: Path) -> None:
        await asyncio.to_thread(target.write_text, "as it was")

    (tmp_path / "main").unlink()
    guard = Guard(files, copy)
    guard.start()
    await asyncio.wait_for(guard.stop(), MAX_WAIT)
    assert guard.copy is not None
    assert guard.copy.read_text() == "as it was"
    assert str(guard.copy) in str(guard.loss)


async def test_a_guard_without_a_loss_saves_nothing(files: OpenFiles, tmp_path: Path) -> None:
    """If no file was lost, a `Guard` stops immediately, saves no copy, and does not wake waiting tasks."""

    async def copy(_: Path) -> None:
        raise AssertionError

    guard = Guard(files, copy)
    guard.start()
    waiting = asyncio.create_task(guard.wait())
    await asyncio.sleep(0)
    await asyncio.wait_for(guard.stop(), MAX_WAIT)
    assert (guard.loss, guard.check(), waiting.done()) == (None, None, False)
    waiting.cancel()


def test_a_new_file_is_refused_next_to_a_copy(tmp_path: Path) -> None:
    """If a file is missing but complete copies of it exist, the error names the newest copy."""
    path = tmp_path / "x.db"
    for name in ("x.db.lost-1.part", "xy.db.lost-1", "ax.db.lost-1", "x.db.before-1"):
        (tmp_path / name).touch()
    assert find_lost_copy(path) is None
    assert find_lost_copy(tmp_path / "nowhere" / "x.db") is None
    for name in ("x.db.lost-1", "x.db.lost-2"):
        (tmp_path / name).touch()
    assert str(tmp_path / "x.db.lost-2") in str(find_lost_copy(path))
    path.touch()
    assert find_lost_copy(path) is None
