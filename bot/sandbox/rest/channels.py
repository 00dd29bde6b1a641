"""Channels and threads."""

from bot.sandbox.core import Core
from bot.sandbox.errors import Problems, RefusalError
from bot.sandbox.message import MessageFlag
from bot.sandbox.payloads import channel_json
from bot.sandbox.permissions import Permission
from bot.sandbox.posting import announce_channel, post
from bot.sandbox.rest.call import NO_CONTENT, Call, Reply
from bot.sandbox.wire import Json, number
from bot.sandbox.world import Channel, ChannelKind

# The system messages of Discord's reference, "Message Types".
THREAD_CREATED = 18


def get_channel(core: Core, call: Call) -> Json:
    """Show a channel."""
    return channel_json(core.channel(call.id("channel_id")))


def edit_channel(core: Core, call: Call) -> Json:
    """Rename a channel, or rename, archive, unarchive and lock a thread."""
    channel, body = core.channel(call.id("channel_id")), call.body
    permissions = core.world.permissions(core.world.bot, channel)
    thread = channel.thread
    if thread is None:
        if Permission.MANAGE_CHANNELS not in permissions:
            raise RefusalError(50013)
    else:
        manages = Permission.MANAGE_THREADS in permissions
        reopens = body.get("archived") is False and not thread.locked
        owns = thread.owner_id == core.world.bot.id and "locked" not in body
        if not (manages or owns or reopens):
            raise RefusalError(50013)
        if thread.archived and body.get("archived", True):
            raise RefusalError(50083)
        set_archived(core, channel, archived=bool(body.get("archived", thread.archived)))
        thread.locked = bool(body.get("locked", thread.locked))
        thread.auto_archive_minutes = number(body.get("auto_archive_duration")) or thread.auto_archive_minutes
    if "name" in body:
        _check_name(body)
        channel.name = body["name"]
    announce_channel(core, "THREAD_UPDATE" if thread else "CHANNEL_UPDATE", channel)
    return channel_json(channel)


def delete_channel(core: Core, call: Call) -> Json:
    """Delete a channel or a thread."""
    channel = core.channel(call.id("channel_id"))
    if channel.guild is None:
        return channel_json(channel)
    needed = Permission.MANAGE_THREADS if channel.thread else Permission.MANAGE_CHANNELS
    core.channel(channel.id, needed)
    drop_channel(core, channel)
    return channel_json(channel)


def start_thread(core: Core, call: Call) -> Reply:
    """Start a public thread, without a message or from one; raise 160004 for a message that has one."""
    parent = core.channel(call.id("channel_id"), Permission.CREATE_PUBLIC_THREADS)
    message = core.message(parent, call.id("message_id")) if "message_id" in call.params else None
    if parent.kind is not ChannelKind.TEXT or (
        message is None and number(call.body.get("type")) != ChannelKind.PUBLIC_THREAD
    ):
        raise RefusalError(50024)
    if message is not None and message.thread is not None:
        raise RefusalError(160004)
    _check_name(call.body)
    minutes = number(call.body.get("auto_archive_duration")) or 1440
    thread = core.world.add_thread(parent, call.body["name"], core.world.bot, message=message, minutes=minutes)
    if message is not None:
        message.revision += 1
    else:
        notice = post(core, parent, core.world.bot, {"content": thread.name}, kind=THREAD_CREATED, flags=MessageFlag(0))
        notice.thread = thread.id
    announce_channel(core, "THREAD_CREATE", thread, newly_created=True)
    return Reply(201, channel_json(thread))


def add_thread_member(core: Core, call: Call) -> Reply:
    """Add someone to a thread; everyone who sees the parent sees a public thread anyway."""
    thread = core.channel(call.id("channel_id")).thread
    if thread is None:
        raise RefusalError(50024)
    if thread.archived:
        raise RefusalError(50083)
    if call.params.get("user_id") is not None:
        core.user(call.id("user_id"))
    return NO_CONTENT


def typing(core: Core, call: Call) -> Reply:
    """Show that the bot is typing."""
    core.channel(call.id("channel_id"), Permission.SEND_MESSAGES)
    return NO_CONTENT


def set_archived(core: Core, channel: Channel, *, archived: bool) -> None:
    """Archive or reopen a thread without saying so yet."""
    if channel.thread is not None and channel.thread.archived != archived:
        channel.thread.archived = archived
        channel.thread.archived_at = core.world.clock.now()


def drop_channel(core: Core, channel: Channel) -> None:
    """Take a channel and its threads out of the world and say so."""
    children = [c for c in core.world.channels.values() if c.thread and c.thread.parent_id == channel.id]
    for gone in (*children, channel):
        del core.world.channels[gone.id]
        announce_channel(core, "THREAD_DELETE" if gone.thread else "CHANNEL_DELETE", gone)


def _check_name(body: Json) -> None:
    problems = Problems()
    problems.length(("name",), body.get("name"), 1, 100)
    problems.check()
