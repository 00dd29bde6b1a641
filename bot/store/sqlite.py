"""SQLite: a file that one process uses, how connections to it are set up, and copies of it.

Everything that holds for SQLite alone is in this module.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import aiosqlite
from sqlalchemy import AsyncAdaptedQueuePool, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot import metrics
from bot.open_files import Guard, OpenFiles, refuse_new
from bot.private_files import require_private
from bot.store.address import path_of
from bot.store.consequences import error_for, meaning_of_sqlite
from bot.store.database import CONNECTIONS, Database, Lane
from bot.store.errors import DatabaseDamagedError, DatabaseError, DatabaseLostError
from bot.store.health import DatabaseHealth
from bot.store.migrate import SCRIPTS, Migrations
from bot.store.others import OtherProcesses
from bot.store.transaction import Transaction

OLDEST_SQLITE: Final = (3, 37, 0)
"""STRICT tables came with this version."""

MAX_LOG_KEPT: Final = 16 * 1024 * 1024
"""Maximum size of the write-ahead log, in bytes, once it is no longer needed.

It grows to about 4 MB, and further while another program reads, or while the file is written again.
"""

PRAGMAS: Final = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    "PRAGMA foreign_keys=ON",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA trusted_schema=OFF",
    "PRAGMA secure_delete=ON",
    # 512 KB of pages for each of eight connections: with 2 MB, the default, memory grows with the database for long.
    "PRAGMA cache_size=-512",
    f"PRAGMA journal_size_limit={MAX_LOG_KEPT}",
)


SAID_EVERY: Final = 5.0
"""Seconds between two signs of life of a check."""
_INTERRUPTED_EVERY: Final = 0.02
"""Seconds between two attempts to end one."""
_MAX_NOTE: Final = 200

_BEFORE: Final = ".before-"
"""What stands between a database's name and a revision in the name of a copy from before an update."""


def fault(path: Path, error: BaseException | None, *, starting: bool = False) -> DatabaseError | None:
    """Return what an error of the driver says about the database; None if it is about the query.

    Some errors end a start, but are waited out later: see `Meaning.refuses_start`.
    """
    # Errors of SQLAlchemy repeat the statement, on many lines.
    orig = error.orig if isinstance(error, DBAPIError) else error
    meaning = meaning_of_sqlite(getattr(orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR))
    return error_for(meaning, str(path), str(orig), starting=starting)


def require_version() -> None:
    """Raise `DatabaseError` unless the SQLite library is new enough."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise DatabaseError(f"SQLite {sqlite3.sqlite_version} is too old: 3.37 or newer is needed")


class SqliteDatabase(Database):
    """A SQLite file used by this process alone. Make one with `open`, and close it."""

    erasing_stops_writers = True

    def __init__(self, path: Path, lock: FileLock, writer: Transaction, readers: Mapping[Lane, AsyncEngine]) -> None:
        super().__init__(DatabaseHealth(self._diagnose), OtherProcesses())
        self.path = path
        # If the path is a link, SQLite has these where it leads.
        self._real_path = path.resolve()
        self._side_files = _log_of(self._real_path), _index_of(self._real_path)
        self._guard = Guard(OpenFiles(path, self._real_path, *self._side_files, lock.file), self._copy_to)
        self._lock = lock
        self._writer = writer
        self._turn = asyncio.Lock()
        self._readers = readers
        self._check: _Check | None = None

    @staticmethod
    async def open(url: str, checking: Callable[[], None] | None = None) -> SqliteDatabase:
        """Lock the file, check it, bring its tables up to date (keeping a copy of the file as it was), and open it.

        A file that is as a bot left it when it stopped is checked only after that, beside those who play. Otherwise
        `checking` is called every few seconds as long as the check takes.

        Raise `DatabaseError` if it is not a SQLite file, cannot be read or written, another bot uses it, it comes from
        a newer version, it is damaged, or it is missing and there is a copy of a lost one; `PrivateFileError` if
        everyone may read it; `DatabaseUnavailableError` for trouble that may pass.
        """
        path = path_of(url)
        require_version()
        lock = FileLock(path)
        try:
            if (refusal := refuse_new(path)) is not None:
                raise DatabaseError(refusal)
            require_usable(path)
            note = lock.take_note()
            ended_well = note is not None and note == _state_of(path)
            if not ended_well:
                await _check_first(path, checking)
            await asyncio.to_thread(update, path)
            readers = {lane: create_reader(path, connections) for lane, connections in CONNECTIONS.items()}
            writer = await create_writer(path).connect()
            try:
                database = SqliteDatabase(path, lock, writer, readers)
            except OSError as error:
                raise DatabaseError(f"cannot use {error.filename}: {error.strerror}") from None
            database._guard.start()
            if ended_well:
                database._check = _Check(path, database.health)
            return database
        except BaseException:
            lock.release()
            raise

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[Transaction]:
        """Begin a transaction. Writers take turns."""
        async with self.health.turn(self._turn), self._writer.begin():
            yield self._writer
            # The next start would not find what this commits.
            self.require_files()

    @asynccontextmanager
    async def _reading(self, lane: Lane) -> AsyncGenerator[Transaction]:
        """Begin a transaction. Its connection may be new, and lead to a file that replaced the database's."""
        async with self._readers[lane].begin() as transaction:
            self.require_files()
            yield transaction

    def _diagnose(self, error: BaseException | None) -> DatabaseError | None:
        """Return what an error means. If the files were replaced, it may be about the new ones, and means nothing."""
        if self.look_at_files() is not None:
            return DatabaseLostError(self.loss)
        return fault(self.path, error)

    def look_at_files(self) -> str | None:
        """Return a sentence that names a file of the database that was removed or replaced; None if none was."""
        return self._guard.look()

    @property
    def loss(self) -> str | None:
        """The sentence from `look_at_files`, with the path of the copy; None if no file was lost."""
        return self._guard.loss

    async def wait_for_loss(self) -> None:
        """Wait until a file of the database is lost and a copy of the database is saved."""
        await self._guard.wait()

    async def _copy_to(self, target: Path) -> None:
        """Write the database to an empty file, from an open connection: the files themselves may be gone."""
        async with self._turn:
            driver: Any = (await self._writer.get_raw_connection()).driver_connection
            await driver._execute(partial(_copy, driver._conn, target))  # noqa: SLF001

    async def _change_something(self, transaction: Transaction) -> None:
        """Write to the file's header: an empty commit always works."""
        # https://sqlite.org/pragma.html#pragma_user_version: SQLite itself does not use the number, and nor does this.
        await transaction.exec_driver_sql("PRAGMA user_version=1")

    async def _require_locks(self, transaction: Transaction) -> None:
        """Do nothing: a transaction that writes has the only lock there is."""

    async def erase_traces(self) -> None:
        """Remove what deleted rows left in the files; see the function. Writers wait meanwhile."""
        with self._in_use():
            async with self._turn:
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
            return _log_of(self.path).stat().st_size
        except OSError:
            return 0

    async def remove_copies(self, until: datetime) -> None:
        """Remove the copies of the file from before updates that were made until a moment."""
        await asyncio.to_thread(remove_copies, self.path, until)

    async def _tidy_up(self) -> None:
        """Tidy up the file, and release it."""
        if self._check is not None:
            await self._check.stop()
        await self._guard.stop()
        self._remove_stale_log()
        well = self.health.trouble is None and self.loss is None
        async with AsyncExitStack() as at_end:
            at_end.callback(self._lock.release)
            async with AsyncExitStack() as connections:
                connections.push_async_callback(self._writer.engine.dispose)
                connections.push_async_callback(self._writer.close)
                for reader in self._readers.values():
                    connections.push_async_callback(reader.dispose)
                if well:
                    await tidy_up(self._writer)
            if well:
                self._lock.leave_note(_state_of(self.path))

    def _remove_stale_log(self) -> None:
        """Remove the write-ahead log of a lost file. SQLite would apply it to the file that took its place.

        The copy has everything that is in the log.
        """
        files = self._guard.files
        if self._guard.copy is None or files.has(self._real_path):
            return
        for file in self._side_files:
            if files.has(file):
                with suppress(OSError):
                    file.unlink()


class FileLock:
    """A lock of the operating system, in a file next to the database, held until released or the process ends.

    Taking it raises `DatabaseError` if another process holds it, or the folder cannot be written.
    """

    def __init__(self, path: Path) -> None:
        # Links to the same file lead to the same lock.
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
        """Return what the last process left as a note, and remove it; None if it left none."""
        note = os.pread(self._descriptor, _MAX_NOTE, 0).decode(errors="replace")
        os.ftruncate(self._descriptor, 0)
        return note or None

    def leave_note(self, note: str | None) -> None:
        """Leave a note in the file for the next process, if there is anything to say."""
        with suppress(OSError):  # The disk may be full. Then the next one reads the whole file.
            os.pwrite(self._descriptor, (note or "").encode(), 0)

    def release(self) -> None:
        """Let another process have the database."""
        os.close(self._descriptor)


def _state_of(path: Path) -> str | None:
    """Return what tells a file that nobody has touched since it was closed; None if it was not closed as it should."""
    try:
        if _log_of(path).exists():
            return None
        found = path.stat()
    except OSError:
        return None
    return f"closed {found.st_ino} {found.st_size} {found.st_mtime_ns}"


def require_usable(path: Path) -> None:
    """Create an empty file that only its owner may read, unless it exists; SQLite gives its side files that mode.

    Raise `DatabaseError` if the file cannot be read and written, and `PrivateFileError` if everyone may read it.
    """
    try:
        _create_private(path)
    except OSError as error:
        raise DatabaseError(f"cannot use {path}: {error.strerror}") from None
    for file in (path, _log_of(path)):
        require_private(file)


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _index_of(path: Path) -> Path:
    return path.with_name(path.name + "-shm")


def _create_private(path: Path) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


async def _check_first(path: Path, checking: Callable[[], None] | None) -> None:
    """Check a file, and call a function every few seconds meanwhile. Raise as `check` does."""
    going = asyncio.create_task(asyncio.to_thread(check, path))
    try:
        while not going.done():
            if checking is not None:
                checking()
            await asyncio.wait((going,), timeout=SAID_EVERY)
    finally:
        going.cancel()
    await going


def check(path: Path) -> None:
    """Read the whole file. Raise `DatabaseDamagedError`, or `DatabaseUnavailableError` for trouble that may pass."""
    try:
        with closing(_connect(path, PRAGMAS)) as connection:
            _require_whole(path, connection)
    except sqlite3.Error as error:
        raise fault(path, error, starting=True) or DatabaseError(f"cannot use {path}: {error}") from error


def _require_whole(path: Path, connection: sqlite3.Connection) -> None:
    """Read all pages. Raise `DatabaseDamagedError` if one is damaged.

    That indexes have what their tables have is not checked, which takes five times as long.
    """
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise DatabaseDamagedError(
            f"cannot use {path}: {found.splitlines()[-1]}; restore a backup, or use another file"
        )


class _Check:
    """A check of a file while it is in use."""

    def __init__(self, path: Path, health: DatabaseHealth) -> None:
        """Begin it."""
        self._path = path
        self._health = health
        self._connection: sqlite3.Connection | None = None
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End it, wherever it is."""
        while not self._running.done():
            # An interrupt does nothing to a statement that has not begun yet.
            if self._connection is not None:
                self._connection.interrupt()
            await asyncio.wait((self._running,), timeout=_INTERRUPTED_EVERY)

    async def _run(self) -> None:
        try:
            self._connection = await asyncio.to_thread(_connect, self._path, (*PRAGMAS, "PRAGMA query_only=ON"))
            await asyncio.to_thread(_require_whole, self._path, self._connection)
        except (DatabaseDamagedError, sqlite3.Error) as error:
            # Trouble that may pass is noticed by those who use the file.
            self._health.note_damage(error)
        finally:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def create_writer(path: Path) -> AsyncEngine:
    """Return an engine with one connection, so writers take turns.

    Its transactions begin with BEGIN IMMEDIATE: another process can only be waited for there, where the busy timeout
    applies, and not at a later statement.
    """
    return _create_engine(path, 1, _Connection)


def create_reader(path: Path, connections: int) -> AsyncEngine:
    """Return an engine with connections that can only read, which WAL allows next to the writer."""
    return _create_engine(path, connections, _Reader)


def create_blocking_engine(path: Path) -> Engine:
    """Return an engine for migrations, which rebuild tables and so run without foreign keys."""
    connect = partial(_connect, path, (*PRAGMAS, "PRAGMA foreign_keys=OFF"))
    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool, hide_parameters=True)

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def update(path: Path, scripts_at: str = SCRIPTS) -> None:
    """Run the migrations that a file lacks. A copy of the file as it was is kept next to it as `NAME.before-REVISION`.

    Raise `DatabaseError` if the file comes from a newer version of the program or is unusable;
    `DatabaseUnavailableError` for trouble that may pass.
    """
    migrations = Migrations(scripts_at)
    engine = create_blocking_engine(path)
    try:
        with engine.begin() as connection:
            current = migrations.revision_of(connection, str(path))
        if current == migrations.head:
            return
        if current is not None:
            copy_before_update(path, migrations.head)
        with engine.connect() as connection:
            migrations.run(connection)
    except DBAPIError as error:
        raise fault(path, error.orig) or DatabaseError(f"cannot use {path}: {error.orig}") from error
    finally:
        engine.dispose()


FEWEST_ROWS: Final = 1000
"""How many rows a table must have for its statistics to tell something about queries."""


async def tidy_up(writer: AsyncConnection) -> None:
    """Let SQLite update its statistics, and fold the write-ahead log back into the file.

    Those of small tables are removed: after a match or two it would read all matches rather than use an index, however
    many there are by then, until it is told better.
    """
    driver = (await writer.get_raw_connection()).driver_connection
    if driver is not None:
        await driver.execute("PRAGMA optimize")
        known = await driver.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'")
        if await known.fetchall() != [(0,)]:
            # The first number of each is that of the rows: https://sqlite.org/fileformat2.html#stat1tab.
            await driver.execute(f"DELETE FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) < {FEWEST_ROWS}")
        await driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")


class _Cursor(aiosqlite.Cursor):
    """A cursor that executes, fetches all rows and closes in one visit to the driver's thread.

    SQLAlchemy otherwise visits it for each, and once more to make the cursor. A visit takes longer than most queries.
    """

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._rows: list[Any] = []

    async def execute(self, sql: str, parameters: Any = ()) -> aiosqlite.Cursor:
        """Execute a query, and keep the rows it returns."""
        return await self._visit(sqlite3.Cursor.execute, sql, parameters)

    async def executemany(self, sql: str, parameters: Any) -> aiosqlite.Cursor:
        """Execute a query once for each set of parameters."""
        return await self._visit(sqlite3.Cursor.executemany, sql, parameters)

    async def _visit(self, method: Callable[..., sqlite3.Cursor], sql: str, parameters: Any) -> aiosqlite.Cursor:
        connection = cast(Any, self._connection)

        def visit() -> None:
            with closing(connection._conn.cursor()) as self._cursor:  # noqa: SLF001
                if not connection.in_transaction:
                    self._cursor.execute(connection.begin)
                method(self._cursor, sql, parameters)
                self._rows = self._cursor.fetchall()

        await connection._execute(visit)  # noqa: SLF001
        return self

    async def fetchall(self) -> list[Any]:
        """Return the rows of the last query."""
        return self._rows

    async def close(self) -> None:
        """Do nothing: the cursor is closed."""


class _Connection(aiosqlite.Connection):
    """A connection whose transactions begin with their first query, in the same visit to the thread."""

    begin = "BEGIN IMMEDIATE"
    pragmas = PRAGMAS

    def __init__(self, path: Path) -> None:
        super().__init__(partial(_connect, path, self.pragmas, existing=True), iter_chunk_size=64)
        # The process should end even if nobody closed the database.
        cast(Any, self)._thread.daemon = True  # noqa: SLF001

    def cursor(self) -> Any:
        """Return a cursor."""
        return _Cursor(self)

    async def commit(self) -> None:
        """Commit, or else roll back and raise the reason: SQLAlchemy takes the transaction for ended either way."""
        await cast(Any, self)._execute(self._commit)  # noqa: SLF001

    def _commit(self) -> None:
        with metrics.COMMITS.time():
            # Only sqlite3's context manager does both.
            self._conn.__exit__(None, None, None)


class _Reader(_Connection):
    """A connection that only reads, so nobody waits for the end of its transactions."""

    begin = "BEGIN"
    pragmas = (*PRAGMAS, "PRAGMA query_only=ON")

    async def commit(self) -> None:
        """End the transaction before the thread's next work."""
        cast(Any, self)._tx.put_nowait((None, self._conn.commit))  # noqa: SLF001


def _create_engine(path: Path, connections: int, connection: type[_Connection]) -> AsyncEngine:
    def connect(*_: object, **__: object) -> _Connection:
        return connection(path)

    return create_async_engine(
        "sqlite+aiosqlite://",
        poolclass=AsyncAdaptedQueuePool,
        pool_size=connections,
        max_overflow=0,
        # Writers wait for their turn however long that takes.
        pool_timeout=None,
        # The parameters of a failing query may be a whole deck, and the error reaches the log.
        hide_parameters=True,
        # Connections are only used in `begin()` blocks, which leave no transaction open that a reset could end.
        pool_reset_on_return=None,
        connect_args={"async_creator_fn": connect},
    )


def _connect(path: Path, pragmas: Sequence[str], *, existing: bool = False) -> sqlite3.Connection:
    """Connect to a file. SQLite creates it if it is missing, unless it must be an `existing` one."""
    uri = f"{path.absolute().as_uri()}?mode={'rw' if existing else 'rwc'}"
    # The driver must not begin transactions on its own.
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    for pragma in pragmas:
        connection.execute(pragma)
    return connection


def erase_traces(path: Path) -> None:
    """Remove what deleted rows left behind: in the file, in its log, and in the copies from before updates.

    `secure_delete` clears the place a row had, but not where it was before SQLite moved it to another page, nor what
    ANALYZE sampled. So the file is written again from the rows that are left, which needs its size twice meanwhile.
    Raise `DatabaseError` if something remains.
    """
    # The new file is collected on the disk, for it may be larger than the memory. Writers of the program wait as well.
    pragmas = (*PRAGMAS, "PRAGMA temp_store=FILE", "PRAGMA busy_timeout=1000")
    try:
        with closing(_connect(path, pragmas, existing=True)) as connection:
            connection.execute("DROP TABLE IF EXISTS sqlite_stat4")
            connection.execute("VACUUM")
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        raise DatabaseError(f"cannot write {path} again: {error}") from error
    if busy:
        raise DatabaseError(f"cannot empty the log of {path}: it is being read")
    remove_copies(path)


def copy_before_update(path: Path, revision: str) -> None:
    """Keep a copy of a file as it is before its tables change to a revision. Raise `DatabaseError`; see `copy_to`."""
    copy_to(path, path.with_name(f"{path.name}{_BEFORE}{revision}"))


def remove_copies(path: Path, until: datetime | None = None) -> None:
    """Remove the copies from before updates: all, or those made until a moment. Raise `DatabaseError` if one stays."""
    try:
        for copy in path.parent.iterdir():
            if copy.name.startswith(path.name + _BEFORE) and (
                until is None or copy.stat().st_mtime <= until.timestamp()
            ):
                copy.unlink()
    except OSError as error:
        raise DatabaseError(f"cannot remove {error.filename}: {error.strerror}") from error


def backup(url: str, target: Path) -> None:
    """Copy the database, which a bot may be using meanwhile, to a new file, and check the copy.

    Raise `DatabaseError` if there is no database, the target exists or cannot be written, or the copy is damaged.
    """
    source = path_of(url)
    try:
        missing, taken = not source.exists(), target.exists()
    except OSError as error:
        raise DatabaseError(f"cannot copy {source} to {target}: {error}") from None
    if missing:
        raise DatabaseError(f"there is no database {source}")
    if taken:
        raise DatabaseError(f"{target} already exists; name a new file")
    copy_to(source, target)


def _copy(source: sqlite3.Connection, target: Path) -> None:
    """Write a connection's database to an empty file. Raise `sqlite3.Error`."""
    with closing(sqlite3.connect(target)) as connection:
        # The caller removes the file if this fails.
        connection.execute("PRAGMA journal_mode=OFF")
        source.backup(connection)


def copy_to(source: Path, target: Path) -> None:
    """Write a compact, consistent copy of a SQLite file. It gets its name once it is checked and on the disk.

    Raise `DatabaseError` if the source cannot be read, the target cannot be written, or the copy is damaged.
    """
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        _create_private(part)
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part)) as connection:
            (found,) = connection.execute("PRAGMA integrity_check").fetchone()
        if found != "ok":
            raise DatabaseError(f"the copy of {source} is damaged: {found}")
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.rename(target)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise DatabaseError(f"cannot copy {source} to {target}: {error}") from error
