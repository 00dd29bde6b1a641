"""Processes that run the bot as `python -m bot` does, but kill themselves at a chosen point.

The only other difference is that decks give both players melds.

`python -m tests.proof.mortal` imports everything and draws the cards once. For each line of input it forks a
process, writes the process's id, and writes its exit code when it ends. The line names the point and the call at which
to die, such as `after commit:3`. After an empty line, the process runs until it is stopped.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from bot import starts
from bot.__main__ import main
from bot.engine.cards import Card
from bot.engine.chance import Cards
from bot.engine.fair import Event
from bot.engine.rules import Rules
from bot.engine.views import seat_view
from bot.play import application
from bot.play.application import Application
from bot.play.loading.unit_of_work import UnitOfWork, Units
from bot.play.matches import losing, timekeeper, vacancies
from bot.play.matches.match_writer import MatchWriter
from bot.play.matches.shuffler import Shuffler
from bot.play.matches.timekeeper import Timekeeper
from bot.play.outbox import changes
from bot.play.outbox.outbox import Outbox
from cardart import draw_hand, draw_table
from cogs.kit import admission, answers
from cogs.kit.answers import Answer
from cogs.support.courier import Courier
from tests.engine.decks import random_actions
from tests.helpers.onlooker import Onlooker
from tests.helpers.seeded_shuffler import GenerousEvent, generous_deck


def _always(*_: object, **__: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Point:
    """A point at which to die: before or after a call of an async function whose arguments satisfy `counts`."""

    owner: object
    name: str
    after: bool
    counts: Callable[..., bool] = _always


def _has_outcomes(_: Outbox, outcomes: object = ()) -> bool:
    return bool(outcomes)


HAS_OWN_CLOCK: Final = "DEADWOOD_HAS_OWN_CLOCK"
"""The environment variable that gives a bot its own clock; see `OFFSET`."""

TAKEN_OVER_WITHIN: Final = timedelta(seconds=3)
"""The lease time after which another process takes over a dead process's work."""

ANSWERED_WITHIN: Final = timedelta(seconds=0.3)
"""The delay before the courier updates a hand whose answer never arrived. It is shorter than in production."""

AFTER_COMMIT: Final = "after commit"
POINTS: Final[dict[str, Point]] = {
    "before commit": Point(MatchWriter, "advance", after=True),
    "after the answer": Point(Answer, "update", after=True),
    "before delivery": Point(Outbox, "current", after=True),
    "after a post": Point(Courier, "_post", after=True),
    "after an edit": Point(Courier, "_edit", after=True),
    "before a replaced message is deleted": Point(Courier, "_try_delete", after=False),
    "after a message is deleted": Point(Courier, "_delete", after=True),
    "before outcomes are recorded": Point(Outbox, "record", after=False, counts=_has_outcomes),
    "while outcomes are recorded": Point(Outbox, "_record", after=True),
    "after outcomes are recorded": Point(Outbox, "record", after=True, counts=_has_outcomes),
}
"""Points at which to die, in addition to `AFTER_COMMIT` (immediately after a change of a match is committed)."""

WHEN_DUE: Final[dict[str, Point]] = {
    "before time is settled": Point(Timekeeper, "_settle_all", after=False),
    "while time is settled": Point(Timekeeper, "_settle", after=True),
    "after time is settled": Point(Timekeeper, "_settle_all", after=True),
}
"""Points at which to die when a reminder or the end of a player's time is due."""

BEFORE_CALLING_OFF: Final = "before a match is called off"
WHEN_CALLED_OFF: Final[dict[str, Point]] = {BEFORE_CALLING_OFF: Point(MatchWriter, "cancel", after=True)}
"""Points at which to die when a match is called off."""

WHEN_VACANT: Final[dict[str, Point]] = {
    "before a seat is vacant": Point(losing, "vacate", after=True),
    "before a takeover": Point(vacancies, "_take_over", after=True),
}
"""Points at which to die when a seat becomes vacant, and when a computer takes it over."""

EVERY_POINT: Final = POINTS | WHEN_DUE | WHEN_CALLED_OFF | WHEN_VACANT

OFFSET: Final = "clock is ahead"
"""The database key for the milliseconds by which a bot's own clock is ahead."""


def kill() -> None:
    """End this process like `kill -9`."""
    os.kill(os.getpid(), signal.SIGKILL)


class Countdown:
    """Dies at the `left`-th call."""

    def __init__(self, left: int, die: Callable[[], None] = kill) -> None:
        self.left = left
        self._die = die

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            self._die()


def mortal(point: Point, countdown: Countdown) -> Callable[..., Awaitable[Any]]:
    """Return a point's function, wrapped to count down at each call that counts."""
    function: Callable[..., Awaitable[Any]] = getattr(point.owner, point.name)

    async def counted(*args: Any, **options: Any) -> Any:
        counts = point.counts(*args, **options)
        if counts and not point.after:
            countdown()
        result = await function(*args, **options)
        if counts and point.after:
            countdown()
        return result

    return counted


def mortal_commits(countdown: Countdown) -> Callable[[Units], AbstractAsyncContextManager[UnitOfWork]]:
    """Return `Units.write`, wrapped to count down after each commit that changes a match."""
    write = Units.write

    @asynccontextmanager
    async def counted(self: Units) -> AsyncGenerator[UnitOfWork]:
        async with write(self) as unit:
            yield unit
        if unit.saved:
            countdown()

    return counted


class GenerousShuffler(Shuffler):
    """Deals melds, so that deals and matches end often."""

    def for_event(self, event: Event) -> Cards:
        """Return generous cards derived from an event."""
        return GenerousEvent(event)

    def deck(self) -> tuple[Card, ...]:
        """Return a deck that gives each of two players two melds."""
        return generous_deck(Random())


class OwnClock:
    """A clock that is ahead of the system's by the offset in the database."""

    def __init__(self, url: str) -> None:
        self._database = Onlooker(url)

    def __call__(self) -> datetime:
        query = "SELECT value FROM key_value WHERE key = :key"
        ((ahead,),) = self._database.rows(query, key=OFFSET) or [("0",)]
        return datetime.now(UTC) + timedelta(milliseconds=int(ahead))


def live(fate: str) -> int:
    """Run the bot to its end and return the exit code."""
    options = Application.__init__.__kwdefaults__
    assert options is not None
    options["taken_over_within"] = TAKEN_OVER_WITHIN
    if os.environ.get(HAS_OWN_CLOCK):
        options["clock"] = OwnClock(os.environ["DEADWOOD_DATABASE_URL"])
        setattr(timekeeper, "LOOKS_AFTER", timedelta(seconds=0.1))  # noqa: B010 - a constant
    # A busy machine must not turn answers into deferrals.
    setattr(answers, "DEFER_AFTER", 600)  # noqa: B010 - a constant
    # The sandbox's clock is stopped, so every interaction seems older than the previous one.
    setattr(admission, "LATEST", 600)  # noqa: B010 - a constant
    # These lives are short on purpose.
    setattr(starts, "FREE_STARTS", sys.maxsize)  # noqa: B010 - a constant
    setattr(changes, "ANSWERED_WITHIN", ANSWERED_WITHIN)  # noqa: B010 - a constant
    setattr(application, "Shuffler", GenerousShuffler)  # noqa: B010 - a class
    point, _, count = fate.partition(":")
    if point == AFTER_COMMIT:
        setattr(Units, "write", mortal_commits(Countdown(int(count))))  # noqa: B010 - a method
    elif point:
        chosen = EVERY_POINT[point]
        setattr(chosen.owner, chosen.name, mortal(chosen, Countdown(int(count))))
    return main(["run"])


def rehearse() -> None:
    """Draw the hands and tables of a match, so that all forked processes share the cached pictures."""
    for _, _, match in random_actions(1, Rules(target=1)):
        for seat in match.to_act:
            view = seat_view(match, seat)
            draw_hand(view)
            draw_table(view.public, ("N", "S"))


if __name__ == "__main__":
    rehearse()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            sys.exit(live(line.strip()))
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
