"""Interactions with made-up data: buttons and menus that were never there, and values that were never offered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discord import app_commands

from bot.sandbox import Channel, Interaction, InteractionKind, Message, Person
from bot.sandbox.people.command_data import resolve_entity
from cogs.kit.actions import Action, Subject
from tests.helpers.living import Living

Command = app_commands.Command[Any, ..., Any]
Json = dict[str, Any]

_BUTTON, _MENU = 2, 3
_USER = 6


def commands_of(alive: Living) -> Iterator[Command]:
    """Yield every command of the bot."""
    for command in alive.client.tree.walk_commands():
        if isinstance(command, app_commands.Command):
            yield command


async def click(
    person: Person,
    message: Message,
    action: Action,
    subject: int | str,
    *,
    argument: str | None = None,
    values: Sequence[str] | None = None,
    version: int | str = 0,
) -> Interaction:
    """Let a person use a button, or with `values` a menu, that no message needs to have; wait for the answer."""
    tail = "" if argument is None else f":{argument}"
    data: Json = {"component_type": _BUTTON, "custom_id": f"gin:{subject}:{version}:{action}{tail}", "id": 1}
    if values is not None:
        data |= {"component_type": _MENU, "values": list(values)}
    made = await person.forge(InteractionKind.COMPONENT, message.channel, data, message)
    return await made.done()


async def choose(person: Person, message: Message, action: Action, chosen: int, argument: str | None) -> Interaction:
    """Let a person choose in a menu that asks which match or challenge is meant; wait for the answer."""
    return await click(person, message, action, Subject.CHOSEN, argument=argument, values=[str(chosen)])


async def invoke(
    alive: Living,
    person: Person,
    channel: Channel,
    command: Command,
    values: Mapping[str, object],
    *,
    focused: str | None = None,
) -> Interaction:
    """Let a person use a command with values as they are, or complete one of them; wait for the answer."""
    trail = command.qualified_name.split()
    row = next(row for row in alive.person("North").commands(alive.channel) if row["name"] == trail[0])
    rows: list[Json] = [row]
    for name in trail[1:]:
        rows.append(next(option for option in rows[-1]["options"] if option["name"] == name))
    kinds = {option["name"]: option["type"] for option in rows[-1].get("options") or ()}
    filled: list[Json] = []
    resolved: Json = {}
    for name, value in values.items():
        sent = value
        if kinds[name] == _USER:
            sent = resolve_entity(alive.sandbox.state, channel, _USER, value, resolved)
        filled.append({"name": name, "type": kinds[name], "value": sent, "focused": name == focused})
    for option in reversed(rows[1:]):
        filled = [{"name": option["name"], "type": option["type"], "options": filled}]
    data: Json = {"id": row["id"], "name": row["name"], "type": 1, "options": filled, "resolved": resolved}
    kind = InteractionKind.COMMAND if focused is None else InteractionKind.AUTOCOMPLETE
    return await (await person.forge(kind, channel, data)).done()
