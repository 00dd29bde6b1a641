"""Computer players: retries and shutdown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from itertools import pairwise

import pytest

from bot.engine.moves import Move
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.play.application import Application
from bot.play.matches import computers
from bot.store.database import Database
from bot.values.matches import MatchStatus, OwnHand
from tests.helpers.clock import Clock
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import NORTH, SOUTH, Players, interaction
from tests.helpers.thinkers import Mind
from tests.helpers.waiting import eventually


class SlowMind(Mind):
    """A mind that records the time of each request and waits for `ready` before it moves."""

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
async def mind() -> SlowMind:
    return SlowMind()


@pytest.fixture
def app(database: Database, clock: Clock, mind: SlowMind) -> Application:
    """Build the application with seeded decks."""
    return Application(database, thinker=mind, shuffler=RiggedShuffler(seed=5), clock=clock)


async def until_a_computer_is_to_act(app: Application) -> OwnHand:
    """Let North practise until it is a computer's turn."""
    hand, _ = await app.practice.start(NORTH, None, interaction(), level=Level.NOVICE)
    while hand.view.to_act:
        moves = [move for move in hand.view.moves if move.verb != "k"]
        hand = await app.turns.move(NORTH.id, hand.match.id, moves[0], interaction())
    assert hand.awaits_computer
    return hand


@asynccontextmanager
async def running(app: Application) -> AsyncGenerator[None]:
    """Run the computers until the block ends."""
    task = asyncio.create_task(app.computers.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_who_waits_for_a_computer_is_answered_when_they_stop(
    app: Application, mind: SlowMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the computers stop, a waiting answer returns the unchanged hand."""
    monkeypatch.setattr(computers, "SETTLES_WITHIN", 600)
    hand = await until_a_computer_is_to_act(app)
    async with running(app):
        answer = asyncio.create_task(app.computers.answer(NORTH.id, hand))
        await eventually(lambda: len(mind.asked) == 1)
    assert await asyncio.wait_for(answer, 60) is hand


async def test_computers_that_stopped_begin_nothing_more(app: Application, mind: SlowMind) -> None:
    """Computers start no move after they stopped."""
    async with running(app):
        await asyncio.sleep(0)
    hand = await until_a_computer_is_to_act(app)
    assert await app.computers.answer(NORTH.id, hand) is hand
    assert not mind.asked


async def test_an_answer_after_the_last_move_leads_to_the_next_match(app: Application, mind: SlowMind) -> None:
    """After a computer's last move, the hand has the number of other matches waiting for the player."""
    mind.ready.set()
    other = await Players(app, (NORTH, SOUTH)).begin("classic")
    hand, _ = await app.practice.start(NORTH, None, interaction(), level=Level.NOVICE, target=10)
    async with running(app):
        while hand.match.status is MatchStatus.RUNNING:
            moves = [move for move in hand.view.moves if move.verb not in ("k", "g")]
            moved = await app.turns.move(NORTH.id, hand.match.id, moves[0], interaction())
            hand = await app.computers.answer(NORTH.id, moved)
    assert (await app.lookup.table(other.id, 1)).view.turn == other.seat_of(NORTH.id)
    assert hand.waiting_elsewhere == 1


@pytest.mark.thorough
async def test_computers_that_cannot_think_try_less_and_less_often(
    app: Application, mind: SlowMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pause between failed attempts doubles, even if the match is looked at, until the computer moves."""
    monkeypatch.setattr(computers, "TRIED_AGAIN_AFTER", 0.02)
    monkeypatch.setattr(computers, "LOOKS_EVERY", 0.01)
    hand = await until_a_computer_is_to_act(app)
    mind.fails = True
    async with running(app):
        await eventually(lambda: len(mind.asked) >= 6)
        # The second attempt may come early, because the move before it requested one.
        for number, (one, other) in enumerate(pairwise(mind.asked[1:])):
            assert other - one >= 0.02 * 2**number
        mind.fails = False
        mind.ready.set()
        await eventually(lambda: mind.moves > 0 and app.computers.idle)
    assert not (await app.lookup.hand(NORTH.id, hand.match.id)).awaits_computer


@pytest.mark.thorough
async def test_no_pause_is_longer_than_some_minutes(
    app: Application, mind: SlowMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pauses stop doubling at `LONGEST_PAUSE`."""
    monkeypatch.setattr(computers, "TRIED_AGAIN_AFTER", 0.01)
    monkeypatch.setattr(computers, "LONGEST_PAUSE", 0.02)
    await until_a_computer_is_to_act(app)
    mind.fails = True
    async with running(app):
        # Without the maximum this would take five minutes.
        await eventually(lambda: len(mind.asked) >= 16)


@pytest.mark.thorough
async def test_looking_at_a_match_changes_no_pause(
    app: Application, mind: SlowMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening a hand tries immediately and does not change the next pauses."""
    monkeypatch.setattr(computers, "TRIED_AGAIN_AFTER", 0.3)
    hand = await until_a_computer_is_to_act(app)
    mind.fails = True
    async with running(app):
        await eventually(lambda: len(mind.asked) >= 1)
        for _ in range(5):
            assert await app.computers.answer(NORTH.id, hand) is hand
        looked = len(mind.asked)
        assert looked >= 5
        await eventually(lambda: len(mind.asked) >= looked + 2)
        assert mind.asked[looked + 1] - mind.asked[looked] >= 2 * 0.3
