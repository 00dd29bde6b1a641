"""The list of a person's running matches, with links to everything else."""

from __future__ import annotations

from datetime import datetime

import discord

from bot.model.ids import PersonId
from bot.model.matches import OwnHand
from cogs.actions import Action, Subject
from cogs.kit.components import button, menu
from cogs.kit.layout import Accent, Item, Row, WithButton, message
from cogs.kit.messages import Message
from cogs.words.holidays import away


def games_button() -> Item:
    """Return the button that opens the list of a person's running matches."""
    return button(Subject.MENU, 0, Action.GAMES, "My games")


def next_button(shown: OwnHand, style: discord.ButtonStyle = discord.ButtonStyle.primary) -> Item | None:
    """Return the button that opens the most urgent other match that waits for the player; None if none does."""
    match, waiting = shown.match, shown.other_turns
    if not waiting:
        return None
    label = f"Next match ({waiting})"
    return button(match.id, match.version, Action.NEXT_MATCH, label, style)


def games(
    text: str,
    options: list[discord.SelectOption],
    person_id: PersonId,
    *,
    in_server: bool,
    away_until: datetime | None = None,
) -> Message:
    """Return the list of a person's matches, or a suggestion if they have none, with a menu of matches and with links.

    Links to a server's leaderboard, profile and records appear only on a server.
    """
    holiday = None if away_until is None else WithButton(away(away_until), end_holiday_button())
    choice = menu(Subject.CHOSEN, 0, Action.SHOW_HAND, "Go to a match …", options) if options else None
    return message(Accent.WAITING, text, holiday, rows=[[choice], _elsewhere(person_id, in_server=in_server)])


def _elsewhere(person_id: PersonId, *, in_server: bool) -> Row:
    """Return links to past matches, results and preferences."""

    def to(action: Action, label: str, argument: str | None = None) -> Item:
        return button(Subject.MENU, 0, action, label, argument=argument)

    past, preferences = to(Action.HISTORY, "Past matches", str(person_id)), to(Action.OPEN_PREFERENCE, "Preferences")
    if not in_server:
        return [past, preferences]
    leaderboard, profile = to(Action.LEADERBOARD, "Leaderboard"), to(Action.PROFILE, "My profile")
    return [leaderboard, profile, past, to(Action.SERVER_RECORDS, "Records"), preferences]


def end_holiday_button(shown: Action | None = None) -> Item:
    """Return the button that ends a person's holiday. `shown` is the panel of preferences to show next, if any."""
    return button(Subject.SELF, 0, Action.COME_BACK, "I'm back", argument=shown)
