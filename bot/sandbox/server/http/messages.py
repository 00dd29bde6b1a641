"""Routes for messages in a channel. Interaction responses have their own routes."""

from bot.sandbox.server.channel_actions import dispatch_channel_event, set_archived
from bot.sandbox.server.errors import RefusalError
from bot.sandbox.server.http.call import NO_CONTENT, Call, Reply
from bot.sandbox.server.message_actions import (
    count_late_edit,
    delete,
    edit,
    find_by_nonce,
    post,
    remember_nonce,
    requested_flags,
)
from bot.sandbox.server.payloads import message_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json, as_int, as_object
from bot.sandbox.world.messages import MessageFlag
from bot.sandbox.world.permissions import Permission
from bot.sandbox.world.world import Channel, ChannelKind, User


def _writable_channel(state: ServerState, call: Call) -> Channel:
    channel = state.channel(call.id("channel_id"))
    if channel.guild is None:
        _check_dm_recipient(state, channel.recipients[0])
        return channel
    if channel.kind is ChannelKind.FORUM:
        raise RefusalError(50008)
    needed = [Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES]
    if call.files:
        needed.append(Permission.ATTACH_FILES)
    if call.body.get("embeds"):
        needed.append(Permission.EMBED_LINKS)
    return state.channel(channel.id, *needed)


def _check_dm_recipient(state: ServerState, user: User) -> None:
    if not state.world.shares_guild_with_bot(user):
        raise RefusalError(50278)
    if not user.open_dms:
        raise RefusalError(50007)


def send(state: ServerState, call: Call) -> Json:
    """Send a message. With `enforce_nonce`, a repeated nonce returns the earlier message instead."""
    channel, body = _writable_channel(state, call), call.body
    existing = find_by_nonce(state, channel, state.world.bot, body)
    if existing is not None:
        return message_json(state.world, existing)
    reference = as_object(body.get("message_reference"))
    if reference:
        state.channel(channel.id, Permission.READ_MESSAGE_HISTORY)
        if as_int(reference.get("message_id")) not in channel.messages and reference.get("fail_if_not_exists", True):
            raise RefusalError(50035, errors=_unknown_reference())
    if channel.thread is not None and channel.thread.archived:
        can_manage = Permission.MANAGE_THREADS in state.world.permissions(state.world.bot, channel)
        if channel.thread.locked and not can_manage:
            raise RefusalError(50083)
        set_archived(state, channel, archived=False)
        dispatch_channel_event(state, "THREAD_UPDATE", channel)
    message = post(
        state, channel, state.world.bot, body, call.files, flags=requested_flags(body) & ~MessageFlag.EPHEMERAL
    )
    remember_nonce(state, message)
    return message_json(state.world, message)


def _unknown_reference() -> Json:
    error = {"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}
    return {"message_reference": {"_errors": [error]}}


def list_messages(state: ServerState, call: Call) -> list[Json]:
    """List messages, newest first. `before`, `after`, `around` and `limit` (default 50, maximum 100) select them."""
    channel = state.channel(call.id("channel_id"))
    if Permission.READ_MESSAGE_HISTORY not in state.world.permissions(state.world.bot, channel):
        return []
    limit = min(as_int(call.query.get("limit")) or 50, 100)
    found = [message for message in channel.messages.values() if not message.ephemeral]
    if (before := as_int(call.query.get("before"))) is not None:
        found = [message for message in found if message.id < before]
    if (around := as_int(call.query.get("around"))) is not None:
        nearest = sorted(found, key=lambda message: abs(message.id - around))[:limit]
        found = [message for message in found if message in nearest]
    if (after := as_int(call.query.get("after"))) is not None:
        found = [message for message in found if message.id > after][:limit]
    return [message_json(state.world, message) for message in reversed(found[-limit:])]


def get_message(state: ServerState, call: Call) -> Json:
    channel = state.channel(call.id("channel_id"), Permission.READ_MESSAGE_HISTORY)
    return message_json(state.world, state.message(channel, call.id("message_id")))


def edit_message(state: ServerState, call: Call) -> Json:
    """Edit one of the bot's messages.

    Raises `RefusalError` 50005 for another user's message, 50083 in an archived thread, and 30046 for too many edits of
    a message older than an hour.
    """
    channel = state.channel(call.id("channel_id"))
    message = state.message(channel, call.id("message_id"))
    if message.author is not state.world.bot:
        raise RefusalError(50005)
    if channel.thread is not None and channel.thread.archived:
        raise RefusalError(50083)
    if call.files and channel.guild is not None:
        state.channel(channel.id, Permission.ATTACH_FILES)
    count_late_edit(state, message)
    edit(state, message, call.body, call.files)
    return message_json(state.world, message)


def delete_message(state: ServerState, call: Call) -> Reply:
    """Delete a message.

    Deleting another user's message raises `RefusalError` 50013 without MANAGE_MESSAGES, and 50003 in a DM channel.
    """
    channel = state.channel(call.id("channel_id"))
    message = state.message(channel, call.id("message_id"))
    if channel.thread is not None and channel.thread.archived:
        raise RefusalError(50083)
    if message.author is not state.world.bot:
        if channel.guild is None:
            raise RefusalError(50003)
        state.channel(channel.id, Permission.MANAGE_MESSAGES)
    delete(state, message)
    return NO_CONTENT
