"""The reminder of a person's turns, sent as a direct message."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.values.matches import Reminder
from bot.values.namesakes import matches_told_apart
from cogs.kit.actions import Action
from cogs.kit.components import button
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, Beside, message
from cogs.text import reminders as texts

MOST: Final = 10
"""Maximum number of matches in one message: each takes four of the 40 components that Discord allows."""


def reminder(shown: Reminder) -> Message:
    """Return the list of turns, each with a button that opens the hand."""
    matches = matches_told_apart([turn.match for turn in shown.turns[:MOST]])
    listed = [replace(turn, match=match) for turn, match in zip(shown.turns, matches, strict=False)]
    more = len(shown.turns) - MOST
    return message(
        Accent.YOURS,
        *(
            Beside(texts.line(turn), button(turn.match.id, turn.match.version, Action.OPEN_MATCH, "My hand"))
            for turn in listed
        ),
        f"And {more} more: `/gin games` lists them." if more > 0 else None,
        title=texts.title(len(shown.turns)),
        details=["-# `/gin me preferences` says when I remind you; `/gin me away` takes a holiday."],
    )
