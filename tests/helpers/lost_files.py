"""Ways to remove, replace or move the files of an open SQLite database."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Final

BACKUP: Final = "backup.db"
"""The file name of a backup, which lies in the database's folder."""

RENAMED: Final = "renamed"
"""The name that the database's folder gets when it is renamed."""


def _side(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def remove_all(path: Path) -> None:
    """Remove the database and all files next to it, like `rm x.db*`."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def replace(path: Path) -> None:
    """Move the backup over the database, but leave the old write-ahead log."""
    path.with_name(BACKUP).rename(path)


def replace_all(path: Path) -> None:
    """Move the backup over the database, and remove the old write-ahead log."""
    replace(path)
    for ending in ("-wal", "-shm"):
        _side(path, ending).unlink()


def remove(ending: str) -> Callable[[Path], None]:
    """Return a function that removes the database's file with this ending, such as `-wal`."""

    def remove_it(path: Path) -> None:
        _side(path, ending).unlink()

    remove_it.__name__ = f"remove {ending or 'the file'}"
    return remove_it


def renew(ending: str) -> Callable[[Path], None]:
    """Return a function that puts an empty file in place of the database's file with this ending, such as `-wal`."""

    def renew_it(path: Path) -> None:
        new = path.with_name("new")
        new.touch(0o600)
        new.replace(_side(path, ending))

    renew_it.__name__ = f"renew {ending}"
    return renew_it


def move(path: Path) -> None:
    """Rename the database's main file."""
    path.rename(path.with_name("elsewhere.db"))


def replace_with_garbage(path: Path) -> None:
    """Replace the main file with one that is not a database."""
    new = path.with_name("new")
    new.write_text("not a database " * 999)
    new.chmod(0o600)
    new.replace(path)


def rename_folder(path: Path) -> None:
    """Rename the database's folder."""
    path.parent.rename(path.parent.with_name(RENAMED))


def replace_folder(path: Path) -> None:
    """Rename the database's folder, and restore the backup in a new folder of the old name."""
    rename_folder(path)
    path.parent.mkdir()
    shutil.copy(path.parent.with_name(RENAMED) / BACKUP, path)


def remove_folder(path: Path) -> None:
    """Remove the database's folder with all its files."""
    shutil.rmtree(path.parent)


LOSSES: Final = (
    remove_all,
    replace,
    replace_all,
    move,
    replace_with_garbage,
    *(remove(ending) for ending in ("", "-wal", "-shm", ".lock")),
    *(renew(ending) for ending in ("-wal", "-shm", ".lock")),
    rename_folder,
    replace_folder,
    remove_folder,
)


def copies(path: Path) -> list[Path]:
    """Return the bot's copies of a lost database from the database's folder, even if the folder was renamed."""
    folders = (path.parent, path.parent.with_name(RENAMED))
    return [copy for folder in folders for copy in sorted(folder.glob(f"{path.name}.lost-*"))]


def file_names(folder: Path) -> set[str]:
    """Return the names of the files in a folder, or an empty set if it does not exist."""
    return {*os.listdir(folder)} if folder.exists() else set()


def content(path: Path) -> bytes:
    return path.read_bytes()


def make_read_only(path: Path) -> None:
    """Make a file read-only, and change its modification time."""
    path.chmod(0o400)
    os.utime(path)


def read_values(path: Path) -> dict[str, str]:
    """Check a database's integrity. Return the contents of its table `key_value`."""
    with closing(connect(f"{path.as_uri()}?mode=rw", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return dict(connection.execute("SELECT key, value FROM key_value").fetchall())
