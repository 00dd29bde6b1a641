"""The application's own emojis, which show cards on buttons. Until they are uploaded there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import discord

from bot.engine.cards import Card
from bot.values.appearance import Appearance
from cardart import Emoji, back_emoji, card_emoji


class Emojis:
    """The emojis that Discord has, by name."""

    def __init__(self, ids: Mapping[str, int] | None = None) -> None:
        self._ids = dict(ids or {})

    def update(self, ids: Mapping[str, int]) -> None:
        """Use these emojis from now on, and no others."""
        self._ids = dict(ids)

    def card(self, card: Card, appearance: Appearance) -> discord.PartialEmoji | None:
        """Return the emoji of a card; None if it is not uploaded."""
        return self._find(lambda: card_emoji(card, appearance))

    def back(self) -> discord.PartialEmoji | None:
        """Return the emoji of a card face down; None if it is not uploaded."""
        return self._find(back_emoji)

    def _find(self, draw: Callable[[], Emoji]) -> discord.PartialEmoji | None:
        if not self._ids:
            # Nothing is drawn before the upload, which draws everything beside the event loop.
            return None
        name = draw().name
        emoji_id = self._ids.get(name)
        return None if emoji_id is None else discord.PartialEmoji(name=name, id=emoji_id)
