"""The `data` of command and autocomplete interactions, built as a client does."""

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
# The limit of INTEGER and NUMBER option values, from the same page.
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
    """Build the `data` of a command, or with `focused` (option, text so far) of an autocomplete interaction.

    Raises `NotOfferedError` if the user is not offered the command or an option is invalid.
    """
    trail = tuple(command.removeprefix("/").split())
    offered = {
        path: (row, leaf)
        for row in state.commands.offered_to(state.world, user, channel)
        for path, leaf in invocable(row)
    }
    if trail not in offered:
        words = f"/{' '.join(trail)} is not offered to {user.display_name} here"
        raise NotOfferedError(words)
    row, leaf = offered[trail]
    known = {option["name"]: option for option in as_objects(leaf.get("options"))}
    _check_names(trail, known, options, focused)
    resolved: Json = {}
    filled: list[Json] = []
    for name, option in known.items():
        if focused is not None and name == focused[0]:
            filled.append({"name": name, "type": option["type"], "value": focused[1], "focused": True})
        elif options.get(name) is not None:
            value = _value(state, channel, option, options[name], resolved)
            filled.append({"name": name, "type": option["type"], "value": value})
    for name, kind in reversed(list(zip(trail[1:], _kinds(row, trail), strict=True))):
        filled = [{"name": name, "type": kind, "options": filled}]
    data: Json = {"id": row["id"], "name": row["name"], "type": 1, "options": filled}
    if "guild_id" in row:
        data["guild_id"] = row["guild_id"]
    return data | ({"resolved": resolved} if resolved else {})


def _check_names(
    trail: tuple[str, ...], known: Mapping[str, Json], options: Mapping[str, object], focused: tuple[str, str] | None
) -> None:
    unknown = set(options) - set(known)
    if unknown:
        words = f"/{' '.join(trail)} has no option {', '.join(sorted(unknown))}"
        raise NotOfferedError(words)
    if focused is not None:
        if not known.get(focused[0], {}).get("autocomplete"):
            words = f"/{' '.join(trail)} has no autocomplete for {focused[0]}"
            raise NotOfferedError(words)
        return
    missing = [name for name, option in known.items() if option.get("required") and options.get(name) is None]
    if missing:
        words = f"/{' '.join(trail)} needs {', '.join(missing)}"
        raise NotOfferedError(words)


def _kinds(row: Json, trail: tuple[str, ...]) -> list[int]:
    kinds: list[int] = []
    for name in trail[1:]:
        row = next(option for option in as_objects(row.get("options")) if option["name"] == name)
        kinds.append(row["type"])
    return kinds


def _value(state: ServerState, channel: Channel, option: Json, given: object, resolved: Json) -> Any:
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
    found = as_int(identity) or 0
    world, guild = state.world, channel.guild
    if kind in (USER, MENTIONABLE) and found in world.users:
        _resolve_user(state, channel, world.users[found], resolved)
    elif kind == CHANNEL and found in world.channels:
        place = world.channels[found]
        row = channel_json(place) | {"permissions": str(int(world.permissions(world.bot, place)))}
        resolved.setdefault("channels", {})[str(found)] = row
    elif kind in (ROLE, MENTIONABLE) and guild is not None and found in guild.roles:
        role: Role = guild.roles[found]
        resolved.setdefault("roles", {})[str(found)] = role_json(role)
    else:
        words = f"there is no {given!r} to choose here"
        raise NotOfferedError(words)
    return str(found)


def _resolve_user(state: ServerState, channel: Channel, user: User, resolved: Json) -> None:
    resolved.setdefault("users", {})[str(user.id)] = user_json(user)
    if channel.guild is not None and user.id in channel.guild.members:
        member = member_json(channel.guild.members[user.id])
        del member["user"]
        member["permissions"] = str(int(state.world.permissions(user, channel)))
        resolved.setdefault("members", {})[str(user.id)] = member
