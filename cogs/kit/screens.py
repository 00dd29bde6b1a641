"""The state and the files of messages, so that older states never replace newer ones and unchanged files stay.

Answers to clicks and the courier change the same messages. A request may reach Discord late, and a failed one may have
been applied. So answers to clicks on one message are sent in turn, and outdated states are left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final

import discord

from bot.values.ids import MessageId
from cogs.kit.messages import Attachments, Message, Revision, send_or_edit
from cogs.kit.refusals import ChannelRefusals

_REMEMBERED: Final = 1024
"""The number of messages that are remembered, at 3 KB each. The files of others are sent again."""

Send = Callable[[Message, Attachments], Awaitable[discord.Message | None]]
"""Send a message and return it as Discord has it then; None if Discord did not confirm that it shows it."""


class Screen:
    """One message: the newest state that was sent to it, and the files it has."""

    def __init__(self) -> None:
        self._files: Attachments = ()
        """The files that the message has, to leave there if they do not change; empty if that is not known."""
        self._files_at = datetime.min.replace(tzinfo=UTC)
        """The last known time at which Discord changed the message."""
        self._newest: Revision | None = None
        self._answering = asyncio.Lock()
        self._being_edited = False

    def saw(self, message: discord.Message) -> None:
        """Remember the files of the message, unless a later state of it is known.

        Call this for clicked messages too: another process may have replaced the files.
        """
        changed_at = message.edited_at or message.created_at
        if changed_at >= self._files_at:
            self._files, self._files_at = message.attachments, changed_at

    async def answer(self, message: Message, send: Send, refusals: ChannelRefusals) -> bool:
        """Show the answer to a click, after the answers to others, unless a newer state was sent.

        Return whether the message shows it for certain. An edit under way might still come after it.
        """
        async with self._answering:
            may_be_last = not self._being_edited
            return await self._show(message, send, refusals) and may_be_last

    async def edit(self, message: Message, send: Send, refusals: ChannelRefusals) -> bool:
        """Edit the message, after the answers under way, unless a newer state was sent.

        Answers do not wait for the edit, which may take long. Return False if one has sent a newer state by the end.
        """
        async with self._answering:
            self._being_edited = True
        try:
            await self._show(message, send, refusals)
        finally:
            self._being_edited = False
        return not self._has_newer(message)

    async def _show(self, message: Message, send: Send, refusals: ChannelRefusals) -> bool:
        """Send what is not outdated. What fails counts as sent too: it may have been applied."""
        if self._has_newer(message):
            return False
        self._newest = message.revision or self._newest
        kept, self._files = self._files, ()

        async def send_unless_outdated(one: Message, files: Attachments) -> discord.Message | None:
            # Discord may refuse the first attempt late.
            return None if self._has_newer(message) else await send(one, files)

        shown = await send_or_edit(message, send_unless_outdated, refusals, kept)
        if shown is not None:
            self.saw(shown)
        return shown is not None

    def _has_newer(self, message: Message) -> bool:
        """Return whether a newer state of the same match was sent."""
        if self._newest is None or message.revision is None:
            return False
        (match, newest), (its_match, revision) = self._newest, message.revision
        return match == its_match and newest > revision


class Screens:
    """The screens of the messages that were changed or clicked last."""

    def __init__(self) -> None:
        self._screens: dict[MessageId, Screen] = {}

    def of(self, message_id: int) -> Screen:
        """Return the screen of a message."""
        screen = self._screens.pop(MessageId(message_id), None) or Screen()
        self._screens[MessageId(message_id)] = screen
        if len(self._screens) > _REMEMBERED:
            del self._screens[next(iter(self._screens))]
        return screen
