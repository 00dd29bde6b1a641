"""Response times."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

from bot import metrics
from cogs.kit.answers import Answer

PERIOD: Final = 60.0
"""Length of the window for `AnswerTimes.slowest`, in seconds."""


class AnswerTimes:
    """The response times of the last minute, including answers in progress."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._taken: deque[tuple[float, float]] = deque()
        self._begun: dict[Answer, float] = {}

    @contextmanager
    def measure(self, answer: Answer, used: str) -> Generator[None]:
        """Measure how long the block takes, for the metric labelled `used`. Long work is excluded."""
        begun = self._begun[answer] = self._clock()
        try:
            yield
        finally:
            del self._begun[answer]
            now = self._clock()
            if not answer.is_long:
                self._taken.append((now, now - begun))
                metrics.ANSWERS.labels(used).observe(now - begun)
            self._forget(now)

    def slowest(self) -> float:
        """Return the longest response time in seconds, including answers in progress; 0 if there was no answer."""
        now = self._clock()
        self._forget(now)
        taken = max((seconds for _, seconds in self._taken), default=0.0)
        return max(taken, *(now - begun for answer, begun in self._begun.items() if not answer.is_long), 0.0)

    def _forget(self, now: float) -> None:
        while self._taken and now - self._taken[0][0] > PERIOD:
            self._taken.popleft()
