"""Which interactions are worked on: none twice, none that came too late to be answered, and only so many at once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from enum import Enum, auto
from typing import Final

import discord
import structlog

from cogs.kit.answers import Interaction

log = structlog.get_logger(__name__)

ANSWER_TAKES: Final = 0.02
"""Seconds for which an answer with a picture takes a core."""
MOST_AT_ONCE: Final = 50
"""Answers in progress at once. More would all be late."""
MOST_FOR_ONE: Final = 2
"""Answers in progress at once for one person."""
MOST_WAITING: Final = 1_200
"""Interactions in memory at once. More cannot all be answered in time, not even with a refusal."""
GRACE: Final = 0.25
"""Seconds that a person's next interaction waits, at most, for one of theirs to end."""
LATEST: Final = 3.0
"""Seconds for which Discord accepts an answer: https://discord.com/developers/docs/interactions."""
CLOCK_DRIFT: Final = 1e-4
"""Seconds that two clocks part in a second, at most: 100 parts per million."""

DROPPED: Final = "interactions came too late to be answered, or too many at once"
SAY_EVERY: Final = 10.0
"""Seconds from the first of them to the line of the log about all that came by then."""


class Admission(Enum):
    """A decision about an interaction: to work on it, or why not."""

    ADMITTED = auto()
    TOO_LATE = auto()
    """It waited so long that Discord accepts no answer any more, or not by the time at which it would be answered."""
    PERSON_BUSY = auto()
    """As many answers are in progress for the person as may be at once."""
    ALL_BUSY = auto()
    """As many answers are in progress as may be at once."""


class Doorkeeper:
    """Decides about interactions as they come."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds. It may begin anywhere, but should not jump."""
        self._clock = clock
        self._recent: dict[int, None] = {}
        """Every interaction that came and may still be answered, oldest first."""
        self._waiting: set[int] = set()
        self._in_grace: set[tuple[bool, int]] = set()
        """Whose next interaction waits for one of theirs to end."""
        self._in_progress: Counter[tuple[bool, int | None]] = Counter()
        self._least_lag = float("inf")
        self._measured_at = clock()
        self._dropped = 0
        """Those that the log does not tell of yet."""
        self._closed = False

    def close(self) -> None:
        """Let nothing more in."""
        self._closed = True

    @property
    def idle(self) -> bool:
        """True if everything that was let in is done."""
        return not self._waiting

    def let_in(self, interaction_id: int) -> bool:
        """Return whether to look at an interaction at all; one that is let in must come to `admit` next.

        One that a resuming gateway delivers again has its answer, one that is late can have none any more, and what
        comes while very many wait would be late.
        """
        if self._closed or interaction_id in self._recent:
            return False
        while self._recent and self.is_late(oldest := next(iter(self._recent))):
            del self._recent[oldest]
        self._recent[interaction_id] = None
        if self.is_late(interaction_id) or len(self._waiting) >= MOST_WAITING:
            self._count_dropped()
            return False
        self._waiting.add(interaction_id)
        return True

    async def admit(self, interaction: Interaction) -> Admission:
        """Decide about an interaction, once. One that is admitted is in progress until the calling task ends.

        One that is turned away is to `leave`. Completions are counted apart: somebody who types does not keep
        themselves from playing.
        """
        before_it = sum(self._in_progress[is_completion, None] for is_completion in (False, True))
        if self.is_late(interaction.id, before_it * ANSWER_TAKES):
            self._count_dropped()
            self.leave(interaction.id)
            return Admission.TOO_LATE
        is_completion = interaction.type is discord.InteractionType.autocomplete
        one, everyone = (is_completion, interaction.user.id), (is_completion, None)
        admission = self._enter(one, everyone)
        if admission is Admission.PERSON_BUSY and one not in self._in_grace:
            # Somebody sees an answer before Discord confirms it here, and may be quick.
            self._in_grace.add(one)
            try:
                await asyncio.sleep(GRACE)
            finally:
                self._in_grace.discard(one)
            admission = self._enter(one, everyone)
        if admission is Admission.ADMITTED:
            _at_end_of_task(lambda: self.leave(interaction.id))
        return admission

    def leave(self, interaction_id: int) -> None:
        """Note that nothing more is done about an interaction, so that another may come in."""
        self._waiting.discard(interaction_id)

    def _enter(self, one: tuple[bool, int], everyone: tuple[bool, None]) -> Admission:
        if self._in_progress[one] >= MOST_FOR_ONE:
            return Admission.PERSON_BUSY
        if self._in_progress[everyone] >= MOST_AT_ONCE:
            return Admission.ALL_BUSY
        self._in_progress.update((one, everyone))
        _at_end_of_task(lambda: self._finished(one, everyone))
        return Admission.ADMITTED

    def is_late(self, interaction_id: int, needed: float = 0) -> bool:
        """Return whether Discord no longer accepts an answer that needs so many seconds, as far as the id tells.

        The id holds Discord's time. Only differences count, to the interaction that came fastest: the clock here may be
        wrong.
        """
        now = self._clock()
        lag = now - discord.utils.snowflake_time(interaction_id).timestamp()
        self._least_lag = min(self._least_lag + (now - self._measured_at) * CLOCK_DRIFT, lag)
        self._measured_at = now
        return lag - self._least_lag > LATEST - needed

    def _finished(self, *keys: tuple[bool, int | None]) -> None:
        for key in keys:
            self._in_progress[key] -= 1
            if not self._in_progress[key]:
                del self._in_progress[key]

    def _count_dropped(self) -> None:
        if not self._dropped:
            asyncio.get_running_loop().call_later(SAY_EVERY, self._say_dropped)
        self._dropped += 1

    def _say_dropped(self) -> None:
        log.warning(DROPPED, count=self._dropped)
        self._dropped = 0


def _at_end_of_task(call: Callable[[], None]) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.add_done_callback(lambda _: call())
