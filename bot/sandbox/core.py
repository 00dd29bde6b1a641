"""What every part of the local Discord shares."""

import base64
import secrets
from dataclasses import dataclass, field

from bot.sandbox.changes import Changes
from bot.sandbox.commands import CommandBook
from bot.sandbox.errors import RefusalError
from bot.sandbox.faults import Faults
from bot.sandbox.gateway import Gateway
from bot.sandbox.interaction import Interactions
from bot.sandbox.journal import Journal
from bot.sandbox.message import Attachment, Message
from bot.sandbox.permissions import Permission
from bot.sandbox.ratelimits import RateLimits
from bot.sandbox.world import Channel, Guild, User, World


@dataclass(slots=True)
class Rules:
    """Quotas that Discord does not publish; None means no limit.

    `late_edits_per_hour`: edits of one message older than an hour before 30046.
    `dm_openings`: direct conversations that may still be opened before 40003.
    """

    late_edits_per_hour: int | None = 5
    dm_openings: int | None = None
    nonce_memory: float = 300.0


@dataclass(slots=True, eq=False)
class Core:
    """The world and everything that acts on it; `origin` (http://127.0.0.1:PORT) is set once the server listens."""

    world: World
    token: str
    changes: Changes = field(default_factory=Changes)
    faults: Faults = field(default_factory=Faults)
    journal: Journal = field(default_factory=Journal)
    rate_limits: RateLimits = field(default_factory=RateLimits)
    rules: Rules = field(default_factory=Rules)
    origin: str = ""
    attachments: dict[int, Attachment] = field(default_factory=dict[int, Attachment])
    nonces: dict[tuple[int, int, str], Message] = field(default_factory=dict[tuple[int, int, str], Message])
    opened_dms: set[int] = field(default_factory=set[int])
    pushes: list[Message] = field(default_factory=list[Message])
    gateway: Gateway = field(init=False)
    interactions: Interactions = field(init=False)
    commands: CommandBook = field(init=False)

    def __post_init__(self) -> None:
        self.gateway = Gateway(self.world, self.faults, self.changes, self.token)
        self.interactions = Interactions(self.world.clock, self.changes)
        self.commands = CommandBook(self.world.clock, self.world.bot.id)

    def channel(self, channel_id: int | None, *needed: Permission) -> Channel:
        """Find a channel for the bot; raise 10003, 50001 (cannot see it) or 50013 (may not do that there)."""
        channel = self.world.channels.get(channel_id or 0)
        if channel is None or (channel.guild is not None and self.world.bot.id not in channel.guild.members):
            raise RefusalError(10003 if channel is None else 50001)
        permissions = self.world.permissions(self.world.bot, channel)
        if Permission.VIEW_CHANNEL not in permissions:
            raise RefusalError(50001)
        if any(one not in permissions for one in needed):
            raise RefusalError(50013)
        return channel

    def guild(self, guild_id: int | None) -> Guild:
        """Find a server the bot is in; raise 10004."""
        guild = self.world.guilds.get(guild_id or 0)
        if guild is None or self.world.bot.id not in guild.members:
            raise RefusalError(10004)
        return guild

    def message(self, channel: Channel, message_id: int | None) -> Message:
        """Find a message that can be addressed by its id, which ephemeral ones cannot; raise 10008."""
        message = channel.messages.get(message_id or 0)
        if message is None or message.ephemeral:
            raise RefusalError(10008)
        return message

    def user(self, user_id: int | None) -> User:
        """Find an account; raise 10013."""
        user = self.world.users.get(user_id or 0)
        if user is None:
            raise RefusalError(10013)
        return user


def make_token(bot_id: int) -> str:
    """Make up a bot token in the form of real ones, so that whatever hides those hides it too."""
    head = base64.urlsafe_b64encode(str(bot_id).encode()).decode().rstrip("=")
    return f"{head}.{secrets.token_hex(3)}.{secrets.token_hex(19)}"
