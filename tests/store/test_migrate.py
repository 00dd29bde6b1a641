"""Tests of migrations of SQLite files: new, older and newer ones."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

import bot.store
from bot.store import key_values, sqlite, tables
from bot.store.database import Database
from bot.store.errors import DatabaseError, DatabaseUnavailableError
from bot.store.migrate import SCRIPT_LOCATION, Migrations
from bot.store.opening import open_database
from bot.store.sqlite import create_migration_engine, migrate_file
from tests.helpers.host_faults import locked

pytestmark = pytest.mark.sqlite

STORE = Path(next(iter(bot.store.__path__)))

LATER = '''
"""A later revision: a new table, and a column on an old one."""
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = {down!r}


def upgrade() -> None:
    op.create_table("trophy", sa.Column("id", sa.Integer, primary_key=True), sqlite_strict=True)
    op.add_column("key_value", sa.Column("note", sa.Text))
    {last}
'''


def rows(path: Path, query: str) -> list[Any]:
    """Return the rows that a query finds in a file."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def copy_older(older: str | None, path: Path) -> None:
    """Copy a file of an older version to `path`, unless `older` is None."""
    if older is not None:
        shutil.copy(Path(__file__).parent / "databases" / older, path)


def with_later_migration(folder: Path, last: str = "pass") -> str:
    """Copy the project's migrations to a folder, add a later one, and return the folder."""
    shutil.copytree(STORE / "migrations", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / "9999_later.py").write_text(LATER.format(down=Migrations().head, last=last))
    return str(folder)


def test_file_names_begin_with_the_revisions() -> None:
    """Alembic finds the same latest revision as the names of the files show, and one revision for each file."""
    config = Config()
    config.set_main_option("script_location", SCRIPT_LOCATION)
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_current_head() == Migrations().head
    for script in scripts.walk_revisions():
        assert Path(script.path).name.startswith(f"{script.revision}_")


@pytest.mark.thorough
@pytest.mark.parametrize("older", [None, "0004.db"])
def test_migrated_tables_match_metadata(path: Path, older: str | None) -> None:
    """After migrating a new or an older file, its tables, columns, constraints and indexes match the metadata."""
    copy_older(older, path)
    migrate_file(path)
    engine = create_migration_engine(path)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []
    engine.dispose()
    assert len(list(path.parent.glob("*.before-*"))) == (older is not None)


@pytest.mark.thorough
@pytest.mark.parametrize("older", [None, "0004.db"])
def test_migrated_schema_equals_created_schema(path: Path, older: str | None) -> None:
    """A migrated file has the same SQL schema as tables created from the metadata, including STRICT and CHECK."""
    copy_older(older, path)
    migrate_file(path)
    direct = path.with_name("direct.db")
    engine = create_migration_engine(direct)
    with engine.begin() as connection:
        tables.metadata.create_all(connection)
    engine.dispose()
    schema = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'alembic%' AND name NOT LIKE 'sqlite_auto%'"

    def normalized(found: list[Any]) -> dict[str, list[str]]:
        """Normalize order, white space and the quotes that SQLite adds when it renames a table."""
        return {name: sorted(sql.translate(str.maketrans("\n,", "  ", '"')).split()) for name, sql in found}

    assert normalized(rows(path, schema)) == normalized(rows(direct, schema))
    strict = "SELECT name FROM pragma_table_list WHERE strict"
    assert {name for (name,) in rows(path, strict)} == set(tables.metadata.tables)


@pytest.mark.thorough
async def test_an_upgrade_keeps_a_copy_and_the_data(path: Path, tmp_path: Path) -> None:
    """An update keeps all rows and saves a copy of the old file, replacing any copy from a failed attempt."""
    database = await open_database(f"sqlite:///{path}")
    async with database.write() as transaction:
        await key_values.save(transaction, "kept", "safe")
    await database.close()
    before = rows(path, "SELECT version_num FROM alembic_version")
    scripts = with_later_migration(tmp_path / "later")
    copy_path = path.with_name(f"{path.name}.before-9999")
    copy_path.write_text("left by an attempt that was broken off")

    migrate_file(path, scripts)
    assert rows(path, "SELECT version_num FROM alembic_version") == [("9999",)]
    assert rows(path, "SELECT key, value, note FROM key_value") == [("kept", "safe", None)]
    assert rows(copy_path, "SELECT version_num FROM alembic_version") == before
    assert rows(copy_path, "SELECT * FROM key_value") == [("kept", "safe")]
    assert rows(copy_path, "PRAGMA integrity_check") == [("ok",)]

    migrate_file(path, scripts)
    assert rows(path, "SELECT key, value, note FROM key_value") == [("kept", "safe", None)]
    assert rows(copy_path, "SELECT version_num FROM alembic_version") == before


async def test_a_migration_that_fails_changes_nothing(path: Path, tmp_path: Path, database: Database) -> None:
    """If the last statement of a migration fails, the whole migration is rolled back."""
    await database.close()
    before = rows(path, "SELECT sql FROM sqlite_schema")
    with pytest.raises(DatabaseError, match=r"cannot use .*no such table: nowhere"):
        migrate_file(path, with_later_migration(tmp_path / "later", last='op.execute("DROP TABLE nowhere")'))
    assert rows(path, "SELECT sql FROM sqlite_schema") == before
    again = await open_database(f"sqlite:///{path}")
    await again.check_health()
    await again.close()


async def test_a_newer_file_is_refused(path: Path, tmp_path: Path, database: Database) -> None:
    """A file from a newer version is refused and not changed, and its lock is released."""
    await database.close()
    migrate_file(path, with_later_migration(tmp_path / "later"))
    for _ in range(2):
        with pytest.raises(DatabaseError, match=r"comes from a newer version \(revision 9999\); update"):
            await open_database(f"sqlite:///{path}")
    assert rows(path, "SELECT version_num FROM alembic_version") == [("9999",)]


async def test_locked_file_is_temporary_trouble(
    path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening a file that another program has locked raises `DatabaseUnavailableError`, and works later."""
    await database.close()
    monkeypatch.setattr(sqlite, "PRAGMAS", (*sqlite.PRAGMAS, "PRAGMA busy_timeout=50"))
    with locked(path), pytest.raises(DatabaseUnavailableError, match="another program has locked it"):
        await open_database(f"sqlite:///{path}")
    await (await open_database(f"sqlite:///{path}")).close()


@pytest.mark.nightly
def test_migrations_run_without_a_checkout(tmp_path: Path) -> None:
    """The installed package's Python files alone are enough to create and use a new database."""
    site = tmp_path / "site"
    shutil.copytree(STORE.parent, site / "bot", ignore=lambda folder, names: [
        name for name in names if not name.endswith(".py") and not (Path(folder) / name).is_dir()
    ])  # fmt: skip
    script = (
        "import asyncio, bot.store.opening as d\n"
        "async def main():\n"
        "    database = await d.open_database('sqlite:///fresh.db')\n"
        "    await database.check_health()\n"
        "    await database.close()\n"
        "    print(d.__file__)\n"
        "asyncio.run(main())\n"
    )
    env = os.environ | {"PYTHONPATH": str(site)}
    command = [sys.executable, "-P", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert Path(done.stdout.strip()).is_relative_to(site)
    assert rows(tmp_path / "fresh.db", "SELECT count(*) FROM alembic_version") == [(1,)]
