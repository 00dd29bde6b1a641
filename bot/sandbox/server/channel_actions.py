"""Archiving and deleting channels and changing thread members, with the gateway events that follow."""

from bot.sandbox.server.gateway import Intent
from bot.sandbox.server.payloads import channel_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.world import Channel, User


def dispatch_channel_event(state: ServerState, event: str, channel: Channel, **extra: object) -> None:
    """Send a CHANNEL_* or THREAD_* event about a server's channel. `extra` fields are added to the channel object."""
    if channel.guild is not None:
        data = channel_json(channel) | extra
        state.gateway.dispatch(event, data, guild_id=channel.guild.id, intent=Intent.GUILDS)
    state.changes.notify()


def set_archived(state: ServerState, channel: Channel, *, archived: bool) -> None:
    """Archive or reopen a thread, without sending an event."""
    if channel.thread is not None and channel.thread.archived != archived:
        channel.thread.archived = archived
        channel.thread.archived_at = state.world.clock.now()


def add_to_thread(state: ServerState, thread: Channel, user: User) -> None:
    """Add a user to a thread. The bot gets an event only when it gains access to a private thread."""
    if thread.thread is None or user.id in thread.thread.members:
        return
    could_see = state.world.can_see(state.world.bot, thread)
    thread.thread.members.add(user.id)
    if not could_see and state.world.can_see(state.world.bot, thread):
        dispatch_channel_event(state, "THREAD_CREATE", thread)
    state.changes.notify()


def remove_from_thread(state: ServerState, thread: Channel, user: User) -> None:
    """Remove a user from a thread. The bot gets a THREAD_DELETE event only when it loses access to a private thread."""
    if thread.thread is None or user.id not in thread.thread.members:
        return
    could_see = state.world.can_see(state.world.bot, thread)
    thread.thread.members.discard(user.id)
    if could_see and not state.world.can_see(state.world.bot, thread):
        dispatch_channel_event(state, "THREAD_DELETE", thread)
    state.changes.notify()


def delete_with_threads(state: ServerState, channel: Channel) -> None:
    """Delete a thread, or a channel with its threads, and send an event for each of them."""
    threads = state.world.threads(channel.guild) if channel.guild else []
    inside = [thread for thread in threads if thread.thread and thread.thread.parent_id == channel.id]
    for deleted in (*inside, channel):
        state.world.remove(deleted)
        dispatch_channel_event(state, "THREAD_DELETE" if deleted.thread else "CHANNEL_DELETE", deleted)
