"""Actions of moderators, members and Discord itself, with the gateway events that they cause."""

from collections.abc import Iterable

from bot.sandbox.server.channel_actions import (
    add_to_thread,
    delete_with_threads,
    dispatch_channel_event,
    remove_from_thread,
    set_archived,
)
from bot.sandbox.server.gateway import Intent
from bot.sandbox.server.message_actions import delete
from bot.sandbox.server.payloads import guild_create_json, role_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json
from bot.sandbox.world.messages import Message
from bot.sandbox.world.permissions import Overwrite, Permission
from bot.sandbox.world.world import Channel, Guild, Member, Role, User


class Moderation:
    """Changes to the world by moderators, members or Discord itself, without a request from a client or the bot."""

    def __init__(self, state: ServerState) -> None:
        self._state = state

    def delete_message(self, message: Message) -> None:
        """Delete a message, as a moderator does."""
        delete(self._state, message)

    def create_channel(self, guild: Guild, name: str) -> Channel:
        """Create a text channel."""
        channel = self._state.world.add_channel(guild, name)
        dispatch_channel_event(self._state, "CHANNEL_CREATE", channel)
        return channel

    def delete_channel(self, channel: Channel) -> None:
        """Delete a thread, or a channel with its threads."""
        delete_with_threads(self._state, channel)

    def set_overwrites(self, channel: Channel, *overwrites: Overwrite) -> None:
        """Replace a channel's permission overwrites."""
        channel.overwrites = list(overwrites)
        dispatch_channel_event(self._state, "CHANNEL_UPDATE", channel)

    def set_role(self, guild: Guild, role: Role, permissions: Permission) -> None:
        """Set a role's permissions."""
        role.permissions = permissions
        self._dispatch("GUILD_ROLE_UPDATE", {"guild_id": str(guild.id), "role": role_json(role)}, guild)

    def create_thread(
        self, parent: Channel, name: str, owner: User, *, private: bool = False, members: Iterable[User] = ()
    ) -> Channel:
        """Start a thread, as a member does. The bot gets an event if it can see the thread."""
        world = self._state.world
        thread = world.add_thread(parent, name, owner, private=private, members=members)
        if world.can_see(world.bot, thread):
            dispatch_channel_event(self._state, "THREAD_CREATE", thread, newly_created=True)
        return thread

    def add_to_thread(self, thread: Channel, user: User) -> None:
        add_to_thread(self._state, thread, user)

    def remove_from_thread(self, thread: Channel, user: User) -> None:
        remove_from_thread(self._state, thread, user)

    def archive(self, thread: Channel, *, locked: bool = False) -> None:
        """Archive a thread, as a moderator does, and optionally lock it."""
        set_archived(self._state, thread, archived=True)
        if thread.thread is not None:
            thread.thread.locked = locked
        dispatch_channel_event(self._state, "THREAD_UPDATE", thread)

    def remove_bot(self, guild: Guild) -> None:
        """Kick the bot from a server. This also ends an outage of the server."""
        guild.unavailable = False
        del guild.members[self._state.world.bot.id]
        self._dispatch("GUILD_DELETE", {"id": str(guild.id)}, guild)

    def add_bot(self, guild: Guild, permissions: Permission) -> None:
        """Add the bot to a server with its own role."""
        world = self._state.world
        role = world.add_role(guild, world.bot.display_name, permissions)
        guild.members[world.bot.id] = Member(world.bot, [role.id], joined_at=world.clock.now())
        self._dispatch("GUILD_CREATE", guild_create_json(world, guild), guild)

    def begin_outage(self, guild: Guild) -> None:
        """Make a server unavailable. A session that starts during the outage gets no GUILD_CREATE for that server."""
        guild.unavailable = True
        self._dispatch("GUILD_DELETE", {"id": str(guild.id), "unavailable": True}, guild)

    def end_outage(self, guild: Guild) -> None:
        """Make a server available again."""
        guild.unavailable = False
        self._dispatch("GUILD_CREATE", guild_create_json(self._state.world, guild), guild)

    def leave(self, guild: Guild, user: User) -> None:
        """Remove a member who leaves or is kicked.

        The bot gets no event, because the sandbox does not support the privileged intent for members.
        """
        del guild.members[user.id]
        for thread in self._state.world.threads(guild):
            if thread.thread is not None:
                thread.thread.members.discard(user.id)
        self._state.changes.notify()

    def join(self, guild: Guild, user: User, *, pending: bool = False) -> None:
        """Add a member. The bot gets no event (see `leave`).

        If `pending`, the member has not accepted the server's rules yet.
        """
        guild.members[user.id] = Member(user, joined_at=self._state.world.clock.now(), pending=pending)
        self._state.changes.notify()

    def time_out(self, guild: Guild, user: User, until: float | None) -> None:
        """Time out a member until a time in seconds since 1970. None ends the timeout. The bot gets no event."""
        guild.members[user.id].timed_out_until = until
        self._state.changes.notify()

    def delete_account(self, user: User) -> None:
        """Delete a user's account and all their memberships."""
        for guild in self._state.world.guilds.values():
            if user.id in guild.members:
                self.leave(guild, user)
        user.deleted = True
        self._state.changes.notify()

    def _dispatch(self, event: str, data: Json, guild: Guild) -> None:
        self._state.gateway.dispatch(event, data, guild_id=guild.id, intent=Intent.GUILDS)
        self._state.changes.notify()
