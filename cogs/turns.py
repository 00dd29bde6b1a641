"""Moves: draw, take, pass, discard, knock, gin; by command, by button and by menu."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.engine.errors import NotationError
from bot.engine.moves import DRAW, PASS, TAKE, Move, discard, knock
from bot.play.refusals import Refusal, WhichMatch
from bot.play.values import Ask
from cogs.answers import Answer, Interaction
from cogs.choosing import which_match
from cogs.presses import WHICH, Press
from cogs.replies import Kind, show_hand
from cogs.services import Services
from cogs.words import cards


class Turns(commands.Cog):
    """A player's moves."""

    def __init__(self, services: Services) -> None:
        self._house = services.house
        self._pictures = services.pictures
        names = ("draw", "take", "pass", "discard", "knock", "gin")
        services.presses.on(**dict.fromkeys(names, self._pressed))

    @app_commands.command(description="Draw the top card of the stock")
    async def draw(self, interaction: Interaction) -> None:
        """Draw from the stock."""
        await self._commanded(interaction, "draw")

    @app_commands.command(description="Take the upcard, or the top card of the discard pile")
    async def take(self, interaction: Interaction) -> None:
        """Take the top of the pile."""
        await self._commanded(interaction, "take")

    @app_commands.command(name="pass", description="Pass the upcard when a deal begins")
    async def pass_(self, interaction: Interaction) -> None:
        """Pass the upcard."""
        await self._commanded(interaction, "pass")

    @app_commands.command(description="Discard a card and end your turn")
    @app_commands.describe(card="The card to discard, such as Kd or K♦")
    async def discard(self, interaction: Interaction, card: str) -> None:
        """Discard a card."""
        await self._commanded(interaction, "discard", card)

    @app_commands.command(description="Knock: discard a card and lay your hand down")
    @app_commands.describe(card="The card to discard with the knock, such as Kd or K♦")
    async def knock(self, interaction: Interaction, card: str) -> None:
        """Knock with a discard."""
        await self._commanded(interaction, "knock", card)

    @app_commands.command(description="Go gin: lay down a hand without deadwood")
    async def gin(self, interaction: Interaction) -> None:
        """Go gin."""
        await self._commanded(interaction, "gin")

    @discard.autocomplete("card")
    async def discards(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The cards that may be discarded, with what they leave."""
        return await self._complete(interaction, typed, knocking=False)

    @knock.autocomplete("card")
    async def knocks(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The cards that a knock may discard, with what they leave."""
        return await self._complete(interaction, typed, knocking=True)

    async def _complete(
        self, interaction: Interaction, typed: str, *, knocking: bool
    ) -> list[app_commands.Choice[str]]:
        try:
            card = await self._house.lookup.meant_by(interaction.user.id, interaction.channel_id)
            hand = await self._house.lookup.hand(interaction.user.id, card.id)
        except Refusal:
            return []
        offered = [choice for choice in hand.view.choices if (choice.knocks if knocking else choice.allowed)]
        wanted = typed.strip().lower().replace("10", "t")
        return [
            app_commands.Choice(name=f"{one.card.symbol}, leaving {one.leaves}", value=one.card.text)
            for one in sorted(offered, key=lambda one: one.leaves)
            if wanted in f"{one.card.text} {one.card.symbol}".lower().replace("10", "t")
        ][:25]

    async def _commanded(self, interaction: Interaction, verb: str, card: str | None = None) -> None:
        move = _move(verb, card)
        try:
            hand = await self._house.turns.command(interaction.user.id, interaction.channel_id, move, interaction.id)
        except WhichMatch as several:
            argument = move.card.text if isinstance(move, Move) and move.card is not None else None
            await Answer.to(interaction).say(which_match(interaction.client, several.matches, verb, argument))
            return
        await show_hand(interaction, self._house, self._pictures, hand)

    async def _pressed(self, interaction: Interaction, press: Press) -> None:
        if press.subject == WHICH:
            await self._make(interaction, press.number, _move(press.verb, press.argument), None)
            return
        card = press.values[0] if press.values else None
        await self._make(interaction, press.number, _move(press.verb, card), press.version)

    async def _make(self, interaction: Interaction, match_id: int, move: Move | Ask, version: int | None) -> None:
        message = interaction.message
        own = message is not None and interaction.guild_id is None and not message.flags.ephemeral
        hand = await self._house.turns.move(
            interaction.user.id, match_id, move, interaction.id, version=version, in_own_message=own
        )
        await show_hand(interaction, self._house, self._pictures, hand)


def _move(verb: str, card: str | None) -> Move | Ask:
    """The move that a command or a press asks for.

    Raises:
        Kind: the card is none.
    """
    simple: dict[str, Move | Ask] = {"draw": DRAW, "take": TAKE, "pass": PASS, "gin": Ask.GIN}
    if verb in simple:
        return simple[verb]
    try:
        chosen = cards.read(card or "")
    except NotationError:
        raise Kind(
            "I cannot read that card. Write its rank and suit, such as `Kd` for K♦ or `10h` for 10♥, "
            "or choose from the list that opens while you type."
        ) from None
    return discard(chosen) if verb == "discard" else knock(chosen)
