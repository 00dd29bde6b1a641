"""Sample calls of every query of the store, for tests that run all queries."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy import Connection, Engine, event

import bot.store
from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import Outcome, OutcomeKind
from bot.engine.fairness.fair import Chain
from bot.engine.rules import Rules
from bot.luck.measures import Luck
from bot.model.appearance import Appearance
from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.clocks import Standstill, TimeChange
from bot.model.daily import DailyScore
from bot.model.daily_reminders import ReminderTime
from bot.model.guilds import GuildSettings, NamedRules
from bot.model.history import PageKey
from bot.model.ids import (
    ChainId,
    ChallengeId,
    ChannelId,
    GuildId,
    InteractionId,
    MatchId,
    MessageId,
    OutboxId,
    PersonId,
)
from bot.model.matches import MadeCasual, MatchInfo, MatchKind, MatchStatus, Proposal, Terms
from bot.model.outbox import MessageKind, PostedMessage, Topic
from bot.model.people import Person, Preferences, QuietHours
from bot.model.ratings import FIRST_RATING, RatingChange
from bot.model.records import Entry, RecordKind, Streak
from bot.model.seasons import Award, Awarded, Season
from bot.model.shards import ALL_SHARDS, Shards
from bot.model.standings import NO_SUMS, Order
from bot.model.statistics import Category, Player, SeatResult
from bot.store import (
    blocks,
    census,
    chains,
    challenges,
    clocks,
    computer_turns,
    daily,
    daily_posts,
    daily_reminders,
    decks,
    earlier_standings,
    ended_matches,
    erasures,
    guilds,
    history,
    key_values,
    leases,
    lessons,
    luck,
    matches,
    moments,
    offer_pings,
    outbox,
    people,
    player_words,
    records,
    removal,
    reviews,
    rows,
    seasons,
    standing_chunks,
    standings,
    statistics,
    tables,
)
from bot.store.player_words import WordsRow
from bot.store.removal import StaleRows
from bot.store.rows import StandingRow, WantedMessage, columns_of
from bot.store.sqlite_connections import Writer
from bot.store.standing_chunks import Chunk
from bot.store.transaction import Transaction, Write

Query = Callable[..., Any]


class UnchangedError(Exception):
    """Raised by a sample call of a query that must change a row."""


AT: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
DAY: Final = AT.date()
SOME_SHARDS: Final = Shards(frozenset((0, 2)), 4)
GUILD, CHANNEL, MESSAGE = GuildId(1), ChannelId(2), MessageId(3)
NORTH, SOUTH = PersonId(4), PersonId(5)
MATCH, CHALLENGE, OUTBOX, INTERACTION = MatchId(6), ChallengeId(7), OutboxId(8), InteractionId(9)
POSTED: Final = PostedMessage(CHANNEL, MESSAGE)
PENDING_CHALLENGE: Final = Challenge(
    CHALLENGE, GUILD, CHANNEL, "classic", Rules(), 0, (), (), ChallengeStatus.PENDING, 1, AT, AT, None
)
MATCH_INFO: Final = MatchInfo(
    MATCH,
    MatchKind.STANDARD,
    GUILD,
    CHANNEL,
    False,
    MatchStatus.RUNNING,
    1,
    2,
    "classic",
    Rules(),
    (),
    (),
    AT,
    AT,
    None,
    Appearance(),
)
NEW_CHALLENGE: Final = {
    "guild_id": GUILD,
    "channel_id": CHANNEL,
    "challenger_id": NORTH,
    "ruleset": "classic",
    "rules": Rules(),
    "created_at": AT,
    "expires_at": AT,
    "interaction_id": INTERACTION,
    "status": ChallengeStatus.PENDING,
}
TERMS: Final = Terms(MatchKind.STANDARD, GUILD, CHANNEL, "classic", Rules())
RESULT: Final = SeatResult(1, 0, 85, 1, 0, won=True, drawn=False)
LUCK: Final = Luck(1, 56, 5, 3, 0, 0)
RECORD: Final = Entry(RecordKind.LARGEST_DEAL, MATCH, 1, 0, 85, AT)
WANTED: Final = WantedMessage(MessageKind.TABLE, MATCH, 0, GUILD, 2, 2, False, AT)
STANDING: Final = StandingRow(1, NORTH, NO_SUMS, 1500.0, 500.0, 5, 7, 8, 9)
AWARDED: Final = Awarded(Award.PODIUM, Category.POINTS, 1, NORTH, "North", 5)
CHAIN, SEED_CHAIN = ChainId(10), Chain.ending_with(bytes(32))
WORDS: Final = WordsRow(NORTH, "north wind", 3, early=False, given_at=AT)
REMINDER_TIME: Final = ReminderTime(18, QuietHours())
CHANGE: Final = RatingChange(1, FIRST_RATING, FIRST_RATING)

LEFTOVERS: Final[Sequence[Callable[[datetime], StaleRows]]] = (
    lambda at: offer_pings.outside(at, at),
    chains.messages_of_unneeded,
    chains.unneeded,
    challenges.expired_drafts,
    challenges.messages_of_old_closed,
    challenges.old_closed,
    clocks.old_standstills,
    clocks.old_holidays,
    standings.obsolete_boards,
)
"""The queries that find rows which housekeeping removes."""

CALLS: Final[Sequence[tuple[Query, tuple[Any, ...], dict[str, Any]]]] = (
    (challenges.load, (CHALLENGE,), {}),
    (challenges.by_interaction, (INTERACTION,), {}),
    (challenges.pending_from, (NORTH,), {}),
    (challenges.pending_in, (GUILD,), {}),
    (challenges.joined_by, (NORTH,), {}),
    (challenges.unexpired_naming, (GUILD, [NORTH], SOUTH, AT), {}),
    (challenges.involving, (NORTH,), {}),
    (challenges.expired, (AT, 10), {}),
    (challenges.create, (NEW_CHALLENGE, [SOUTH]), {}),
    (challenges.save_guest, (CHALLENGE, SOUTH), {"joined": True}),
    (challenges.set_pinged, (CHALLENGE, [SOUTH]), {}),
    (challenges.set_pinged, (CHALLENGE, []), {}),
    (challenges.remove_guest, (CHALLENGE, SOUTH), {}),
    (challenges.remove_absent_guests, (CHALLENGE,), {}),
    (challenges.revise, (PENDING_CHALLENGE,), {"status": ChallengeStatus.ACCEPTED, "match_id": MATCH}),
    (challenges.remove, (CHALLENGE,), {}),
    (challenges.remove_drafts, (NORTH,), {}),
    (chains.create, (SEED_CHAIN, AT), {"challenge_id": CHALLENGE}),
    (chains.load, (CHAIN,), {}),
    (chains.of_challenge, (CHALLENGE,), {}),
    (chains.of_rematch, (MATCH,), {}),
    (chains.of_practice, (NORTH,), {}),
    (chains.of_match, (MATCH,), {}),
    (chains.secrets, (MATCH,), {}),
    (chains.assign_to_match, (CHAIN, MATCH), {}),
    (chains.delete_secrets, (MATCH,), {}),
    (chains.save_posted, (CHAIN, POSTED, AT), {}),
    (chains.matches_and_challenges_with_chains, (), {}),
    (chains.remove_all_unused, (), {}),
    (chains.remove_of_challenge, (CHALLENGE,), {}),
    (chains.forget, (NORTH,), {}),
    (guilds.load, (GUILD,), {}),
    (guilds.change, (GUILD,), {"left_at": AT}),
    (guilds.change, (GUILD,), columns_of(GuildSettings(channels=(CHANNEL,)))),
    (guilds.offer_daily, (GUILD,), {}),
    (guilds.house_rules, (GUILD,), {}),
    (guilds.touch, (GUILD,), {}),
    (guilds.save_house_rule, (GUILD, "ours", NamedRules("Ours", Rules(), house=True)), {}),
    (guilds.remove_house_rule, (GUILD, "ours"), {}),
    (guilds.that_left, (), {}),
    (guilds.unavailable, (ALL_SHARDS,), {}),
    (guilds.unavailable, (SOME_SHARDS,), {}),
    (guilds.begin_outages, ({GUILD}, AT), {}),
    (guilds.left_before, (AT,), {}),
    (guilds.with_data, (ALL_SHARDS,), {}),
    (guilds.with_data, (SOME_SHARDS,), {}),
    (guilds.purge_some, (GUILD, AT, 900), {}),
    (matches.set_aside, (GUILD, AT, 900), {}),
    (matches.any_set_aside, (), {}),
    (matches.remove_set_aside, (900,), {}),
    (removal.remove_some, (tables.match, tables.match.c.id.in_([MATCH])), {"limit": 900}),
    *((removal.has_stale_rows, (leftovers(AT),), {}) for leftovers in LEFTOVERS),
    *((removal.remove_stale_rows, (leftovers(AT), 900), {}) for leftovers in LEFTOVERS),
    (player_words.of_chain, (CHAIN,), {}),
    (player_words.of_person, (NORTH,), {}),
    (player_words.add, (CHAIN, WORDS), {}),
    (player_words.remove, (CHAIN, NORTH), {}),
    (player_words.remove_others, (CHAIN, [NORTH, SOUTH]), {}),
    (player_words.forget, (NORTH,), {}),
    (key_values.load, ("key",), {}),
    (key_values.save, ("key", "value"), {}),
    (key_values.remove, ("key",), {}),
    (key_values.clear, (), {}),
    (blocks.blocked_by, (NORTH,), {}),
    (blocks.between, (NORTH, [SOUTH]), {}),
    (blocks.add, (NORTH, SOUTH), {}),
    (blocks.remove, (NORTH, [SOUTH]), {}),
    (blocks.forget, (NORTH,), {}),
    (daily.load, (DAY,), {}),
    (daily.is_over, (DAY,), {}),
    (daily.add, (DAY, CHAIN), {}),
    (daily.find_try, (DAY, NORTH), {}),
    (daily.last_try_before, (DAY, NORTH), {}),
    (daily.servers_of, (DAY, NORTH), {}),
    (daily.tries_of, (NORTH,), {}),
    (daily.add_try, (DAY, NORTH, MATCH), {}),
    (daily.save_score, (MATCH, DailyScore(-12, 9, OutcomeKind.KNOCK)), {}),
    (daily.add_entry, (GUILD, DAY, NORTH), {}),
    (daily.entries_of, (NORTH,), {}),
    (daily.counts_on, (GUILD, DAY, NORTH), {}),
    (daily.counts_on, (None, DAY, NORTH), {}),
    (daily.unfinished, (DAY,), {}),
    (daily.open_days, (DAY,), {}),
    (daily.running, (DAY,), {}),
    (daily.results, (GUILD, DAY, DAY), {}),
    (daily.totals, (GUILD, DAY, DAY), {}),
    (daily.playing, (GUILD, DAY), {}),
    (daily.worst, (DAY,), {}),
    (daily.ended_days, ([NORTH], DAY), {}),
    (daily.playable_days, (DAY, DAY), {}),
    (daily.close, (DAY, AT, (-12, 9)), {"was_down": False}),
    (daily.close, (DAY, AT, None), {"was_down": True}),
    (daily.forget, (NORTH,), {}),
    (daily_reminders.times, (), {}),
    (daily_reminders.due, ([REMINDER_TIME, ReminderTime(8, QuietHours("UTC", 0, 60))], DAY, AT, 10), {}),
    (daily_reminders.save, ([NORTH, SOUTH], AT), {}),
    (daily_posts.times, (), {}),
    (daily_posts.unposted, (DAY, [("UTC", 9)], 10), {}),
    (daily_posts.add, (GUILD, DAY, CHANNEL), {}),
    (daily_posts.move, (GUILD, DAY, CHANNEL), {}),
    (daily_posts.load, (GUILD, DAY), {}),
    (daily_posts.without_result, (DAY, 10), {}),
    (daily_posts.before, (DAY, 10), {}),
    (daily_posts.remove, (GUILD, DAY), {}),
    (daily_posts.next_to_review, (DAY,), {}),
    (daily_posts.save_revision, (GUILD, DAY, 2), {}),
    (daily_posts.save_revision, (GUILD, DAY, 3, "{}"), {}),
    (lessons.step, (NORTH,), {}),
    (lessons.save, (NORTH, 3), {}),
    (lessons.forget, (NORTH,), {}),
    (standings.boards, (GUILD, 0, Category.POINTS, ["", "classic"]), {}),
    (standings.add_board, (GUILD, 0, Category.POINTS, "classic", "all"), {}),
    (standings.load, ([1, 2], [NORTH, SOUTH]), {}),
    (standings.all_of_person, (NORTH,), {}),
    (standings.export, (NORTH,), {}),
    (standings.save, ([STANDING], [STANDING, replace(STANDING, person_id=SOUTH)]), {}),
    (standings.find_board, (GUILD, Category.POINTS, None, "all"), {}),
    (standings.find_board, (GUILD, Category.POINTS, "low", "2026-11"), {}),
    (standings.played_rulesets, (GUILD,), {}),
    *((standings.page, (1, order, (5, NORTH), 3, 10), {}) for order in Order),
    *((earlier_standings.before, (1, category, AT), {}) for category in Category),
    *((standings.sort_keys, (1, order), {}) for order in Order),
    (standings.own_standing, (1, NORTH), {}),
    (standings.rated_boards, (GUILD, 0, Category.POINTS), {}),
    (standings.provisional, (1, 10), {}),
    (seasons.current, (GUILD,), {}),
    (seasons.beginning, (GUILD, "2026-11"), {}),
    (seasons.last_closed, (GUILD,), {}),
    (seasons.open_season, (GUILD, Season("2026-11", AT, AT)), {}),
    (seasons.close_season, (GUILD, AT), {}),
    (seasons.unclosed, (AT, 10), {}),
    (seasons.running_after, (AT,), {}),
    (seasons.seats, (GUILD, "2026-11"), {}),
    (seasons.save_awards, (GUILD, "2026-11", [AWARDED]), {}),
    (seasons.awards, (GUILD, "2026-11"), {}),
    (seasons.awards_of, (NORTH,), {}),
    (seasons.forget, (NORTH,), {}),
    (seasons.largest_deals, (GUILD, "2026-11", 10), {}),
    (seasons.titles, (GUILD, NORTH), {}),
    (standings.next_standings, (1, NORTH, 10), {}),
    (standings.forget, (NORTH,), {}),
    (standings.mark_obsolete, (GUILD, 0, "2026-11", AT), {}),
    (standing_chunks.create_first, (1,), {}),
    (standing_chunks.update_counts, ([STANDING], [STANDING]), {}),
    (standing_chunks.balance, ([1, 2],), {}),
    (standing_chunks.forget, (NORTH,), {}),
    *((standing_chunks.chunks, (1, order), {}) for order in Order),
    *((standing_chunks.count_better, (1, order, Chunk((5, NORTH), 10, 0), 7), {}) for order in Order),
    (ended_matches.assign_number, (GUILD, MATCH), {}),
    (ended_matches.save_periods, (MATCH, AT, "2026-11"), {}),
    (ended_matches.leave_recent, (MATCH,), {}),
    (ended_matches.save_ratings, (MATCH, [CHANGE, None]), {}),
    (ended_matches.load, ([MATCH],), {}),
    (ended_matches.next_matches, (GUILD, 3, 10), {}),
    (ended_matches.due_to_leave_recent, (AT, 10), {}),
    (ended_matches.any_recent_beyond, (AT,), {}),
    (ended_matches.shorten_recent, (AT, 10), {}),
    (computer_turns.due_matches, (ALL_SHARDS, [MATCH]), {}),
    (computer_turns.due_matches, (SOME_SHARDS, [MATCH]), {}),
    (statistics.practice_results, (NORTH,), {}),
    (luck.uncounted_matches, (20,), {}),
    (luck.save, (MATCH, [LUCK, LUCK]), {}),
    (luck.of_person, (NORTH, GUILD, 0), {}),
    (luck.of_seat, (MATCH, 0), {}),
    (decks.ended_before, (GUILD, MATCH, 20), {}),
    (decks.ended_before, (None, MATCH, 20), {}),
    (decks.deal_actions, ([MATCH],), {}),
    (decks.count_committed, (GUILD,), {}),
    (decks.count_committed, (None,), {}),
    (reviews.load, (MATCH, Seat(0)), {}),
    (reviews.of_matches, ([MATCH], Seat(0)), {}),
    (reviews.save, (MATCH, 1, Seat(0), "{}"), {}),
    (matches.last_with_showdown_of, (NORTH,), {}),
    (matches.load, (MATCH,), {}),
    (erasures.add_request, (), {}),
    (erasures.pending_request, (), {}),
    (erasures.clear_request, ("request",), {}),
    (matches.load_many, ([MATCH],), {}),
    (matches.running_in, (CHANNEL,), {}),
    (matches.running_of, (NORTH,), {}),
    (matches.running_in_guild, (GUILD,), {}),
    (matches.ended_of, (NORTH,), {}),
    (matches.left_by_person, (NORTH,), {}),
    (matches.offering_rematch, (None, [NORTH], SOUTH, AT), {}),
    (matches.offering_rematch, (GUILD, [NORTH], SOUTH, AT), {}),
    (matches.last_ended_in, (CHANNEL,), {}),
    (matches.last_with_showdown_in, (CHANNEL, NORTH), {}),
    (matches.last_with_showdown_in, (CHANNEL, NORTH), {"own": True}),
    (matches.last_ended_of, (NORTH,), {}),
    (matches.last_with_card_in, (CHANNEL, NORTH), {}),
    (matches.last_with_card_in, (CHANNEL, NORTH), {"ended": True}),
    (matches.count_of, (GUILD, [NORTH, SOUTH], 2), {"until": MATCH}),
    (matches.by_interaction, (INTERACTION,), {}),
    (matches.create, (TERMS, Category.POINTS, [Player(NORTH, "North"), Player(SOUTH, "South")], AT), {}),
    (matches.actions, (MATCH,), {}),
    (matches.action_times, (MATCH,), {}),
    (matches.next_ids, (MATCH, 20), {}),
    (matches.deal_results, (MATCH,), {}),
    (matches.append, (MATCH, 1, ["0 pass", "1 pass"], INTERACTION, AT), {"changed": UnchangedError()}),
    (matches.revise, (MATCH,), {"status": MatchStatus.CANCELLED, "ended_at": AT}),
    (matches.cancel, (MATCH, AT), {}),
    (matches.make_casual, (MATCH, MadeCasual.REMOVER), {}),
    (matches.lock_matches, ([MATCH],), {}),
    (matches.change_some_seats, (MATCH, [0, 1]), {"version": 5, "moved_at": AT}),
    (matches.mark_channel_deleted, (CHANNEL,), {}),
    (matches.change_seats, (MATCH,), {"proposal": Proposal.CANCEL}),
    (matches.add_deal, (MATCH, 1, Outcome(OutcomeKind.GIN, winner=Seat(0)), 4, AT), {}),
    (matches.finish, (MATCH, [RESULT, RESULT], AT), {}),
    (outbox.request, ([WANTED, WANTED],), {}),
    (outbox.request_removal, (MATCH_INFO, MessageKind.HAND, 1, AT), {}),
    (outbox.hand_over, (MessageKind.CHALLENGE, CHALLENGE, MessageKind.CARD, MATCH), {}),
    (outbox.request_repost, (MessageKind.REMINDER, NORTH, AT), {}),
    (outbox.request_reposts, (MessageKind.DAILY_REMINDER, {NORTH: AT, SOUTH: AT}), {}),
    (outbox.request_edit, (MessageKind.REMINDER, NORTH, AT), {}),
    (outbox.request_revision, (MessageKind.DAILY, GUILD, 300, 2, AT), {}),
    (outbox.try_again, (1, AT), {"elsewhere": False}),
    (outbox.try_again, (1, AT), {"elsewhere": True}),
    (outbox.make_due_earlier, (MessageKind.CHALLENGE, CHALLENGE, AT), {}),
    (outbox.cancel_reposts, (MATCH_INFO, MessageKind.HAND, (0, 1), AT), {}),
    (outbox.remove_unposted, (MessageKind.SEASON, GUILD, 202_611), {}),
    (outbox.request_all_again, (AT,), {}),
    (outbox.due, (ALL_SHARDS, AT, (), 5), {}),
    (outbox.due, (SOME_SHARDS, AT, (), 5), {}),
    (outbox.due, (ALL_SHARDS, AT, ((Topic.MATCH, 1), (Topic.CHALLENGE, 3)), 5), {}),
    (outbox.backlog, (ALL_SHARDS, AT), {}),
    (outbox.backlog, (SOME_SHARDS, AT), {}),
    (outbox.next_due, (ALL_SHARDS, AT, (), ()), {}),
    (outbox.next_due, (SOME_SHARDS, AT, (), ()), {}),
    (outbox.next_due, (ALL_SHARDS, AT, ((MATCH, Seat(0)), (MATCH, Seat(1))), (4,)), {}),
    (outbox.undelivered, (MessageKind.DAILY_REMINDER,), {}),
    (outbox.problems_in, (GUILD, CHANNEL, ["200000"]), {}),
    (outbox.load, (OUTBOX,), {}),
    (outbox.load_all, ([OUTBOX, OutboxId(OUTBOX + 1)],), {}),
    (outbox.find, (MessageKind.TABLE, MATCH), {}),
    (outbox.of_match, (MATCH,), {}),
    (outbox.awaits_showdown, (MATCH,), {}),
    (outbox.save_posted, (OUTBOX, 1, 2, POSTED, AT), {}),
    (outbox.save_shown, (OUTBOX, 1, 2), {}),
    (outbox.save_answered, (MATCH, Seat(0), MessageId(5), 2, AT), {"is_own": True}),
    (outbox.save_answered, (MATCH, Seat(0), MessageId(5), 2, AT), {"is_own": False}),
    (outbox.save_removed, (OUTBOX, 1, 2), {}),
    (outbox.save_missing, (OUTBOX, 1, AT), {}),
    (outbox.save_missing, (OUTBOX, 1, AT, outbox.TOO_OLD), {}),
    (outbox.postpone, (OUTBOX, 1, AT, "503"), {}),
    (outbox.remove, (OUTBOX,), {}),
    (outbox.add_stale, (GUILD, POSTED, AT), {}),
    (outbox.due_stale, (ALL_SHARDS, AT, (1, 2), 5), {}),
    (outbox.due_stale, (SOME_SHARDS, AT, (1, 2), 5), {}),
    (outbox.remove_stale, (1,), {}),
    (outbox.postpone_stale, (1, AT, "503"), {}),
    *((moments.keys_in_future, (table, AT, AT), {}) for table in moments.REPAIRED_TABLES),
    *(
        (
            moments.repair,
            (table, [(DAY if table is tables.daily_deal else 1,) * len(table.primary_key.columns)] * 2, AT, AT),
            {},
        )
        for table in moments.REPAIRED_TABLES
    ),
    (census.running_match_count, (ALL_SHARDS,), {}),
    (census.running_match_count, (SOME_SHARDS,), {}),
    (clocks.due, (ALL_SHARDS, AT, 5), {}),
    (clocks.due, (SOME_SHARDS, AT, 5), {}),
    (clocks.due, (ALL_SHARDS, AT, 5, [MATCH]), {}),
    (clocks.next_due, (ALL_SHARDS,), {}),
    (clocks.next_due, (SOME_SHARDS,), {}),
    (clocks.next_due, (ALL_SHARDS, [MATCH]), {}),
    (clocks.waiting_for, (NORTH,), {}),
    (clocks.waiting_and_due, (NORTH, AT), {}),
    (clocks.schedule_checks, ([MATCH], AT), {}),
    (clocks.schedule_guild_checks, (GUILD, AT), {}),
    (clocks.save_due_time, (MATCH, AT), {}),
    (clocks.fill_to_act, (MATCH, [0, 3]), {}),
    (clocks.with_absent, (NORTH,), {}),
    (clocks.add_change, (MATCH, 0, TimeChange.GIFT, timedelta(days=1), AT), {}),
    (clocks.changes, (MATCH,), {}),
    (clocks.shard_times, (), {}),
    (clocks.shard_standstills, (AT, AT), {}),
    (clocks.save_shard_time, (0, 1, AT), {}),
    (clocks.remove_shard, (0, 1), {}),
    (clocks.add_standstill, (Standstill.SHARD, 0, 1, AT, AT), {}),
    (clocks.pauses, (MATCH, GUILD, AT), {}),
    (clocks.add_holiday, (NORTH, AT, AT), {}),
    (clocks.end_holiday, (NORTH, AT), {}),
    (clocks.holidays, ([NORTH, SOUTH], AT), {}),
    (clocks.forget, (NORTH,), {}),
    (offer_pings.count, (NORTH, SOUTH, AT, AT), {}),
    (offer_pings.sent_by, (NORTH,), {}),
    (offer_pings.add, (NORTH, [SOUTH, NORTH], AT), {}),
    (offer_pings.remove_among, ([NORTH, SOUTH],), {}),
    (offer_pings.forget, (NORTH,), {}),
    (people.load, (NORTH,), {}),
    (people.save_name, (Person(NORTH, "North"), AT), {}),
    (people.update_name, (Person(NORTH, "North"),), {}),
    (people.change, (NORTH,), columns_of(Preferences())),
    (people.change, (NORTH,), {"dm_closed_at": AT}),
    (people.close_dms, (NORTH, AT), {}),
    (people.touch, ([NORTH, SOUTH],), {}),
    (people.have_played, (NORTH, SOUTH), {}),
    (people.forget, (NORTH,), {}),
    (statistics.categories, (NORTH, GUILD, 0), {}),
    (statistics.finished_seats, (NORTH, GUILD, Category.TEAMS, 0), {}),
    (statistics.first_match_end, (GUILD, 0, Category.POINTS, "classic", AT), {}),
    (statistics.activity, (GUILD, 0, Category.POINTS, "classic", AT, timedelta(days=1)), {}),
    (statistics.activity_totals, (GUILD, 0, Category.POINTS, "classic", AT), {}),
    (history.page, (NORTH, GUILD, None, 9), {}),
    (history.page, (NORTH, None, PageKey(AT, MATCH), 9), {}),
    (history.page, (NORTH, GUILD, PageKey(AT, MATCH, newer=True), 9), {}),
    (history.results, ([MATCH],), {}),
    (history.with_deals, ([MATCH],), {}),
    (history.meetings, (NORTH, SOUTH, GUILD, 0), {}),
    (records.load, (GUILD,), {}),
    (records.add, (GUILD, [RECORD]), {}),
    (records.remove, (GUILD, [RECORD]), {}),
    (records.deal_ends, (MATCH,), {}),
    (records.streak, (GUILD, NORTH), {}),
    (records.save_streak, (GUILD, NORTH, Streak(2, MATCH, 0)), {}),
    (records.results, (NORTH, GUILD, 0), {}),
    (records.guilds_played_on, (NORTH,), {}),
    (records.finished_matches_after, (MATCH, 20), {}),
    (records.last_match_id, (), {}),
    (records.is_in_current_era, (MATCH,), {}),
    (records.players_after, (NORTH, 20), {}),
    (records.clear, (GUILD,), {}),
    (records.records_of, (NORTH,), {}),
    (records.streaks_of, (NORTH,), {}),
    (records.forget, (NORTH,), {}),
    (rows.save, (tables.guild, {"id": GUILD}, {"left_at": AT}), {}),
)
"""At least one call of every query; queries with options have one for each variant."""

POSTGRESQL_CALLS: Final[tuple[tuple[Query, tuple[Any, ...], dict[str, Any]], ...]] = (
    (leases.create_all, (4, timedelta(seconds=30)), {}),
    (leases.other_shard_count, (4, ()), {}),
    (leases.other_shard_count, (4, ["b"]), {}),
    (leases.has_leases_for, (4,), {}),
    (leases.renew, ("a", 4, timedelta(seconds=30)), {}),
    (leases.take_free, ("a", SOME_SHARDS, timedelta(seconds=30), ()), {}),
    (leases.take_free, ("a", SOME_SHARDS, timedelta(seconds=30), ["b"]), {}),
    (leases.take_expired, ("a", 4, timedelta(seconds=30), ()), {}),
    (leases.take_expired, ("a", 4, timedelta(seconds=30), ["b"]), {}),
    (leases.request, ("a", SOME_SHARDS), {}),
    (leases.give_back, ("a", SOME_SHARDS, timedelta(seconds=30)), {}),
    (leases.owners, (), {}),
    (moments.database_clock, (), {}),
)
"""Calls of queries that are used only with PostgreSQL."""


def queries() -> list[Query]:
    """Return every public function of the store's modules whose first parameter is a transaction."""
    found: list[Query] = []
    for module_info in pkgutil.iter_modules(bot.store.__path__):
        module = import_module(f"{bot.store.__name__}.{module_info.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            parameters = list(inspect.signature(function).parameters)
            is_local = function.__module__ == module.__name__
            if is_local and not name.startswith("_") and parameters[:1] == ["transaction"]:
                found.append(function)
    return found


def foreign_key_statements(parameter: str = "?") -> list[str]:
    """Return the statements that a database runs when a referenced row is removed, one for each foreign key."""
    found: list[str] = []
    for table in tables.metadata.sorted_tables:
        for column in table.c:
            for key in column.foreign_keys:
                where = f"{column.name} = {parameter}"
                match key.ondelete:
                    case "CASCADE":
                        found.append(f'DELETE FROM "{table.name}" WHERE {where}')
                    case "SET NULL":
                        found.append(f'UPDATE "{table.name}" SET {column.name} = NULL WHERE {where}')
                    case _:
                        found.append(f'SELECT 1 FROM "{table.name}" WHERE {where}')
    return found


def module_of(query: Query) -> str:
    """Return the name of a query's module."""
    return query.__module__.split(".")[-1]


def name_of(query: Query) -> str:
    """Return the name of a query, prefixed with its module."""
    return f"{module_of(query)}.{query.__name__}"


async def run(query: Query, transaction: Transaction, *args: Any, **options: Any) -> None:
    """Run a query, or the writes that it queues. Ignore `UnchangedError`: the database is empty."""
    with suppress(UnchangedError):
        result = query(transaction, *args, **options)
        if inspect.isawaitable(result):
            await result
        await transaction.flush()


@contextmanager
def record_statements(noted: list[tuple[str, Any]]) -> Generator[None]:
    """During the block, append each executed statement and its parameters to a list.

    For several executions of a statement, only the first parameters are recorded.
    """
    run_all = Writer.run_all

    def note(_: Connection, __: Any, statement: str, parameters: Any, ___: Any, several: bool) -> None:
        noted.append((statement, parameters[0] if several else parameters))

    async def note_all(driver: Writer, writes: Sequence[Write], reads: Any = (), *, commits: bool = False) -> Any:
        noted.extend((write.statement.sql, write.parameters[0]) for write in writes)
        noted.extend(reads)
        return await run_all(driver, writes, reads, commits=commits)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        with patch.object(Writer, "run_all", note_all):
            yield
    finally:
        event.remove(Engine, "before_cursor_execute", note)
