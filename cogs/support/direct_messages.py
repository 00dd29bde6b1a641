"""Opening direct message channels, and remembering the people whose direct messages are closed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

import discord
import structlog

from bot.play.application import Application
from bot.values.discord_codes import DM_REFUSALS, Code
from bot.values.ids import ChannelId, OutboxId, PersonId
from cogs.kit.answers import Interaction
from cogs.kit.failures import REQUEST_FAILURES, code_of
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, note
from cogs.support.interactions import as_person

log = structlog.get_logger(__name__)

PAUSE: Final = timedelta(hours=1)
"""Pause before the next channel is opened after Discord said that the bot opens them too fast."""
REFUSED_AT: Final = "direct messages refused"
"""The key under which the time of that refusal is stored."""
THEY_WORK: Final = "Direct messages work: your hand comes here on each of your turns."

_REMEMBERED: Final = 10_000


class DirectMessages:
    """Opens direct message channels with people who interact with the bot."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._not_closed: set[PersonId] = set()
        """People whose direct messages are known to be open. This saves a database query for each interaction."""

    async def open(self, user: discord.User | discord.Member) -> None:
        """Open a person's channel if they want direct messages and it is unknown, or was closed over a day ago."""
        if await self._app.people.may_open_dm(as_person(user)) and not await self._must_pause():
            await self._open(user)

    async def try_now(self, user: discord.User | discord.Member) -> bool | None:
        """Send a test message. Return True if it was delivered, False if refused, and None if Discord does not say.

        After a success, the person's hands are sent by direct message.
        """
        if await self._must_pause():
            return None
        await self._app.people.met(as_person(user))
        return await self._open(user, note(THEY_WORK, Accent.YOURS))

    async def note_place(self, interaction: Interaction) -> None:
        """Record that direct messages are open if the interaction came from one.

        For any other interaction, retry closed direct messages once a day.
        """
        person = as_person(interaction.user)
        if person.id in self._not_closed:
            return
        if len(self._not_closed) >= _REMEMBERED:
            self._not_closed.clear()
        # Add the person before the query: a refusal that is saved during the query removes them again.
        self._not_closed.add(person.id)
        if (await self._app.people.settings(person.id)).dm_works is not False:
            return
        self._not_closed.discard(person.id)
        if interaction.context.dm_channel:
            await self._app.people.dm_opened(person.id, ChannelId(interaction.channel_id or 0))
        else:
            await self.open(interaction.user)

    async def refused(self, person_id: PersonId, hand_id: OutboxId | None) -> None:
        """Save that Discord refused a direct message to a person. `hand_id` is the refused hand, if it was one."""
        await self._app.outbox.dm_refused(person_id, hand_id)
        self._not_closed.discard(person_id)

    async def _must_pause(self) -> bool:
        # Discord's limit applies to all processes and survives restarts.
        refused_at = await self._app.key_values.get(REFUSED_AT)
        if refused_at is None:
            return False
        # If the clock was set back, the pause ends early rather than late.
        return timedelta() <= self._app.clock() - datetime.fromisoformat(refused_at) < PAUSE

    async def _open(self, user: discord.User | discord.Member, first: Message | None = None) -> bool | None:
        """Open a person's channel and send the first message, if given.

        Return True if they can be reached there, False if Discord refused, and None if Discord does not say.
        """
        try:
            channel = await user.create_dm()
            if first is not None:
                await first.send(channel.send)
        except REQUEST_FAILURES as error:
            code = code_of(error)
            if code == Code.DMS_OPENED_TOO_FAST:
                await self._app.key_values.set(REFUSED_AT, self._app.clock().isoformat())
                log.error("too many direct message channels opened: pausing for an hour")
            if code not in DM_REFUSALS:
                return None
            await self._app.people.dm_closed(PersonId(user.id))
            self._not_closed.discard(PersonId(user.id))
            return False
        await self._app.people.dm_opened(PersonId(user.id), ChannelId(channel.id))
        return True
