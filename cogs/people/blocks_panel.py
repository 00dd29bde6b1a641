"""The messages about the people that a person has blocked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.model.ids import PersonId
from bot.play.people.blocks import MAX_BLOCKED
from cogs.actions import Action, Subject
from cogs.kit.components import button, user_menu
from cogs.kit.layout import Accent, note
from cogs.kit.messages import Message
from cogs.people.preferences_panel import preference_panel

_ABOUT: Final = (
    "Blocked people can't challenge or nudge you, play at your open tables or offer you a rematch, on any server. "
    "I don't tell them. Matches that have already started continue."
)
NOT_BLOCKED: Final = "Saved. You can't block yourself or a bot."
UNBLOCKED: Final = "You unblocked <@{}>."


def blocked_panel(blocked: Sequence[PersonId], notice: str | None = None) -> Message:
    """Return the people that a person has blocked, in a menu that changes them."""
    menu = user_menu(Subject.SELF, Action.CHANGE_BLOCKED, "Nobody is blocked", blocked, MAX_BLOCKED)
    return preference_panel("Blocked people", [_ABOUT], [[menu]], notice)


def blocked_note(blocked_id: PersonId) -> Message:
    """Confirm a block, with a button that takes it back."""
    undo = button(Subject.SELF, 0, Action.UNBLOCK, "Undo", argument=str(blocked_id))
    text = (
        f"You blocked <@{blocked_id}>. They can't challenge you, offer you a rematch or nudge you, and aren't told. "
        "Open offers between you are closed. Your matches continue."
    )
    return note(f"{text}\n-# See everyone you've blocked with `/gin me preferences`.", Accent.WAITING, undo)
