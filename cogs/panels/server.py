"""The message with a server's settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import discord

from bot.engine.rules import PRESETS, Rules
from bot.values.guilds import GuildSettings, NamedRules
from cogs.kit.actions import Action, Subject
from cogs.kit.components import channel_menu, menu
from cogs.kit.messages import Message
from cogs.panels.appearance import language_menu, theme_menu
from cogs.panels.layout import Accent, Row, message
from cogs.panels.options import rules_menus, rules_option
from cogs.text.people import joined

DEFAULT_TARGET: Final = "default"
_TARGETS: Final = (10, 25, 50, 100, 150, 200, 250, 500)
CHANNELS_PLACEHOLDER: Final = "Channels to play in: choose some, or none for all"


def server_panel(now: GuildSettings, offered: Sequence[NamedRules], notice: str | None = None) -> Message:
    """Return a server's settings with menus to change them."""
    presets = [
        rules_option(name, Rules.parse(name), chosen=not now.offered or name in now.offered, label="Offered: ")
        for name in PRESETS
    ]
    targets = [
        discord.SelectOption(label="Target: as the rules say", value=DEFAULT_TARGET, default=now.target is None),
        *(
            discord.SelectOption(label=f"Target: {target} points", value=str(target), default=target == now.target)
            for target in _TARGETS
        ),
    ]
    rows: list[Row] = [
        *rules_menus(Subject.SERVER, Action.SET_RULES, offered, now.rules, "Rules: "),
        [menu(Subject.SERVER, 0, Action.SET_TARGET, "Target …", targets)],
        [menu(Subject.SERVER, 0, Action.SET_OFFERED, "Presets to offer …", presets, most=len(presets))],
        [channel_menu(Subject.SERVER, Action.SET_CHANNELS, CHANNELS_PLACEHOLDER, now.channels)],
        [theme_menu(Subject.SERVER, Action.SET_APPEARANCE, now.appearance)],
        [language_menu(Subject.SERVER, Action.SET_LANGUAGE, now.appearance)],
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
        rows=rows,
    )
