"""The messages with a person's preferences and a server's settings, and what choosing in their menus changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

import discord

from bot.engine.rules import PRESETS, Rules
from bot.play.people.people import PersonalSettings
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance, HandOrder
from bot.values.guilds import GuildSettings, NamedRules
from bot.values.ids import ChannelId
from bot.values.people import Challengers, Preferences, Push
from cardart import THEMES
from cardart.text.card_names import NAMES
from cogs.kit.actions import Action, Subject
from cogs.kit.components import channel_menu, menu
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, Row, message
from cogs.panels.rules import rules_menus, rules_option
from cogs.text.people import joined

_YES: Final = "yes"
_NO: Final = "no"
NO_PICTURES: Final = "none"
_NO_TARGET: Final = "default"
CHANNELS_PLACEHOLDER: Final = "Channels to play in: choose some, or none for all"

_HAND: Final[Mapping[str, str]] = {_YES: "My hand: by direct message", _NO: "My hand: only when I ask"}
_PUSH: Final[Mapping[str, str]] = {
    Push.DM: "My turn: a direct message",
    Push.CHANNEL: "My turn: a ping in the channel",
    Push.BOTH: "My turn: a direct message and a ping",
    Push.NONE: "My turn: no notification",
}
_CHALLENGERS: Final[Mapping[str, str]] = {
    Challengers.ANYONE: "Challenges: from anyone",
    Challengers.PLAYED: "Challenges: from people I have played with",
    Challengers.NOBODY: "Challenges: none by name",
}
_ORDERS: Final[Mapping[str, str]] = {
    HandOrder.MELDS: "Hand: sorted by melds",
    HandOrder.SUIT: "Hand: sorted by suit",
    HandOrder.RANK: "Hand: sorted by rank",
}
_TARGETS: Final = {_NO_TARGET: "Target: as the rules say"} | {
    str(target): f"Target: {target} points" for target in (10, 25, 50, 100, 150, 200, 250, 500)
}
_THEMES: Final = {f"{theme}-{colours}": (theme, colours) for theme, colours in product(THEMES, ("two", "four"))}
_THEME_LABELS: Final = {
    value: f"Pictures: {theme}, suits in {colours} colours" for value, (theme, colours) in _THEMES.items()
}
_THEMES_OR_NONE: Final = _THEME_LABELS | {NO_PICTURES: "Pictures: none, text only"}
_LANGUAGES: Final = {
    code: f"Cards: {names.language}, {' '.join(names.letters[at] for at in (0, 3, 2, 1))}"
    for code, names in NAMES.items()
}

_INTRODUCTION: Final = (
    "How your hand reaches you, how you hear about your turn, who may challenge you, and how cards are shown to you. "
    "What everybody sees follows the server's settings."
)
_DMS_CLOSED: Final = "I cannot send you direct messages, so use *My hand* at the table instead."
_PINGED: Final = "A direct message about your turn would contain your hand, so you are pinged in the channel instead."

PREFERENCES: Final[Mapping[Action, Callable[[Preferences, str], Preferences]]] = {
    Action.PREFER_HAND: lambda now, value: replace(now, hand_by_dm=value == _YES),
    Action.PREFER_PUSH: lambda now, value: replace(now, push=Push(value)),
    Action.PREFER_CHALLENGERS: lambda now, value: replace(now, challengers=Challengers(value)),
    Action.PREFER_APPEARANCE: lambda now, value: (
        replace(now, pictures=False)
        if value == NO_PICTURES
        else replace(now, pictures=True, appearance=_with_theme(now.appearance, value))
    ),
    Action.PREFER_ORDER: lambda now, value: replace(now, hand_order=HandOrder(value)),
    Action.PREFER_LANGUAGE: lambda now, value: replace(now, appearance=replace(now.appearance, language=value)),
}
"""A person's menus, each with what choosing a value in it changes."""

WANTING_DMS: Final = ((Action.PREFER_HAND, _YES), (Action.PREFER_PUSH, Push.DM), (Action.PREFER_PUSH, Push.BOTH))
"""The values that ask for direct messages."""

SETTINGS: Final[Mapping[Action, Callable[[GuildSettings, tuple[str, ...]], GuildSettings]]] = {
    Action.SET_RULES: lambda now, values: replace(now, rules=values[0]),
    Action.SET_TARGET: lambda now, values: replace(now, target=None if values[0] == _NO_TARGET else int(values[0])),
    Action.SET_OFFERED: lambda now, values: replace(now, offered=() if {*values} == {*PRESETS} else values),
    Action.SET_CHANNELS: lambda now, values: replace(now, channels=tuple(ChannelId(int(value)) for value in values)),
    Action.SET_APPEARANCE: lambda now, values: replace(now, appearance=_with_theme(now.appearance, values[0])),
    Action.SET_LANGUAGE: lambda now, values: replace(now, appearance=replace(now.appearance, language=values[0])),
}
"""A server's menus, each with what choosing values in it changes."""

MENU_VALUES: Final[Mapping[Action, Collection[str]]] = {
    Action.PREFER_HAND: _HAND,
    Action.PREFER_PUSH: _PUSH,
    Action.PREFER_CHALLENGERS: _CHALLENGERS,
    Action.PREFER_APPEARANCE: _THEMES_OR_NONE,
    Action.PREFER_ORDER: _ORDERS,
    Action.PREFER_LANGUAGE: _LANGUAGES,
    Action.SET_TARGET: _TARGETS,
    Action.SET_OFFERED: PRESETS,
    Action.SET_APPEARANCE: _THEME_LABELS,
    Action.SET_LANGUAGE: _LANGUAGES,
}
"""The values in each menu that has the same ones everywhere. Those of rules and channels are the server's own."""


def preferences_panel(settings: PersonalSettings, notice: str | None = None) -> Message:
    """Return a person's preferences with menus to change them."""
    now, person = settings.preferences, Subject.SELF
    theme = _theme(now.appearance) if now.pictures else NO_PICTURES
    return message(
        Accent.WAITING,
        _INTRODUCTION,
        _DMS_CLOSED if settings.dm_works is False and now.hand_by_dm else None,
        _PINGED if not now.hand_by_dm and now.push in (Push.DM, Push.BOTH) else None,
        title="Your preferences",
        notice=notice,
        rows=[
            _menu(person, Action.PREFER_HAND, _HAND, _YES if now.hand_by_dm else _NO),
            _menu(person, Action.PREFER_PUSH, _PUSH, now.push),
            _menu(person, Action.PREFER_CHALLENGERS, _CHALLENGERS, now.challengers),
            _menu(person, Action.PREFER_APPEARANCE, _THEMES_OR_NONE, theme, "Pictures …"),
            _menu(person, Action.PREFER_ORDER, _ORDERS, now.hand_order),
            _menu(person, Action.PREFER_LANGUAGE, _LANGUAGES, _language(now.appearance), "Card names …"),
        ],
    )


def server_panel(now: GuildSettings, offered: Sequence[NamedRules], notice: str | None = None) -> Message:
    """Return a server's settings with menus to change them."""
    server, target = Subject.SERVER, _NO_TARGET if now.target is None else str(now.target)
    presets = [
        rules_option(name, Rules.parse(name), chosen=not now.offered or name in now.offered, label="Offered: ")
        for name in PRESETS
    ]
    channels = joined([f"<#{channel}>" for channel in now.channels]) or "all"
    preset_names = joined([f"**{name}**" for name in now.offered]) or "all"
    house_rules = joined([f"**{one.name}**" for one in offered if one.house])
    house_text = f"House rules: {house_rules}." if house_rules else "No house rules yet."
    return message(
        Accent.WAITING,
        f"Default rules: **{now.rules}**. Channels to play in: {channels}.",
        f"Presets on offer: {preset_names}. {house_text} `/gin-admin rules` manages them.",
        title="Gin rummy on this server",
        notice=notice,
        rows=[
            *rules_menus(server, Action.SET_RULES, offered, now.rules, "Rules: "),
            _menu(server, Action.SET_TARGET, _TARGETS, target, "Target …"),
            [menu(server, 0, Action.SET_OFFERED, "Presets to offer …", presets, most=len(presets))],
            [channel_menu(server, Action.SET_CHANNELS, CHANNELS_PLACEHOLDER, now.channels)],
            _menu(server, Action.SET_APPEARANCE, _THEME_LABELS, _theme(now.appearance), "Pictures …"),
            _menu(server, Action.SET_LANGUAGE, _LANGUAGES, _language(now.appearance), "Card names …"),
        ],
    )


def _menu(
    subject: Subject, action: Action, labels: Mapping[str, str], chosen: str, placeholder: str = "Choose …"
) -> Row:
    options = [
        discord.SelectOption(label=label, value=value, default=value == chosen) for value, label in labels.items()
    ]
    return [menu(subject, 0, action, placeholder, options)]


def _theme(appearance: Appearance) -> str:
    return f"{appearance.theme}-{'four' if appearance.four_colours else 'two'}"


def _with_theme(appearance: Appearance, value: str) -> Appearance:
    theme, colours = _THEMES[value]
    return replace(appearance, theme=theme, four_colours=colours == "four")


def _language(appearance: Appearance) -> str:
    return appearance.language if appearance.language in NAMES else DEFAULT_APPEARANCE.language
