"""A place for a match: its channel, or a thread of its own where another match runs there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import discord

from bot.play.application import Application
from bot.play.refusals import ChannelBusy
from bot.values.outbox import MessageKind
from cogs.kit.answers import Interaction

ALREADY_A_THREAD: Final = 160004
"""Discord's code where a message has a thread already; its id is the message's."""

_Begun = TypeVar("_Begun")


async def require_room(interaction: Interaction, app: Application) -> None:
    """Check that the channel is free, or that a thread of its own can be opened for the match.

    Raises:
        ChannelBusy: it is neither.
    """
    busy = await app.lookup.in_channel(interaction.channel_id or 0)
    in_thread = isinstance(interaction.channel, discord.Thread)
    if busy is not None and (in_thread or not interaction.app_permissions.create_public_threads):
        raise ChannelBusy(busy)


async def with_room(
    interaction: Interaction,
    app: Application,
    kind: MessageKind,
    subject: int,
    begin: Callable[[int | None], Awaitable[_Begun]],
) -> _Begun:
    """Begin a match where it was agreed, or in a thread on the message that led to it.

    Args:
        interaction: what caused it.
        app: the services.
        kind: the kind of the message that led to the match.
        subject: the invitation, or the match before.
        begin: begins the match in a channel by its id, or (None) where it was agreed.

    Raises:
        ChannelBusy: the channel is taken, and no thread can be opened there.
    """
    try:
        return await begin(None)
    except ChannelBusy as busy:
        return await begin(await _open_thread(interaction, app, kind, subject, busy))


async def _open_thread(
    interaction: Interaction, app: Application, kind: MessageKind, subject: int, busy: ChannelBusy
) -> int:
    place = await app.outbox.place_of(kind, subject)
    if place is None:
        raise busy
    channel_id, message_id = place
    channel = interaction.client.get_partial_messageable(channel_id, guild_id=interaction.guild_id)
    try:
        thread = await channel.get_partial_message(message_id).create_thread(
            name="Gin rummy", auto_archive_duration=10080
        )
    except discord.HTTPException as error:
        if error.code == ALREADY_A_THREAD:
            return message_id
        raise busy from None
    return thread.id
