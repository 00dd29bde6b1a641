"""Messages addressed by channel and message id."""

from bot.sandbox.core import Core
from bot.sandbox.errors import RefusalError
from bot.sandbox.message import MessageFlag
from bot.sandbox.payloads import message_json
from bot.sandbox.permissions import Permission
from bot.sandbox.posting import (
    announce_channel,
    edit,
    flags_of,
    post,
    remember_nonce,
    remove,
    repeated,
    spend_late_edit,
)
from bot.sandbox.rest.call import NO_CONTENT, Call, Reply
from bot.sandbox.rest.channels import set_archived
from bot.sandbox.rest.guilds import check_deliverable
from bot.sandbox.wire import Json, mapping, number
from bot.sandbox.world import Channel


def _writable(core: Core, call: Call) -> Channel:
    channel = core.channel(call.id("channel_id"))
    if channel.guild is None:
        check_deliverable(core, channel.recipients[0].id)
        return channel
    needed = [Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES]
    if call.files:
        needed.append(Permission.ATTACH_FILES)
    if call.body.get("embeds"):
        needed.append(Permission.EMBED_LINKS)
    return core.channel(channel.id, *needed)


def send(core: Core, call: Call) -> Json:
    """Send a message; the same nonce with `enforce_nonce` gives the message that is already there."""
    channel, body = _writable(core, call), call.body
    known = repeated(core, channel, core.world.bot, body)
    if known is not None:
        return message_json(core.world, known)
    reference = mapping(body.get("message_reference"))
    if reference:
        core.channel(channel.id, Permission.READ_MESSAGE_HISTORY)
        if number(reference.get("message_id")) not in channel.messages and reference.get("fail_if_not_exists", True):
            raise RefusalError(50035, errors=_unknown_reference())
    if channel.thread is not None and channel.thread.archived:
        manages = Permission.MANAGE_THREADS in core.world.permissions(core.world.bot, channel)
        if channel.thread.locked and not manages:
            raise RefusalError(50083)
        set_archived(core, channel, archived=False)
        announce_channel(core, "THREAD_UPDATE", channel)
    message = post(core, channel, core.world.bot, body, call.files, flags=flags_of(body) & ~MessageFlag.EPHEMERAL)
    remember_nonce(core, message)
    return message_json(core.world, message)


def _unknown_reference() -> Json:
    error = {"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}
    return {"message_reference": {"_errors": [error]}}


def list_messages(core: Core, call: Call) -> list[Json]:
    """List messages, newest first, within `before`, `after`, `around` and `limit` (50, at most 100)."""
    channel = core.channel(call.id("channel_id"))
    if Permission.READ_MESSAGE_HISTORY not in core.world.permissions(core.world.bot, channel):
        return []
    limit = min(number(call.query.get("limit")) or 50, 100)
    found = [message for message in channel.messages.values() if not message.ephemeral]
    if (before := number(call.query.get("before"))) is not None:
        found = [message for message in found if message.id < before]
    if (around := number(call.query.get("around"))) is not None:
        nearest = sorted(found, key=lambda message: abs(message.id - around))[:limit]
        found = [message for message in found if message in nearest]
    if (after := number(call.query.get("after"))) is not None:
        found = [message for message in found if message.id > after][:limit]
    return [message_json(core.world, message) for message in reversed(found[-limit:])]


def get_message(core: Core, call: Call) -> Json:
    """Show a message."""
    channel = core.channel(call.id("channel_id"), Permission.READ_MESSAGE_HISTORY)
    return message_json(core.world, core.message(channel, call.id("message_id")))


def edit_message(core: Core, call: Call) -> Json:
    """Edit one's own message; raise 50005, 50083, or 30046 for one that is old and was edited often."""
    channel = core.channel(call.id("channel_id"))
    message = core.message(channel, call.id("message_id"))
    if message.author is not core.world.bot:
        raise RefusalError(50005)
    if channel.thread is not None and channel.thread.archived:
        raise RefusalError(50083)
    if call.files and channel.guild is not None:
        core.channel(channel.id, Permission.ATTACH_FILES)
    spend_late_edit(core, message)
    edit(core, message, call.body, call.files)
    return message_json(core.world, message)


def delete_message(core: Core, call: Call) -> Reply:
    """Delete a message; someone else's needs MANAGE_MESSAGES (50013) and is out of reach in a DM (50003)."""
    channel = core.channel(call.id("channel_id"))
    message = core.message(channel, call.id("message_id"))
    if channel.thread is not None and channel.thread.archived:
        raise RefusalError(50083)
    if message.author is not core.world.bot:
        if channel.guild is None:
            raise RefusalError(50003)
        core.channel(channel.id, Permission.MANAGE_MESSAGES)
    remove(core, message)
    return NO_CONTENT
