"""The world as Discord writes it in JSON."""

from bot.sandbox.clock import iso
from bot.sandbox.message import Attachment, Message, MessageFlag
from bot.sandbox.wire import Json
from bot.sandbox.world import Channel, Guild, Member, Role, User, World

# Discord's default upload limit in bytes: API reference, "Uploading Files".
UPLOAD_LIMIT = 10 * 1024 * 1024


def user_json(user: User) -> Json:
    """Write an account."""
    return {
        "id": str(user.id),
        "username": user.username,
        "discriminator": "0",
        "global_name": None if user.bot else user.display_name,
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
    }


def member_json(member: Member) -> Json:
    """Write a membership, with its user."""
    return {
        "user": user_json(member.user),
        "nick": member.nick,
        "avatar": None,
        "roles": [str(role) for role in member.roles],
        "joined_at": iso(member.joined_at),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
        "communication_disabled_until": None,
    }


def role_json(role: Role) -> Json:
    """Write a role."""
    return {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(int(role.permissions)),
        "position": role.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }


def channel_json(channel: Channel) -> Json:
    """Write a text channel, a thread or a direct conversation."""
    last = channel.last_message_id
    row: Json = {
        "id": str(channel.id),
        "type": int(channel.kind),
        "last_message_id": str(last) if last else None,
        "flags": 0,
    }
    if channel.guild is None:
        return row | {"recipients": [user_json(user) for user in channel.recipients]}
    row |= {"guild_id": str(channel.guild.id), "name": channel.name, "rate_limit_per_user": 0}
    if channel.thread is None:
        overwrites = [
            {"id": str(o.id), "type": int(o.kind), "allow": str(int(o.allow)), "deny": str(int(o.deny))}
            for o in channel.overwrites
        ]
        return row | {
            "position": channel.position,
            "permission_overwrites": overwrites,
            "parent_id": None,
            "topic": None,
            "nsfw": False,
        }
    thread = channel.thread
    return row | {
        "parent_id": str(thread.parent_id),
        "owner_id": str(thread.owner_id),
        "message_count": len(channel.messages),
        "total_message_sent": len(channel.messages),
        "member_count": 1,
        "thread_metadata": {
            "archived": thread.archived,
            "locked": thread.locked,
            "auto_archive_duration": thread.auto_archive_minutes,
            "archive_timestamp": iso(thread.archived_at),
        },
    }


def guild_json(world: World, guild: Guild) -> Json:
    """Write a server as GUILD_CREATE does: with roles, channels, live threads and the bot as the one member."""
    here = [channel for channel in world.channels.values() if channel.guild is guild]
    live = [c for c in here if c.thread is not None and not c.thread.archived and world.can_see(world.bot, c)]
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "owner_id": str(guild.owner_id),
        "preferred_locale": guild.locale,
        "features": [],
        "roles": [role_json(role) for role in guild.roles.values()],
        "emojis": [],
        "stickers": [],
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "unavailable": False,
        "large": False,
        "member_count": len(guild.members),
        "members": [member_json(guild.members[world.bot.id])],
        "channels": [channel_json(channel) for channel in here if channel.thread is None],
        "threads": [channel_json(channel) for channel in live],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "joined_at": iso(guild.members[world.bot.id].joined_at),
    }


def attachment_json(attachment: Attachment) -> Json:
    """Write a file of a message."""
    row: Json = {
        "id": str(attachment.id),
        "filename": attachment.filename,
        "size": len(attachment.content),
        "url": attachment.url,
        "proxy_url": attachment.url,
        "content_type": attachment.content_type,
    }
    if attachment.description is not None:
        row["description"] = attachment.description
    if attachment.width is not None:
        row |= {"width": attachment.width, "height": attachment.height}
    return row


def message_json(world: World, message: Message) -> Json:
    """Write a message."""
    row: Json = {
        "id": str(message.id),
        "type": message.kind,
        "channel_id": str(message.channel.id),
        "author": user_json(message.author),
        "content": message.content,
        "timestamp": iso(message.created_at),
        "edited_timestamp": iso(message.edited_at) if message.edited_at is not None else None,
        "tts": False,
        "mention_everyone": message.mentions_everyone,
        "mentions": [user_json(world.users[user]) for user in message.mentions],
        "mention_roles": [],
        "attachments": [attachment_json(attachment) for attachment in message.attachments],
        "embeds": message.embeds,
        "components": message.components,
        "pinned": False,
        "flags": int(message.flags),
    }
    if message.nonce is not None:
        row["nonce"] = message.nonce
    if message.author is world.bot:
        row["application_id"] = str(world.bot.id)
    if message.interaction is not None:
        row |= {"interaction_metadata": message.interaction, "webhook_id": str(world.bot.id)}
    if message.reply_to is not None:
        row["message_reference"] = {"type": 0, "message_id": str(message.reply_to), "channel_id": row["channel_id"]}
    if message.thread is not None and message.thread in world.channels:
        row["thread"] = channel_json(world.channels[message.thread])
        row["flags"] |= int(MessageFlag.HAS_THREAD)
    return row
