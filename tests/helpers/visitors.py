"""Visitors of the sandbox's page, for tests of a sandbox in another process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import aiohttp

from bot.sandbox.world.components import walk
from cogs.actions import Action
from cogs.kit.components import ComponentEvent
from tests.helpers.waiting import MAX_WAIT

T = TypeVar("T")


class Visitor:
    """One person's open page. `messages` and `commands` hold the contents of the channel `games`."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, people: dict[str, str]) -> None:
        self.people = people
        self.messages: dict[str, dict[str, Any]] = {}
        self.commands: list[dict[str, Any]] = []
        self._socket = socket
        self._channel = ""
        self._outcomes: list[dict[str, Any]] = []
        self._ready = False

    async def act(self, action: str, **fields: object) -> None:
        """Send an action to the page's server, such as a click, and assert that the bot answers it."""
        assert await self._succeeds(action, **fields)

    async def use(self, command: str) -> None:
        """Use a command, and repeat it until the bot answers in time: on a busy machine, an answer may be late."""
        async with asyncio.timeout(MAX_WAIT):
            while not await self._succeeds("slash", command=command):
                pass

    async def _succeeds(self, action: str, **fields: object) -> bool:
        self._outcomes.clear()
        await self._socket.send_json({"action": action, "ref": 1, "channel": self._channel, **fields})
        (outcome,) = await self.until(lambda: self._outcomes)
        assert outcome["t"] == "outcome", outcome
        return not outcome["failed"]

    async def wait_until_loaded(self) -> None:
        """Wait until the page has loaded completely."""
        await self.until(lambda: self._ready)

    async def until(self, predicate: Callable[[], T | None]) -> T:
        """Handle messages from the server until the predicate returns a true value, and return that value."""
        while not (found := predicate()):
            self._handle(await self._socket.receive_json(timeout=MAX_WAIT))
        return found

    def button(self, action: Action) -> tuple[str, str] | None:
        """Return (message id, custom_id) of the first button with an action, or None."""
        for number, message in self.messages.items():
            for _, row in walk(message["components"]):
                event = ComponentEvent.parse(row.get("custom_id") or "")
                if event is not None and event.action is action:
                    return number, row["custom_id"]
        return None

    def _handle(self, row: dict[str, Any]) -> None:
        match row["t"]:
            case "ready":
                self._ready = True
            case "channels":
                self._channel = next(channel["id"] for channel in row["channels"] if channel["name"] == "games")
            case "commands" if row["channel"] == self._channel:
                self.commands = row["commands"]
            case "message" if row["message"]["channel_id"] == self._channel:
                self.messages[row["message"]["id"]] = row["message"]
            case "gone":
                self.messages.pop(row["id"], None)
            case "outcome" | "refused":
                self._outcomes.append(row)
            case _:
                pass


@asynccontextmanager
async def visiting(address: str, name: str) -> AsyncGenerator[Visitor]:
    """Open the page at an address as the person with this name."""
    async with aiohttp.ClientSession() as session:
        async with session.get(address) as page:
            assert "<html" in await page.text()
        async with session.get(f"{address}sandbox/people") as answer:
            people = {person["name"]: person["id"] for person in (await answer.json())["people"]}
        async with session.ws_connect(f"{address}sandbox/socket?person={people[name]}") as socket:
            visitor = Visitor(socket, people)
            await visitor.wait_until_loaded()
            yield visitor
