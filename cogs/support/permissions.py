"""What the bot must be allowed to do in a channel before a table can be posted there."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import discord

from cogs.kit.answers import Interaction
from cogs.support.errors import UserError
from cogs.text import refusals as texts

_USED: Final = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "attach_files": "Attach Files",
    "embed_links": "Embed Links",
    "read_message_history": "Read Message History",
    "create_public_threads": "Create Public Threads",
}

INVITE_PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(_USED, True))
"""What an invite link asks for."""


def missing_of_all(allowed: discord.Permissions, *, unneeded: Collection[str] = ()) -> list[str]:
    """Return the permissions that the bot uses and lacks, as Discord's settings name them."""
    return [label for name, label in _USED.items() if name not in unneeded and not getattr(allowed, name)]


def may_write(interaction: Interaction) -> bool:
    """Return whether the person may write to everyone in the interaction's channel."""
    allowed = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    return allowed.send_messages_in_threads if in_thread else allowed.send_messages


def require_table_permissions(interaction: Interaction) -> None:
    """Raise `UserError`, with the permissions that are missing, if no table can be posted in this channel."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    unneeded = ("create_public_threads", "send_messages" if in_thread else "send_messages_in_threads")
    missing = missing_of_all(interaction.app_permissions, unneeded=unneeded)
    if missing:
        raise UserError(texts.missing_permissions(interaction.channel_id, missing))


def require_present(interaction: Interaction, member: discord.Member) -> None:
    """Raise `UserError` if someone who is named cannot follow the match: a bot, or not allowed to see the channel."""
    if member.bot:
        raise UserError(texts.NO_BOTS)
    channel = interaction.channel
    in_server = isinstance(channel, (discord.abc.GuildChannel, discord.Thread))
    if not (in_server and channel.permissions_for(member).view_channel):
        raise UserError(texts.CANNOT_SEE_CHANNEL)
