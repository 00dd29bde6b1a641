"""The slash commands: their number in each group, and the order of the cogs."""

from collections import Counter
from typing import Any, Final

from discord import app_commands

from bot.connection.commands import COGS
from cogs.delivery.feature import GROUP

MAX_COMMANDS: Final = 25
"""Discord's limit for the commands directly below a command or a group."""
GIN: Final = "gin"
HOW_TO: Final = "CONTRIBUTING.md explains this under 'Add a command'."

Group = app_commands.Group
Command = app_commands.Command[Any, ..., Any]


def _parent_of(command: Command | Group) -> str | None:
    """Return the name of the group that a cog's command is added to. None for `/gin-…`, which is below no group."""
    return None if command.name.startswith("gin-") else command.extras.get(GROUP, GIN)


def test_no_group_has_too_many_commands() -> None:
    """`/gin` and each of the groups has at most as many commands as Discord allows."""
    counts, groups = Counter[str](), list[str]()
    for cog in COGS:
        for command in cog.__cog_app_commands__:
            counts.update(filter(None, [_parent_of(command)]))
            if isinstance(command, Group):
                counts[command.name] += len(command.commands)
                groups.append(command.name)
    for name, count in counts.items():
        others = ", ".join(group for group in groups if counts[group] < MAX_COMMANDS)
        assert count <= MAX_COMMANDS, (
            f"'{name}' has {count} commands, but Discord allows {MAX_COMMANDS}, and the bot would not start. "
            f"Put the new command into one of these groups: {others}. {HOW_TO}"
        )


def test_a_group_comes_before_commands_of_other_cogs() -> None:
    """A cog whose command belongs to the group of another cog comes after that cog in `COGS`."""
    groups = {GIN}
    for cog in COGS:
        groups.update(command.name for command in cog.__cog_app_commands__ if isinstance(command, Group))
        for command in cog.__cog_app_commands__:
            parent = _parent_of(command)
            assert parent is None or parent in groups, (
                f"'{command.name}' belongs to the group '{parent}', which no cog before {cog.__name__} in COGS has. "
                f"List the cog with the group first. {HOW_TO}"
            )
