"""A channel for a match: the permissions that the bot needs there, and a thread if the channel is busy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from typing import Final, TypeVar

import discord
import structlog
from discord.abc import Snowflake

from bot.model.discord_codes import Code
from bot.model.guilds import MatchHome, Place
from bot.model.ids import ChallengeId, ChannelId, GuildId, MatchId
from bot.model.namesakes import with_ambiguity
from bot.model.outbox import MessageKind, PostedMessage
from bot.model.statistics import Player
from bot.play.application import Application
from bot.play.challenges.steps import Opening
from bot.play.refusals import ChannelBusy, NoThreadReason
from cogs.delivery.access import Access
from cogs.delivery.errors import UserError
from cogs.delivery.interactions import channel_id_of, person_of
from cogs.delivery.refusals import CANNOT_PLAY_HERE, NO_BOTS, cannot_post_table
from cogs.kit.answers import Interaction
from cogs.kit.failures import REQUEST_FAILURES, code_of
from cogs.words import names as people

_PERMISSION_LABELS: Final = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "attach_files": "Attach Files",
    "embed_links": "Embed Links",
    "read_message_history": "Read Message History",
    "create_public_threads": "Create Public Threads",
}

INVITE_PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(_PERMISSION_LABELS, True))
"""The permissions in the invite link."""

_THREAD_REFUSALS: Final[Mapping[int, NoThreadReason]] = {
    Code.UNKNOWN_CHANNEL: NoThreadReason.NO_MESSAGE,
    Code.UNKNOWN_MESSAGE: NoThreadReason.NO_MESSAGE,
    Code.THREAD_PARTICIPANTS: NoThreadReason.TOO_MANY_PEOPLE,
    Code.NO_ACCESS: NoThreadReason.BOT_MAY_NOT,
    Code.NOT_A_TEXT_CHANNEL: NoThreadReason.WRONG_KIND,
    Code.NO_PERMISSION: NoThreadReason.BOT_MAY_NOT,
    Code.WRONG_KIND_OF_CHANNEL: NoThreadReason.WRONG_KIND,
    Code.ACTIVE_THREADS: NoThreadReason.TOO_MANY,
    Code.ACTIVE_ANNOUNCEMENT_THREADS: NoThreadReason.TOO_MANY,
    Code.AUTOMOD: NoThreadReason.MODERATION,
    Code.AUTOMOD_TITLE: NoThreadReason.MODERATION,
    Code.HARMFUL_LINK: NoThreadReason.MODERATION,
}
"""The reasons why Discord refused to open a thread, by error code. Other failures are temporary."""

log = structlog.get_logger(__name__)

_Begun = TypeVar("_Begun")


def missing_permissions(allowed: discord.Permissions, *, unneeded: Collection[str] = ()) -> list[str]:
    """Return the names, as in Discord's settings, of the permissions that the bot lacks, apart from `unneeded`."""
    return [label for name, label in _PERMISSION_LABELS.items() if name not in unneeded and not getattr(allowed, name)]


def require_table_permissions(interaction: Interaction) -> None:
    """Raise `UserError` with the missing permissions if the bot cannot post a table in this channel."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    unneeded = ("create_public_threads", "send_messages" if in_thread else "send_messages_in_threads")
    missing = missing_permissions(interaction.app_permissions, unneeded=unneeded)
    if missing:
        raise UserError(cannot_post_table(interaction.channel_id, missing))


async def require_can_accept(interaction: Interaction, access: Access, named: Snowflake, place: Place) -> None:
    """Raise `UserError` if the `named` person is a bot or is not allowed to write at `place`."""
    if isinstance(named, discord.Member) and named.bot:
        raise UserError(NO_BOTS)
    if not (await access.channel_rights(interaction, place.guild_id, place.channel_id, named)).write:
        raise UserError(CANNOT_PLAY_HERE)


async def require_room(interaction: Interaction, app: Application) -> None:
    """Raise `ChannelBusy` if the channel is busy and a thread certainly cannot be opened in it."""
    busy = await app.lookup.running_in(channel_id_of(interaction))
    if busy is None:
        return
    reason = _no_thread_reason(interaction.channel)
    if reason is None and not _may_use_threads(interaction.app_permissions):
        reason = NoThreadReason.BOT_MAY_NOT
    if reason is not None:
        raise ChannelBusy(busy, reason)


def _no_thread_reason(channel: object) -> NoThreadReason | None:
    """Return the reason why a kind of channel cannot have threads; None if it can."""
    match channel:
        case discord.Thread():
            return (
                NoThreadReason.IN_POST if isinstance(channel.parent, discord.ForumChannel) else NoThreadReason.IN_THREAD
            )
        case discord.VoiceChannel() | discord.StageChannel():
            return NoThreadReason.IN_VOICE
        case _:
            return None


def _may_use_threads(allowed: discord.Permissions) -> bool:
    return allowed.create_public_threads and allowed.send_messages_in_threads


async def begin_in_channel_or_thread(
    interaction: Interaction,
    app: Application,
    access: Access,
    kind: MessageKind,
    subject_id: int,
    begin: Callable[[ChannelId | None], Awaitable[_Begun]],
) -> _Begun:
    """Begin a match in its agreed channel, or if that is busy, in a thread on the message that led to the match.

    `kind` and `subject_id` identify that message: the message of a challenge or of the previous match. `begin` takes
    the id of the thread, or None for the agreed channel. Raise `ChannelBusy` with the reason if a thread is needed but
    cannot be opened for the person.
    """
    try:
        return await begin(None)
    except ChannelBusy as busy:
        posted, guild_id = await app.outbox.find(kind, subject_id), busy.match.guild_id
        thread_name = await _thread_name(interaction, app, kind, subject_id)
        thread = await _open_thread(interaction, access, guild_id, posted, thread_name)
        if isinstance(thread, NoThreadReason):
            raise ChannelBusy(busy.match, thread) from None
        return await begin(thread)


async def begin_at_home(
    interaction: Interaction,
    app: Application,
    access: Access,
    opening: Opening,
    begin: Callable[[ChannelId | None], Awaitable[_Begun]],
) -> _Begun:
    """Begin the match of a challenge where the server wants its matches: in a thread of its own, or in the channel.

    If no thread can be opened for the person, the match begins in the channel. See `begin_in_channel_or_thread`.
    """
    if interaction.guild_id is not None and opening.home is MatchHome.THREAD:
        thread_name = people.title(opening.joined.seated_players, opening.joined.sides, opening.number)
        guild_id = GuildId(interaction.guild_id)
        # The message of a new challenge may have been posted since.
        posted = opening.posted or await app.outbox.find(MessageKind.CHALLENGE, opening.challenge.id)
        thread = await _open_thread(interaction, access, guild_id, posted, thread_name)
        if not isinstance(thread, NoThreadReason):
            return await begin(thread)
    return await begin_in_channel_or_thread(
        interaction, app, access, MessageKind.CHALLENGE, opening.challenge.id, begin
    )


async def _open_thread(
    interaction: Interaction, access: Access, guild_id: GuildId | None, posted: PostedMessage | None, thread_name: str
) -> ChannelId | NoThreadReason:
    """Open a thread on a message, or find the existing one. Return its id, or the reason for the failure."""
    if posted is None or guild_id is None:
        return NoThreadReason.NO_MESSAGE
    is_here = interaction.channel_id == posted.channel_id
    reason = _no_thread_reason(interaction.channel if is_here else interaction.client.get_channel(posted.channel_id))
    if reason is not None:
        return reason
    if not (await access.channel_rights(interaction, guild_id, posted.channel_id)).write_in_threads:
        return NoThreadReason.PERSON_MAY_NOT
    if is_here and not _may_use_threads(interaction.app_permissions):
        return NoThreadReason.BOT_MAY_NOT
    channel = interaction.client.get_partial_messageable(posted.channel_id, guild_id=guild_id)
    message = channel.get_partial_message(posted.message_id)
    try:
        return ChannelId((await message.create_thread(name=thread_name, auto_archive_duration=10080)).id)
    except REQUEST_FAILURES as error:
        code = code_of(error)
        if code == Code.THREAD_EXISTS:
            # The id of a thread is the id of its message.
            return ChannelId(posted.message_id)
        log.warning("a thread could not be opened", code=code, error=type(error).__name__)
        return _THREAD_REFUSALS.get(code, NoThreadReason.TROUBLE)


async def _thread_name(interaction: Interaction, app: Application, kind: MessageKind, subject_id: int) -> str:
    """Return a thread's name: the players and the number of their match.

    Somebody who is accepting a challenge already counts as a player. The number is needed because the same people may
    play several matches at the same time.
    """
    if kind is not MessageKind.CHALLENGE:
        match = await app.lookup.info(MatchId(subject_id))
        until = match.id if kind is MessageKind.TABLE else None
        number = await app.lookup.count_matches_of(match.guild_id, match.players, until)
        return people.title(match.players, match.sides, number if until is not None else number + 1)
    challenge, person = await app.challenges.get(ChallengeId(subject_id)), person_of(interaction)
    if person.id not in {player.id for player in challenge.players}:
        joined = (*challenge.players, Player.of(person))
        challenge = replace(challenge, players=with_ambiguity(joined))
    number = await app.lookup.count_matches_of(challenge.guild_id, challenge.seated_players)
    return people.title(challenge.seated_players, challenge.sides, number + 1)
