"""The work of a move: its transactions, statements and calls of the database's thread, and the code that it passes.

The bot runs in this process, so that its calls can be counted. The times of answers are in `answers`.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from statistics import mean
from types import FrameType
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy import Engine, event

from bot.engine.deals.moves import Verb
from bot.model.guilds import MatchHome
from bot.model.ids import MatchId, PersonId
from bot.store.aiosqlite_internals import ThreadConnection
from bot.store.database import Database, Lane
from bot.store.sqlite_connections import Writer
from bot.store.transaction import Transaction, Write
from cogs.actions import Action
from tests.cogs.scenes import person_of
from tests.helpers.components import find_button
from tests.helpers.living import bot_on, sandbox_of
from tests.helpers.players import Player, challenge_and_accept, newest_message_with, press
from tests.helpers.processes import ROOT
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.table import prefer
from tests.helpers.worlds import hall, pair

MOVES: Final = 24

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""

_MATCH: Final = MatchId(1)
_ACTIONS: Final = {Verb.PASS: Action.PASS, Verb.TAKE: Action.TAKE, Verb.DRAW: Action.DRAW, Verb.DISCARD: Action.DISCARD}


class _Counts:
    """Counts for one press of a button."""

    def __init__(self) -> None:
        self.reads = self.writes = self.statements = self.calls = self.layer_changes = 0
        self.files = set[str]()
        self._layer = ""

    def note_call(self, frame: FrameType, kind: str, _: object) -> None:
        """Note the file of a called function, and whether it belongs to another layer than the previous one."""
        if kind != "call":
            return
        file = frame.f_code.co_filename
        if not file.startswith(_FOLDERS):
            return
        self.files.add(file)
        layer = "/".join(Path(file).relative_to(ROOT).parts[:2])
        self.layer_changes += layer != self._layer
        self._layer = layer


_FOLDERS: Final = tuple(f"{ROOT / name}/" for name in ("bot", "cogs", "cardart"))


def measure() -> list[Row]:
    """Count the work of *Accept*, and of moves by clicks, until the bot is idle."""
    with tempfile.TemporaryDirectory() as folder:
        accepting = asyncio.run(_accept(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        counts = asyncio.run(_measure(Path(folder)))
    return [
        ("reads of Accept", accepting.reads, 1, "transactions"),
        ("writes of Accept", accepting.writes, 1, "transactions"),
        ("transactions of a move", mean(count.reads + count.writes for count in counts), 1, "transactions"),
        ("statements of a move", mean(count.statements for count in counts), 1, "statements"),
        ("calls of the database's thread for a move", mean(count.calls for count in counts), 1, "calls"),
        ("files that a move passes", mean(len(count.files) for count in counts), 1, "files"),
        ("changes of layer during a move", mean(count.layer_changes for count in counts), 1, "changes"),
    ]


async def _accept(folder: Path) -> _Counts:
    """Count the work when a person whom the bot knows accepts a challenge whose match gets a thread of its own."""
    counts, url, home = _Counts(), f"sqlite:///{folder / 'deadwood.db'}", MatchHome.THREAD
    async with sandbox_of(hall(1)) as sandbox, bot_on(sandbox, url, match_home=home) as alive:
        table = sandbox.channel("table-1")
        first, second = (Player(sandbox, name, table, 1) for name in pair(1))
        await sandbox.until(lambda: first.person.commands(table))
        for counted in (_Counts(), counts):
            await (await first.person.slash("gin challenge", table, opponent=second.person)).answer()
            await alive.idle()
            invitation = newest_message_with(second, Action.ACCEPT)
            assert invitation is not None
            with _counting(counted):
                await press(second.person, invitation, Action.ACCEPT)
                await alive.idle()
    return counts


async def _measure(folder: Path) -> list[_Counts]:
    shuffler, url = SeededShuffler("answers", generous=0), f"sqlite:///{folder / 'deadwood.db'}"
    async with sandbox_of(hall(1)) as sandbox, bot_on(sandbox, url, shuffler=shuffler) as alive:
        table = sandbox.channel("table-1")
        players = [Player(sandbox, name, table, 1, by_dm=not place) for place, name in enumerate(pair(1))]
        await challenge_and_accept(sandbox, players[0], players[1], target=10_000)
        for player in players:
            await prefer(alive.app, person_of(player.person), confirmations=False)
        choose, found = Random(1).choice, list[_Counts]()
        for _ in range(MOVES):
            await alive.idle()
            view = (await alive.app.lookup.table(_MATCH)).view
            assert view.turn is not None
            player = players[view.turn]
            hand = await alive.app.lookup.hand(PersonId(player.person.id), _MATCH)
            move = choose([move for move in hand.view.moves if move.verb is not Verb.KNOCK])
            panel = player.panel
            if panel is None:
                continue
            button = find_button(panel, _ACTIONS[move.verb], None if move.card is None else move.card.text)
            assert button is not None
            counts = _Counts()
            with _counting(counts):
                await (await player.person.press(panel, button)).answer()
                await alive.idle()
            found.append(counts)
        return found


@contextmanager
def _counting(counts: _Counts) -> Generator[None]:
    """Count during the block."""
    run, run_all, write, read = ThreadConnection.run, Writer.run_all, Database.write, Database.read

    def counted_run(driver: ThreadConnection, function: Callable[[], Any]) -> Awaitable[Any]:
        counts.calls += 1
        return run(driver, function)

    async def counted_run_all(
        driver: Writer, writes: Sequence[Write], reads: Any = (), *, commits: bool = False
    ) -> Any:
        counts.statements += len(writes) + len(reads)
        return await run_all(driver, writes, reads, commits=commits)

    @asynccontextmanager
    async def counted_write(database: Database) -> AsyncGenerator[Transaction]:
        counts.writes += 1
        async with write(database) as transaction:
            yield transaction

    @asynccontextmanager
    async def counted_read(database: Database, lane: Lane = Lane.PLAY) -> AsyncGenerator[Transaction]:
        counts.reads += 1
        async with read(database, lane) as transaction:
            yield transaction

    def count_statement(*_: object) -> None:
        counts.statements += 1

    event.listen(Engine, "before_cursor_execute", count_statement)
    with (
        patch.object(ThreadConnection, "run", counted_run),
        patch.object(Writer, "run_all", counted_run_all),
        patch.object(Database, "write", counted_write),
        patch.object(Database, "read", counted_read),
    ):
        sys.setprofile(counts.note_call)
        try:
            yield
        finally:
            sys.setprofile(None)
            event.remove(Engine, "before_cursor_execute", count_statement)
