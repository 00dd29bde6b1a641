"""The person and the channel of an interaction."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId, InteractionId, PersonId
from bot.model.matches import MatchInfo
from bot.model.namesakes import with_ambiguity
from bot.model.people import Person
from bot.model.statistics import Player
from cogs.delivery.errors import UserError
from cogs.delivery.refusals import ONLY_IN_SERVERS
from cogs.kit.answers import Interaction
from cogs.words.names import plain

_AVATAR_HASH: Final = re.compile("(a_)?[0-9a-f]{1,64}")
"""The hash of an avatar. It becomes part of an address, so nothing else may be stored as one. Discord's have 32 digits,
after `a_` for an animation."""


def person_id_of(interaction: Interaction) -> PersonId:
    return PersonId(interaction.user.id)


def person_of(interaction: Interaction) -> Person:
    return as_person(interaction.user)


def as_person(user: discord.User | discord.Member) -> Person:
    """Return a person with their global name and avatar. Those of a server must not be shown on other servers."""
    avatar = None if user.avatar is None or not _AVATAR_HASH.fullmatch(user.avatar.key) else user.avatar.key
    return Person(PersonId(user.id), user.global_name or user.name, user.name, avatar)


def chosen_bots(interaction: Interaction) -> set[int]:
    """Return the ids of the bots among the people chosen in a menu."""
    data: Mapping[str, Any] = interaction.data or {}
    users: Mapping[str, Mapping[str, Any]] = data.get("resolved", {}).get("users", {})
    return {int(user_id) for user_id, user in users.items() if user.get("bot")}


def shown_choices(interaction: Interaction) -> set[int]:
    """Return the ids that a menu of people showed as chosen before the person chose."""
    custom_id = None if interaction.data is None else interaction.data.get("custom_id")
    message = interaction.message
    items = () if message is None else discord.ui.LayoutView.from_message(message).walk_children()
    menus = [item for item in items if isinstance(item, discord.ui.UserSelect) and item.custom_id == custom_id]
    # discord.py leaves the ids of a received message as texts.
    return {int(value.id) for menu in menus for value in menu.default_values}


def sharer_name(interaction: Interaction, match: MatchInfo) -> str:
    """Return the server nickname of a person who posts part of a match for everyone, such as a replay.

    If a player of the match has a similar name, add the account name.
    """
    user = interaction.user
    person = Player(PersonId(user.id), user.display_name, username=user.name)
    (shown,) = with_ambiguity([person], match.players)
    return plain(shown)


def clicked_direct_message(interaction: Interaction) -> bool:
    """Return True if a button of a real direct message was used, rather than of an ephemeral answer."""
    clicked = interaction.message
    return clicked is not None and interaction.guild_id is None and not clicked.flags.ephemeral


def interaction_id_of(interaction: Interaction) -> InteractionId:
    return InteractionId(interaction.id)


def channel_id_of(interaction: Interaction) -> ChannelId:
    """Return the channel of an interaction; 0 if it is unknown."""
    return ChannelId(interaction.channel_id or 0)


def guild_id_of(interaction: Interaction) -> GuildId | None:
    """Return the server of an interaction; None in direct messages."""
    return None if interaction.guild_id is None else GuildId(interaction.guild_id)


def require_guild(interaction: Interaction) -> GuildId:
    """Return the server of an interaction. Raise `UserError` outside servers."""
    guild_id = guild_id_of(interaction)
    if guild_id is None:
        raise UserError(ONLY_IN_SERVERS)
    return guild_id


def require_place(interaction: Interaction) -> Place:
    """Return the channel and the server of an interaction. Raise `UserError` outside servers."""
    return Place(require_guild(interaction), channel_id_of(interaction), parent_id_of(interaction))


def parent_id_of(interaction: Interaction) -> ChannelId | None:
    """Return the parent channel of an interaction's thread; None outside a thread."""
    channel = interaction.channel
    return ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None
