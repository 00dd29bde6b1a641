"""People: who acts, and what they prefer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance, HandOrder
from bot.values.ids import PersonId


class Push(StrEnum):
    """How a person hears that it is their turn."""

    DM = "dm"
    CHANNEL = "channel"
    BOTH = "both"
    NONE = "none"


class Challengers(StrEnum):
    """Who may challenge a person by name, or keep a place for them."""

    ANYONE = "anyone"
    PLAYED = "played"
    NOBODY = "nobody"


class ShowsProfileTo(StrEnum):
    """Who may see a person's profile, and what else is told of their results one by one."""

    EVERYONE = "everyone"
    PLAYED = "played"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who uses the bot, with the name they have now."""

    id: PersonId
    name: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person chose, or the defaults.

    Every field is a column with its name in the person's row; those of `appearance` have columns of their own.
    """

    hand_by_dm: bool = True
    push: Push = Push.DM
    challengers: Challengers = Challengers.ANYONE
    appearance: Appearance = DEFAULT_APPEARANCE
    hand_order: HandOrder = HandOrder.MELDS
    pictures: bool = True
    confirmations: bool = True
    """Whether a button that gives up gin, or cards that could be laid off, asks first."""
    shows_profile_to: ShowsProfileTo = ShowsProfileTo.EVERYONE

    def changes_hand(self, before: Preferences) -> bool:
        """Return whether a hand message looks different than with the preferences before."""
        unseen = {"push": before.push, "challengers": before.challengers, "shows_profile_to": before.shows_profile_to}
        return replace(self, **unseen) != before


DEFAULT_PREFERENCES: Final = Preferences()
