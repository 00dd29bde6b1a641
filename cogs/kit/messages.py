"""Messages to send, with their files and mentions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, Final, TypeVar

import discord
from discord import ui

from bot.model.discord_codes import FILE_REFUSALS, Code
from bot.model.ids import MatchId, PersonId
from cogs.kit import json_components
from cogs.kit.failures import code_of
from cogs.kit.json_components import Component
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
    """A message to send: its components, the files to which they refer by name, and the people that it may ping.

    `revision` is the state of the match that the message shows, set only for messages that answers to clicks and the
    courier both update. `in_words` returns a version without pictures, for a message whose pictures show facts that its
    text does not. `without_emojis` returns a version without the application's own emojis, if the message uses any.
    """

    components: Sequence[Component]
    attached: tuple[File, ...] = ()
    pings: tuple[PersonId, ...] = ()
    revision: Revision | None = None
    in_words: Callable[[], Message] | None = None
    without_emojis: Callable[[], Message] | None = None

    async def send(self, send: Callable[..., Awaitable[Sent]], **options: object) -> Sent:
        """Send the message with discord.py's method `send`. Each call creates new files, so retries are possible."""
        files = [file.to_discord() for file in self.attached]
        return await send(view=_Layout(self.components), files=files, allowed_mentions=self._mentions, **options)

    async def edit(self, edit: Callable[..., Awaitable[Sent]], kept: Attachments) -> Sent:
        """Edit a message with discord.py's method `edit`. Attachments in `kept` are reused by name, not sent again."""
        present = {attachment.filename: attachment for attachment in kept}
        files = [present.get(file.name) or file.to_discord() for file in self.attached]
        return await edit(view=_Layout(self.components), attachments=files, allowed_mentions=self._mentions)

    def showing(self, match_id: MatchId, revision: int) -> Message:
        """Return a copy marked as showing this revision of a match."""
        return replace(self, revision=(match_id, revision))

    def without_files(self) -> Message:
        """Return the message as text only. If it had a file to download, the text says that the file is missing."""
        if self.in_words is not None:
            return self.in_words()
        missing = () if self.has_only_pictures else (json_components.text(NO_FILES),)
        without_emojis = self.without_emojis
        return replace(
            self,
            components=json_components.without_files(self.components, *missing),
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


class _Layout(ui.LayoutView):
    """Components in the form in which discord.py takes them."""

    def __init__(self, components: Sequence[Component]) -> None:
        super().__init__(timeout=None)
        self._components = components
        # The custom ids have all the state, so discord.py need not keep the layout.
        self.stop()

    def has_components_v2(self) -> bool:
        """Return True: otherwise, discord.py would not send the flag that these components need."""
        return True

    def to_components(self) -> list[dict[str, Any]]:
        """Return the JSON objects to send."""
        return [dict(component) for component in self._components]


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
