"""Servers, members and users."""

from bot.sandbox.core import Core
from bot.sandbox.errors import RefusalError
from bot.sandbox.payloads import channel_json, guild_json, member_json, role_json, user_json
from bot.sandbox.rest.call import Call
from bot.sandbox.wire import Json, number


def get_guild(core: Core, call: Call) -> Json:
    """Show a server without what only the gateway tells."""
    guild = guild_json(core.world, core.guild(call.id("guild_id")))
    for name in ("channels", "threads", "members", "presences", "voice_states", "unavailable", "large"):
        del guild[name]
    return guild


def list_my_guilds(core: Core, _: Call) -> list[Json]:
    """List the servers the bot is in."""
    return [
        {
            "id": str(guild.id),
            "name": guild.name,
            "icon": None,
            "owner": False,
            "permissions": str(int(core.world.guild_permissions(core.world.bot, guild))),
            "features": [],
        }
        for guild in core.world.bot_guilds()
    ]


def list_channels(core: Core, call: Call) -> list[Json]:
    """List a server's channels without threads."""
    guild = core.guild(call.id("guild_id"))
    return [channel_json(c) for c in core.world.channels.values() if c.guild is guild and c.thread is None]


def list_active_threads(core: Core, call: Call) -> Json:
    """List a server's threads that are not archived."""
    threads = core.world.threads(core.guild(call.id("guild_id")))
    live = [t for t in threads if t.thread and not t.thread.archived and core.world.can_see(core.world.bot, t)]
    return {"threads": [channel_json(thread) for thread in live], "members": []}


def list_roles(core: Core, call: Call) -> list[Json]:
    """List a server's roles."""
    return [role_json(role) for role in core.guild(call.id("guild_id")).roles.values()]


def get_member(core: Core, call: Call) -> Json:
    """Show a member; 10007 for a user who is not one, 10013 for nobody."""
    guild = core.guild(call.id("guild_id"))
    user = core.user(call.id("user_id"))
    if user.id not in guild.members:
        raise RefusalError(10007)
    return member_json(guild.members[user.id])


def get_user(core: Core, call: Call) -> Json:
    """Show an account."""
    return user_json(core.user(call.id("user_id")))


def open_direct_channel(core: Core, call: Call) -> Json:
    """Open a direct conversation; it succeeds for closed ones too, where only the sending fails.

    Raises 40003 when `rules.dm_openings` new ones were opened.
    """
    user = core.user(number(call.body.get("recipient_id")))
    if user.bot:
        raise RefusalError(50007)
    if user.id not in core.opened_dms:
        allowed = core.rules.dm_openings
        if allowed is not None and len(core.opened_dms) >= allowed:
            raise RefusalError(40003)
        core.opened_dms.add(user.id)
    channel = core.world.direct_channel(user)
    core.changes.notify()
    return channel_json(channel)


def check_deliverable(core: Core, recipients_id: int) -> None:
    """Raise 50007 for a person with closed direct messages and 50278 where no server is shared."""
    user = core.user(recipients_id)
    if not any(user.id in guild.members for guild in core.world.bot_guilds()):
        raise RefusalError(50278)
    if not user.open_dms:
        raise RefusalError(50007)
