"""Routes for channels and threads."""

from bot.sandbox.server.channel_actions import (
    add_to_thread,
    delete_with_threads,
    dispatch_channel_event,
    remove_from_thread,
    set_archived,
)
from bot.sandbox.server.errors import FormErrors, RefusalError
from bot.sandbox.server.http.call import NO_CONTENT, Call, Reply
from bot.sandbox.server.message_actions import post
from bot.sandbox.server.payloads import channel_json, member_json, thread_member_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json, as_int
from bot.sandbox.world.messages import MessageFlag
from bot.sandbox.world.permissions import Permission
from bot.sandbox.world.world import Channel, ChannelKind, User

# Source: Discord's API reference, "Message Types".
THREAD_CREATED = 18


def get_channel(state: ServerState, call: Call) -> Json:
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
        can_manage = Permission.MANAGE_THREADS in permissions
        is_reopening = body.get("archived") is False and not thread.locked
        is_owner = thread.owner_id == state.world.bot.id and "locked" not in body
        if not (can_manage or is_owner or is_reopening):
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
    """Start a public thread, with or without a message, or a private thread without a message.

    Raises `RefusalError` 160004 if the message already has a thread.
    """
    kind = as_int(call.body.get("type")) if "message_id" not in call.params else ChannelKind.PUBLIC_THREAD
    private = kind == ChannelKind.PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    parent = state.channel(call.id("channel_id"), needed)
    message = state.message(parent, call.id("message_id")) if "message_id" in call.params else None
    if parent.kind is not ChannelKind.TEXT or kind not in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD):
        raise RefusalError(50024)
    if message is not None and message.thread is not None:
        raise RefusalError(160004)
    _check_name(call.body)
    minutes = as_int(call.body.get("auto_archive_duration")) or 1440
    thread = state.world.add_thread(
        parent, call.body["name"], state.world.bot, message=message, minutes=minutes, private=private
    )
    if message is not None:
        message.revision += 1
    elif not private:
        notice = post(
            state, parent, state.world.bot, {"content": thread.name}, kind=THREAD_CREATED, flags=MessageFlag(0)
        )
        notice.thread = thread.id
    dispatch_channel_event(state, "THREAD_CREATE", thread, newly_created=True)
    return Reply(201, channel_json(thread))


def get_thread_member(state: ServerState, call: Call) -> Json:
    """Return a member of a thread. Raises `RefusalError` 10007 for non-members, even if they can see the thread.

    With `with_member`, the reply includes their membership of the guild.
    """
    thread, user = _thread_member(state, call)
    if thread.thread is None or user.id not in thread.thread.members:
        raise RefusalError(10007)
    row = thread_member_json(state.world, thread, user)
    member = thread.guild.members.get(user.id) if thread.guild else None
    return row | {"member": member_json(member)} if member and call.flag("with_member") else row


def add_thread_member(state: ServerState, call: Call) -> Reply:
    """Add a user to a thread. Membership matters only in private threads: it gives access to them."""
    thread, user = _thread_member(state, call)
    if thread.thread is not None and thread.thread.archived:
        raise RefusalError(50083)
    add_to_thread(state, thread, user)
    return NO_CONTENT


def remove_thread_member(state: ServerState, call: Call) -> Reply:
    """Remove a user from a thread.

    Raises `RefusalError` 50013 unless the bot removes itself, owns the thread, or has MANAGE_THREADS.
    """
    thread, user = _thread_member(state, call)
    bot = state.world.bot
    is_owner = thread.thread is not None and thread.thread.owner_id == bot.id
    if not (is_owner or user is bot or Permission.MANAGE_THREADS in state.world.permissions(bot, thread)):
        raise RefusalError(50013)
    remove_from_thread(state, thread, user)
    return NO_CONTENT


def _thread_member(state: ServerState, call: Call) -> tuple[Channel, User]:
    """Return the thread and the user that a request names. `@me` is the bot.

    Raises `RefusalError` 50024 if the channel is not a thread.
    """
    thread = state.channel(call.id("channel_id"))
    if thread.thread is None:
        raise RefusalError(50024)
    return thread, state.user(call.id("user_id")) if "user_id" in call.params else state.world.bot


def typing(state: ServerState, call: Call) -> Reply:
    """Accept a typing indicator, and ignore it."""
    state.channel(call.id("channel_id"), Permission.SEND_MESSAGES)
    return NO_CONTENT


def _check_name(body: Json) -> None:
    errors = FormErrors()
    errors.check_length(("name",), body.get("name"), 1, 100)
    errors.raise_if_any()
