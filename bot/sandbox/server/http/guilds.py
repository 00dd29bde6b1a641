"""Routes for guilds, members, users and DM channels."""

from bot.sandbox.server.errors import RefusalError
from bot.sandbox.server.http.call import Call
from bot.sandbox.server.payloads import (
    active_threads,
    channel_json,
    guild_json,
    member_json,
    role_json,
    thread_member_json,
    user_json,
)
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json, as_int
from bot.sandbox.world.world import Guild

# Maximum number of guilds in a reply. Source: Discord's API reference, "Get Current User Guilds".
MAX_PAGE_SIZE = 200


def get_guild(state: ServerState, call: Call) -> Json:
    """Return a guild. Raises `RefusalError` 10004 if it is unknown or the bot is not a member of it."""
    guild = state.world.guilds.get(call.id("guild_id"))
    if guild is None or state.world.bot.id not in guild.members:
        raise RefusalError(10004)
    return guild_json(guild) | _counts(guild, call)


def list_my_guilds(state: ServerState, call: Call) -> list[Json]:
    """List up to `limit` guilds of the bot, ordered by id: the last before `before`, or the first after `after`."""
    limit, before, after = (as_int(call.query.get(name)) for name in ("limit", "before", "after"))
    guilds = sorted(state.world.bot_guilds(), key=lambda guild: guild.id)
    size = min(limit or MAX_PAGE_SIZE, MAX_PAGE_SIZE)
    if before is not None:
        page = [guild for guild in guilds if guild.id < before][-size:]
    else:
        page = [guild for guild in guilds if guild.id > (after or 0)][:size]
    return [
        {
            "id": str(guild.id),
            "name": guild.name,
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(int(state.world.guild_permissions(state.world.bot, guild))),
            "features": [],
        }
        | _counts(guild, call)
        for guild in page
    ]


def _counts(guild: Guild, call: Call) -> Json:
    """Return the member counts if the request asks for them with `with_counts`. All members count as online."""
    if not call.flag("with_counts"):
        return {}
    return {"approximate_member_count": len(guild.members), "approximate_presence_count": len(guild.members)}


def list_channels(state: ServerState, call: Call) -> list[Json]:
    """List a guild's channels, without threads."""
    guild = state.guild(call.id("guild_id"))
    return [channel_json(channel) for channel in guild.channels.values() if channel.thread is None]


def list_active_threads(state: ServerState, call: Call) -> Json:
    """List a guild's threads that are not archived."""
    world = state.world
    active = active_threads(world, state.guild(call.id("guild_id")))
    joined = [thread for thread in active if thread.thread and world.bot.id in thread.thread.members]
    return {
        "threads": [channel_json(thread) for thread in active],
        "members": [thread_member_json(world, thread, world.bot) for thread in joined],
        "has_more": False,
    }


def list_roles(state: ServerState, call: Call) -> list[Json]:
    return [role_json(role) for role in state.guild(call.id("guild_id")).roles.values()]


def get_member(state: ServerState, call: Call) -> Json:
    """Return a member. Raises `RefusalError` 10007 for a user who is not a member, and 10013 for an unknown user."""
    guild = state.guild(call.id("guild_id"))
    user = state.user(call.id("user_id"))
    if user.id not in guild.members:
        raise RefusalError(10007)
    return member_json(guild.members[user.id])


def get_user(state: ServerState, call: Call) -> Json:
    return user_json(state.user(call.id("user_id")))


def open_dm_channel(state: ServerState, call: Call) -> Json:
    """Open a DM channel. This works even for users who refuse direct messages; only sending fails.

    Raises `RefusalError` 40003 if the bot has already opened `quotas.dm_openings` channels.
    """
    user = state.user(as_int(call.body.get("recipient_id")))
    if user.bot:
        raise RefusalError(50007)
    if user.id not in state.opened_dms:
        quota = state.quotas.dm_openings
        if quota is not None and len(state.opened_dms) >= quota:
            raise RefusalError(40003)
        state.opened_dms.add(user.id)
    channel = state.world.dm_channel(user)
    state.changes.notify()
    return channel_json(channel)
