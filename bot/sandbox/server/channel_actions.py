"""Archiving and deleting channels, with the gateway events that follow."""

from bot.sandbox.server.gateway import Intent
from bot.sandbox.server.payloads import channel_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.world import Channel


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


def delete_with_threads(state: ServerState, channel: Channel) -> None:
    """Delete a channel with its threads, or a thread, and send the events."""
    threads = [c for c in state.world.channels.values() if c.thread and c.thread.parent_id == channel.id]
    for deleted in (*threads, channel):
        del state.world.channels[deleted.id]
        dispatch_channel_event(state, "THREAD_DELETE" if deleted.thread else "CHANNEL_DELETE", deleted)
