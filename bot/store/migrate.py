"""Bring a database's tables up to date, keeping a copy of the file as it was."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DBAPIError

from bot.store.sqlite import DatabaseError, copy_before_update, create_blocking_engine, fault


def migrate(path: Path, scripts_at: str = "bot.store:migrations") -> None:
    """Run the migrations that the file lacks, each in a transaction of its own.

    The scripts are resources of the installed package. A copy of the file as it was is kept next to it as
    `NAME.before-REVISION`. Raise `DatabaseError` if the file comes from a newer version of the program or is unusable;
    `DatabaseUnavailableError` for trouble that may pass.
    """
    config = Config()
    config.set_main_option("script_location", scripts_at)
    scripts = ScriptDirectory.from_config(config)
    head = scripts.get_current_head()
    engine = create_blocking_engine(path)
    try:
        with engine.begin() as connection:
            current = MigrationContext.configure(connection).get_current_revision()
        if current == head:
            return
        known = {script.revision for script in scripts.walk_revisions()}
        if current is not None and current not in known:
            raise DatabaseError(f"{path} comes from a newer version (revision {current}); update the program")
        if current is not None:
            copy_before_update(path, str(head))
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except DBAPIError as error:
        raise fault(path, error.orig) or DatabaseError(f"cannot use {path}: {error.orig}") from error
    finally:
        engine.dispose()
