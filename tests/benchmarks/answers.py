"""How long people wait for an answer, in the sandbox, from the event sent to the callback received.

Moves are made by command, by click and by the service alone, in turn and in one match, each once all messages of the
one before are delivered; between them come an empty command and a picture. All medians are of the same run.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable
from itertools import count, cycle, islice
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy import Engine, event

from bot.client import Client
from bot.engine.moves import Move, Verb
from bot.sandbox import Interaction, InteractionRegistry, Request
from bot.values.matches import OwnHand
from cogs.kit.answers import Answer
from cogs.kit.answers import Interaction as Received
from cogs.panels.layout import note
from tests.helpers import living as alive_in
from tests.helpers.living import Living, living
from tests.helpers.players import Player, sit_down
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import hall, pair

MOVES: Final = 600
"""A third of them by each way of making them."""

Row = tuple[str, float, float, str]
"""A figure: its name, ours, the reference's, and the unit of both."""

_MILLISECOND: Final = 1e-3


def measure() -> list[Row]:
    """The answers' figures.

    A turn's answer stands beside the sum of an empty command, one commit and one picture; the rest beside what an empty
    command takes.
    """
    with tempfile.TemporaryDirectory() as folder, patch.object(alive_in, "Client", _WithEmptyCommand):
        return asyncio.run(_measured(Path(folder)))


class _WithEmptyCommand(Client):
    async def setup_hook(self) -> None:
        @self.tree.command(description="Answer with a word")
        async def empty(interaction: Received) -> None:  # pyright: ignore[reportUnusedFunction]
            await Answer.to(interaction).say(note("pong"))

        await super().setup_hook()


class _Bench:
    """Two players at one table, and what was measured of them, in seconds, statements and bytes."""

    def __init__(self, alive: Living, players: list[Player]) -> None:
        self.alive = alive
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.statements: defaultdict[str, list[int]] = defaultdict(list)
        self.sizes: defaultdict[str, list[int]] = defaultdict(list)
        self._players = {player.person.id: player for player in players}
        self._random = Random(1)
        self._received: dict[int, float] = {}
        self._ids = count(1)
        self._executed = 0
        self._sent = 0

    def received(self, await_: Callable[..., Interaction]) -> Callable[..., Interaction]:
        """Note when the callback of an interaction comes in, before the sandbox does anything with it."""

        def noted(interactions: InteractionRegistry, interaction_id: int, token: str) -> Interaction:
            self._received[interaction_id] = perf_counter()
            return await_(interactions, interaction_id, token)

        return noted

    def heard(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        """A statement is executed; the beginning of a transaction does not count."""
        self._executed += not statement.startswith("BEGIN")

    def requested(self, request: Request) -> None:
        """A request has come in."""
        sent = len(json.dumps(request.payload)) + sum(len(upload.content) for upload in request.files)
        self._sent += sent

    async def idle(self) -> None:
        """Wait until all messages are delivered and nothing goes on any more."""
        while await self.alive.app.outbox.next_due() is not None:
            await self.alive.sandbox.settled(0.005)
        await self.alive.sandbox.settled(0.005)

    async def answered(self, name: str, act: Callable[[], Awaitable[Interaction]]) -> None:
        """Measure one answer, and all the bytes that leave for it."""
        self._executed = self._sent = 0
        begun = perf_counter()
        made = await act()
        await made.answer()
        self.statements[name].append(self._executed)
        self.seconds[name].append(self._received[made.id] - begun)
        await self.idle()
        self.sizes[name].append(self._sent)

    async def alone(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Measure one part of an answer by itself."""
        self._executed = 0
        begun = perf_counter()
        await work()
        self.seconds[name].append(perf_counter() - begun)
        self.statements[name].append(self._executed)
        await self.idle()

    async def move(self, way: str) -> None:
        """Make the next move of the match in one of the ways."""
        turns, hand = self.alive.app.turns, await self._hand_to_act()
        player = self._players[hand.match.players[hand.view.seat].id or 0]
        person, move = player.person, self._chosen(hand)
        match way:
            case "commit":
                version = hand.match.version
                await self.alone(
                    way, lambda: turns.move(person.id, hand.match.id, move, next(self._ids), version=version)
                )
            case "command":
                card = {} if move.card is None else {"card": move.card.text}
                await self.answered(way, lambda: person.slash(f"gin {_COMMANDS[move.verb]}", player.channel, **card))
            case _:
                await self.answered(way, lambda: _clicked(player, move))

    async def other(self) -> None:
        """Measure an empty command and a picture."""
        player = next(iter(self._players.values()))
        await self.answered("empty", lambda: player.person.slash("empty", player.channel))
        hand = await self._hand_to_act()
        await self.alone("picture", lambda: self.alive.client.pictures.hand(hand))

    async def _hand_to_act(self) -> OwnHand:
        table = await self.alive.app.lookup.table(1)
        assert table.view.turn is not None
        return await self.alive.app.lookup.hand(table.match.players[table.view.turn].id or 0, table.match.id)

    def _chosen(self, hand: OwnHand) -> Move:
        """Any move that does not end the deal."""
        return self._random.choice([move for move in hand.view.moves if move.verb is not Verb.KNOCK])


_COMMANDS: Final = {Verb.PASS: "pass", Verb.TAKE: "take", Verb.DRAW: "draw", Verb.DISCARD: "discard"}
_LABELS: Final = {Verb.PASS: "Pass", Verb.TAKE: "Take", Verb.DRAW: "Draw"}


async def _clicked(player: Player, move: Move) -> Interaction:
    """Make a move in one's own direct message."""
    assert player.panel is not None
    if move.card is not None:
        return await player.person.choose(player.panel, "Discard …", move.card.text)
    labels = [button.label for button in player.panel.buttons]
    return await player.person.press(player.panel, next(one for one in labels if one.startswith(_LABELS[move.verb])))


async def _measured(folder: Path) -> list[Row]:
    shuffler = SeededShuffler("answers", generous=0)
    async with living(folder, world=hall(1), shuffler=shuffler) as alive:
        sandbox = alive.sandbox
        players = [Player(sandbox, name, sandbox.channel("table-1"), 1) for name in pair(1)]
        await sit_down(sandbox, players[0], players[1], target=10_000)
        bench = _Bench(alive, players)
        sandbox.journal.observers.append(bench.requested)
        event.listen(Engine, "before_cursor_execute", bench.heard)
        try:
            with patch.object(InteractionRegistry, "awaiting", bench.received(InteractionRegistry.find_pending)):
                for way in islice(cycle(("command", "click", "commit")), MOVES):
                    await bench.idle()
                    await bench.move(way)
                    await bench.other()
        finally:
            event.remove(Engine, "before_cursor_execute", bench.heard)
        return _rows(bench)


def _rows(bench: _Bench) -> list[Row]:
    middle = {name: median(seconds) / _MILLISECOND for name, seconds in bench.seconds.items()}
    slow = {name: quantiles(seconds, n=100)[-1] / _MILLISECOND for name, seconds in bench.seconds.items()}
    parts = middle["empty"] + middle["commit"] + middle["picture"]
    rows: list[Row] = []
    for name, words in (("command", "a turn command"), ("click", "a click")):
        rows += [
            (f"answer to {words}, beside its parts", middle[name], parts, "ms"),
            (f"answer to {words}", middle[name], middle["empty"], "ms"),
            (f"answer to {words}, 99th of 100", slow[name], slow["empty"], "ms"),
            (f"statements before the answer to {words}", *_means(bench.statements, name, "commit"), "statements"),
            (f"bytes sent for {words}, messages included", *_means(bench.sizes, name, "empty"), "B"),
        ]
    return rows


def _means(counts: dict[str, list[int]], *names: str) -> tuple[float, float]:
    ours, theirs = (mean(counts[name]) for name in names)
    return ours, theirs
