"""The application commands that the bot registered."""

from dataclasses import dataclass, field

from bot.sandbox.server.command_limits import MAX_COMMANDS_BY_TYPE, check_command, check_commands
from bot.sandbox.server.errors import RefusalError
from bot.sandbox.world.clock import Clock
from bot.sandbox.world.json_values import Json, as_int, as_objects
from bot.sandbox.world.permissions import Permission
from bot.sandbox.world.world import Channel, User, World

Scope = int | None
"""The scope of a command: a guild's id, or None for global commands."""

GUILD_CONTEXT, DM_CONTEXT = 0, 1


@dataclass(slots=True)
class CommandRegistry:
    """All registered commands, by scope and id."""

    clock: Clock
    application_id: int
    scopes: dict[Scope, dict[int, Json]] = field(default_factory=dict[Scope, dict[int, Json]])

    def replace(self, scope: Scope, commands: list[Json]) -> list[Json]:
        """Replace all commands of a scope. A command that keeps its name and type keeps its id."""
        check_commands(commands)
        old = {(row["type"], row["name"]): int(row["id"]) for row in self.scopes.get(scope, {}).values()}
        self.scopes[scope] = {}
        return [self._store(scope, command, old.get((command.get("type", 1), command["name"]))) for command in commands]

    def add(self, scope: Scope, command: Json) -> Json:
        """Add a command, or replace the command of the same name and type.

        Raises `RefusalError` 30032 if the scope is full, and 50035 for an invalid command.
        """
        check_command(command)
        for command_id, row in self.scopes.get(scope, {}).items():
            if (row["type"], row["name"]) == (command.get("type", 1), command["name"]):
                return self._store(scope, command, command_id)
        kinds = [row["type"] for row in self.scopes.get(scope, {}).values()]
        if kinds.count(command.get("type", 1)) >= MAX_COMMANDS_BY_TYPE[command.get("type", 1)]:
            raise RefusalError(30032, message="Maximum number of application commands reached")
        return self._store(scope, command, None)

    def get(self, scope: Scope, command_id: int) -> Json:
        """Return a command. Raises `RefusalError` 10063 if it is unknown."""
        found = self.scopes.get(scope, {}).get(command_id)
        if found is None:
            raise RefusalError(10063)
        return found

    def edit(self, scope: Scope, command_id: int, changes: Json) -> Json:
        """Update some fields of a command and return it.

        Raises `RefusalError` 10063 if the command is unknown, and 50035 if it becomes invalid.
        """
        changed = {**self.get(scope, command_id), **changes}
        check_command(changed)
        return self._store(scope, changed, command_id)

    def remove(self, scope: Scope, command_id: int) -> None:
        """Delete a command. Raises `RefusalError` 10063 if it is unknown."""
        self.get(scope, command_id)
        del self.scopes[scope][command_id]

    def offered_to(self, world: World, user: User, channel: Channel) -> list[Json]:
        """List the slash commands that a user's client offers in a channel, sorted by name."""
        allowed = world.permissions(user, channel)
        if channel.guild is not None and (
            Permission.USE_APPLICATION_COMMANDS not in allowed or world.bot.id not in channel.guild.members
        ):
            return []
        scopes: tuple[Scope, ...] = (None,) if channel.guild is None else (None, channel.guild.id)
        context = DM_CONTEXT if channel.guild is None else GUILD_CONTEXT
        found = {row["name"]: row for scope in scopes for row in self.scopes.get(scope, {}).values()}
        return [
            row
            for _, row in sorted(found.items())
            if row["type"] == 1
            and (row.get("contexts") is None or context in row["contexts"])
            and (channel.guild is None or _is_permitted(row, world.guild_permissions(user, channel.guild) | allowed))
        ]

    def _store(self, scope: Scope, command: Json, existing_id: int | None) -> Json:
        command_id = existing_id or self.clock.snowflake()
        row: Json = {
            "type": 1,
            "description": "",
            "options": [],
            "default_member_permissions": None,
            "contexts": None,
            "integration_types": [0],
            "nsfw": False,
            **command,
            "id": str(command_id),
            "application_id": str(self.application_id),
            "version": str(self.clock.snowflake()),
        }
        if row["default_member_permissions"] is not None:
            row["default_member_permissions"] = str(row["default_member_permissions"])
        if row.get("dm_permission") is False and row["contexts"] is None:
            row["contexts"] = [GUILD_CONTEXT]
        if scope is not None:
            row["guild_id"] = str(scope)
        self.scopes.setdefault(scope, {})[command_id] = row
        return row


def _is_permitted(command: Json, permissions: Permission) -> bool:
    needed = as_int(command["default_member_permissions"])
    if needed is None or Permission.ADMINISTRATOR in permissions:
        return True
    # "0" means administrators only (Discord's reference, "Application Command Permissions").
    return needed != 0 and needed & permissions == needed


def invocable(command: Json, trail: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Json]]:
    """Return (path of names, definition) for each subcommand, or for the command if it has no subcommands."""
    here = (*trail, command["name"])
    nested = [row for row in as_objects(command.get("options")) if row["type"] in (1, 2)]
    return [leaf for row in nested for leaf in invocable(row, here)] if nested else [(here, command)]
