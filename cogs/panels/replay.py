"""The message with a deal's replay: the animation, and the whole deal as text."""

from __future__ import annotations

import discord

from bot.values.matches import Replay
from cogs.kit.actions import Action
from cogs.kit.components import button
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, Row, message
from cogs.panels.pictures import Pictures
from cogs.text import replay as texts
from cogs.text.people import safe


async def replay(
    shown: Replay, pictures: Pictures | None, *, can_show_to_all: bool = False, shown_by: str | None = None
) -> Message:
    """Return a replay, with a button that shows it to the channel, or with the name of who did that.

    Without `pictures` it is text alone.
    """
    match, animation = shown.match, None if pictures is None else await pictures.replay(shown)
    show_to_all: Row = [
        button(
            match.id,
            match.version,
            Action.SHOW_REPLAY_TO_ALL,
            "Show everyone",
            discord.ButtonStyle.primary,
            argument=texts.deal_number(shown.view.showdown),
        )
    ]
    return message(
        Accent.OVER,
        texts.moves(shown),
        texts.too_long(shown) if animation is None and pictures is not None else None,
        None if shown_by is None else f"-# Shown by {safe(shown_by)}",
        title=f"Replay · {texts.title(shown)}",
        picture=animation,
        rows=[show_to_all if can_show_to_all else []],
    )
