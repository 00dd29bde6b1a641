"""Private answers to commands and components."""

from __future__ import annotations

from discord import ui

from cogs.delivery.errors import UserError
from cogs.delivery.refusals import NO_DIALOG
from cogs.kit.answers import Answer, Interaction
from cogs.kit.messages import Message


def is_private(interaction: Interaction) -> bool:
    """Return True if a component of a private message was used: an ephemeral message or a direct message."""
    clicked = interaction.message
    return clicked is not None and (interaction.guild_id is None or clicked.flags.ephemeral)


async def show(interaction: Interaction, message: Message, *, as_new_message: bool = False) -> bool:
    """Answer privately: update the clicked message if it is private and `as_new_message` is False, else send a new one.

    Return True if Discord confirmed the update of the clicked message.
    """
    if is_private(interaction) and not as_new_message:
        return await Answer.to(interaction).update(message)
    await Answer.to(interaction).reply(message)
    return False


async def show_dialog(interaction: Interaction, dialog: ui.Modal) -> None:
    """Answer with a dialog. Raise `UserError` if it is too late for a dialog."""
    if not await Answer.to(interaction).ask(dialog):
        raise UserError(NO_DIALOG)
