"""Login and the registration of commands."""

from typing import Any

from bot.sandbox.core import Core
from bot.sandbox.errors import RefusalError
from bot.sandbox.payloads import user_json
from bot.sandbox.rest.call import NO_CONTENT, Call, Reply
from bot.sandbox.wire import Json


def me(core: Core, _: Call) -> Json:
    """Tell the bot who it is."""
    return user_json(core.world.bot) | {"verified": True, "mfa_enabled": False, "flags": 0, "locale": "en-US"}


def application(core: Core, _: Call) -> Json:
    """Describe the bot's application."""
    bot = core.world.bot
    owner = next((user for user in core.world.users.values() if not user.bot), bot)
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


def gateway_bot(core: Core, _: Call) -> Json:
    """Tell where the gateway is and how often one may start."""
    limit = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": core.gateway.url, "shards": 1, "session_start_limit": limit}


def gateway(core: Core, _: Call) -> Json:
    """Tell where the gateway is."""
    return {"url": core.gateway.url}


def _scope(core: Core, call: Call) -> int | None:
    if call.id("application_id") != core.world.bot.id:
        raise RefusalError(50001)
    return core.guild(call.id("guild_id")).id if "guild_id" in call.params else None


def list_commands(core: Core, call: Call) -> list[Json]:
    """List the commands of a scope."""
    return list(core.commands.scopes.get(_scope(core, call), {}).values())


def put_commands(core: Core, call: Call) -> list[Json]:
    """Overwrite the commands of a scope."""
    stored = core.commands.replace(_scope(core, call), call.rows)
    core.changes.notify()
    return stored


def add_command(core: Core, call: Call) -> Any:
    """Add one command: 201, or 200 when it replaced one of its name."""
    scope = _scope(core, call)
    before = len(core.commands.scopes.get(scope, {}))
    stored = core.commands.add(scope, call.body)
    core.changes.notify()
    return Reply(201 if len(core.commands.scopes[scope]) > before else 200, stored)


def get_command(core: Core, call: Call) -> Json:
    """Show one command."""
    return core.commands.get(_scope(core, call), call.id("command_id"))


def edit_command(core: Core, call: Call) -> Json:
    """Change one command."""
    return core.commands.edit(_scope(core, call), call.id("command_id"), call.body)


def delete_command(core: Core, call: Call) -> Reply:
    """Delete one command."""
    core.commands.remove(_scope(core, call), call.id("command_id"))
    core.changes.notify()
    return NO_CONTENT
