"""Building the `data` of command and autocomplete interactions, as a real client does."""

from collections.abc import Mapping
from typing import Any

from bot.sandbox.people.errors import NotOfferedError
from bot.sandbox.server.commands import invocable
from bot.sandbox.server.payloads import channel_json, member_json, role_json, user_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json, as_int, as_objects
from bot.sandbox.world.world import Channel, Role, User

# Source: Discord's API reference, "Application Command Option Type".
SUB_COMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER = range(1, 11)
# Maximum absolute value of INTEGER and NUMBER options, from the same section of Discord's reference.
MAX_NUMBER = 2**53


def command_data(
    state: ServerState,
    user: User,
    channel: Channel,
    command: str,
    options: Mapping[str, object],
    *,
    focused: tuple[str, str] | None = None,
) -> Json:
    """Build the `data` of a command interaction.

    If `focused` (option name, text so far) is given, build the `data` of an autocomplete interaction for that option
    instead. Raises `NotOfferedError` if the user is not offered the command or an option is invalid.
    """
    trail = tuple(command.removeprefix("/").split())
    offered = {
        path: (row, leaf)
        for row in state.commands.offered_to(state.world, user, channel)
        for path, leaf in invocable(row)
    }
    if trail not in offered:
        others = ", ".join(f"/{' '.join(path)}" for path in offered) or "none"
        words = f"/{' '.join(trail)} is not offered to {user.display_name} here; offered commands: {others}"
        raise NotOfferedError(words)
    row, leaf = offered[trail]
    options_by_name = {option["name"]: option for option in as_objects(leaf.get("options"))}
    _check_names(trail, options_by_name, options, focused)
    resolved: Json = {}
    filled_options: list[Json] = []
    for name, option in options_by_name.items():
        if focused is not None and name == focused[0]:
            filled_options.append({"name": name, "type": option["type"], "value": focused[1], "focused": True})
        elif options.get(name) is not None:
            value = _option_value(state, channel, option, options[name], resolved)
            filled_options.append({"name": name, "type": option["type"], "value": value})
    for name, kind in reversed(list(zip(trail[1:], _subcommand_types(row, trail), strict=True))):
        filled_options = [{"name": name, "type": kind, "options": filled_options}]
    data: Json = {"id": row["id"], "name": row["name"], "type": 1, "options": filled_options}
    if "guild_id" in row:
        data["guild_id"] = row["guild_id"]
    return data | ({"resolved": resolved} if resolved else {})


def _check_names(
    trail: tuple[str, ...],
    options_by_name: Mapping[str, Json],
    options: Mapping[str, object],
    focused: tuple[str, str] | None,
) -> None:
    unknown = set(options) - set(options_by_name)
    if unknown:
        words = f"/{' '.join(trail)} has no option {', '.join(sorted(unknown))}"
        raise NotOfferedError(words)
    if focused is not None:
        if not options_by_name.get(focused[0], {}).get("autocomplete"):
            words = f"/{' '.join(trail)} has no autocomplete for {focused[0]}"
            raise NotOfferedError(words)
        return
    missing = [name for name, option in options_by_name.items() if option.get("required") and options.get(name) is None]
    if missing:
        words = f"/{' '.join(trail)} needs {', '.join(missing)}"
        raise NotOfferedError(words)


def _subcommand_types(row: Json, trail: tuple[str, ...]) -> list[int]:
    kinds: list[int] = []
    for name in trail[1:]:
        row = next(option for option in as_objects(row.get("options")) if option["name"] == name)
        kinds.append(row["type"])
    return kinds


def _option_value(state: ServerState, channel: Channel, option: Json, given: object, resolved: Json) -> Any:
    kind, name = option["type"], option["name"]
    choices = as_objects(option.get("choices"))
    if choices:
        for choice in choices:
            if given in (choice["value"], choice["name"]):
                return choice["value"]
        words = f"{given!r} is not among the choices of {name}"
        raise NotOfferedError(words)
    if kind in (USER, CHANNEL, ROLE, MENTIONABLE):
        return resolve_entity(state, channel, kind, given, resolved)
    if kind in (INTEGER, NUMBER) and isinstance(given, int | float) and not isinstance(given, bool):
        least, most = option.get("min_value", -MAX_NUMBER), option.get("max_value", MAX_NUMBER)
        if least <= given <= most and (kind == NUMBER or isinstance(given, int)):
            return given
    if kind == BOOLEAN and isinstance(given, bool):
        return given
    if isinstance(given, str) and kind == STRING:
        least, most = option.get("min_length", 0), option.get("max_length", 6000)
        if least <= len(given) <= most:
            return given
    words = f"{given!r} does not fit the option {name}"
    raise NotOfferedError(words)


def resolve_entity(state: ServerState, channel: Channel, kind: int, given: object, resolved: Json) -> str:
    """Return the id of a user, channel or role, and add its object to `resolved`. Raises `NotOfferedError`."""
    identity = given if isinstance(given, int | str) else getattr(given, "id", None)
    entity_id = as_int(identity) or 0
    world, guild = state.world, channel.guild
    if kind in (USER, MENTIONABLE) and entity_id in world.users:
        _resolve_user(state, channel, world.users[entity_id], resolved)
    elif kind == CHANNEL and entity_id in world.channels:
        selected = world.channels[entity_id]
        row = channel_json(selected) | {"permissions": str(int(world.permissions(world.bot, selected)))}
        resolved.setdefault("channels", {})[str(entity_id)] = row
    elif kind in (ROLE, MENTIONABLE) and guild is not None and entity_id in guild.roles:
        role: Role = guild.roles[entity_id]
        resolved.setdefault("roles", {})[str(entity_id)] = role_json(role)
    else:
        words = f"there is no {given!r} to choose here"
        raise NotOfferedError(words)
    return str(entity_id)


def _resolve_user(state: ServerState, channel: Channel, user: User, resolved: Json) -> None:
    resolved.setdefault("users", {})[str(user.id)] = user_json(user)
    if channel.guild is not None and user.id in channel.guild.members:
        member = member_json(channel.guild.members[user.id])
        del member["user"]
        member["permissions"] = str(int(state.world.permissions(user, channel)))
        resolved.setdefault("members", {})[str(user.id)] = member
