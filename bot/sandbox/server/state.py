"""The state that all parts of the simulated Discord share."""

import base64
import secrets
from dataclasses import dataclass, field

from bot.sandbox.server.attachments import AttachmentStore
from bot.sandbox.server.changes import Changes
from bot.sandbox.server.commands import CommandRegistry
from bot.sandbox.server.emojis import EmojiRegistry
from bot.sandbox.server.errors import RefusalError
from bot.sandbox.server.faults import Faults
from bot.sandbox.server.gateway import Gateway
from bot.sandbox.server.interactions import InteractionRegistry
from bot.sandbox.server.journal import Journal
from bot.sandbox.server.rate_limits import RateLimits
from bot.sandbox.world.messages import Message
from bot.sandbox.world.permissions import Permission
from bot.sandbox.world.world import Channel, Guild, User, World


@dataclass(slots=True)
class Quotas:
    """Quotas whose values Discord does not publish. None means no limit.

    `late_edits_per_hour`: number of times that a message older than an hour can be edited before error 30046.
    `dm_openings`: number of DM channels that the bot can open before error 40003. `nonce_lifetime`: number of seconds
    for which an enforced nonce is remembered.
    """

    late_edits_per_hour: int | None = 5
    dm_openings: int | None = None
    nonce_lifetime: float = 300.0


@dataclass(slots=True, eq=False)
class ServerState:
    """The world, and all other state of the simulated server.

    `pushes` lists the messages that notified anyone. `opened_dms` has the ids of the users with whom the bot opened a
    DM channel. `nonces` maps (author, channel, nonce) to the message sent with that nonce. `requests` holds `METHOD
    /path` of every request being handled.
    """

    world: World
    token: str
    changes: Changes = field(default_factory=Changes)
    faults: Faults = field(default_factory=Faults)
    journal: Journal = field(default_factory=Journal)
    rate_limits: RateLimits = field(default_factory=RateLimits)
    quotas: Quotas = field(default_factory=Quotas)
    nonces: dict[tuple[int, int, str], Message] = field(default_factory=dict[tuple[int, int, str], Message])
    opened_dms: set[int] = field(default_factory=set[int])
    requests: dict[int, str] = field(default_factory=dict[int, str])
    pushes: list[Message] = field(default_factory=list[Message])
    attachments: AttachmentStore = field(init=False)
    gateway: Gateway = field(init=False)
    interactions: InteractionRegistry = field(init=False)
    commands: CommandRegistry = field(init=False)
    emojis: EmojiRegistry = field(init=False)

    def __post_init__(self) -> None:
        self.attachments = AttachmentStore(self.world.clock)
        self.gateway = Gateway(self.world, self.faults, self.changes, self.token)
        self.interactions = InteractionRegistry(self.world.clock, self.changes)
        self.commands = CommandRegistry(self.world.clock, self.world.bot.id)
        self.emojis = EmojiRegistry(self.world.clock)

    def channel(self, channel_id: int | None, *required: Permission) -> Channel:
        """Return a channel.

        Raises `RefusalError` 10003 if it is unknown, 50001 if the bot cannot see it, and 50013 if the bot lacks a
        needed permission.
        """
        channel = self.world.channels.get(channel_id or 0)
        if channel is None or (channel.guild is not None and self.world.bot.id not in channel.guild.members):
            raise RefusalError(10003 if channel is None else 50001)
        permissions = self.world.permissions(self.world.bot, channel)
        if Permission.VIEW_CHANNEL not in permissions:
            raise RefusalError(50001)
        if any(permission not in permissions for permission in required):
            raise RefusalError(50013)
        return channel

    def guild(self, guild_id: int | None) -> Guild:
        """Return a guild. Raises `RefusalError` 10004 if it is unknown, and 50001 if the bot is not a member of it."""
        guild = self.world.guilds.get(guild_id or 0)
        if guild is None:
            raise RefusalError(10004)
        if self.world.bot.id not in guild.members:
            raise RefusalError(50001)
        return guild

    def message(self, channel: Channel, message_id: int | None) -> Message:
        """Return a message of a channel.

        Raises `RefusalError` 10008 for unknown messages and for ephemeral ones, which cannot be looked up by id.
        """
        message = channel.messages.get(message_id or 0)
        if message is None or message.ephemeral:
            raise RefusalError(10008)
        return message

    def user(self, user_id: int | None) -> User:
        """Return an account. Raises `RefusalError` 10013 if it is unknown or deleted."""
        user = self.world.users.get(user_id or 0)
        if user is None or user.deleted:
            raise RefusalError(10013)
        return user


def make_token(bot_id: int) -> str:
    """Generate a bot token in the format of real ones, so that filters for real tokens also hide it."""
    head = base64.urlsafe_b64encode(str(bot_id).encode()).decode().rstrip("=")
    return f"{head}.{secrets.token_hex(3)}.{secrets.token_hex(19)}"
