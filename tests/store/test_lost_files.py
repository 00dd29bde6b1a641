"""Files that are removed, replaced or moved while the database is open: nothing more is saved, and nothing is lost."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot import open_files
from bot.store.database import Database
from bot.store.errors import DatabaseError, DatabaseLostError
from bot.store.opening import alone_with, open_database
from bot.store.sqlite import backup
from tests.helpers.cases import thorough_after
from tests.helpers.databases import new_database
from tests.helpers.host_faults import full, small_disk
from tests.helpers.lost_files import (
    BACKUP,
    LOSSES,
    close_to_writers,
    content,
    copies,
    move,
    names,
    remove,
    remove_all,
    remove_folder,
    rename_folder,
    replace,
    replace_all,
    values,
)
from tests.helpers.waiting import eventually
from tests.store.test_sqlite import save

pytestmark = pytest.mark.sqlite

EARLY, LATE = "before the backup", "after the backup"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file in a folder of its own, which may be renamed."""
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder" / "games & more.db"


@asynccontextmanager
async def in_use(path: Path) -> AsyncGenerator[Database]:
    """Open a database with some rows, of which a backup has one; close it at the end."""
    database = await open_database(new_database(path))
    try:
        await save(database, EARLY, "kept")
        backup(f"sqlite:///{path}", path.with_name(BACKUP))
        await save(database, LATE, "kept")
        yield database
    finally:
        await database.close()


@pytest.mark.parametrize("lose", thorough_after(3, LOSSES), ids=lambda lose: lose.__name__)
async def test_nothing_is_saved_and_nothing_is_lost(path: Path, lose: Callable[[Path], None]) -> None:
    """The first write after it fails, as does each read; a copy has all that was saved, and the name says so."""
    async with in_use(path) as database:
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
    kept = values(copy)
    assert (kept[EARLY], kept[LATE], "too late" in kept) == ("kept", "kept", False)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert not list(copy.parent.glob("*.part*"))


@pytest.mark.parametrize("lose", [replace, replace_all])
async def test_a_file_that_took_the_place_is_left_as_it_is(path: Path, lose: Callable[[Path], None]) -> None:
    """The log of the lost file is not applied to it at the next start."""
    async with in_use(path) as database:
        before = content(path.with_name(BACKUP))
        lose(path)
        assert database.look_at_files() is not None
        await database.wait_for_loss()
    assert content(path) == before
    async with alone_with(f"sqlite:///{path}"):
        pass
    assert values(path).keys() == {EARLY}


@pytest.mark.parametrize("lose", [remove("-wal"), remove("-shm"), remove(".lock")])
async def test_a_file_that_is_still_there_loses_nothing(path: Path, lose: Callable[[Path], None]) -> None:
    """If only another file was removed, the database has every value after the close."""
    async with in_use(path) as database:
        lose(path)
        assert database.look_at_files() is not None
        await database.wait_for_loss()
    assert values(path).keys() == {EARLY, LATE}


@pytest.mark.thorough
async def test_a_loss_is_noticed_although_nobody_writes(path: Path) -> None:
    """The log says it once, and where the copy is."""
    async with in_use(path) as database:
        assert (database.look_at_files(), database.loss) == (None, None)
        with capture_logs() as lines:
            remove_all(path)
            async with asyncio.timeout(60):
                await database.wait_for_loss()
        assert len(lines) == 2
        assert str(path) in lines[0]["problem"]
        assert [Path(lines[1]["file"])] == copies(path)


async def test_what_others_find_at_the_path_means_nothing(path: Path) -> None:
    """No file is made by a connection that is opened after the loss, and damage of another file is not damage."""
    async with in_use(path) as database:
        remove_all(path)
        with pytest.raises(DatabaseLostError):
            await asyncio.gather(*(database.ping() for _ in range(3)))
        await database.wait_for_loss()
        assert database.health.damage is None
        assert [one.name for one in path.parent.iterdir() if one.name != BACKUP] == [copies(path)[0].name]


async def test_a_loss_just_before_the_end_is_found(path: Path) -> None:
    """A close in the same second saves a copy as well, and reports the loss."""
    async with in_use(path) as database:
        remove_all(path)
    assert values(copies(path)[0]).keys() == {EARLY, LATE}
    assert database.loss is not None
    with pytest.raises(DatabaseLostError):
        async with alone_with(new_database(path)):
            replace_all_by_new(path)


def replace_all_by_new(path: Path) -> None:
    """Replace the file by an empty one."""
    new = path.with_name("new.db")
    new_database(new)
    new.rename(path)


async def test_traces_are_not_erased_from_another_file(path: Path) -> None:
    """The file that replaced the database stays as it is."""
    async with in_use(path) as database:
        replace(path)
        before = content(path)
        with pytest.raises(DatabaseLostError):
            await database.erase_traces()
        assert content(path) == before


async def test_a_start_does_not_replace_what_was_lost(path: Path) -> None:
    """No new database is made while there is a copy. Renamed, the copy is the database."""
    async with in_use(path):
        remove_all(path)
    (copy,) = copies(path)
    for _ in range(2):
        with pytest.raises(DatabaseError, match=re.escape(str(copy))):
            await open_database(f"sqlite:///{path}")
        assert path.name not in names(path.parent)
    copy.rename(path)
    await (await open_database(f"sqlite:///{path}")).close()
    assert values(path).keys() == {EARLY, LATE}


async def test_a_copy_never_replaces_a_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two copies in one second, or if anything has their name, each has a name of its own."""

    class Stopped(open_files.datetime):
        @classmethod
        def now(cls, tz: object = None) -> Stopped:
            return cls(2026, 11, 28, 12)

    monkeypatch.setattr(open_files, "datetime", Stopped)
    taken = path.with_name(f"{path.name}.lost-20261128T120000Z")
    async with in_use(path) as database:
        taken.mkdir()
        taken.with_name(f"{taken.name}-2").symlink_to("nowhere")
        taken.with_name(f"{taken.name}-3.part").write_text("of another one")
        remove("-wal")(path)
        assert database.look_at_files() is not None
        await database.wait_for_loss()
    assert values(taken.with_name(f"{taken.name}-4")).keys() == {EARLY, LATE}
    assert taken.with_name(f"{taken.name}-3.part").read_text() == "of another one"


async def test_a_link_is_watched_as_well(path: Path) -> None:
    """Leading it elsewhere is noticed, and leaves the file as it was; so is moving the file that it leads to."""
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
            if saved.name in names(path.parent):
                assert values(saved)["kept"] == "here"
        copy.unlink()


async def test_a_relative_path_means_what_it_meant_at_the_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory that is renamed is not where the next start looks."""
    new_database(path)
    monkeypatch.chdir(path.parent)
    database = await open_database(f"sqlite:///{path.name}")
    rename_folder(path)
    with pytest.raises(DatabaseLostError):
        await save(database, "kept", "nowhere")
    await database.close()
    assert len(copies(path)) == 1


@pytest.mark.thorough
async def test_what_cannot_be_saved_is_saved_later(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log has the reason once, and later the copy is saved. Nothing else is saved."""
    monkeypatch.setattr(open_files, "FIRST_PAUSE", 0.05)
    async with in_use(path) as database:
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
    assert values(copies(path)[0]).keys() == {EARLY, LATE}


async def test_a_stop_tries_once_more(path: Path) -> None:
    """A bot whose copy cannot be saved can be stopped; it says that nothing is saved."""
    async with in_use(path) as database:
        remove_folder(path)
        path.parent.write_text("in the way")
        with pytest.raises(DatabaseLostError):
            await save(database, "too late", "")
    assert database.loss is not None
    assert copies(path) == []


@pytest.mark.thorough
async def test_a_full_disk_delays_the_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing half-written stays behind, and the copy is saved once there is room."""
    monkeypatch.setattr(open_files, "FIRST_PAUSE", 0.05)
    with small_disk(tmp_path / "disk") as mounted:
        if not mounted:
            pytest.skip("mounting is not allowed here")
        path = tmp_path / "disk" / "x.db"
        async with in_use(path) as database:
            with full(path):
                path.unlink()
                waiting = asyncio.create_task(database.wait_for_loss())
                await eventually(lambda: database.loss is not None)
                await asyncio.sleep(0.3)
                assert copies(path) == []
                assert not waiting.done()
            await eventually(waiting.done)
            assert values(copies(path)[0]).keys() == {EARLY, LATE}


async def test_files_that_stay_are_not_lost(path: Path) -> None:
    """Erasing, backups, other programs and another mode do not count as a loss."""
    async with in_use(path) as database:
        await database.erase_traces()
        values(path)
        shutil.copy2(path, path.with_name("copied.db"))
        close_to_writers(path)
        backup(f"sqlite:///{path}", path.with_name("another.db"))
        await save(database, "kept", "here")
        assert database.look_at_files() is None
    assert copies(path) == []
