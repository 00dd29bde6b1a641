"""Permissions: the one place that decides what a person may see and do now.

In the channel that an interaction comes from, Discord has decided already. Elsewhere, roles and channels are known from
the gateway, but members are not: those are asked for one by one. So are the servers of shards that another process is
connected as: direct messages arrive at the first shard, and are about any server. Who cannot be asked about may do
nothing.
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

from bot.play.application import Application
from bot.play.refusals import ChallengeRefusal, MatchRefusal, NoChallenge, NoMatch
from bot.values.challenges import Challenge, ChallengeStatus
from bot.values.guilds import Place
from bot.values.ids import ChannelId, GuildId, PersonId
from bot.values.matches import MatchInfo, MatchStatus
from bot.values.presence import Presence
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.failures import REQUEST_FAILURES
from cogs.support.errors import UserError
from cogs.support.interactions import person_id_of
from cogs.text import refusals as texts
from cogs.text.people import place

log = structlog.get_logger(__name__)

CACHED_FOR: Final = 60.0
"""Seconds for which Discord's answers about a member or a thread are remembered."""

ANSWER_WITHIN: Final = 2.0
"""Seconds that Discord has to answer all about a channel, so that an interaction is answered within three."""

_NOT_A_MEMBER: Final = (10007, 10013)
"""Discord's codes for an unknown member and an unknown account: JSON error codes in its API reference."""

_DELETED: Final = "In a deleted channel"
_ARCHIVED: Final = "In an archived thread"
_HIDDEN: Final = "In a channel you cannot see"
_Found = TypeVar("_Found")


class Need(Enum):
    """The right that a person needs to use a button or menu about a match or challenge that need not be their own."""

    SEE_MATCH = auto()
    SEE_CHALLENGE = auto()
    POST_FOR_MATCH = auto()
    POST_FOR_CHALLENGE = auto()
    """To see it and to be allowed to write in its channel, since the bot will post there."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A person's permissions in a channel."""

    see: bool
    write: bool
    write_in_threads: bool
    """Whether they may write in a thread that is opened there."""


_NOTHING: Final = Allowed(see=False, write=False, write_in_threads=False)


class Access:
    """Answers what people may see and do. What Discord says about members and threads is remembered for a minute."""

    def __init__(self, client: discord.Client, app: Application) -> None:
        self._client = client
        self._app = app
        # The wall clock may jump.
        self._clock = time.monotonic
        self._asked: dict[tuple[str, int, int], tuple[float, asyncio.Task[Any]]] = {}
        """Until when the answer to each question holds, and the answer; the oldest first."""

    async def require(self, interaction: Interaction, event: ComponentEvent, need: Need) -> None:
        """Check that a person may use a button or menu now.

        Raise `NoMatch` or `NoChallenge` for what they cannot see, as for what does not exist, and `UserError` where
        they may not write.
        """
        if need in (Need.SEE_MATCH, Need.POST_FOR_MATCH):
            subject = await self._app.lookup.info(event.match_id)
            if not await self.sees_match(interaction, subject):
                raise NoMatch(here=False)
        else:
            subject = await self._app.challenges.get(event.challenge_id)
            if not await self.sees_challenge(interaction, subject):
                raise NoChallenge
        if need in (Need.POST_FOR_MATCH, Need.POST_FOR_CHALLENGE):
            place = subject.place
            # For practice nothing is posted in a channel.
            if place is not None:
                if isinstance(subject, MatchInfo) and not await self._is_there(place):
                    goes_on = subject.status is MatchStatus.RUNNING
                    raise UserError(texts.CHANNEL_DELETED if goes_on else texts.CHANNEL_GONE)
                await self.require_may_write(interaction, place.guild_id, place.channel_id)

    async def require_may_write(self, interaction: Interaction, guild_id: GuildId, channel_id: ChannelId) -> None:
        """Check that a person may write in a channel, and so have the bot post something there. Raise `UserError`."""
        if not (await self.allowed(interaction, guild_id, channel_id)).write:
            raise UserError(texts.may_not_write(channel_id))

    async def sees_match(self, interaction: Interaction, match: MatchInfo) -> bool:
        """Return whether a person may see a match: they play in it, or see its channel.

        One whose channel was deleted is seen by those who manage the server.
        """
        if match.seat_of(person_id_of(interaction)) is not None:
            return True
        if match.channel_deleted:
            return interaction.guild_id == match.guild_id and interaction.permissions.manage_guild
        return (await self.allowed(interaction, match.guild_id, match.channel_id)).see

    async def sees_challenge(self, interaction: Interaction, challenge: Challenge) -> bool:
        """Return whether a person may see a challenge: they made or joined it, or see where it was sent."""
        if any(player.id == interaction.user.id for player in challenge.players):
            return True
        if challenge.status is ChallengeStatus.DRAFT:
            return False
        return (await self.allowed(interaction, challenge.guild_id, challenge.channel_id)).see

    async def tellable(self, interaction: Interaction, error: BaseException) -> BaseException:
        """Return a refusal as it may be told: of a match or challenge that they cannot see, people learn nothing."""
        match error:
            case MatchRefusal() if not await self.sees_match(interaction, error.match):
                return NoMatch(here=False)
            case ChallengeRefusal() if not await self.sees_challenge(interaction, error.challenge):
                return NoChallenge()
            case _:
                return error

    async def channel_name(self, interaction: Interaction, subject: MatchInfo | Challenge) -> str:
        """Return where a match or challenge is for menus, which show no mentions: its channel, or practice."""
        if subject.channel_id is None:
            assert isinstance(subject, MatchInfo)
            return place(subject).capitalize()
        if isinstance(subject, MatchInfo) and subject.channel_deleted:
            return _DELETED
        if not (await self.allowed(interaction, subject.guild_id, subject.channel_id)).see:
            return _HIDDEN
        with suppress(*REQUEST_FAILURES):
            guild = await self._guild(subject.guild_id)
            channel = None if guild is None else await self._channel(guild, subject.channel_id)
            if channel is not None and not (isinstance(channel, discord.Thread) and channel.archived):
                return f"#{channel.name}"[:50]
        return _ARCHIVED

    async def server_name(self, interaction: Interaction, match: MatchInfo) -> str | None:
        """Return the name of a match's server for those who see its channel; None for others."""
        if not (await self.allowed(interaction, match.guild_id, match.channel_id)).see:
            return None
        with suppress(*REQUEST_FAILURES):
            guild = await self._guild(match.guild_id)
            return None if guild is None else guild.name
        return None

    async def may_show_to_all(self, interaction: Interaction, match: MatchInfo) -> bool:
        """Return whether they may show a finished deal to everyone: in its match's channel, if they may write there."""
        is_here = interaction.channel_id == match.channel_id
        return is_here and (await self.allowed(interaction, match.guild_id, match.channel_id)).write

    async def allowed(
        self,
        interaction: Interaction,
        guild_id: GuildId | None,
        channel_id: ChannelId | None,
        named: Snowflake | None = None,
    ) -> Allowed:
        """Return what a person, or somebody they name, may do in a channel: nothing where there is none."""
        if guild_id is None or channel_id is None:
            return _NOTHING
        if named is None and interaction.channel_id == channel_id:
            return _allowed(interaction.permissions, interaction.channel)
        return await self._allowed_in_time(guild_id, channel_id, named or interaction.user)

    async def presence(self, person_id: PersonId, place: Place) -> Presence | None:
        """Return whether a person can reach a table in a channel; None if Discord does not say.

        What it said before does not count: somebody may lose a match by the answer.
        """
        with suppress(*REQUEST_FAILURES):
            async with asyncio.timeout(ANSWER_WITHIN):
                guild = await self._present_guild(place.guild_id)
                member = await _member_now(guild, person_id)
                if member is None:
                    return Presence.GONE
                self._forget(("channel", guild.id, place.channel_id), ("thread", place.channel_id, person_id))
                allowed = await self._ask_allowed(guild, place.channel_id, member)
                can_act = not member.pending and not self._is_timed_out(member)
                is_at_table = allowed.see and can_act and await self._is_shown(guild, place.channel_id)
                return Presence.REACHABLE if is_at_table else Presence.SHUT_OUT
        return None

    async def may_remove(self, person_ids: Collection[PersonId], place: Place) -> bool:
        """Return whether any of these people may kick or ban members, or manage a channel.

        True if Discord does not say. What it said before does not count.
        """
        answers = await asyncio.gather(*(self._may_one_remove(person_id, place) for person_id in person_ids))
        return any(answers)

    async def _may_one_remove(self, person_id: PersonId, place: Place) -> bool:
        with suppress(*REQUEST_FAILURES):
            async with asyncio.timeout(ANSWER_WITHIN):
                guild = await self._present_guild(place.guild_id)
                member = await _member_now(guild, person_id)
                if member is None:
                    return False
                parent = await self._parent(guild, await self._channel(guild, place.channel_id))
                return _may_remove(member, parent)
        return True

    async def _present_guild(self, guild_id: GuildId) -> discord.Guild:
        """Return a server as it is now. Raise `TimeoutError` if Discord does not say how it is."""
        self._forget(("guild", guild_id, 0))
        guild = await self._guild(guild_id)
        if guild is None or guild.unavailable:
            raise TimeoutError("Discord does not tell of the server")
        return guild

    async def _is_shown(self, guild: discord.Guild, channel_id: ChannelId) -> bool:
        """Return whether the bot itself sees a channel: where it does not, nobody sees how the table stands now."""
        parent = await self._parent(guild, await self._channel(guild, channel_id))
        own = None if self._client.user is None else guild.get_member(self._client.user.id)
        return parent is not None and (own is None or parent.permissions_for(own).view_channel)

    def _is_timed_out(self, member: discord.Member) -> bool:
        """Return whether a moderator keeps a member from acting for a while; those who manage all are exempt."""
        until = member.timed_out_until
        return until is not None and until > self._app.clock() and not member.guild_permissions.administrator

    def _forget(self, *questions: tuple[str, int, int]) -> None:
        """Ask these questions again the next time, however lately they were answered."""
        for question in questions:
            self._asked.pop(question, None)

    async def everyone_sees(self, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Return whether everybody on a server sees a channel, whatever roles they have: never a private thread.

        Raise what went wrong if Discord cannot say.
        """
        guild = await self._guild(guild_id)
        if guild is None or guild.unavailable:
            raise TimeoutError("Discord has not told of the server yet")
        channel = await self._channel(guild, channel_id)
        parent = await self._parent(guild, channel)
        if parent is None or (isinstance(channel, discord.Thread) and channel.is_private()):
            return False
        return _allowed(parent.permissions_for(guild.default_role), channel).see

    async def may_be_mentioned(self, person_id: PersonId, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Return whether a mention in a channel lets nobody in: in a private thread it adds whom it names.

        Raise what went wrong if Discord cannot say. Where it knows no channel, there is nothing to be let into. What it
        said of somebody before does not count: there is time to ask again.
        """
        channel = self._client.get_channel(channel_id)
        if channel is None:
            # Right after it has connected, the gateway has told of none. What Discord says then knows nothing of its
            # server, so it answers this question alone.
            channel = await self._ask(
                ("anywhere", guild_id, channel_id), lambda: self._client.fetch_channel(channel_id)
            )
        if not isinstance(channel, discord.Thread) or not channel.is_private():
            return True
        thread, question = channel, ("thread", channel.id, person_id)
        self._asked.pop(question, None)
        return bool(await self._ask(question, lambda: thread.fetch_member(person_id)))

    async def parent_of(self, interaction: Interaction, match: MatchInfo) -> ChannelId | None:
        """Return the channel that a match's thread belongs to; None outside a thread, and if Discord does not say."""
        channel: object = interaction.channel
        place = match.place
        if place is None:
            return None
        if interaction.channel_id != place.channel_id:
            channel = None
            with suppress(*REQUEST_FAILURES):
                async with asyncio.timeout(ANSWER_WITHIN):
                    guild = await self._guild(place.guild_id)
                    channel = None if guild is None else await self._channel(guild, place.channel_id)
        return ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None

    def close(self) -> None:
        """Stop asking."""
        for _, answer in self._asked.values():
            answer.cancel()

    async def _is_there(self, place: Place) -> bool:
        """Return False if Discord says that there is no such channel, or that the bot may not see it."""
        with suppress(*REQUEST_FAILURES):
            async with asyncio.timeout(ANSWER_WITHIN):
                guild = await self._guild(place.guild_id)
                return guild is None or await self._channel(guild, place.channel_id) is not None
        return True

    async def _allowed_in_time(self, guild_id: GuildId, channel_id: ChannelId, user: Snowflake) -> Allowed:
        with suppress(*REQUEST_FAILURES):
            async with asyncio.timeout(ANSWER_WITHIN):
                guild = await self._guild(guild_id)
                if guild is not None:
                    return await self._ask_allowed(guild, channel_id, user)
        return _NOTHING

    async def _ask_allowed(self, guild: discord.Guild, channel_id: ChannelId, user: Snowflake) -> Allowed:
        channel = await self._channel(guild, channel_id)
        parent = await self._parent(guild, channel)
        if parent is None:
            return _NOTHING
        member = user if isinstance(user, discord.Member) and user.guild.id == guild.id else None
        member = member or await self._ask(("member", guild.id, user.id), lambda: guild.fetch_member(user.id))
        if member is None:
            return _NOTHING
        permissions = parent.permissions_for(member)
        if isinstance(channel, discord.Thread) and channel.is_private() and not permissions.manage_threads:
            thread = channel
            if not await self._ask(("thread", thread.id, user.id), lambda: thread.fetch_member(user.id)):
                return _NOTHING
        allowed = _allowed(permissions, channel)
        # Who has not agreed to the rules of the server yet reads and writes nothing new.
        return replace(allowed, write=False, write_in_threads=False) if member.pending else allowed

    async def _guild(self, guild_id: GuildId | None) -> discord.Guild | None:
        """Return a server; None if the bot is not there, or the gateway has not told of it yet."""
        known = None if guild_id is None else self._client.get_guild(guild_id)
        if known is not None or guild_id is None or self._app.leases.home.have(guild_id):
            return known
        return await self._ask(("guild", guild_id, 0), lambda: self._client.fetch_guild(guild_id, with_counts=False))

    async def _channel(self, guild: discord.Guild, channel_id: ChannelId) -> GuildChannel | discord.Thread | None:
        """Return a channel or thread of a server; None if there is none, or the bot may not see it."""
        known = guild.get_channel_or_thread(channel_id)
        # The gateway tells of no archived threads.
        return known or await self._ask(("channel", guild.id, channel_id), lambda: guild.fetch_channel(channel_id))

    async def _parent(self, guild: discord.Guild, channel: GuildChannel | discord.Thread | None) -> GuildChannel | None:
        """Return the channel that a thread belongs to, whose permissions it has; else the channel itself."""
        parent = channel
        if isinstance(channel, discord.Thread):
            parent = await self._channel(guild, ChannelId(channel.parent_id))
        return None if isinstance(parent, discord.Thread) else parent

    async def _ask(self, question: tuple[str, int, int], ask: Callable[[], Awaitable[_Found]]) -> _Found | None:
        """Return what Discord says, or said within the last minute; None if it says no.

        Raise what kept it from saying anything.
        """
        now = self._clock()
        while self._asked and next(iter(self._asked.values()))[0] <= now:
            del self._asked[next(iter(self._asked))]
        if question not in self._asked:
            self._asked[question] = now + CACHED_FOR, asyncio.create_task(self._answer(question, ask))
        answer = await asyncio.shield(self._asked[question][1])
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _answer(
        self, question: tuple[str, int, int], ask: Callable[[], Awaitable[_Found]]
    ) -> _Found | Exception | None:
        try:
            return await ask()
        except (discord.NotFound, discord.Forbidden):
            return None
        except REQUEST_FAILURES as error:
            log.warning("could not ask what somebody may see", about=question[0], error=type(error).__name__)
            self._asked.pop(question, None)
            return error


async def _member_now(guild: discord.Guild, person_id: PersonId) -> discord.Member | None:
    """Return a member as Discord has them now; None if it knows no such member. Raise what kept it from saying."""
    try:
        return await guild.fetch_member(person_id)
    except discord.NotFound as error:
        if error.code in _NOT_A_MEMBER:
            return None
        raise


def _may_remove(member: discord.Member, channel: GuildChannel | None) -> bool:
    """Return whether a member may kick or ban others, or manage a channel, also if they are timed out now."""
    roles = discord.Permissions.none()
    for role in member.roles:
        roles.value |= role.permissions.value
    is_over_all = member.id == member.guild.owner_id or roles.administrator
    may_manage = roles.manage_channels or (channel is not None and channel.permissions_for(member).manage_channels)
    return is_over_all or roles.kick_members or roles.ban_members or may_manage


def _allowed(permissions: discord.Permissions, channel: object) -> Allowed:
    # The chat of a voice channel is for those who may connect.
    see = permissions.view_channel and (
        permissions.connect or not isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    )
    in_threads = see and permissions.send_messages_in_threads
    if isinstance(channel, discord.Thread):
        return Allowed(see, in_threads and (permissions.manage_threads or not channel.locked), in_threads)
    return Allowed(see, see and permissions.send_messages, in_threads)
