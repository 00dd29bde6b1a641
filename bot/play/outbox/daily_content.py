"""The post of the deal of the day on a server as it is wanted now: the deal to play, or the result."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from bot.model.daily import PLAYER, DailyDeal, DailyResult, end_of
from bot.model.daily_posts import MAX_REVIEWED, DailyPost, DailySummary, best_results, choice_from_text
from bot.model.ids import ChannelId, GuildId, PersonId
from bot.model.reviews import stored_review
from bot.opponent.review.reviews import accuracy
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import daily, daily_posts, guilds, outbox, reviews
from bot.store.daily_posts import DailyPostRow
from bot.store.rows import OutboxRow


async def daily_content(
    unit: UnitOfWork, row: OutboxRow, day: date
) -> tuple[ChannelId | None, DailyPost | DailySummary | None]:
    """Return the channel of a post, and its content; None if it must not be posted or must be removed.

    A post that did not appear while its day lasted, or that people deleted, does not appear afterwards. One that has
    not appeared yet is dropped if the server wants no more posts.
    """
    post = await daily_posts.load(unit.transaction, GuildId(row.subject_id), day)
    deal = await daily.load(unit.transaction, day)
    if post is None or deal is None:
        return None, None
    if unit.now < end_of(day):
        settings = (await guilds.load(unit.transaction, post.guild_id)).settings
        is_wanted = row.posted_revision > 0 or settings.daily_channel is not None
        if deal.commitment is None or not is_wanted:
            return post.channel_id, None
        return post.channel_id, DailyPost(post.guild_id, DailyDeal(day, deal.commitment))
    is_unwanted = row.message_id is None and (row.posted_revision == 0 or row.problem == outbox.DELETED)
    if is_unwanted or deal.closed_at is None:
        return post.channel_id, None
    return post.channel_id, await _summary(unit, post)


async def _summary(unit: UnitOfWork, post: DailyPostRow) -> DailySummary:
    results = await daily.results(unit.transaction, post.guild_id, post.day, post.day)
    accuracies = await _accuracies(unit, results)
    appearance = (await guilds.load(unit.transaction, post.guild_id)).settings.appearance
    choice = None if post.choice is None else choice_from_text(post.choice)
    next_deal = await _deal_to_play(unit, post.day + timedelta(days=1))
    return DailySummary(post.guild_id, post.day, appearance, results, accuracies, choice, next_deal)


async def _accuracies(unit: UnitOfWork, results: Sequence[DailyResult]) -> dict[PersonId, float]:
    """Return the accuracies of people's choices in the best tries, in percent, as far as these were reviewed."""
    best = best_results(results)[:MAX_REVIEWED]
    by_match = await reviews.of_matches(unit.transaction, [result.match_id for result in best], PLAYER)
    accuracies: dict[PersonId, float] = {}
    for result in best:
        stored = [stored_review(text) for text in by_match.get(result.match_id, ())]
        rated = accuracy([verdict for review in stored if review is not None for verdict in review.verdicts])
        if rated is not None and result.player.id is not None:
            accuracies[result.player.id] = rated[0]
    return accuracies


async def _deal_to_play(unit: UnitOfWork, day: date) -> DailyDeal | None:
    """Return the deal of a day if it can be played now."""
    row = await daily.load(unit.transaction, day)
    return None if row is None or unit.now >= end_of(day) else row.playable
