"""Computer players retry failed moves with growing pauses, and stop cleanly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from itertools import pairwise

import pytest

from bot.engine.deals.moves import Move
from bot.model.matches import MatchStatus, OwnHand
from bot.opponent.play.levels import Level
from bot.opponent.play.position import Position
from bot.play.application import Application
from bot.play.matches import computers
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import NORTH, SOUTH, Players, interaction
from tests.helpers.thinkers import LocalThinker
from tests.helpers.waiting import eventually


class SlowThinker(LocalThinker):
    """A thinker that records the time of each request, and waits for `ready` before it returns a move."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = list[float]()
        self.ready = asyncio.Event()

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        self.asked.append(asyncio.get_running_loop().time())
        if not self.fails:
            await self.ready.wait()
        return await super().move(position, level, seed)


@pytest.fixture
async def mind() -> SlowThinker:
    return SlowThinker()


@pytest.fixture
def app(database: Database, clock: Clock, mind: SlowThinker) -> Application:
    """Build the application with seeded decks."""
    return Application(database, thinker=mind, shuffler=RiggedShuffler(seed=5), clock=clock)


async def play_until_computers_turn(app: Application) -> OwnHand:
    """Start a practice match for North, and play until it is a computer's turn. Return North's hand."""
    hand, _ = await app.practice.start(NORTH, None, interaction(), level=Level.NOVICE)
    while hand.view.is_to_act:
        moves = [move for move in hand.view.moves if move.verb != "k"]
        hand = await app.turns.move(NORTH.id, hand.match.id, moves[0], interaction())
    assert hand.awaits_computer
    return hand


@asynccontextmanager
async def computers_running(app: Application) -> AsyncGenerator[None]:
    """Run the computer players until the block ends."""
    task = asyncio.create_task(app.computers.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_waiting_answers_end_when_computers_stop(
    app: Application, mind: SlowThinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the computer players stop while `answer` waits for a move, `answer` returns the unchanged hand."""
    monkeypatch.setattr(computers, "ANSWER_WAIT", 600)
    hand = await play_until_computers_turn(app)
    async with computers_running(app):
        answer = asyncio.create_task(app.computers.answer(NORTH.id, hand))
        await eventually(lambda: len(mind.asked) == 1)
    assert await asyncio.wait_for(answer, 60) is hand


async def test_stopped_computers_make_no_move(app: Application, mind: SlowThinker) -> None:
    """After the computer players have stopped, they do not start another move."""
    async with computers_running(app):
        await asyncio.sleep(0)
    hand = await play_until_computers_turn(app)
    assert await app.computers.answer(NORTH.id, hand) is hand
    assert not mind.asked


async def test_the_last_hand_counts_other_waiting_matches(app: Application, mind: SlowThinker) -> None:
    """If a computer's move ends the match, the player's hand shows in how many other matches it is their turn."""
    mind.ready.set()
    other = await Players(app, (NORTH, SOUTH)).begin("classic")
    hand, _ = await app.practice.start(NORTH, None, interaction(), level=Level.NOVICE, target=10)
    async with computers_running(app):
        while hand.match.status is MatchStatus.RUNNING:
            moves = [move for move in hand.view.moves if move.verb not in ("k", "g")]
            moved = await app.turns.move(NORTH.id, hand.match.id, moves[0], interaction())
            hand = await app.computers.answer(NORTH.id, moved)
    assert (await app.lookup.table(other.id, 1)).view.turn == other.seat_of(NORTH.id)
    assert hand.other_turns == 1


@pytest.mark.nightly
async def test_pauses_between_failed_attempts_double(
    app: Application, mind: SlowThinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pause between attempts at a computer's move doubles after each failure."""
    monkeypatch.setattr(computers, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(computers, "SEARCH_INTERVAL", 0.01)
    hand = await play_until_computers_turn(app)
    mind.fails = True
    async with computers_running(app):
        await eventually(lambda: len(mind.asked) >= 6)
        # The first pause can be shorter, because the player's move also triggers an attempt.
        for number, (earlier, later) in enumerate(pairwise(mind.asked[1:])):
            assert later - earlier >= 0.02 * 2**number
        mind.fails = False
        mind.ready.set()
        await eventually(lambda: mind.moves > 0 and app.computers.is_idle)
    assert not (await app.lookup.hand(NORTH.id, hand.match.id)).awaits_computer


@pytest.mark.thorough
async def test_pauses_are_limited(app: Application, mind: SlowThinker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between failed attempts stop doubling at `MAX_PAUSE`."""
    monkeypatch.setattr(computers, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(computers, "MAX_PAUSE", 0.02)
    await play_until_computers_turn(app)
    mind.fails = True
    async with computers_running(app):
        # Without the maximum pause this would take five minutes.
        await eventually(lambda: len(mind.asked) >= 16)


@pytest.mark.thorough
async def test_opening_a_hand_does_not_change_the_pauses(
    app: Application, mind: SlowThinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a player opens their hand, a computer's failed move is retried immediately.

    The pauses between the automatic retries do not change.
    """
    monkeypatch.setattr(computers, "FIRST_PAUSE", 0.3)
    hand = await play_until_computers_turn(app)
    mind.fails = True
    async with computers_running(app):
        await eventually(lambda: len(mind.asked) >= 1)
        for _ in range(5):
            assert await app.computers.answer(NORTH.id, hand) is hand
        attempts = len(mind.asked)
        assert attempts >= 5
        await eventually(lambda: len(mind.asked) >= attempts + 2)
        assert mind.asked[attempts + 1] - mind.asked[attempts] >= 2 * 0.3
