"""What owners and moderators of a server do, and what happens to servers, with the events the bot gets."""

from bot.sandbox.core import Core
from bot.sandbox.gateway import Intent
from bot.sandbox.message import Message
from bot.sandbox.payloads import guild_json, role_json
from bot.sandbox.permissions import Overwrite, Permission
from bot.sandbox.posting import announce_channel, remove
from bot.sandbox.rest.channels import drop_channel, set_archived
from bot.sandbox.wire import Json
from bot.sandbox.world import Channel, Guild, Member, Role, User


class Moderation:
    """Changes to the world that neither the bot nor a player makes."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def delete_message(self, message: Message) -> None:
        """Delete a message as a moderator does."""
        remove(self._core, message)

    def create_channel(self, guild: Guild, name: str) -> Channel:
        """Make a text channel."""
        channel = self._core.world.add_channel(guild, name)
        announce_channel(self._core, "CHANNEL_CREATE", channel)
        return channel

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads, or a thread."""
        drop_channel(self._core, channel)

    def set_overwrites(self, channel: Channel, *overwrites: Overwrite) -> None:
        """Replace a channel's exceptions."""
        channel.overwrites = list(overwrites)
        announce_channel(self._core, "CHANNEL_UPDATE", channel)

    def set_role(self, guild: Guild, role: Role, permissions: Permission) -> None:
        """Change what a role allows."""
        role.permissions = permissions
        self._tell("GUILD_ROLE_UPDATE", {"guild_id": str(guild.id), "role": role_json(role)}, guild)

    def create_thread(self, parent: Channel, name: str, owner: User) -> Channel:
        """Start a public thread as a member does."""
        thread = self._core.world.add_thread(parent, name, owner)
        announce_channel(self._core, "THREAD_CREATE", thread, newly_created=True)
        return thread

    def archive(self, thread: Channel, *, locked: bool = False) -> None:
        """Archive a thread, as time or a moderator does."""
        set_archived(self._core, thread, archived=True)
        if thread.thread is not None:
            thread.thread.locked = locked
        announce_channel(self._core, "THREAD_UPDATE", thread)

    def remove_bot(self, guild: Guild) -> None:
        """Kick the bot."""
        del guild.members[self._core.world.bot.id]
        self._tell("GUILD_DELETE", {"id": str(guild.id)}, guild)

    def add_bot(self, guild: Guild, permissions: Permission) -> None:
        """Invite the bot (again) with a role of its own."""
        world = self._core.world
        role = world.add_role(guild, world.bot.display_name, permissions)
        guild.members[world.bot.id] = Member(world.bot, [role.id], joined_at=world.clock.now())
        self._tell("GUILD_CREATE", guild_json(world, guild), guild)

    def begin_outage(self, guild: Guild) -> None:
        """Make a server unavailable."""
        self._tell("GUILD_DELETE", {"id": str(guild.id), "unavailable": True}, guild)

    def end_outage(self, guild: Guild) -> None:
        """Make a server available again."""
        self._tell("GUILD_CREATE", guild_json(self._core.world, guild), guild)

    def leave(self, guild: Guild, user: User) -> None:
        """Let a member leave; the bot is not told without the privileged intent for members."""
        del guild.members[user.id]
        self._core.changes.notify()

    def join(self, guild: Guild, user: User) -> None:
        """Let a user join."""
        guild.members[user.id] = Member(user, joined_at=self._core.world.clock.now())
        self._core.changes.notify()

    def _tell(self, event: str, data: Json, guild: Guild) -> None:
        self._core.gateway.dispatch(event, data, guild_id=guild.id, intent=Intent.GUILDS)
        self._core.changes.notify()
