"""Tests of database files that are removed, replaced or moved while the database is open."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.files import open_files
from bot.store.database import Database
from bot.store.errors import DatabaseError, DatabaseLostError
from bot.store.opening import exclusive_database, open_database
from bot.store.sqlite import backup
from tests.helpers.cases import thorough_after
from tests.helpers.databases import new_database
from tests.helpers.host_faults import full_disk, small_disk
from tests.helpers.lost_files import (
    BACKUP,
    LOSSES,
    content,
    copies,
    file_names,
    make_read_only,
    move,
    read_values,
    remove,
    remove_all,
    remove_folder,
    rename_folder,
    replace,
    replace_all,
)
from tests.helpers.waiting import eventually
from tests.store.test_sqlite import save

pytestmark = pytest.mark.sqlite

IN_BACKUP, NOT_IN_BACKUP = "before the backup", "after the backup"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a path in a new folder, which tests may rename."""
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder" / "games & more.db"


@asynccontextmanager
async def open_database_with_values(path: Path) -> AsyncGenerator[Database]:
    """Open a database with two values, and a backup with only the first one. Close the database at the end."""
    database = await open_database(new_database(path))
    try:
        await save(database, IN_BACKUP, "kept")
        backup(f"sqlite:///{path}", path.with_name(BACKUP))
        await save(database, NOT_IN_BACKUP, "kept")
        yield database
    finally:
        await database.close()


@pytest.mark.parametrize("lose", thorough_after(3, LOSSES), ids=lambda lose: lose.__name__)
async def test_loss_fails_all_access_and_saves_a_copy(path: Path, lose: Callable[[Path], None]) -> None:
    """After a loss, all writes and reads fail. A copy has all saved values, and `loss` names it."""
    async with open_database_with_values(path) as database:
        lose(path)
        with pytest.raises(DatabaseLostError):
            await save(database, "too late", "")
        with pytest.raises(DatabaseLostError):
            async with database.read():
                pass
        await database.wait_for_loss()
        (copy,) = copies(path)
        assert str(copy) in str(database.loss)
        with pytest.raises(DatabaseLostError):
            await save(database, "too late", "")
    copied_values = read_values(copy)
    assert (copied_values[IN_BACKUP], copied_values[NOT_IN_BACKUP], "too late" in copied_values) == (
        "kept",
        "kept",
        False,
    )
    assert copy.stat().st_mode & 0o777 == 0o600
    assert not list(copy.parent.glob("*.part*"))


@pytest.mark.parametrize("lose", [replace, replace_all])
async def test_replacement_file_is_not_changed(path: Path, lose: Callable[[Path], None]) -> None:
    """The next start does not apply the lost file's write-ahead log to the file that replaced it."""
    async with open_database_with_values(path) as database:
        before = content(path.with_name(BACKUP))
        lose(path)
        assert database.check_files() is not None
        await database.wait_for_loss()
    assert content(path) == before
    async with exclusive_database(f"sqlite:///{path}"):
        pass
    assert read_values(path).keys() == {IN_BACKUP}


@pytest.mark.parametrize("lose", [remove("-wal"), remove("-shm"), remove(".lock")])
async def test_lost_side_file_loses_no_data(path: Path, lose: Callable[[Path], None]) -> None:
    """If only a side file was removed, the database file has all values after the database is closed."""
    async with open_database_with_values(path) as database:
        lose(path)
        assert database.check_files() is not None
        await database.wait_for_loss()
    assert read_values(path).keys() == {IN_BACKUP, NOT_IN_BACKUP}


@pytest.mark.nightly
async def test_loss_is_noticed_without_writes(path: Path) -> None:
    """The loss of a database file is noticed and logged once even without writes, and the log names the saved copy."""
    async with open_database_with_values(path) as database:
        assert (database.check_files(), database.loss) == (None, None)
        with capture_logs() as lines:
            remove_all(path)
            async with asyncio.timeout(60):
                await database.wait_for_loss()
        assert len(lines) == 2
        assert str(path) in lines[0]["problem"]
        assert [Path(lines[1]["file"])] == copies(path)


async def test_new_connections_after_a_loss_are_ignored(path: Path) -> None:
    """After a loss, new connections create no file, and their errors do not count as damage of the database."""
    async with open_database_with_values(path) as database:
        remove_all(path)
        with pytest.raises(DatabaseLostError):
            await asyncio.gather(*(database.check_health() for _ in range(3)))
        await database.wait_for_loss()
        assert database.health.damage is None
        assert [file.name for file in path.parent.iterdir() if file.name != BACKUP] == [copies(path)[0].name]


async def test_loss_just_before_close_is_reported(path: Path) -> None:
    """If the file is lost just before `close`, `close` saves a copy and reports the loss."""
    async with open_database_with_values(path) as database:
        remove_all(path)
    assert read_values(copies(path)[0]).keys() == {IN_BACKUP, NOT_IN_BACKUP}
    assert database.loss is not None
    with pytest.raises(DatabaseLostError):
        async with exclusive_database(new_database(path)):
            replace_with_new(path)


def replace_with_new(path: Path) -> None:
    """Replace the file with a new database."""
    new = path.with_name("new.db")
    new_database(new)
    new.rename(path)


async def test_erasing_does_not_touch_a_replacement(path: Path) -> None:
    """After a loss, `erase_traces` fails and does not touch the file that replaced the database."""
    async with open_database_with_values(path) as database:
        replace(path)
        before = content(path)
        with pytest.raises(DatabaseLostError):
            await database.erase_traces()
        assert content(path) == before


async def test_start_is_refused_while_a_copy_exists(path: Path) -> None:
    """While a copy of a lost database exists, no new database is created. The copy is opened after it is renamed."""
    async with open_database_with_values(path):
        remove_all(path)
    (copy,) = copies(path)
    for _ in range(2):
        with pytest.raises(DatabaseError, match=re.escape(str(copy))):
            await open_database(f"sqlite:///{path}")
        assert path.name not in file_names(path.parent)
    copy.rename(path)
    await (await open_database(f"sqlite:///{path}")).close()
    assert read_values(path).keys() == {IN_BACKUP, NOT_IN_BACKUP}


async def test_a_copy_never_replaces_a_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the name of a copy is taken, even by a folder, a link or a partial copy, the copy gets another name."""

    class Stopped(open_files.datetime):
        @classmethod
        def now(cls, tz: object = None) -> Stopped:
            return cls(2026, 11, 28, 12)

    monkeypatch.setattr(open_files, "datetime", Stopped)
    taken = path.with_name(f"{path.name}.lost-20261128T120000Z")
    async with open_database_with_values(path) as database:
        taken.mkdir()
        taken.with_name(f"{taken.name}-2").symlink_to("nowhere")
        taken.with_name(f"{taken.name}-3.part").write_text("of another one")
        remove("-wal")(path)
        assert database.check_files() is not None
        await database.wait_for_loss()
    assert read_values(taken.with_name(f"{taken.name}-4")).keys() == {IN_BACKUP, NOT_IN_BACKUP}
    assert taken.with_name(f"{taken.name}-3.part").read_text() == "of another one"


async def test_a_link_is_watched_as_well(path: Path) -> None:
    """If the path is a link, changing the link or moving its target counts as a loss of the file.

    The values saved before are kept.
    """
    real = path.with_name("real.db")
    link = path.with_name("link.db")
    for lose in (lambda: (link.unlink(), link.symlink_to("another.db")), lambda: move(real)):
        new_database(real)
        link.unlink(missing_ok=True)
        link.symlink_to("real.db")
        database = await open_database(f"sqlite:///{link}")
        await save(database, "kept", "here")
        lose()
        with pytest.raises(DatabaseLostError):
            await save(database, "kept", "nowhere")
        await database.close()
        (copy,) = copies(link)
        for saved in (copy, real):
            if saved.name in file_names(path.parent):
                assert read_values(saved)["kept"] == "here"
        copy.unlink()


async def test_renamed_working_directory_is_a_loss(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the path is relative and the working directory is renamed, that counts as a loss."""
    new_database(path)
    monkeypatch.chdir(path.parent)
    database = await open_database(f"sqlite:///{path.name}")
    rename_folder(path)
    with pytest.raises(DatabaseLostError):
        await save(database, "kept", "nowhere")
    await database.close()
    assert len(copies(path)) == 1


@pytest.mark.thorough
async def test_failed_copy_is_retried(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a copy cannot be saved, the reason is logged once, and saving is retried until it succeeds."""
    monkeypatch.setattr(open_files, "FIRST_PAUSE", 0.05)
    async with open_database_with_values(path) as database:
        remove_folder(path)
        path.parent.write_text("in the way")
        with capture_logs() as lines:
            waiting = asyncio.create_task(database.wait_for_loss())
            for _ in range(10):
                with pytest.raises(DatabaseLostError):
                    await save(database, "too late", "")
                await asyncio.sleep(0.05)
            path.parent.unlink()
            await eventually(waiting.done)
        assert len(lines) == 3
    assert read_values(copies(path)[0]).keys() == {IN_BACKUP, NOT_IN_BACKUP}


async def test_close_without_a_copy_reports_the_loss(path: Path) -> None:
    """Even if no copy of a lost database can be saved, the database can be closed and reports the loss."""
    async with open_database_with_values(path) as database:
        remove_folder(path)
        path.parent.write_text("in the way")
        with pytest.raises(DatabaseLostError):
            await save(database, "too late", "")
    assert database.loss is not None
    assert copies(path) == []


@pytest.mark.nightly
async def test_a_full_disk_delays_the_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk no partial copy is left, and the copy is saved once there is room."""
    monkeypatch.setattr(open_files, "FIRST_PAUSE", 0.05)
    with small_disk(tmp_path / "disk") as mounted:
        if not mounted:
            pytest.skip("mounting is not allowed here")
        path = tmp_path / "disk" / "x.db"
        async with open_database_with_values(path) as database:
            with full_disk(path):
                path.unlink()
                waiting = asyncio.create_task(database.wait_for_loss())
                await eventually(lambda: database.loss is not None)
                await asyncio.sleep(0.3)
                assert copies(path) == []
                assert not waiting.done()
            await eventually(waiting.done)
            assert read_values(copies(path)[0]).keys() == {IN_BACKUP, NOT_IN_BACKUP}


async def test_normal_use_is_not_a_loss(path: Path) -> None:
    """Erasing, backups, readers in other programs and a changed file mode do not count as a loss."""
    async with open_database_with_values(path) as database:
        await database.erase_traces()
        read_values(path)
        shutil.copy2(path, path.with_name("copied.db"))
        make_read_only(path)
        backup(f"sqlite:///{path}", path.with_name("another.db"))
        await save(database, "kept", "here")
        assert database.check_files() is None
    assert copies(path) == []
