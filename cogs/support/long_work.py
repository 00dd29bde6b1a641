"""What takes a person seconds, such as an export: one at a time for each person, and few for all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from cogs.kit.answers import Answer, Interaction
from cogs.support.errors import UserError
from cogs.text.refusals import STILL_WORKING

AT_ONCE: Final = 2
"""As many as have a connection to the database of their own."""


class LongWork:
    """Lets long work begin."""

    def __init__(self) -> None:
        self._busy: set[int] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)

    @asynccontextmanager
    async def of(self, interaction: Interaction) -> AsyncGenerator[None]:
        """Wait for the turn of an interaction's work, and do it in the block. Raise `UserError` if another is not done.

        Its answer is not expected to be fast.
        """
        person_id = interaction.user.id
        if person_id in self._busy:
            raise UserError(STILL_WORKING)
        self._busy.add(person_id)
        Answer.to(interaction).is_long = True
        try:
            async with self._turns:
                yield
        finally:
            self._busy.discard(person_id)
