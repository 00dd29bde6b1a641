"""SQLite: a database file for a single process, and copies of it.

All code that is specific to SQLite is in this module and in `bot.store.sqlite_connections`.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError

from bot.files.open_files import Guard, OpenFiles, find_lost_copy
from bot.files.private_files import require_private
from bot.store.address import sqlite_path
from bot.store.consequences import classify_sqlite, error_for
from bot.store.database import CONNECTIONS_PER_LANE, Database, Lane
from bot.store.errors import DatabaseDamagedError, DatabaseError, DatabaseLostError
from bot.store.health import DatabaseHealth
from bot.store.migrate import SCRIPT_LOCATION, Migrations
from bot.store.others import OtherProcesses
from bot.store.sqlite_connections import PRAGMAS, Link, ReaderPool, Writer, connect, create_writer
from bot.store.transaction import Transaction

MIN_SQLITE_VERSION: Final = (3, 37, 0)
"""The first version with STRICT tables."""

PROGRESS_INTERVAL: Final = 5.0
"""Interval between calls of `on_progress` while a file is being checked, in seconds."""
_INTERRUPT_INTERVAL: Final = 0.02
"""Interval between attempts to interrupt a background check, in seconds."""
_MAX_NOTE_SIZE: Final = 200

_COPY_INFIX: Final = ".before-"
"""Separator between the database's name and the revision in the file name of a copy made before an update."""


def database_error(path: Path, error: BaseException | None, *, starting: bool = False) -> DatabaseError | None:
    """Return the `DatabaseError` for an error of the driver. None if the query itself is at fault.

    `starting` makes some errors fatal that are otherwise retried. See `Meaning.refuses_start`.
    """
    # Use the driver's own error: SQLAlchemy's errors repeat the statement on many lines.
    orig = error.orig if isinstance(error, DBAPIError) else error
    meaning = classify_sqlite(getattr(orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR))
    return error_for(meaning, str(path), str(orig), is_starting=starting)


def require_version() -> None:
    """Raise `DatabaseError` unless the SQLite library is new enough."""
    if sqlite3.sqlite_version_info < MIN_SQLITE_VERSION:
        raise DatabaseError(f"SQLite {sqlite3.sqlite_version} is too old: 3.37 or newer is needed")


class SqliteDatabase(Database):
    """A SQLite file that only this process uses. Create one with `open`, and close it."""

    erasing_blocks_writers = True

    def __init__(self, path: Path, lock: FileLock, writer: Link, readers: Mapping[Lane, ReaderPool]) -> None:
        super().__init__(DatabaseHealth(self._diagnose), OtherProcesses())
        self.path = path
        # If the path is a link, SQLite's side files are next to the link's target.
        self._real_path = path.resolve()
        self._side_files = _wal_of(self._real_path), _shm_of(self._real_path)
        self._guard = Guard(OpenFiles(path, self._real_path, *self._side_files, lock.file), self._copy_to)
        self._lock = lock
        self._writer = writer
        self._writer_lock = asyncio.Lock()
        self._readers = readers
        self._background_check: _BackgroundCheck | None = None

    @staticmethod
    async def open(url: str, on_progress: Callable[[], None] | None = None) -> SqliteDatabase:
        """Lock the file, check it for damage, migrate its tables (after making a copy of the file), and open it.

        If the file is unchanged since a bot closed it properly, the check runs in the background after opening.
        Otherwise `on_progress` is called every few seconds during the check.

        Raises:
            DatabaseError: the file is not a SQLite database, cannot be read or written, is in use by another bot, comes
                from a newer version, is damaged, or is missing while there is a copy of a lost database.
            PrivateFileError: the file is world-readable.
            DatabaseUnavailableError: the database is temporarily unavailable.
        """
        path = sqlite_path(url)
        require_version()
        lock = FileLock(path)
        try:
            if (refusal := find_lost_copy(path)) is not None:
                raise DatabaseError(refusal)
            require_usable(path)
            note = lock.take_note()
            was_closed_properly = note is not None and note == _fingerprint(path)
            if not was_closed_properly:
                await _check_with_progress(path, on_progress)
            await asyncio.to_thread(migrate_file, path)
            readers = {lane: ReaderPool(path, connections) for lane, connections in CONNECTIONS_PER_LANE.items()}
            writer = await Link.open(create_writer(path))
            try:
                database = SqliteDatabase(path, lock, writer, readers)
            except OSError as error:
                raise DatabaseError(f"cannot use {error.filename}: {error.strerror}") from None
            database._guard.start()
            if was_closed_properly:
                database._background_check = _BackgroundCheck(path, database.health)
            return database
        except BaseException:
            lock.release()
            raise

    @asynccontextmanager
    async def _write_transaction(self) -> AsyncGenerator[Transaction]:
        """Begin a transaction. There is only one writer at a time."""
        async with self.health.writer_turn(self._writer_lock), self._writer.transaction() as transaction:
            yield transaction
            # Do not commit if a file was removed or replaced: the next start would not find the data.
            self.require_files()

    @asynccontextmanager
    async def _read_transaction(self, lane: Lane) -> AsyncGenerator[Transaction]:
        async with self._readers[lane].transaction() as transaction:
            # A new connection may have opened a file that has replaced the database.
            self.require_files()
            yield transaction

    def _diagnose(self, error: BaseException | None) -> DatabaseError | None:
        """Return the `DatabaseError` for an error of the driver. None if the query itself is at fault.

        If a file of the database was lost, return `DatabaseLostError` for any error.
        """
        if self.check_files() is not None:
            return DatabaseLostError(self.loss)
        return database_error(self.path, error)

    def check_files(self) -> str | None:
        """If a file of the database was removed or replaced, return a sentence that names it. Otherwise return None."""
        return self._guard.check()

    @property
    def loss(self) -> str | None:
        """A sentence that names the lost file, and the copy once it is saved. None if no file was lost."""
        return self._guard.loss

    async def wait_for_loss(self) -> None:
        """Wait until a file of the database has been lost and the data has been saved in a copy. See `Guard.wait`."""
        await self._guard.wait()

    async def _copy_to(self, target: Path) -> None:
        """Write the database to an empty file through the open connection: the database's own files may be gone."""
        async with self._writer_lock:
            driver = self._writer.driver
            await driver.run(lambda: _write_copy(driver.raw, target))

    async def _make_dummy_change(self, transaction: Transaction) -> None:
        """Write to the file's header: without a change, a commit would always succeed."""
        # Neither SQLite nor the bot uses `user_version`: https://sqlite.org/pragma.html#pragma_user_version.
        await transaction.exec_driver_sql("PRAGMA user_version=1")

    async def _require_locks(self, transaction: Transaction) -> None:
        """Do nothing: a write transaction already holds SQLite's only lock."""

    async def erase_traces(self) -> None:
        """Erase the remains of deleted rows from the files with the module's function `erase_traces`. Writers wait."""
        with self._in_use():
            async with self._writer_lock:
                self.require_files()
                try:
                    await asyncio.to_thread(erase_traces, self.path)
                except DatabaseError as error:
                    self.health.note_damage(error.__cause__)
                    raise

    @property
    def log_size(self) -> int:
        """The size of the write-ahead log in bytes."""
        try:
            return _wal_of(self.path).stat().st_size
        except OSError:
            return 0

    async def remove_copies(self, until: datetime) -> None:
        """Delete copies of the file made before updates, unless they are newer than `until`."""
        await asyncio.to_thread(delete_copies, self.path, until)

    async def _close_connections(self) -> None:
        """Tidy up the file, close all connections, and release the lock."""
        if self._background_check is not None:
            await self._background_check.stop()
        await self._guard.stop()
        self._remove_stale_log()
        is_healthy = self.health.trouble is None and self.loss is None
        async with AsyncExitStack() as stack:
            stack.callback(self._lock.release)
            async with AsyncExitStack() as connections:
                connections.push_async_callback(self._writer.connection.engine.dispose)
                connections.push_async_callback(self._writer.connection.close)
                for reader in self._readers.values():
                    connections.push_async_callback(reader.close)
                if is_healthy:
                    await optimize_and_checkpoint(self._writer.driver)
            if is_healthy:
                self._lock.leave_note(_fingerprint(self.path))

    def _remove_stale_log(self) -> None:
        """Delete the write-ahead log of a lost file: SQLite would apply it to the file that replaced the lost one.

        The copy of the lost database already contains the log's data.
        """
        files = self._guard.files
        if self._guard.copy is None or files.has(self._real_path):
            return
        for file in self._side_files:
            if files.has(file):
                with suppress(OSError):
                    file.unlink()


class FileLock:
    """An operating-system lock on a file next to the database. It lasts until it is released or the process ends.

    Taking it raises `DatabaseError` if another process holds it or the folder is not writable.
    """

    def __init__(self, path: Path) -> None:
        # All links to a file must lead to the same lock.
        file = Path(os.path.realpath(path))
        self.file = file.with_name(file.name + ".lock")
        try:
            self._descriptor = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise DatabaseError(f"cannot use {self.file}: {error.strerror}") from None
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.release()
            raise DatabaseError(f"another bot is running on {path}; stop it first, or use another file") from None

    def take_note(self) -> str | None:
        """Return and delete the note that the previous process left. None if it left none."""
        note = os.pread(self._descriptor, _MAX_NOTE_SIZE, 0).decode(errors="replace")
        os.ftruncate(self._descriptor, 0)
        return note or None

    def leave_note(self, note: str | None) -> None:
        """Write a note for the next process into the lock file, unless `note` is None."""
        with suppress(OSError):  # Without a note, the next start checks the whole file.
            os.pwrite(self._descriptor, (note or "").encode(), 0)

    def release(self) -> None:
        """Release the lock, so that another process can open the database."""
        os.close(self._descriptor)


def _fingerprint(path: Path) -> str | None:
    """Return a text that changes if the file is changed. None if the file was not closed properly."""
    try:
        if _wal_of(path).exists():
            return None
        status = path.stat()
    except OSError:
        return None
    return f"closed {status.st_ino} {status.st_size} {status.st_mtime_ns}"


def require_usable(path: Path) -> None:
    """Create an empty file with mode 0600 if it does not exist. SQLite gives its side files the same mode.

    Raise `DatabaseError` if the file cannot be read and written, and `PrivateFileError` if it is world-readable.
    """
    try:
        _create_private(path)
    except OSError as error:
        raise DatabaseError(f"cannot use {path}: {error.strerror}") from None
    for file in (path, _wal_of(path)):
        require_private(file)


def _wal_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _shm_of(path: Path) -> Path:
    return path.with_name(path.name + "-shm")


def _create_private(path: Path) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


async def _check_with_progress(path: Path, on_progress: Callable[[], None] | None) -> None:
    """Check a file, and call `on_progress` every few seconds during the check. Raise the errors of `check`."""
    task = asyncio.create_task(asyncio.to_thread(check, path))
    try:
        while not task.done():
            if on_progress is not None:
                on_progress()
            await asyncio.wait((task,), timeout=PROGRESS_INTERVAL)
    finally:
        task.cancel()
    await task


def check(path: Path) -> None:
    """Check the whole file. Raise `DatabaseDamagedError` if it is damaged, `DatabaseError` if the check fails."""
    try:
        with closing(connect(path, PRAGMAS)) as connection:
            _require_undamaged(path, connection)
    except sqlite3.Error as error:
        raise database_error(path, error, starting=True) or DatabaseError(f"cannot use {path}: {error}") from error


def _require_undamaged(path: Path, connection: sqlite3.Connection) -> None:
    """Check all pages of a file. Raise `DatabaseDamagedError` if one is damaged.

    Indexes are not compared with their tables, which would take five times as long.
    """
    (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if result != "ok":
        raise DatabaseDamagedError(
            f"cannot use {path}: {result.splitlines()[-1]}; restore a backup, or use another file"
        )


class _BackgroundCheck:
    """A background check of a file that is in use."""

    def __init__(self, path: Path, health: DatabaseHealth) -> None:
        """Start the check."""
        self._path = path
        self._health = health
        self._connection: sqlite3.Connection | None = None
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Interrupt the check, and wait until it has ended."""
        while not self._running.done():
            # Repeat the interrupt: it has no effect if the statement has not begun yet.
            if self._connection is not None:
                self._connection.interrupt()
            await asyncio.wait((self._running,), timeout=_INTERRUPT_INTERVAL)

    async def _run(self) -> None:
        try:
            self._connection = await asyncio.to_thread(connect, self._path, (*PRAGMAS, "PRAGMA query_only=ON"))
            await asyncio.to_thread(_require_undamaged, self._path, self._connection)
        except (DatabaseDamagedError, sqlite3.Error) as error:
            # Temporary trouble is ignored here, because the bot's own transactions will notice it.
            self._health.note_damage(error)
        finally:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def create_migration_engine(path: Path) -> Engine:
    """Return an engine for migrations. Foreign keys are off, because migrations rebuild tables."""
    creator = partial(connect, path, (*PRAGMAS, "PRAGMA foreign_keys=OFF"))
    engine = create_engine("sqlite://", creator=creator, poolclass=NullPool, hide_parameters=True)

    @event.listens_for(engine, "begin")
    def begin_immediate(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def migrate_file(path: Path, script_location: str = SCRIPT_LOCATION) -> None:
    """Run the missing migrations on a file, after copying the file to `NAME.before-REVISION` in the same folder.

    Raise `DatabaseError` if the file comes from a newer version of the program or is unusable, and
    `DatabaseUnavailableError` for temporary trouble.
    """
    migrations = Migrations(script_location)
    engine = create_migration_engine(path)
    try:
        with engine.begin() as connection:
            current_revision = migrations.revision_of(connection, str(path))
        if current_revision == migrations.head:
            return
        if current_revision is not None:
            copy_before_update(path, migrations.head)
        with engine.connect() as connection:
            migrations.run(connection)
    except DBAPIError as error:
        raise database_error(path, error.orig) or DatabaseError(f"cannot use {path}: {error.orig}") from error
    finally:
        engine.dispose()


MIN_ROWS_FOR_STATISTICS: Final = 1000
"""Minimum number of rows for which a table's statistics are kept."""


async def optimize_and_checkpoint(driver: Writer) -> None:
    """Update SQLite's statistics, and move the write-ahead log into the file.

    Delete the statistics of small tables, which soon become outdated. If the statistics still counted only one or two
    matches, SQLite would scan all matches instead of using an index, even if there were many by now.
    """

    def run() -> None:
        execute = driver.raw.execute
        execute("PRAGMA optimize")
        if execute("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'").fetchone() != (0,):
            # The first number in `stat` is the number of rows: https://sqlite.org/fileformat2.html#stat1tab.
            execute(f"DELETE FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) < {MIN_ROWS_FOR_STATISTICS}")
        execute("PRAGMA wal_checkpoint(TRUNCATE)")

    await driver.run(run)


def erase_traces(path: Path) -> None:
    """Erase the remains of deleted rows: in the file, in its log, and in the copies that were made before updates.

    `secure_delete` overwrites a deleted row, but not the places in other pages where SQLite stored the row earlier, and
    not the samples of the row that ANALYZE stored. So the file is rebuilt from the remaining rows, which temporarily
    needs twice its size on the disk. Raise `DatabaseError` if some remains could not be erased.
    """
    # Build the new file on the disk, because it may be larger than the memory. The bot's writers wait during this.
    pragmas = (*PRAGMAS, "PRAGMA temp_store=FILE", "PRAGMA busy_timeout=1000")
    try:
        with closing(connect(path, pragmas, existing=True)) as connection:
            connection.execute("DROP TABLE IF EXISTS sqlite_stat4")
            connection.execute("VACUUM")
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        raise DatabaseError(f"cannot rebuild {path}: {error}") from error
    if busy:
        raise DatabaseError(f"cannot empty the log of {path}: it is being read")
    delete_copies(path)


def copy_before_update(path: Path, revision: str) -> None:
    """Copy a file before its tables are migrated to a revision. Raise the errors of `copy_to`."""
    copy_to(path, path.with_name(f"{path.name}{_COPY_INFIX}{revision}"))


def delete_copies(path: Path, until: datetime | None = None) -> None:
    """Delete copies made before updates, unless they are newer than `until`. Raise `DatabaseError` if that fails."""
    try:
        for copy in path.parent.iterdir():
            if copy.name.startswith(path.name + _COPY_INFIX) and (
                until is None or copy.stat().st_mtime <= until.timestamp()
            ):
                copy.unlink()
    except OSError as error:
        raise DatabaseError(f"cannot remove {error.filename}: {error.strerror}") from error


def file_exists(path: Path) -> bool:
    """Return whether a file exists. Raise `OSError` if its folder is not accessible, which `Path.exists` may hide."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def backup(url: str, target: Path) -> None:
    """Copy a database, even while a bot is using it, to a new file, and check the copy.

    Raise `DatabaseError` if the database does not exist, the target exists or is not writable, or the copy is damaged.
    """
    source = sqlite_path(url)
    try:
        is_missing, is_taken = not file_exists(source), file_exists(target)
    except OSError as error:
        raise DatabaseError(f"cannot copy {source} to {target}: {error}") from None
    if is_missing:
        raise DatabaseError(f"there is no database {source}")
    if is_taken:
        raise DatabaseError(f"{target} already exists; name a new file")
    copy_to(source, target)


def _write_copy(source: sqlite3.Connection, target: Path) -> None:
    """Write a connection's database to an empty file. Raise `sqlite3.Error` if that fails."""
    with closing(sqlite3.connect(target)) as connection:
        # A journal is not needed, because the caller deletes the file if this fails.
        connection.execute("PRAGMA journal_mode=OFF")
        source.backup(connection)


def copy_to(source: Path, target: Path) -> None:
    """Write a compact, consistent copy of a SQLite file. The copy gets its final name after it was checked and synced.

    Raise `DatabaseError` if the source is not readable, the target is not writable, or the copy is damaged.
    """
    partial_file = target.with_name(target.name + ".part")
    try:
        partial_file.unlink(missing_ok=True)
        _create_private(partial_file)
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("VACUUM INTO ?", (str(partial_file),))
        with closing(sqlite3.connect(partial_file)) as connection:
            (result,) = connection.execute("PRAGMA integrity_check").fetchone()
        if result != "ok":
            raise DatabaseError(f"the copy of {source} is damaged: {result}")
        with partial_file.open("rb") as file:
            os.fsync(file.fileno())
        partial_file.rename(target)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            partial_file.unlink(missing_ok=True)
        raise DatabaseError(f"cannot copy {source} to {target}: {error}") from error
