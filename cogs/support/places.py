"""A place for a match: what the bot must be allowed to do in a channel, and a thread if another match runs there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import Final, TypeVar

import discord
from discord.abc import Snowflake

from bot.play.application import Application
from bot.play.refusals import ChannelBusy
from bot.values.discord_codes import Code
from bot.values.guilds import Place
from bot.values.ids import ChallengeId, ChannelId, GuildId, MatchId
from bot.values.matches import MatchInfo
from bot.values.outbox import MessageKind
from bot.values.statistics import Player
from cogs.kit.answers import Interaction
from cogs.support.access import Access
from cogs.support.errors import UserError
from cogs.support.interactions import channel_id_of, person_of
from cogs.text import people
from cogs.text import refusals as texts

_USED: Final = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "attach_files": "Attach Files",
    "embed_links": "Embed Links",
    "read_message_history": "Read Message History",
    "create_public_threads": "Create Public Threads",
}

INVITE_PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(_USED, True))
"""What an invite link asks for."""

_Begun = TypeVar("_Begun")


def missing_of_all(allowed: discord.Permissions, *, unneeded: Collection[str] = ()) -> list[str]:
    """Return the permissions that the bot uses and lacks, those for threads too, as Discord's settings name them."""
    return [label for name, label in _USED.items() if name not in unneeded and not getattr(allowed, name)]


def require_table_permissions(interaction: Interaction) -> None:
    """Raise `UserError`, with the permissions that are missing, if no table can be posted in this channel."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    unneeded = ("create_public_threads", "send_messages" if in_thread else "send_messages_in_threads")
    missing = missing_of_all(interaction.app_permissions, unneeded=unneeded)
    if missing:
        raise UserError(texts.missing_permissions(interaction.channel_id, missing))


async def require_present(interaction: Interaction, access: Access, named: Snowflake, place: Place) -> None:
    """Raise `UserError` if someone who is named could not accept: a bot, or not allowed to write in the channel."""
    if isinstance(named, discord.Member) and named.bot:
        raise UserError(texts.NO_BOTS)
    if not (await access.allowed(interaction, place.guild_id, place.channel_id, named)).write:
        raise UserError(texts.CANNOT_PLAY_HERE)


async def require_room(interaction: Interaction, app: Application) -> None:
    """Raise `ChannelBusy` if the channel is not free, and no thread can be opened for the match."""
    busy = await app.lookup.running_in(channel_id_of(interaction))
    in_thread = isinstance(interaction.channel, discord.Thread)
    if busy is not None and (in_thread or not interaction.app_permissions.create_public_threads):
        raise ChannelBusy(busy)


async def begin_with_room(
    interaction: Interaction,
    app: Application,
    access: Access,
    kind: MessageKind,
    subject_id: int,
    begin: Callable[[ChannelId | None], Awaitable[_Begun]],
) -> _Begun:
    """Begin a match where it was agreed, or in a thread on the message that led to it.

    That message is of a `kind`, and about a challenge or the match before. `begin` begins the match in a channel, or
    where it was agreed (None). Raise `ChannelBusy` if that channel is taken, and no thread can be opened there, or the
    person could not write in it.
    """
    try:
        return await begin(None)
    except ChannelBusy as busy:
        thread_id = await _open_thread(interaction, app, access, busy.match.guild_id, kind, subject_id)
        if thread_id is None:
            raise
        return await begin(thread_id)


async def open_thread(interaction: Interaction, app: Application, access: Access, match: MatchInfo) -> ChannelId | None:
    """Open a thread on the table of a match, and return it; None if none can be opened for the person there."""
    return await _open_thread(interaction, app, access, match.guild_id, MessageKind.TABLE, match.id)


async def _open_thread(
    interaction: Interaction,
    app: Application,
    access: Access,
    guild_id: GuildId | None,
    kind: MessageKind,
    subject_id: int,
) -> ChannelId | None:
    """Open a thread on a message, or return the one that is there; None if the person could not write in one there."""
    posted = await app.outbox.find(kind, subject_id)
    if posted is None or guild_id is None:
        return None
    if not (await access.allowed(interaction, guild_id, posted.channel_id)).write_in_threads:
        return None
    channel = interaction.client.get_partial_messageable(posted.channel_id, guild_id=guild_id)
    message = channel.get_partial_message(posted.message_id)
    try:
        thread_name = await _thread_name(interaction, app, kind, subject_id)
        return ChannelId((await message.create_thread(name=thread_name, auto_archive_duration=10080)).id)
    except discord.HTTPException as error:
        return ChannelId(posted.message_id) if error.code == Code.THREAD_EXISTS else None


async def _thread_name(interaction: Interaction, app: Application, kind: MessageKind, subject_id: int) -> str:
    """Return the name of a thread for a match: its players, the person who begins it among them, and which of theirs.

    Several matches of the same people may go on at once.
    """
    if kind is not MessageKind.CHALLENGE:
        match = await app.lookup.info(MatchId(subject_id))
        until = match.id if kind is MessageKind.TABLE else None
        number = await app.lookup.count_matches_of(match.guild_id, match.players, until)
        return people.title(match.players, match.sides, number if until is not None else number + 1)
    challenge, person = await app.challenges.get(ChallengeId(subject_id)), person_of(interaction)
    if person.id not in {player.id for player in challenge.players}:
        joined = (*challenge.players, Player(person.id, person.name))
        challenge = replace(challenge, players=joined)
    number = await app.lookup.count_matches_of(challenge.guild_id, challenge.seated)
    return people.title(challenge.seated, challenge.sides, number + 1)
