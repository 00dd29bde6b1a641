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


class Reminders(StrEnum):
    """How often a person is reminded that it is their turn."""

    OFF = "off"
    USUAL = "usual"
    """Once before their time is used up; without a clock after two days, then once a week."""
    DAILY = "daily"
    """Every day, and before their time is used up."""


class ShowsProfileTo(StrEnum):
    """Who may see a person's profile, and what else is told of their results one by one."""

    EVERYONE = "everyone"
    PLAYED = "played"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who uses the bot, with the names they have now: the one they show, and that of their account."""

    id: PersonId
    name: str
    username: str | None = None


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of the day in which a person wants no reminders, in minutes since midnight in their time zone.

    `time_zone` is an IANA name. They may go past midnight. None stands for what was not chosen.
    """

    time_zone: str | None = None
    quiet_from: int | None = None
    quiet_to: int | None = None


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
    reminders: Reminders = Reminders.USUAL
    nudges: bool = True
    """Whether players who wait may nudge the person."""
    quiet: QuietHours = QuietHours()
    shows_profile_to: ShowsProfileTo = ShowsProfileTo.EVERYONE

    def changes_hand(self, before: Preferences) -> bool:
        """Return whether a hand message looks different than with the preferences before."""
        same = {name: getattr(before, name) for name in _UNSEEN_IN_HANDS}
        return replace(self, **same) != before

    def changes_reminders(self, before: Preferences) -> bool:
        """Return whether the person is reminded at other times than with the preferences before."""
        return (self.reminders, self.quiet) != (before.reminders, before.quiet)


_UNSEEN_IN_HANDS: Final = ("push", "challengers", "reminders", "nudges", "quiet", "shows_profile_to")
"""The preferences that no hand message shows."""

DEFAULT_PREFERENCES: Final = Preferences()
