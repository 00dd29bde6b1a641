"""Servers: the settings that their managers choose, and the rules that they offer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.engine.matches.formats import FORMATS
from bot.engine.rules import Rules
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.clocks import NO_CLOCK, Clock
from bot.model.ids import ChannelId, GuildId
from bot.model.seasons import Seasons


@dataclass(frozen=True, slots=True)
class Place:
    """A channel of a server. `parent_id` is the channel that a thread belongs to."""

    guild_id: GuildId
    channel_id: ChannelId
    parent_id: ChannelId | None = None


class MatchHome(StrEnum):
    """Where the matches of a server are played."""

    CHANNEL = "channel"
    """In the channel of the challenge."""
    THREAD = "thread"
    """In a thread for each match, or in the channel if the bot may not open threads there."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a server, chosen by its managers, or the defaults.

    `rules`, `target` and `clock` are the defaults of challenges. `channels` are the channels in which people may play,
    and `offered` are the presets to choose from; either may be empty, which means all. `appearance` applies to
    everything public. `time_zone` is the time zone of seasons and of `daily_hour`; `season_channel` is the channel for
    season results, or None. `daily_channel` is the channel in which the deal of the day is posted at `daily_hour`, or
    None.
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
    match_home: MatchHome = MatchHome.THREAD
    daily_channel: ChannelId | None = None
    daily_hour: int = 9


@dataclass(frozen=True, slots=True)
class NamedRules:
    """Rules with their name on a server: a preset, or one of the server's house rules."""

    name: str
    rules: Rules
    house: bool

    @property
    def max_seats(self) -> int:
        """The maximum number of players."""
        return FORMATS[self.rules.format].seats[-1]
