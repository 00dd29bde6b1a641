"""Users, guilds, roles, channels, threads and DM channels, and their permissions."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

from bot.sandbox.world.clock import Clock
from bot.sandbox.world.messages import Message
from bot.sandbox.world.permissions import (
    ALL_PERMISSIONS,
    DM_PERMISSIONS,
    MEMBER_DEFAULTS,
    NO_PERMISSIONS,
    TIMED_OUT,
    Overwrite,
    OverwriteKind,
    Permission,
    apply_overwrites,
)

_FIRST_ID = 1_400_000_000_000_000_000
"""The first of the ids that are the same in every run.

It encodes a time in August 2025, so these ids are lower than all ids that the clock issues.
"""


class ChannelKind(IntEnum):
    """The channel types that the sandbox supports. Source: Discord's API reference, "Channel Types"."""

    TEXT = 0
    DM = 1
    VOICE = 2
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    FORUM = 15


@dataclass(slots=True, eq=False)
class User:
    """A Discord account.

    If `open_dms` is False, Discord refuses the bot's direct messages to the user. Looking up a `deleted` user fails.
    `newest_read` maps channel ids to the id of the newest message that this person has read. `avatar` is the hash of
    the user's picture; None for a user who chose none.
    """

    id: int
    username: str
    display_name: str
    bot: bool = False
    open_dms: bool = True
    deleted: bool = False
    newest_read: dict[int, int] = field(default_factory=dict[int, int])
    avatar: str | None = None


@dataclass(slots=True, eq=False)
class Role:
    """A role of a guild."""

    id: int
    name: str
    permissions: Permission
    position: int = 0


@dataclass(slots=True, eq=False)
class Member:
    """A user's membership of a guild.

    `roles` are role ids, without @everyone. A `pending` member has not accepted the guild's rules yet. A member who was
    timed out cannot act until `timed_out_until`. All times are in seconds since 1970.
    """

    user: User
    roles: list[int] = field(default_factory=list[int])
    nick: str | None = None
    joined_at: float = 0.0
    pending: bool = False
    timed_out_until: float | None = None


@dataclass(slots=True, eq=False, repr=False)
class Guild:
    """A server, with its channels and threads. The role with the guild's own id is @everyone.

    `unavailable` is True during an outage of the server.
    """

    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict[int, Role])
    members: dict[int, Member] = field(default_factory=dict[int, Member])
    channels: "dict[int, Channel]" = field(default_factory=lambda: dict[int, Channel]())
    locale: str = "en-US"
    unavailable: bool = False

    def __repr__(self) -> str:
        return f"<Guild {self.id} {self.name}>"


@dataclass(slots=True, eq=False)
class ThreadState:
    """The fields that only threads have. `members` are user ids; `archived_at` is in seconds since 1970."""

    parent_id: int
    owner_id: int
    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 1440
    archived_at: float = 0.0
    members: set[int] = field(default_factory=set[int])


@dataclass(slots=True, eq=False, repr=False)
class Channel:
    """A server's channel, a thread (`thread` is set) or a DM channel with the bot (`guild` is None)."""

    id: int
    kind: ChannelKind
    name: str = ""
    guild: Guild | None = None
    position: int = 0
    overwrites: list[Overwrite] = field(default_factory=list[Overwrite])
    recipients: tuple[User, ...] = ()
    thread: ThreadState | None = None
    messages: dict[int, Message] = field(default_factory=dict[int, Message])

    def __repr__(self) -> str:
        return f"<Channel {self.id} {self.name or self.recipients}>"

    @property
    def last_message_id(self) -> int | None:
        """The id of the newest message that is not ephemeral, or None."""
        return next((m.id for m in reversed(self.messages.values()) if not m.ephemeral), None)


class World:
    """All users, guilds and channels of the simulated Discord, and their permissions.

    `channels` maps ids to the channels and threads of all servers and to DM channels. `dm_channels` maps user ids to DM
    channels.
    """

    def __init__(self, bot_name: str = "Bot", *, clock: Clock | None = None, bot_id: int | None = None) -> None:
        self.clock = clock or Clock()
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.dm_channels: dict[int, Channel] = {}
        self.bot = self.add_user(bot_name, bot=True, user_id=bot_id)

    @classmethod
    def default(cls, bot_name: str = "Bot", *, clock: Clock | None = None, avatars: bool = False) -> "World":
        """Create a world of one guild with three channels and four people. With `avatars`, each person has one.

        The ids are always the same, so a bot can keep using its database from an earlier run.
        """
        first = _FIRST_ID
        world = cls(bot_name, clock=clock, bot_id=first)
        names = ("North", "South", "East", "West")
        people = [world.add_user(name, user_id=first + number) for number, name in enumerate(names, start=1)]
        for number, person in enumerate(people, start=1):
            person.avatar = f"{number:032x}" if avatars else None
        guild = world.add_guild("The Clubhouse", people, guild_id=first + 10)
        for number, name in enumerate(("general", "games", "quiet-corner"), start=11):
            world.add_channel(guild, name, channel_id=first + number)
        for number, person in enumerate(people, start=21):
            world.dm_channel(person, channel_id=first + number)
        return world

    def add_user(self, name: str, *, open_dms: bool = True, bot: bool = False, user_id: int | None = None) -> User:
        """Add an account."""
        user = User(user_id or self.clock.snowflake(), name.lower().replace(" ", "_"), name, bot, open_dms)
        self.users[user.id] = user
        return user

    def add_guild(
        self,
        name: str,
        members: Iterable[User],
        *,
        everyone: Permission = MEMBER_DEFAULTS,
        bot_permissions: Permission | None = MEMBER_DEFAULTS,
        guild_id: int | None = None,
    ) -> Guild:
        """Add a server owned by its first member. The bot joins with its own role unless `bot_permissions` is None."""
        people = list(members)
        guild = Guild(guild_id or self.clock.snowflake(), name, people[0].id)
        guild.roles[guild.id] = Role(guild.id, "@everyone", everyone)
        self.guilds[guild.id] = guild
        for person in people:
            guild.members[person.id] = Member(person, joined_at=self.clock.now())
        if bot_permissions is not None:
            role = self.add_role(guild, self.bot.display_name, bot_permissions)
            guild.members[self.bot.id] = Member(self.bot, [role.id], joined_at=self.clock.now())
        return guild

    def add_guilds(self, count: int, members: Iterable[User], channels: Iterable[str] = ("general",)) -> list[Guild]:
        """Add many servers with the same members and channel names.

        The times that their ids encode are one millisecond apart, so consecutive servers belong to consecutive shards.
        """
        people, names = list(members), list(channels)
        guilds: list[Guild] = []
        for number in range(len(self.guilds) + 1, len(self.guilds) + 1 + count):
            guild = self.add_guild(f"Server {number}", people, guild_id=_FIRST_ID + (number << 22))
            for channel_id, name in enumerate(names, start=guild.id + 1):
                self.add_channel(guild, name, channel_id=channel_id)
            guilds.append(guild)
        return guilds

    def add_role(self, guild: Guild, name: str, permissions: Permission) -> Role:
        role = Role(self.clock.snowflake(), name, permissions, position=len(guild.roles))
        guild.roles[role.id] = role
        return role

    def add_channel(
        self,
        guild: Guild,
        name: str,
        *,
        overwrites: Iterable[Overwrite] = (),
        channel_id: int | None = None,
        voice: bool = False,
        forum: bool = False,
    ) -> Channel:
        """Add a channel to a server: a text channel, a voice channel (only its chat is simulated), or a forum."""
        position = len(guild.channels)
        kind = ChannelKind.VOICE if voice else ChannelKind.FORUM if forum else ChannelKind.TEXT
        return self.register_channel(
            Channel(channel_id or self.clock.snowflake(), kind, name, guild, position, list(overwrites))
        )

    def add_thread(
        self,
        parent: Channel,
        name: str,
        owner: User,
        *,
        message: Message | None = None,
        minutes: int = 1440,
        private: bool = False,
        members: Iterable[User] = (),
    ) -> Channel:
        """Add a thread that archives after `minutes`. A thread started from a message has the message's id.

        Only members and people with the permission to manage threads see a private thread. Its members are the owner,
        the given `members`, and users who are added later.
        """
        state = ThreadState(parent.id, owner.id, auto_archive_minutes=minutes, archived_at=self.clock.now())
        state.members = {owner.id, *(member.id for member in members)}
        thread = Channel(
            message.id if message else self.clock.snowflake(),
            ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD,
            name,
            parent.guild,
            thread=state,
        )
        if message is not None:
            message.thread = thread.id
        return self.register_channel(thread)

    def dm_channel(self, user: User, *, channel_id: int | None = None) -> Channel:
        """Return the DM channel between a user and the bot. Create it if necessary."""
        known = self.dm_channels.get(user.id)
        return known or self.register_channel(
            Channel(channel_id or self.clock.snowflake(), ChannelKind.DM, recipients=(user,))
        )

    def register_channel(self, channel: Channel) -> Channel:
        """Register a new channel with the world, its guild and its recipients, and return it."""
        self.channels[channel.id] = channel
        if channel.guild is not None:
            channel.guild.channels[channel.id] = channel
        for user in channel.recipients:
            self.dm_channels[user.id] = channel
        return channel

    def remove(self, channel: Channel) -> None:
        """Remove a channel or thread from its server."""
        del self.channels[channel.id]
        if channel.guild is not None:
            del channel.guild.channels[channel.id]

    def threads(self, guild: Guild) -> list[Channel]:
        """List the threads of a server, including archived ones."""
        return [channel for channel in guild.channels.values() if channel.thread is not None]

    def permissions(self, user: User, channel: Channel) -> Permission:
        """Return a user's permissions in a channel. A user without access has none."""
        if channel.guild is None:
            return DM_PERMISSIONS if user in channel.recipients or user is self.bot else NO_PERMISSIONS
        parent = self.channels.get(channel.thread.parent_id) if channel.thread else channel
        base = self.guild_permissions(user, channel.guild)
        if parent is None or base in (NO_PERMISSIONS, ALL_PERMISSIONS):
            return base if parent is not None else NO_PERMISSIONS
        member = channel.guild.members[user.id]
        everyone = channel.guild.id
        allowed = apply_overwrites(base, parent.overwrites, everyone=everyone, roles=member.roles, user=user.id)
        if member.timed_out_until is not None and member.timed_out_until > self.clock.now():
            allowed &= TIMED_OUT
        if channel.kind is ChannelKind.PRIVATE_THREAD and channel.thread and user.id not in channel.thread.members:
            return allowed if Permission.MANAGE_THREADS in allowed else NO_PERMISSIONS
        if channel.kind is ChannelKind.VOICE and Permission.CONNECT not in allowed:
            # Discord hides the chat of a voice channel, but not the channel, from users who may not connect to it.
            return NO_PERMISSIONS
        return allowed

    def guild_permissions(self, user: User, guild: Guild) -> Permission:
        """Return the union of the permissions of a member's roles. A user who is not a member has no permissions."""
        member = guild.members.get(user.id)
        if member is None:
            return NO_PERMISSIONS
        if user.id == guild.owner_id:
            return ALL_PERMISSIONS
        base = guild.roles[guild.id].permissions
        for role in member.roles:
            base |= guild.roles[role].permissions
        return ALL_PERMISSIONS if Permission.ADMINISTRATOR in base else base

    def can_see(self, user: User, channel: Channel) -> bool:
        return channel.id in self.channels and Permission.VIEW_CHANNEL in self.permissions(user, channel)

    def bot_guilds(self) -> list[Guild]:
        """List the servers that the bot is a member of."""
        return [guild for guild in self.guilds.values() if self.bot.id in guild.members]

    def shares_guild_with_bot(self, user: User) -> bool:
        """Return True if a user and the bot share a server."""
        return any(user.id in guild.members and self.bot.id in guild.members for guild in self.guilds.values())


def member_overwrite(user: User, *, allow: Permission = NO_PERMISSIONS, deny: Permission = NO_PERMISSIONS) -> Overwrite:
    """Create a permission overwrite for one member of a channel."""
    return Overwrite(user.id, OverwriteKind.MEMBER, allow, deny)


def role_overwrite(role: Role, *, allow: Permission = NO_PERMISSIONS, deny: Permission = NO_PERMISSIONS) -> Overwrite:
    """Create a permission overwrite for one role in a channel."""
    return Overwrite(role.id, OverwriteKind.ROLE, allow, deny)
