"""The application's own emojis, which show cards on buttons. Until they are uploaded there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import discord

from bot.engine.cards import DECK, Card
from bot.values.appearance import Appearance
from bot.values.people import Preferences
from cardart import back_emoji, card_emoji
from cardart.text.card_names import Names, names_of


@dataclass(frozen=True, slots=True)
class _EmojiNames(Names):
    """Names of cards that are short as emojis. Discord reads an emoji's own name out, which is the card's."""

    emojis: Emojis
    appearance: Appearance

    def short(self, card: Card) -> str:
        """Return a card as an emoji, if that is still there."""
        return str(self.emojis.card(card, self.appearance) or Names.short(self, card))


class Emojis:
    """The emojis that Discord has, by name. A look is used once all of its cards are there."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._complete: dict[Appearance, bool] = {}
        self._doubted = asyncio.Event()

    def update(self, ids: Mapping[str, int]) -> None:
        """Use these emojis from now on, and no others."""
        self._ids = dict(ids)
        self._complete.clear()

    def doubt(self) -> None:
        """Use none until they are updated: Discord has refused one."""
        self.update({})
        self._doubted.set()

    async def doubted(self, longest: float) -> None:
        """Wait until Discord refuses one, or for so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(longest):
                await self._doubted.wait()
        self._doubted.clear()

    def card(self, card: Card, appearance: Appearance) -> discord.PartialEmoji | None:
        """Return the emoji of a card; None if some cards of its look are not uploaded."""
        return self._get(card_emoji(card, appearance).name) if self.has(appearance) else None

    def back(self, appearance: Appearance) -> discord.PartialEmoji | None:
        """Return the emoji of a card face down, to go with cards of a look; None as for those."""
        return self._get(back_emoji().name) if self.has(appearance) else None

    def names(self, preferences: Preferences) -> Names:
        """Return how a person's own texts show cards: by emojis, if they want pictures and these are there."""
        appearance, names = preferences.appearance, names_of(preferences.appearance.language)
        if not preferences.pictures or not self.has(appearance):
            return names
        return _EmojiNames(
            names.language, names.letters, names.ranks, names.suits, names.pattern, emojis=self, appearance=appearance
        )

    def has(self, appearance: Appearance) -> bool:
        """Return whether all cards of a look are uploaded. Themes make no difference."""
        if not self._ids:
            # Nothing is drawn before the upload, which draws everything beside the event loop.
            return False
        if appearance not in self._complete:
            needed = (back_emoji(), *(card_emoji(card, appearance) for card in DECK))
            self._complete[appearance] = all(emoji.name in self._ids for emoji in needed)
        return self._complete[appearance]

    def _get(self, name: str) -> discord.PartialEmoji:
        return discord.PartialEmoji(name=name, id=self._ids[name])
