"""Messages to send, with their files and mentions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final, TypeVar

import discord
from discord import ui

from bot.model.discord_codes import FILE_REFUSALS, Code
from bot.model.ids import MatchId, PersonId
from cogs.kit.failures import code_of
from cogs.kit.refusals import ChannelRefusals

NO_FILES: Final = "Discord refused the file here. Please ask again in another channel, or in a direct message to me."

Attachments = Sequence[discord.Attachment]
Revision = tuple[MatchId, int]
"""A match's id and its revision number."""
Sent = TypeVar("Sent")


@dataclass(frozen=True, slots=True)
class File:
    """A file of a message. `alt` is the alt text of a picture, and None for other files."""

    name: str
    content: bytes
    alt: str | None = None

    def to_discord(self) -> discord.File:
        """Return the file for discord.py. Each returned object can be sent only once."""
        return discord.File(BytesIO(self.content), filename=self.name, description=self.alt)


@dataclass(frozen=True, slots=True)
class Message:
    """A message to send: its layout, the files that the layout refers to by name, and the people that it may ping.

    `revision` is the state of the match that the message shows, set only for messages that answers to clicks and the
    courier both update. `in_words` returns a version without pictures, for a message whose pictures show facts that its
    text does not. `without_emojis` returns a version without the application's own emojis, if the message uses any.
    """

    layout: ui.LayoutView
    attached: tuple[File, ...] = ()
    pings: tuple[PersonId, ...] = ()
    revision: Revision | None = None
    in_words: Callable[[], Message] | None = None
    without_emojis: Callable[[], Message] | None = None

    def __post_init__(self) -> None:
        # The custom ids have all the state, so discord.py need not keep the layout.
        self.layout.stop()

    async def send(self, send: Callable[..., Awaitable[Sent]], **options: object) -> Sent:
        """Send the message with discord.py's method `send`. Each call creates new files, so retries are possible."""
        files = [file.to_discord() for file in self.attached]
        return await send(view=self.layout, files=files, allowed_mentions=self._mentions, **options)

    async def edit(self, edit: Callable[..., Awaitable[Sent]], kept: Attachments) -> Sent:
        """Edit a message with discord.py's method `edit`. Attachments in `kept` are reused by name, not sent again."""
        present = {attachment.filename: attachment for attachment in kept}
        files = [present.get(file.name) or file.to_discord() for file in self.attached]
        return await edit(view=self.layout, attachments=files, allowed_mentions=self._mentions)

    def showing(self, match_id: MatchId, revision: int) -> Message:
        """Return a copy marked as showing this revision of a match."""
        return replace(self, revision=(match_id, revision))

    def without_files(self) -> Message:
        """Return the message as text only. If it had a file to download, the text says that the file is missing."""
        if self.in_words is not None:
            return self.in_words()
        containers = [item for item in self.layout.children if isinstance(item, ui.Container)]
        for container in containers:
            for item in list(container.children):
                if isinstance(item, ui.MediaGallery | ui.File):
                    container.remove_item(item)
        if not self.has_only_pictures:
            containers[0].add_item(ui.TextDisplay(NO_FILES))
        without_emojis = self.without_emojis
        return replace(
            self,
            attached=(),
            without_emojis=None if without_emojis is None else lambda: without_emojis().without_files(),
        )

    @property
    def has_only_pictures(self) -> bool:
        """True if all files are pictures. A message without files counts as well."""
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
    """Send a message to a channel, or edit a message there and reuse its files in `kept`.

    If Discord refuses the files, retry as text; `refusals` then keeps pictures out of that channel for a while. If a
    file in `kept` no longer exists (another edit might have replaced it), retry with all files. If Discord refuses the
    emojis (they might have been deleted), retry without emojis.
    """
    kept_names = {attachment.filename for attachment in kept}
    reuses_files = any(file.name in kept_names for file in message.attached)
    size = sum(len(file.content) for file in message.attached if file.name not in kept_names)
    if size and message.has_only_pictures and refusals.refuses_files(size):
        return await send_or_edit(message.without_files(), send, refusals)
    try:
        return await send(message, kept)
    except discord.HTTPException as error:
        code = code_of(error)
        if code in (Code.INVALID_FORM, Code.FILE_NOT_FOUND) and reuses_files:
            return await send_or_edit(message, send, refusals)
        if code in FILE_REFUSALS and message.attached:
            sent = await send_or_edit(message.without_files(), send, refusals)
            # The retry without files succeeded, so the files had caused the refusal.
            refusals.record_file_refusal(code, size)
            return sent
        if code == Code.INVALID_FORM and message.without_emojis is not None:
            return await send_or_edit(message.without_emojis(), send, refusals)
        raise
