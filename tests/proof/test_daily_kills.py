"""`kill -9` of the bot while people play the deal of the day, and while it is closed. The kills are simulated."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from bot.model.ids import MatchId, PersonId
from bot.sandbox import Message, Person
from cogs.actions import Action
from tests.helpers.clock import Clock
from tests.helpers.components import find_button, has_button
from tests.helpers.players import Player
from tests.helpers.thinkers import use_local_thinker
from tests.helpers.waiting import MAX_WAIT
from tests.helpers.worlds import hall, pair
from tests.proof.deaths import BotRun, BotRuns, prepare_runs
from tests.proof.histories import Witness
from tests.proof.mortal import AFTER_COMMIT, POINTS
from tests.proof.test_leaks import seeded_chains

SEED: Final = "daily kills"
NEVER_REACHED: Final = ("before a replaced message is deleted", "after a message is deleted")
"""The kill points that a try does not reach: its hand stays in one message."""
KILLS: Final = [
    *((AFTER_COMMIT, count) for count in range(1, 7)),
    *((fate, 1) for fate in POINTS if fate not in NEVER_REACHED),
    *((fate, 2) for fate in ("before commit", "after the answer", "while outcomes are recorded")),
]
NOT_NIGHTLY: Final = [(AFTER_COMMIT, 1), (AFTER_COMMIT, 2), ("before commit", 2), ("while outcomes are recorded", 1)]


@pytest.fixture(autouse=True)
def immediate_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have computers answer immediately, even if the machine is busy."""
    use_local_thinker(monkeypatch)


class DailyPlayer:
    """A person who begins and plays the deal of the day, with whatever message shows it."""

    def __init__(self, lives: BotRuns) -> None:
        self._channel = lives.sandbox.channel("table-1")
        self._sandbox = lives.sandbox
        self.player = Player(lives.sandbox, pair(1)[0], self._channel, SEED)

    @property
    def person(self) -> Person:
        return self.player.person

    async def play(self, life: BotRun) -> Message | None:
        """Play until the deal is over. Return the message with the result; None if the bot was killed before."""
        playing, killed = asyncio.create_task(self._play()), asyncio.create_task(life.killed.wait())
        try:
            await asyncio.wait({playing, killed}, timeout=MAX_WAIT, return_when=asyncio.FIRST_COMPLETED)
            return None if life.killed.is_set() else playing.result()
        finally:
            # After a kill, a press is not answered before the end of the bot's run.
            playing.cancel()
            killed.cancel()
            await asyncio.gather(playing, killed, return_exceptions=True)

    async def _play(self) -> Message:
        await self._sandbox.until(lambda: self.person.commands(self._channel))
        while True:
            made = await (await self.person.slash("gin daily", self._channel)).done()
            if has_button(made.message, Action.SHARE_DAILY):
                return made.message
            if begin := find_button(made.message, Action.START_DAILY):
                await (await self.person.press(made.message, begin)).done()
            await self._wait_for_turn()
            while self.player.has_turn:
                await self.player.act()
                await self._wait_for_turn()

    async def _wait_for_turn(self) -> None:
        """Wait until the person can move, or the deal is over."""
        await self._sandbox.until(lambda: self.player.has_turn or self._has_result())

    def _has_result(self) -> bool:
        return any(has_button(message, Action.SHARE_DAILY) for message in self.person.direct_messages())


async def play_through(folder: Path, fate: str, count: int) -> None:
    """Kill the bot once during a try, play on after the restart, and check the log, the try and its result."""
    clock = Clock()
    with seeded_chains(SEED):
        async with prepare_runs(folder, hall(1), clock) as lives:
            player, witness = DailyPlayer(lives), Witness()
            lives.sandbox.interactions.observers.append(witness)
            async with lives.run() as life:
                with life.killed_at(fate, count):
                    assert await player.play(life) is None
            async with lives.run() as life:
                assert await player.play(life) is not None
                await life.alive.idle()
                ((match_id, *result),) = lives.database.rows("SELECT match_id, points, turns FROM daily_try")
                hand = await life.alive.app.lookup.hand(PersonId(player.person.id), MatchId(match_id))
            assert hand.daily_score is not None
            assert result == [hand.daily_score.points, hand.daily_score.turns]
            assert lives.database.rows("SELECT count(*) FROM match") == [(1,)]
            assert lives.database.rows("SELECT count(*) FROM daily_entry") == [(1,)]
            _check_moves(lives, player.player, witness)
            results = [
                message for message in player.person.direct_messages() if has_button(message, Action.SHARE_DAILY)
            ]
            assert len(results) == 1


def _check_moves(lives: BotRuns, player: Player, witness: Witness) -> None:
    """Check that each press that was answered is in the log once, and each press without an answer at most once."""
    logged = Counter(
        interaction_id
        for (interaction_id,) in lives.database.rows(
            "SELECT interaction_id FROM action WHERE interaction_id IS NOT NULL AND text LIKE '0 %'"
        )
    )
    for made in player.interactions:
        answer, times = witness.answers.get(made.id), logged.pop(made.id, 0)
        assert times == int(not answer.refused) if answer is not None else times <= 1, made
    assert not logged


@pytest.mark.thorough
@pytest.mark.parametrize(("fate", "count"), NOT_NIGHTLY)
async def test_a_try_survives_a_kill(tmp_path: Path, fate: str, count: int) -> None:
    """If the bot is killed during a try, the try goes on where it was, and has one result."""
    await play_through(tmp_path, fate, count)


@pytest.mark.nightly
@pytest.mark.both_databases
@pytest.mark.parametrize(("fate", "count"), [kill for kill in KILLS if kill not in NOT_NIGHTLY])
async def test_a_try_survives_a_kill_at_any_moment(tmp_path: Path, fate: str, count: int) -> None:
    """If the bot is killed at any point of a try, the try goes on where it was, and has one result."""
    await play_through(tmp_path, fate, count)
