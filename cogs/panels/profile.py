"""The card of a person on a server."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.play.values import Preferences, Profile
from cogs.answers import Message
from cogs.panels.layout import Accent, message, note
from cogs.pictures import Pictures
from cogs.presses import button
from cogs.words import profile as words
from cogs.words.ladders import LADDERS


async def profile(shown: Profile, chosen: Preferences, pictures: Pictures, subject: str) -> Message:
    """How a person did on a ladder, as they chose to see it, with the way to the other ladders they played on.

    The subject is that of the buttons.
    """
    others: list[ui.Item[Any]] = [
        button(subject, 0, "profile", LADDERS[ladder].capitalize(), argument=ladder)
        for ladder in shown.ladders
        if ladder is not shown.ladder
    ]
    if not shown.played:
        return note(words.NOTHING, rows=[others])
    picture = await pictures.profile(shown, chosen.look) if chosen.pictures else None
    return message(Accent.OVER, words.told(shown), title=words.title(shown), picture=picture, rows=[others])
