"""The previous version's state with matches in play: its database, and every message on every screen.

The fixtures are `tests/store/databases/0004.db` and `0004.json`. Tests copy them and never change them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from bot.model.ids import ChannelId, MessageId
from bot.sandbox import Clock, World
from bot.sandbox.world.components import media, walk
from bot.sandbox.world.json_values import Json
from bot.sandbox.world.messages import Attachment, Message, MessageFlag

DATABASES: Final = Path(__file__).parents[1] / "store" / "databases"
DATABASE: Final = DATABASES / "0004.db"
SCREENS: Final = DATABASES / "0004.json"

START_DELAY: Final = timedelta(minutes=1)
"""Time between the last action of the old version and the start of the new version."""

FIRST_PERSON_ID: Final = 1_400_000_000_000_000_001
"""North's id. South, East and West have the next ids."""
GAMES: Final = ChannelId(1_400_000_000_000_000_012)
REPLACED_TABLE: Final = MessageId(1573929854091395122)
NEW_TABLE: Final = MessageId(1573929854091395123)
"""The newer of two posts of the same table: the old version stopped before it deleted `REPLACED_TABLE`."""

REPLACED_HAND: Final = MessageId(1573929863260143672)
"""South's hand, which must be replaced by a new post, because it is South's turn."""
CHANGED_HAND: Final = MessageId(1573929864170307644)
"""North's hand, which must be edited, because it is no longer North's turn."""


@cache
def _screens() -> dict[str, Any]:
    return json.loads(SCREENS.read_text(encoding="utf-8"))


def starts_at() -> datetime:
    """Return the time at which the new version starts."""
    return datetime.fromtimestamp(_screens()["clock"], UTC) + START_DELAY


def copy_database(path: Path) -> str:
    """Copy the old version's database to a path, and return its URL."""
    shutil.copy(DATABASE, path)
    path.chmod(0o600)
    return f"sqlite:///{path}"


def world() -> World:
    """Return a sandbox world with a stopped clock and all messages of the old version."""
    clock = Clock(running=False)
    clock.advance(starts_at().timestamp() - clock.now())
    new = World.default("Deadwood", clock=clock)
    threads = {row["id"]: row for row in _screens()["channels"] if row["parent"] is not None}
    for row in _screens()["messages"]:
        if row["channel"] in threads and row["channel"] not in new.channels:
            thread = threads[row["channel"]]
            parent = new.channels[thread["parent"]]
            new.add_thread(parent, thread["name"], new.bot, message=parent.messages[thread["id"]])
        _add_message(new, deepcopy(row))
        if row["id"] == REPLACED_TABLE:
            _add_message(new, deepcopy(row) | {"id": NEW_TABLE})
    return new


def _add_message(new: World, row: dict[str, Any]) -> None:
    channel, components = new.channels[row["channel"]], row["components"]
    message = Message(
        row["id"],
        channel,
        new.users[row["author"]],
        row["created_at"],
        flags=MessageFlag(row["flags"]),
        components=components,
        mentions=row["mentions"],
        only_for=row["only_for"],
        attachments=list(_attachments(components)),
        past_components={
            component["custom_id"]: components for _, component in walk(components) if component.get("custom_id")
        },
    )
    channel.messages[message.id] = message


def _attachments(components: list[Json]) -> Iterator[Attachment]:
    """Yield the files that components show, without their contents."""
    for _, item, owner in media(components):
        url = str(item["url"])
        yield Attachment(
            int(item["attachment_id"]),
            Path(urlsplit(url).path).name,
            b"",
            item["content_type"],
            url,
            owner.get("description"),
            item.get("width"),
            item.get("height"),
        )
