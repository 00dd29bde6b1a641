"""Work that takes seconds, such as an export: one at a time for each person, and few for all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from cogs.kit.answers import Answer, Interaction
from cogs.support.errors import UserError
from cogs.text.refusals import STILL_WORKING, VERY_BUSY

AT_ONCE: Final = 2
"""As many as have a connection to the database of their own."""
MOST_WAITING: Final = 20
"""For how many people at once there is any. Those who wait keep others from being answered, of whom there may be 50."""


class LongWork:
    """Lets long work begin."""

    def __init__(self) -> None:
        self._busy: set[int] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)

    @asynccontextmanager
    async def of(self, interaction: Interaction) -> AsyncGenerator[None]:
        """Wait for the turn of an interaction's work, and do it in the block. Its answer is not expected to be fast.

        Raise `UserError` if another one of the person is not done, or too many people wait.
        """
        person_id = interaction.user.id
        if person_id in self._busy:
            raise UserError(STILL_WORKING)
        if len(self._busy) >= MOST_WAITING:
            raise UserError(VERY_BUSY)
        self._busy.add(person_id)
        Answer.to(interaction).is_long = True
        try:
            async with self._turns:
                yield
        finally:
            self._busy.discard(person_id)
