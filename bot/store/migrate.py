"""Bring the tables of a database up to date.

Alembic is imported only where it is used: commands that open no database, such as `deadwood health`, do without.
"""

from __future__ import annotations

from sqlalchemy import Connection

from bot.store.errors import DatabaseError

SCRIPTS = "bot.store:migrations"
"""Where the migrations are: they are resources of the installed package."""


class Migrations:
    """The migrations that there are."""

    def __init__(self, scripts_at: str = SCRIPTS) -> None:
        from alembic.config import Config
        from alembic.script import ScriptDirectory

        self._config = Config()
        self._config.set_main_option("script_location", scripts_at)
        self._scripts = ScriptDirectory.from_config(self._config)
        head = self._scripts.get_current_head()
        assert head is not None
        self.head = head
        """The latest revision."""

    def revision_of(self, connection: Connection, place: str) -> str | None:
        """Return the revision of a database, None if it is empty.

        Raise `DatabaseError` if the database comes from a newer version of the program; `place` is what it calls it.
        """
        from alembic.runtime.migration import MigrationContext

        current = MigrationContext.configure(connection).get_current_revision()
        if current is not None and current not in {script.revision for script in self._scripts.walk_revisions()}:
            raise DatabaseError(f"{place} comes from a newer version (revision {current}); update the program")
        return current

    def run(self, connection: Connection) -> None:
        """Run the migrations that a database lacks.

        Each has a transaction of its own, unless one is open on the connection already: then it holds all of them.
        """
        from alembic import command

        self._config.attributes["connection"] = connection
        command.upgrade(self._config, "head")

    def stamp(self, connection: Connection) -> None:
        """Say that the tables of a database are those of the latest revision."""
        from alembic import command

        self._config.attributes["connection"] = connection
        command.stamp(self._config, "head")
