"""Routes for the bot's account and application, the gateway's URL, and commands."""

from typing import Any

from bot.sandbox.server.errors import RefusalError
from bot.sandbox.server.http.call import NO_CONTENT, Call, Reply
from bot.sandbox.server.payloads import user_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json


def me(state: ServerState, _: Call) -> Json:
    """Return the bot's account."""
    return user_json(state.world.bot) | {"verified": True, "mfa_enabled": False, "flags": 0, "locale": "en-US"}


def application(state: ServerState, _: Call) -> Json:
    """Return the bot's application."""
    bot = state.world.bot
    owner = next((user for user in state.world.users.values() if not user.bot), bot)
    return {
        "id": str(bot.id),
        "name": bot.display_name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "owner": user_json(owner),
        "team": None,
        "summary": "",
    }


def gateway_bot(state: ServerState, _: Call) -> Json:
    """Return the gateway's URL and the limits on starting sessions."""
    starts = state.gateway.starts
    return {"url": state.gateway.url, "shards": starts.shards, "session_start_limit": starts.as_json()}


def gateway(state: ServerState, _: Call) -> Json:
    """Return the gateway's URL."""
    return {"url": state.gateway.url}


def _scope(state: ServerState, call: Call) -> int | None:
    if call.id("application_id") != state.world.bot.id:
        raise RefusalError(50001)
    return state.guild(call.id("guild_id")).id if "guild_id" in call.params else None


def list_commands(state: ServerState, call: Call) -> list[Json]:
    """List the commands of a guild, or the global commands."""
    return list(state.commands.scopes.get(_scope(state, call), {}).values())


def put_commands(state: ServerState, call: Call) -> list[Json]:
    """Replace all commands of a guild, or all global commands."""
    stored = state.commands.replace(_scope(state, call), call.rows)
    state.changes.notify()
    return stored


def add_command(state: ServerState, call: Call) -> Any:
    """Add or replace a command. The status is 200 if a command of the same name and type existed, otherwise 201."""
    scope = _scope(state, call)
    before = len(state.commands.scopes.get(scope, {}))
    stored = state.commands.add(scope, call.body)
    state.changes.notify()
    return Reply(201 if len(state.commands.scopes[scope]) > before else 200, stored)


def get_command(state: ServerState, call: Call) -> Json:
    return state.commands.get(_scope(state, call), call.id("command_id"))


def edit_command(state: ServerState, call: Call) -> Json:
    return state.commands.edit(_scope(state, call), call.id("command_id"), call.body)


def delete_command(state: ServerState, call: Call) -> Reply:
    state.commands.remove(_scope(state, call), call.id("command_id"))
    state.changes.notify()
    return NO_CONTENT
