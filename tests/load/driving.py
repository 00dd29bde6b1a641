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

LOOKS_EVERY: Final = 0.1
"""Interval between checks of a table at which it is nobody's turn, in seconds."""


@dataclass
class Seen:
    """The answers that people got: the time of each in seconds, and the number of clicks without an answer."""

    answers: list[float] = field(default_factory=list[float])
    failed: int = 0

    def note(self, made: Interaction) -> None:
        """Record the result of a click."""
        if made.failed or made.latency is None:
            self.failed += 1
        else:
            self.answers.append(made.latency)


async def sit_down(sandbox: Sandbox, tables: Sequence[Table]) -> list[list[Player]]:
    """Return the players of all tables after their hands have been shown."""
    seated = [
        [Player(sandbox, user.display_name, table.channel, "load", by_dm=number % 2 == 0) for user in table.people]
        for number, table in enumerate(tables, 1)
    ]
    await sandbox.until(lambda: seated[0][0].person.commands(tables[0].channel), 60)
    for players in seated:
        for player in players:
            if not player.by_dm:
                await (await player.person.slash("gin hand", player.channel)).answer()
    await eventually(lambda: all(any(one.has_turn for one in players) for players in seated), 300, LOOKS_EVERY)
    return seated


async def play(tables: Sequence[Sequence[Player]], rate: float, seconds: float) -> Seen:
    """Let people click at `rate` clicks per second, if answers come in time. Return the results."""
    limiter, until, seen = AsyncLimiter(max(rate / 10, 1), max(0.1, 1 / rate)), monotonic() + seconds, Seen()

    async def play_at(players: Sequence[Player]) -> None:
        while monotonic() < until:
            mover = next((one for one in players if one.has_turn), None)
            if mover is None:
                await asyncio.sleep(LOOKS_EVERY)
                continue
            await limiter.acquire()
            if monotonic() >= until:
                break
            # The message may have changed during the wait.
            deed = mover.choose()
            if deed is None:
                continue
            try:
                made = await mover.click(deed)
            except NotOfferedError:
                continue
            await made.answer()
            seen.note(made)
            mover.follow(deed, made)

    await asyncio.gather(*map(play_at, tables))
    return seen
