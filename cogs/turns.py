"""Moves: draw, take, pass, discard, knock, gin, big gin, lay off; by command, by button and by menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.engine.cards import Card, Rank, Suit
from bot.engine.errors import NotationError
from bot.engine.moves import BIG_GIN, DONE, DRAW, PASS, TAKE, Move, Verb, discard, knock
from bot.engine.views import SeatView
from bot.play.refusals import Refusal, WhichMatch
from bot.play.values import Ask
from cardart.text.card_names import ENGLISH, Names, names_of
from cogs.answers import Answer, Interaction
from cogs.choosing import which_match
from cogs.panels import moves
from cogs.panels.moves import Pick, notation
from cogs.presses import WHICH, Press
from cogs.replies import Kind, show_hand
from cogs.services import Services
from cogs.words import cards

SIMPLE: Final[dict[str, Move | Ask]] = {
    "draw": DRAW,
    "take": TAKE,
    "pass": PASS,
    "gin": Ask.GIN,
    "big": BIG_GIN,
    "done": DONE,
    "layoff_all": Ask.LAY_OFF_ALL,
}
"""The moves without a card."""

ALL: Final = "all"
NOTHING: Final = "nothing"
"""What `/gin layoff` takes beside a card."""

MOST: Final = 25
"""The most completions that Discord shows."""


class Turns(commands.Cog):
    """A player's moves."""

    def __init__(self, services: Services) -> None:
        self._house = services.house
        self._pictures = services.pictures
        services.presses.on(**dict.fromkeys((*SIMPLE, "discard", "knock", "knock_as", "layoff"), self._pressed))

    @app_commands.command(description="Draw the top card of the stock")
    async def draw(self, interaction: Interaction) -> None:
        """Draw from the stock."""
        await self._commanded(interaction, "draw")

    @app_commands.command(description="Take the upcard, or the top card of the discard pile")
    async def take(self, interaction: Interaction) -> None:
        """Take the top of the pile."""
        await self._commanded(interaction, "take")

    @app_commands.command(name="pass", description="Pass the upcard when a deal begins, or the last discard at its end")
    async def pass_(self, interaction: Interaction) -> None:
        """Pass the upcard, or the last discard at the wall."""
        await self._commanded(interaction, "pass")

    @app_commands.command(description="Discard a card and end your turn")
    @app_commands.describe(card="The card to discard, such as Kd or K♦")
    async def discard(self, interaction: Interaction, card: str) -> None:
        """Discard a card."""
        await self._commanded(interaction, "discard", card)

    @app_commands.command(description="Knock: discard a card and lay your hand down")
    @app_commands.describe(
        card="The card to discard with the knock, such as Kd or K♦",
        melds="Other melds than the best, where there are several ways",
    )
    async def knock(self, interaction: Interaction, card: str, melds: str | None = None) -> None:
        """Knock with a discard, in the best way or a chosen one."""
        if melds is None:
            await self._commanded(interaction, "knock", card)
        else:
            await self._commanded(interaction, "knock_as", melds)

    @app_commands.command(description="Go gin: lay down a hand without deadwood")
    async def gin(self, interaction: Interaction) -> None:
        """Go gin."""
        await self._commanded(interaction, "gin")

    @app_commands.command(description="Go big gin: lay down all eleven cards without a discard")
    async def big(self, interaction: Interaction) -> None:
        """Go big gin."""
        await self._commanded(interaction, "big")

    @app_commands.command(description="After a knock: lay cards off on the knocker's melds, or nothing")
    @app_commands.describe(cards="A card, such as 8s; all that helps; or nothing (more)")
    async def layoff(self, interaction: Interaction, cards: str) -> None:
        """Answer a knock."""
        match cards.strip().lower():
            case "all":
                await self._commanded(interaction, "layoff_all")
            case "nothing" | "done":
                await self._commanded(interaction, "done")
            case _:
                await self._commanded(interaction, "layoff", cards)

    @discard.autocomplete("card")
    async def discards(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The cards that may be discarded, with what they leave."""
        return _completions(*await self._picks(interaction, moves.discards), typed)

    @knock.autocomplete("card")
    async def knocks(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The cards that a knock may discard, with what they leave."""
        return _completions(*await self._picks(interaction, moves.knocks), typed)

    @knock.autocomplete("melds")
    async def ways(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The ways to lay the hand down with the card that is named already."""
        named = getattr(interaction.namespace, "card", None) or ""
        return _completions(*await self._picks(interaction, moves.ways_to_knock), named)

    @layoff.autocomplete("cards")
    async def lay_offs(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The cards that may be laid off, with what they save."""
        picks, names = await self._picks(interaction, moves.lay_offs)
        whole = [word for word in (ALL, NOTHING) if picks and typed.lower() in word]
        words = [app_commands.Choice(name=word, value=word) for word in whole]
        return [*words, *_completions(picks, names, typed)][:MOST]

    async def _picks(
        self, interaction: Interaction, offered: Callable[[SeatView, Names], list[Pick]]
    ) -> tuple[list[Pick], Names]:
        """What a command may be about, of the hand that it means, and how its owner names cards.

        Nothing where there is no hand, or several.
        """
        with suppress(Refusal):
            card = await self._house.lookup.meant_by(interaction.user.id, interaction.channel_id)
            hand = await self._house.lookup.hand(interaction.user.id, card.id)
            names = names_of(hand.look.language)
            return offered(hand.view, names), names
        return [], ENGLISH

    async def _names(self, interaction: Interaction) -> Names:
        """How the person names cards."""
        return names_of((await self._house.people.preferences(interaction.user.id)).look.language)

    async def _commanded(self, interaction: Interaction, verb: str, chosen: str | None = None) -> None:
        move = SIMPLE.get(verb) or _move(verb, chosen or "", await self._names(interaction))
        try:
            hand = await self._house.turns.command(interaction.user.id, interaction.channel_id, move, interaction.id)
        except WhichMatch as several:
            argument = notation(move) if isinstance(move, Move) and verb not in SIMPLE else None
            await Answer.to(interaction).say(which_match(interaction.client, several.matches, verb, argument))
            return
        await show_hand(interaction, self._house, self._pictures, hand)

    async def _pressed(self, interaction: Interaction, press: Press) -> None:
        asked = press.subject == WHICH
        chosen = press.argument if asked else press.values[0] if press.values else None
        # Components carry notation, which is read in any language.
        move = SIMPLE.get(press.verb) or _move(press.verb, chosen or "", ENGLISH)
        await self._make(interaction, press.number, move, None if asked else press.version)

    async def _make(self, interaction: Interaction, match_id: int, move: Move | Ask, version: int | None) -> None:
        message = interaction.message
        own = message is not None and interaction.guild_id is None and not message.flags.ephemeral
        hand = await self._house.turns.move(
            interaction.user.id, match_id, move, interaction.id, version=version, in_own_message=own
        )
        await show_hand(interaction, self._house, self._pictures, hand)


def _completions(picks: Sequence[Pick], names: Names, typed: str) -> list[app_commands.Choice[str]]:
    meant = [pick for pick in picks if cards.may_mean(typed, pick.card, names)]
    return [app_commands.Choice(name=pick.label, value=pick.value) for pick in meant[:MOST]]


def _move(verb: str, text: str, names: Names) -> Move:
    """The move with a card, or with melds, that a command or a press asks for.

    Raises:
        Kind: the card or the melds are none.
    """
    try:
        match verb:
            case "knock_as":
                return Move.parse(f"{Verb.KNOCK} {text}")
            case "layoff" if ">" in text:
                return Move.parse(f"{Verb.LAY_OFF} {text}")
            case "layoff":
                return Move(Verb.LAY_OFF, cards.read(text, names))
            case "knock":
                return knock(cards.read(text, names))
            case _:
                return discard(cards.read(text, names))
    except NotationError:
        king, ten = Card.of(Rank.KING, Suit.DIAMONDS), Card.of(Rank.TEN, Suit.HEARTS)
        raise Kind(
            f"I cannot read that card. Write its rank and suit, such as `Kd` for {names.short(king)} or `10h` for "
            f"{names.short(ten)}, or its name, such as *{names.full(king)}*; or choose from the list that opens while "
            "you type."
        ) from None
