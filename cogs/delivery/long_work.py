"""Work that takes seconds, such as an export: one job at a time for each person, and a few in total."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

from bot.play.sharing.exclusive import Exclusive
from cogs.delivery.errors import UserError
from cogs.delivery.refusals import INTERRUPTED, STILL_WORKING, VERY_BUSY
from cogs.kit.answers import Answer, Interaction

MAX_REVIEWS: Final = 10
"""Maximum number of reviews in progress; more are refused. Reviews take turns after every few choices, so none has to
wait until another is done."""
MAX_JOBS: Final = 2
"""Maximum number of jobs in progress: the number of database connections reserved for them."""
MAX_PEOPLE: Final = 20
"""Maximum number of people with a job in progress or waiting. Each of them takes one of the 50 answers that can be in
progress."""


class LongWork:
    """Limits the number of long jobs in progress, and cancels them when the bot stops."""

    def __init__(
        self,
        name: str,
        exclusive: Exclusive,
        max_jobs: int = MAX_JOBS,
        max_people: int = MAX_PEOPLE,
        refusal: str = VERY_BUSY,
    ) -> None:
        """Run `max_jobs` jobs at a time. Refuse new ones while `max_people` people have a job, running or waiting.

        `refusal` is the text that refused people see. A person cannot have jobs with the same `name` in two processes.
        """
        self._name, self._exclusive = name, exclusive
        self._max_people, self._refusal = max_people, refusal
        self._tasks: dict[int, asyncio.Task[Any]] = {}
        """The task of each person with a job that is running or waiting."""
        self._slots = asyncio.Semaphore(max_jobs)
        self._is_stopped = False

    @asynccontextmanager
    async def slot(self, interaction: Interaction) -> AsyncGenerator[None]:
        """Wait for a free slot and run the block in it. Response times do not include this interaction.

        Raise `UserError` if the person already has a job, if too many people are waiting, or if the bot is stopping.
        """
        person_id, task = interaction.user.id, asyncio.current_task()
        assert task is not None
        if self._is_stopped:
            raise UserError(INTERRUPTED)
        if person_id in self._tasks:
            raise UserError(STILL_WORKING)
        if len(self._tasks) >= self._max_people:
            raise UserError(self._refusal)
        self._tasks[person_id] = task
        Answer.to(interaction).is_long = True
        try:
            async with self._exclusive.try_locked(f"{self._name} of {person_id}") as may_begin:
                if not may_begin:
                    raise UserError(STILL_WORKING)
                async with self._slots:
                    yield
        except asyncio.CancelledError:
            if not self._is_stopped:
                raise
            task.uncancel()
            raise UserError(INTERRUPTED) from None
        finally:
            del self._tasks[person_id]

    def stop(self) -> None:
        """Cancel all jobs, ask the people who started them to try again, and refuse new jobs."""
        self._is_stopped = True
        for task in self._tasks.values():
            task.cancel()
