"""Creating, editing and deleting messages, with the gateway events and notifications that follow."""

import copy
import re
from collections.abc import Sequence

from bot.sandbox.server.attachments import resolve_references
from bot.sandbox.server.channel_actions import add_to_thread
from bot.sandbox.server.errors import FormErrors, RefusalError
from bot.sandbox.server.gateway import Intent
from bot.sandbox.server.journal import Upload
from bot.sandbox.server.message_limits import check_message
from bot.sandbox.server.payloads import member_json, message_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world import components as tree
from bot.sandbox.world.json_values import Json, as_int, as_object, as_objects
from bot.sandbox.world.messages import Message, MessageFlag
from bot.sandbox.world.permissions import Permission
from bot.sandbox.world.world import Channel, ChannelKind, User

HOUR_SECONDS = 3600.0
# The flags that a sender can set. Discord sets the others.
SETTABLE_FLAGS = (
    MessageFlag.SUPPRESS_EMBEDS | MessageFlag.EPHEMERAL | MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.COMPONENTS_V2
)
# The defaults of `allowed_mentions`, for messages and for interaction responses. Source: Discord's API reference,
# "Allowed Mentions Object".
PARSE_ALL: Json = {"parse": ["users", "roles", "everyone"]}
PARSE_USERS: Json = {"parse": ["users"]}

_MENTION = re.compile(r"<@!?(\d+)>")


def requested_flags(payload: Json) -> MessageFlag:
    """Return the flags in a request body, without those that only Discord sets."""
    return MessageFlag(as_int(payload.get("flags")) or 0) & SETTABLE_FLAGS


def post(
    state: ServerState,
    channel: Channel,
    author: User,
    payload: Json,
    files: Sequence[Upload] = (),
    *,
    kind: int = 0,
    flags: MessageFlag | None = None,
    only_for: int | None = None,
    interaction: Json | None = None,
    command: str = "",
    default_mentions: Json = PARSE_ALL,
) -> Message:
    """Create a message. Raises `RefusalError` if Discord would refuse it.

    `only_for` is the id of the user who sees an ephemeral message. `interaction` and `command` describe the interaction
    that the message answers.
    """
    flags = requested_flags(payload) if flags is None else flags
    clock = state.world.clock
    message = Message(
        clock.snowflake(),
        channel,
        author,
        clock.now(),
        kind=kind,
        only_for=only_for,
        interaction=interaction,
        command=command,
    )
    _apply(state, message, payload, files, flags, default_mentions)
    message.nonce = _read_nonce(payload)
    message.reply_to = as_int(as_object(payload.get("message_reference")).get("message_id"))
    if only_for is None:
        _add_mentioned_to_thread(state, message)
    if only_for is None and MessageFlag.SUPPRESS_NOTIFICATIONS not in flags:
        message.pinged = _notified_users(state, message)
        if message.pinged:
            state.pushes.append(message)
    channel.messages[message.id] = message
    _dispatch(state, "MESSAGE_CREATE", message)
    return message


def edit(
    state: ServerState,
    message: Message,
    payload: Json,
    files: Sequence[Upload] = (),
    *,
    default_mentions: Json = PARSE_ALL,
) -> None:
    """Edit a message. Raises `RefusalError` if Discord would refuse the edit.

    Fields that are missing from the payload are unchanged. Editing a deferred response ends its "thinking…" state.
    """
    flags = message.flags & ~MessageFlag.LOADING | requested_flags(payload) & ~MessageFlag.EPHEMERAL
    _apply(state, message, payload, files, flags, default_mentions)
    message.edited_at = state.world.clock.now()
    _dispatch(state, "MESSAGE_UPDATE", message)


def delete(state: ServerState, message: Message) -> None:
    """Delete a message and send MESSAGE_DELETE."""
    message.deleted = True
    message.channel.messages.pop(message.id, None)
    data: Json = {"id": str(message.id), "channel_id": str(message.channel.id)}
    guild = message.channel.guild
    if guild is not None:
        data["guild_id"] = str(guild.id)
    state.gateway.dispatch("MESSAGE_DELETE", data, guild_id=guild.id if guild else None, intent=_intent(message))
    state.changes.notify()


def count_late_edit(state: ServerState, message: Message) -> None:
    """Count an edit of a message older than an hour.

    Raises `RefusalError` 30046 if there were too many such edits of the message within the last hour.
    """
    now, quota = state.world.clock.now(), state.quotas.late_edits_per_hour
    if quota is None or now - message.created_at <= HOUR_SECONDS:
        return
    message.late_edits = [edited_at for edited_at in message.late_edits if now - edited_at < HOUR_SECONDS]
    if len(message.late_edits) >= quota:
        raise RefusalError(
            30046, retry_after=HOUR_SECONDS - (now - message.late_edits[0]) if message.late_edits else HOUR_SECONDS
        )
    message.late_edits.append(now)


def find_by_nonce(state: ServerState, channel: Channel, author: User, payload: Json) -> Message | None:
    """Return the message that a request with `enforce_nonce` repeats, or None."""
    nonce = _read_nonce(payload)
    if nonce is None or not payload.get("enforce_nonce"):
        return None
    found = state.nonces.get((author.id, channel.id, str(nonce)))
    if found is None or state.world.clock.now() - found.created_at >= state.quotas.nonce_lifetime:
        return None
    return found


def remember_nonce(state: ServerState, message: Message) -> None:
    """Store a message's nonce for `find_by_nonce`."""
    if message.nonce is not None:
        state.nonces[message.author.id, message.channel.id, str(message.nonce)] = message


def _apply(
    state: ServerState,
    message: Message,
    payload: Json,
    files: Sequence[Upload],
    flags: MessageFlag,
    default_mentions: Json,
) -> None:
    # Change only copies, because the journal's observers must get the original request.
    components = copy.deepcopy(as_objects(payload.get("components", message.components)))
    embeds = copy.deepcopy(as_objects(payload.get("embeds", message.embeds)))
    content = str(payload.get("content", message.content) or "")
    attachments = state.attachments.apply(message.channel.id, payload, files, message.attachments)
    if MessageFlag.LOADING not in flags:
        result: Json = {**payload, "content": content, "embeds": embeds, "components": components}
        check_message(result, flags, has_files=bool(attachments))
    if "components" in payload:
        state.emojis.resolve(components)
    resolve_references(attachments, components, embeds)
    tree.assign_component_ids(components)
    message.content, message.flags, message.attachments = content, flags, attachments
    message.components, message.embeds = components, embeds
    message.past_components |= {
        row["custom_id"]: components for _, row in tree.walk(components) if row.get("custom_id")
    }
    allowed = as_object(payload.get("allowed_mentions")) or (
        {"parse": []} if "allowed_mentions" in payload else default_mentions
    )
    _set_mentions(state, message, allowed)
    message.revision += 1


def _set_mentions(state: ServerState, message: Message, allowed: Json) -> None:
    found = dict.fromkeys(int(match) for match in _MENTION.findall(message.text))
    parse = allowed.get("parse") or ()
    named = {as_int(user) for user in allowed.get("users") or ()}
    message.mentions = [u for u in found if u in state.world.users and ("users" in parse or u in named)]
    message.mentions_everyone = (
        "everyone" in parse
        and re.search(r"@(everyone|here)\b", message.text) is not None
        and Permission.MENTION_EVERYONE in state.world.permissions(message.author, message.channel)
    )


def _add_mentioned_to_thread(state: ServerState, message: Message) -> None:
    """Add the users that a message in a private thread mentions, if they can see the parent channel."""
    world, channel = state.world, message.channel
    if channel.kind is not ChannelKind.PRIVATE_THREAD or channel.thread is None:
        return
    parent = world.channels[channel.thread.parent_id]
    for user in (world.users[user_id] for user_id in message.mentions):
        if world.can_see(user, parent):
            add_to_thread(state, channel, user)


def _notified_users(state: ServerState, message: Message) -> frozenset[int]:
    world, channel = state.world, message.channel
    users = [world.users[user] for user in message.mentions]
    if channel.guild is None:
        users = [*channel.recipients, world.bot]
    elif message.mentions_everyone:
        users = [member.user for member in channel.guild.members.values()]
    return frozenset(user.id for user in users if user is not message.author and world.can_see(user, channel))


def _read_nonce(payload: Json) -> str | int | None:
    nonce = payload.get("nonce")
    if nonce is not None and len(str(nonce)) > 25:
        errors = FormErrors()
        errors.check_length(("nonce",), str(nonce), 1, 25)
        errors.raise_if_any()
    return nonce


def _intent(message: Message) -> Intent:
    # Events of ephemeral messages need the intent for direct messages: Discord's API reference, "Message Create".
    return Intent.DIRECT_MESSAGES if message.channel.guild is None or message.ephemeral else Intent.GUILD_MESSAGES


def _dispatch(state: ServerState, event: str, message: Message) -> None:
    guild, world = message.channel.guild, state.world
    if state.gateway.has_listener(_intent(message)):
        data = message_json(world, message)
        if guild is not None:
            data["guild_id"] = str(guild.id)
            if message.author.id in guild.members:
                data["member"] = member_json(guild.members[message.author.id])
            # Without the privileged intent for message content, a bot gets the content only of its own messages and of
            # messages that mention it.
            if message.author is not world.bot and world.bot.id not in message.mentions:
                data |= {"content": "", "embeds": [], "attachments": [], "components": []}
        state.gateway.dispatch(event, data, guild_id=guild.id if guild else None, intent=_intent(message))
    state.changes.notify()
