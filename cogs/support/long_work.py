"""Work that takes seconds, such as an export: one at a time for each person, and few for all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

from bot.play.sharing.exclusive import Exclusive
from cogs.kit.answers import Answer, Interaction
from cogs.support.errors import UserError
from cogs.text.refusals import BROKEN_OFF, STILL_WORKING, VERY_BUSY

REVIEWS_AT_ONCE: Final = 10
"""Reviews take turns with every few choices, so that none waits for another. More are refused."""
AT_ONCE: Final = 2
"""As many as have a connection to the database of their own."""
MOST_WAITING: Final = 20
"""For how many people at once there is any. Those who wait keep others from being answered, of whom there may be 50."""


class LongWork:
    """Lets long work begin, and breaks it off when the bot stops."""

    def __init__(
        self,
        name: str,
        exclusive: Exclusive,
        at_once: int = AT_ONCE,
        most_waiting: int = MOST_WAITING,
        too_many: str = VERY_BUSY,
    ) -> None:
        """Let so many people's work go on at a time, and refuse more than `most_waiting`, those at work among them.

        `too_many` is what those who are refused are told. Nobody has work of one name under way here and in another
        process.
        """
        self._name, self._exclusive = name, exclusive
        self._most_waiting, self._too_many = most_waiting, too_many
        self._busy: dict[int, asyncio.Task[Any]] = {}
        """Who has long work under way, each with the task that does it."""
        self._turns = asyncio.Semaphore(at_once)
        self._stopped = False

    @asynccontextmanager
    async def of(self, interaction: Interaction) -> AsyncGenerator[None]:
        """Wait for the turn of an interaction's work, and do it in the block. Its answer is not expected to be fast.

        Raise `UserError` if another one of the person is not done, too many people wait, or the bot stops meanwhile.
        """
        person_id, task = interaction.user.id, asyncio.current_task()
        assert task is not None
        if self._stopped:
            raise UserError(BROKEN_OFF)
        if person_id in self._busy:
            raise UserError(STILL_WORKING)
        if len(self._busy) >= self._most_waiting:
            raise UserError(self._too_many)
        self._busy[person_id] = task
        Answer.to(interaction).is_long = True
        try:
            async with self._exclusive.unless_elsewhere(f"{self._name} of {person_id}") as may_begin:
                if not may_begin:
                    raise UserError(STILL_WORKING)
                async with self._turns:
                    yield
        except asyncio.CancelledError:
            if not self._stopped:
                raise
            task.uncancel()
            raise UserError(BROKEN_OFF) from None
        finally:
            del self._busy[person_id]

    def stop(self) -> None:
        """Break off what is under way, and tell everyone who waits for it to ask again. Let nothing else begin."""
        self._stopped = True
        for task in self._busy.values():
            task.cancel()
