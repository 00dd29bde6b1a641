"""The WebSocket between one open page and the sandbox."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import web

from bot.sandbox.page.screen import Screen, outcome_json
from bot.sandbox.people.errors import NotOfferedError
from bot.sandbox.people.person import Person
from bot.sandbox.server.errors import RefusalError
from bot.sandbox.server.interactions import Interaction
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json, as_object, dumps
from bot.sandbox.world.messages import Message
from bot.sandbox.world.world import Channel

BATCH_SECONDS = 0.015
"""Time for which changes are collected before they are sent together, in real seconds."""


class PageConnection:
    """The WebSocket connection to an open page, for one person shown on it."""

    def __init__(self, state: ServerState, person: Person, socket: web.WebSocketResponse) -> None:
        self._state, self._person, self._socket = state, person, socket
        self._report_tasks: set[asyncio.Task[None]] = set()
        self._sent_open_dms: bool | None = None
        self._actions: dict[str, Callable[[Json], Awaitable[Interaction | None]]] = {
            "slash": self._slash,
            "complete": self._complete,
            "press": self._press,
            "choose": self._choose,
            "submit": self._submit,
            "say": self._say,
            "dismiss": self._dismiss,
            "read": self._read,
            "allow_dms": self._allow_dms,
        }

    async def send_updates(self) -> None:
        """Send the complete content of the page, then all changes, until cancelled."""
        changes = self._state.changes
        screen = Screen(self._state, self._person)
        await self._send(screen.hello())
        count = changes.count
        await self._send_changes(screen)
        await self._send({"t": "ready"})
        while True:
            if changes.count == count:
                await changes.next()
            await asyncio.sleep(BATCH_SECONDS)
            count = changes.count
            await self._send_changes(screen)

    async def _send_changes(self, screen: Screen) -> None:
        if self._sent_open_dms != self._person.user.open_dms:
            self._sent_open_dms = self._person.user.open_dms
            await self._send({"t": "open_dms", "open": self._sent_open_dms})
        for change in screen.updates():
            await self._send(change)

    async def receive(self, row: Json) -> None:
        """Perform the action that the page requests. If it is refused, send the reason to the page."""
        ref = row.get("ref")
        try:
            interaction = await self._actions[str(row.get("action"))](row)
        except (NotOfferedError, RefusalError, LookupError, ValueError) as problem:
            reason = problem.message if isinstance(problem, RefusalError) else str(problem)
            await self._send({"t": "refused", "ref": ref, "reason": reason})
            return
        if interaction is None:
            await self._send({"t": "outcome", "ref": ref})
        else:
            task = asyncio.create_task(self._report(interaction, ref))
            self._report_tasks.add(task)
            task.add_done_callback(self._report_tasks.discard)

    def close(self) -> None:
        """Cancel the tasks that wait for the outcome of an interaction."""
        for task in self._report_tasks:
            task.cancel()

    async def _report(self, interaction: Interaction, ref: object) -> None:
        await interaction.changes.until(lambda: not interaction.pending, timeout=None)
        await self._send(outcome_json(interaction, ref))

    async def _send(self, row: Json) -> None:
        # Ignore the error if the page has just been closed: the loop that reads from the socket then cleans up.
        with suppress(ConnectionError):
            if not self._socket.closed:
                await self._socket.send_str(dumps(row))

    def _channel(self, row: Json) -> Channel:
        return self._state.world.channels[int(row["channel"])]

    def _message(self, row: Json) -> Message:
        return self._channel(row).messages[int(row["message"])]

    async def _slash(self, row: Json) -> Interaction:
        return await self._person.slash(row["command"], self._channel(row), **as_object(row.get("options")))

    async def _complete(self, row: Json) -> Interaction:
        # Ignore a command's options named `option` and `value`: they would clash with the parameters of `complete`.
        options = as_object(row.get("options"))
        typed, others = str(row["value"]), {name: options[name] for name in options.keys() - {"option", "value"}}
        return await self._person.complete(
            row["command"], self._channel(row), option=row["option"], value=typed, **others
        )

    async def _press(self, row: Json) -> Interaction:
        return await self._person.press(self._message(row), row["custom_id"])

    async def _choose(self, row: Json) -> Interaction:
        return await self._person.choose(self._message(row), row["custom_id"], *row["values"])

    async def _submit(self, row: Json) -> Interaction:
        opened = self._state.interactions.by_id[int(row["modal"])]
        return await self._person.submit(opened.modal, as_object(row.get("fields")))

    async def _say(self, row: Json) -> None:
        await self._person.say(self._channel(row), str(row["text"]))

    async def _read(self, row: Json) -> None:
        self._person.read(self._message(row))

    async def _allow_dms(self, row: Json) -> None:
        self._person.user.open_dms = bool(row["open"])
        self._state.changes.notify()

    async def _dismiss(self, row: Json) -> None:
        self._person.dismiss(self._message(row))
