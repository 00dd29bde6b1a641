"""The application's own emojis, which show cards on buttons and in texts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import discord

from bot.engine.cards.cards import DECK, Card
from bot.model.appearance import Appearance
from bot.model.people import Preferences
from cardart import back_emoji, card_emoji
from cardart.text.card_names import CardNames, card_names


@dataclass(frozen=True, slots=True)
class _EmojiNames(CardNames):
    """Card names whose short form is an emoji. Each emoji is named after its card, for screen readers."""

    emojis: Emojis
    appearance: Appearance

    def short(self, card: Card) -> str:
        """Return the card's emoji, or its usual short name if the emoji is not available."""
        return str(self.emojis.card(card, self.appearance) or CardNames.short(self, card))


class Emojis:
    """The uploaded emojis by name. The emojis of an appearance are used only if all of them are uploaded."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._complete: dict[Appearance, bool] = {}
        self._refused = asyncio.Event()

    def update(self, ids: Mapping[str, int]) -> None:
        """Replace the known emojis. `ids` are Discord's ids by name."""
        self._ids = dict(ids)
        self._complete.clear()

    def disable(self) -> None:
        """Stop using emojis until the next update, because Discord refused one."""
        self.update({})
        self._refused.set()

    async def wait_until_refused(self, timeout: float) -> None:
        """Wait until Discord refuses an emoji, for at most `timeout` seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._refused.wait()
        self._refused.clear()

    def card(self, card: Card, appearance: Appearance) -> discord.PartialEmoji | None:
        """Return a card's emoji; None if not all emojis of the appearance are uploaded."""
        return self._get(card_emoji(card, appearance).name) if self.is_complete(appearance) else None

    def back(self, appearance: Appearance) -> discord.PartialEmoji | None:
        """Return the emoji of a face-down card; None if not all emojis of the appearance are uploaded."""
        return self._get(back_emoji().name) if self.is_complete(appearance) else None

    def names(self, preferences: Preferences) -> CardNames:
        """Return the card names for texts to a person: emojis if the person wants pictures and all are uploaded."""
        appearance, names = preferences.appearance, card_names(preferences.appearance.language)
        if not preferences.pictures or not self.is_complete(appearance):
            return names
        return _EmojiNames(
            names.language, names.letters, names.ranks, names.suits, names.pattern, emojis=self, appearance=appearance
        )

    def is_complete(self, appearance: Appearance) -> bool:
        """Return True if all emojis of an appearance are uploaded. The theme makes no difference."""
        if not self._ids:
            # Do not call `card_emoji` here: before the upload, it would draw the emojis and block the event loop.
            return False
        if appearance not in self._complete:
            needed = (back_emoji(), *(card_emoji(card, appearance) for card in DECK))
            self._complete[appearance] = all(emoji.name in self._ids for emoji in needed)
        return self._complete[appearance]

    def _get(self, name: str) -> discord.PartialEmoji:
        return discord.PartialEmoji(name=name, id=self._ids[name])
