"""Admission control: drop duplicate, late and excess interactions.

One person can send thousands of interactions. Every limit therefore applies to each person before it applies to
everyone, so that a flood from some people leaves room for the others.
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

ANSWER_SECONDS: Final = 0.02
"""CPU time of an answer with a picture, in seconds."""
MAX_ANSWERS: Final = 50
"""Maximum number of answers in progress, for all people together. With more, all of them would be late."""
MAX_ANSWERS_PER_PERSON: Final = 2
"""Maximum number of answers in progress for one person."""
MAX_WAITING: Final = 2_400
"""Maximum number of interactions that are waiting or in progress, for all people together.

Half of this number, the most that one `Lane` can have, is about as many as the bot can refuse within Discord's time
limit.
"""
GRACE_SECONDS: Final = 0.25
"""Maximum time that an interaction waits for an earlier one of the same person to finish, in seconds."""
COMPLETION_POLL_INTERVAL: Final = 0.05
"""Polling interval of a completion that waits for earlier ones of the same person to finish, in seconds."""
RESPONSE_TIMEOUT: Final = 3.0
"""Time limit for a first response, in seconds: https://discord.com/developers/docs/interactions."""
CLOCK_DRIFT: Final = 1e-4
"""Maximum drift between two clocks, in seconds per second: 100 parts per million."""

DROPPED: Final = "interactions dropped: too late to answer, or too many"
LOG_INTERVAL: Final = 10.0
"""Interval between log lines about dropped interactions, in seconds."""


_Item = TypeVar("_Item")


class Lane(NamedTuple):
    """Interactions that are counted and queued together: one person's completions, or that person's other interactions.

    Completions are counted separately so that typing never blocks playing.
    """

    person_id: int
    is_completion: bool

    @staticmethod
    def of(interaction: Interaction) -> Lane:
        return Lane(interaction.user.id, interaction.type is discord.InteractionType.autocomplete)


class Admission(Enum):
    """The decision about an interaction: admitted, or the reason for turning it away."""

    ADMITTED = auto()
    TOO_LATE = auto()
    """Discord no longer accepts an answer, or will not by the time the answer is ready."""
    PERSON_BUSY = auto()
    """The person has reached `MAX_ANSWERS_PER_PERSON`."""
    ALL_BUSY = auto()
    """The bot has reached `MAX_ANSWERS`."""


class AdmissionControl:
    """Admits interactions or turns them away."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds from any starting point and must not jump."""
        self._clock = clock
        self._recent: dict[int, None] = {}
        """The ids of all interactions that can still be answered, oldest first."""
        self._waiting: dict[int, Lane] = {}
        """The lanes of the interactions that are waiting or in progress, by interaction id."""
        self._waiting_by_lane = Counter[Lane]()
        self._in_grace: set[Lane] = set()
        """The lanes in which an interaction waits up to `GRACE_SECONDS` for an earlier one to finish."""
        self._newest_completion: dict[Lane, int] = {}
        """The ids of the newest completions that wait for earlier ones of the same person to finish, by lane."""
        self._in_progress_by_lane = Counter[Lane]()
        self._all_in_progress = Counter[bool]()
        """Numbers of answers in progress, by key: True for completions, False for all other interactions."""
        self._min_lag = float("inf")
        self._measured_at = clock()
        self._dropped = 0
        """Number of dropped interactions that are not in the log yet."""
        self._is_closed = False

    def close(self) -> None:
        """Turn away all further interactions."""
        self._is_closed = True

    @property
    def is_idle(self) -> bool:
        """True if no interaction is waiting or in progress."""
        return not self._waiting

    def register(self, interaction_id: int, lane: Lane) -> bool:
        """Return True if the interaction should be passed to `admit`, and False if it should be ignored.

        Ignore an interaction if a resuming gateway delivers it again, if it is too late to answer, or if its lane holds
        at least as many of the `MAX_WAITING` places as are free. The last free place therefore goes to a lane that
        holds none.
        """
        if self._is_closed or interaction_id in self._recent:
            return False
        while self._recent and self.is_late(oldest := next(iter(self._recent))):
            del self._recent[oldest]
        self._recent[interaction_id] = None
        if self.is_late(interaction_id) or self._waiting_by_lane[lane] >= MAX_WAITING - len(self._waiting):
            self.count_dropped()
            return False
        self._waiting[interaction_id] = lane
        self._waiting_by_lane[lane] += 1
        return True

    async def admit(self, interaction: Interaction) -> Admission:
        """Decide about an interaction. An admitted interaction is in progress until the calling task ends.

        Call `admit` once for each interaction. After `PERSON_BUSY` or `ALL_BUSY`, the caller must ask the person to try
        again later, and then call `release`.
        """
        if self.is_late(interaction.id, self._all_in_progress.total() * ANSWER_SECONDS):
            self.count_dropped()
            self.release(interaction.id)
            return Admission.TOO_LATE
        lane = Lane.of(interaction)
        admission = self._try_start(lane)
        if admission is Admission.PERSON_BUSY and lane.is_completion:
            admission = await self._admit_newest(interaction.id, lane)
        elif admission is Admission.PERSON_BUSY and lane not in self._in_grace:
            # A person sees an answer before Discord confirms it to the bot, and might click again in between.
            self._in_grace.add(lane)
            try:
                await asyncio.sleep(GRACE_SECONDS)
            finally:
                self._in_grace.discard(lane)
            admission = self._try_start(lane)
        if admission is Admission.ADMITTED:
            _on_task_done(lambda: self.release(interaction.id))
        return admission

    async def _admit_newest(self, interaction_id: int, lane: Lane) -> Admission:
        """Let a completion wait until it can start, unless the person has typed more: only the newest list is shown."""
        self._newest_completion[lane] = interaction_id
        admission = Admission.PERSON_BUSY
        while admission is Admission.PERSON_BUSY and not self.is_late(interaction_id):
            await asyncio.sleep(COMPLETION_POLL_INTERVAL)
            if self._newest_completion.get(lane) != interaction_id:
                return Admission.PERSON_BUSY
            admission = self._try_start(lane)
        del self._newest_completion[lane]
        return admission

    def release(self, interaction_id: int) -> None:
        """Forget an interaction, which makes room for another. Do nothing if it is unknown."""
        if (lane := self._waiting.pop(interaction_id, None)) is not None:
            _decrement(self._waiting_by_lane, lane)

    def count_dropped(self) -> None:
        """Count an interaction that gets no answer. One log line reports all that are dropped within `LOG_INTERVAL`."""
        if not self._dropped:
            asyncio.get_running_loop().call_later(LOG_INTERVAL, self._log_dropped)
        self._dropped += 1

    def _log_dropped(self) -> None:
        log.warning(DROPPED, count=self._dropped)
        self._dropped = 0

    def _try_start(self, lane: Lane) -> Admission:
        if self._in_progress_by_lane[lane] >= MAX_ANSWERS_PER_PERSON:
            return Admission.PERSON_BUSY
        if self._all_in_progress[lane.is_completion] >= MAX_ANSWERS:
            return Admission.ALL_BUSY
        self._in_progress_by_lane[lane] += 1
        self._all_in_progress[lane.is_completion] += 1
        _on_task_done(lambda: self._finish(lane))
        return Admission.ADMITTED

    def _finish(self, lane: Lane) -> None:
        _decrement(self._in_progress_by_lane, lane)
        _decrement(self._all_in_progress, lane.is_completion)

    def is_late(self, interaction_id: int, needed: float = 0) -> bool:
        """Return True if an answer that takes `needed` seconds would miss Discord's time limit.

        An interaction's id contains the time at which Discord created it. The local clock may be wrong, so lag is
        measured relative to the interaction that arrived fastest.
        """
        now = self._clock()
        lag = now - discord.utils.snowflake_time(interaction_id).timestamp()
        self._min_lag = min(self._min_lag + (now - self._measured_at) * CLOCK_DRIFT, lag)
        self._measured_at = now
        return lag - self._min_lag > RESPONSE_TIMEOUT - needed


class FairQueue(Generic[_Item]):
    """A round-robin queue of lanes: a long lane delays the others by only one item at a time."""

    def __init__(self) -> None:
        self._lanes: OrderedDict[Lane, deque[_Item]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._lanes)

    def add(self, lane: Lane, item: _Item) -> None:
        self._lanes.setdefault(lane, deque()).append(item)

    def take(self) -> _Item:
        """Remove and return the first item of the next lane. Raise `KeyError` if the queue is empty."""
        lane, items = self._lanes.popitem(last=False)
        item = items.popleft()
        if items:
            self._lanes[lane] = items
        return item


_Key = TypeVar("_Key")


def _decrement(counter: Counter[_Key], key: _Key) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


def _on_task_done(callback: Callable[[], None]) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.add_done_callback(lambda _: callback())
