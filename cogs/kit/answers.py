"""Answers to interactions: each interaction gets exactly one first response, in time, even if its handler fails.

Discord accepts a first response only within three seconds. A timer defers a late answer before that (`DEFER_AFTER`),
and the answer later fills in the deferred response. A lock prevents races between the responses to one interaction.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import aiohttp
import discord
import structlog

from bot import metrics
from bot.model.discord_codes import Code
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.messages import Attachments, Message, Sent, send_or_edit
from cogs.kit.refusals import ChannelRefusals, Refusals
from cogs.kit.screens import Screen, Screens

log = structlog.get_logger(__name__)

DEFER_AFTER: Final = 1.5
"""Time before an unanswered interaction is deferred, in seconds."""

TOKEN_LIFETIME: Final = 15 * 60
"""Lifetime of an interaction's token, in seconds. Discord accepts no answer after that."""

UPDATE_TIMEOUT: Final = 10.0
"""Timeout for updating a message, in seconds. Other answers to clicks on that message wait for the update."""

FIRST_RESPONSE_TIMEOUT: Final = 5.0
"""Timeout for a first response, in seconds."""

SEND_TIMEOUT: Final = 90.0
"""Timeout for requests other than first responses and updates, in seconds: longer than discord.py's own waits for a
rate limit."""

RETRY_PAUSES: Final = (0.1, 0.5)
"""Pauses before each retry after a connection error, in seconds."""

Interaction = discord.Interaction[discord.Client]
Response = discord.InteractionResponseType
InteractionResponse = discord.InteractionCallbackResponse[discord.Client]


class Answer:
    """The answer to one interaction. `Answer.to` returns the same object for the same interaction."""

    def __init__(self, interaction: Interaction, screen: Screen, refusals: ChannelRefusals) -> None:
        """Prepare the answer. `screen` is the clicked message, or a new `Screen` if there is none.

        `refusals` are Discord's latest refusals in the interaction's channel.
        """
        self.refusals = refusals
        self.settled = asyncio.Event()
        """Set once the person has their answer."""
        self.is_long = False
        """True if the answer needs long work, such as an export."""
        self.message_id: int | None = None
        """The id of the private message that shows the answer; None until it is known."""
        self._interaction = interaction
        self._screen = screen
        self._lock = asyncio.Lock()
        self._first_response: Response | None = None
        self._attempted: Response | None = None
        """The first response that was attempted, even if it failed."""
        self._is_too_late = False
        self._is_follow_up = False
        if interaction.message is not None:
            screen.remember_files(interaction.message)

    @staticmethod
    def to(interaction: Interaction, screens: Screens | None = None, refusals: Refusals | None = None) -> Answer:
        """Return the answer to an interaction. Only the first call for an interaction uses `screens` and `refusals`."""
        answer: Answer | None = interaction.extras.get("answer")
        if answer is None:
            clicked = interaction.message
            screen = Screen() if screens is None or clicked is None else screens.of(clicked.id)
            channel = (refusals or Refusals()).of(interaction.channel_id)
            answer = interaction.extras["answer"] = Answer(interaction, screen, channel)
        return answer

    async def watch(self) -> None:
        """Wait until the interaction is answered or its token expires. Defer the answer if it is late."""
        try:
            async with asyncio.timeout(DEFER_AFTER):
                await self.settled.wait()
        except TimeoutError:
            metrics.DEFERRALS.inc()
            try:
                await self.defer()
            except REQUEST_FAILURES as error:
                log.warning("an answer could not be deferred", error=type(error).__name__)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TOKEN_LIFETIME):
                    await self.settled.wait()

    async def defer(self) -> None:
        """Tell Discord that an answer will follow. A command shows "thinking" until then; a click shows nothing."""
        async with self._lock:
            if self._first_response is None:
                # If a dialog was opened from a message, the answer to its submission updates that message, as after a
                # click.
                thinking = self._interaction.message is None
                response = Response.deferred_channel_message if thinking else Response.deferred_message_update
                defer = self._interaction.response.defer
                await self._respond_first(response, lambda: defer(ephemeral=thinking, thinking=thinking))

    @property
    def is_second_tap(self) -> bool:
        """True if another click has just changed the clicked message, so that this one was not meant for its button."""
        return self._screen.has_just_changed()

    async def ignore(self) -> None:
        """Answer a click without any change."""
        await self.defer()
        self.settled.set()

    async def reply(self, message: Message) -> None:
        """Answer with a new private message."""
        await send_or_edit(message, lambda content, _: self._reply(content), self.refusals)
        self.settled.set()

    async def ask(self, dialog: discord.ui.Modal) -> bool:
        """Answer with a dialog, whose submission is a new interaction. Return False if another response came first."""
        async with self._lock:
            first = self._first_response
            if first is None:
                first, _ = await self._respond_first(
                    Response.modal, lambda: self._interaction.response.send_modal(dialog)
                )
        if first is Response.modal:
            self.settled.set()
        return first is Response.modal

    async def _reply(self, message: Message) -> None:
        async with self._lock:
            respond, follow_up = self._interaction.response.send_message, self._interaction.followup.send
            if self._first_response is None:
                send = partial(message.send, respond, ephemeral=True)
                first, sent = await self._respond_first(Response.channel_message, send)
                if first is Response.channel_message:
                    self.message_id = None if sent is None else sent.message_id
                    return
            if self._is_too_late:
                return
            if self._first_response is Response.deferred_channel_message:
                self._first_response = Response.channel_message
                self.message_id = (await self._edit(message, ())).id
                return
            follow_up_message = await _send(lambda: message.send(follow_up, ephemeral=True, wait=True))
            self.message_id, self._is_follow_up = follow_up_message.id, True

    async def replace(self, message: Message) -> None:
        """Answer with a private message that replaces the previous answer, if there is one."""
        await send_or_edit(message, lambda content, _: self._replace(content), self.refusals)
        self.settled.set()

    async def _replace(self, message: Message) -> None:
        async with self._lock:
            if self._is_follow_up:
                await self._edit_shown(message, ())
                return
            if self._first_response is Response.channel_message and not self._is_too_late:
                await self._edit(message, ())
                return
        await self._reply(message)

    async def refresh(self, message: Message, screens: Screens) -> None:
        """Show a newer state in the private message that shows the answer, unless an answer to a click was newer."""
        assert self.message_id is not None
        await screens.of(self.message_id).edit(message, self._edit_shown, self.refusals)

    async def _edit_shown(self, message: Message, kept: Attachments) -> discord.Message:
        if self._is_follow_up and self.message_id is not None:
            edit = partial(self._interaction.followup.edit_message, self.message_id)
            return await _send(lambda: message.edit(edit, kept))
        return await self._edit(message, kept)

    async def delete(self) -> None:
        """Delete the private message that shows the answer, if it still exists."""
        if self.message_id is None:
            return
        try:
            if self._is_follow_up:
                await self._interaction.followup.delete_message(self.message_id)
            else:
                await self._interaction.delete_original_response()
        except discord.NotFound:
            # The person dismissed it, or the token has expired.
            return

    async def post(self, message: Message) -> None:
        """Post a message for everyone in the channel, in addition to the answer."""
        await self.defer()
        follow_up = self._interaction.followup.send
        async with self._lock:
            if self._is_too_late:
                return
            await send_or_edit(message, lambda content, _: _send(lambda: content.send(follow_up)), self.refusals)

    async def update(self, message: Message) -> bool:
        """Answer a click by updating the clicked message, or with a new message if the clicked one was deleted.

        Do not overwrite a newer state of the match. Return True if Discord confirmed the update.
        """
        confirmed, clicked = False, self._interaction.message
        try:
            confirmed = await self._screen.answer(message, self._update, self.refusals)
            self.message_id = clicked.id if clicked is not None and clicked.flags.ephemeral else None
            # If the message already showed a newer state, nothing was sent, but Discord still expects a response.
            await self.defer()
        except discord.NotFound as error:
            if error.code != Code.UNKNOWN_MESSAGE:
                raise
            await self.reply(message)
        self.settled.set()
        return confirmed

    async def _update(self, message: Message, kept: Attachments) -> discord.Message | None:
        """Update the clicked message and return it; None if Discord did not confirm the update."""
        async with asyncio.timeout(UPDATE_TIMEOUT), self._lock:
            if self._first_response is None:
                edit = partial(message.edit, self._interaction.response.edit_message, kept)
                first, sent = await self._respond_first(Response.message_update, edit)
                if sent is not None:
                    return sent.resource if isinstance(sent.resource, discord.InteractionMessage) else None
                if first is Response.message_update:
                    return None
            if self._is_too_late:
                return None
            return await self._edit(message, kept)

    async def _edit(self, message: Message, kept: Attachments) -> discord.InteractionMessage:
        return await _send(lambda: message.edit(self._interaction.edit_original_response, kept))

    async def _respond_first(
        self, response: Response, send: Callable[[], Awaitable[InteractionResponse | None]]
    ) -> tuple[Response, InteractionResponse | None]:
        """Send the first response. Return the type of the response and Discord's confirmation (None if unconfirmed).

        If Discord accepted an earlier attempt but the confirmation got lost, this attempt fails as "already
        acknowledged". In that case, return the type of the earliest attempt, so the caller continues from there.
        """
        self._attempted, sent = self._attempted or response, None
        try:
            sent = await _send(send, FIRST_RESPONSE_TIMEOUT)
        except discord.HTTPException as error:
            if error.code == Code.ALREADY_ACKNOWLEDGED:
                response = self._attempted
            elif error.code == Code.UNKNOWN_INTERACTION:
                self._is_too_late = True
                age = discord.utils.utcnow() - self._interaction.created_at
                log.warning("too late to answer", age=round(age.total_seconds(), 3))
            else:
                raise
        self._first_response = response
        return response, sent


async def _send(send: Callable[[], Awaitable[Sent]], timeout: float = SEND_TIMEOUT) -> Sent:
    """Send, and retry after connection errors and timeouts. A message can therefore appear twice."""
    for pause in RETRY_PAUSES:
        try:
            async with asyncio.timeout(timeout):
                return await send()
        except (aiohttp.ClientError, OSError):
            await asyncio.sleep(pause)
    async with asyncio.timeout(timeout):
        return await send()
