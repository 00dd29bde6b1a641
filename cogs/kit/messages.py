"""Messages to send: a layout, its files, and who it may ping."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final, TypeVar

import discord
from discord import ui

from bot.values.discord_codes import FILE_REFUSALS, Code
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchInfo
from cogs.kit.failures import code_of
from cogs.kit.refusals import ChannelRefusals

NO_FILES: Final = "Discord refused the file here. Please ask again in another channel, or in a direct message to me."

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

    def without_files(self) -> Message:
        """Return the message as text alone. If it had a file to download, the text says that it is missing."""
        if self.in_words is not None:
            return self.in_words()
        containers = [item for item in self.layout.children if isinstance(item, ui.Container)]
        for container in containers:
            for item in list(container.children):
                if isinstance(item, ui.MediaGallery | ui.File):
                    container.remove_item(item)
        if not self.is_pictured:
            containers[0].add_item(ui.TextDisplay(NO_FILES))
        without_emojis = self.without_emojis
        return replace(
            self,
            attached=(),
            without_emojis=None if without_emojis is None else lambda: without_emojis().without_files(),
        )

    @property
    def is_pictured(self) -> bool:
        """True if all its files are pictures, whose facts are in the text too."""
        return all(file.alt for file in self.attached)

    @property
    def _mentions(self) -> discord.AllowedMentions:
        users = [discord.Object(person) for person in self.pings]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


async def send_or_edit(
    message: Message,
    send: Callable[[Message, Attachments], Awaitable[Sent]],
    refusals: ChannelRefusals,
    kept: Attachments = (),
) -> Sent:
    """Send a message to a channel, or edit it there, keeping the files `kept`.

    If Discord refuses its files, send it as text at once. In a channel with `refusals` of files, do not try pictures
    again for a while. If a file to keep is gone, send all: another edit may have replaced it. If Discord refuses the
    emojis, send the message without them: somebody may have removed them.
    """
    there = {attachment.filename for attachment in kept}
    keeps = any(file.name in there for file in message.attached)
    size = sum(len(file.content) for file in message.attached if file.name not in there)
    if size and message.is_pictured and refusals.refuses_files(size):
        return await send_or_edit(message.without_files(), send, refusals)
    try:
        return await send(message, kept)
    except discord.HTTPException as error:
        code = code_of(error)
        if code in (Code.INVALID_FORM, Code.FILE_NOT_FOUND) and keeps:
            return await send_or_edit(message, send, refusals)
        if code in FILE_REFUSALS and message.attached:
            sent = await send_or_edit(message.without_files(), send, refusals)
            # Now it is known that the code was about the file.
            refusals.note_files(code, size)
            return sent
        if code == Code.INVALID_FORM and message.without_emojis is not None:
            return await send_or_edit(message.without_emojis(), send, refusals)
        raise
