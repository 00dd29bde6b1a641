"""Permissions: the only place that decides about people's access to matches, challenges and channels.

An interaction comes with the person's permissions in its own channel. For other channels, the gateway provides roles
and channels but not members, which are requested one by one. Servers on another process's shards are requested too:
direct messages arrive at the first shard and can concern any server. If Discord does not answer, access is denied.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, Final, TypeVar

import discord
import structlog
from discord.abc import GuildChannel, Snowflake

from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId, PersonId
from bot.model.matches import MatchInfo, MatchStatus
from bot.model.presence import Presence
from bot.play.application import Application
from bot.play.refusals import ChallengeRefusal, MatchRefusal, NoChallenge, NoMatch
from cogs.delivery.errors import UserError
from cogs.delivery.interactions import person_id_of
from cogs.delivery.refusals import CHANNEL_DELETED, CHANNEL_GONE, may_not_write
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.failures import REQUEST_FAILURES
from cogs.words.names import place

log = structlog.get_logger(__name__)

CACHE_SECONDS: Final = 60.0
"""Lifetime of a cached answer about a member, thread, channel or server, in seconds."""

ANSWER_TIMEOUT: Final = 2.0
"""Timeout for all requests about one channel, in seconds. It leaves time to answer the interaction within three."""

_NOT_A_MEMBER: Final = (10007, 10013)
"""Discord's JSON error codes for an unknown member and an unknown user; see its API reference."""

_DELETED: Final = "In a deleted channel"
_ARCHIVED: Final = "In an archived thread"
_HIDDEN: Final = "In a channel you can't see"
_Response = TypeVar("_Response")


class Need(Enum):
    """The access that a person needs to use a button or menu of a match or challenge, including other people's."""

    SEE_MATCH = auto()
    SEE_CHALLENGE = auto()
    POST_FOR_MATCH = auto()
    POST_FOR_CHALLENGE = auto()
    """`POST_FOR_…`: see the match or challenge, and write in its channel, because the bot posts there for them."""


@dataclass(frozen=True, slots=True)
class ChannelRights:
    """A person's permissions in a channel."""

    see: bool
    write: bool
    write_in_threads: bool
    """True if the person may write in threads of the channel."""


_NO_RIGHTS: Final = ChannelRights(see=False, write=False, write_in_threads=False)


class Access:
    """Checks people's access. Discord's answers are cached for a minute."""

    def __init__(self, client: discord.Client, app: Application) -> None:
        self._client = client
        self._app = app
        # Expiry times are monotonic, because the wall clock can jump.
        self._clock = time.monotonic
        self._cache: dict[tuple[str, int, int], tuple[float, asyncio.Task[Any]]] = {}
        """The cached answers, oldest first. Maps each question to the expiry time and the request's task."""

    async def require(self, interaction: Interaction, event: ComponentEvent, need: Need) -> None:
        """Check that a person may use a button or menu.

        Raises:
            NoMatch, NoChallenge: the person cannot see the match or challenge, or it does not exist.
            UserError: the person may not write in the channel, or the channel was deleted.
        """
        if need in (Need.SEE_MATCH, Need.POST_FOR_MATCH):
            subject = await self._app.lookup.info(event.match_id)
            if not await self.sees_match(interaction, subject):
                raise NoMatch(in_channel=False)
        else:
            subject = await self._app.challenges.get(event.challenge_id)
            if not await self.sees_challenge(interaction, subject):
                raise NoChallenge
        if need in (Need.POST_FOR_MATCH, Need.POST_FOR_CHALLENGE):
            place = subject.place
            # A practice match has no channel to post in.
            if place is not None:
                if isinstance(subject, MatchInfo) and not await self._exists(place):
                    is_running = subject.status is MatchStatus.RUNNING
                    raise UserError(CHANNEL_DELETED if is_running else CHANNEL_GONE)
                await self.require_may_write(interaction, place.guild_id, place.channel_id)

    async def require_may_write(self, interaction: Interaction, guild_id: GuildId, channel_id: ChannelId) -> None:
        """Raise `UserError` if the person is not allowed to write in a channel, where the bot would post for them."""
        if not (await self.channel_rights(interaction, guild_id, channel_id)).write:
            raise UserError(may_not_write(channel_id))

    async def sees_match(self, interaction: Interaction, match: MatchInfo) -> bool:
        """Return True if a person can see a match: as one of its players, or because they can see its channel.

        If the channel was deleted, managers of the server can see the match. On a server, everybody can see the best
        try at a past deal of the day that counts there.
        """
        if match.seat_of(person_id_of(interaction)) is not None:
            return True
        if match.day is not None:
            guild_id = interaction.guild_id
            return guild_id is not None and await self._app.daily_posts.is_best(match, GuildId(guild_id))
        if match.channel_deleted:
            return interaction.guild_id == match.guild_id and interaction.permissions.manage_guild
        return (await self.channel_rights(interaction, match.guild_id, match.channel_id)).see

    async def sees_challenge(self, interaction: Interaction, challenge: Challenge) -> bool:
        """Return True if a person can see a challenge: they made or joined it, or can see its channel."""
        if any(player.id == interaction.user.id for player in challenge.players):
            return True
        if challenge.status is ChallengeStatus.DRAFT:
            return False
        return (await self.channel_rights(interaction, challenge.guild_id, challenge.channel_id)).see

    async def presentable_error(self, interaction: Interaction, error: BaseException) -> BaseException:
        """Return the error to show to a person. For a match or challenge that they cannot see, hide that it exists."""
        match error:
            case MatchRefusal() if not await self.sees_match(interaction, error.match):
                return NoMatch(in_channel=False)
            case ChallengeRefusal() if not await self.sees_challenge(interaction, error.challenge):
                return NoChallenge()
            case _:
                return error

    async def channel_name(self, interaction: Interaction, subject: MatchInfo | Challenge) -> str:
        """Return the name of the channel, or of the practice level, as plain text for menus, which show no mentions."""
        if subject.channel_id is None:
            assert isinstance(subject, MatchInfo)
            return place(subject).capitalize()
        if isinstance(subject, MatchInfo) and subject.channel_deleted:
            return _DELETED
        if not (await self.channel_rights(interaction, subject.guild_id, subject.channel_id)).see:
            return _HIDDEN
        with suppress(*REQUEST_FAILURES):
            guild = await self._guild(subject.guild_id)
            channel = None if guild is None else await self._channel(guild, subject.channel_id)
            if channel is not None and not (isinstance(channel, discord.Thread) and channel.archived):
                return f"#{channel.name}"[:50]
        return _ARCHIVED

    async def server_name(self, interaction: Interaction, match: MatchInfo) -> str | None:
        """Return the name of a match's server; None if the person cannot see the match's channel."""
        if not (await self.channel_rights(interaction, match.guild_id, match.channel_id)).see:
            return None
        with suppress(*REQUEST_FAILURES):
            guild = await self._guild(match.guild_id)
            return None if guild is None else guild.name
        return None

    async def may_show_to_all(self, interaction: Interaction, match: MatchInfo) -> bool:
        """Return True if a person may show a finished deal to all: in the match's channel, if they may write there."""
        is_here = interaction.channel_id == match.channel_id
        return is_here and (await self.channel_rights(interaction, match.guild_id, match.channel_id)).write

    async def channel_rights(
        self,
        interaction: Interaction,
        guild_id: GuildId | None,
        channel_id: ChannelId | None,
        named: Snowflake | None = None,
    ) -> ChannelRights:
        """Return a person's rights in a channel; no rights if there is no channel.

        The person is `named`, or the interaction's user if `named` is None.
        """
        if guild_id is None or channel_id is None:
            return _NO_RIGHTS
        if named is None and interaction.channel_id == channel_id:
            return _channel_rights(interaction.permissions, interaction.channel)
        return await self._rights_in_time(guild_id, channel_id, named or interaction.user)

    async def presence(self, person_id: PersonId, place: Place) -> Presence | None:
        """Return a person's access to a table in a channel; None if Discord does not answer.

        The cache is bypassed, because the answer can make somebody lose a match.
        """
        with suppress(*REQUEST_FAILURES):
            async with asyncio.timeout(ANSWER_TIMEOUT):
                guild = await self._present_guild(place.guild_id)
                member = await _member_now(guild, person_id)
                if member is None:
                    return Presence.GONE
                self._invalidate(("channel", guild.id, place.channel_id), ("thread", place.channel_id, person_id))
                allowed = await self._request_rights(guild, place.channel_id, member)
                can_act = not member.pending and not self._is_timed_out(member)
                can_reach = allowed.see and can_act and await self._bot_can_see(guild, place.channel_id)
                return Presence.REACHABLE if can_reach else Presence.SHUT_OUT
        return None

    async def may_remove(self, person_ids: Collection[PersonId], place: Place) -> bool:
        """Return True if at least one of the people may kick or ban members, or manage the channel.

        If Discord does not answer, return True too. The cache is bypassed.
        """
        answers = await asyncio.gather(*(self._person_may_remove(person_id, place) for person_id in person_ids))
        return any(answers)

    async def _person_may_remove(self, person_id: PersonId, place: Place) -> bool:
        with suppress(*REQUEST_FAILURES):
            async with asyncio.timeout(ANSWER_TIMEOUT):
                guild = await self._present_guild(place.guild_id)
                member = await _member_now(guild, person_id)
                if member is None:
                    return False
                parent = await self._parent(guild, await self._channel(guild, place.channel_id))
                return _may_remove(member, parent)
        return True

    async def _present_guild(self, guild_id: GuildId) -> discord.Guild:
        """Return the current state of a server, bypassing the cache. Raise `TimeoutError` if it is not available."""
        self._invalidate(("guild", guild_id, 0))
        guild = await self._guild(guild_id)
        if guild is None or guild.unavailable:
            raise TimeoutError("The server is not available.")
        return guild

    async def _bot_can_see(self, guild: discord.Guild, channel_id: ChannelId) -> bool:
        """Return True if the bot can see a channel, as it must to update a table there."""
        parent = await self._parent(guild, await self._channel(guild, channel_id))
        bot_member = None if self._client.user is None else guild.get_member(self._client.user.id)
        return parent is not None and (bot_member is None or parent.permissions_for(bot_member).view_channel)

    def _is_timed_out(self, member: discord.Member) -> bool:
        """Return True if a member is in time-out. Administrators are exempt."""
        until = member.timed_out_until
        return until is not None and until > self._app.clock() and not member.guild_permissions.administrator

    def _invalidate(self, *questions: tuple[str, int, int]) -> None:
        """Remove answers from the cache."""
        for question in questions:
            self._cache.pop(question, None)

    async def is_visible_to_all(self, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Return True if everybody on a server can see a channel, whatever their roles. False for a private thread.

        Raise the request's error if Discord does not answer.
        """
        guild = await self._guild(guild_id)
        if guild is None or guild.unavailable:
            raise TimeoutError("Discord has not sent this server yet.")
        channel = await self._channel(guild, channel_id)
        parent = await self._parent(guild, channel)
        if parent is None or (isinstance(channel, discord.Thread) and channel.is_private()):
            return False
        return _channel_rights(parent.permissions_for(guild.default_role), channel).see

    async def may_be_mentioned(self, person_id: PersonId, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Return False if a mention would add the person to the channel, a private thread that they have not joined.

        Return True if the channel does not exist. Raise the request's error if Discord does not answer. Membership is
        requested again, bypassing the cache, since nobody is waiting for the answer.
        """
        channel = self._client.get_channel(channel_id)
        if channel is None:
            # Right after connecting, the gateway has sent no channels yet, so fetch this one. A channel fetched at
            # that time does not know its server, so it has a cache key of its own.
            channel = await self._cached_request(
                ("anywhere", guild_id, channel_id), lambda: self._client.fetch_channel(channel_id)
            )
        if not isinstance(channel, discord.Thread) or not channel.is_private():
            return True
        thread, question = channel, ("thread", channel.id, person_id)
        self._cache.pop(question, None)
        return bool(await self._cached_request(question, lambda: thread.fetch_member(person_id)))

    async def parent_of(self, interaction: Interaction, match: MatchInfo) -> ChannelId | None:
        """Return the parent channel of a match's thread; None outside a thread, or if Discord does not answer."""
        channel: object = interaction.channel
        place = match.place
        if place is None:
            return None
        if interaction.channel_id != place.channel_id:
            channel = None
            with suppress(*REQUEST_FAILURES):
                async with asyncio.timeout(ANSWER_TIMEOUT):
                    guild = await self._guild(place.guild_id)
                    channel = None if guild is None else await self._channel(guild, place.channel_id)
        return ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None

    def close(self) -> None:
        """Cancel the requests in progress."""
        for _, answer in self._cache.values():
            answer.cancel()

    async def _exists(self, place: Place) -> bool:
        """Return False if Discord says that the channel does not exist or that the bot cannot see it."""
        with suppress(*REQUEST_FAILURES):
            async with asyncio.timeout(ANSWER_TIMEOUT):
                guild = await self._guild(place.guild_id)
                return guild is None or await self._channel(guild, place.channel_id) is not None
        return True

    async def _rights_in_time(self, guild_id: GuildId, channel_id: ChannelId, user: Snowflake) -> ChannelRights:
        with suppress(*REQUEST_FAILURES):
            async with asyncio.timeout(ANSWER_TIMEOUT):
                guild = await self._guild(guild_id)
                if guild is not None:
                    return await self._request_rights(guild, channel_id, user)
        return _NO_RIGHTS

    async def _request_rights(self, guild: discord.Guild, channel_id: ChannelId, user: Snowflake) -> ChannelRights:
        channel = await self._channel(guild, channel_id)
        parent = await self._parent(guild, channel)
        if parent is None:
            return _NO_RIGHTS
        member = user if isinstance(user, discord.Member) and user.guild.id == guild.id else None
        member = member or await self._cached_request(
            ("member", guild.id, user.id), lambda: guild.fetch_member(user.id)
        )
        if member is None:
            return _NO_RIGHTS
        permissions = parent.permissions_for(member)
        if isinstance(channel, discord.Thread) and channel.is_private() and not permissions.manage_threads:
            thread = channel
            if not await self._cached_request(("thread", thread.id, user.id), lambda: thread.fetch_member(user.id)):
                return _NO_RIGHTS
        allowed = _channel_rights(permissions, channel)
        # A member who has not accepted the server's rules yet is not allowed to write.
        return replace(allowed, write=False, write_in_threads=False) if member.pending else allowed

    async def _guild(self, guild_id: GuildId | None) -> discord.Guild | None:
        """Return a server; None if the bot is not a member of it, or the gateway has not sent it yet."""
        cached = None if guild_id is None else self._client.get_guild(guild_id)
        if cached is not None or guild_id is None or self._app.leases.home.contains(guild_id):
            return cached
        return await self._cached_request(
            ("guild", guild_id, 0), lambda: self._client.fetch_guild(guild_id, with_counts=False)
        )

    async def _channel(self, guild: discord.Guild, channel_id: ChannelId) -> GuildChannel | discord.Thread | None:
        """Return a channel or thread of a server; None if it does not exist or the bot cannot see it."""
        cached = guild.get_channel_or_thread(channel_id)
        # Archived threads must be fetched: the gateway does not send them.
        return cached or await self._cached_request(
            ("channel", guild.id, channel_id), lambda: guild.fetch_channel(channel_id)
        )

    async def _parent(self, guild: discord.Guild, channel: GuildChannel | discord.Thread | None) -> GuildChannel | None:
        """Return a thread's parent channel, which has its permissions; for other channels, the channel itself."""
        parent = channel
        if isinstance(channel, discord.Thread):
            parent = await self._channel(guild, ChannelId(channel.parent_id))
        return None if isinstance(parent, discord.Thread) else parent

    async def _cached_request(
        self, question: tuple[str, int, int], ask: Callable[[], Awaitable[_Response]]
    ) -> _Response | None:
        """Return Discord's answer, from the cache if it is recent; None if it is "not found" or "forbidden".

        Raise the request's error if Discord does not answer.
        """
        now = self._clock()
        while self._cache and next(iter(self._cache.values()))[0] <= now:
            del self._cache[next(iter(self._cache))]
        if question not in self._cache:
            self._cache[question] = now + CACHE_SECONDS, asyncio.create_task(self._request(question, ask))
        answer = await asyncio.shield(self._cache[question][1])
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _request(
        self, question: tuple[str, int, int], ask: Callable[[], Awaitable[_Response]]
    ) -> _Response | Exception | None:
        try:
            return await ask()
        except (discord.NotFound, discord.Forbidden):
            return None
        except REQUEST_FAILURES as error:
            log.warning("permission lookup failed", about=question[0], error=type(error).__name__)
            self._cache.pop(question, None)
            return error


async def _member_now(guild: discord.Guild, person_id: PersonId) -> discord.Member | None:
    """Fetch a member, bypassing the cache; None if the person is not a member. Raise the error of any other failure."""
    try:
        return await guild.fetch_member(person_id)
    except discord.NotFound as error:
        if error.code in _NOT_A_MEMBER:
            return None
        raise


def _may_remove(member: discord.Member, channel: GuildChannel | None) -> bool:
    """Return True if a member may kick or ban others or manage a channel. Their roles count even during a time-out."""
    roles = discord.Permissions.none()
    for role in member.roles:
        roles.value |= role.permissions.value
    is_administrator = member.id == member.guild.owner_id or roles.administrator
    may_manage = roles.manage_channels or (channel is not None and channel.permissions_for(member).manage_channels)
    return is_administrator or roles.kick_members or roles.ban_members or may_manage


def _channel_rights(permissions: discord.Permissions, channel: object) -> ChannelRights:
    # The chat of a voice channel requires the right to connect.
    see = permissions.view_channel and (
        permissions.connect or not isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    )
    in_threads = see and permissions.send_messages_in_threads
    if isinstance(channel, discord.Thread):
        return ChannelRights(see, in_threads and (permissions.manage_threads or not channel.locked), in_threads)
    return ChannelRights(see, see and permissions.send_messages, in_threads)
