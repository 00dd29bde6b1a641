"""Servers: what their managers chose, and the rules they offer."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.rules import Rules
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from bot.values.clocks import NO_CLOCK, Clock
from bot.values.ids import ChannelId, GuildId
from bot.values.seasons import Seasons


@dataclass(frozen=True, slots=True)
class Place:
    """A channel of a server. `parent_id` is the channel that a thread belongs to."""

    guild_id: GuildId
    channel_id: ChannelId
    parent_id: ChannelId | None = None


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a server's managers chose, or the defaults.

    `rules`, `target` and `clock` apply to a challenge that names none. No `channels` means every channel, no `offered`
    presets every preset. `appearance` is that of everything public. `time_zone` is the one in which seasons begin and
    end, and `season_channel` where the result of one is posted, None for nowhere.
    """

    rules: str = "classic"
    target: int | None = None
    channels: tuple[ChannelId, ...] = ()
    offered: tuple[str, ...] = ()
    appearance: Appearance = DEFAULT_APPEARANCE
    clock: Clock = NO_CLOCK
    seasons: Seasons = Seasons.NONE
    time_zone: str = "UTC"
    season_channel: ChannelId | None = None


@dataclass(frozen=True, slots=True)
class NamedRules:
    """Rules by the name they have in a server: a preset, or a house rule of its own."""

    name: str
    rules: Rules
    house: bool
