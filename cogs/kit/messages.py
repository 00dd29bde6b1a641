"""Messages to send: a layout, its files, and who it may ping."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Final, TypeVar

import discord
from discord import ui

from bot.values.ids import PersonId

FILES_REFUSED: Final = frozenset((50013, 400001, 40005))
"""A permission is missing, perhaps that for files; the server may upload none for now; or they are too large."""

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


@dataclass(frozen=True, slots=True)
class Message:
    """A message to send: its layout, the files the layout refers to by name, and who it may ping."""

    layout: ui.LayoutView
    attached: tuple[File, ...] = ()
    pings: tuple[PersonId, ...] = ()

    def files(self) -> list[discord.File]:
        """Return the files, new ones for each attempt."""
        return [file.to_discord() for file in self.attached]

    def files_keeping(self, existing: Iterable[discord.Attachment]) -> list[discord.File | discord.Attachment]:
        """Return the files for an edit: those the message already has, by name, are kept and not sent again."""
        kept = {attachment.filename: attachment for attachment in existing}
        return [kept.get(file.name) or file.to_discord() for file in self.attached]

    @property
    def has_only_pictures(self) -> bool:
        """Whether it has files, and all are pictures whose facts are in its text too."""
        return bool(self.attached) and all(file.alt for file in self.attached)

    def without_pictures(self) -> Message:
        """Return the message as text alone."""
        for item in list(self.layout.walk_children()):
            if isinstance(item, ui.MediaGallery) and isinstance(item.parent, ui.Container):
                item.parent.remove_item(item)
        return Message(self.layout, (), self.pings)

    @property
    def mentions(self) -> discord.AllowedMentions:
        """Exactly the people to ping."""
        users = [discord.Object(person) for person in self.pings]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


async def with_or_without_pictures(message: Message, send: Callable[[Message], Awaitable[Sent]]) -> Sent:
    """Send a message, as text alone if Discord refuses its pictures."""
    try:
        return await send(message)
    except discord.HTTPException as error:
        if error.code not in FILES_REFUSED or not message.has_only_pictures:
            raise
        return await send(message.without_pictures())
