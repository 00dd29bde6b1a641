"""The message of a deal's replay: the animation, and the whole deal in texts."""

from __future__ import annotations

import discord

from bot.values.matches import Replay
from cogs.kit.answers import Message
from cogs.panels.layout import Accent, Row, message
from cogs.panels.pictures import Pictures
from cogs.kit.components import button
from cogs.text import replay as texts
from cogs.text.people import safe

SHOW = "Show everyone"


async def replay(
    shown: Replay, pictures: Pictures | None, *, to_show: bool = False, shown_by: str | None = None
) -> Message:
    """A deal once more; with a button that shows it to the channel, or with the name of who did.

    Without `pictures` it is in words alone.
    """
    card, animation = shown.card, None if pictures is None else await pictures.replay(shown)
    show: Row = [
        button(
            card.id,
            card.version,
            "replay_show",
            SHOW,
            discord.ButtonStyle.primary,
            argument=texts.place(shown.view.showdown),
        )
    ]
    return message(
        Accent.OVER,
        texts.told(shown),
        texts.too_long(shown) if animation is None and pictures is not None else None,
        None if shown_by is None else f"-# Shown by {safe(shown_by)}",
        title=f"Replay · {texts.title(shown)}",
        picture=animation,
        rows=[show if to_show else []],
    )
