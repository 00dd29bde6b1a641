"""The message with how a person does on a server."""

from __future__ import annotations

from bot.values.people import Preferences
from bot.values.statistics import Profile
from cogs.kit.actions import Action, Subject
from cogs.kit.components import button
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, message
from cogs.panels.pictures import Pictures
from cogs.text import profile as texts


async def profile(shown: Profile, preferences: Preferences, pictures: Pictures) -> Message:
    """Return how a person did in a category, with buttons for the other categories they played in."""
    others = [
        button(Subject.SELF, 0, Action.PROFILE, texts.CATEGORIES[category].capitalize(), argument=category)
        for category in shown.categories
        if category is not shown.category
    ]
    if not shown.played:
        return message(Accent.WAITING, texts.NOTHING, texts.practice(shown), rows=[others])
    picture = await pictures.profile(shown, preferences.appearance) if preferences.pictures else None
    facts = texts.facts(shown), texts.practice(shown)
    return message(Accent.OVER, *facts, title=texts.title(shown), picture=picture, rows=[others])
