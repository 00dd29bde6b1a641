"""Messages coming, changing and going, with the events and notifications that follow."""

import copy
import re
from collections.abc import Sequence

from bot.sandbox import components as tree
from bot.sandbox.core import Core
from bot.sandbox.errors import Problems, RefusalError
from bot.sandbox.gateway import Intent
from bot.sandbox.limits import check_message
from bot.sandbox.message import Message, MessageFlag
from bot.sandbox.payloads import channel_json, member_json, message_json
from bot.sandbox.permissions import Permission
from bot.sandbox.uploads import attach, resolve
from bot.sandbox.wire import Json, Upload, mapping, number, rows
from bot.sandbox.world import Channel, User

HOUR = 3600.0
# What a sender may set: the rest of the flags are Discord's own.
SETTABLE = (
    MessageFlag.SUPPRESS_EMBEDS | MessageFlag.EPHEMERAL | MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.COMPONENTS_V2
)
# Without `allowed_mentions`, ordinary messages parse everything and interactions users only: "Allowed Mentions Object".
PARSE_ALL: Json = {"parse": ["users", "roles", "everyone"]}
PARSE_USERS: Json = {"parse": ["users"]}

_MENTION = re.compile(r"<@!?(\d+)>")


def flags_of(payload: Json) -> MessageFlag:
    """Read the flags that a sender may set."""
    return MessageFlag(number(payload.get("flags")) or 0) & SETTABLE


def post(
    core: Core,
    channel: Channel,
    author: User,
    payload: Json,
    files: Sequence[Upload] = (),
    *,
    kind: int = 0,
    flags: MessageFlag | None = None,
    only_for: int | None = None,
    interaction: Json | None = None,
    default_mentions: Json = PARSE_ALL,
) -> Message:
    """Create a message; raise `RefusalError` where Discord would. An ephemeral one has `only_for`, a user id."""
    flags = flags_of(payload) if flags is None else flags
    clock = core.world.clock
    message = Message(
        clock.snowflake(), channel, author, clock.now(), kind=kind, only_for=only_for, interaction=interaction
    )
    _write(core, message, payload, files, flags, default_mentions)
    message.nonce = _nonce(payload)
    message.reply_to = number(mapping(payload.get("message_reference")).get("message_id"))
    if only_for is None and MessageFlag.SUPPRESS_NOTIFICATIONS not in flags:
        message.pinged = _pinged(core, message)
        if message.pinged:
            core.pushes.append(message)
    channel.messages[message.id] = message
    _announce(core, "MESSAGE_CREATE", message)
    return message


def edit(
    core: Core,
    message: Message,
    payload: Json,
    files: Sequence[Upload] = (),
    *,
    default_mentions: Json = PARSE_ALL,
) -> None:
    """Change a message; fields that the payload lacks stay. A message that was "thinking" stops."""
    flags = message.flags & ~MessageFlag.LOADING | flags_of(payload) & ~MessageFlag.EPHEMERAL
    _write(core, message, payload, files, flags, default_mentions)
    message.edited_at = core.world.clock.now()
    _announce(core, "MESSAGE_UPDATE", message)


def remove(core: Core, message: Message) -> None:
    """Delete a message."""
    message.deleted = True
    message.channel.messages.pop(message.id, None)
    data: Json = {"id": str(message.id), "channel_id": str(message.channel.id)}
    guild = message.channel.guild
    if guild is not None:
        data["guild_id"] = str(guild.id)
    core.gateway.dispatch("MESSAGE_DELETE", data, guild_id=guild.id if guild else None, intent=_intent(message))
    core.changes.notify()


def spend_late_edit(core: Core, message: Message) -> None:
    """Count an edit by message id of a message older than an hour; raise 30046 when there were too many."""
    now, quota = core.world.clock.now(), core.rules.late_edits_per_hour
    if quota is None or now - message.created_at <= HOUR:
        return
    message.late_edits = [then for then in message.late_edits if now - then < HOUR]
    if len(message.late_edits) >= quota:
        raise RefusalError(30046, retry_after=HOUR - (now - message.late_edits[0]) if message.late_edits else HOUR)
    message.late_edits.append(now)


def repeated(core: Core, channel: Channel, author: User, payload: Json) -> Message | None:
    """Find the message that `enforce_nonce` says was already sent, within the last few minutes."""
    nonce = _nonce(payload)
    if nonce is None or not payload.get("enforce_nonce"):
        return None
    found = core.nonces.get((author.id, channel.id, str(nonce)))
    fresh = found is not None and core.world.clock.now() - found.created_at < core.rules.nonce_memory
    return found if fresh else None


def remember_nonce(core: Core, message: Message) -> None:
    """Keep a message's nonce for `repeated`."""
    if message.nonce is not None:
        core.nonces[message.author.id, message.channel.id, str(message.nonce)] = message


def _write(
    core: Core, message: Message, payload: Json, files: Sequence[Upload], flags: MessageFlag, default_mentions: Json
) -> None:
    # Copied, since references are resolved in place and observers of the request compare what was sent.
    components = copy.deepcopy(rows(payload.get("components", message.components)))
    embeds = copy.deepcopy(rows(payload.get("embeds", message.embeds)))
    content = str(payload.get("content", message.content) or "")
    attachments = attach(core, message.channel, payload, files, message.attachments)
    if MessageFlag.LOADING not in flags:
        state: Json = {**payload, "content": content, "embeds": embeds, "components": components}
        check_message(state, flags, has_files=bool(attachments))
    resolve(attachments, components, embeds)
    tree.number_components(components)
    message.content, message.flags, message.attachments = content, flags, attachments
    message.components, message.embeds = components, embeds
    message.past |= {row["custom_id"]: components for _, row in tree.walk(components) if row.get("custom_id")}
    allowed = mapping(payload.get("allowed_mentions")) or (
        {"parse": []} if "allowed_mentions" in payload else default_mentions
    )
    _mention(core, message, allowed)
    message.revision += 1


def _mention(core: Core, message: Message, allowed: Json) -> None:
    found = dict.fromkeys(int(match) for match in _MENTION.findall(message.text))
    parse = allowed.get("parse") or ()
    named = {number(user) for user in allowed.get("users") or ()}
    message.mentions = [u for u in found if u in core.world.users and ("users" in parse or u in named)]
    message.mentions_everyone = (
        "everyone" in parse
        and re.search(r"@(everyone|here)\b", message.text) is not None
        and Permission.MENTION_EVERYONE in core.world.permissions(message.author, message.channel)
    )


def _pinged(core: Core, message: Message) -> frozenset[int]:
    world, channel = core.world, message.channel
    users = [world.users[user] for user in message.mentions]
    if channel.guild is None:
        users = [*channel.recipients, world.bot]
    elif message.mentions_everyone:
        users = [member.user for member in channel.guild.members.values()]
    return frozenset(user.id for user in users if user is not message.author and world.can_see(user, channel))


def _nonce(payload: Json) -> str | int | None:
    nonce = payload.get("nonce")
    if nonce is not None and len(str(nonce)) > 25:
        problems = Problems()
        problems.length(("nonce",), str(nonce), 1, 25)
        problems.check()
    return nonce


def _intent(message: Message) -> Intent:
    # Events of ephemeral messages come with the intent for direct messages: Discord's reference, "Message Create".
    return Intent.DIRECT_MESSAGES if message.channel.guild is None or message.ephemeral else Intent.GUILD_MESSAGES


def _announce(core: Core, event: str, message: Message) -> None:
    guild, world = message.channel.guild, core.world
    if core.gateway.wants(_intent(message)):
        data = message_json(world, message)
        if guild is not None:
            data["guild_id"] = str(guild.id)
            if message.author.id in guild.members:
                data["member"] = member_json(guild.members[message.author.id])
            # Without the privileged intent an application reads only its own messages and those that mention it.
            if message.author is not world.bot and world.bot.id not in message.mentions:
                data |= {"content": "", "embeds": [], "attachments": [], "components": []}
        core.gateway.dispatch(event, data, guild_id=guild.id if guild else None, intent=_intent(message))
    core.changes.notify()


def announce_channel(core: Core, event: str, channel: Channel, **extra: object) -> None:
    """Send a CHANNEL_* or THREAD_* event."""
    if channel.guild is not None:
        data = channel_json(channel) | extra
        core.gateway.dispatch(event, data, guild_id=channel.guild.id, intent=Intent.GUILDS)
    core.changes.notify()
