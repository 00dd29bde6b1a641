"""The messages with a person's preferences and a server's settings.

Each has a line for every entry and one menu, *Change …*. Choosing an entry there opens it in the same message, with a
menu of its values and a *Back* button.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import discord

from bot.engine.rules import PRESETS, Rules
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance, HandOrder
from bot.model.clocks import Clock
from bot.model.guilds import GuildSettings, NamedRules
from bot.model.ids import ChannelId
from bot.model.people import Challengers, Preferences, Push, Reminders, ShowsProfileTo
from bot.model.seasons import Seasons
from bot.play.people.people import PersonalSettings
from cardart import THEMES
from cardart.text.card_names import NAMES
from cogs.kit.actions import Action, Subject
from cogs.kit.components import button, channel_menu, menu
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, Fact, Item, Row, WithButton, message
from cogs.panels.rules import clock_options, rules_menus, rules_option
from cogs.text import clocks, holidays
from cogs.text.people import joined
from cogs.text.rules import bold

CHANGE: Final = "Change …"
_PREFERENCES_TITLE: Final = "Your preferences"
_BACK: Final = "Back"
_YES: Final = "yes"
_NO: Final = "no"
NO_PICTURES: Final = "none"
_NO_TARGET: Final = "default"
SEASON_CHANNEL_PLACEHOLDER: Final = "Channel for results: choose one, or none"
CHANNELS_PLACEHOLDER: Final = "Channels to play in: choose some, or none for all"

_HAND: Final[Mapping[str, str]] = {_YES: "by direct message", _NO: "only when I ask"}
_PUSH: Final[Mapping[str, str]] = {
    Push.DM: "a direct message",
    Push.CHANNEL: "a ping in the channel",
    Push.BOTH: "a direct message and a ping",
    Push.NONE: "no notification",
}
_CHALLENGERS: Final[Mapping[str, str]] = {
    Challengers.ANYONE: "from anyone",
    Challengers.PLAYED: "from people I have played with",
    Challengers.NOBODY: "from nobody",
}
_PROFILE: Final[Mapping[str, str]] = {
    ShowsProfileTo.EVERYONE: "for everyone on a server",
    ShowsProfileTo.PLAYED: "for people I have played with",
}
_ORDERS: Final[Mapping[str, str]] = {
    HandOrder.MELDS: "by melds",
    HandOrder.SUIT: "by suit",
    HandOrder.RANK: "by rank",
}
_REMINDERS: Final[Mapping[str, str]] = {
    Reminders.USUAL: "before my time is up",
    Reminders.DAILY: "every day",
    Reminders.OFF: "never",
}
_NUDGES: Final[Mapping[str, str]] = {_YES: "from those who wait for me", _NO: "from nobody"}
_CONFIRMATIONS: Final[Mapping[str, str]] = {_YES: "ask me first", _NO: "do not ask"}
_TARGETS: Final = {_NO_TARGET: "as the rules say"} | {
    str(target): f"{target} points" for target in (10, 25, 50, 100, 150, 200, 250, 500)
}
_SEASONS: Final[Mapping[str, str]] = {
    Seasons.NONE: "none",
    Seasons.MONTHLY: "monthly",
    Seasons.QUARTERLY: "quarterly",
}
_THEMES: Final = {f"{theme}-{colours}": (theme, colours) for theme, colours in product(THEMES, ("two", "four"))}
_THEME_LABELS: Final = {value: f"{theme}, suits in {colours} colours" for value, (theme, colours) in _THEMES.items()}
_THEMES_OR_NONE: Final = _THEME_LABELS | {NO_PICTURES: "none, text only"}
_LANGUAGES: Final = {
    code: f"{names.language}, {' '.join(names.letters[at] for at in (0, 3, 2, 1))}" for code, names in NAMES.items()
}

DMS_CLOSED: Final = (
    "I cannot send you direct messages, so use *My hand* at the table instead. To change that, open this server's "
    "*Privacy Settings* in Discord, allow direct messages from its members, and press *Try again now*."
)
_PINGED: Final = (
    "You chose not to get your hand by direct message. A message about your turn would contain it, so you are pinged "
    "in the channel instead."
)
_FOR_ALL: Final = "-# What everybody sees follows the server's settings."


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
        "This is about challenges that name you. An open challenge is for everyone, and you decide whether to accept.",
    ),
    Action.PREFER_PROFILE: Preference(
        "My profile",
        _PROFILE,
        lambda now: now.shows_profile_to,
        lambda now, value: replace(now, shows_profile_to=ShowsProfileTo(value)),
        "This is who may use `/gin-stats profile`, `versus` and `history` about you. Leaderboards and server records "
        "name you either way.",
    ),
    Action.PREFER_APPEARANCE: Preference(
        "Pictures",
        _THEMES_OR_NONE,
        lambda now: _theme(now.appearance) if now.pictures else NO_PICTURES,
        lambda now, value: (
            replace(now, pictures=False)
            if value == NO_PICTURES
            else replace(now, pictures=True, appearance=_with_theme(now.appearance, value))
        ),
    ),
    Action.PREFER_ORDER: Preference(
        "Order of my hand",
        _ORDERS,
        lambda now: now.hand_order,
        lambda now, value: replace(now, hand_order=HandOrder(value)),
    ),
    Action.PREFER_LANGUAGE: Preference(
        "Names of cards",
        _LANGUAGES,
        lambda now: _language(now.appearance),
        lambda now, value: replace(now, appearance=replace(now.appearance, language=value)),
    ),
    Action.PREFER_CONFIRMATIONS: Preference(
        "Before costly moves",
        _CONFIRMATIONS,
        lambda now: _YES if now.confirmations else _NO,
        lambda now, value: replace(now, confirmations=value == _YES),
        "A button asks you to confirm when you have gin but would discard or knock, when you would lay nothing off "
        "although a card fits, and when you would lay off a card that your own melds need. Slash commands never ask.",
    ),
    Action.PREFER_REMINDERS: Preference(
        "Reminders",
        _REMINDERS,
        lambda now: now.reminders,
        lambda now, value: replace(now, reminders=Reminders(value)),
        "Reminders reach you the same way as news of your turn. With a clock, you get one before your time is up; "
        "without a clock, one after two days and then one a week, four at most. Matches with a live clock have none.",
    ),
    Action.PREFER_NUDGES: Preference(
        "Nudges",
        _NUDGES,
        lambda now: _YES if now.nudges else _NO,
        lambda now, value: replace(now, nudges=value == _YES),
        "Somebody who has waited for you for a day may nudge you, once a day.",
    ),
}
"""A person's preferences in display order. The keys are the actions of the menus that change them."""

TIME_PREFERENCES: Final = {Action.PREFER_QUIET_HOURS: "Quiet hours", Action.TAKE_HOLIDAY: "Holiday"}
"""The names of further entries in the menu of preferences, by action. Their panels are in `own_times.py`."""

VALUES_WITH_DMS: Final = ((Action.PREFER_HAND, _YES), (Action.PREFER_PUSH, Push.DM), (Action.PREFER_PUSH, Push.BOTH))
"""Pairs of a preference and a value by which a person asks for direct messages."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One of a server's settings.

    `text` returns the current value in words. `rows` returns the menus that change it. `values` are the values of those
    menus, or None if they depend on the server. `change` returns settings with other values. `about` is an optional
    explanation.
    """

    name: str
    text: Callable[[GuildSettings], str]
    rows: Callable[[GuildSettings, Sequence[NamedRules]], Iterable[Row]]
    values: Collection[str] | None
    change: Callable[[GuildSettings, tuple[str, ...]], GuildSettings]
    about: str = ""


SETTINGS: Final[Mapping[Action, Setting]] = {
    Action.SET_RULES: Setting(
        "Default rules",
        lambda now: now.rules,
        lambda now, offered: rules_menus(Subject.SERVER, Action.SET_RULES, offered, now.rules),
        None,
        lambda now, values: replace(now, rules=values[0]),
    ),
    Action.SET_TARGET: Setting(
        "Target",
        lambda now: _TARGETS.get(_target(now), f"{now.target} points"),
        lambda now, _: [_menu(Subject.SERVER, Action.SET_TARGET, _TARGETS, _target(now), "Target …")],
        _TARGETS,
        lambda now, values: replace(now, target=None if values[0] == _NO_TARGET else int(values[0])),
    ),
    Action.SET_CLOCK: Setting(
        "Clock",
        lambda now: clocks.with_ending(now.clock),
        lambda now, _: [[menu(Subject.SERVER, 0, Action.SET_CLOCK, "Clock …", clock_options(now.clock))]],
        [str(usual_clock) for usual_clock in clocks.usual_clocks()],
        lambda now, values: replace(now, clock=Clock.parse(values[0])),
    ),
    Action.SET_OFFERED: Setting(
        "Presets on offer",
        lambda now: joined(now.offered) or "all",
        lambda now, _: [_offer_menu(now)],
        PRESETS,
        lambda now, values: replace(now, offered=() if {*values} == {*PRESETS} else values),
    ),
    Action.SET_CHANNELS: Setting(
        "Channels to play in",
        lambda now: joined([f"<#{channel}>" for channel in now.channels]) or "all",
        lambda now, _: [[channel_menu(Subject.SERVER, Action.SET_CHANNELS, CHANNELS_PLACEHOLDER, now.channels)]],
        None,
        lambda now, values: replace(now, channels=tuple(ChannelId(int(value)) for value in values)),
    ),
    Action.SET_APPEARANCE: Setting(
        "Pictures",
        lambda now: _THEME_LABELS[_theme(now.appearance)],
        lambda now, _: [
            _menu(Subject.SERVER, Action.SET_APPEARANCE, _THEME_LABELS, _theme(now.appearance), "Pictures …")
        ],
        _THEME_LABELS,
        lambda now, values: replace(now, appearance=_with_theme(now.appearance, values[0])),
    ),
    Action.SET_SEASONS: Setting(
        "Seasons",
        lambda now: _SEASONS[now.seasons] + (f" ({now.time_zone})" if now.seasons is not Seasons.NONE else ""),
        lambda now, _: [_menu(Subject.SERVER, Action.SET_SEASONS, _SEASONS, now.seasons, "Seasons …")],
        _SEASONS,
        lambda now, values: replace(now, seasons=Seasons(values[0])),
        "Each season has a leaderboard of its own. It begins and ends at midnight in the server's time zone, which "
        "`/gin-admin time_zone` sets.",
    ),
    Action.SET_SEASON_CHANNEL: Setting(
        "Results of seasons",
        lambda now: "only on the leaderboard" if now.season_channel is None else f"posted in <#{now.season_channel}>",
        lambda now, _: [[_season_channel_menu(now)]],
        None,
        lambda now, values: replace(now, season_channel=ChannelId(int(values[0])) if values else None),
        "When a season is over, I post its leaders, and the players with the most gins, the longest streak and the "
        "largest deal.",
    ),
    Action.SET_LANGUAGE: Setting(
        "Names of cards",
        lambda now: _LANGUAGES[_language(now.appearance)],
        lambda now, _: [
            _menu(Subject.SERVER, Action.SET_LANGUAGE, _LANGUAGES, _language(now.appearance), "Names of cards …")
        ],
        _LANGUAGES,
        lambda now, values: replace(now, appearance=replace(now.appearance, language=values[0])),
    ),
}
"""A server's settings in display order. The keys are the actions of the menus that change them."""


def preferences_panel(
    settings: PersonalSettings, notice: str | None = None, *, opened: Action | None = None
) -> Message:
    """Return a person's preferences with a menu to open one. If one is `opened`, return only that preference."""
    now, until = settings.preferences, settings.away_until
    if opened is not None:
        shown = PREFERENCES[opened]
        chosen = _menu(Subject.SELF, opened, shown.labels, shown.value(now), f"{shown.name} …")
        text = "\n".join(filter(None, (shown.about, f"Now: {shown.labels[shown.value(now)]}")))
        return preference_panel(shown.name, [text], [chosen])
    try_again = button(Subject.SELF, 0, Action.TRY_DMS, "Try again now", discord.ButtonStyle.primary)
    lines = [
        f"**{preference.name}:** {preference.labels[preference.value(now)]}" for preference in PREFERENCES.values()
    ]
    lines.append(f"**Quiet hours:** {clocks.quiet_hours(now.quiet)}")
    if until is None:
        lines.append("**Holiday:** none")
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
            _change_menu(
                Subject.SELF,
                Action.OPEN_PREFERENCE,
                {action: preference.name for action, preference in PREFERENCES.items()} | TIME_PREFERENCES,
            )
        ],
    )


def end_holiday_button(shown: Action | None = None) -> Item:
    """Return the button that ends a person's holiday. `shown` is the panel of preferences to show next, if any."""
    return button(Subject.SELF, 0, Action.COME_BACK, "I'm back", argument=shown)


def preference_panel(
    name: str,
    facts: Iterable[Fact | None],
    rows: Iterable[Row],
    notice: str | None = None,
    *,
    beside_back: Item | None = None,
) -> Message:
    """Return the message that changes one of a person's preferences, with a *Back* button."""
    title = f"{_PREFERENCES_TITLE} · {name}"
    return _entry_panel(title, facts, rows, Subject.SELF, Action.OPEN_PREFERENCE, notice, beside_back=beside_back)


def server_panel(
    now: GuildSettings, offered: Sequence[NamedRules], notice: str | None = None, *, opened: Action | None = None
) -> Message:
    """Return a server's settings with a menu to open one. If one is `opened`, return only that setting."""
    title = "Gin rummy on this server"
    if opened is not None:
        shown = SETTINGS[opened]
        text = "\n".join(filter(None, (shown.about, f"Now: {shown.text(now)}")))
        rows = shown.rows(now, offered)
        return _entry_panel(f"{title} · {shown.name}", [text], rows, Subject.SERVER, Action.OPEN_SETTING)
    lines = [f"**{setting.name}:** {setting.text(now)}" for setting in SETTINGS.values()]
    house_rules = joined([bold(named_rules.name) for named_rules in offered if named_rules.house]) or "none"
    return message(
        Accent.WAITING,
        "\n".join(lines),
        f"**House rules:** {house_rules}. `/gin-admin rules` manages them.",
        title=title,
        notice=notice,
        rows=[
            _change_menu(
                Subject.SERVER, Action.OPEN_SETTING, {action: setting.name for action, setting in SETTINGS.items()}
            )
        ],
    )


def _entry_panel(
    title: str,
    facts: Iterable[Fact | None],
    rows: Iterable[Row],
    subject: Subject,
    back: Action,
    notice: str | None = None,
    *,
    beside_back: Item | None = None,
) -> Message:
    """Return the message that changes one preference or setting, with a *Back* button."""
    last = [beside_back, button(subject, 0, back, _BACK)]
    return message(Accent.WAITING, *facts, title=title, notice=notice, rows=[*rows, last])


def _change_menu(subject: Subject, action: Action, choices: Mapping[Action, str]) -> Row:
    """Return the menu that opens a preference or setting."""
    options = [discord.SelectOption(label=name, value=opens) for opens, name in choices.items()]
    return [menu(subject, 0, action, CHANGE, options)]


def _menu(subject: Subject, action: Action, labels: Mapping[str, str], chosen: str, placeholder: str) -> Row:
    options = [
        discord.SelectOption(label=label[0].upper() + label[1:], value=value, default=value == chosen)
        for value, label in labels.items()
    ]
    return [menu(subject, 0, action, placeholder, options)]


def _season_channel_menu(now: GuildSettings) -> discord.ui.ChannelSelect[Any]:
    chosen = () if now.season_channel is None else (now.season_channel,)
    types = (discord.ChannelType.text, discord.ChannelType.news)
    return channel_menu(Subject.SERVER, Action.SET_SEASON_CHANNEL, SEASON_CHANNEL_PLACEHOLDER, chosen, 1, types)


def _offer_menu(now: GuildSettings) -> Row:
    presets = [rules_option(name, Rules.parse(name), chosen=not now.offered or name in now.offered) for name in PRESETS]
    return [menu(Subject.SERVER, 0, Action.SET_OFFERED, "Presets to offer …", presets, max_values=len(presets))]


def _target(now: GuildSettings) -> str:
    return _NO_TARGET if now.target is None else str(now.target)


def _theme(appearance: Appearance) -> str:
    """Return the menu's value for an appearance. A theme that no longer exists counts as the default."""
    theme = appearance.theme if appearance.theme in THEMES else DEFAULT_APPEARANCE.theme
    return f"{theme}-{'four' if appearance.four_colours else 'two'}"


def _with_theme(appearance: Appearance, value: str) -> Appearance:
    theme, colours = _THEMES[value]
    return replace(appearance, theme=theme, four_colours=colours == "four")


def _language(appearance: Appearance) -> str:
    return appearance.language if appearance.language in NAMES else DEFAULT_APPEARANCE.language
