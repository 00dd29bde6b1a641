"""The few ways in which commands and components answer, and what happens when they fail."""

from __future__ import annotations

from secrets import token_hex

import discord
import structlog
from discord import app_commands

from bot.play.application import Application
from bot.play.refusals import Illegal, NotYourTurn, Refusal, Stale
from bot.values.matches import OwnHand
from cogs.kit.answers import Answer, Interaction, Message
from cogs.panels import match as panels
from cogs.panels.layout import Accent, note
from cogs.panels.pictures import Pictures
from cogs.text import refusals as texts

log = structlog.get_logger(__name__)


class Kind(Refusal):
    """A refusal whose words are ready: reasons that lie with Discord and not with the game."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def is_own_panel(interaction: Interaction) -> bool:
    """Whether a click was on a message that only this person sees, which the answer may bring up to date."""
    message = interaction.message
    return message is not None and (interaction.guild_id is None or message.flags.ephemeral)


async def show(interaction: Interaction, message: Message) -> None:
    """Answer privately: in place where the click was on a private message, else with a message of its own."""
    answer = Answer.to(interaction)
    if interaction.type is discord.InteractionType.component and is_own_panel(interaction):
        await answer.update(message)
    else:
        await answer.say(message)


async def show_hand(
    interaction: Interaction,
    app: Application,
    pictures: Pictures,
    hand: OwnHand,
    said: str | None = None,
    *,
    refused: bool = False,
) -> None:
    """Answer with a player's own hand, and spare the courier an edit of the very message that was clicked."""
    await show(interaction, await panels.hand(hand, pictures, said=said, refused=refused))
    if interaction.message is not None and interaction.guild_id is None and said is None:
        await app.outbox.answered(hand, interaction.message.id)


class Failures:
    """Turns whatever goes wrong into one private, helpful answer."""

    def __init__(self, app: Application, pictures: Pictures) -> None:
        self._app = app
        self._pictures = pictures

    async def answer(self, interaction: Interaction, error: Exception) -> None:
        """Answer an interaction that failed; errors that nobody foresaw are logged under a short code."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        try:
            try:
                await self._answer(interaction, cause)
            except Exception as another:
                await self._own_up(interaction, another)
        except Exception:
            log.exception("an interaction could not be answered")

    async def _answer(self, interaction: Interaction, error: BaseException) -> None:
        match error:
            case Stale() | Illegal() | NotYourTurn():
                hand = await self._present(interaction, error.hand)
                await show_hand(
                    interaction, self._app, self._pictures, hand, texts.text(error, interaction.user.id), refused=True
                )
            case Kind():
                await Answer.to(interaction).say(note(error.text, Accent.TROUBLE))
            case Refusal():
                await Answer.to(interaction).say(note(texts.text(error, interaction.user.id), Accent.TROUBLE))
            case app_commands.TransformerError():
                told = texts.ONLY_IN_SERVERS if interaction.guild_id is None else texts.NOT_HERE
                await Answer.to(interaction).say(note(told, Accent.TROUBLE))
            case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                await Answer.to(interaction).say(note(texts.CHANGED, Accent.TROUBLE))
            case discord.RateLimited():
                await Answer.to(interaction).say(note(texts.SLOW_DOWN, Accent.TROUBLE))
            case _:
                await self._own_up(interaction, error)

    async def _own_up(self, interaction: Interaction, error: BaseException) -> None:
        code = token_hex(3)
        log.error("an interaction failed", code=code, exc_info=error)
        await Answer.to(interaction).say(note(f"{texts.BROKEN} the code `{code}`.", Accent.TROUBLE))

    async def _present(self, interaction: Interaction, hand: OwnHand) -> OwnHand:
        """The hand as it is now: it may have moved on since the refusal was made."""
        return await self._app.lookup.hand(interaction.user.id, hand.card.id)
