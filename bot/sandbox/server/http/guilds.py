"""Routes for guilds, members, users and DM channels."""

from bot.sandbox.server.errors import RefusalError
from bot.sandbox.server.http.call import Call
from bot.sandbox.server.payloads import channel_json, guild_json, member_json, role_json, user_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json, as_int


def get_guild(state: ServerState, call: Call) -> Json:
    """Return a guild without the fields that only GUILD_CREATE has."""
    guild = guild_json(state.world, state.guild(call.id("guild_id")))
    for name in ("channels", "threads", "members", "presences", "voice_states", "unavailable", "large"):
        del guild[name]
    return guild


def list_my_guilds(state: ServerState, _: Call) -> list[Json]:
    """List the guilds that the bot is in."""
    return [
        {
            "id": str(guild.id),
            "name": guild.name,
            "icon": None,
            "owner": False,
            "permissions": str(int(state.world.guild_permissions(state.world.bot, guild))),
            "features": [],
        }
        for guild in state.world.bot_guilds()
    ]


def list_channels(state: ServerState, call: Call) -> list[Json]:
    """List a guild's channels without threads."""
    guild = state.guild(call.id("guild_id"))
    return [channel_json(c) for c in state.world.channels.values() if c.guild is guild and c.thread is None]


def list_active_threads(state: ServerState, call: Call) -> Json:
    """List a guild's threads that are not archived."""
    threads = state.world.threads(state.guild(call.id("guild_id")))
    active = [t for t in threads if t.thread and not t.thread.archived and state.world.can_see(state.world.bot, t)]
    return {"threads": [channel_json(thread) for thread in active], "members": []}


def list_roles(state: ServerState, call: Call) -> list[Json]:
    """List a guild's roles."""
    return [role_json(role) for role in state.guild(call.id("guild_id")).roles.values()]


def get_member(state: ServerState, call: Call) -> Json:
    """Return a member; raise 10007 for a user who is no member, 10013 for an unknown user."""
    guild = state.guild(call.id("guild_id"))
    user = state.user(call.id("user_id"))
    if user.id not in guild.members:
        raise RefusalError(10007)
    return member_json(guild.members[user.id])


def get_user(state: ServerState, call: Call) -> Json:
    """Return an account."""
    return user_json(state.user(call.id("user_id")))


def open_dm_channel(state: ServerState, call: Call) -> Json:
    """Open a DM channel. Users who refuse direct messages have one too; only sending to it fails.

    Raises 40003 once the bot has opened `quotas.dm_openings` of them.
    """
    user = state.user(as_int(call.body.get("recipient_id")))
    if user.bot:
        raise RefusalError(50007)
    if user.id not in state.opened_dms:
        allowed = state.quotas.dm_openings
        if allowed is not None and len(state.opened_dms) >= allowed:
            raise RefusalError(40003)
        state.opened_dms.add(user.id)
    channel = state.world.dm_channel(user)
    state.changes.notify()
    return channel_json(channel)
