"""Conversion of the world and its messages to JSON rows and back, for saving a sandbox's state.

Ephemeral messages are not saved, because Discord's client forgets them when it is reloaded. Deferred responses that
still show "thinking…" are not saved, because the interaction tokens that could fill them are not saved either.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from bot.sandbox.world import components as tree
from bot.sandbox.world.emojis import Emoji
from bot.sandbox.world.json_values import Json
from bot.sandbox.world.messages import Attachment, Message, MessageFlag
from bot.sandbox.world.permissions import Overwrite, OverwriteKind, Permission
from bot.sandbox.world.world import Channel, ChannelKind, Guild, Member, Role, ThreadState, User, World

ReadContent = Callable[[int], bytes]
"""A function that takes a file's id and returns the file's content."""


def saved_messages(channels: Iterable[Channel]) -> list[Message]:
    """List the messages to save: all but ephemeral ones and unfilled deferred responses."""
    found = (message for channel in channels for message in channel.messages.values())
    return [message for message in found if not message.ephemeral and not message.loading]


def world_row(world: World) -> Json:
    """Convert a world to a row, without its messages."""
    return {
        "bot": world.bot.id,
        "newest_id": world.clock.newest_id,
        "users": [asdict(user) for user in world.users.values()],
        "guilds": [_guild_row(guild) for guild in world.guilds.values()],
        "channels": [_channel_row(channel) for channel in world.channels.values()],
    }


def _guild_row(guild: Guild) -> Json:
    return {
        "id": guild.id,
        "name": guild.name,
        "owner_id": guild.owner_id,
        "locale": guild.locale,
        "roles": [asdict(role) for role in guild.roles.values()],
        "members": [
            {
                "user": member.user.id,
                "roles": member.roles,
                "nick": member.nick,
                "joined_at": member.joined_at,
                "pending": member.pending,
                "timed_out_until": member.timed_out_until,
            }
            for member in guild.members.values()
        ],
    }


def _channel_row(channel: Channel) -> Json:
    return {
        "id": channel.id,
        "kind": channel.kind,
        "name": channel.name,
        "guild": channel.guild.id if channel.guild else None,
        "position": channel.position,
        "overwrites": [asdict(overwrite) for overwrite in channel.overwrites],
        "recipients": [user.id for user in channel.recipients],
        "thread": asdict(channel.thread) | {"members": sorted(channel.thread.members)} if channel.thread else None,
    }


def restore_world(world: World, row: Json) -> None:
    """Restore a world from the row that `world_row` returned. Its messages are restored separately."""
    world.clock.continue_from(row["newest_id"])
    for things in (world.users, world.guilds, world.channels, world.dm_channels):
        things.clear()
    for user in row["users"]:
        read = {int(channel): message for channel, message in user["newest_read"].items()}
        world.users[user["id"]] = User(**user | {"newest_read": read})
    world.bot = world.users[row["bot"]]
    for guild in row["guilds"]:
        world.guilds[guild["id"]] = _restore_guild(world, guild)
    for channel in row["channels"]:
        world.register_channel(_restore_channel(world, channel))


def _restore_guild(world: World, row: Json) -> Guild:
    guild = Guild(row["id"], row["name"], row["owner_id"], locale=row["locale"])
    for role in row["roles"]:
        guild.roles[role["id"]] = Role(**role | {"permissions": Permission(role["permissions"])})
    for member in row["members"]:
        guild.members[member["user"]] = Member(**member | {"user": world.users[member["user"]]})
    return guild


def _restore_channel(world: World, row: Json) -> Channel:
    return Channel(
        row["id"],
        ChannelKind(row["kind"]),
        row["name"],
        world.guilds[row["guild"]] if row["guild"] is not None else None,
        row["position"],
        [
            Overwrite(
                overwrite["id"],
                OverwriteKind(overwrite["kind"]),
                Permission(overwrite["allow"]),
                Permission(overwrite["deny"]),
            )
            for overwrite in row["overwrites"]
        ],
        tuple(world.users[user] for user in row["recipients"]),
        ThreadState(**row["thread"] | {"members": set(row["thread"]["members"])}) if row["thread"] else None,
    )


_JSON_FIELDS = (
    "id", "created_at", "content", "flags", "kind", "components", "embeds", "mentions", "mentions_everyone", "nonce",
    "reply_to", "interaction", "command", "thread", "edited_at", "late_edits", "revision",
)  # fmt: skip
"""The message fields that rows contain unchanged, because their values are already JSON."""


def message_row(message: Message) -> Json:
    """Convert a message to a row, without the contents of its files."""
    row: Json = {name: getattr(message, name) for name in _JSON_FIELDS}
    return row | {
        "channel": message.channel.id,
        "author": message.author.id,
        "pinged": sorted(message.pinged),
        "attachments": [_without_content(attachment) for attachment in message.attachments],
    }


def restore_message(world: World, row: Json, content: ReadContent) -> Message:
    """Recreate a message from its row, and add it to its channel."""
    fields: dict[str, Any] = {name: row[name] for name in _JSON_FIELDS}
    fields |= {
        "channel": world.channels[row["channel"]],
        "author": world.users[row["author"]],
        "flags": MessageFlag(row["flags"]),
        "pinged": frozenset(row["pinged"]),
        "attachments": [
            Attachment(**attachment, content=content(attachment["id"])) for attachment in row["attachments"]
        ],
        "past_components": {
            component["custom_id"]: row["components"]
            for _, component in tree.walk(row["components"])
            if "custom_id" in component
        },
    }
    message = Message(**fields)
    message.channel.messages[message.id] = message
    return message


def emoji_row(emoji: Emoji) -> Json:
    """Convert an emoji to a row, without its content."""
    return _without_content(emoji)


def restore_emoji(row: Json, content: ReadContent) -> Emoji:
    """Recreate an emoji from its row."""
    return Emoji(**row, content=content(row["id"]))


def _without_content(file: Attachment | Emoji) -> Json:
    return {name: value for name, value in asdict(file).items() if name != "content"}
