"""Messages to send: a layout, its files, and who it may ping."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final, TypeVar

import discord
from discord import ui

from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchInfo

UNKNOWN_MESSAGE: Final = 10008
INVALID_FORM: Final = 50035
FILES_REFUSED: Final = frozenset((50013, 400001, 40005))
"""A permission is missing, perhaps that for files; the server may upload none for now; or they are too large."""

Attachments = Sequence[discord.Attachment]
Revision = tuple[MatchId, int]
"""A match, and which of its revisions."""
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
    """A message to send: its layout, the files the layout refers to by name, and who it may ping.

    `revision` is what it shows of a match, if answers to clicks show that too. `in_words` makes the
    message without its pictures if their facts are nowhere else in it, `without_emojis` without the application's own
    emojis if it has some.
    """

    layout: ui.LayoutView
    attached: tuple[File, ...] = ()
    pings: tuple[PersonId, ...] = ()
    revision: Revision | None = None
    in_words: Callable[[], Message] | None = None
    without_emojis: Callable[[], Message] | None = None

    def __post_init__(self) -> None:
        # Custom ids hold all that is needed: discord.py need not keep the layout.
        self.layout.stop()

    async def send(self, send: Callable[..., Awaitable[Sent]], **options: object) -> Sent:
        """Send the message by a method of discord.py, with new files for each attempt."""
        files = [file.to_discord() for file in self.attached]
        return await send(view=self.layout, files=files, allowed_mentions=self._mentions, **options)

    async def edit(self, edit: Callable[..., Awaitable[Sent]], kept: Attachments) -> Sent:
        """Edit to the message by a method of discord.py. Files it has already, by name, are kept and not sent again."""
        present = {attachment.filename: attachment for attachment in kept}
        files = [present.get(file.name) or file.to_discord() for file in self.attached]
        return await edit(view=self.layout, attachments=files, allowed_mentions=self._mentions)

    def showing(self, match: MatchInfo) -> Message:
        """Return the message as one that shows a match as it is in `match`."""
        return replace(self, revision=(match.id, match.revision))

    def without_pictures(self) -> Message:
        """Return the message as text alone."""
        if self.in_words is not None:
            return self.in_words()
        for item in list(self.layout.walk_children()):
            if isinstance(item, ui.MediaGallery) and isinstance(item.parent, ui.Container):
                item.parent.remove_item(item)
        return replace(self, attached=())

    @property
    def _mentions(self) -> discord.AllowedMentions:
        users = [discord.Object(person) for person in self.pings]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


async def send_or_edit(
    message: Message, send: Callable[[Message, Attachments], Awaitable[Sent]], kept: Attachments = ()
) -> Sent:
    """Send a message, or edit it and keep files it has.

    It goes as text alone if Discord refuses its pictures, whose facts are in the text too. If a file to keep is not
    there, all are sent: another edit may have changed them. If it is refused with emojis, it goes without: somebody may
    have removed them.
    """
    try:
        return await send(message, kept)
    except discord.HTTPException as error:
        if error.code in FILES_REFUSED and message.attached and all(file.alt for file in message.attached):
            return await send(message.without_pictures(), ())
        if error.code == INVALID_FORM and kept and message.attached:
            return await send_or_edit(message, send)
        if error.code == INVALID_FORM and message.without_emojis is not None:
            return await send_or_edit(message.without_emojis(), send)
        raise
