"""People and their preferences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance, HandOrder
from bot.model.ids import PersonId


class Push(StrEnum):
    """How a person is notified of their turn."""

    DM = "dm"
    CHANNEL = "channel"
    BOTH = "both"
    NONE = "none"


class Challengers(StrEnum):
    """The people who may challenge a person by name, or reserve a place for them."""

    ANYONE = "anyone"
    PLAYED = "played"
    NOBODY = "nobody"


class Reminders(StrEnum):
    """Frequency of reminders about a person's turn."""

    OFF = "off"
    USUAL = "usual"
    """A reminder before the person's time runs out; without a clock, one after two days and then one a week."""
    DAILY = "daily"
    """A reminder every day, and one before the person's time runs out."""


class ShowsProfileTo(StrEnum):
    """The people who may see a person's profile and their individual results."""

    EVERYONE = "everyone"
    PLAYED = "played"


@dataclass(frozen=True, slots=True)
class Person:
    """A person who uses the bot, with their current names: the display name, and the name of their account.

    `avatar` is the hash of the picture that they chose on Discord; None if they chose none.
    """

    id: PersonId
    name: str
    username: str | None = None
    avatar: str | None = None


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The daily hours without reminders, in minutes since midnight in the person's time zone.

    `time_zone` is an IANA name. The hours may span midnight. A field is None if the person has not chosen it.
    """

    time_zone: str | None = None
    quiet_from: int | None = None
    quiet_to: int | None = None


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's preferences, or the defaults.

    Every field is a column of the same name in the person's row; the fields of `appearance` have their own columns.
    """

    hand_by_dm: bool = True
    push: Push = Push.DM
    challengers: Challengers = Challengers.ANYONE
    appearance: Appearance = DEFAULT_APPEARANCE
    hand_order: HandOrder = HandOrder.MELDS
    pictures: bool = True
    confirmations: bool = True
    """True if buttons that give up gin, possible lay-offs or a meld ask for confirmation."""
    draws_for_me: bool = False
    """True if the bot draws from the stock for the person when the discard does not help."""
    reminders: Reminders = Reminders.USUAL
    take_backs: bool = False
    """True if opponents may ask the person to let them take a discard back."""
    nudges: bool = True
    """True if waiting players may nudge the person."""
    quiet: QuietHours = QuietHours()
    daily_hour: int | None = None
    """The hour of the person's day at which they are reminded of the deal of the day; None if they are not."""
    shows_profile_to: ShowsProfileTo = ShowsProfileTo.EVERYONE
    shows_avatar: bool = True
    """True if pictures may show the person's avatar."""

    def changes_hand(self, before: Preferences) -> bool:
        """Return True if hand messages look different than with the preferences `before`."""
        unchanged = {name: getattr(before, name) for name in _NOT_IN_HANDS}
        return replace(self, **unchanged) != before

    def changes_reminders(self, before: Preferences) -> bool:
        """Return True if reminders come at other times than with the preferences `before`."""
        return (self.reminders, self.quiet) != (before.reminders, before.quiet)


_NOT_IN_HANDS: Final = (
    "push",
    "challengers",
    "reminders",
    "take_backs",
    "nudges",
    "quiet",
    "daily_hour",
    "shows_profile_to",
    "shows_avatar",
)
"""Preferences that do not affect hand messages."""

DEFAULT_PREFERENCES: Final = Preferences()
