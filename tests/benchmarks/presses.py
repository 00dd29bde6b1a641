"""Benchmark of the presses that a turn takes with *Draw for me*, beside the two that it takes otherwise.

Two simulated players play whole matches. They choose their moves as the casual computer does. Passes of the upcard are
not counted, and neither is the press that continues after a deal.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Final

from bot.engine.deals.moves import Verb
from bot.engine.matches.match import Play
from bot.engine.records.record import parse_actions
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus
from bot.opponent.play.levels import Level
from bot.opponent.play.position import Position
from bot.play.application import Application
from bot.store import matches
from bot.store.database import Database
from bot.store.opening import open_database
from tests.benchmarks.store import Row
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.table import NORTH, SOUTH, Players, interaction, prefer
from tests.helpers.thinkers import LocalThinker

MATCHES: Final = 20
RULES: Final = "classic target=50"
_BEGIN: Final = (Verb.DRAW, Verb.TAKE)


def measure() -> list[Row]:
    """Play the same matches with and without the preference."""
    with tempfile.TemporaryDirectory() as folder:
        with_orders, without = (
            asyncio.run(_presses_per_turn(Path(folder) / f"{draws}.db", draws=draws)) for draws in (True, False)
        )
    return [("presses of a turn with Draw for me, beside without", with_orders, without, "presses")]


async def _presses_per_turn(path: Path, *, draws: bool) -> float:
    database = await open_database(f"sqlite:///{path}")
    presses = turns = 0
    try:
        app = Application(database, shuffler=SeededShuffler("presses", generous=0))
        for person in (NORTH, SOUTH):
            await prefer(app, person, draws_for_me=draws)
        for _ in range(MATCHES):
            players = Players(app)
            match = await players.begin(RULES)
            presses += await _play(app, players, match.id)
            turns += await _turns(database, match.id)
    finally:
        await database.close()
    return presses / turns


async def _play(app: Application, players: Players, match_id: MatchId) -> int:
    """Play a match to its end, and return the number of presses."""
    thinker, presses = LocalThinker(), 0
    while (await app.lookup.info(match_id)).status is MatchStatus.RUNNING:
        mover = await players.to_act(match_id)
        view = (await app.lookup.hand(mover.id, match_id)).view
        move = await thinker.move(Position.of(view), Level.CASUAL, thinker.moves)
        await app.turns.move(mover.id, match_id, move, interaction())
        presses += move.verb is not Verb.PASS
    return presses


async def _turns(database: Database, match_id: MatchId) -> int:
    """Return the number of turns in which a card was drawn or taken."""
    async with database.read() as transaction:
        actions = parse_actions("\n".join(await matches.actions(transaction, match_id)))
    return sum(isinstance(action, Play) and action.move.verb in _BEGIN for action in actions)
