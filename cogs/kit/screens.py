"""What messages show, as far as the bot knows: nothing older than what was sent there before is sent.

Answers to clicks and the courier change the same messages. A request may reach Discord late, and one that failed may
have been applied. So answers to clicks on one message go out one after the other, and what is outdated stays behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from bot.values.ids import MessageId
from cogs.kit.messages import Attachments, Message, Revision, send_or_edit
from cogs.kit.refusals import ChannelRefusals

_REMEMBERED: Final = 1024
"""The number of messages that are remembered, at 3 KB each. The files of others are sent again."""

Send = Callable[[Message, Attachments], Awaitable[Attachments | None]]
"""Sends a message, and returns the files it has then; None if Discord did not confirm that it shows it."""


class Screen:
    """One message: the newest state that was sent to it, and the files it has."""

    def __init__(self) -> None:
        self.attachments: Attachments = ()
        """The files that the message has, to leave there if they do not change; empty if that is not known."""
        self._newest: Revision | None = None
        self._answering = asyncio.Lock()
        self._being_edited = False

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
        kept, self.attachments = self.attachments, ()
        attachments = await send_or_edit(message, send, refusals, kept)
        self.attachments = attachments or ()
        return attachments is not None

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
