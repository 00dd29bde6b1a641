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

from bot.connection.client import Client
from bot.engine.deals.moves import Move, Verb
from bot.model.ids import MatchId, PersonId
from bot.model.matches import OwnHand
from bot.sandbox import Interaction, Request
from bot.sandbox.server.http import endpoints
from cogs.actions import Action
from cogs.kit.answers import Answer
from cogs.kit.answers import Interaction as Received
from cogs.kit.layout import note
from tests.cogs.scenes import person_of
from tests.helpers import living as alive_in
from tests.helpers.components import find_button
from tests.helpers.living import RunningBot, bot_on, sandbox_of
from tests.helpers.players import Player, challenge_and_accept
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.table import prefer
from tests.helpers.worlds import hall, pair

MOVES: Final = 400
"""Number of moves. About half of them are made by command, the others by click."""

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""

_MILLISECOND: Final = 1e-3
_MATCH: Final = MatchId(1)
_READ: Final = endpoints._read_request  # pyright: ignore[reportPrivateUsage]


def measure() -> list[Row]:
    """Measure the answers to commands and clicks.

    The time of an answer is compared with two references: the time of an empty command, and the total time of an empty
    command, a commit and a picture.
    """
    with tempfile.TemporaryDirectory() as folder, patch.object(alive_in, "Client", _WithEmptyCommand):
        return asyncio.run(_measure(Path(folder)))


class _WithEmptyCommand(Client):
    async def setup_hook(self) -> None:
        @self.tree.command(description="Answer with a word")
        async def empty(interaction: Received) -> None:  # pyright: ignore[reportUnusedFunction]
            await Answer.to(interaction).reply(note("pong"))

        await super().setup_hook()


class _MinimalDatabase:
    """A database file with one row and the bot's durability settings, accessed directly through the driver."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._number = 0

    async def set_up(self) -> None:
        """Apply the durability settings, and create a table with one row."""
        for query in (
            "PRAGMA journal_mode=WAL",
            "PRAGMA synchronous=FULL",
            "CREATE TABLE move (id INTEGER PRIMARY KEY, text TEXT) STRICT",
            "INSERT INTO move VALUES (1, '')",
        ):
            await self._connection.execute(query)

    async def commit(self) -> None:
        """Commit a change of the only row."""
        self._number += 1
        await self._connection.execute("BEGIN IMMEDIATE")
        await self._connection.execute("UPDATE move SET text = ? WHERE id = 1", (f"{self._number} draw",))
        await self._connection.execute("COMMIT")


class _Bench:
    """Makes the moves of two players, and records the seconds, statements, commits and bytes of each."""

    def __init__(self, alive: RunningBot, players: list[Player], bare: _MinimalDatabase) -> None:
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.statements: defaultdict[str, list[int]] = defaultdict(list)
        self.commits: defaultdict[str, list[int]] = defaultdict(list)
        self.sizes: defaultdict[str, list[int]] = defaultdict(list)
        self._living = alive
        self._bare = bare
        self._players = {player.person.id: player for player in players}
        self._random = Random(1)
        self._received: dict[int, float] = {}
        self._statement_count = 0
        self._commit_count = 0
        self._bytes_sent = 0

    def recording_arrival(self, read: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Wrap a request reader so that it first records the arrival time of an interaction's callback."""

        async def noted(request: web.Request) -> Any:
            if (interaction_id := request.match_info.get("interaction_id")) is not None:
                self._received[int(interaction_id)] = perf_counter()
            return await read(request)

        return noted

    def count_statement(self, connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        """Count a statement, and remember whether it writes."""
        self._statement_count += 1
        connection.info["writes"] = connection.info.get("writes", False) or not statement.startswith("SELECT")

    def count_commit(self, connection: Connection) -> None:
        """Count a commit, unless nothing was written."""
        self._commit_count += connection.info.pop("writes", False)

    def count_bytes(self, request: Request) -> None:
        """Count the bytes of a request."""
        self._bytes_sent += len(json.dumps(request.payload)) + sum(len(upload.content) for upload in request.files)

    async def move(self) -> None:
        """Measure the next move of the match, and then its parts."""
        await self._living.idle()
        hand = await self._hand_to_act()
        player, move = self._players[hand.match.players[hand.view.seat].id or 0], self._choose(hand)
        if player.by_dm and hand.unseen_deal is not None:
            # Continue after the showdown of a void deal.
            await player.act()
            await self._living.idle()
        way = "click" if player.by_dm else "command"
        if way == "command":
            card = {} if move.card is None else {"card": move.card.text}
            await self._measure_answer(
                way, lambda: player.person.slash(f"gin {_COMMANDS[move.verb]}", player.channel, **card)
            )
        else:
            await self._measure_answer(way, lambda: _click(player, move))
        await self._measure_answer("empty", lambda: player.person.slash("empty", player.channel))
        after = await self._living.app.lookup.hand(PersonId(player.person.id), _MATCH)
        await self._measure_part("picture", lambda: self._living.client.pictures.hand(after))
        await self._measure_part("commit", self._bare.commit)

    async def _measure_answer(self, name: str, act: Callable[[], Awaitable[Interaction]]) -> None:
        """Measure one answer. Count the commits and the bytes sent to Discord until the bot is idle."""
        self._statement_count = self._commit_count = self._bytes_sent = 0
        started_at = perf_counter()
        interaction = await act()
        await interaction.answer()
        self.statements[name].append(self._statement_count)
        self.seconds[name].append(self._received[interaction.id] - started_at)
        await self._living.idle()
        self.commits[name].append(self._commit_count)
        self.sizes[name].append(self._bytes_sent)

    async def _measure_part(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Measure the duration of one part of an answer."""
        started_at = perf_counter()
        await work()
        self.seconds[name].append(perf_counter() - started_at)

    async def _hand_to_act(self) -> OwnHand:
        table = await self._living.app.lookup.table(_MATCH)
        assert table.view.turn is not None
        person_id = table.match.players[table.view.turn].id
        assert person_id is not None
        return await self._living.app.lookup.hand(person_id, _MATCH)

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


async def _measure(folder: Path) -> list[Row]:
    shuffler, url = SeededShuffler("answers", generous=0), f"sqlite:///{folder / 'deadwood.db'}"
    async with (
        sandbox_of(hall(1)) as sandbox,
        bot_on(sandbox, url, shuffler=shuffler) as alive,
        aiosqlite.connect(folder / "bare.db", isolation_level=None) as connection,
    ):
        # Disable the sandbox's own checks, which would add to the answer times.
        sandbox.journal.observers.clear()
        bare = _MinimalDatabase(connection)
        await bare.set_up()
        table = sandbox.channel("table-1")
        players = [Player(sandbox, name, table, 1, by_dm=not place) for place, name in enumerate(pair(1))]
        await challenge_and_accept(sandbox, players[0], players[1], target=10_000)
        for player in players:
            # Random discards break melds, and a question about one would be no move.
            await prefer(alive.app, person_of(player.person), confirmations=False)
        bench = _Bench(alive, players, bare)
        sandbox.journal.observers.append(bench.count_bytes)
        event.listen(Engine, "before_cursor_execute", bench.count_statement)
        event.listen(Engine, "commit", bench.count_commit)
        try:
            with patch.object(endpoints, "_read_request", bench.recording_arrival(_READ)):
                for _ in range(MOVES):
                    await bench.move()
        finally:
            event.remove(Engine, "before_cursor_execute", bench.count_statement)
            event.remove(Engine, "commit", bench.count_commit)
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
