"""The few ways in which commands and components answer, and what happens when they fail."""

from __future__ import annotations

from secrets import token_hex

import discord
import structlog
from discord import app_commands

from bot.play.application import Application
from bot.play.refusals import Illegal, NotYourTurn, Refusal, Stale, Unavailable
from bot.values.ids import MessageId
from bot.values.matches import OwnHand
from cogs.kit.answers import Answer, Interaction
from cogs.kit.messages import Message
from cogs.panels import match as panels
from cogs.panels.layout import Accent, note
from cogs.panels.pictures import Pictures
from cogs.support.access import Access
from cogs.support.errors import Question, Unshown, UserError
from cogs.support.interactions import person_id_of
from cogs.text import refusals as texts

log = structlog.get_logger(__name__)


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


async def show_hand(
    interaction: Interaction,
    app: Application,
    pictures: Pictures,
    hand: OwnHand,
    notice: str | None = None,
    *,
    refused: bool = False,
    message: Message | None = None,
) -> None:
    """Answer with a player's own hand, whose message may be there already.

    If that is known to have updated their hand message, the courier need not.
    """
    shown = await show(interaction, message or await panels.hand(hand, pictures, notice=notice, refused=refused))
    if shown and interaction.message is not None and interaction.guild_id is None and notice is None:
        await app.outbox.hand_answered(hand, MessageId(interaction.message.id))


class ErrorReplies:
    """Turns whatever goes wrong into one private, helpful answer."""

    def __init__(self, app: Application, pictures: Pictures, access: Access) -> None:
        self._app = app
        self._access = access
        self._pictures = pictures

    async def answer(self, interaction: Interaction, error: Exception) -> None:
        """Answer an interaction that failed. Unforeseen errors are logged under a short code."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        try:
            try:
                await self._answer(interaction, await self._access.tellable(interaction, cause))
            except Unavailable as another:
                await self._refuse(interaction, texts.text(another, person_id_of(interaction)))
            except Exception as another:
                await self._admit(interaction, another, saved=isinstance(cause, Unshown))
        except Exception:
            log.exception("an interaction could not be answered")
            # Nothing more will come: a deferral would only promise it.
            Answer.to(interaction).settled.set()

    async def _answer(self, interaction: Interaction, error: BaseException) -> None:
        match error:
            case Stale() | Illegal() | NotYourTurn():
                person_id = person_id_of(interaction)
                # The match may have moved on since the refusal was made.
                hand = await self._app.lookup.hand(person_id, error.hand.match.id)
                text = texts.text(error, person_id)
                await show_hand(interaction, self._app, self._pictures, hand, text, refused=True)
            case Question():
                await Answer.to(interaction).reply(error.message)
            case UserError():
                await self._refuse(interaction, error.text)
            case Refusal():
                await self._refuse(interaction, texts.text(error, person_id_of(interaction)))
            case app_commands.TransformerError():
                unknown = texts.ONLY_IN_SERVERS if interaction.guild_id is None else texts.NOT_HERE
                await self._refuse(interaction, unknown)
            case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                await self._refuse(interaction, texts.COMMANDS_CHANGED)
            case discord.RateLimited():
                await self._refuse(interaction, texts.SLOW_DOWN)
            case _:
                await self._admit(interaction, error, saved=isinstance(error, Unshown))

    async def _admit(self, interaction: Interaction, error: BaseException, *, saved: bool) -> None:
        code = token_hex(3)
        log.error("an interaction failed", code=code, exc_info=error)
        await self._refuse(interaction, f"{texts.UNSHOWN if saved else texts.BROKEN} the code `{code}`.")

    async def _refuse(self, interaction: Interaction, text: str) -> None:
        await Answer.to(interaction).reply(note(text, Accent.TROUBLE))
