"""The application: all services, built on one database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.play.census import Census
from bot.play.challenges.challenges import Challenges
from bot.play.challenges.drafts import Drafts
from bot.play.challenges.lobbies import Lobbies
from bot.play.daily.calendars import DailyCalendars
from bot.play.daily.days import DailyDeals
from bot.play.daily.posts import DailyPosts
from bot.play.daily.reminders import DailyReminders
from bot.play.daily.reviews import DailyReviews
from bot.play.daily.standings import DailyStandings
from bot.play.daily.tries import DailyTries
from bot.play.fairness.restoring import Restoring
from bot.play.fairness.verification import Verification
from bot.play.fairness.words import Words
from bot.play.guilds.guilds import Guilds
from bot.play.guilds.rulebook import Rulebook
from bot.play.key_values import KeyValueStore
from bot.play.loading.unit_of_work import Units
from bot.play.luck.counting import LuckCounting
from bot.play.luck.dealt_decks import DealtDecks
from bot.play.matches.arranging import Arranging
from bot.play.matches.computers import Computers
from bot.play.matches.endings import Endings
from bot.play.matches.holidays import Holidays
from bot.play.matches.lookup import Lookup
from bot.play.matches.match_records import MatchRecords
from bot.play.matches.match_writer import MatchWriter
from bot.play.matches.orders import StandingOrders
from bot.play.matches.pauses import Pauses
from bot.play.matches.practice import Practice
from bot.play.matches.replays import Replays
from bot.play.matches.reviews import Reviews
from bot.play.matches.shuffler import Shuffler
from bot.play.matches.tables import Tables
from bot.play.matches.taking_back import TakingBack
from bot.play.matches.thinker import NoThinker, Thinker
from bot.play.matches.timekeeper import Timekeeper
from bot.play.matches.times import Times
from bot.play.matches.turns import Turns
from bot.play.matches.vacancies import Vacancies
from bot.play.moments import TimeRepair
from bot.play.outages import Outages
from bot.play.outbox.outbox import Outbox
from bot.play.people.blocks import Blocks
from bot.play.people.erasure import Erasure
from bot.play.people.exports import Exports
from bot.play.people.history import History
from bot.play.people.lessons import Lessons
from bot.play.people.people import People
from bot.play.people.profiles import Profiles
from bot.play.records.filling import RecordsBackfill
from bot.play.records.server_records import ServerRecords
from bot.play.refusals import Unavailable
from bot.play.sharing.exclusive import Exclusive
from bot.play.sharing.leases import TAKEOVER_TIME, Leases
from bot.play.standing.filling import StandingsBackfill
from bot.play.standing.leaderboards import Leaderboards
from bot.play.standing.rerating import Rerating
from bot.store.database import Database
from bot.store.errors import DatabaseError

PING_TIMEOUT: Final = 5.0
"""Timeout for the database's ping, in seconds: the heartbeat must report trouble in time."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class Application:
    """The bot's use cases: one service for each topic."""

    def __init__(
        self,
        database: Database,
        *,
        thinker: Thinker | None = None,
        shuffler: Shuffler | None = None,
        clock: Callable[[], datetime] = utc_now,
        taken_over_within: timedelta = TAKEOVER_TIME,
    ) -> None:
        """Build the services.

        Without a thinker, computers do not move. If this process hangs, another one takes over its work within
        `taken_over_within`.
        """
        self.clock = clock
        self._database = database
        self._ping: asyncio.Task[None] | None = None
        """The latest ping of the database."""
        units, writer = Units(database, clock), MatchWriter(shuffler or Shuffler())
        self.requests = units.requests
        self.share = units.share
        self.connected = units.connected
        self.leases = Leases(units, database, taken_over_within)
        self.exclusive = Exclusive(database)
        self.lookup = Lookup(units)
        self.turns = Turns(units, writer)
        self.orders = StandingOrders(units, writer)
        self.arranging = Arranging(units, writer)
        self.taking_back = TakingBack(units, writer)
        self.tables = Tables(units, writer)
        self.endings = Endings(units, writer)
        self.pauses = Pauses(units, writer)
        self.times = Times(units, writer)
        self.vacancies = Vacancies(units, writer)
        self.holidays = Holidays(units, writer)
        self.timekeeper = Timekeeper(units, writer)
        self.outages = Outages(units)
        self.replays = Replays(units)
        self.match_records = MatchRecords(units)
        self.practice = Practice(units, writer)
        self.daily_deals = DailyDeals(units, writer)
        self.daily_reminders = DailyReminders(units)
        self.daily_tries = DailyTries(units, writer, self.daily_deals)
        self.daily_standings = DailyStandings(units)
        self.daily_calendars = DailyCalendars(units)
        self.daily_posts = DailyPosts(units, self.daily_deals)
        self.words = Words(units, writer)
        self.verification = Verification(units)
        self.restoring = Restoring(units, writer)
        thinker = thinker or NoThinker()
        self.computers = Computers(units, writer, thinker)
        self.reviews = Reviews(units, thinker)
        self.daily_reviews = DailyReviews(units, thinker)
        self.challenges = Challenges(units, writer)
        self.lobbies = Lobbies(units, writer)
        self.drafts = Drafts(units)
        self.erasure = Erasure(units, database)
        self.people = People(units, writer, self.erasure)
        self.blocks = Blocks(units, writer)
        self.profiles = Profiles(units)
        self.history = History(units)
        self.server_records = ServerRecords(units)
        self.records_backfill = RecordsBackfill(units)
        self.luck_counting = LuckCounting(units)
        self.dealt_decks = DealtDecks(units)
        self.exports = Exports(units)
        self.lessons = Lessons(units)
        self.guilds = Guilds(units)
        self.rulebook = Rulebook(units)
        self.leaderboards = Leaderboards(units)
        self.standings_backfill = StandingsBackfill(units)
        self.rerating = Rerating(units)
        self.outbox = Outbox(units)
        self.time_repair = TimeRepair(units)
        self.census = Census(units)
        self.key_values = KeyValueStore(units)

    async def require_database(self) -> None:
        """Raise `Unavailable` if the database cannot be used, or does not answer within `PING_TIMEOUT`.

        While a ping of the database is unanswered, no second one is sent: all connections may be waiting for the same
        lock.
        """
        if self._ping is None or self._ping.done():
            self._ping = asyncio.create_task(self._database.check_health())
            # Retrieve the exception even if no caller is waiting for the ping.
            self._ping.add_done_callback(lambda task: task.cancelled() or task.exception())
        ping = self._ping
        try:
            await asyncio.wait((ping,), timeout=PING_TIMEOUT)
        except asyncio.CancelledError:
            ping.cancel()
            raise
        if not ping.done() or ping.cancelled():
            # Callers share one ping of the database, so it may have been cancelled together with another caller.
            raise Unavailable
        try:
            ping.result()
        except DatabaseError:
            raise Unavailable from None

    @property
    def database_loss(self) -> str | None:
        """A sentence that names the removed or replaced database file; None if no file was lost."""
        return self._database.loss

    @property
    def database_log_size(self) -> int:
        """The size of the database's write-ahead log, in bytes. See `Database.log_size`."""
        return self._database.log_size

    async def wait_for_damage(self) -> str:
        """Wait until the database is found to be damaged, and return the error message."""
        return str(await self._database.health.wait_for_damage())
