"""The JSON that Discord sends for users, guilds, channels, messages and interactions."""

from bot.sandbox.server.interactions import Interaction
from bot.sandbox.world.clock import iso
from bot.sandbox.world.emojis import Emoji
from bot.sandbox.world.json_values import Json
from bot.sandbox.world.messages import Attachment, Message, MessageFlag
from bot.sandbox.world.world import Channel, ChannelKind, Guild, Member, Role, User, World

# Guild fields that are always null in the sandbox. Discord's API description requires each of them.
_UNSET_GUILD_FIELDS: Json = dict.fromkeys((
    "icon", "description", "home_header", "splash", "discovery_splash", "banner", "application_id", "afk_channel_id",
    "system_channel_id", "widget_channel_id", "max_presences", "vanity_url_code", "rules_channel_id",
    "safety_alerts_channel_id", "public_updates_channel_id", "incidents_data",
))  # fmt: skip
_GUILD_DEFAULTS: Json = {
    "features": [],
    "region": "deprecated",
    "afk_timeout": 300,
    "system_channel_flags": 0,
    "widget_enabled": False,
    "verification_level": 0,
    "default_message_notifications": 1,
    "mfa_level": 0,
    "explicit_content_filter": 0,
    "max_members": 25_000_000,
    "max_stage_video_channel_users": 50,
    "max_video_channel_users": 25,
    "premium_tier": 0,
    "premium_subscription_count": 0,
    "premium_progress_bar_enabled": False,
    "nsfw": False,
    "nsfw_level": 0,
    "emojis": [],
    "stickers": [],
}
# Discord's default upload limit in bytes: API reference, "Uploading Files".
UPLOAD_LIMIT = 10 * 1024 * 1024


def user_json(user: User) -> Json:
    return {
        "id": str(user.id),
        "username": user.username,
        "discriminator": "0",
        "global_name": None if user.bot else user.display_name,
        "avatar": user.avatar,
        "bot": user.bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def member_json(member: Member) -> Json:
    """Return a guild member object, with its user."""
    return {
        "user": user_json(member.user),
        "nick": member.nick,
        "avatar": None,
        "banner": None,
        "roles": [str(role) for role in member.roles],
        "joined_at": iso(member.joined_at),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": member.pending,
        "flags": 0,
        "communication_disabled_until": None if member.timed_out_until is None else iso(member.timed_out_until),
    }


def emoji_json(world: World, emoji: Emoji) -> Json:
    """Return the emoji object of an emoji of the bot's application."""
    return {
        "id": str(emoji.id),
        "name": emoji.name,
        "roles": [],
        "user": user_json(world.bot),
        "require_colons": True,
        "managed": False,
        "animated": emoji.animated,
        "available": True,
    }


def role_json(role: Role) -> Json:
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
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def channel_json(channel: Channel) -> Json:
    """Return the channel object of a text or voice channel, a forum, a thread or a DM channel."""
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
        return (
            row
            | {
                "position": channel.position,
                "permission_overwrites": overwrites,
                "parent_id": None,
                "topic": None,
                "nsfw": False,
            }
            | ({"bitrate": 64_000, "user_limit": 0} if channel.kind is ChannelKind.VOICE else {})
            | ({"available_tags": []} if channel.kind is ChannelKind.FORUM else {})
        )
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
        }
        | ({"invitable": True} if channel.kind is ChannelKind.PRIVATE_THREAD else {}),
    }


def thread_member_json(world: World, thread: Channel, user: User) -> Json:
    """Return the thread member object of a user in a thread."""
    return {"id": str(thread.id), "user_id": str(user.id), "join_timestamp": iso(world.clock.now()), "flags": 0}


def guild_json(guild: Guild) -> Json:
    """Return a guild object, with its roles."""
    return {
        **_UNSET_GUILD_FIELDS,
        **_GUILD_DEFAULTS,
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner_id),
        "preferred_locale": guild.locale,
        "roles": [role_json(role) for role in guild.roles.values()],
    }


def guild_create_json(world: World, guild: Guild) -> Json:
    """Return a guild object as in GUILD_CREATE, with channels, active threads and the bot as the only member."""
    me = guild.members[world.bot.id]
    return guild_json(guild) | {
        "unavailable": False,
        "large": False,
        "member_count": len(guild.members),
        "members": [member_json(me)],
        "channels": [channel_json(channel) for channel in guild.channels.values() if channel.thread is None],
        "threads": [channel_json(thread) for thread in active_threads(world, guild)],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "joined_at": iso(me.joined_at),
    }


def active_threads(world: World, guild: Guild) -> list[Channel]:
    """List a guild's unarchived threads that the bot can see."""
    found = [channel for channel in guild.channels.values() if channel.thread and not channel.thread.archived]
    return [thread for thread in found if world.can_see(world.bot, thread)]


def attachment_json(attachment: Attachment) -> Json:
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


def interaction_json(world: World, interaction: Interaction) -> Json:
    """Return an interaction object as in INTERACTION_CREATE."""
    user, channel, guild = interaction.user, interaction.channel, interaction.channel.guild
    permissions = str(int(world.permissions(user, channel)))
    row: Json = {
        "id": str(interaction.id),
        "application_id": str(world.bot.id),
        "type": int(interaction.kind),
        "data": interaction.data,
        "channel": channel_json(channel) | {"permissions": permissions},
        "channel_id": str(channel.id),
        "token": interaction.token,
        "version": 1,
        "app_permissions": str(int(world.permissions(world.bot, channel))),
        "locale": "en-US",
        "entitlements": [],
        "entitlement_sku_ids": [],
        "authorizing_integration_owners": {"0": str(guild.id if guild else 0)},
        "context": 0 if guild else 1,
        "attachment_size_limit": UPLOAD_LIMIT,
    }
    if guild is None:
        row["user"] = user_json(user)
    else:
        row |= {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
            "guild_locale": guild.locale,
            "member": member_json(guild.members[user.id]) | {"permissions": permissions},
        }
    if interaction.source is not None:
        # The message may have been edited before the click. Send the components that the person saw.
        shown = interaction.source.past_components.get(
            str(interaction.data.get("custom_id")), interaction.source.components
        )
        row["message"] = message_json(world, interaction.source) | {"components": shown}
    return row
