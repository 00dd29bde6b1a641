"""The message with a person's results on a server."""

from __future__ import annotations

from dataclasses import replace

import cardart
from bot.model.appearance import Appearance
from bot.model.ids import PersonId
from bot.model.namesakes import with_ambiguity
from bot.model.people import Preferences
from bot.model.statistics import Profile
from cardart.text.seasons import champion_text
from cogs.actions import Action, Subject
from cogs.delivery.pictures import Pictures
from cogs.kit.components import button
from cogs.kit.layout import Accent, Picture, message, with_picture
from cogs.kit.messages import Message
from cogs.standings import luck_text as luck_texts
from cogs.standings import profile_text as texts
from cogs.standings.history_panel import dailies_button
from cogs.standings.versus_panel import versus_person_button


async def profile(
    shown: Profile, viewer_id: PersonId, preferences: Preferences, pictures: Pictures, *, has_dailies: bool = False
) -> Message:
    """Return a person's results in a category, with buttons for the other categories that they played.

    Below its picture, it has only what the picture does not show. If the viewer is somebody else, another button
    compares the two people. If the viewer `has_dailies`, a button leads to their calendar of deals of the day.
    """
    shown = _with_ambiguity(shown)
    player = shown.player
    is_own = player.id == viewer_id
    others = [
        button(
            Subject.SELF,
            0,
            Action.PROFILE,
            texts.CATEGORIES[category].capitalize(),
            argument=category if is_own else f"{category}/{player.id}",
        )
        for category in shown.categories
        if category is not shown.category
    ]
    dailies = dailies_button() if has_dailies else None
    rows = [[None if is_own or player.id is None else versus_person_button(player.id), *others, dailies]]
    if not shown.played_matches:
        nothing = texts.NOTHING if is_own else texts.nothing_of(player)
        titles = f"**{champion_text(shown.titles)}**" if shown.titles else None
        return message(Accent.WAITING, titles, nothing, texts.practice(shown), rows=rows)

    def compose(picture: Picture | None) -> Message:
        luck = luck_texts.luck(shown)
        return message(
            Accent.OVER,
            texts.facts(shown, own=is_own) if picture is None else texts.below_picture(shown, own=is_own),
            luck if picture is None else None,
            texts.practice(shown),
            title=texts.title(shown),
            picture=picture,
            rows=rows,
            # With the picture, the buttons come before the luck, so that they are not far below the picture.
            details=[
                None if luck is None or picture is None else luck_texts.small(luck),
                luck_texts.about(shown, own=is_own),
            ],
        )

    picture = await _draw(shown, preferences.appearance, pictures) if preferences.pictures else None
    return with_picture(compose, picture)


def _with_ambiguity(shown: Profile) -> Profile:
    """Mark a person and their rival if their names look alike, so that the account names are shown too."""
    if shown.rival is None:
        return shown
    player, rival = with_ambiguity([shown.player, shown.rival.player])
    return replace(shown, player=player, rival=replace(shown.rival, player=rival))


async def _draw(shown: Profile, appearance: Appearance, pictures: Pictures) -> Picture:
    people = [shown.player] if shown.rival is None else [shown.player, shown.rival.player]
    portraits = pictures.avatars.portraits(people)
    return await pictures.draw("profile", cardart.draw_profile, shown, portraits, appearance)
