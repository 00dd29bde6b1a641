"""Opening direct message channels, and remembering the people whose direct messages are closed."""

from __future__ import annotations

from typing import Final

import discord
import structlog

from bot.model.discord_codes import DM_REFUSALS, Code
from bot.model.ids import ChannelId, OutboxId, PersonId
from bot.model.people import Person
from bot.play.application import Application
from bot.play.dm_channels import REFUSED_AT, DmState
from cogs.delivery.interactions import as_person
from cogs.kit.answers import Interaction
from cogs.kit.failures import REQUEST_FAILURES, code_of
from cogs.kit.layout import Accent, note
from cogs.kit.messages import Message

log = structlog.get_logger(__name__)

TEST_MESSAGE: Final = "DMs work. I'll send your hand here on each of your turns."

_MAX_KNOWN_OPEN: Final = 10_000


class DirectMessages:
    """Opens direct message channels with people who interact with the bot."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._known_open: set[PersonId] = set()
        """People whose direct messages are known to be open. This saves a database query for each interaction."""

    async def open(self, user: discord.User | discord.Member, state: DmState | None = None) -> None:
        """Open a channel for a person who wants direct messages, unless one is known or Discord refused recently.

        `state` is their state, if it was loaded already.
        """
        person = as_person(user)
        state = state or await self._app.people.dm_state(person.id)
        if state.may_open:
            await self._open(user, new=None if state.is_known else person)

    async def try_now(self, user: discord.User | discord.Member) -> bool | None:
        """Send a test message. Return True if it was delivered, False if refused, and None if Discord does not say.

        After a success, the person's hands are sent by direct message.
        """
        if await self._app.people.must_pause_dms():
            return None
        await self._app.people.save_person(as_person(user))
        return await self._open(user, note(TEST_MESSAGE, Accent.YOURS))

    async def note_interaction(self, interaction: Interaction) -> None:
        """Record that the person's direct messages are open if the interaction was made in one.

        After any other interaction, test closed direct messages again, at most once a day.
        """
        person = as_person(interaction.user)
        if person.id in self._known_open:
            return
        # Add the person before the query: if Discord refuses a message meanwhile, `record_refusal` removes them again.
        self._note_open(person.id)
        if not await self._app.people.has_closed_dms(person.id):
            return
        self._known_open.discard(person.id)
        if interaction.context.dm_channel:
            await self._app.people.save_dm_opened(person.id, ChannelId(interaction.channel_id or 0))
        else:
            await self.open(interaction.user)

    async def record_refusal(self, person_id: PersonId, hand_id: OutboxId | None) -> None:
        """Save that Discord refused a direct message. If the message was a hand, `hand_id` is its id in the outbox."""
        await self._app.outbox.save_dm_refused(person_id, hand_id)
        self._known_open.discard(person_id)

    async def _open(
        self, user: discord.User | discord.Member, first_message: Message | None = None, *, new: Person | None = None
    ) -> bool | None:
        """Open a person's channel and send the first message, if given. `new` is the person if they have no row.

        Return True if they can be reached there, False if Discord refused, and None if Discord does not say.
        """
        try:
            channel = await user.create_dm()
            if first_message is not None:
                await first_message.send(channel.send)
        except REQUEST_FAILURES as error:
            code = code_of(error)
            if code == Code.DMS_OPENED_TOO_FAST:
                await self._app.key_values.set(REFUSED_AT, self._app.clock().isoformat())
                log.error("too many direct message channels opened: pausing for an hour")
            if code not in DM_REFUSALS:
                return None
            await self._app.people.save_dm_closed(PersonId(user.id), new)
            self._known_open.discard(PersonId(user.id))
            return False
        self._note_open(PersonId(user.id))
        await self._app.people.save_dm_opened(PersonId(user.id), ChannelId(channel.id), new)
        return True

    def _note_open(self, person_id: PersonId) -> None:
        if len(self._known_open) >= _MAX_KNOWN_OPEN:
            self._known_open.clear()
        self._known_open.add(person_id)
