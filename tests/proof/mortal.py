"""Processes that run the bot like `python -m bot`, but kill themselves at a chosen point.

They also deal melds to both players, and some timeouts differ.

`python -m tests.proof.mortal` imports everything and fills the cache of pictures. For each line of input, it forks a
process that runs the bot, and prints the id and later the exit code of this process. A line such as `after commit:3`
kills the process at the third call that reaches the kill point. After an empty line, it runs until it is stopped.
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

from bot.__main__ import main
from bot.engine.cards.cards import Card
from bot.engine.fairness.fair import Event
from bot.engine.matches.chance import CardSource
from bot.engine.matches.views import seat_view
from bot.engine.rules import Rules
from bot.hosting import starts
from bot.play import application
from bot.play.application import Application
from bot.play.daily.days import DailyDeals
from bot.play.daily.posts import DailyPosts
from bot.play.loading.unit_of_work import UnitOfWork, Units
from bot.play.matches import losing, timekeeper, vacancies
from bot.play.matches.match_writer import MatchWriter
from bot.play.matches.shuffler import Shuffler
from bot.play.matches.timekeeper import Timekeeper
from bot.play.outbox import changes
from bot.play.outbox.outbox import Outbox
from bot.store import daily, daily_posts
from cardart import Portrait, draw_hand, draw_table
from cogs.delivery.courier import Courier
from cogs.kit import admission, answers
from cogs.kit.answers import Answer
from tests.engine.decks import random_actions
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.seeded_shuffler import GenerousEvent, generous_deck


def _always(*_: object, **__: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Point:
    """A kill point, at which the bot may be killed: before or after a call of an async function.

    Calls whose arguments `counts` rejects are ignored.
    """

    owner: object
    name: str
    after: bool
    counts: Callable[..., bool] = _always


def _has_outcomes(_: Outbox, outcomes: object = ()) -> bool:
    return bool(outcomes)


HAS_OWN_CLOCK: Final = "DEADWOOD_HAS_OWN_CLOCK"
"""If this environment variable is set, the bot's clock is ahead of real time by the offset that the database stores
under the key `OFFSET`."""

TAKEN_OVER_WITHIN: Final = timedelta(seconds=3)
"""Time after which another process takes over a killed process's work."""

ANSWERED_WITHIN: Final = timedelta(seconds=0.3)
"""Delay before the courier updates a hand message in which the player clicked. Usually, the answer to the click updates
it first. Shorter than in production."""

AFTER_COMMIT: Final = "after commit"
"""Name of the kill point after a change of a match has been committed."""

POINTS: Final[dict[str, Point]] = {
    "before commit": Point(MatchWriter, "advance", after=True),
    "after the answer": Point(Answer, "update", after=True),
    "before delivery": Point(Courier, "_deliver", after=False),
    "after a post": Point(Courier, "_post", after=True),
    "after an edit": Point(Courier, "_edit", after=True),
    "before a replaced message is deleted": Point(Courier, "_try_delete", after=False),
    "after a message is deleted": Point(Courier, "_delete", after=True),
    "before outcomes are recorded": Point(Outbox, "record", after=False, counts=_has_outcomes),
    "while outcomes are recorded": Point(Outbox, "_save_step", after=True),
    "after outcomes are recorded": Point(Outbox, "record", after=True, counts=_has_outcomes),
}
"""Points at which the bot may be killed while matches are played, in addition to `AFTER_COMMIT`."""

DUE_POINTS: Final[dict[str, Point]] = {
    "before time is settled": Point(Timekeeper, "_settle_all", after=False),
    "while time is settled": Point(Timekeeper, "_settle", after=True),
    "after time is settled": Point(Timekeeper, "_settle_all", after=True),
}
"""Points at which the bot may be killed while a reminder is due or a player's time is up."""

BEFORE_CALLING_OFF: Final = "before a match is called off"
CALL_OFF_POINTS: Final[dict[str, Point]] = {BEFORE_CALLING_OFF: Point(MatchWriter, "cancel", after=True)}
"""Points at which the bot may be killed while a match is called off."""

VACANCY_POINTS: Final[dict[str, Point]] = {
    "before a seat is vacant": Point(losing, "vacate", after=True),
    "before a takeover": Point(vacancies, "_take_over", after=True),
}
"""Points at which the bot may be killed while a seat becomes vacant, and while a computer takes it over."""

DAILY_POINTS: Final[dict[str, Point]] = {
    "after unfinished tries have ended": Point(DailyDeals, "_end", after=True),
    "before a day is closed": Point(daily, "close", after=True),
    "after a day is closed": Point(DailyDeals, "_close", after=True),
    "before a daily deal begins": Point(daily, "add", after=True),
    "after a daily deal has begun": Point(DailyDeals, "_begin", after=True),
    "before results are requested": Point(daily_posts, "save_revision", after=True),
    "after results are requested": Point(DailyPosts, "_request_results", after=True),
    "before daily posts are requested": Point(daily_posts, "add", after=True),
    "after daily posts are requested": Point(DailyPosts, "_request_posts", after=True),
}
"""Points at which the bot may be killed while the deal of a day is closed and the next one is posted.

The transaction of each point `before …` is not committed. An unfinished try is called off: see `CALL_OFF_POINTS`.
"""

EVERY_POINT: Final = POINTS | DUE_POINTS | CALL_OFF_POINTS | VACANCY_POINTS | DAILY_POINTS

OFFSET: Final = "clock is ahead"
"""Key in the table `key_value`. Its value is how far the bot's clock is ahead, in milliseconds (`HAS_OWN_CLOCK`)."""


def kill() -> None:
    """End this process like `kill -9`."""
    os.kill(os.getpid(), signal.SIGKILL)


class Countdown:
    """Counts down at each call, and calls `die` at the `left`-th."""

    def __init__(self, left: int, die: Callable[[], None] = kill) -> None:
        self.left = left
        self._die = die

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            self._die()


def counting_down(point: Point, countdown: Countdown) -> Callable[..., Awaitable[Any]]:
    """Return a kill point's function, wrapped so that each call that `Point.counts` accepts also calls `countdown`."""
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


def counting_commits(countdown: Countdown) -> Callable[[Units], AbstractAsyncContextManager[UnitOfWork]]:
    """Return `Units.write`, wrapped so that `countdown` is called after each commit that changed a match."""
    write = Units.write

    @asynccontextmanager
    async def counted(self: Units) -> AsyncGenerator[UnitOfWork]:
        async with write(self) as unit:
            yield unit
        if unit.saved:
            countdown()

    return counted


class GenerousShuffler(Shuffler):
    """Deals melds to both players, so that deals and matches end soon."""

    def for_event(self, event: Event) -> CardSource:
        """Return the cards of an event of a verifiable match, with melds for both players."""
        return GenerousEvent(event)

    def deck(self) -> tuple[Card, ...]:
        """Return a deck that gives each of two players two melds."""
        return generous_deck(Random())


class OwnClock:
    """A clock that is ahead of the system's by the offset in the database."""

    def __init__(self, url: str) -> None:
        self._database = DatabaseInspector(url)

    def __call__(self) -> datetime:
        query = "SELECT value FROM key_value WHERE key = :key"
        ((ahead,),) = self._database.rows(query, key=OFFSET) or [("0",)]
        return datetime.now(UTC) + timedelta(milliseconds=int(ahead))


def run_bot(fate: str) -> int:
    """Run the bot with a kill point such as `after commit:3`, or none. Return its exit code."""
    options = Application.__init__.__kwdefaults__
    assert options is not None
    options["taken_over_within"] = TAKEN_OVER_WITHIN
    if os.environ.get(HAS_OWN_CLOCK):
        options["clock"] = OwnClock(os.environ["DEADWOOD_DATABASE_URL"])
        setattr(timekeeper, "MAX_CHECK_INTERVAL", timedelta(seconds=0.1))  # noqa: B010 - a constant
    # Do not defer slow answers, so that runs on a busy machine make the same requests.
    setattr(answers, "DEFER_AFTER", 600)  # noqa: B010 - a constant
    # Do not drop interactions as late: the sandbox's clock is stopped, so new interactions have old timestamps.
    setattr(admission, "RESPONSE_TIMEOUT", 600)  # noqa: B010 - a constant
    # Restarts follow each other quickly here and must not be delayed.
    setattr(starts, "FREE_STARTS", sys.maxsize)  # noqa: B010 - a constant
    setattr(changes, "CLICK_ANSWER_DELAY", ANSWERED_WITHIN)  # noqa: B010 - a constant
    setattr(application, "Shuffler", GenerousShuffler)  # noqa: B010 - a class
    point, _, count = fate.partition(":")
    if point == AFTER_COMMIT:
        setattr(Units, "write", counting_commits(Countdown(int(count))))  # noqa: B010 - a method
    elif point:
        chosen = EVERY_POINT[point]
        setattr(chosen.owner, chosen.name, counting_down(chosen, Countdown(int(count))))
    return main(["run"])


def warm_up() -> None:
    """Draw the hands and tables of a match once, so that the forked processes inherit a filled cache of pictures."""
    for _, _, match in random_actions(1, Rules(target=1)):
        for seat in match.to_act:
            view = seat_view(match, seat)
            draw_hand(view)
            draw_table(view.public, (Portrait("N", "North"), Portrait("S", "South")))


if __name__ == "__main__":
    warm_up()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            sys.exit(run_bot(line.strip()))
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
