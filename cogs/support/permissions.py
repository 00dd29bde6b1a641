"""What the bot must be allowed in a channel before a table can stand there."""

from __future__ import annotations

from typing import Final

import discord

from cogs.kit.answers import Interaction
from cogs.support.replies import Kind
from cogs.text import refusals as texts
from cogs.text.people import joined

_NEEDED: Final = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "attach_files": "Attach Files",
    "embed_links": "Embed Links",
    "read_message_history": "Read Message History",
    "create_public_threads": "Create Public Threads",
}
_OPTIONAL: Final = frozenset(("create_public_threads",))

INVITE_PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(_NEEDED, True))
"""What an invite link asks for."""


def missing(interaction: Interaction) -> tuple[str, ...]:
    """The permissions that a table in this channel needs and the bot lacks, as Discord's settings name them."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    unneeded = {"send_messages"} if in_thread else {"send_messages_in_threads"}
    allowed = interaction.app_permissions
    return tuple(
        label for name, label in _NEEDED.items() if name not in unneeded | _OPTIONAL and not getattr(allowed, name)
    )


def missing_anywhere(allowed: discord.Permissions) -> tuple[str, ...]:
    """All permissions that the bot uses and lacks, those for threads too."""
    return tuple(label for name, label in _NEEDED.items() if not getattr(allowed, name))


def may_speak(interaction: Interaction) -> bool:
    """Whether the person may write to everyone in the interaction's channel."""
    allowed = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    return allowed.send_messages_in_threads if in_thread else allowed.send_messages


def require_table_permissions(interaction: Interaction) -> None:
    """Check that a table can stand in the interaction's channel.

    Raises:
        Kind: it cannot; the words name what is missing.
    """
    lacking = missing(interaction)
    if lacking:
        labels = joined([f"**{label}**" for label in lacking])
        raise Kind(
            f"I cannot set a table in <#{interaction.channel_id}>: I lack the permission {labels} there. "
            "Somebody who manages the server can grant it; `/gin-admin check` lists what I need."
        )


def require_present(interaction: Interaction, opponent: discord.Member) -> None:
    """Check that somebody who is named is a person who can follow the match here.

    Raises:
        Kind: they are a bot, or cannot see the channel.
    """
    if opponent.bot:
        raise Kind(texts.NO_BOTS)
    channel = interaction.channel
    can_see = isinstance(channel, (discord.abc.GuildChannel, discord.Thread)) and (
        channel.permissions_for(opponent).view_channel
    )
    if not can_see:
        raise Kind(texts.NOT_A_PLAYER_THERE)
