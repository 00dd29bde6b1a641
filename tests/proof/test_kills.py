"""`kill -9` amid play: at chosen points of the bot's work, at moments that Discord chooses, and at random ones."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Final

import pytest

from bot.sandbox import Request, Sandbox
from cogs.kit.actions import Action
from cogs.panels.layout import Accent
from tests.helpers.components import MOVES, accent_of, actions_of
from tests.helpers.databases import new_database
from tests.helpers.players import Player, play_out, press, sit_down
from tests.helpers.processes import ROOT, settings_for
from tests.helpers.worlds import hall, pair
from tests.proof.histories import Witness, nothing_due, tables, verify
from tests.proof.mortal import AFTER_COMMIT, ANSWERED_WITHIN, POINTS

SEED: Final = "kills"
TARGET: Final = 10

MOMENTS: Final = {
    "Discord has an answer": "POST /interactions/{interaction_id}/{token}/callback",
    "Discord has a post": "POST /channels/{channel_id}/messages",
    "Discord has an edit": "PATCH /channels/{channel_id}/messages/{message_id}",
    "Discord has deleted a message": "DELETE /channels/{channel_id}/messages/{message_id}",
}
"""When the sandbox kills: once it has applied such a request, and before the bot hears of it."""

RANDOM: Final = "random"
FATES: Final = (AFTER_COMMIT, *POINTS, *MOMENTS, RANDOM)

BY_DAY: Final = (AFTER_COMMIT, "after a post", "while outcomes are recorded", *list(MOMENTS)[:2], RANDOM)
"""Each kind of fate; all of them come at night."""

LONG: Final = 120.0
"""Seconds of play in which every fate comes, on the busiest machine."""

DEADLINE: Final = 3.0
"""Seconds within which Discord wants an answer."""


def in_random_order(fates: Sequence[str], lives: int, latest: int) -> list[tuple[str, int]]:
    """Return how lives end: at which point or moment, and at the how-manieth time it comes.

    Each fate befalls `lives` lives, at the `latest`-th time at most. A random one comes after some milliseconds.
    """
    random = Random(SEED)
    chosen = [
        (name, random.randint(50, 900) if name == RANDOM else random.randint(1, latest))
        for name in fates
        for _ in range(lives)
    ]
    random.shuffle(chosen)
    return chosen


class Bot:
    """The bot's process on one database, started again after each death."""

    def __init__(self, sandbox: Sandbox, database: Path, mother: asyncio.subprocess.Process) -> None:
        assert mother.stdin is not None
        assert mother.stdout is not None
        self.database = database
        self.deaths = Counter[str]()
        self.abandoned: set[int] = set()
        """The interactions that no bot lived to answer."""
        self._absence: asyncio.Task[None] | None = None
        self._sandbox = sandbox
        self._orders, self._reports = mother.stdin, mother.stdout

    @staticmethod
    @asynccontextmanager
    async def born(sandbox: Sandbox, directory: Path) -> AsyncGenerator[Bot]:
        """Start what the bot's lives come from, with a new database and the log in a directory."""
        database = directory / "deadwood.db"
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHONWARNINGS": "ignore",
            "DEADWOOD_DATABASE_URL": new_database(database),
        } | settings_for(sandbox)
        with (directory / "bot.log").open("wb") as log:
            mother = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tests.proof.mortal"),
                stdin=PIPE,
                stdout=PIPE,
                stderr=log,
                env=environment,
                cwd=directory,
            )
        bot = Bot(sandbox, database, mother)
        try:
            yield bot
        finally:
            bot._orders.close()
            if bot._absence is not None:
                bot._absence.cancel()
            await mother.wait()

    @asynccontextmanager
    async def life(self, fate: str = "", count: int = 0) -> AsyncGenerator[asyncio.Task[int]]:
        """Let the bot live until its fate or the end of the block. Yield the task that ends with it."""
        await self._sandbox.until(lambda: not self._sandbox.gateway.connected)
        if self._absence is not None:
            self._absence.cancel()
        self._orders.write(f"{fate}:{count}\n".encode() if fate == AFTER_COMMIT or fate in POINTS else b"\n")
        process = int(await self._reports.readline())
        death = asyncio.create_task(self._ended())
        left = count

        def kill(how: int = signal.SIGKILL) -> None:
            if not death.done():
                os.kill(process, how)

        def strike(request: Request) -> None:
            nonlocal left
            if f"{request.method} {request.route}" == MOMENTS.get(fate):
                left -= 1
                if left == 0:
                    kill()

        self._sandbox.journal.observers.append(strike)
        try:
            ready = asyncio.create_task(self._sandbox.ready(60))
            await asyncio.wait({ready, death}, return_when=asyncio.FIRST_COMPLETED)
            ready.cancel()
            if fate == RANDOM:
                asyncio.get_running_loop().call_later(count / 1000, kill)
            yield death
        finally:
            self._sandbox.journal.observers.remove(strike)
            kill(signal.SIGTERM)
            code = await death
            assert code in (0, -signal.SIGKILL), f"the bot ended by itself with {code}"
            if code == -signal.SIGKILL:
                self.deaths[fate] += 1

    async def _ended(self) -> int:
        code = int(await self._reports.readline())
        self._absence = asyncio.create_task(self._fail_clicks())
        return code

    async def _fail_clicks(self) -> None:
        """Let interactions fail that a death left without an answer, or that come while no bot lives."""
        while True:
            await self._sandbox.until(self._sandbox.interactions.pending, LONG)
            self.abandoned |= {made.id for made in self._sandbox.interactions.pending()}
            self._sandbox.world.clock.advance(DEADLINE)


async def delivered(sandbox: Sandbox, bot: Bot, death: asyncio.Task[int]) -> None:
    """Wait until nothing happens any more and no message is due, or the bot has died."""
    async with asyncio.timeout(60):
        while not death.done():
            idle = asyncio.create_task(sandbox.idle())
            await asyncio.wait({idle, death}, return_when=asyncio.FIRST_COMPLETED)
            if not idle.done():
                idle.cancel()
            elif nothing_due(bot.database, 2 * ANSWERED_WITHIN):
                return
            # The bot's database tells nobody that it changes.
            await asyncio.sleep(0.01)


async def try_panels(players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """Press what every table offers: each button must do what it says, unless the bot dies of it."""
    for player in players:
        for action in (Action.SHOW_SCORE, Action.SHOW_HAND):
            for table in list(tables(player)):
                pressed = await press(player.person, table, action)
                if pressed.failed:
                    assert death.done()
                    continue
                assert accent_of(pressed.message) != Accent.TROUBLE.value
                shows_hand = not actions_of(pressed.message).isdisjoint({*MOVES, Action.REFRESH_HAND})
                assert shows_hand == (action is Action.SHOW_HAND)


async def play_on(sandbox: Sandbox, players: Sequence[Player], death: asyncio.Task[int]) -> None:
    """Play, and play again where a match is over, until the bot dies.

    Raises:
        AssertionError: it does not die in a long time.
    """

    async def forever() -> None:
        while True:
            for player in players:
                for message in player.person.sees(player.channel):
                    # What one of them agrees to takes away the other's question.
                    if Action.REMATCH in actions_of(message) and not message.deleted:
                        await press(player.person, message, Action.REMATCH)
            await sandbox.until(lambda: not any(player.over for player in players))
            await play_out(sandbox, players)

    playing = asyncio.create_task(forever())
    await asyncio.wait({playing, death}, timeout=LONG, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        playing.result()
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    assert death.done()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fates", "lives", "latest"), [(BY_DAY, 1, 2), pytest.param(FATES, 3, 8, marks=pytest.mark.nightly)]
)
async def test_matches_survive_kill_9_at_any_moment(
    tmp_path: Path, fates: Sequence[str], lives: int, latest: int
) -> None:
    """No acknowledged move is lost, none applied twice; one table, one hand, one push a turn; and play goes on."""
    async with Sandbox(hall(2)) as sandbox, Bot.born(sandbox, tmp_path) as bot:
        witness = Witness()
        sandbox.interactions.observers.append(witness)
        players = [
            Player(sandbox, name, sandbox.channel(f"table-{table}"), SEED, by_dm=name != pair(2)[1])
            for table in (1, 2)
            for name in pair(table)
        ]
        async with bot.life():
            await sit_down(sandbox, players[0], players[1], target=TARGET)
            await sit_down(sandbox, players[2], players[3], target=TARGET)
        for fate, count in in_random_order(fates, lives, latest):
            async with bot.life(fate, count) as death:
                await delivered(sandbox, bot, death)
                if not death.done():
                    verify(bot.database, witness, players, bot.deaths.total())
                    await try_panels(players, death)
                await play_on(sandbox, players, death)
            assert not witness.broken
        async with bot.life() as death:
            await play_out(sandbox, players)
            await delivered(sandbox, bot, death)
            verify(bot.database, witness, players, bot.deaths.total())
        assert not witness.broken
        assert {made.id for made in sandbox.unanswered} <= bot.abandoned
        assert bot.deaths == dict.fromkeys(fates, lives)
        assert not sandbox.journal.unknown_routes
