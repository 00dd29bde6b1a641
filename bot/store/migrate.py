"""Migrate the tables of a database.

Alembic is imported only when it is needed: importing it and parsing the migrations takes a quarter of a second.
"""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from bot.store.errors import DatabaseError

if TYPE_CHECKING:
    from alembic.config import Config

SCRIPT_LOCATION = "bot.store:migrations"
"""Location of the migrations, which are resources of the installed package."""


class Migrations:
    """The migrations that this version of the program knows. The names of their files begin with their revisions."""

    def __init__(self, script_location: str = SCRIPT_LOCATION) -> None:
        self._location = script_location
        package, _, folder = script_location.rpartition(":")
        scripts = files(package) / folder if package else Path(script_location)
        names = [script.name for script in (scripts / "versions").iterdir() if script.name[:1].isdigit()]
        self._revisions = sorted(name.partition("_")[0] for name in names)
        self.head = self._revisions[-1]
        """The revision of a database after all migrations."""

    @cached_property
    def _config(self) -> Config:
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", self._location)
        return config

    def revision_of(self, connection: Connection, place: str) -> str | None:
        """Return the revision of a database. None if the database is empty.

        Raise `DatabaseError` if the database comes from a newer version. `place` is the name of the database for the
        error message.
        """
        if not inspect(connection).has_table("alembic_version"):
            return None
        current: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if current is not None and current not in self._revisions:
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
