"""Ways to remove, replace or move the files of an open database."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Final

BACKUP: Final = "backup.db"
"""The name of an earlier backup in the same folder."""

RENAMED: Final = "renamed"
"""The new name of a folder."""


def _side(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def remove_all(path: Path) -> None:
    """Run `rm x.db*`."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def replace(path: Path) -> None:
    """Move a backup over the file, but leave its log."""
    path.with_name(BACKUP).rename(path)


def replace_all(path: Path) -> None:
    """Move a backup over the file and remove the log."""
    replace(path)
    for ending in ("-wal", "-shm"):
        _side(path, ending).unlink()


def remove(ending: str) -> Callable[[Path], None]:
    """Remove one file."""

    def remove_it(path: Path) -> None:
        _side(path, ending).unlink()

    remove_it.__name__ = f"remove {ending or 'the file'}"
    return remove_it


def renew(ending: str) -> Callable[[Path], None]:
    """Replace one file with an empty file."""

    def renew_it(path: Path) -> None:
        new = path.with_name("new")
        new.touch(0o600)
        new.replace(_side(path, ending))

    renew_it.__name__ = f"renew {ending}"
    return renew_it


def move(path: Path) -> None:
    """Rename the file."""
    path.rename(path.with_name("elsewhere.db"))


def spoil(path: Path) -> None:
    """Replace the file with one that is not a database."""
    new = path.with_name("new")
    new.write_text("not a database " * 999)
    new.chmod(0o600)
    new.replace(path)


def rename_folder(path: Path) -> None:
    """Rename the folder with all its files."""
    path.parent.rename(path.parent.with_name(RENAMED))


def replace_folder(path: Path) -> None:
    """Rename the folder, and create another one with a backup under the old name."""
    rename_folder(path)
    path.parent.mkdir()
    shutil.copy(path.parent.with_name(RENAMED) / BACKUP, path)


def remove_folder(path: Path) -> None:
    """Remove the folder with all its files."""
    shutil.rmtree(path.parent)


LOSSES: Final = (
    remove_all,
    replace,
    replace_all,
    move,
    spoil,
    *(remove(ending) for ending in ("", "-wal", "-shm", ".lock")),
    *(renew(ending) for ending in ("-wal", "-shm", ".lock")),
    rename_folder,
    replace_folder,
    remove_folder,
)


def copies(path: Path) -> list[Path]:
    """Return the copies of a lost file, in its folder or in the renamed folder."""
    folders = (path.parent, path.parent.with_name(RENAMED))
    return [copy for folder in folders for copy in sorted(folder.glob(f"{path.name}.lost-*"))]


def names(folder: Path) -> set[str]:
    """Return the names of the files in a folder, or an empty set if it does not exist."""
    return {*os.listdir(folder)} if folder.exists() else set()


def content(path: Path) -> bytes:
    return path.read_bytes()


def close_to_writers(path: Path) -> None:
    """Make a file read-only and touch it."""
    path.chmod(0o400)
    os.utime(path)


def values(path: Path) -> dict[str, str]:
    """Check a database's integrity. Return its keys and values."""
    with closing(connect(f"{path.as_uri()}?mode=rw", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return dict(connection.execute("SELECT key, value FROM key_value").fetchall())
