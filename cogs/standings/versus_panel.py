"""The message with the results of two people against each other, and the buttons that open it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord

import cardart
from bot.model.appearance import Appearance
from bot.model.history import Versus
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchInfo
from bot.model.namesakes import with_ambiguity
from bot.model.people import Preferences
from bot.model.statistics import Category, Player
from cogs.actions import Action, Subject
from cogs.delivery.pictures import Pictures
from cogs.kit.components import button, menu
from cogs.kit.layout import Accent, Item, Picture, message, note, with_picture
from cogs.kit.messages import Message
from cogs.standings import versus_text as texts
from cogs.standings.profile_text import CATEGORIES
from cogs.words.names import plain
from cogs.words.rules import MAX_LINE_LENGTH


def versus_button(match: MatchInfo) -> Item | None:
    """Return the button that compares players at the end of a match.

    Return None for a practice match, or if `people_in` finds fewer than two people.
    """
    if match.is_practice or len(people_in(match)) < 2:
        return None
    return button(match.id, match.version, Action.VERSUS, "Versus")


def versus_person_button(person_id: PersonId, category: Category | None = None) -> Item:
    """Return the button that compares its user with a person on the current server."""
    label = "Versus" if category is None else CATEGORIES[category].capitalize()
    return button(Subject.SELF, 0, Action.VERSUS_PERSON, label, argument=_argument(person_id, category))


def _argument(person_id: PersonId, category: Category | None) -> str:
    return str(person_id) if category is None else f"{person_id}/{category}"


def people_in(match: MatchInfo) -> list[Player]:
    """Return the people in a match, without computers and without people who were forgotten."""
    return [player for player in match.players if player.id is not None]


def which_person(match: MatchInfo, people: Sequence[Player]) -> Message:
    """Return a menu of a match's players that asks for the person to compare with."""
    options = [discord.SelectOption(label=plain(player), value=str(player.id)) for player in people]
    return note(texts.WHICH, Accent.YOURS, menu(match.id, match.version, Action.VERSUS, "Choose a player …", options))


async def versus(
    shown: Versus, preferences: Preferences, pictures: Pictures, match: MatchInfo | None = None
) -> Message:
    """Return the results of two people against each other in a category, with links to other categories and to matches.

    Below its picture, it has only what the picture does not show. `match` is the match whose final message opened this
    comparison, if any. The category buttons then show results on the server of `match`, wherever they are pressed.
    """
    first, second = with_ambiguity(shown.players)
    shown, other_id = replace(shown, players=(first, second)), second.id
    assert other_id is not None

    def category_button(category: Category) -> Item:
        if match is None:
            return versus_person_button(other_id, category)
        label, argument = CATEGORIES[category].capitalize(), _argument(other_id, category)
        return button(match.id, match.version, Action.VERSUS, label, argument=argument)

    buttons = [
        category_button(category)
        for category in Category
        if category is not shown.category and category in shown.categories
    ]
    if not shown.meetings:
        return message(Accent.WAITING, texts.nothing(shown), texts.together(shown), rows=[buttons])
    last = shown.meetings[: -texts.MAX_LISTED - 1 : -1]
    options = [(meeting.match_id, texts.option(meeting, shown.category)) for meeting in last]

    def compose(picture: Picture | None) -> Message:
        in_words = texts.facts(shown), texts.last_matches(shown)
        return message(
            Accent.OVER,
            *(in_words if picture is None else [texts.below_picture(shown)]),
            texts.together(shown),
            title=texts.title(shown),
            picture=picture,
            rows=[[match_menu(options)], buttons],
        )

    picture = await _draw(shown, preferences.appearance, pictures) if preferences.pictures else None
    return with_picture(compose, picture)


def match_menu(matches: Sequence[tuple[MatchId, str]]) -> Item:
    """Return a menu that opens a past match. `matches` are pairs of id and label."""
    options = [discord.SelectOption(label=label[:MAX_LINE_LENGTH], value=str(match_id)) for match_id, label in matches]
    return menu(Subject.CHOSEN, 0, Action.PAST_MATCH, "Open a match …", options)


async def _draw(shown: Versus, appearance: Appearance, pictures: Pictures) -> Picture:
    portraits = pictures.avatars.portraits(shown.players)
    return await pictures.draw("versus", cardart.draw_versus, shown, portraits, appearance)
