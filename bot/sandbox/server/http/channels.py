"""Routes for channels and threads."""

from bot.sandbox.server.channel_actions import delete_with_threads, dispatch_channel_event, set_archived
from bot.sandbox.server.errors import FormErrors, RefusalError
from bot.sandbox.server.http.call import NO_CONTENT, Call, Reply
from bot.sandbox.server.message_actions import post
from bot.sandbox.server.payloads import channel_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json, as_int
from bot.sandbox.world.messages import MessageFlag
from bot.sandbox.world.permissions import Permission
from bot.sandbox.world.world import ChannelKind

# Source: Discord's API reference, "Message Types".
THREAD_CREATED = 18


def get_channel(state: ServerState, call: Call) -> Json:
    """Return a channel."""
    return channel_json(state.channel(call.id("channel_id")))


def edit_channel(state: ServerState, call: Call) -> Json:
    """Rename a channel, or rename, archive, unarchive or lock a thread."""
    channel, body = state.channel(call.id("channel_id")), call.body
    permissions = state.world.permissions(state.world.bot, channel)
    thread = channel.thread
    if thread is None:
        if Permission.MANAGE_CHANNELS not in permissions:
            raise RefusalError(50013)
    else:
        manages = Permission.MANAGE_THREADS in permissions
        reopens = body.get("archived") is False and not thread.locked
        owns = thread.owner_id == state.world.bot.id and "locked" not in body
        if not (manages or owns or reopens):
            raise RefusalError(50013)
        if thread.archived and body.get("archived", True):
            raise RefusalError(50083)
        set_archived(state, channel, archived=bool(body.get("archived", thread.archived)))
        thread.locked = bool(body.get("locked", thread.locked))
        thread.auto_archive_minutes = as_int(body.get("auto_archive_duration")) or thread.auto_archive_minutes
    if "name" in body:
        _check_name(body)
        channel.name = body["name"]
    dispatch_channel_event(state, "THREAD_UPDATE" if thread else "CHANNEL_UPDATE", channel)
    return channel_json(channel)


def delete_channel(state: ServerState, call: Call) -> Json:
    """Delete a channel or a thread."""
    channel = state.channel(call.id("channel_id"))
    if channel.guild is None:
        return channel_json(channel)
    needed = Permission.MANAGE_THREADS if channel.thread else Permission.MANAGE_CHANNELS
    state.channel(channel.id, needed)
    delete_with_threads(state, channel)
    return channel_json(channel)


def start_thread(state: ServerState, call: Call) -> Reply:
    """Start a public thread, with or without a message; raise 160004 for a message that has a thread already."""
    parent = state.channel(call.id("channel_id"), Permission.CREATE_PUBLIC_THREADS)
    message = state.message(parent, call.id("message_id")) if "message_id" in call.params else None
    if parent.kind is not ChannelKind.TEXT or (
        message is None and as_int(call.body.get("type")) != ChannelKind.PUBLIC_THREAD
    ):
        raise RefusalError(50024)
    if message is not None and message.thread is not None:
        raise RefusalError(160004)
    _check_name(call.body)
    minutes = as_int(call.body.get("auto_archive_duration")) or 1440
    thread = state.world.add_thread(parent, call.body["name"], state.world.bot, message=message, minutes=minutes)
    if message is not None:
        message.revision += 1
    else:
        notice = post(
            state, parent, state.world.bot, {"content": thread.name}, kind=THREAD_CREATED, flags=MessageFlag(0)
        )
        notice.thread = thread.id
    dispatch_channel_event(state, "THREAD_CREATE", thread, newly_created=True)
    return Reply(201, channel_json(thread))


def add_thread_member(state: ServerState, call: Call) -> Reply:
    """Add a user to a thread. Nothing changes: everybody who sees the parent channel sees a public thread."""
    thread = state.channel(call.id("channel_id")).thread
    if thread is None:
        raise RefusalError(50024)
    if thread.archived:
        raise RefusalError(50083)
    if call.params.get("user_id") is not None:
        state.user(call.id("user_id"))
    return NO_CONTENT


def typing(state: ServerState, call: Call) -> Reply:
    """Accept the typing indicator, which is shown nowhere."""
    state.channel(call.id("channel_id"), Permission.SEND_MESSAGES)
    return NO_CONTENT


def _check_name(body: Json) -> None:
    errors = FormErrors()
    errors.check_length(("name",), body.get("name"), 1, 100)
    errors.raise_if_any()
