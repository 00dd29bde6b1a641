"""The card of a person on a server."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.values.people import Preferences
from bot.values.statistics import Profile
from cogs.kit.answers import Message
from cogs.panels.layout import Accent, message, note
from cogs.panels.pictures import Pictures
from cogs.kit.components import button
from cogs.text import profile as texts
from cogs.text.categories import CATEGORIES


async def profile(shown: Profile, chosen: Preferences, pictures: Pictures, subject: str) -> Message:
    """How a person did on a ladder, as they chose to see it, with the way to the other ladders they played on.

    The subject is that of the buttons.
    """
    others: list[ui.Item[Any]] = [
        button(subject, 0, "profile", CATEGORIES[ladder].capitalize(), argument=ladder)
        for ladder in shown.ladders
        if ladder is not shown.ladder
    ]
    if not shown.played:
        return note(texts.NOTHING, rows=[others])
    picture = await pictures.profile(shown, chosen.look) if chosen.pictures else None
    return message(Accent.OVER, texts.told(shown), title=texts.title(shown), picture=picture, rows=[others])
