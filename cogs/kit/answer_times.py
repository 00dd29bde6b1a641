"""Response times."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

from bot import metrics
from cogs.kit.answers import Answer

WINDOW_SECONDS: Final = 60.0
"""Length of the window for `AnswerTimes.slowest`, in seconds."""


class AnswerTimes:
    """The response times of the last minute, including answers in progress."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._finished: deque[tuple[float, float]] = deque()
        self._started_at: dict[Answer, float] = {}

    @contextmanager
    def measure(self, answer: Answer, used: str) -> Generator[None]:
        """Measure how long the block takes. Unless it is long work, record the time with the metrics label `used`."""
        started_at = self._started_at[answer] = self._clock()
        try:
            yield
        finally:
            del self._started_at[answer]
            now = self._clock()
            if not answer.is_long:
                self._finished.append((now, now - started_at))
                metrics.ANSWERS.labels(used).observe(now - started_at)
            self._drop_old(now)

    def slowest(self) -> float:
        """Return the longest response time in seconds, including answers in progress; 0 if there was no answer."""
        now = self._clock()
        self._drop_old(now)
        longest = max((seconds for _, seconds in self._finished), default=0.0)
        return max(
            longest, *(now - started_at for answer, started_at in self._started_at.items() if not answer.is_long), 0.0
        )

    def _drop_old(self, now: float) -> None:
        while self._finished and now - self._finished[0][0] > WINDOW_SECONDS:
            self._finished.popleft()
