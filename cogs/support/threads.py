"""A place for a match: its channel, or a thread if another match runs there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import discord

from bot.play.application import Application
from bot.play.refusals import ChannelBusy
from bot.values.ids import ChannelId
from bot.values.outbox import MessageKind
from cogs.kit.answers import Interaction
from cogs.support.interactions import channel_id_of

HAS_THREAD: Final = 160004
"""Discord's code for a message that already has a thread; the thread's id is the message's."""

_Begun = TypeVar("_Begun")


async def require_room(interaction: Interaction, app: Application) -> None:
    """Raise `ChannelBusy` if the channel is not free, and no thread can be opened for the match."""
    busy = await app.lookup.running_in(channel_id_of(interaction))
    in_thread = isinstance(interaction.channel, discord.Thread)
    if busy is not None and (in_thread or not interaction.app_permissions.create_public_threads):
        raise ChannelBusy(busy)


async def begin_with_room(
    interaction: Interaction,
    app: Application,
    kind: MessageKind,
    subject_id: int,
    begin: Callable[[ChannelId | None], Awaitable[_Begun]],
) -> _Begun:
    """Begin a match where it was agreed, or in a thread on the message that led to it.

    That message is of a `kind`, and about a challenge or the match before. `begin` begins the match in a channel, or
    where it was agreed (None). Raise `ChannelBusy` if that channel is taken, and no thread can be opened there.
    """
    try:
        return await begin(None)
    except ChannelBusy as busy:
        posted = await app.outbox.find(kind, subject_id)
        if posted is None:
            raise
        channel = interaction.client.get_partial_messageable(posted.channel_id, guild_id=interaction.guild_id)
        message = channel.get_partial_message(posted.message_id)
        try:
            thread_id = (await message.create_thread(name="Gin rummy", auto_archive_duration=10080)).id
        except discord.HTTPException as error:
            if error.code != HAS_THREAD:
                raise busy from None
            thread_id = posted.message_id
        return await begin(ChannelId(thread_id))
