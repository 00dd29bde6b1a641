"""Messages to send: a layout, its files, and who it may ping."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final, TypedDict, TypeVar

import discord
from discord import ui

from bot.values.ids import PersonId

UNKNOWN_MESSAGE: Final = 10008
INVALID_FORM: Final = 50035
FILES_REFUSED: Final = frozenset((50013, 400001, 40005))
"""A permission is missing, perhaps that for files; the server may upload none for now; or they are too large."""

Attachments = Sequence[discord.Attachment]
Sent = TypeVar("Sent")


@dataclass(frozen=True, slots=True)
class File:
    """A file of a message, with its alt text if it is a picture."""

    name: str
    content: bytes
    alt: str | None = None

    def to_discord(self) -> discord.File:
        """Return the file as discord.py sends it. Sending uses it up."""
        return discord.File(BytesIO(self.content), filename=self.name, description=self.alt)


class _New(TypedDict):
    view: ui.LayoutView
    files: list[discord.File]
    allowed_mentions: discord.AllowedMentions


class _Edit(TypedDict):
    view: ui.LayoutView
    attachments: list[discord.File | discord.Attachment]
    allowed_mentions: discord.AllowedMentions


@dataclass(frozen=True, slots=True)
class Message:
    """A message to send: its layout, the files the layout refers to by name, and who it may ping."""

    layout: ui.LayoutView
    attached: tuple[File, ...] = ()
    pings: tuple[PersonId, ...] = ()

    def __post_init__(self) -> None:
        # Custom ids hold all that is needed: discord.py need not keep the layout.
        self.layout.stop()

    def to_send(self) -> _New:
        """Return the message as discord.py sends it, with new files for each attempt."""
        files = [file.to_discord() for file in self.attached]
        return {"view": self.layout, "files": files, "allowed_mentions": self._mentions}

    def to_edit(self, kept: Attachments) -> _Edit:
        """Return the message as discord.py edits it: files it has already, by name, are kept and not sent again."""
        present = {attachment.filename: attachment for attachment in kept}
        attachments = [present.get(file.name) or file.to_discord() for file in self.attached]
        return {"view": self.layout, "attachments": attachments, "allowed_mentions": self._mentions}

    def without_pictures(self) -> Message:
        """Return the message as text alone."""
        for item in list(self.layout.walk_children()):
            if isinstance(item, ui.MediaGallery) and isinstance(item.parent, ui.Container):
                item.parent.remove_item(item)
        return Message(self.layout, (), self.pings)

    @property
    def _mentions(self) -> discord.AllowedMentions:
        users = [discord.Object(person) for person in self.pings]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


async def with_or_without_pictures(message: Message, send: Callable[[Message], Awaitable[Sent]]) -> Sent:
    """Send a message, as text alone if Discord refuses its pictures, whose facts are in the text too."""
    try:
        return await send(message)
    except discord.HTTPException as error:
        has_only_pictures = bool(message.attached) and all(file.alt for file in message.attached)
        if error.code not in FILES_REFUSED or not has_only_pictures:
            raise
        return await send(message.without_pictures())


async def keeping_files(
    message: Message, kept: Attachments, edit: Callable[[Message, Attachments], Awaitable[Sent]]
) -> Sent:
    """Edit a message. If a file to keep is not there, edit again with all files: another edit may have changed them."""
    try:
        return await with_or_without_pictures(message, lambda one: edit(one, kept))
    except discord.HTTPException as error:
        if error.code != INVALID_FORM or not kept or not message.attached:
            raise
        return await with_or_without_pictures(message, lambda one: edit(one, ()))
