"""Benchmark of answer times in the sandbox, from sending the event to receiving the callback.

Two people play a match. Each move begins after all messages of the previous move were delivered. One person clicks in
direct messages; the other gets no direct messages, uses commands, and sees their hand in the answer. After each move,
its parts are measured alone: an empty command, a commit of one row, and the picture of the answer. All medians come
from the same run.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch

import aiosqlite
from aiohttp import web
from sqlalchemy import Connection, Engine, event

from bot.client import Client
from bot.engine.moves import Move, Verb
from bot.sandbox import Interaction, Request
from bot.sandbox.server.http import endpoints
from bot.values.ids import MatchId, PersonId
from bot.values.matches import OwnHand
from cogs.kit.actions import Action
from cogs.kit.answers import Answer
from cogs.kit.answers import Interaction as Received
from cogs.panels.layout import note
from tests.helpers import living as alive_in
from tests.helpers.components import find_button
from tests.helpers.living import Living, bot_on, sandbox_of
from tests.helpers.players import Player, sit_down
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import hall, pair

MOVES: Final = 400
"""Number of moves. About half of them are made by command, the others by click."""

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""

_MILLISECOND: Final = 1e-3
_MATCH: Final = MatchId(1)
_READ: Final = endpoints._read  # pyright: ignore[reportPrivateUsage]


def measure() -> list[Row]:
    """Return the answers' figures.

    An answer is compared with an empty command, and with the sum of an empty command, one commit and one picture.
    """
    with tempfile.TemporaryDirectory() as folder, patch.object(alive_in, "Client", _WithEmptyCommand):
        return asyncio.run(_measured(Path(folder)))


class _WithEmptyCommand(Client):
    async def setup_hook(self) -> None:
        @self.tree.command(description="Answer with a word")
        async def empty(interaction: Received) -> None:  # pyright: ignore[reportUnusedFunction]
            await Answer.to(interaction).reply(note("pong"))

        await super().setup_hook()


class _BareFile:
    """A database file with one row and the bot's durability settings, which is written through the driver only."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._number = 0

    async def set_up(self) -> None:
        """Create the row."""
        for query in (
            "PRAGMA journal_mode=WAL",
            "PRAGMA synchronous=FULL",
            "CREATE TABLE move (id INTEGER PRIMARY KEY, text TEXT) STRICT",
            "INSERT INTO move VALUES (1, '')",
        ):
            await self._connection.execute(query)

    async def commit(self) -> None:
        """Change the row."""
        self._number += 1
        await self._connection.execute("BEGIN IMMEDIATE")
        await self._connection.execute("UPDATE move SET text = ? WHERE id = 1", (f"{self._number} draw",))
        await self._connection.execute("COMMIT")


class _Bench:
    """Two players at a table, and their measurements in seconds, statements, commits and bytes."""

    def __init__(self, alive: Living, players: list[Player], bare: _BareFile) -> None:
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.statements: defaultdict[str, list[int]] = defaultdict(list)
        self.commits: defaultdict[str, list[int]] = defaultdict(list)
        self.sizes: defaultdict[str, list[int]] = defaultdict(list)
        self._alive = alive
        self._bare = bare
        self._players = {player.person.id: player for player in players}
        self._random = Random(1)
        self._received: dict[int, float] = {}
        self._executed = 0
        self._committed = 0
        self._sent = 0

    def noting_arrival(self, read: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Wrap a request reader to record the arrival time of an interaction's callback before it is read."""

        async def noted(request: web.Request) -> Any:
            if (interaction_id := request.match_info.get("interaction_id")) is not None:
                self._received[int(interaction_id)] = perf_counter()
            return await read(request)

        return noted

    def executed(self, connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        """Count a statement."""
        self._executed += 1
        connection.info["writes"] = connection.info.get("writes", False) or not statement.startswith("SELECT")

    def committed(self, connection: Connection) -> None:
        """Count a commit, unless nothing was written."""
        self._committed += connection.info.pop("writes", False)

    def requested(self, request: Request) -> None:
        """Count the bytes of a request."""
        self._sent += len(json.dumps(request.payload)) + sum(len(upload.content) for upload in request.files)

    async def move(self) -> None:
        """Measure the next move of the match, and then its parts."""
        await self._alive.idle()
        hand = await self._hand_to_act()
        player, move = self._players[hand.match.players[hand.view.seat].id or 0], self._choose(hand)
        way = "click" if player.by_dm else "command"
        if way == "command":
            card = {} if move.card is None else {"card": move.card.text}
            await self._answer(way, lambda: player.person.slash(f"gin {_COMMANDS[move.verb]}", player.channel, **card))
        else:
            await self._answer(way, lambda: _click(player, move))
        await self._answer("empty", lambda: player.person.slash("empty", player.channel))
        after = await self._alive.app.lookup.hand(PersonId(player.person.id), _MATCH)
        await self._alone("picture", lambda: self._alive.client.pictures.hand(after))
        await self._alone("commit", self._bare.commit)

    async def _answer(self, name: str, act: Callable[[], Awaitable[Interaction]]) -> None:
        """Measure one answer, and everything that is written and sent until the bot is idle."""
        self._executed = self._committed = self._sent = 0
        begun = perf_counter()
        made = await act()
        await made.answer()
        self.statements[name].append(self._executed)
        self.seconds[name].append(self._received[made.id] - begun)
        await self._alive.idle()
        self.commits[name].append(self._committed)
        self.sizes[name].append(self._sent)

    async def _alone(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Measure one part of an answer alone."""
        begun = perf_counter()
        await work()
        self.seconds[name].append(perf_counter() - begun)

    async def _hand_to_act(self) -> OwnHand:
        table = await self._alive.app.lookup.table(_MATCH)
        assert table.view.turn is not None
        person_id = table.match.players[table.view.turn].id
        assert person_id is not None
        return await self._alive.app.lookup.hand(person_id, _MATCH)

    def _choose(self, hand: OwnHand) -> Move:
        """Return a random move that does not end the deal."""
        return self._random.choice([move for move in hand.view.moves if move.verb is not Verb.KNOCK])


_COMMANDS: Final = {Verb.PASS: "pass", Verb.TAKE: "take", Verb.DRAW: "draw", Verb.DISCARD: "discard"}
_ACTIONS: Final = {
    Verb.PASS: Action.PASS,
    Verb.TAKE: Action.TAKE,
    Verb.DRAW: Action.DRAW,
    Verb.DISCARD: Action.DISCARD,
}


async def _click(player: Player, move: Move) -> Interaction:
    """Click the button for a move in the player's direct message."""
    assert player.panel is not None
    pressed = find_button(player.panel, _ACTIONS[move.verb], None if move.card is None else move.card.text)
    assert pressed is not None
    return await player.person.press(player.panel, pressed)


async def _measured(folder: Path) -> list[Row]:
    shuffler, url = SeededShuffler("answers", generous=0), f"sqlite:///{folder / 'deadwood.db'}"
    async with (
        sandbox_of(hall(1)) as sandbox,
        bot_on(sandbox, url, shuffler=shuffler) as alive,
        aiosqlite.connect(folder / "bare.db", isolation_level=None) as connection,
    ):
        # The sandbox's own checks would add to the answer times.
        sandbox.journal.observers.clear()
        bare = _BareFile(connection)
        await bare.set_up()
        table = sandbox.channel("table-1")
        players = [Player(sandbox, name, table, 1, by_dm=not place) for place, name in enumerate(pair(1))]
        await sit_down(sandbox, players[0], players[1], target=10_000)
        bench = _Bench(alive, players, bare)
        sandbox.journal.observers.append(bench.requested)
        event.listen(Engine, "before_cursor_execute", bench.executed)
        event.listen(Engine, "commit", bench.committed)
        try:
            with patch.object(endpoints, "_read", bench.noting_arrival(_READ)):
                for _ in range(MOVES):
                    await bench.move()
        finally:
            event.remove(Engine, "before_cursor_execute", bench.executed)
            event.remove(Engine, "commit", bench.committed)
        return _rows(bench)


def _rows(bench: _Bench) -> list[Row]:
    middle = {name: median(seconds) / _MILLISECOND for name, seconds in bench.seconds.items()}
    slow = {name: quantiles(seconds, n=100)[-1] / _MILLISECOND for name, seconds in bench.seconds.items()}
    parts = middle["empty"] + middle["commit"] + middle["picture"]
    rows: list[Row] = []
    for name, text in (("command", "a turn command"), ("click", "a click")):
        rows += [
            (f"answer to {text}, beside its parts", middle[name], parts, "ms"),
            (f"answer to {text}", middle[name], middle["empty"], "ms"),
            (f"answer to {text}, 99th of 100", slow[name], slow["empty"], "ms"),
            (f"statements before the answer to {text}", mean(bench.statements[name]), 1, "statements"),
            (f"commits for {text}, messages included", mean(bench.commits[name]), 1, "commits"),
            (f"bytes sent for {text}, messages included", mean(bench.sizes[name]), mean(bench.sizes["empty"]), "B"),
        ]
    return rows
