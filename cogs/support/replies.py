"""How commands and components answer privately."""

from __future__ import annotations

from discord import ui

from cogs.kit.answers import Answer, Interaction
from cogs.kit.messages import Message
from cogs.support.errors import UserError
from cogs.text.refusals import NO_DIALOG


def is_private(interaction: Interaction) -> bool:
    """Return whether a button, menu or dialog of a private message was used, which only this person sees."""
    clicked = interaction.message
    return clicked is not None and (interaction.guild_id is None or clicked.flags.ephemeral)


async def show(interaction: Interaction, message: Message, *, anew: bool = False) -> bool:
    """Answer privately: by updating a private message that was clicked unless that is to stay, or with a new one.

    Return whether Discord confirmed that the clicked message shows the answer.
    """
    if is_private(interaction) and not anew:
        return await Answer.to(interaction).update(message)
    await Answer.to(interaction).reply(message)
    return False


async def ask(interaction: Interaction, dialog: ui.Modal) -> None:
    """Answer with a dialog. Raise `UserError` if Discord takes none any more."""
    if not await Answer.to(interaction).ask(dialog):
        raise UserError(NO_DIALOG)
