"""Work that takes seconds, such as an export: one job at a time for each person, and a few in total."""

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
"""Maximum number of reviews in progress; more are refused. Reviews take turns after every few choices, so none has to
wait until another is done."""
AT_ONCE: Final = 2
"""Maximum number of jobs in progress: the number of database connections reserved for them."""
MOST_WAITING: Final = 20
"""Maximum number of people with a job in progress or waiting. Each of them occupies one of the 50 answers that the bot
works on."""


class LongWork:
    """Limits how much long work runs, and cancels it when the bot stops."""

    def __init__(
        self,
        name: str,
        exclusive: Exclusive,
        at_once: int = AT_ONCE,
        most_waiting: int = MOST_WAITING,
        too_many: str = VERY_BUSY,
    ) -> None:
        """Run `max_jobs` jobs at a time, and refuse people beyond `max_people`, which includes the running jobs.

        `refusal` is the text of the refusal. A person cannot have jobs with the same `name` in two processes.
        """
        self._name, self._exclusive = name, exclusive
        self._most_waiting, self._too_many = most_waiting, too_many
        self._busy: dict[int, asyncio.Task[Any]] = {}
        """The task of each person with a job that is running or waiting."""
        self._turns = asyncio.Semaphore(at_once)
        self._stopped = False

    @asynccontextmanager
    async def of(self, interaction: Interaction) -> AsyncGenerator[None]:
        """Wait for a free slot and run the block in it. The answer is excluded from response times.

        Raise `UserError` if the person already has a job, if too many people are waiting, or if the bot stops.
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
        """Cancel all jobs, with an answer that asks to try again, and refuse new ones."""
        self._stopped = True
        for task in self._busy.values():
            task.cancel()
