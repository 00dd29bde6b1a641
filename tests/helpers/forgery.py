"""Interactions with made-up data: buttons and menus that were never there, and values that were never offered."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, cast

import pytest
from discord import app_commands

from bot.sandbox import Channel, Interaction, InteractionKind, Message, Person
from bot.sandbox.people.command_data import resolve_entity
from cogs.kit.actions import Action, Subject
from cogs.kit.components import ComponentEvent
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


@dataclass(frozen=True, slots=True)
class Sweep:
    """One person's attempts at buttons about matches and challenges, from a message before them.

    A button is used about matches only if its handler asks for one, and about challenges likewise. If it asks for
    neither, it is used once. Every other use is of the menu that asks which one is meant; with `both`, each thing is
    tried both ways.
    """

    person: Person
    message: Message
    matches: Sequence[int]
    challenges: Sequence[int] = ()
    both: bool = False
    _asked: dict[Action, set[str]] = field(default_factory=dict[Action, set[str]])
    _as_menu: Iterator[bool] = field(default_factory=lambda: cycle((False, True)))

    async def uses(self, action: Action) -> AsyncGenerator[Interaction]:
        """Use a button about each thing in turn, and yield each use once it was answered."""
        first, *others = self.matches
        with _noted(self._asked):
            yield await self._use(action, first, as_menu=False)
            asked = self._asked.get(action, set())
            left = [(one, next(self._as_menu)) for one in others if "match_id" in asked]
            left += [(one, next(self._as_menu)) for one in self.challenges if one != first and "challenge_id" in asked]
            if self.both and asked:
                every = [first, *(one for one, _ in left)]
                left = [(one, as_menu) for one in every for as_menu in (True, False)]
            for subject, as_menu in left:
                yield await self._use(action, subject, as_menu=as_menu)

    async def _use(self, action: Action, subject: int, *, as_menu: bool) -> Interaction:
        # The argument asks for the first deal where it means anything.
        if as_menu:
            return await choose(self.person, self.message, action, subject, "1")
        return await click(self.person, self.message, action, subject, argument="1")


@contextmanager
def _noted(asked: dict[Action, set[str]]) -> Generator[None]:
    """Note for each action whether its handler asks which match or which challenge it is about, during the block."""

    def noting(name: str) -> property:
        read = cast(property, getattr(ComponentEvent, name)).__get__

        def note(event: ComponentEvent) -> int:
            asked.setdefault(event.action, set()).add(name)
            return read(event)

        return property(note)

    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in ("match_id", "challenge_id"):
            monkeypatch.setattr(ComponentEvent, name, noting(name))
        yield


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
