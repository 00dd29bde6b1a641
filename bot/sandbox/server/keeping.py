"""Saving a sandbox's state to an SQLite file, and restoring it at the next start.

The file holds the world, the messages with their files, the emojis and the commands. Changes made by a request are
saved before its answer is sent, all other changes soon afterwards. If the process is killed, the file still holds the
last saved state.
"""

import asyncio
import json
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bot.sandbox.server import kept_rows
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.emojis import Emoji
from bot.sandbox.world.json_values import Json, dumps
from bot.sandbox.world.messages import Message

log = logging.getLogger(__name__)

FORMAT_VERSION = 1
"""The version of the row format, stored as SQLite's `user_version`."""
BATCH_SECONDS = 0.05
"""Real seconds for which changes are collected and then saved together. Changes made by requests are saved at once."""

# Placeholder for the server's own address, whose port may change before the next start. It is a control character:
# JSON text cannot contain it, because it would be escaped there.
_ORIGIN = "\x1a"
# With these settings, a save survives a killed process. A crash of the machine can lose the last few seconds.
_SETUP = (
    "PRAGMA locking_mode=EXCLUSIVE",
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "CREATE TABLE IF NOT EXISTS kept (kind TEXT, id INTEGER, value BLOB, PRIMARY KEY (kind, id)) WITHOUT ROWID",
    f"PRAGMA user_version={FORMAT_VERSION}",
)

Key = tuple[str, int]
StoredValue = str | bytes | Json | Message | Emoji


class KeepingError(Exception):
    """The state file cannot be used. The error's message gives the reason in one line."""


class StateFile:
    """Saves the state of a sandbox to a file, and locks the file while in use.

    `restored` is True if the file held a state, which was loaded into the sandbox. Raises `KeepingError` if the file
    cannot be used.
    """

    def __init__(self, path: Path, state: ServerState) -> None:
        self._path, self._state = path, state
        self._saved_versions: dict[Key, object] = {}
        self._failed = False
        self._connection = _connect(path)
        try:
            self.restored = self._restore()
        except (sqlite3.Error, ValueError, LookupError, TypeError) as error:
            self._connection.close()
            raise KeepingError(f"cannot use {path}: it holds no state of a sandbox ({error!r})") from error
        if self.restored:
            self._saved_versions = {key: version for key, version, _ in self._entries()}
        state.journal.observers.append(self._observe)

    def save(self) -> None:
        """Save all changes since the last save. On failure, log the error and retry at the next change."""
        entries = {key: (version, thing) for key, version, thing in self._entries()}
        deleted_keys = self._saved_versions.keys() - entries.keys()
        changed_rows = [
            (*key, self._encode(thing))
            for key, (version, thing) in entries.items()
            if key not in self._saved_versions or self._saved_versions[key] != version
        ]
        try:
            with self._connection:
                self._connection.executemany("DELETE FROM kept WHERE kind = ? AND id = ?", deleted_keys)
                self._connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", changed_rows)
        except sqlite3.Error as error:
            if not self._failed:
                log.error("cannot save the sandbox in %s: %s", self._path, error)
            self._failed = True
            return
        self._failed = False
        self._saved_versions = {key: version for key, (version, _) in entries.items()}

    async def run(self) -> None:
        """Save all changes soon after they happen, until cancelled."""
        while True:
            self.save()
            await self._state.changes.next()
            await asyncio.sleep(BATCH_SECONDS)

    def copy_to(self, target: Path) -> None:
        """Save all changes, and copy the whole state to an empty file. Raises `sqlite3.Error`."""
        self.save()
        if self._failed:
            raise sqlite3.OperationalError(f"{self._path} cannot be written")
        with closing(sqlite3.connect(target)) as connection:
            self._connection.backup(connection)

    def close(self) -> None:
        """Save one last time, and unlock the file."""
        self.save()
        self._state.journal.observers.remove(self._observe)
        self._connection.close()

    def _observe(self, _: object) -> None:
        self.save()

    def _entries(self) -> Iterator[tuple[Key, object, StoredValue]]:
        """Yield (key, version, value) for everything to save. A value is saved again when its version changes."""
        state = self._state
        world = dumps(kept_rows.world_row(state.world) | {"opened_dms": sorted(state.opened_dms)})
        yield ("world", 0), world, world
        for scope, commands in state.commands.scopes.items():
            yield ("commands", scope or 0), tuple(row["version"] for row in commands.values()), {"rows": commands}
        for message in kept_rows.saved_messages(state.world.channels.values()):
            files = [attachment.id for attachment in message.attachments]
            yield ("message", message.id), (message.revision, message.thread, files), message
            for attachment in message.attachments:
                yield ("file", attachment.id), None, attachment.content
        for emoji in state.emojis.by_id.values():
            yield ("emoji", emoji.id), emoji.name, emoji
            yield ("file", emoji.id), None, emoji.content

    def _encode(self, thing: StoredValue) -> str | bytes:
        match thing:
            case Emoji():
                return self._text(kept_rows.emoji_row(thing))
            case Message():
                return self._text(kept_rows.message_row(thing))
            case dict():
                return self._text(thing)
            case _:
                return thing

    def _text(self, row: Json) -> str:
        return dumps(row).replace(self._state.attachments.origin, _ORIGIN)

    def _restore(self) -> bool:
        state, origin = self._state, self._state.attachments.origin

        def rows(kind: str) -> Iterator[tuple[int, Json]]:
            query = "SELECT id, value FROM kept WHERE kind = ? ORDER BY id"
            for number, text in self._connection.execute(query, (kind,)):
                yield number, json.loads(text.replace(_ORIGIN, origin))

        def content(number: int) -> bytes:
            query = "SELECT value FROM kept WHERE kind = 'file' AND id = ?"
            (value,) = self._connection.execute(query, (number,)).fetchone()
            return value

        worlds = [row for _, row in rows("world")]
        if not worlds:
            return False
        kept_rows.restore_world(state.world, worlds[0])
        state.opened_dms = set(worlds[0]["opened_dms"])
        for scope, row in rows("commands"):
            state.commands.scopes[scope or None] = {int(number): command for number, command in row["rows"].items()}
        for number, row in rows("emoji"):
            state.emojis.by_id[number] = kept_rows.restore_emoji(row, content)
        for _, row in rows("message"):
            message = kept_rows.restore_message(state.world, row, content)
            state.attachments.by_id |= {attachment.id: attachment for attachment in message.attachments}
            if message.pinged:
                state.pushes.append(message)
            if message.nonce is not None and message.interaction is None:
                state.nonces[message.author.id, message.channel.id, str(message.nonce)] = message
        return True


def _connect(path: Path) -> sqlite3.Connection:
    try:
        # Only the owner may read the file, because messages are private. SQLite gives its side files the same mode.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = sqlite3.connect(path, timeout=0)
        try:
            with closing(connection.execute("PRAGMA user_version")) as cursor:
                (version,) = cursor.fetchone()
            if version not in (0, FORMAT_VERSION):
                raise KeepingError(
                    f"cannot use {path}: another version of the sandbox wrote it; remove it to start afresh"
                )
            for statement in _SETUP:
                connection.execute(statement)
        except BaseException:
            connection.close()
            raise
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise KeepingError(f"cannot use {path}: {reason}") from error
    return connection
