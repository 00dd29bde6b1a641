"""Migrate the tables of a database.

Alembic is imported only inside functions, because commands such as `deadwood health` do not need it.
"""

from __future__ import annotations

from sqlalchemy import Connection

from bot.store.errors import DatabaseError

SCRIPT_LOCATION = "bot.store:migrations"
"""Location of the migrations, which are resources of the installed package."""


class Migrations:
    """The migrations that this version of the program knows."""

    def __init__(self, script_location: str = SCRIPT_LOCATION) -> None:
        from alembic.config import Config
        from alembic.script import ScriptDirectory

        self._config = Config()
        self._config.set_main_option("script_location", script_location)
        self._scripts = ScriptDirectory.from_config(self._config)
        head = self._scripts.get_current_head()
        assert head is not None
        self.head = head
        """The revision of a database after all migrations."""

    def revision_of(self, connection: Connection, place: str) -> str | None:
        """Return the revision of a database. None if the database is empty.

        Raise `DatabaseError` if the database comes from a newer version. `place` is the name of the database for the
        error message.
        """
        from alembic.runtime.migration import MigrationContext

        current = MigrationContext.configure(connection).get_current_revision()
        if current is not None and current not in {script.revision for script in self._scripts.walk_revisions()}:
            raise DatabaseError(f"{place} comes from a newer version (revision {current}); update the program")
        return current

    def run(self, connection: Connection) -> None:
        """Run the missing migrations.

        Each migration runs in its own transaction. If the connection already has an open transaction, all migrations
        run in it.
        """
        from alembic import command

        self._config.attributes["connection"] = connection
        command.upgrade(self._config, "head")

    def stamp(self, connection: Connection) -> None:
        """Mark a database as having the latest revision."""
        from alembic import command

        self._config.attributes["connection"] = connection
        command.stamp(self._config, "head")
