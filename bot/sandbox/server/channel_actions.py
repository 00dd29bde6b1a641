"""Archiving and deleting channels, with the gateway events that follow."""

from bot.sandbox.server.gateway import Intent
from bot.sandbox.server.payloads import channel_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.world import Channel, User


def dispatch_channel_event(state: ServerState, event: str, channel: Channel, **extra: object) -> None:
    """Send a CHANNEL_* or THREAD_* event about a guild channel, with some additional fields."""
    if channel.guild is not None:
        data = channel_json(channel) | extra
        state.gateway.dispatch(event, data, guild_id=channel.guild.id, intent=Intent.GUILDS)
    state.changes.notify()


def set_archived(state: ServerState, channel: Channel, *, archived: bool) -> None:
    """Archive or reopen a thread, without sending the event."""
    if channel.thread is not None and channel.thread.archived != archived:
        channel.thread.archived = archived
        channel.thread.archived_at = state.world.clock.now()


def add_to_thread(state: ServerState, thread: Channel, user: User) -> None:
    """Add a user to a thread. The bot hears of a private one when it becomes a member of it."""
    if thread.thread is None or user.id in thread.thread.members:
        return
    could_see = state.world.can_see(state.world.bot, thread)
    thread.thread.members.add(user.id)
    if not could_see and state.world.can_see(state.world.bot, thread):
        dispatch_channel_event(state, "THREAD_CREATE", thread)
    state.changes.notify()


def remove_from_thread(state: ServerState, thread: Channel, user: User) -> None:
    """Remove a user from a thread. The bot hears only of its own removal from a private one, as of a deletion."""
    if thread.thread is None or user.id not in thread.thread.members:
        return
    could_see = state.world.can_see(state.world.bot, thread)
    thread.thread.members.discard(user.id)
    if could_see and not state.world.can_see(state.world.bot, thread):
        dispatch_channel_event(state, "THREAD_DELETE", thread)
    state.changes.notify()


def delete_with_threads(state: ServerState, channel: Channel) -> None:
    """Delete a channel with its threads, or a thread, and send the events."""
    threads = state.world.threads(channel.guild) if channel.guild else []
    inside = [thread for thread in threads if thread.thread and thread.thread.parent_id == channel.id]
    for deleted in (*inside, channel):
        state.world.remove(deleted)
        dispatch_channel_event(state, "THREAD_DELETE" if deleted.thread else "CHANNEL_DELETE", deleted)
