"""Which interactions the bot works on: each once, only in time for an answer, and few at once.

A person may send thousands. So everything here is bounded for each person before it is bounded for all: a flood by some
people leaves room for the others.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, Generic, NamedTuple, TypeVar

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
MOST_WAITING: Final = 2_400
"""Interactions in memory at once. One lane gets half of them at most: about 1,200 can be refused in time."""
GRACE: Final = 0.25
"""Seconds that a person's next interaction waits, at most, for one of theirs to end."""
LATEST: Final = 3.0
"""Seconds for which Discord accepts an answer: https://discord.com/developers/docs/interactions."""
CLOCK_DRIFT: Final = 1e-4
"""Seconds that two clocks part in a second, at most: 100 parts per million."""

DROPPED: Final = "interactions came too late to be answered, or too many at once"
SAY_EVERY: Final = 10.0
"""Seconds from the first of them to the line of the log about all that came by then."""


_Item = TypeVar("_Item")


class Lane(NamedTuple):
    """What is counted together: a person's completions, or all their other interactions.

    Completions are separate so that typing does not keep anyone from playing.
    """

    person_id: int
    is_completion: bool

    @staticmethod
    def of(interaction: Interaction) -> Lane:
        """Return the lane of an interaction."""
        return Lane(interaction.user.id, interaction.type is discord.InteractionType.autocomplete)


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
        self._waiting: dict[int, Lane] = {}
        """The interactions in memory."""
        self._waiting_in = Counter[Lane]()
        self._in_grace: set[Lane] = set()
        """Where the next interaction waits for another one to end."""
        self._in_progress = Counter[Lane]()
        self._all_in_progress = Counter[bool]()
        """Completions, and all other interactions."""
        self._least_lag = float("inf")
        self._measured_at = clock()
        self._dropped = 0
        """Dropped interactions that are not in the log yet."""
        self._closed = False

    def close(self) -> None:
        """Let nothing more in."""
        self._closed = True

    @property
    def idle(self) -> bool:
        """True if everything that was let in is done."""
        return not self._waiting

    def let_in(self, interaction_id: int, lane: Lane) -> bool:
        """Return whether to look at an interaction at all; one that is let in must come to `admit` next.

        Leave out interactions that a resuming gateway delivers again, those too late for an answer, and those in a lane
        that has as many waiting as there is room left. So a flood in other lanes leaves room for the first in this one.
        """
        if self._closed or interaction_id in self._recent:
            return False
        while self._recent and self.is_late(oldest := next(iter(self._recent))):
            del self._recent[oldest]
        self._recent[interaction_id] = None
        if self.is_late(interaction_id) or self._waiting_in[lane] >= MOST_WAITING - len(self._waiting):
            self.note_dropped()
            return False
        self._waiting[interaction_id] = lane
        self._waiting_in[lane] += 1
        return True

    async def admit(self, interaction: Interaction) -> Admission:
        """Decide about an interaction, once. One that is admitted is in progress until the calling task ends.

        Call `leave` for one that is turned away.
        """
        if self.is_late(interaction.id, self._all_in_progress.total() * ANSWER_TAKES):
            self.note_dropped()
            self.leave(interaction.id)
            return Admission.TOO_LATE
        lane = Lane.of(interaction)
        admission = self._enter(lane)
        if admission is Admission.PERSON_BUSY and lane not in self._in_grace:
            # Somebody sees an answer before Discord confirms it here, and may be quick.
            self._in_grace.add(lane)
            try:
                await asyncio.sleep(GRACE)
            finally:
                self._in_grace.discard(lane)
            admission = self._enter(lane)
        if admission is Admission.ADMITTED:
            _at_end_of_task(lambda: self.leave(interaction.id))
        return admission

    def leave(self, interaction_id: int) -> None:
        """Note that nothing more is done about an interaction, so that another may come in."""
        if (lane := self._waiting.pop(interaction_id, None)) is not None:
            _decrease(self._waiting_in, lane)

    def note_dropped(self) -> None:
        """Count an interaction that gets no answer, for one line in the log about all of the next seconds."""
        if not self._dropped:
            asyncio.get_running_loop().call_later(SAY_EVERY, self._say_dropped)
        self._dropped += 1

    def _say_dropped(self) -> None:
        log.warning(DROPPED, count=self._dropped)
        self._dropped = 0

    def _enter(self, lane: Lane) -> Admission:
        if self._in_progress[lane] >= MOST_FOR_ONE:
            return Admission.PERSON_BUSY
        if self._all_in_progress[lane.is_completion] >= MOST_AT_ONCE:
            return Admission.ALL_BUSY
        self._in_progress[lane] += 1
        self._all_in_progress[lane.is_completion] += 1
        _at_end_of_task(lambda: self._finish(lane))
        return Admission.ADMITTED

    def _finish(self, lane: Lane) -> None:
        _decrease(self._in_progress, lane)
        _decrease(self._all_in_progress, lane.is_completion)

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


class FairQueue(Generic[_Item]):
    """A queue that serves all lanes in turn, so that a long lane delays the others by one item at a time."""

    def __init__(self) -> None:
        self._lanes: OrderedDict[Lane, deque[_Item]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._lanes)

    def add(self, lane: Lane, item: _Item) -> None:
        """Add an item at the end of its lane."""
        self._lanes.setdefault(lane, deque()).append(item)

    def take(self) -> _Item:
        """Remove and return the first item of the next lane. Raise `KeyError` if the queue is empty."""
        lane, items = self._lanes.popitem(last=False)
        item = items.popleft()
        if items:
            self._lanes[lane] = items
        return item


_Key = TypeVar("_Key")


def _decrease(counter: Counter[_Key], key: _Key) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


def _at_end_of_task(call: Callable[[], None]) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.add_done_callback(lambda _: call())
