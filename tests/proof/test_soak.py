"""A soak test: people play and watch while Discord, the disk and the host have faults."""

from __future__ import annotations

import asyncio
import re
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

import pytest

from bot.sandbox import Delay, Drop, Duplicate, Expire, Hangup, RateLimited, Reset, Sandbox, ServerError
from cogs.actions import Action
from cogs.delivery.errors import OutcomeNotShown
from tests.helpers.databases import new_database
from tests.helpers.host_faults import full_disk, locked, small_disk, suspended
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player, challenge_and_accept, newest_message_with, press
from tests.helpers.processes import memory_mb, running_bot_process
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.proof.histories import Witness, verify, wait_until_settled
from tests.proof.promises import real_cards

pytestmark = pytest.mark.sqlite

SEED: Final = "soak"
TABLES: Final = 5
TARGET: Final = 10
INTERACTIONS: Final = 20_000
FAULT_SECONDS: Final = 10.0
"""Duration of a host fault, in seconds."""
MAX_GROWTH_MB: Final = 5
"""Maximum growth of the bot's memory once its caches are full, in MB."""

WRITES: Final = "* /channels/*/messages*"
CALLBACKS: Final = "POST /interactions/*"

REQUEST_FAULTS: Final = (
    (RateLimited(0.3), WRITES),
    (RateLimited(0.3, is_global=True), "*"),
    (RateLimited(0.3), CALLBACKS),
    (ServerError(500), WRITES),
    (ServerError(500, applied=True), WRITES),
    (ServerError(502), CALLBACKS),
    (ServerError(500, applied=True), CALLBACKS),
    (Reset(), "*"),
    (Reset(applied=True), "*"),
    (Hangup(), "*"),
    (Hangup(applied=True), "*"),
    (Delay(1), WRITES),
    (Delay(1), CALLBACKS),
    (Expire(), "POST /interactions/*/callback"),
)
EVENT_FAULTS: Final = (Drop(), Duplicate(), Delay(1))

MAX_PENDING_FAULTS: Final = 3
"""Maximum number of pending faults of a kind. Without it, faults would pile up while the process is suspended."""
NETWORK_FAILURE: Final = re.compile(
    r"(aiohttp\.client_exceptions\.\w+|TimeoutError|discord\.errors\.(HTTPException: 429|DiscordServerError)"
    rf"|{re.escape(f'{OutcomeNotShown.__module__}.{OutcomeNotShown.__qualname__}')})[^\\]*\"$"
)
"""Matches the end of a log line about an answer that failed because of the network."""
STUCK_SECONDS: Final = 5.0
"""Players who cannot move for this many seconds request their hands again."""


@dataclass
class Soak:
    """Tasks that play, watch and inject faults."""

    sandbox: Sandbox
    process: Process
    database: Path
    random: Random = field(default_factory=lambda: Random(SEED))

    @property
    def interaction_count(self) -> int:
        """Number of interactions so far."""
        return len(self.sandbox.interactions.by_id)

    async def play(self, players: list[Player]) -> None:
        """Play match after match at a table, forever."""
        while True:
            try:
                ready = await self.sandbox.until(
                    lambda: [player for player in players if player.has_turn or player.is_over], STUCK_SECONDS
                )
            except TimeoutError:
                ready = list[Player]()
                for player in players:
                    if not player.by_dm and (table := newest_message_with(player, Action.SHOW_HAND)) is not None:
                        await press(player.person, table, Action.SHOW_HAND)
            for player in ready:
                if not player.is_over:
                    await player.act()
                elif (ended := newest_message_with(player, Action.REMATCH)) is not None:
                    await press(player.person, ended, Action.REMATCH)

    async def look_on(self) -> None:
        """Run commands as a spectator, forever."""
        spectator = self.sandbox.person(SPECTATOR)
        channels = [self.sandbox.channel(f"table-{table}") for table in range(1, TABLES + 1)]
        commands = (
            "gin hand",
            "gin games",
            "gin table",
            "gin-stats score",
            "gin leaderboard",
            "gin help",
            "gin-stats profile",
        )
        while True:
            channel = self.random.choice(channels)
            asked = await spectator.slash(self.random.choice(commands), channel)
            typed = await spectator.complete("gin challenge", channel, option="rules", value="o")
            for made in (asked, typed):
                await made.done()

    async def trouble_discord(self) -> None:
        """Inject faults of Discord, forever."""
        gateway, faults = self.sandbox.gateway, self.sandbox.faults
        drops: tuple[Callable[[], Awaitable[None]], ...] = (
            gateway.reconnect,
            gateway.close,
            lambda: gateway.invalidate(resumable=True),
            lambda: gateway.invalidate(resumable=False),
        )
        while True:
            await asyncio.sleep(self.random.uniform(0.05, 0.5))
            match self.random.choices(("request", "event", "gateway"), (8, 2, 1))[0]:
                case "request" if len(faults.armed_requests) < MAX_PENDING_FAULTS:
                    fault, pattern = self.random.choice(REQUEST_FAULTS)
                    faults.requests(fault, on=pattern, times=self.random.randint(1, 3))
                case "event" if len(faults.armed_events) < MAX_PENDING_FAULTS:
                    faults.events(self.random.choice(EVENT_FAULTS))
                case "gateway":
                    await self.random.choice(drops)()
                case _:
                    pass

    async def trouble_host(self, *, fill: bool) -> None:
        """Inject faults of the host, forever. With `fill`, they include a full disk."""
        disk = (partial(full_disk, self.database),) if fill else ()
        while True:
            for fault in (partial(locked, self.database), *disk, partial(suspended, self.process)):
                await asyncio.sleep(self.random.uniform(1, 3) * FAULT_SECONDS)
                with fault():
                    await asyncio.sleep(FAULT_SECONDS)


@pytest.mark.nightly
async def test_play_survives_all_kinds_of_faults(tmp_path: Path) -> None:
    """During all kinds of faults, no move is lost or repeated, the bot keeps running, and its memory does not grow."""
    disk, log = tmp_path / "disk", tmp_path / "bot.log"
    with small_disk(disk) as mounted:
        onlooker = DatabaseInspector(new_database(disk / "deadwood.db"))
        async with Sandbox(hall(TABLES, running=True)) as sandbox, running_bot_process(sandbox, disk, log) as process:
            witness = Witness()
            sandbox.interactions.observers.append(witness)
            soak = Soak(sandbox, process, disk / "deadwood.db")
            tables = list[list[Player]]()
            for table in range(1, TABLES + 1):
                channel = sandbox.channel(f"table-{table}")
                # Every third player refuses direct messages, and plays with ephemeral messages in the channel.
                two = [
                    Player(sandbox, name, channel, SEED, by_dm=number % 3 != 2)
                    for number, name in enumerate(pair(table), 2 * table)
                ]
                await challenge_and_accept(sandbox, two[0], two[1], target=TARGET)
                tables.append(two)
            memory_by_quarter = [list[float]() for _ in range(4)]
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(soak.play(two)) for two in tables]
                tasks += [group.create_task(job()) for job in (soak.look_on, soak.trouble_discord)]
                tasks.append(group.create_task(soak.trouble_host(fill=mounted)))
                while (made := soak.interaction_count) < INTERACTIONS:
                    memory_by_quarter[made * 4 // INTERACTIONS].append(memory_mb(process))
                    await asyncio.sleep(0.1)
                for task in tasks:
                    task.cancel()
            sandbox.faults.clear()
            await wait_until_settled(sandbox, onlooker)
            everyone = [player for two in tables for player in two]
            verify(onlooker, witness, everyone, unnotified=INTERACTIONS, cards_of=real_cards)
            failures = [line for line in log.read_text().splitlines() if "an interaction failed" in line]
            assert [line for line in failures if not NETWORK_FAILURE.search(line)] == []
            assert len(witness.failures) <= len(failures) <= INTERACTIONS / 100
            assert not sandbox.journal.unknown_routes
            # The first quarter of the test fills most caches. Only the cache of 1,000 messages (`cogs/kit/screens.py`)
            # needs three times as long. When full, it takes 3 MB.
            _, second, third, fourth = (median(quarter) for quarter in memory_by_quarter)
            assert fourth - second <= MAX_GROWTH_MB + 3, (second, third, fourth)
            assert fourth - third <= MAX_GROWTH_MB / 2, (second, third, fourth)
