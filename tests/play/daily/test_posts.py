"""The post of the deal of the day on a server, and its result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

import pytest

from bot.engine.deals.moves import TAKE
from bot.model.daily import day_at, end_of, number_of
from bot.model.daily_posts import DailyPost, DailySummary, posted_at
from bot.model.ids import ChannelId, GuildId
from bot.model.matches import Shortcut
from bot.model.outbox import MessageKind, OutboxMessage
from bot.model.people import Person
from bot.play.application import Application
from bot.play.daily import posts
from bot.play.daily.days import CLOSING_DELAY
from bot.play.guilds.guilds import RETENTION
from bot.play.outbox.outbox import Failed, Outcome, WasRemoved, WasTooOld
from bot.store import daily_posts
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.messages import DeliveredMessage, FakeCourier
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    OTHER_GUILD,
    SOUTH,
    Players,
    change_settings,
    interaction,
)
from tests.helpers.thinkers import LocalThinker

DAY = timedelta(days=1)
DAILY = MessageKind.DAILY


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the application at 9:00 on a day on which the person acts first, with decks to go gin at once."""
    clock.now = datetime(2026, 11, 22, 9, tzinfo=UTC)
    return Application(database, thinker=LocalThinker(), shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 99), clock=clock)


@pytest.fixture(autouse=True)
async def _posts(app: Application) -> None:  # pyright: ignore[reportUnusedFunction]
    """Have the deal of the day posted on the server."""
    await change_settings(app, daily_channel=CHANNEL)


async def run_chores(app: Application) -> None:
    """Close past deals, and request all posts and results that are due."""
    await app.daily_deals.close_past()
    await app.daily_posts.run()


async def only_post(app: Application, courier: FakeCourier) -> DeliveredMessage:
    """Do the chores, deliver all messages, and return the only post of a deal of the day."""
    await run_chores(app)
    await courier.deliver()
    (posted,) = courier.of_kind(DAILY)
    return posted


async def go_gin(app: Application, person: Person = NORTH, guild_id: GuildId | None = GUILD) -> None:
    """Let a person go gin in the first turn of their try."""
    hand = (await app.daily_tries.start(person, guild_id, interaction())).hand
    await app.turns.move(person.id, hand.match.id, TAKE, interaction())
    await app.turns.move(person.id, hand.match.id, Shortcut.GIN, interaction())


def end_day(clock: Clock) -> None:
    """Advance the clock to the moment at which the deal of the day is closed."""
    clock.now = end_of(day_at(clock.now)) + CLOSING_DELAY


def summary_of(posted: DeliveredMessage) -> DailySummary:
    """Return the result that a post shows."""
    assert isinstance(posted.shown.content, DailySummary)
    return posted.shown.content


@pytest.mark.both_databases
async def test_a_post_becomes_its_result(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """A deal is posted once at the server's hour. After the day, the same message has the result and the next deal."""
    clock.now -= timedelta(milliseconds=1)
    await run_chores(app)
    assert await courier.deliver() == []
    clock.pass_by(timedelta(milliseconds=1))
    posted = await only_post(app, courier)
    today = (await app.daily_tries.today(NORTH.id)).deal
    assert posted.shown.content == DailyPost(GUILD, today)
    assert posted.channel_id == CHANNEL
    await go_gin(app)
    await app.daily_tries.start(SOUTH, GUILD, interaction())
    await go_gin(app, EAST, OTHER_GUILD)
    for _ in range(2):
        assert (await only_post(app, courier)).edits == 0
    end_day(clock)
    assert await only_post(app, courier) is posted
    assert posted.edits == 1
    result = summary_of(posted)
    assert (result.day, [row.player.id for row in result.podium.rows]) == (today.day, [NORTH.id])
    assert (result.podium.endings.players, result.podium.endings.unfinished, result.podium.endings.gins) == (2, 1, 1)
    assert result.best is not None
    assert result.best.player.id == NORTH.id
    next_deal = (await app.daily_tries.today(NORTH.id)).deal
    assert (result.next_deal, next_deal.day) == (next_deal, today.day + DAY)
    for _ in range(2):
        await run_chores(app)
        assert await courier.deliver() == []


async def test_nothing_is_posted_without_a_channel(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """A server without a channel gets no posts, and a post that exists still becomes its result."""
    await only_post(app, courier)
    await change_settings(app, daily_channel=None)
    end_day(clock)
    posted = await only_post(app, courier)
    assert summary_of(posted).results == ()
    clock.pass_by(10 * timedelta(hours=1))
    await run_chores(app)
    assert await courier.deliver() == []


async def test_a_new_channel_begins_the_next_day(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """If the channel changes after the post appeared, the post stays in the old one until the next day."""
    posted = await only_post(app, courier)
    await change_settings(app, daily_channel=ELSEWHERE)
    assert await app.daily_posts.try_again(GUILD)
    assert await only_post(app, courier) is posted
    assert posted.channel_id == CHANNEL
    await change_settings(app, time_zone="Asia/Tokyo", daily_hour=23)
    assert await app.daily_posts.try_again(GUILD)
    assert await only_post(app, courier) is posted
    await change_settings(app, time_zone="UTC", daily_hour=9)
    clock.pass_by(DAY)
    await run_chores(app)
    await courier.deliver()
    assert [message.channel_id for message in courier.of_kind(DAILY)] == [CHANNEL, ELSEWHERE]


FATES: dict[str, Callable[[OutboxMessage], Outcome | None]] = {
    "waiting": lambda _: None,
    "refused": lambda message: Failed(message, "50013", timedelta(minutes=30)),
    "given up": WasRemoved,
}


@pytest.mark.both_databases
@pytest.mark.parametrize("fate", FATES)
@pytest.mark.parametrize("channel_id", [CHANNEL, ELSEWHERE])
async def test_a_post_that_has_not_appeared_is_tried_again(
    app: Application, clock: Clock, courier: FakeCourier, fate: str, channel_id: ChannelId
) -> None:
    """A post that has not appeared is posted once, in the channel that is chosen later, and becomes its result."""
    await run_chores(app)
    (message,) = await courier.due()
    outcome = FATES[fate](message)
    await app.outbox.record([] if outcome is None else [outcome])
    await change_settings(app, daily_channel=channel_id)
    assert not await app.daily_posts.try_again(GUILD)
    posted = await only_post(app, courier)
    assert posted.channel_id == channel_id
    end_day(clock)
    assert await only_post(app, courier) is posted
    assert (posted.edits, summary_of(posted).results) == (1, ())


async def test_a_post_that_has_not_appeared_waits_for_a_later_hour(
    app: Application, clock: Clock, courier: FakeCourier
) -> None:
    """If a later hour is chosen while permissions are missing, the post does not appear before that hour."""
    await run_chores(app)
    (message,) = await courier.due()
    await app.outbox.record([Failed(message, "50013", timedelta(minutes=30))])
    await change_settings(app, daily_hour=clock.now.hour + 2)
    assert not await app.daily_posts.try_again(GUILD)
    clock.pass_by(timedelta(hours=1))
    assert await courier.due() == []
    clock.pass_by(timedelta(hours=1))
    assert len(await courier.due()) == 1


async def test_a_post_that_appears_while_the_channel_changes_is_replaced(
    app: Application, courier: FakeCourier
) -> None:
    """If the post reaches the old channel while a new one is chosen, it is deleted there."""
    await run_chores(app)
    outcomes = [courier.send(message) for message in await courier.due()]
    await change_settings(app, daily_channel=ELSEWHERE)
    assert not await app.daily_posts.try_again(GUILD)
    await app.outbox.record(outcomes)
    assert (await only_post(app, courier)).channel_id == ELSEWHERE


async def test_a_post_that_is_no_longer_wanted_is_dropped(app: Application, courier: FakeCourier) -> None:
    """If a server wants no more posts, one that has not appeared is dropped, until there is a channel again."""
    await run_chores(app)
    await change_settings(app, daily_channel=None)
    assert not await app.daily_posts.try_again(GUILD)
    await courier.deliver()
    assert courier.messages == {}
    await change_settings(app, daily_channel=ELSEWHERE)
    assert not await app.daily_posts.try_again(GUILD)
    assert (await only_post(app, courier)).channel_id == ELSEWHERE


async def test_a_post_that_was_deleted_stays_deleted(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """If people delete the post, its result does not appear, and the next day has a post again."""
    posted = await only_post(app, courier)
    del courier.messages[posted.id]
    end_day(clock)
    await run_chores(app)
    await courier.deliver()
    assert courier.of_kind(DAILY) == []
    await app.daily_reviews.review_some()
    assert await courier.deliver() == []
    clock.pass_by(9 * timedelta(hours=1))
    assert isinstance((await only_post(app, courier)).shown.content, DailyPost)


async def test_a_post_that_accepts_no_edits_is_replaced(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """If Discord accepts no more edits of the post, the result is a new message, and the post is deleted."""
    posted = await only_post(app, courier)
    end_day(clock)
    await run_chores(app)
    (message,) = await courier.due()
    await app.outbox.record([WasTooOld(message)])
    await courier.deliver()
    (result,) = courier.of_kind(DAILY)
    assert result is not posted
    assert summary_of(result).day == day_at(clock.now - DAY)
    assert result.shown.was_deleted


async def test_a_crash_after_the_post_does_not_post_twice(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """After a crash between posting and recording, the same nonce prevents a second post."""
    await run_chores(app)
    for message in await courier.due():
        courier.send(message)
    courier.app = Application(database, clock=clock)
    await only_post(courier.app, courier)


async def test_a_post_that_could_not_be_sent_that_day_is_dropped(
    app: Application, clock: Clock, courier: FakeCourier
) -> None:
    """A post that did not reach Discord before the end of its day appears neither then nor as a result."""
    await run_chores(app)
    clock.now = end_of(day_at(clock.now))
    await courier.deliver()
    assert courier.messages == {}
    end_day(clock)
    clock.now -= DAY
    await run_chores(app)
    await courier.deliver()
    assert courier.messages == {}


@pytest.mark.both_databases
async def test_two_processes_request_one_post(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """If two processes do the chores at the same time, each post and result is requested once."""
    other = Application(database, clock=clock)
    for number in range(5):
        await change_settings(app, GuildId(GUILD + 100 + number), daily_channel=CHANNEL)
    await asyncio.gather(*(each.daily_posts.run() for each in (app, other)))
    await courier.deliver()
    assert len(courier.of_kind(DAILY)) == 6
    end_day(clock)
    await asyncio.gather(*(run_chores(each) for each in (app, other)))
    await courier.deliver()
    assert [(message.edits, summary_of(message).results) for message in courier.of_kind(DAILY)] == [(1, ())] * 6


async def test_many_servers_get_their_posts_in_small_transactions(
    app: Application, courier: FakeCourier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All servers get a post, even if there are more of them than one transaction takes."""
    monkeypatch.setattr(posts, "POSTS_PER_TRANSACTION", 2)
    for number in range(4):
        await change_settings(app, GuildId(GUILD + 100 + number), daily_channel=CHANNEL)
    await app.daily_posts.run()
    await courier.deliver()
    assert {message.shown.guild_id for message in courier.of_kind(DAILY)} == {
        GUILD,
        *(GUILD + 100 + number for number in range(4)),
    }


async def test_a_server_that_removed_the_bot_gets_nothing(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """A server without the bot gets no posts; once the bot is back, the post becomes its result. Purging removes it."""
    posted = await only_post(app, courier)
    await app.guilds.save_left(GUILD)
    end_day(clock)
    await run_chores(app)
    assert await courier.deliver() == []
    clock.pass_by(DAY)
    await run_chores(app)
    assert await courier.deliver() == []
    await app.guilds.save_joined(GUILD)
    await run_chores(app)
    await courier.deliver()
    assert summary_of(posted).day == day_at(clock.now - 2 * DAY)
    assert summary_of(posted).next_deal is None
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + DAY)
    await app.guilds.purge()
    async with database.read() as transaction:
        assert await daily_posts.load(transaction, GUILD, summary_of(posted).day) is None


async def test_forgotten_people_are_not_in_the_result(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """A person who asked to be forgotten before the post became the result is not in it."""
    await only_post(app, courier)
    await go_gin(app)
    await go_gin(app, SOUTH)
    await app.people.forget(NORTH.id)
    end_day(clock)
    result = summary_of(await only_post(app, courier))
    assert [row.player.id for row in result.podium.rows] == [SOUTH.id]


async def test_the_end_waits_until_the_deal_is_closed(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """Between midnight and the closing of the deal, the post stays as it is."""
    posted = await only_post(app, courier)
    end_day(clock)
    clock.now -= timedelta(milliseconds=1)
    assert (await only_post(app, courier)).edits == 0
    clock.pass_by(timedelta(milliseconds=1))
    assert await only_post(app, courier) is posted
    assert posted.edits == 1


async def test_a_clock_that_was_ahead_repeats_no_post(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """If the clock was ahead by days and is set back, today's post stays the only one of the day."""
    await only_post(app, courier)
    right = clock.now
    clock.pass_by(400 * DAY)
    await run_chores(app)
    clock.now = right
    await app.time_repair.repair()
    for _ in range(2):
        await run_chores(app)
    await courier.deliver()
    days = [message.shown.part for message in courier.of_kind(DAILY)]
    assert days.count(number_of(day_at(right))) == 1
    clock.pass_by(DAY)
    await run_chores(app)
    await courier.deliver()
    days = [message.shown.part for message in courier.of_kind(DAILY)]
    assert days.count(number_of(day_at(clock.now))) == 1


async def test_a_result_is_not_shown_before_the_day_is_over(
    app: Application, clock: Clock, courier: FakeCourier
) -> None:
    """If the clock was ahead when the result was requested, and is right when it is delivered, nothing is revealed."""
    posted = await only_post(app, courier)
    await go_gin(app)
    right = clock.now
    end_day(clock)
    await run_chores(app)
    clock.now = right
    await courier.deliver()
    assert isinstance(posted.shown.content, DailyPost)


@pytest.mark.parametrize(
    ("day", "hour", "time_zone", "expected"),
    [
        ((2026, 11, 21), 9, "UTC", (2026, 11, 21, 9)),
        ((2026, 11, 21), 0, "UTC", (2026, 11, 21, 0)),
        ((2026, 11, 21), 9, "America/New_York", (2026, 11, 21, 14)),
        ((2026, 11, 21), 20, "America/New_York", (2026, 11, 21, 1)),
        ((2026, 11, 21), 9, "Pacific/Auckland", (2026, 11, 21, 20)),
        ((2026, 11, 21), 5, "Asia/Kolkata", (2026, 11, 21, 23, 30)),
        # On these days, clocks go forward or back.
        ((2026, 3, 29), 9, "Europe/Berlin", (2026, 3, 29, 7)),
        ((2026, 3, 29), 2, "Europe/Berlin", (2026, 3, 29, 1)),
        ((2026, 10, 25), 9, "Europe/Berlin", (2026, 10, 25, 8)),
        ((2026, 10, 25), 1, "Europe/Berlin", (2026, 10, 25, 23)),
        ((2026, 11, 21), 9, "Nowhere/Land", (2026, 11, 21, 9)),
    ],
)
def test_the_hour_is_in_the_servers_time_zone(
    day: tuple[int, int, int], hour: int, time_zone: str, expected: tuple[int, ...]
) -> None:
    """A deal is posted when the server's clocks show the hour, on the deal's own day in UTC."""
    assert posted_at(date(*day), hour, time_zone) == datetime(*expected, tzinfo=UTC)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("hour", range(24))
def test_every_day_has_one_moment_for_each_hour(hour: int) -> None:
    """In every time zone, the moment of the post lies within the day, also when clocks change."""
    for time_zone in ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland", "Asia/Kathmandu"):
        for number in range(366):
            day = date(2026, 1, 1) + number * DAY
            moment = posted_at(day, hour, time_zone)
            assert datetime.combine(day, time(), UTC) <= moment < end_of(day)


async def test_the_best_try_of_a_past_day_is_open_to_the_server(app: Application, clock: Clock) -> None:
    """Once a deal is closed, everybody on a server may see the best try that counts there, and no other."""
    await go_gin(app)
    hand = (await app.daily_tries.start(SOUTH, GUILD, interaction())).hand
    own = (await app.daily_tries.today(NORTH.id)).own
    assert own is not None
    best = await app.lookup.info(own.match_id)
    assert not await app.daily_posts.is_best(best, GUILD)
    end_day(clock)
    assert not await app.daily_posts.is_best(best, GUILD)
    await app.daily_deals.close_past()
    assert await app.daily_posts.is_best(best, GUILD)
    assert not await app.daily_posts.is_best(best, OTHER_GUILD)
    assert not await app.daily_posts.is_best(await app.lookup.info(hand.match.id), GUILD)


async def test_a_server_is_offered_the_deal_of_the_day_once(app: Application) -> None:
    """The hand after the press that ends a server's first match offers the deal of the day, unless it is posted."""

    async def offers(guild_id: GuildId) -> list[bool]:
        players, offered = Players(app, (NORTH, SOUTH)), list[bool]()
        for _ in range(2):
            match = await players.begin("classic target=10", CHANNEL, guild_id)
            await app.turns.move(NORTH.id, match.id, TAKE, interaction())
            hand = await app.turns.move(NORTH.id, match.id, Shortcut.GIN, interaction())
            offered += [hand.offers_daily, (await app.lookup.hand(NORTH.id, match.id)).offers_daily]
        return offered

    assert await offers(OTHER_GUILD) == [True, False, False, False]
    assert await offers(GUILD) == [False, False, False, False]
    await change_settings(app, daily_channel=None)
    assert await offers(GUILD) == [True, False, False, False]


async def test_old_posts_are_forgotten(
    app: Application, database: Database, courier: FakeCourier, clock: Clock
) -> None:
    """A week after its day, the row of a post is deleted, and its message stays."""
    today = day_at(clock.now)
    await only_post(app, courier)
    clock.now = end_of(today) + posts.KEPT - timedelta(minutes=1)
    await app.daily_posts.forget_old()
    async with database.read() as transaction:
        assert await daily_posts.load(transaction, GUILD, today) is not None
    clock.pass_by(timedelta(minutes=1))
    await app.daily_posts.forget_old()
    async with database.read() as transaction:
        assert await daily_posts.load(transaction, GUILD, today) is None
    assert await app.outbox.find(DAILY, GUILD, number_of(today)) is None
    await courier.deliver()
    assert len(courier.of_kind(DAILY)) == 1
