"""The message with a server's settings, and the menus that change them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.engine.rules import PRESETS, Rules
from bot.model.clocks import Clock
from bot.model.guilds import GuildSettings, MatchHome, NamedRules
from bot.model.ids import ChannelId
from bot.model.seasons import Seasons
from cardart.text.seasons import season_in_sentence
from cogs.actions import Action, Subject
from cogs.kit.components import channel_menu, menu
from cogs.kit.layout import Accent, Item, Picture, Row, message
from cogs.kit.messages import Message
from cogs.people.preferences_panel import (
    LANGUAGES,
    THEME_LABELS,
    change_menu,
    entry_panel,
    language_of,
    theme_value,
    value_menu,
    with_theme,
)
from cogs.rules.rules_panel import clock_options, rules_menus, rules_option
from cogs.words import clocks
from cogs.words.names import joined
from cogs.words.rules import bold

_NO_TARGET: Final = "default"
SEASON_CHANNEL_PLACEHOLDER: Final = "Channel for season results"
DAILY_CHANNEL_PLACEHOLDER: Final = "Channel for the deal of the day"
CHANNELS_PLACEHOLDER: Final = "Allowed channels; leave empty to allow all"
_TARGETS: Final = {_NO_TARGET: "set by the rules"} | {
    str(target): f"{target} points" for target in (10, 25, 50, 100, 150, 200, 250, 500)
}
_HOMES: Final[Mapping[str, str]] = {
    MatchHome.THREAD: "in a thread for each match",
    MatchHome.CHANNEL: "in the channel",
}
_SEASONS: Final[Mapping[str, str]] = {
    Seasons.NONE: "none",
    Seasons.MONTHLY: "monthly",
    Seasons.QUARTERLY: "quarterly",
}
_HOURS: Final[Mapping[str, str]] = {str(hour): clocks.hour(60 * hour) for hour in range(24)}


def _with_daily_hour(now: GuildSettings, values: tuple[str, ...]) -> GuildSettings:
    return replace(now, daily_hour=int(values[0]))


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
        lambda now, _: [value_menu(Subject.SERVER, Action.SET_TARGET, _TARGETS, _target(now), "Target …")],
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
        "Available rules",
        lambda now: joined(now.offered) or "all",
        lambda now, _: [_offer_menu(now)],
        PRESETS,
        lambda now, values: replace(now, offered=() if {*values} == {*PRESETS} else values),
    ),
    Action.SET_CHANNELS: Setting(
        "Allowed channels",
        lambda now: joined([f"<#{channel}>" for channel in now.channels]) or "all",
        lambda now, _: [[channel_menu(Subject.SERVER, Action.SET_CHANNELS, CHANNELS_PLACEHOLDER, now.channels)]],
        None,
        lambda now, values: replace(now, channels=tuple(ChannelId(int(value)) for value in values)),
    ),
    Action.SET_HOME: Setting(
        "Where matches are played",
        lambda now: _HOMES[now.match_home],
        lambda now, _: [value_menu(Subject.SERVER, Action.SET_HOME, _HOMES, now.match_home, "Where …")],
        _HOMES,
        lambda now, values: replace(now, match_home=MatchHome(values[0])),
        "With threads, the channel keeps only a card with the score and a line that seals the shuffles. If I can't "
        "open a thread, the match is played in the channel. A second match there always gets a thread.",
    ),
    Action.SET_APPEARANCE: Setting(
        "Pictures",
        lambda now: THEME_LABELS[theme_value(now.appearance)],
        lambda now, _: [
            value_menu(Subject.SERVER, Action.SET_APPEARANCE, THEME_LABELS, theme_value(now.appearance), "Pictures …")
        ],
        THEME_LABELS,
        lambda now, values: replace(now, appearance=with_theme(now.appearance, values[0])),
    ),
    Action.SET_SEASONS: Setting(
        "Seasons",
        lambda now: _SEASONS[now.seasons] + (f" ({now.time_zone})" if now.seasons is not Seasons.NONE else ""),
        lambda now, _: [value_menu(Subject.SERVER, Action.SET_SEASONS, _SEASONS, now.seasons, "Seasons …")],
        _SEASONS,
        lambda now, values: replace(now, seasons=Seasons(values[0])),
        "Each season has its own leaderboard, ranked by matches won. Seasons start and end at midnight in the "
        "server's time zone, which you can change with `/gin-admin time_zone`. The first season counts matches that "
        "end after you turn seasons on.",
    ),
    Action.SET_SEASON_CHANNEL: Setting(
        "Season results",
        lambda now: "only on the leaderboard" if now.season_channel is None else f"posted in <#{now.season_channel}>",
        lambda now, _: [
            [_post_channel_menu(Action.SET_SEASON_CHANNEL, SEASON_CHANNEL_PLACEHOLDER, now.season_channel)]
        ],
        None,
        lambda now, values: replace(now, season_channel=ChannelId(int(values[0])) if values else None),
        "After each season, I post the top three players, and who had the most gins, the best streak and the "
        "largest deal.",
    ),
    Action.SET_DAILY_CHANNEL: Setting(
        "Deal of the day",
        lambda now: _daily_text(now),
        lambda now, _: _daily_menus(now),
        None,
        lambda now, values: replace(now, daily_channel=ChannelId(int(values[0])) if values else None),
        "Every day, I post a deal that is the same for everyone. People can play it until midnight UTC; then the post "
        "becomes the result. Choose the hour, in the server's time zone (`/gin-admin time_zone`), then the channel. If "
        "the hour has passed, I post today's deal within a minute. To stop, clear the channel.",
    ),
    Action.SET_LANGUAGE: Setting(
        "Names of cards",
        lambda now: LANGUAGES[language_of(now.appearance)],
        lambda now, _: [
            value_menu(Subject.SERVER, Action.SET_LANGUAGE, LANGUAGES, language_of(now.appearance), "Names of cards …")
        ],
        LANGUAGES,
        lambda now, values: replace(now, appearance=replace(now.appearance, language=values[0])),
    ),
}
"""A server's settings in display order. The keys are the actions of the menus that change them."""

FURTHER_MENUS: Final[Mapping[Action, Action]] = {Action.SET_DAILY_HOUR: Action.SET_DAILY_CHANNEL}
"""The actions of menus that a setting has in addition, each with the action of the setting."""

CHANGES: Final[Mapping[Action, Setting]] = SETTINGS | {
    Action.SET_DAILY_HOUR: replace(
        SETTINGS[Action.SET_DAILY_CHANNEL],
        values=_HOURS,
        change=_with_daily_hour,
    )
}
"""For the action of each menu, the setting with the change that the menu makes."""


def server_panel(
    now: GuildSettings,
    offered: Sequence[NamedRules],
    notice: str | None = None,
    *,
    opened: Action | None = None,
    picture: Picture | None = None,
) -> Message:
    """Return a server's settings with a menu to open one of them. If a setting is `opened`, return only that one.

    The `picture` shows the values of an opened setting.
    """
    title = "Gin rummy on this server"
    if opened is not None:
        shown = SETTINGS[opened]
        text = "\n".join(filter(None, (shown.about, f"Now: {shown.text(now)}")))
        rows = shown.rows(now, offered)
        name = f"{title} · {shown.name}"
        return entry_panel(name, [text], rows, Subject.SERVER, Action.OPEN_SETTING, notice, picture=picture)
    lines = [f"**{setting.name}:** {setting.text(now)}" for setting in SETTINGS.values()]
    house_rules = joined([bold(named_rules.name) for named_rules in offered if named_rules.house]) or "none"
    return message(
        Accent.WAITING,
        "\n".join(lines),
        f"**House rules:** {house_rules}. Manage them with `/gin-admin rules`.",
        title=title,
        notice=notice,
        rows=[
            change_menu(
                Subject.SERVER, Action.OPEN_SETTING, {action: setting.name for action, setting in SETTINGS.items()}
            )
        ],
    )


COUNTS_FROM_TOMORROW: Final = "Today's deal has already been posted, so its post changes from tomorrow."
"""The notice after a change of the channel or the hour of the deal of the day."""


def season_begins(key: str) -> str:
    """Say which matches count in a season that a manager has just turned on: none that have ended."""
    return f"Matches that end from now on count in {season_in_sentence(key)}."


def _daily_text(now: GuildSettings) -> str:
    if now.daily_channel is None:
        return "not posted"
    return f"posted in <#{now.daily_channel}> at {_HOURS[str(now.daily_hour)]} ({now.time_zone})"


def _daily_menus(now: GuildSettings) -> list[Row]:
    """Return the menus of the hour and the channel.

    The hour comes first: once there is a channel, the deal is posted as soon as the hour has passed.
    """
    return [
        value_menu(Subject.SERVER, Action.SET_DAILY_HOUR, _HOURS, str(now.daily_hour), "Hour of the post …"),
        [_post_channel_menu(Action.SET_DAILY_CHANNEL, DAILY_CHANNEL_PLACEHOLDER, now.daily_channel)],
    ]


def _post_channel_menu(action: Action, placeholder: str, chosen: ChannelId | None) -> Item:
    types = (discord.ChannelType.text, discord.ChannelType.news)
    return channel_menu(Subject.SERVER, action, placeholder, () if chosen is None else (chosen,), 1, types)


def _offer_menu(now: GuildSettings) -> Row:
    presets = [rules_option(name, Rules.parse(name), chosen=not now.offered or name in now.offered) for name in PRESETS]
    return [menu(Subject.SERVER, 0, Action.SET_OFFERED, "Available rules …", presets, max_values=len(presets))]


def _target(now: GuildSettings) -> str:
    return _NO_TARGET if now.target is None else str(now.target)
