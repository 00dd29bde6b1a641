"""The reminder of a person's turns, sent as a direct message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.model.matches import RemindedTurn, Reminder
from bot.model.namesakes import matches_with_ambiguity
from bot.model.statistics import Player
from cogs.actions import Action
from cogs.kit.components import button
from cogs.kit.layout import Accent, WithButton, message
from cogs.kit.messages import Message
from cogs.tables import reminder_text as texts
from cogs.turns.block_button import block_button

MAX_LISTED: Final = 10
"""Maximum number of matches in one message: each takes four of the 40 components that Discord allows."""


def reminder(shown: Reminder) -> Message:
    """Return the reminder: a list of the matches that wait for the person, each with a button that opens the hand."""
    matches = matches_with_ambiguity([turn.match for turn in shown.turns[:MAX_LISTED]])
    listed = [replace(turn, match=match) for turn, match in zip(shown.turns, matches, strict=False)]
    more, nudger = len(shown.turns) - MAX_LISTED, _nudger(shown.turns)
    return message(
        Accent.YOURS,
        *(
            WithButton(texts.line(turn), button(turn.match.id, turn.match.version, Action.OPEN_MATCH, "My hand"))
            for turn in listed
        ),
        f"And {more} more. See them all with `/gin games`." if more > 0 else None,
        title=texts.title(len(shown.turns)),
        rows=[[None if nudger is None else block_button(nudger)]],
        details=["-# Change your reminders with `/gin me preferences`, or start a holiday with `/gin me away`."],
    )


def _nudger(turns: Sequence[RemindedTurn]) -> Player | None:
    """Return the player who nudged the person. None if several matches wait, or several players of one match."""
    match turns:
        case [turn] if turn.is_nudge and len(turn.match.players) == 2:
            return turn.match.players[1 - turn.seat]
        case _:
            return None
