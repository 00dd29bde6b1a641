"""How commands and components answer privately."""

from __future__ import annotations

import discord

from cogs.kit.answers import Answer, Interaction
from cogs.kit.messages import Message


async def show(interaction: Interaction, message: Message) -> bool:
    """Answer privately: by updating a private message that was clicked, else with a new message.

    Return whether Discord confirmed that the clicked message shows the answer.
    """
    clicked = interaction.message
    is_private = clicked is not None and (interaction.guild_id is None or clicked.flags.ephemeral)
    if interaction.type is discord.InteractionType.component and is_private:
        return await Answer.to(interaction).update(message)
    await Answer.to(interaction).reply(message)
    return False
