"""What the bot must be allowed to do in a channel before a table can be posted there."""

from __future__ import annotations

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
_OPTIONAL: Final = frozenset(("create_public_threads",))

INVITE_PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(_USED, True))
"""What an invite link asks for."""


def missing_for_table(interaction: Interaction) -> tuple[str, ...]:
    """Return the permissions the bot lacks for a table in this channel, as Discord's settings name them."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    unneeded = _OPTIONAL | {"send_messages" if in_thread else "send_messages_in_threads"}
    allowed = interaction.app_permissions
    return tuple(label for name, label in _USED.items() if name not in unneeded and not getattr(allowed, name))


def missing_of_all(allowed: discord.Permissions) -> tuple[str, ...]:
    """Return all permissions that the bot uses and lacks, those for threads included."""
    return tuple(label for name, label in _USED.items() if not getattr(allowed, name))


def may_write(interaction: Interaction) -> bool:
    """Return whether the person may write to everyone in the interaction's channel."""
    allowed = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    return allowed.send_messages_in_threads if in_thread else allowed.send_messages


def require_table_permissions(interaction: Interaction) -> None:
    """Check that a table can be posted in the interaction's channel.

    Raises:
        UserError: it cannot; the text names what is missing.
    """
    missing = missing_for_table(interaction)
    if missing:
        raise UserError(texts.missing_permissions(interaction.channel_id, missing))


def require_present(interaction: Interaction, member: discord.Member) -> None:
    """Check that someone who is named is a person who can follow the match here.

    Raises:
        UserError: they are a bot, or cannot see the channel.
    """
    if member.bot:
        raise UserError(texts.NO_BOTS)
    channel = interaction.channel
    can_see = isinstance(channel, (discord.abc.GuildChannel, discord.Thread)) and (
        channel.permissions_for(member).view_channel
    )
    if not can_see:
        raise UserError(texts.CANNOT_SEE_CHANNEL)
