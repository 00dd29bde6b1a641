"""Forged interactions: buttons and menus that never existed, and values that were never offered."""

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
from cogs.actions import Action, Subject
from cogs.kit.components import ComponentEvent
from tests.helpers.living import RunningBot

Command = app_commands.Command[Any, ..., Any]
Json = dict[str, Any]

_BUTTON, _MENU = 2, 3
_USER = 6


def commands_of(alive: RunningBot) -> Iterator[Command]:
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
    """Forge a click on a button or, with `values`, a choice in a menu. Wait for the answer.

    The message need not have that button or menu.
    """
    tail = "" if argument is None else f":{argument}"
    data: Json = {"component_type": _BUTTON, "custom_id": f"gin:{subject}:{version}:{action}{tail}", "id": 1}
    if values is not None:
        data |= {"component_type": _MENU, "values": list(values)}
    made = await person.forge(InteractionKind.COMPONENT, message.channel, data, message)
    return await made.done()


async def choose(person: Person, message: Message, action: Action, chosen: int, argument: str | None) -> Interaction:
    """Forge a choice in a menu where the person chooses a match or challenge for an action. Wait for the answer."""
    return await click(person, message, action, Subject.CHOSEN, argument=argument, values=[str(chosen)])


@dataclass(frozen=True, slots=True)
class Sweep:
    """One person's attempts to use forged buttons and menus about matches and challenges.

    An action is tried with each match if its handler reads a match id from the click, with each challenge if it reads a
    challenge id, and otherwise once. Attempts alternate between a button and a menu. With `both`, each match or
    challenge is tried with a button and with a menu.
    """

    person: Person
    message: Message
    matches: Sequence[int]
    challenges: Sequence[int] = ()
    both: bool = False
    _asked: dict[Action, set[str]] = field(default_factory=dict[Action, set[str]])
    _as_menu: Iterator[bool] = field(default_factory=lambda: cycle((False, True)))

    async def attempts(self, action: Action) -> AsyncGenerator[Interaction]:
        """Try an action with each match or challenge in turn, and yield each interaction after its answer."""
        first, *others = self.matches
        with _record_lookups(self._asked):
            yield await self._attempt(action, first, as_menu=False)
            asked = self._asked.get(action, set())
            pending = [(other, next(self._as_menu)) for other in others if "match_id" in asked]
            pending += [
                (challenge, next(self._as_menu))
                for challenge in self.challenges
                if challenge != first and "challenge_id" in asked
            ]
            if self.both and asked:
                subjects = [first, *(subject for subject, _ in pending)]
                pending = [(subject, as_menu) for subject in subjects for as_menu in (True, False)]
            for subject, as_menu in pending:
                yield await self._attempt(action, subject, as_menu=as_menu)

    async def _attempt(self, action: Action, subject: int, *, as_menu: bool) -> Interaction:
        # If the argument of an action is the number of a deal, use deal 1.
        if as_menu:
            return await choose(self.person, self.message, action, subject, "1")
        return await click(self.person, self.message, action, subject, argument="1")


@contextmanager
def _record_lookups(asked: dict[Action, set[str]]) -> Generator[None]:
    """During the block, record for each action whether its handler reads a match or challenge id from the click."""

    def recording_property(name: str) -> property:
        read = cast(property, getattr(ComponentEvent, name)).__get__

        def record(event: ComponentEvent) -> int:
            asked.setdefault(event.action, set()).add(name)
            return read(event)

        return property(record)

    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in ("match_id", "challenge_id"):
            monkeypatch.setattr(ComponentEvent, name, recording_property(name))
        yield


async def invoke(
    alive: RunningBot,
    person: Person,
    channel: Channel,
    command: Command,
    values: Mapping[str, object],
    *,
    focused: str | None = None,
) -> Interaction:
    """Forge a command with unchecked values, or an autocomplete request for the option `focused`. Await the answer."""
    words = command.qualified_name.split()
    row = next(row for row in alive.person("North").commands(alive.channel) if row["name"] == words[0])
    rows: list[Json] = [row]
    for name in words[1:]:
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
