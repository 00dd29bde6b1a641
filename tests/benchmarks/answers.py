"""Benchmark of answer times, from outside: from the arrival of a click or command in Discord until its answer.

The bot runs as a process of its own, against a sandbox in this process. Two people play a match. One clicks in direct
messages; the other gets no direct messages, uses commands, and sees their hand in the answer. Each move begins when the
bot has been quiet for a while.

The references are the parts of an answer, measured alone between the moves: an empty command of a bot that is made with
discord.py alone, a commit of one row through aiosqlite alone, and the picture of a hand. All medians are from one run.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from asyncio.subprocess import Process
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from time import perf_counter
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import aiosqlite
from aiohttp import web

from bot.engine.matches.views import SeatView
from bot.model.appearance import DEFAULT_APPEARANCE, HandOrder
from bot.model.ids import PersonId
from bot.model.people import Person
from bot.sandbox import Interaction, Message, Request, Sandbox
from bot.sandbox.server.http import endpoints
from bot.store import people
from bot.store.opening import open_database
from cardart import draw_hand
from cogs.actions import Action
from cogs.delivery.emoji_uploads import START_DELAY
from tests.cardart.views import seat_views
from tests.helpers.components import Control, controls
from tests.helpers.databases import new_database
from tests.helpers.living import sandbox_of
from tests.helpers.players import Player, challenge_and_accept
from tests.helpers.processes import BOT, ROOT, process_and_children, settings_for, started
from tests.helpers.worlds import hall, pair

MOVES: Final = 440
"""Number of moves. About half of them are made by command, the others by click."""
WARM_UP: Final = 40
"""Number of moves before the measured ones."""
QUIET_SECONDS: Final = 0.04
"""Time without requests after which the bot counts as quiet, in seconds."""

SETTLED_SECONDS: Final = START_DELAY + 2.0
"""Time without requests after which the bot has uploaded its emojis, in seconds."""

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""

_MILLISECOND: Final = 1e-3
_READ: Final = endpoints._read_request  # pyright: ignore[reportPrivateUsage]
_BARE_BOT: Final = (BOT[0], "-m", "tests.benchmarks.bare_bot")
_COMMANDS: Final = {Action.PASS: "pass", Action.TAKE: "take", Action.DRAW: "draw", Action.DISCARD: "discard"}
"""The commands of the moves that do not end a deal."""


def measure() -> list[Row]:
    """Measure the answers to clicks and commands, and the work until the bot is quiet."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder)))


class _Bare:
    """The parts of an answer alone: an empty command, a commit and a picture."""

    def __init__(self, sandbox: Sandbox, database: aiosqlite.Connection) -> None:
        self._sandbox = sandbox
        self._person, self._channel = sandbox.person(pair(1)[0]), sandbox.channel("table-1")
        self._database = database
        self._number = 0
        self._views: Sequence[SeatView] = seat_views(0)

    @staticmethod
    @asynccontextmanager
    async def opened(folder: Path) -> AsyncGenerator[_Bare]:
        """Start a bare bot, and create a database with one row and the bot's durability settings."""
        async with AsyncExitStack() as stack:
            sandbox = await stack.enter_async_context(sandbox_of(hall(1, running=True)))
            environment = settings_for(sandbox) | {"PYTHONPATH": str(ROOT)}
            await stack.enter_async_context(started(folder, _BARE_BOT, environment))
            database = await stack.enter_async_context(aiosqlite.connect(folder / "bare.db", isolation_level=None))
            for query in (
                "PRAGMA journal_mode=WAL",
                "PRAGMA synchronous=FULL",
                "CREATE TABLE move (id INTEGER PRIMARY KEY, text TEXT) STRICT",
                "INSERT INTO move VALUES (1, '')",
            ):
                await database.execute(query)
            bare = _Bare(sandbox, database)
            await sandbox.until(lambda: bare._person.commands(bare._channel), 60)
            sandbox.journal.observers.clear()
            yield bare

    async def command(self) -> Interaction:
        """Use the empty command."""
        return await self._person.slash("empty", self._channel)

    async def commit(self) -> None:
        """Commit a change of the only row."""
        self._number += 1
        await self._database.execute("BEGIN IMMEDIATE")
        await self._database.execute("UPDATE move SET text = ? WHERE id = 1", (f"{self._number} draw",))
        await self._database.execute("COMMIT")

    async def picture(self) -> None:
        """Draw the picture of a hand in a thread, as the bot does."""
        view = self._views[self._number % len(self._views)]
        await asyncio.to_thread(draw_hand, view, DEFAULT_APPEARANCE, HandOrder.MELDS)


class _Press(NamedTuple):
    """A button to press."""

    message: Message
    control: Control


class _Bench:
    """Makes the moves of two players, and records the time, CPU time, requests and bytes of each."""

    def __init__(self, sandbox: Sandbox, bot: Process, players: list[Player], bare: _Bare) -> None:
        self.figures: defaultdict[str, list[float]] = defaultdict(list)
        self._sandbox = sandbox
        self._bot = bot
        self._players = players
        self._bare = bare
        self._random = Random(1)
        self._received: dict[int, float] = {}
        self._last_request = perf_counter()
        self._requests = self._bytes_sent = 0

    def recording_arrival(self, read: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Wrap a request reader so that it first records the arrival time of an interaction's callback."""

        async def noted(request: web.Request) -> Any:
            if (interaction_id := request.match_info.get("interaction_id")) is not None:
                self._received[int(interaction_id)] = perf_counter()
            return await read(request)

        return noted

    def count_request(self, request: Request) -> None:
        """Count a request and its bytes."""
        self._last_request = perf_counter()
        self._requests += 1
        self._bytes_sent += len(json.dumps(request.payload)) + sum(len(upload.content) for upload in request.files)

    async def move(self) -> None:
        """Measure the next move of the match, and then its parts."""
        await self.until_quiet()
        found = await self._sandbox.until(self._next_press, 60)
        assert found is not None
        player, pressed = found
        action = pressed.control.action
        if action in _COMMANDS and not player.by_dm:
            card = {"card": pressed.control.values[0]} if action is Action.DISCARD else {}
            command = f"gin {_COMMANDS[action]}"
            await self._measure("command", lambda: player.person.slash(command, player.channel, **card))
        elif action in _COMMANDS:
            await self._measure("click", lambda: player.person.press(pressed.message, pressed.control.custom_id))
        else:
            await (await player.person.press(pressed.message, pressed.control.custom_id)).answer()
        await self._measure_answer("empty", self._bare.command)
        for name, part in (("picture", self._bare.picture), ("commit", self._bare.commit)):
            started_at, cpu = perf_counter(), time.process_time()
            await part()
            self.figures[f"{name} seconds"].append(perf_counter() - started_at)
            self.figures[f"{name} CPU"].append(time.process_time() - cpu)

    async def _measure(self, name: str, act: Callable[[], Awaitable[Interaction]]) -> None:
        """Measure one answer of the bot, and its work until it is quiet."""
        self._requests = self._bytes_sent = 0
        before = self._cpu_seconds()
        await self._measure_answer(name, act)
        await self.until_quiet()
        self.figures[f"{name} CPU"].append(self._cpu_seconds() - before)
        self.figures[f"{name} requests"].append(self._requests)
        self.figures[f"{name} bytes"].append(self._bytes_sent)

    def _cpu_seconds(self) -> float:
        """Return the CPU time of the bot and of its child processes."""
        return sum(map(_cpu_seconds, process_and_children(self._bot.pid)))

    async def _measure_answer(self, name: str, act: Callable[[], Awaitable[Interaction]]) -> None:
        started_at = perf_counter()
        interaction = await act()
        await interaction.answer()
        self.figures[f"{name} seconds"].append(self._received[interaction.id] - started_at)

    async def until_quiet(self, seconds: float = QUIET_SECONDS) -> None:
        """Wait until the bot has made no request for some time."""
        while (wait := self._last_request + seconds - perf_counter()) > 0:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(wait)

    def _next_press(self) -> tuple[Player, _Press] | None:
        """Return the player to act with a random move that does not end the deal, or with *Next deal*.

        Return None if no message offers one yet.
        """
        for player in self._players:
            panel = player.panel or player.call
            offered = [] if panel is None else [_Press(panel, control) for control in controls(panel)]
            moves = [press for press in offered if press.control.action in _COMMANDS and not press.control.is_menu]
            others = [press for press in offered if press.control.action in (Action.NEXT_DEAL, Action.SHOW_HAND)]
            if moves or others:
                return player, self._random.choice(moves or others)
        return None


async def _measure(folder: Path) -> list[Row]:
    database = folder / "deadwood.db"
    new_database(database)
    async with AsyncExitStack() as stack:
        sandbox = await stack.enter_async_context(sandbox_of(hall(1, running=True)))
        players = [
            Player(sandbox, name, sandbox.channel("table-1"), 1, by_dm=not place) for place, name in enumerate(pair(1))
        ]
        await _ask_no_questions(database, players)
        bare = await stack.enter_async_context(_Bare.opened(folder))
        log = stack.enter_context((folder / "bot.log").open("wb"))
        bot = await stack.enter_async_context(started(folder, [*BOT, "run"], settings_for(sandbox), log))
        await sandbox.ready(60)
        # Disable the sandbox's own checks, which would add to the answer times.
        sandbox.journal.observers.clear()
        bench = _Bench(sandbox, bot, players, bare)
        sandbox.journal.observers.append(bench.count_request)
        await challenge_and_accept(sandbox, players[0], players[1], target=10_000)
        # The uploads of emojis after a bot's first start would count as work of the moves.
        await bench.until_quiet(SETTLED_SECONDS)
        with patch.object(endpoints, "_read_request", bench.recording_arrival(_READ)):
            for number in range(MOVES):
                if number == WARM_UP:
                    bench.figures.clear()
                await bench.move()
        return _rows(bench.figures)


async def _ask_no_questions(path: Path, players: list[Player]) -> None:
    """Turn off the players' confirmations: random discards break melds, and a question about one is no move."""
    opened = await open_database(f"sqlite:///{path}")
    async with opened.write() as transaction:
        for player in players:
            person = Person(PersonId(player.person.id), player.person.name)
            people.save_name(transaction, person, datetime.now(UTC))
            people.change(transaction, person.id, confirmations=False)
    await opened.close()


def _cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process, from its clock: https://man7.org/linux/man-pages/man3/clock_getcpuclockid.3.html."""
    return time.clock_gettime(~pid << 3 | 2)


def _rows(figures: dict[str, list[float]]) -> list[Row]:
    middle = {name: median(values) for name, values in figures.items()}
    parts = middle["empty seconds"] + middle["commit seconds"] + middle["picture seconds"]
    rows: list[Row] = []
    for name, text in (("click", "a click"), ("command", "a turn command")):
        seconds = figures[f"{name} seconds"]
        rows += [
            (
                f"answer to {text}, beside its parts",
                middle[f"{name} seconds"] / _MILLISECOND,
                parts / _MILLISECOND,
                "ms",
            ),
            (
                f"answer to {text}, 99th of 100",
                quantiles(seconds, n=100)[-1] / _MILLISECOND,
                parts / _MILLISECOND,
                "ms",
            ),
            (
                f"CPU of {text} until all is quiet, in hand pictures",
                mean(figures[f"{name} CPU"]) / _MILLISECOND,
                mean(figures["picture CPU"]) / _MILLISECOND,
                "ms",
            ),
            (f"requests for {text}, messages included", mean(figures[f"{name} requests"]), 1, "requests"),
            (f"bytes sent for {text}, messages included", mean(figures[f"{name} bytes"]), 1, "B"),
        ]
    return rows
