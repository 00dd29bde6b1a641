"""Migrate the tables of a database.

Alembic is imported only inside functions, because commands such as `deadwood health` do not need it.
"""

from __future__ import annotations

from sqlalchemy import Connection

from bot.store.errors import DatabaseError

SCRIPTS = "bot.store:migrations"
"""Location of the migrations, which are resources of the installed package."""


class Migrations:
    """The available migrations."""

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
        """Return the revision of a database. None if it is empty.

        Raise `DatabaseError` if it comes from a newer version of the program. `place` is its name in that message.
        """
        from alembic.runtime.migration import MigrationContext

        current = MigrationContext.configure(connection).get_current_revision()
        if current is not None and current not in {script.revision for script in self._scripts.walk_revisions()}:
            raise DatabaseError(f"{place} comes from a newer version (revision {current}); update the program")
        return current

    def run(self, connection: Connection) -> None:
        """Run the missing migrations.

        Each one has its own transaction, unless the connection already has an open one. Then they share it.
        """
        from alembic import command

        self._config.attributes["connection"] = connection
        command.upgrade(self._config, "head")

    def stamp(self, connection: Connection) -> None:
        """Mark a database as having the latest revision."""
        from alembic import command

        self._config.attributes["connection"] = connection
        command.stamp(self._config, "head")
