"""The message with a person's preferences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import discord
from discord import ui

from bot.play.people.people import PersonalSettings
from bot.values.appearance import HandOrder
from bot.values.people import Challengers, Preferences, Push
from cogs.kit.actions import Action, Subject
from cogs.kit.components import menu
from cogs.kit.messages import Message
from cogs.panels.appearance import NO_PICTURES, language_menu, pictures_menu, with_theme
from cogs.panels.layout import Accent, Row, message

YES: Final = "yes"
_HAND: Final[Mapping[str, str]] = {YES: "My hand: by direct message", "no": "My hand: only when I ask"}
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

PREFERENCES: Final[Mapping[Action, Callable[[Preferences, str], Preferences]]] = {
    Action.PREFER_HAND: lambda now, value: replace(now, hand_by_dm=value == YES),
    Action.PREFER_PUSH: lambda now, value: replace(now, push=Push(value)),
    Action.PREFER_CHALLENGERS: lambda now, value: replace(now, challengers=Challengers(value)),
    Action.PREFER_APPEARANCE: lambda now, value: _with_pictures(now, value),
    Action.PREFER_ORDER: lambda now, value: replace(now, hand_order=HandOrder(value)),
    Action.PREFER_LANGUAGE: lambda now, value: replace(now, appearance=replace(now.appearance, language=value)),
}
"""The menus, each with what choosing a value in it changes."""

_INTRODUCTION: Final = (
    "How your hand reaches you, how you hear about your turn, who may challenge you, and how cards are shown to you. "
    "What everybody sees follows the server's settings."
)
_DMS_CLOSED: Final = "I cannot send you direct messages, so use *My hand* at the table instead."
_PINGED: Final = "A direct message about your turn would contain your hand, so you are pinged in the channel instead."


def preferences_panel(settings: PersonalSettings, notice: str | None = None) -> Message:
    """Return a person's preferences with menus to change them."""
    now = settings.preferences
    rows: list[Row] = [
        [_menu(Action.PREFER_HAND, _HAND, YES if now.hand_by_dm else "no")],
        [_menu(Action.PREFER_PUSH, _PUSH, now.push)],
        [_menu(Action.PREFER_CHALLENGERS, _CHALLENGERS, now.challengers)],
        [pictures_menu(Subject.SELF, Action.PREFER_APPEARANCE, now.appearance, pictures=now.pictures)],
        [_menu(Action.PREFER_ORDER, _ORDERS, now.hand_order)],
        [language_menu(Subject.SELF, Action.PREFER_LANGUAGE, now.appearance)],
    ]
    return message(
        Accent.WAITING,
        _INTRODUCTION,
        _DMS_CLOSED if settings.dm_works is False and now.hand_by_dm else None,
        _PINGED if not now.hand_by_dm and now.push in (Push.DM, Push.BOTH) else None,
        title="Your preferences",
        notice=notice,
        rows=rows,
    )


def _with_pictures(now: Preferences, value: str) -> Preferences:
    if value == NO_PICTURES:
        return replace(now, pictures=False)
    return replace(now, pictures=True, appearance=with_theme(now.appearance, value))


def _menu(action: Action, choices: Mapping[str, str], chosen: str) -> ui.Item[Any]:
    options = [
        discord.SelectOption(label=label, value=value, default=value == chosen) for value, label in choices.items()
    ]
    return menu(Subject.SELF, 0, action, "Choose …", options)
