"""The posts of the deal of the day on servers that want them: requests them, and their change into results."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from bot.model.daily import day_at, number_of
from bot.model.daily_posts import INVITATION, RESULT, KeyChoice, choice_to_text, posted_at, ranked_results
from bot.model.ids import GuildId
from bot.model.matches import MatchInfo
from bot.model.outbox import MessageKind
from bot.play.daily.days import DailyDeals, open_deal
from bot.play.loading.batches import in_batches
from bot.play.loading.unit_of_work import Service, UnitOfWork, Units, shielded
from bot.play.refusals import NoDaily
from bot.store import daily, daily_posts, guilds, outbox
from bot.store.database import Lane
from bot.store.rows import WantedMessage
from bot.store.transaction import Transaction

POSTS_PER_TRANSACTION: Final = 50
"""Maximum number of posts that one transaction requests or deletes: other writes wait for it."""
KEPT: Final = timedelta(days=7)
"""Time after its day for which the row of a post is kept. Its last change usually comes within a day."""


class DailyPosts(Service):
    """Requests the posts of today's deal, and lets those of past days become results."""

    def __init__(self, units: Units, deals: DailyDeals) -> None:
        super().__init__(units)
        self._deals = deals

    async def run(self) -> None:
        """Request all posts and results that are due. A result has the commitment to the cards of the new day."""
        if not await self._is_due():
            return
        await self._deals.begin_today()
        await in_batches(self._request_results)
        await in_batches(self._request_posts)

    @shielded
    async def try_again(self, guild_id: GuildId) -> bool:
        """Have today's post of a server tried again if it has not appeared, in the channel that is chosen now.

        This is done now, or at the hour that is chosen now. Return True if the post has appeared: then changed settings
        count from the next day.
        """
        async with self._units.write() as unit:
            today = day_at(unit.now)
            post = await daily_posts.load(unit.transaction, guild_id, today)
            settings = (await guilds.load(unit.transaction, guild_id)).settings
            channel_id = settings.daily_channel
            message = await outbox.find(unit.transaction, MessageKind.DAILY, guild_id, number_of(today))
            if post is None or message is None or channel_id is None:
                return False
            if message.posted_revision > 0:
                return True
            await daily_posts.move(unit.transaction, guild_id, today, channel_id)
            elsewhere = post.channel_id != channel_id
            at = max(unit.now, posted_at(today, settings.daily_hour, settings.time_zone))
            await outbox.try_again(unit.transaction, message.id, at, elsewhere=elsewhere)
            unit.guilds_with_messages.add(guild_id)
            return False

    async def forget_old(self) -> None:
        """Delete the rows of posts that change no more. The messages stay on Discord."""
        await in_batches(self._forget_some)

    async def is_best(self, match: MatchInfo, guild_id: GuildId) -> bool:
        """Return True if a match is the best try on a server at a closed deal, so that everybody there may see it."""
        if match.day is None or match.is_sealed(self._units.clock()):
            return False
        async with self._units.read() as unit:
            deal = await daily.load(unit.transaction, match.day)
            ranked = ranked_results(await daily.results(unit.transaction, guild_id, match.day, match.day))
        is_first = any(place == 1 and result.match_id == match.id for place, result in ranked)
        return deal is not None and deal.closed_at is not None and is_first

    async def _is_due(self) -> bool:
        async with self._units.read(Lane.BACKGROUND) as unit:
            if await daily_posts.without_result(unit.transaction, day_at(unit.now), 1):
                return True
            due = await _due_times(unit.transaction, unit.now)
            return bool(due) and bool(await daily_posts.unposted(unit.transaction, day_at(unit.now), due, 1))

    @shielded
    async def _request_posts(self) -> bool:
        """Request some posts. Return False if none are due, or if there is no deal today."""
        async with self._units.write() as unit:
            try:
                today = (await open_deal(unit)).day
            except NoDaily:
                return False
            due = await _due_times(unit.transaction, unit.now)
            servers = await daily_posts.unposted(unit.transaction, today, due, POSTS_PER_TRANSACTION)
            for guild_id, channel_id in servers:
                await daily_posts.add(unit.transaction, guild_id, today, channel_id)
            outbox.request(unit.transaction, [_wanted(guild_id, today, unit.now) for guild_id, _ in servers])
            unit.guilds_with_messages.update(guild_id for guild_id, _ in servers)
            return bool(servers)

    @shielded
    async def _forget_some(self) -> bool:
        """Delete the rows of some old posts. Return False if there were none."""
        # Read first: even an empty write transaction blocks other writers.
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await daily_posts.before(unit.transaction, day_at(unit.now - KEPT), 1):
                return False
        async with self._units.write() as unit:
            for post in await daily_posts.before(unit.transaction, day_at(unit.now - KEPT), POSTS_PER_TRANSACTION):
                message = await outbox.find(unit.transaction, MessageKind.DAILY, post.guild_id, number_of(post.day))
                if message is not None:
                    await outbox.remove(unit.transaction, message.id)
                await daily_posts.remove(unit.transaction, post.guild_id, post.day)
        return True

    @shielded
    async def _request_results(self) -> bool:
        """Let some posts of closed deals become results. Return False if there were none."""
        async with self._units.write() as unit:
            posts = await daily_posts.without_result(unit.transaction, day_at(unit.now), POSTS_PER_TRANSACTION)
            for post in posts:
                await request_revision(unit, post.guild_id, post.day, RESULT)
            return bool(posts)


def _wanted(guild_id: GuildId, day: date, now: datetime) -> WantedMessage:
    """Return the wanted post of a day's deal on a server."""
    part = number_of(day)
    return WantedMessage(MessageKind.DAILY, guild_id, part, guild_id, INVITATION, 0, removed=False, due_at=now)


async def request_revision(
    unit: UnitOfWork, guild_id: GuildId, day: date, revision: int, choice: KeyChoice | None = None
) -> None:
    """Save a newer revision of a post, and request the edit of its message, unless it was never posted."""
    text = None if choice is None else choice_to_text(choice)
    if await daily_posts.save_revision(unit.transaction, guild_id, day, revision, text):
        kind, part = MessageKind.DAILY, number_of(day)
        await outbox.request_revision(unit.transaction, kind, guild_id, part, revision, unit.now)
        unit.guilds_with_messages.add(guild_id)


async def _due_times(transaction: Transaction, now: datetime) -> list[tuple[str, int]]:
    """Return those of the servers' time zones and hours in which today's deal must have been posted by now."""
    today = day_at(now)
    return [
        (time_zone, hour)
        for time_zone, hour in await daily_posts.times(transaction)
        if now >= posted_at(today, hour, time_zone)
    ]
