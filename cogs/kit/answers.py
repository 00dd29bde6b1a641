"""Answers to interactions: each one gets exactly one first response, in time, whatever happens to its handler.

Discord accepts a first response for three seconds. A timer defers after half of that, and later answers go where the
deferral left room for them. All answers pass through here, so two of them never race.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiohttp
import discord
import structlog

from cogs.kit.messages import UNKNOWN_MESSAGE, Attachments, Message, Sent, send_or_edit

log = structlog.get_logger(__name__)

DEFER_AFTER: Final = 1.5
"""Seconds until an interaction without an answer is deferred."""

TOKEN_LIFETIME: Final = 15 * 60
"""Seconds after which an interaction takes no answer of any kind."""

ALREADY_ACKNOWLEDGED: Final = 40060
UNKNOWN_INTERACTION: Final = 10062

Interaction = discord.Interaction[discord.Client]
Response = discord.InteractionResponseType


class Answer:
    """The answer to one interaction. `Answer.to` returns the same object for the same interaction."""

    def __init__(self, interaction: Interaction) -> None:
        self.settled = asyncio.Event()
        """Set once the person has their answer."""
        self._interaction = interaction
        self._lock = asyncio.Lock()
        self._first: Response | None = None
        self._attachments: Attachments = interaction.message.attachments if interaction.message else ()

    @staticmethod
    def to(interaction: Interaction) -> Answer:
        """Return the answer to an interaction."""
        answer: Answer = interaction.extras.setdefault("answer", Answer(interaction))
        return answer

    async def watch(self) -> None:
        """Wait for the answer, and defer it if it is late. Give up once nothing can be answered any more."""
        try:
            async with asyncio.timeout(DEFER_AFTER):
                await self.settled.wait()
        except TimeoutError:
            try:
                await self.defer()
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.warning("an answer could not be deferred", error=type(error).__name__)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TOKEN_LIFETIME):
                    await self.settled.wait()

    async def defer(self) -> None:
        """Tell Discord that an answer is coming. A click then shows nothing yet, a command that the bot is thinking."""
        async with self._lock:
            if self._first is None:
                thinking = self._interaction.type is not discord.InteractionType.component
                response = Response.deferred_channel_message if thinking else Response.deferred_message_update
                defer = self._interaction.response.defer
                await self._respond_first(response, lambda: defer(ephemeral=thinking, thinking=thinking))

    async def reply(self, message: Message) -> None:
        """Answer with a new message that only the person sees."""
        await send_or_edit(message, lambda one, _: self._reply(one))
        self.settled.set()

    async def _reply(self, message: Message) -> None:
        async with self._lock:
            respond, follow_up = self._interaction.response.send_message, self._interaction.followup.send
            if self._first is None and await self._respond_first(
                Response.channel_message, lambda: message.send(respond, ephemeral=True)
            ):
                return
            if self._first is Response.deferred_channel_message:
                self._first = Response.channel_message
                await self._edit(message, ())
                return
            await _send_twice(lambda: message.send(follow_up, ephemeral=True))

    async def post(self, message: Message) -> None:
        """Post a message for everyone in the channel, in addition to the answer."""
        await self.defer()
        follow_up = self._interaction.followup.send
        async with self._lock:
            await send_or_edit(message, lambda one, _: _send_twice(lambda: one.send(follow_up)))

    async def update(self, message: Message) -> None:
        """Answer a click by updating the message it was on, or, if that is gone, with a new message."""
        kept, self._attachments = self._attachments, ()
        try:
            await send_or_edit(message, self._update, kept)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            await self.reply(message)
        self.settled.set()

    async def _update(self, message: Message, kept: Attachments) -> None:
        async with self._lock:
            respond = self._interaction.response.edit_message
            if self._first is None and await self._respond_first(
                Response.message_update, lambda: message.edit(respond, kept)
            ):
                return
            await self._edit(message, kept if self._first is Response.deferred_message_update else ())

    async def _edit(self, message: Message, kept: Attachments) -> None:
        await _send_twice(lambda: message.edit(self._interaction.edit_original_response, kept))

    async def _respond_first(self, response: Response, send: Callable[[], Awaitable[Any]]) -> bool:
        """Send the first response. Return whether the person now sees it as sent.

        If a response was accepted but its confirmation got lost, the second attempt fails as "already acknowledged".
        """
        is_seen = True
        try:
            await _send_twice(send)
        except discord.HTTPException as error:
            if error.code == ALREADY_ACKNOWLEDGED:
                is_seen = response is not Response.message_update
            elif error.code == UNKNOWN_INTERACTION:
                age = discord.utils.utcnow() - self._interaction.created_at
                log.warning("too late to answer", age=round(age.total_seconds(), 3))
            else:
                raise
        self._first = response
        return is_seen


async def _send_twice(send: Callable[[], Awaitable[Sent]]) -> Sent:
    """Send again if the connection breaks, which discord.py does not do: twice is better than never."""
    try:
        return await send()
    except (aiohttp.ClientError, OSError):
        return await send()
