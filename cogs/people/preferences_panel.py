"""The message with a person's preferences.

It has a line for every entry and one menu, *Change …*. Choosing an entry there opens it in the same message, with a
menu of its values and a *Back* button. The message with a server's settings is built in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import discord

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance, HandOrder
from bot.model.people import Challengers, Preferences, Push, Reminders, ShowsProfileTo
from bot.model.time_zones import UTC_NAME
from bot.play.clocks.daily_hours import is_quiet
from bot.play.people.people import PersonalSettings
from cardart import THEMES
from cardart.text.card_names import NAMES
from cogs.actions import Action, Subject
from cogs.kit.components import button, menu
from cogs.kit.layout import Accent, Fact, Item, Picture, Row, WithButton, message
from cogs.kit.messages import Message
from cogs.turns.games_panel import end_holiday_button
from cogs.words import clocks, holidays

CHANGE: Final = "Change …"
_PREFERENCES_TITLE: Final = "Your preferences"
_BACK: Final = "Back"
_YES: Final = "yes"
_NO: Final = "no"
_OFF: Final = "off"
NO_PICTURES: Final = "none"

_HAND: Final[Mapping[str, str]] = {_YES: "by DM", _NO: "only on request"}
_PUSH: Final[Mapping[str, str]] = {
    Push.DM: "a DM",
    Push.CHANNEL: "a ping in the channel",
    Push.BOTH: "a DM and a ping",
    Push.NONE: "no notification",
}
_CHALLENGERS: Final[Mapping[str, str]] = {
    Challengers.ANYONE: "from anyone",
    Challengers.PLAYED: "from past opponents",
    Challengers.NOBODY: "from nobody",
}
_PROFILE: Final[Mapping[str, str]] = {
    ShowsProfileTo.EVERYONE: "for everyone on a server",
    ShowsProfileTo.PLAYED: "for past opponents",
}
_AVATAR: Final[Mapping[str, str]] = {_YES: "shown", _NO: "hidden"}
_ORDERS: Final[Mapping[str, str]] = {
    HandOrder.MELDS: "by melds",
    HandOrder.SUIT: "by suit",
    HandOrder.RANK: "by rank",
}
_REMINDERS: Final[Mapping[str, str]] = {
    Reminders.USUAL: "before time runs out",
    Reminders.DAILY: "every day",
    Reminders.OFF: "never",
}
_TAKE_BACKS: Final[Mapping[str, str]] = {_YES: "opponents can ask", _NO: "never"}
_NUDGES: Final[Mapping[str, str]] = {_YES: "from waiting players", _NO: "from nobody"}
_DAILY_HOURS: Final = {_OFF: "no reminder", **{f"{hour}:00": f"a reminder at {hour}:00" for hour in range(24)}}
_CONFIRMATIONS: Final[Mapping[str, str]] = {_YES: "ask first", _NO: "don't ask"}
_DRAWING: Final[Mapping[str, str]] = {_YES: "unless the discard helps you", _NO: "never"}
_THEMES: Final = {f"{theme}-{colours}": (theme, colours) for theme, colours in product(THEMES, ("two", "four"))}
THEME_LABELS: Final = {value: f"{theme}, suits in {colours} colours" for value, (theme, colours) in _THEMES.items()}
_THEMES_OR_NONE: Final = THEME_LABELS | {NO_PICTURES: "none, text only"}
LANGUAGES: Final = {
    code: f"{names.language}, {' '.join(names.letters[at] for at in (0, 3, 2, 1))}" for code, names in NAMES.items()
}

DMS_CLOSED: Final = (
    "I can't send you DMs. To get them, allow direct messages in this server's *Privacy Settings* in Discord, then "
    "press *Try again*. Until then, press *My hand* at the table."
)
_IN_UTC: Final = f"Hours are in {UTC_NAME}. To change that, use the option `time_zone` of `/gin me preferences`."
_ALLOW_DMS: Final = (
    "To get reminders, allow direct messages in this server's *Privacy Settings* in Discord, then choose an hour."
)
_OPEN_DM: Final = (
    "I only remind you in a DM that's already open. To open one, use `/gin me preferences` in a DM with me and choose "
    "the hour there."
)
_PINGED: Final = "You don't get your hand by DM, so I'll ping you in the channel when it's your turn."
_FOR_ALL: Final = "-# In public messages, the server's settings decide how cards look."


@dataclass(frozen=True, slots=True)
class Preference:
    """One of a person's preferences.

    `labels` are the values of its menu with their labels. `value` returns the current value. `change` returns
    preferences with another value. `about` is an optional explanation.
    """

    name: str
    labels: Mapping[str, str]
    value: Callable[[Preferences], str]
    change: Callable[[Preferences, str], Preferences]
    about: str = ""


PREFERENCES: Final[Mapping[Action, Preference]] = {
    Action.PREFER_HAND: Preference(
        "My hand",
        _HAND,
        lambda now: _YES if now.hand_by_dm else _NO,
        lambda now, value: replace(now, hand_by_dm=value == _YES),
    ),
    Action.PREFER_PUSH: Preference(
        "My turn", _PUSH, lambda now: now.push, lambda now, value: replace(now, push=Push(value))
    ),
    Action.PREFER_CHALLENGERS: Preference(
        "Challenges",
        _CHALLENGERS,
        lambda now: now.challengers,
        lambda now, value: replace(now, challengers=Challengers(value)),
        "Who can challenge you by name.",
    ),
    Action.PREFER_PROFILE: Preference(
        "My profile",
        _PROFILE,
        lambda now: now.shows_profile_to,
        lambda now, value: replace(now, shows_profile_to=ShowsProfileTo(value)),
        "Who can see your `/gin-stats profile`, `versus` and `history`. Leaderboards, records and daily deals always "
        "name you.",
    ),
    Action.PREFER_AVATAR: Preference(
        "My avatar",
        _AVATAR,
        lambda now: _YES if now.shows_avatar else _NO,
        lambda now, value: replace(now, shows_avatar=value == _YES),
        "Pictures of tables and results show your Discord avatar. If you hide it, they show your initial.",
    ),
    Action.PREFER_APPEARANCE: Preference(
        "Pictures",
        _THEMES_OR_NONE,
        lambda now: theme_value(now.appearance) if now.pictures else NO_PICTURES,
        lambda now, value: (
            replace(now, pictures=False)
            if value == NO_PICTURES
            else replace(now, pictures=True, appearance=with_theme(now.appearance, value))
        ),
    ),
    Action.PREFER_ORDER: Preference(
        "Order of my cards",
        _ORDERS,
        lambda now: now.hand_order,
        lambda now, value: replace(now, hand_order=HandOrder(value)),
    ),
    Action.PREFER_LANGUAGE: Preference(
        "Names of cards",
        LANGUAGES,
        lambda now: language_of(now.appearance),
        lambda now, value: replace(now, appearance=replace(now.appearance, language=value)),
    ),
    Action.PREFER_CONFIRMATIONS: Preference(
        "Before costly moves",
        _CONFIRMATIONS,
        lambda now: _YES if now.confirmations else _NO,
        lambda now, value: replace(now, confirmations=value == _YES),
        "Buttons ask you to confirm before you pass up gin, break up a meld with no gain, lay off a card from your "
        "own melds or skip a lay-off. Slash commands never ask.",
    ),
    Action.PREFER_DRAWING: Preference(
        "Draw for me",
        _DRAWING,
        lambda now: _YES if now.draws_for_me else _NO,
        lambda now, value: replace(now, draws_for_me=value == _YES),
        "At the start of your turn, I draw from the stock for you, unless the discard makes or extends a meld or lets "
        "you knock.",
    ),
    Action.PREFER_REMINDERS: Preference(
        "Reminders",
        _REMINDERS,
        lambda now: now.reminders,
        lambda now, value: replace(now, reminders=Reminders(value)),
        "With a clock, you get one reminder before your time is up. With a live clock, you get no reminders. Without a "
        "clock, you get a reminder after two days and then weekly, up to four in all.",
    ),
    Action.PREFER_TAKE_BACKS: Preference(
        "Take-backs",
        _TAKE_BACKS,
        lambda now: _YES if now.take_backs else _NO,
        lambda now, value: replace(now, take_backs=value == _YES),
        "An opponent can ask you once in a deal to let them take back a discard. You can't allow it once you've drawn "
        "a card, or I've drawn one for you.",
    ),
    Action.PREFER_NUDGES: Preference(
        "Nudges",
        _NUDGES,
        lambda now: _YES if now.nudges else _NO,
        lambda now, value: replace(now, nudges=value == _YES),
        "A player who has waited a day for you can nudge you once a day.",
    ),
    Action.PREFER_DAILY: Preference(
        "Deal of the day",
        _DAILY_HOURS,
        lambda now: _OFF if now.daily_hour is None else f"{now.daily_hour}:00",
        lambda now, value: replace(now, daily_hour=None if value == _OFF else int(value.removesuffix(":00"))),
        "I remind you by DM in the hour that you choose, unless you've finished the day's deal.",
    ),
}
"""A person's preferences in display order. The keys are the actions of the menus that change them."""

OTHER_ENTRIES: Final = {
    Action.PREFER_QUIET_HOURS: "Quiet hours",
    Action.TAKE_HOLIDAY: "Holiday",
    Action.CHANGE_BLOCKED: "Blocked people",
}
"""The names of further entries in the menu of preferences, by action. Their panels are in modules of their own."""

VALUES_WITH_DMS: Final = (
    *((Action.PREFER_HAND, _YES), (Action.PREFER_PUSH, Push.DM), (Action.PREFER_PUSH, Push.BOTH)),
    *((Action.PREFER_DAILY, value) for value in _DAILY_HOURS if value != _OFF),
)
"""Pairs of a preference and a value that turns on direct messages."""


def preferences_panel(
    settings: PersonalSettings,
    notice: str | None = None,
    *,
    opened: Action | None = None,
    picture: Picture | None = None,
) -> Message:
    """Return a person's preferences with a menu to open one. If one is `opened`, return only that preference.

    The `picture` shows the values of an opened preference.
    """
    now, until = settings.preferences, settings.away_until
    if opened is not None:
        shown = PREFERENCES[opened]
        chosen = value_menu(Subject.SELF, opened, shown.labels, shown.value(now), f"{shown.name} …")
        text = "\n".join(filter(None, (shown.about, f"Now: {_value_text(opened, settings)}")))
        help_text = _daily_help(settings) if opened is Action.PREFER_DAILY else None
        return preference_panel(shown.name, [text, help_text], [chosen], notice, picture=picture)
    try_again = button(Subject.SELF, 0, Action.TRY_DMS, "Try again", discord.ButtonStyle.primary)
    lines = [f"**{preference.name}:** {_value_text(action, settings)}" for action, preference in PREFERENCES.items()]
    lines.append(f"**Quiet hours:** {clocks.quiet_hours(now.quiet)}")
    if until is None:
        lines.append("**Holiday:** none")
    lines.append(f"**Blocked people:** {settings.blocked or 'none'}")
    return message(
        Accent.WAITING,
        "\n".join(lines),
        None if until is None else WithButton(holidays.away(until), end_holiday_button(Action.OPEN_PREFERENCE)),
        WithButton(DMS_CLOSED, try_again) if settings.dm_works is False and now.hand_by_dm else None,
        _PINGED if not now.hand_by_dm and now.push in (Push.DM, Push.BOTH) else None,
        _FOR_ALL,
        title=_PREFERENCES_TITLE,
        notice=notice,
        rows=[
            change_menu(
                Subject.SELF,
                Action.OPEN_PREFERENCE,
                {action: preference.name for action, preference in PREFERENCES.items()} | OTHER_ENTRIES,
            )
        ],
    )


def _value_text(action: Action, settings: PersonalSettings) -> str:
    """Return the label of a preference's current value. For a reminder, add its time zone, or why it does not come."""
    now, preference = settings.preferences, PREFERENCES[action]
    label = preference.labels[preference.value(now)]
    if action is not Action.PREFER_DAILY:
        return label
    if now.daily_hour is None:
        return f"{label}, because I can't send you DMs" if settings.dm_works is False else label
    if is_quiet(now.daily_hour, now.quiet):
        return f"{label}, but that's in your quiet hours"
    zone = f" {UTC_NAME}" if now.quiet.time_zone is None else ""
    return f"{label}{zone}{', once you open a DM with me' if settings.dm_works is None else ''}"


def _daily_help(settings: PersonalSettings) -> str:
    """Explain the time zone of the reminder of the deal of the day, and how to get it if no direct message is open."""
    zone = settings.preferences.quiet.time_zone
    lines = [_IN_UTC if zone is None else f"Time zone: {zone}"]
    if settings.dm_works is not True:
        lines.append(_OPEN_DM if settings.dm_works is None else _ALLOW_DMS)
    return "\n".join(lines)


def preference_panel(
    name: str,
    facts: Iterable[Fact | None],
    rows: Iterable[Row],
    notice: str | None = None,
    *,
    beside_back: Item | None = None,
    picture: Picture | None = None,
) -> Message:
    """Return the message that changes one of a person's preferences, with a *Back* button."""
    title = f"{_PREFERENCES_TITLE} · {name}"
    return entry_panel(
        title, facts, rows, Subject.SELF, Action.OPEN_PREFERENCE, notice, beside_back=beside_back, picture=picture
    )


def entry_panel(
    title: str,
    facts: Iterable[Fact | None],
    rows: Iterable[Row],
    subject: Subject,
    back: Action,
    notice: str | None = None,
    *,
    beside_back: Item | None = None,
    picture: Picture | None = None,
) -> Message:
    """Return the message that changes one preference or setting, with a *Back* button."""
    last = [beside_back, button(subject, 0, back, _BACK)]
    return message(Accent.WAITING, *facts, title=title, notice=notice, picture=picture, rows=[*rows, last])


def change_menu(subject: Subject, action: Action, choices: Mapping[Action, str]) -> Row:
    """Return the menu that opens a preference or setting."""
    options = [discord.SelectOption(label=name, value=opens) for opens, name in choices.items()]
    return [menu(subject, 0, action, CHANGE, options)]


def value_menu(subject: Subject, action: Action, labels: Mapping[str, str], chosen: str, placeholder: str) -> Row:
    options = [
        discord.SelectOption(label=label[0].upper() + label[1:], value=value, default=value == chosen)
        for value, label in labels.items()
    ]
    return [menu(subject, 0, action, placeholder, options)]


def theme_value(appearance: Appearance) -> str:
    """Return the menu's value for an appearance. A theme that no longer exists counts as the default."""
    theme = appearance.theme if appearance.theme in THEMES else DEFAULT_APPEARANCE.theme
    return f"{theme}-{'four' if appearance.four_colours else 'two'}"


def with_theme(appearance: Appearance, value: str) -> Appearance:
    theme, colours = _THEMES[value]
    return replace(appearance, theme=theme, four_colours=colours == "four")


def language_of(appearance: Appearance) -> str:
    return appearance.language if appearance.language in NAMES else DEFAULT_APPEARANCE.language
