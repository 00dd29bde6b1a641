"""Simulated people who play many matches at a fixed rate."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from aiolimiter import AsyncLimiter

from bot.sandbox import Interaction, NotOfferedError, Sandbox
from tests.helpers.players import Player
from tests.helpers.waiting import eventually
from tests.load.filling import Table

POLL_INTERVAL: Final = 0.1
"""Interval between checks of a table at which it is nobody's turn, in seconds."""


@dataclass
class LoadResults:
    """The results of clicks: the time of each answer in seconds, and the number of clicks without an answer."""

    answers: list[float] = field(default_factory=list[float])
    failed: int = 0

    def record(self, interaction: Interaction) -> None:
        """Record the result of a click."""
        if interaction.failed or interaction.latency is None:
            self.failed += 1
        else:
            self.answers.append(interaction.latency)


async def sit_down(sandbox: Sandbox, tables: Sequence[Table]) -> list[list[Player]]:
    """Wait until the players of all tables see their hands, and return the players."""
    seated = [
        [Player(sandbox, user.display_name, table.channel, "load", by_dm=number % 2 == 0) for user in table.people]
        for number, table in enumerate(tables, 1)
    ]
    await sandbox.until(lambda: seated[0][0].person.commands(tables[0].channel), 60)
    for players in seated:
        for player in players:
            if not player.by_dm:
                await (await player.person.slash("gin hand", player.channel)).answer()
    await eventually(lambda: all(any(player.has_turn for player in players) for players in seated), 300, POLL_INTERVAL)
    return seated


async def play(tables: Sequence[Sequence[Player]], rate: float, seconds: float) -> LoadResults:
    """Let people make `rate` clicks per second, or fewer if answers take too long. Return the results."""
    limiter, end, results = AsyncLimiter(max(rate / 10, 1), max(0.1, 1 / rate)), monotonic() + seconds, LoadResults()

    async def play_at(players: Sequence[Player]) -> None:
        while monotonic() < end:
            mover = next((player for player in players if player.has_turn), None)
            if mover is None:
                await asyncio.sleep(POLL_INTERVAL)
                continue
            await limiter.acquire()
            if monotonic() >= end:
                break
            # Choose the move only now: the message may have changed during the wait.
            move = mover.choose()
            if move is None:
                continue
            try:
                interaction = await mover.click(move)
            except NotOfferedError:
                continue
            await interaction.answer()
            results.record(interaction)
            mover.follow(move, interaction)

    await asyncio.gather(*map(play_at, tables))
    return results
