"""Whether direct messages reach people: opens their channels, and remembers where that was refused."""

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
"""How long to open no channels after Discord said that the bot opens them too fast."""
REFUSED_AT: Final = "direct messages refused"
"""The key of the moment at which it last did."""
THEY_WORK: Final = "Direct messages work: your hand comes here on each of your turns."

_REMEMBERED: Final = 10_000


class DirectMessages:
    """The direct messages of everyone who interacts."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._not_closed: set[PersonId] = set()
        """People known not to have closed theirs: the database need not be asked after each of their interactions."""

    async def open(self, user: discord.User | discord.Member) -> None:
        """Open the channel of a person who interacts, if it is wanted and not known, or was found closed a day ago."""
        if await self._app.people.may_open_dm(as_person(user)) and not await self._must_pause():
            await self._open(user)

    async def try_now(self, user: discord.User | discord.Member) -> bool | None:
        """Send a person a direct message to see whether it reaches them; None if Discord does not say.

        If it does, their hands come that way from now on.
        """
        if await self._must_pause():
            return None
        await self._app.people.met(as_person(user))
        return await self._open(user, note(THEY_WORK, Accent.YOURS))

    async def note_place(self, interaction: Interaction) -> None:
        """Note that direct messages are not closed if an interaction came from them.

        Elsewhere, those that were closed are tried again, once a day.
        """
        person = as_person(interaction.user)
        if person.id in self._not_closed:
            return
        if len(self._not_closed) >= _REMEMBERED:
            self._not_closed.clear()
        # Before the database is asked: a refusal that is saved meanwhile takes it back.
        self._not_closed.add(person.id)
        if (await self._app.people.settings(person.id)).dm_works is not False:
            return
        self._not_closed.discard(person.id)
        if interaction.context.dm_channel:
            await self._app.people.dm_opened(person.id, ChannelId(interaction.channel_id or 0))
        else:
            await self.open(interaction.user)

    async def refused(self, person_id: PersonId, hand_id: OutboxId | None) -> None:
        """Save that Discord refused to send a person a direct message: a hand, unless `hand_id` is None."""
        await self._app.outbox.dm_refused(person_id, hand_id)
        self._not_closed.discard(person_id)

    async def _must_pause(self) -> bool:
        # Discord counts for all processes, and those before a restart.
        refused_at = await self._app.key_values.get(REFUSED_AT)
        if refused_at is None:
            return False
        # A clock that was set back does not make the pause longer.
        return timedelta() <= self._app.clock() - datetime.fromisoformat(refused_at) < PAUSE

    async def _open(self, user: discord.User | discord.Member, first: Message | None = None) -> bool | None:
        """Open a person's channel, with a first message if there is one.

        Return whether they can be reached there; None if Discord does not say.
        """
        try:
            channel = await user.create_dm()
            if first is not None:
                await first.send(channel.send)
        except REQUEST_FAILURES as error:
            code = code_of(error)
            if code == Code.DMS_OPENED_TOO_FAST:
                await self._app.key_values.set(REFUSED_AT, self._app.clock().isoformat())
                log.error("Discord refuses new direct messages: none are opened for an hour")
            if code not in DM_REFUSALS:
                return None
            await self._app.people.dm_closed(PersonId(user.id))
            self._not_closed.discard(PersonId(user.id))
            return False
        await self._app.people.dm_opened(PersonId(user.id), ChannelId(channel.id))
        return True
