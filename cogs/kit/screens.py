"""The last known state and files of messages.

Answers to clicks and the courier edit the same messages. A request can reach Discord late, and a request that seems to
have failed might have been applied. Therefore answers to clicks on one message are serialized, an older state never
overwrites a newer one, and unchanged files are not uploaded again.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final

import discord

from bot.model.ids import MessageId
from cogs.kit.messages import Attachments, Message, Revision, send_or_edit
from cogs.kit.refusals import ChannelRefusals

_MAX_SCREENS: Final = 1024
"""Maximum number of remembered messages, at 3 KB each. Edits of forgotten messages upload all files again."""

SECOND_TAP: Final = 0.7
"""Time after the answer to a click in which another click is the second tap of a double tap, in seconds. The finger was
already on its way, and now hits another button."""

Send = Callable[[Message, Attachments], Awaitable[discord.Message | None]]
"""A function that sends or edits a message. It returns Discord's version of the message; None if unconfirmed."""


class Screen:
    """One message on Discord: its newest state and its files."""

    def __init__(self) -> None:
        self._files: Attachments = ()
        """The current attachments, which are reused if they do not change; empty if unknown."""
        self._files_changed_at = datetime.min.replace(tzinfo=UTC)
        """Time of the message's latest known edit, or of its creation; `_files` are the attachments since then."""
        self._newest_revision: Revision | None = None
        self._answer_lock = asyncio.Lock()
        self._is_being_edited = False
        self._answered_at = -math.inf
        """Time of the latest answer to a click, on the clock of the event loop."""

    def remember_files(self, message: discord.Message) -> None:
        """Remember the message's attachments, unless a later state is already known.

        Call this for clicked messages too, because another process might have replaced the attachments.
        """
        changed_at = message.edited_at or message.created_at
        if changed_at >= self._files_changed_at:
            self._files, self._files_changed_at = message.attachments, changed_at

    async def answer(self, message: Message, send: Send, refusals: ChannelRefusals) -> bool:
        """Show the answer to a click, after earlier answers, unless a newer state was sent.

        Return True if the message certainly shows the answer: Discord confirmed the answer, and no edit in progress
        might still overwrite it.
        """
        async with self._answer_lock:
            may_be_last = not self._is_being_edited
            is_confirmed = await self._show(message, send, refusals)
            self._answered_at = asyncio.get_running_loop().time()
            return is_confirmed and may_be_last

    def has_just_changed(self) -> bool:
        """Return True if the message was changed by a click less than `SECOND_TAP` ago."""
        return asyncio.get_running_loop().time() < self._answered_at + SECOND_TAP

    async def edit(self, message: Message, send: Send, refusals: ChannelRefusals) -> bool:
        """Edit the message, after the answers in progress, unless a newer state was sent.

        Later answers do not wait for the edit, which can be slow. Return False if an answer sent a newer state before
        the edit finished.
        """
        async with self._answer_lock:
            self._is_being_edited = True
        try:
            await self._show(message, send, refusals)
        finally:
            self._is_being_edited = False
        return not self._has_newer(message)

    async def _show(self, message: Message, send: Send, refusals: ChannelRefusals) -> bool:
        """Send the message unless it is outdated. A failed attempt counts as sent: Discord might have applied it."""
        if self._has_newer(message):
            return False
        self._newest_revision = message.revision or self._newest_revision
        kept, self._files = self._files, ()

        async def send_unless_outdated(version: Message, files: Attachments) -> discord.Message | None:
            # The first attempt might have taken long to fail, and a newer state might have been sent since.
            return None if self._has_newer(message) else await send(version, files)

        shown = await send_or_edit(message, send_unless_outdated, refusals, kept)
        if shown is not None:
            self.remember_files(shown)
        return shown is not None

    def _has_newer(self, message: Message) -> bool:
        """Return True if a newer state of the same match was sent."""
        if self._newest_revision is None or message.revision is None:
            return False
        (match, newest), (its_match, revision) = self._newest_revision, message.revision
        return match == its_match and newest > revision


class Screens:
    """The most recently used screens: an LRU cache by message id."""

    def __init__(self) -> None:
        self._screens: dict[MessageId, Screen] = {}

    def of(self, message_id: int) -> Screen:
        screen = self._screens.pop(MessageId(message_id), None) or Screen()
        self._screens[MessageId(message_id)] = screen
        if len(self._screens) > _MAX_SCREENS:
            del self._screens[next(iter(self._screens))]
        return screen
