"""The database tables. Every change needs a migration in `migrations/versions`.

The `info` of a column declares its personal data (see `bot.store.personal`). `docs/privacy.md` lists the declarations.

Ids in buttons and nonces are never reused (`sqlite_autoincrement`), so an old button cannot reach a new match.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Integer, MetaData, Text, TextClause, or_, text
from sqlalchemy.schema import CheckConstraint, Column, ForeignKey, Index, SchemaItem, Table, UniqueConstraint

from bot.engine.deals.showdown import OutcomeKind
from bot.model.appearance import HandOrder
from bot.model.challenges import ChallengeStatus
from bot.model.clocks import Standstill, TimeChange
from bot.model.fairness import Fairness
from bot.model.guilds import MatchHome
from bot.model.ids import PersonId
from bot.model.matches import MadeCasual, MatchKind, MatchStatus, Proposal
from bot.model.outbox import MessageKind
from bot.model.people import Challengers, Push, Reminders, ShowsProfileTo
from bot.model.records import RecordKind
from bot.model.seasons import Award, Seasons
from bot.model.standings import Order
from bot.model.statistics import Category
from bot.opponent.play.levels import Level
from bot.store.columns import BYTES, CLOCK, DAY, FLAG, FLOAT, MOMENT, RULES, SNOWFLAKE, SPAN, enum_type, tuple_type
from bot.store.personal import IMPERSONAL, Forgotten, personal

ROW, FIELD, NAMELESS = Forgotten.ROW, Forgotten.FIELD, Forgotten.NAMELESS

metadata = MetaData()

IS_RUNNING = text("status = 'running'")
HAS_CHANNEL = text("status = 'running' AND paused_at IS NULL")
IS_PENDING = text("status = 'pending'")
IS_DRAFT = text("status = 'draft'")
IS_OPEN_CHALLENGE = text("status IN ('draft', 'pending')")
COMPUTER_IS_DUE = text("computer_due_at IS NOT NULL")
TIME_IS_DUE = text("time_due_at IS NOT NULL")
IS_ABSENT = text("(stopped_at IS NOT NULL OR gone_at IS NOT NULL)")
IS_REPLACED = text("leaver_id IS NOT NULL")
IS_RECENT = text("recent_until IS NOT NULL")
IS_OPEN_SEASON = text("closed_at IS NULL")
IS_OBSOLETE = text("obsolete_since IS NOT NULL")
HAS_LEFT = text("left_at IS NOT NULL")
WANTS_DAILY_REMINDER = text("daily_hour IS NOT NULL")
HAS_DAILY = text("daily_channel IS NOT NULL")
IS_UNUSED = text("match_id IS NULL")
IS_RUNNING_DAILY = text("status = 'running' AND day IS NOT NULL")
IS_OPEN_DAY = text("closed_at IS NULL")
IS_UNFINISHED_POST = text("revision < 3")
HAS_NO_RESULT = text("drawn IS NULL")
LUCK_IS_DUE = text("status = 'finished' AND kind = 'standard' AND NOT luck_counted")
"""Condition for matches whose luck must be counted.

Like the conditions above, it defines a partial index. SQLite uses the index only if a query contains the same text.
"""


def _table(name: str, *parts: SchemaItem, **options: Any) -> Table:
    return Table(name, metadata, *parts, sqlite_strict=True, **options)


def _partial_index(name: str, column: str, condition: TextClause, *, unique: bool = False) -> Index:
    return Index(name, column, unique=unique, sqlite_where=condition, postgresql_where=condition)


person = _table(
    "person",
    Column("id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("person.id", ROW)),
    Column("name", Text, nullable=False, info=personal("person.name", ROW)),
    Column("username", Text, info=personal("person.username", ROW)),
    Column("avatar", Text, info=personal("person.avatar", ROW)),
    Column("hand_by_dm", FLAG, nullable=False, server_default="1", info=personal("person.hand_by_dm", ROW)),
    Column("push", enum_type(Push), nullable=False, server_default="dm", info=personal("person.push", ROW)),
    Column(
        "challengers",
        enum_type(Challengers),
        nullable=False,
        server_default="anyone",
        info=personal("person.challengers", ROW),
    ),
    Column("dm_channel_id", SNOWFLAKE, info=personal("person.dm_channel", ROW)),
    Column("dm_closed_at", MOMENT, info=personal("person.dm_closed", ROW)),
    Column("seen_at", MOMENT, nullable=False, info=personal("person.seen", ROW)),
    Column("theme", Text, nullable=False, server_default="classic", info=personal("person.theme", ROW)),
    Column("four_colours", FLAG, nullable=False, server_default="0", info=personal("person.four_colours", ROW)),
    Column("language", Text, nullable=False, server_default="en", info=personal("person.language", ROW)),
    Column(
        "hand_order",
        enum_type(HandOrder),
        nullable=False,
        server_default="melds",
        info=personal("person.hand_order", ROW),
    ),
    Column("pictures", FLAG, nullable=False, server_default="1", info=personal("person.pictures", ROW)),
    Column("confirmations", FLAG, nullable=False, server_default="1", info=personal("person.confirmations", ROW)),
    Column(
        "reminders",
        enum_type(Reminders),
        nullable=False,
        server_default="usual",
        info=personal("person.reminders", ROW),
    ),
    Column("draws_for_me", FLAG, nullable=False, server_default="0", info=personal("person.draws_for_me", ROW)),
    Column("take_backs", FLAG, nullable=False, server_default="0", info=personal("person.take_backs", ROW)),
    Column("nudges", FLAG, nullable=False, server_default="1", info=personal("person.nudges", ROW)),
    Column("time_zone", Text, info=personal("person.time_zone", ROW)),
    Column("quiet_from", Integer, info=personal("person.quiet_from", ROW)),
    Column("quiet_to", Integer, info=personal("person.quiet_to", ROW)),
    Column("daily_hour", Integer, info=personal("person.daily_hour", ROW)),
    Column("daily_reminded_at", MOMENT, info=personal("person.daily_reminded", ROW)),
    Column("away_from", MOMENT, info=personal("person.away_from", ROW)),
    Column("away_until", MOMENT, info=personal("person.away_until", ROW)),
    Column(
        "shows_profile_to",
        enum_type(ShowsProfileTo),
        nullable=False,
        server_default="everyone",
        info=personal("person.shows_profile_to", ROW),
    ),
    Column("shows_avatar", FLAG, nullable=False, server_default="1", info=personal("person.shows_avatar", ROW)),
    _partial_index("person_daily_reminder", "daily_hour", WANTS_DAILY_REMINDER),
)
"""People who have used the bot: their last known names, when they were last seen, and their settings.

Quiet hours are in minutes since midnight in the person's time zone. `daily_hour` is the hour, in that time zone, at
which the person is reminded of the deal of the day, and `daily_reminded_at` the time of the last such reminder.
`away_from` and `away_until` are the current or coming holiday.
"""

holiday = _table(
    "holiday",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("person_id", SNOWFLAKE, nullable=False, info=personal("holidays.from", ROW)),
    Column("from_at", MOMENT, nullable=False, info=personal("holidays.from", ROW)),
    Column("to_at", MOMENT, nullable=False, info=personal("holidays.to", ROW)),
    Index("holiday_person", "person_id", "to_at"),
    Index("holiday_to", "to_at"),
)
"""Past, current and coming holidays. A person's clocks stand still during a holiday."""

lesson = _table(
    "lesson",
    Column("person_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("person.id", ROW)),
    Column("step", Integer, nullable=False, info=personal("lessons.step", ROW)),
)
"""Progress in the lesson: the number of completed steps. People who have not completed a step have no row."""

block = _table(
    "block",
    Column("blocker_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("person.id", ROW)),
    Column("blocked_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("blocked.person", ROW)),
    Index("block_blocked", "blocked_id"),
)
"""The people that each person has blocked. A row goes when either of the two is forgotten."""

guild = _table(
    "guild",
    Column("id", SNOWFLAKE, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("rules", Text, nullable=False, server_default="classic", info=personal(None, NAMELESS)),
    Column("target", Integer, info=IMPERSONAL),
    Column("channels", tuple_type(int), nullable=False, server_default="", info=IMPERSONAL),
    Column("left_at", MOMENT, info=IMPERSONAL),
    Column("offered", tuple_type(str), nullable=False, server_default="", info=personal(None, NAMELESS)),
    Column("theme", Text, nullable=False, server_default="classic", info=IMPERSONAL),
    Column("four_colours", FLAG, nullable=False, server_default="0", info=IMPERSONAL),
    Column("language", Text, nullable=False, server_default="en", info=IMPERSONAL),
    Column("clock", CLOCK, nullable=False, server_default="none", info=IMPERSONAL),
    Column("era", Integer, nullable=False, server_default="0", info=IMPERSONAL),
    Column("matches_finished", Integer, nullable=False, server_default="0", info=IMPERSONAL),
    Column("seasons", enum_type(Seasons), nullable=False, server_default="none", info=IMPERSONAL),
    Column("time_zone", Text, nullable=False, server_default="UTC", info=IMPERSONAL),
    Column("season_channel", SNOWFLAKE, info=IMPERSONAL),
    Column("match_home", enum_type(MatchHome), nullable=False, server_default="thread", info=IMPERSONAL),
    Column("unavailable_since", MOMENT, info=IMPERSONAL),
    Column("daily_channel", SNOWFLAKE, info=IMPERSONAL),
    Column("daily_hour", Integer, nullable=False, server_default="9", info=IMPERSONAL),
    Column("daily_offered", FLAG, nullable=False, server_default="0", info=IMPERSONAL),
    # Without this index, PostgreSQL scans all servers whenever a query excludes those that removed the bot.
    _partial_index("guild_left", "id", HAS_LEFT),
    _partial_index("guild_daily", "id", HAS_DAILY),
)
"""Servers and their settings.

`left_at` is the time at which the server removed the bot; `unavailable_since` is the start of an outage that Discord
reports. `era` counts the resets of the leaderboard, and `matches_finished` the finished matches. Unlike times, these
numbers do not depend on the system clock. `daily_offered` is true once a player has read that the deal of the day can
be posted on the server.
"""

season = _table(
    "season",
    Column("guild_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("key", Text, primary_key=True, info=IMPERSONAL),
    Column("ends_at", MOMENT, nullable=False, info=IMPERSONAL),
    Column("closed_at", MOMENT, info=IMPERSONAL),
    Column("begins_at", MOMENT, info=IMPERSONAL),
    _partial_index("season_open", "ends_at", IS_OPEN_SEASON),
    _partial_index("season_running", "guild_id", IS_OPEN_SEASON, unique=True),
)
"""The seasons of servers. At most one per server is running. The leaderboards of finished seasons do not change."""

season_award = _table(
    "season_award",
    Column("guild_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("awards.server", ROW)),
    Column("key", Text, primary_key=True, info=personal("awards.season", ROW)),
    Column("award", enum_type(Award), primary_key=True, info=personal("awards.award", ROW)),
    Column("category", Text, primary_key=True, info=personal("awards.category", ROW)),
    Column("place", Integer, primary_key=True, autoincrement=False, info=personal("awards.place", ROW)),
    Column("person_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("person.id", ROW)),
    Column("value", Integer, nullable=False, info=personal("awards.value", ROW)),
    Column("match_id", SNOWFLAKE, info=personal("awards.match", ROW)),
    Index("season_award_person", "person_id"),
)
"""Season awards: the podium of each category, and the most gins, the longest streak and the largest deals of a season.

The category is empty except for podiums. Only awards for the largest deals have a match. Several largest deals are
stored, because a deal is announced only if its channel is visible to everyone on the server.
"""

house_rule = _table(
    "house_rule",
    Column("guild_id", SNOWFLAKE, ForeignKey("guild.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("key", Text, primary_key=True, info=personal(None, NAMELESS)),
    Column("name", Text, nullable=False, info=personal(None, NAMELESS)),
    Column("rules", RULES, nullable=False, info=IMPERSONAL),
)
"""Rules that a server has saved under a name. `key` is the case-folded name."""

match = _table(
    "match",
    Column("id", SNOWFLAKE, primary_key=True, info=personal("matches.id", NAMELESS)),
    Column("guild_id", SNOWFLAKE, info=personal("matches.server", NAMELESS)),
    Column("channel_id", SNOWFLAKE, info=personal("matches.channel", NAMELESS)),
    Column("rules", RULES, nullable=False, info=personal("matches.record", NAMELESS)),
    Column("channel_deleted", FLAG, nullable=False, info=IMPERSONAL),
    Column("status", enum_type(MatchStatus), nullable=False, info=personal("matches.status", NAMELESS)),
    Column("version", Integer, nullable=False, info=IMPERSONAL),
    Column("revision", Integer, nullable=False, info=IMPERSONAL),
    Column("started_at", MOMENT, nullable=False, info=personal("matches.started", NAMELESS)),
    Column("moved_at", MOMENT, nullable=False, info=personal("matches.moved", NAMELESS)),
    Column("ended_at", MOMENT, info=personal("matches.ended", NAMELESS)),
    Column("ruleset", Text, nullable=False, server_default="classic", info=personal(None, NAMELESS)),
    Column("category", enum_type(Category), nullable=False, server_default="points", info=IMPERSONAL),
    Column(
        "kind", enum_type(MatchKind), nullable=False, server_default="standard", info=personal("matches.kind", NAMELESS)
    ),
    Column("computer_due_at", MOMENT, info=IMPERSONAL),
    Column("clock", CLOCK, nullable=False, server_default="none", info=personal("matches.clock", NAMELESS)),
    Column("to_act", Integer, nullable=False, server_default="0", info=IMPERSONAL),
    Column("turn_at", MOMENT, info=IMPERSONAL),
    Column("time_due_at", MOMENT, info=IMPERSONAL),
    Column("paused_at", MOMENT, info=personal("matches.paused", NAMELESS)),
    Column("era", Integer, info=IMPERSONAL),
    Column("number", Integer, info=IMPERSONAL),
    Column("recent_until", MOMENT, info=IMPERSONAL),
    Column("season", Text, info=IMPERSONAL),
    Column("fairness", enum_type(Fairness), nullable=False, server_default="none", info=IMPERSONAL),
    Column("luck_counted", FLAG, nullable=False, server_default="0", info=IMPERSONAL),
    Column("made_casual", enum_type(MadeCasual), info=personal("matches.made_casual", NAMELESS)),
    Column("vacant_seat", Integer, info=personal("matches.vacant", NAMELESS)),
    Column("vacant_at", MOMENT, info=personal("matches.vacant", NAMELESS)),
    Column("card_channel_id", SNOWFLAKE, info=personal("matches.card_channel", NAMELESS)),
    Column("day", DAY, info=personal("matches.day", NAMELESS)),
    CheckConstraint("status IN ('running', 'finished', 'cancelled')", name="match_status"),
    CheckConstraint("kind = 'practice' OR (guild_id IS NOT NULL AND channel_id IS NOT NULL)", name="match_place"),
    _partial_index("match_running_channel", "channel_id", HAS_CHANNEL, unique=True),
    Index("match_guild_ended", "guild_id", "ended_at"),
    Index("match_channel", "channel_id", "ended_at"),
    _partial_index("match_computer_due", "computer_due_at", COMPUTER_IS_DUE),
    _partial_index("match_time_due", "time_due_at", TIME_IS_DUE),
    Index("match_guild_number", "guild_id", "number"),
    _partial_index("match_recent", "recent_until", IS_RECENT),
    Index("match_season", "guild_id", "season", "number"),
    _partial_index("match_running_guild", "guild_id", IS_RUNNING),
    _partial_index("match_luck_due", "id", LUCK_IS_DUE),
    Index("match_guild", "guild_id", "id"),
    Index("match_fairness", "fairness", "guild_id", "status"),
    _partial_index("match_daily", "day", IS_RUNNING_DAILY),
    sqlite_autoincrement=True,
)
"""Matches. `version` counts the actions of the log. `revision` counts all changes that may alter a message.

`rules` is the full text of the rules, and `ruleset` the preset or house rule that they come from. A match whose channel
was deleted continues and can be moved. Practice has neither server nor channel. `moved_at` is the time of the last
move, or, once the match is over, of the last rematch proposal. `fairness` says whether the deals are verifiable.

`computer_due_at` is the time since which it has been a computer's turn. `to_act` is a bit mask of the seats whose turn
it is; the lowest bit is the first seat. `turn_at` is the start of the current turn. `time_due_at` is the time at which
the timekeeper must next check the match, for a reminder or because a player's time runs out. A paused match is still
running, but does not occupy its channel.

While the others decide whether a computer should take over from a player who lost on time, `vacant_seat` is that
player's seat and `vacant_at` the time of the loss.

`number` is the position of a finished match in the order in which its server's matches ended, and `era` the server's
era at that time. `recent_until` is the time at which it leaves the boards of the last 30 days, if it is on them.
`season` is the key of the season in which it counts. `made_casual` is the reason why the match became casual during
play; null if it did not.

`card_channel_id` is the parent channel of the match's own thread, in which a card leads to the thread; null if the
match has no card. `day` is the day of a try at the deal of the day, which is a practice match.
"""

seat = _table(
    "seat",
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("seat", Integer, primary_key=True, info=personal("matches.seat", NAMELESS)),
    Column("person_id", SNOWFLAKE, info=personal("matches.seat", FIELD)),
    Column("proposal", enum_type(Proposal), info=personal("matches.wish", FIELD)),
    Column("won", FLAG, info=personal("matches.record", NAMELESS)),
    Column("deals_won", Integer, info=personal("matches.record", NAMELESS)),
    Column("deals_lost", Integer, info=personal("matches.record", NAMELESS)),
    Column("points", Integer, info=personal("matches.record", NAMELESS)),
    Column("gins", Integer, info=personal("matches.record", NAMELESS)),
    Column("undercuts", Integer, info=personal("matches.record", NAMELESS)),
    Column("drawn", FLAG, info=personal("matches.record", NAMELESS)),
    Column("version", Integer, info=IMPERSONAL),
    Column("moved_at", MOMENT, info=personal("matches.times", NAMELESS)),
    Column("computer", enum_type(Level), info=personal("matches.computers", NAMELESS)),
    Column("turn_at", MOMENT, info=IMPERSONAL),
    Column("time_left", SPAN, info=personal("matches.time_left", NAMELESS)),
    Column("stopped_at", MOMENT, info=IMPERSONAL),
    Column("used_up_at", MOMENT, info=IMPERSONAL),
    Column("reminders", Integer, nullable=False, server_default="0", info=IMPERSONAL),
    Column("reminded_at", MOMENT, info=IMPERSONAL),
    Column("nudged_at", MOMENT, info=IMPERSONAL),
    Column("place", Integer, info=personal("matches.rating", NAMELESS)),
    Column("mu_before", FLOAT, info=personal("matches.rating", NAMELESS)),
    Column("sigma_before", FLOAT, info=personal("matches.rating", NAMELESS)),
    Column("mu_after", FLOAT, info=personal("matches.rating", NAMELESS)),
    Column("sigma_after", FLOAT, info=personal("matches.rating", NAMELESS)),
    Column("gone_at", MOMENT, info=personal("matches.left_server", NAMELESS)),
    Column("continue_asked_at", MOMENT, info=personal("matches.continue_asked", NAMELESS)),
    Column("leaver_id", SNOWFLAKE, info=personal("matches.seat", FIELD)),
    Column("seen_deal", Integer, nullable=False, server_default="0", info=personal("matches.seen_deal", NAMELESS)),
    Column("orders", Text, info=personal("matches.orders", FIELD)),
    Column("arranged", Text, info=personal("matches.arranged", FIELD)),
    Column("asked_back", Integer, info=personal("matches.asked_back", NAMELESS)),
    Index("seat_person", "person_id"),
    _partial_index("seat_absent", "person_id", IS_ABSENT),
    _partial_index("seat_leaver", "leaver_id", IS_REPLACED),
    # All seats of a finished match have results, so this index finds the seats of running matches (and of those that
    # were called off).
    _partial_index("seat_without_result", "person_id", HAS_NO_RESULT),
)
"""Seats: the players of a match, their proposals, and their results once it is over.

`person_id` is null for a forgotten person and for a computer, whose level is `computer`. If the computer took the seat
over during the match, `leaver_id` is the person that it replaced. That person has lost, and the seat is no longer
treated as theirs.

`won` is null while the match runs, for a draw, and for a player without a result because another one forfeited.
`version` and `moved_at` say when the seat's board last changed, and `turn_at` when the seat's turn began; they are used
only in matches with several boards.

`time_left` is the seat's time at the start of its current or next turn; null means all of the clock's time. The next
columns are about the current turn. `stopped_at` is the time since which the clock has stood still because the player
cannot reach the table. `used_up_at` is the time at which the others were notified that the player's time is used up.
`reminders` and `reminded_at` are the number of reminders and the time of the last one. `nudged_at` is the time
at which another player last nudged the player.

`gone_at` is the time at which the bot noticed that the player had left the server; null once they act again.
`continue_asked_at` is the time at which the player first asked to continue the match in its current pause.

`seen_deal` is the number of the last deal whose showdown the player has seen, 0 if none. See `deal.number`.

`orders` are the player's standing orders, after the deal and the turn for which they are, as in `3.5 draw 7s`.

`arranged` are the player's cards in their own order, after the number of the deal, as in `3 Kd 4s`.
`asked_back` is the number of the last deal in which the player asked to take a discard back. It is negative if the
next player had already drawn a card. If the next player's move ends the request, the request does not count, and
`asked_back` is `ASKED_TOO_LATE` until the player's next move.

Only rated matches have `place`, the final rank from which the ratings are computed (equal for tied players), and the
player's rating before and after the match.
"""


def played_by(person_id: PersonId) -> ColumnElement[bool]:
    """Return the condition for a person's seats, including those that a computer took over from them."""
    return or_(seat.c.person_id == person_id, seat.c.leaver_id == person_id)


board = _table(
    "board",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("guild_id", SNOWFLAKE, nullable=False, info=personal("standings.server", NAMELESS)),
    Column("era", Integer, nullable=False, info=personal("standings.era", NAMELESS)),
    Column("category", enum_type(Category), nullable=False, info=personal("standings.category", NAMELESS)),
    Column("ruleset", Text, nullable=False, info=personal("standings.ruleset", NAMELESS)),
    Column("period", Text, nullable=False, info=personal("standings.period", NAMELESS)),
    Column("obsolete_since", MOMENT, info=IMPERSONAL),
    UniqueConstraint("guild_id", "era", "category", "ruleset", "period", name="board_key"),
    _partial_index("board_obsolete", "obsolete_since", IS_OBSOLETE),
)
"""Leaderboards. Each is based on the matches of a server, era, category, ruleset and period.

The period is `all`, `recent` or the key of a season. An empty ruleset stands for all. After a reset, the boards of the
previous era are obsolete and are removed gradually.
"""

standing = _table(
    "standing",
    Column("board_id", SNOWFLAKE, ForeignKey("board.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("person_id", SNOWFLAKE, primary_key=True, info=personal("person.id", ROW)),
    *(
        Column(name, Integer, nullable=False, info=personal(f"standings.{name}", ROW))
        for name in ("matches", "won", "lost", "drawn", "deals_won", "deals_lost", "points", "gins", "undercuts", "net")
    ),
    Column("mu", FLOAT, info=personal("standings.rating", ROW)),
    Column("sigma", FLOAT, info=personal("standings.rating", ROW)),
    Column("rated", Integer, nullable=False, info=personal("standings.rated", ROW)),
    Column("by_rating", SNOWFLAKE, info=personal(None, ROW)),
    Column("by_wins", SNOWFLAKE, nullable=False, info=personal(None, ROW)),
    Column("by_points", SNOWFLAKE, nullable=False, info=personal(None, ROW)),
    Index("standing_by_rating", "board_id", "by_rating", "person_id"),
    Index("standing_by_wins", "board_id", "by_wins", "person_id"),
    Index("standing_by_points", "board_id", "by_points", "person_id"),
    Index("standing_person", "person_id"),
)
"""Standings: the totals of each person's matches on a board, and, on boards for all rulesets, their rating.

`by_rating`, `by_wins` and `by_points` are sort keys; the best person has the lowest key. `by_rating` is null for people
who are not ranked by rating. All values can be recomputed from the seats; this table only makes reading fast.
"""

standing_chunk = _table(
    "standing_chunk",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("board_id", SNOWFLAKE, ForeignKey("board.id", ondelete="CASCADE"), nullable=False, info=IMPERSONAL),
    Column("sorted_by", enum_type(Order), nullable=False, info=IMPERSONAL),
    Column("from_key", SNOWFLAKE, nullable=False, info=IMPERSONAL),
    Column("from_person", SNOWFLAKE, nullable=False, info=personal(None, ROW)),
    Column("people", Integer, nullable=False, info=IMPERSONAL),
    UniqueConstraint("board_id", "sorted_by", "from_key", "from_person", name="standing_chunk_start"),
    Index("standing_chunk_person", "from_person"),
)
"""Chunks of a board in one sort order, with their start and number of people. A chunk ends where the next one starts.

A rank is computed from the chunks and from the `standing` rows of a single chunk, so the cost hardly depends on the
size of the board.
"""

time_change = _table(
    "time_change",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), nullable=False, info=IMPERSONAL),
    Column("seat", Integer, info=personal("matches.time_changes", NAMELESS)),
    Column("kind", enum_type(TimeChange), nullable=False, info=personal("matches.time_changes", NAMELESS)),
    Column("span", SPAN, nullable=False, info=personal("matches.time_changes", NAMELESS)),
    Column("at", MOMENT, nullable=False, info=personal("matches.time_changes", NAMELESS)),
    Index("time_change_match", "match_id"),
)
"""Changes to the clocks of a match apart from its turns: a gift of time, a pause or a standstill.

`seat` is the seat whose time was extended, null for all seats, and `span` the extension.
"""

shard = _table(
    "shard",
    Column("number", Integer, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("shards", Integer, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("seen_at", MOMENT, nullable=False, info=IMPERSONAL),
)
"""Gateway shards, with the time at which each was last connected. `shards` is the shard count."""

lease = _table(
    "lease",
    Column("shard", Integer, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("shards", Integer, nullable=False, info=IMPERSONAL),
    Column("owner", Text, nullable=False, info=IMPERSONAL),
    Column("until", MOMENT, nullable=False, info=IMPERSONAL),
    Column("wanted_by", Text, info=IMPERSONAL),
)
"""Leases: the process that works for a shard (`owner`, empty if none), and the expiry time by the database's clock.

`shards` is the shard count. `wanted_by` is the process that is connected as the shard while another one has its lease.
Only PostgreSQL databases have rows in this table.
"""

standstill = _table(
    "standstill",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("kind", enum_type(Standstill), nullable=False, info=IMPERSONAL),
    Column("number", SNOWFLAKE, nullable=False, info=IMPERSONAL),
    Column("shards", Integer, nullable=False, info=IMPERSONAL),
    Column("from_at", MOMENT, nullable=False, info=IMPERSONAL),
    Column("to_at", MOMENT, nullable=False, info=IMPERSONAL),
    Index("standstill_to", "to_at"),
)
"""Periods in which the clocks of many matches stood still.

`number` is a shard that was not connected, or the id of a server that had removed the bot or was unavailable.
"""

action = _table(
    "action",
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("number", Integer, primary_key=True, info=IMPERSONAL),
    Column("text", Text, nullable=False, info=personal("matches.record", NAMELESS)),
    Column("interaction_id", SNOWFLAKE, unique=True, info=personal(None, NAMELESS)),
    Column("at", MOMENT, nullable=False, info=personal("matches.times", NAMELESS)),
)
"""The move log: every action of a match in notation, with the dealt cards. Replaying it gives the match's state."""

deal = _table(
    "deal",
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("number", Integer, primary_key=True, info=IMPERSONAL),
    Column("kind", Text, nullable=False, info=personal("matches.record", NAMELESS)),
    Column("winner", Integer, info=personal("matches.record", NAMELESS)),
    Column("points", Integer, nullable=False, info=personal("matches.record", NAMELESS)),
    Column("version", Integer, nullable=False, info=IMPERSONAL),
    Column("ended_at", MOMENT, nullable=False, info=personal("matches.times", NAMELESS)),
)
"""Finished deals with their results.

`number` is the deal's position in the order in which the deals ended. `version` is the match's version right after the
deal, so the log can be cut there if no other deal was in play.
"""

review = _table(
    "review",
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("number", Integer, primary_key=True, info=IMPERSONAL),
    Column("seat", Integer, primary_key=True, info=IMPERSONAL),
    Column("text", Text, nullable=False, info=personal("matches.reviews", ROW)),
)
"""Reviews of a seat's play in finished deals, as JSON. `number` is the same as in `deal`."""

luck = _table(
    "luck",
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("seat", Integer, primary_key=True, info=IMPERSONAL),
    *(
        Column(name, Integer, nullable=False, info=personal("matches.luck", NAMELESS))
        for name in ("deals", "opening", "draws", "useful", "gins", "undercuts")
    ),
)
"""The luck of each seat in a finished match, computed from the log. See `bot.luck.measures.Luck`.

Matches with rules that luck does not support, and matches without a deal that counts, have no rows.
"""

server_record = _table(
    "server_record",
    Column("guild_id", SNOWFLAKE, primary_key=True, info=personal("records.server", NAMELESS)),
    Column("kind", enum_type(RecordKind), primary_key=True, info=personal("records.kind", NAMELESS)),
    Column(
        "match_id",
        SNOWFLAKE,
        ForeignKey("match.id", ondelete="CASCADE"),
        primary_key=True,
        info=personal("records.match", NAMELESS),
    ),
    Column("number", Integer, primary_key=True, info=personal("records.deal", NAMELESS)),
    Column("seat", Integer, primary_key=True, info=IMPERSONAL),
    Column("value", Integer, nullable=False, info=personal("records.value", NAMELESS)),
    Column("at", MOMENT, nullable=False, info=personal("records.at", NAMELESS)),
    Index("server_record_match", "match_id"),
)
"""The best few records of each kind on a server since the last reset of its leaderboard.

They are computed from finished matches. The record belongs to the person who sat in `seat`. See
`bot.model.records.Entry`.
"""

streak = _table(
    "streak",
    Column("guild_id", SNOWFLAKE, primary_key=True, info=personal("streaks.server", ROW)),
    Column("person_id", SNOWFLAKE, primary_key=True, info=personal("person.id", ROW)),
    Column("length", Integer, nullable=False, info=personal("streaks.length", ROW)),
    Column("match_id", SNOWFLAKE, info=personal("streaks.since_match", ROW)),
    Column("seat", Integer, info=IMPERSONAL),
    Index("streak_person", "person_id"),
)
"""Current winning streaks on a server: the number of matches, and the match and seat with which the streak began.

People without a row have not finished a match since the last reset of the leaderboard, or since this table was created.
"""

challenge = _table(
    "challenge",
    Column("id", SNOWFLAKE, primary_key=True, info=personal("challenges.id", ROW)),
    Column("guild_id", SNOWFLAKE, nullable=False, info=personal("challenges.server", ROW)),
    Column("channel_id", SNOWFLAKE, nullable=False, info=personal("challenges.channel", ROW)),
    Column("challenger_id", SNOWFLAKE, nullable=False, info=personal("challenges.challenger", ROW)),
    Column("rules", RULES, nullable=False, info=personal("challenges.rules", ROW)),
    Column("status", enum_type(ChallengeStatus), nullable=False, info=personal("challenges.status", ROW)),
    Column("revision", Integer, nullable=False, info=IMPERSONAL),
    Column("created_at", MOMENT, nullable=False, info=personal("challenges.created", ROW)),
    Column("expires_at", MOMENT, nullable=False, info=personal("challenges.expires", ROW)),
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="SET NULL"), info=IMPERSONAL),
    Column("interaction_id", SNOWFLAKE, unique=True, info=personal(None, ROW)),
    Column("ruleset", Text, nullable=False, server_default="classic", info=personal(None, ROW)),
    Column("pairing", Integer, nullable=False, server_default="0", info=IMPERSONAL),
    Column("exact_players", Integer, info=personal("challenges.exact_players", ROW)),
    Column("casual", FLAG, nullable=False, server_default="0", info=personal("challenges.casual", ROW)),
    Column(
        "computers", tuple_type(Level), nullable=False, server_default="", info=personal("challenges.computers", ROW)
    ),
    Column("clock", CLOCK, nullable=False, server_default="none", info=personal("challenges.clock", ROW)),
    CheckConstraint(
        "status IN ('draft', 'pending', 'accepted', 'declined', 'withdrawn', 'expired')", name="challenge_status"
    ),
    _partial_index("challenge_pending", "challenger_id", IS_PENDING),
    _partial_index("challenge_draft", "challenger_id", IS_DRAFT),
    _partial_index("challenge_open", "expires_at", IS_OPEN_CHALLENGE),
    Index("challenge_expires", "expires_at"),
    Index("challenge_guild", "guild_id"),
    Index("challenge_match", "match_id"),
    sqlite_autoincrement=True,
)
"""Challenges. `ruleset` and `rules` are the same as in a match. `pairing` says which of four players are partners.

`exact_players` is the number of players that the challenger chose, if the rules allow several. `computers` are the
levels of the computer players.
"""

guest = _table(
    "guest",
    Column(
        "challenge_id", SNOWFLAKE, ForeignKey("challenge.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL
    ),
    Column("person_id", SNOWFLAKE, primary_key=True, info=personal("challenges.players", ROW)),
    Column("number", Integer, nullable=False, info=IMPERSONAL),
    Column("joined", FLAG, nullable=False, info=personal("challenges.named", ROW)),
    Column("pinged", FLAG, nullable=False, server_default="1", info=IMPERSONAL),
    Index("guest_person", "person_id"),
)
"""People with a reserved place in a challenge, or, if `joined`, its players. `number` is their order.

`pinged` is true if the next post of the challenge will ping the person.
"""

chain = _table(
    "chain",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column(
        "challenge_id",
        SNOWFLAKE,
        ForeignKey("challenge.id", ondelete="CASCADE"),
        unique=True,
        info=personal("words.challenge", NAMELESS),
    ),
    Column(
        "rematch_of",
        SNOWFLAKE,
        ForeignKey("match.id", ondelete="CASCADE"),
        unique=True,
        info=personal("words.rematch_of", NAMELESS),
    ),
    Column("person_id", SNOWFLAKE, unique=True, info=personal("person.id", FIELD)),
    Column(
        "match_id",
        SNOWFLAKE,
        ForeignKey("match.id", ondelete="CASCADE"),
        unique=True,
        info=personal("words.match", NAMELESS),
    ),
    Column("commitment", BYTES, nullable=False, info=IMPERSONAL),
    Column("checkpoints", BYTES, info=IMPERSONAL),
    Column("created_at", MOMENT, nullable=False, info=IMPERSONAL),
    Column("channel_id", SNOWFLAKE, info=personal(None, FIELD)),
    Column("message_id", SNOWFLAKE, info=personal(None, FIELD)),
    Column("posted_at", MOMENT, info=IMPERSONAL),
    _partial_index("chain_unused", "created_at", IS_UNUSED),
    sqlite_autoincrement=True,
)
"""Hash chains of server seeds, one for each match. `commitment` is the first value, which is public.

A chain first belongs to an invitation (a challenge, the rematch of a match, or the practice that a person is about to
start), and then to its match. `checkpoints` are secret: every 128th value, beginning with the commitment
(`bot.engine.fairness.fair`). They are deleted when the match is over. `message_id` is the message that shows the
commitment.
"""

daily_deal = _table(
    "daily_deal",
    Column("day", DAY, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("chain_id", SNOWFLAKE, ForeignKey("chain.id", ondelete="SET NULL"), info=IMPERSONAL),
    Column("closed_at", MOMENT, info=IMPERSONAL),
    Column("worst_points", Integer, info=IMPERSONAL),
    Column("worst_turns", Integer, info=IMPERSONAL),
    Column("was_down", FLAG, nullable=False, server_default="0", info=IMPERSONAL),
    Index("daily_deal_chain", "chain_id"),
    _partial_index("daily_deal_open", "day", IS_OPEN_DAY),
)
"""The deals of the day, with the hash chains from which their cards follow.

A deal that was called off, after a backup was restored, has no chain. `closed_at` is the time at which the unfinished
tries were ended. Since then, `worst_points` and `worst_turns` are the worst result, which unfinished tries count as;
null if nobody finished. The day `was_down` if people could not play for at least half of it, or if the deal was closed
before its end; then unfinished tries count as nothing.
"""

daily_try = _table(
    "daily_try",
    Column("day", DAY, primary_key=True, autoincrement=False, info=personal("daily.day", ROW)),
    Column("person_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("person.id", ROW)),
    Column(
        "match_id",
        SNOWFLAKE,
        ForeignKey("match.id", ondelete="CASCADE"),
        nullable=False,
        unique=True,
        info=personal("daily.match", ROW),
    ),
    Column("points", Integer, info=personal("daily.points", ROW)),
    Column("turns", Integer, info=personal("daily.turns", ROW)),
    Column("kind", enum_type(OutcomeKind), info=personal("daily.kind", ROW)),
    Index("daily_try_person", "person_id", "day"),
)
"""People's tries at deals of the day: one for each person and day. An unfinished try has no points, turns and kind."""

daily_entry = _table(
    "daily_entry",
    Column("guild_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("daily.servers", ROW)),
    Column("day", DAY, primary_key=True, autoincrement=False, info=personal("daily.day", ROW)),
    Column("person_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("person.id", ROW)),
    Index("daily_entry_person", "person_id", "day"),
)
"""The servers on which a person's try counts: those on which the person opened the deal of the day."""

daily_post = _table(
    "daily_post",
    Column("guild_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("day", DAY, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("channel_id", SNOWFLAKE, nullable=False, info=IMPERSONAL),
    Column("revision", Integer, nullable=False, info=IMPERSONAL),
    Column("choice", Text, info=IMPERSONAL),
    Index("daily_post_day", "day", "guild_id"),
    _partial_index("daily_post_unfinished", "day", IS_UNFINISHED_POST),
)
"""The posts of the deal of the day: at most one for each server and day.

The revision is 1 while the deal can be played, 2 since the post became the result, and 3 once the result has what the
reviews of people's tries show. `choice` is the choice that mattered most, as JSON; see `bot.model.daily_posts`.
"""

player_words = _table(
    "player_words",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("chain_id", SNOWFLAKE, ForeignKey("chain.id", ondelete="CASCADE"), nullable=False, info=IMPERSONAL),
    Column("person_id", SNOWFLAKE, nullable=False, info=personal("person.id", ROW)),
    Column("text", Text, nullable=False, info=personal("words.text", ROW)),
    Column("counts_from", Integer, info=personal("words.counts_from", ROW)),
    Column("early", FLAG, nullable=False, info=personal("words.early", ROW)),
    Column("given_at", MOMENT, nullable=False, info=personal("words.given", ROW)),
    Index("player_words_chain", "chain_id", "person_id"),
    Index("player_words_person", "person_id"),
    sqlite_autoincrement=True,
)
"""Shuffle words: the players' own texts that are mixed into the shuffles of a match, in the order in which they came.

`counts_from` is the first deal that uses the words. It is null if they are used from the start: for the cut that begins
the match, and for all deals. Words are `early` if they were given before the commitment was posted. The match's log
contains only a hash of the words.
"""

offer_ping = _table(
    "offer_ping",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("from_id", SNOWFLAKE, nullable=False, info=personal("pings.to", ROW)),
    Column("to_id", SNOWFLAKE, nullable=False, info=personal("pings.to", ROW)),
    Column("at", MOMENT, nullable=False, info=personal("pings.at", ROW)),
    Index("offer_ping_people", "from_id", "to_id"),
    Index("offer_ping_to", "to_id"),
    Index("offer_ping_at", "at"),
)
"""Notifications to a person about another person's offers, in the last hour.

An offer is a challenge, or a proposal to call off, pause or repeat a match.
"""

outbox_message = _table(
    "outbox_message",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("kind", enum_type(MessageKind), nullable=False, info=IMPERSONAL),
    Column("subject_id", SNOWFLAKE, nullable=False, info=personal(None, NAMELESS)),
    Column("part", Integer, nullable=False, info=IMPERSONAL),
    Column("guild_id", SNOWFLAKE, info=IMPERSONAL),
    Column("wanted_revision", Integer, nullable=False, info=IMPERSONAL),
    Column("shown_revision", Integer, nullable=False, info=IMPERSONAL),
    Column("repost_revision", Integer, nullable=False, info=IMPERSONAL),
    Column("posted_revision", Integer, nullable=False, info=IMPERSONAL),
    Column("removed", FLAG, nullable=False, info=IMPERSONAL),
    Column("channel_id", SNOWFLAKE, info=personal(None, FIELD)),
    Column("message_id", SNOWFLAKE, info=personal(None, FIELD)),
    Column("posted_at", MOMENT, info=IMPERSONAL),
    Column("posts", Integer, nullable=False, info=IMPERSONAL),
    Column("attempts", Integer, nullable=False, info=IMPERSONAL),
    Column("due_at", MOMENT, nullable=False, info=IMPERSONAL),
    Column("problem", Text, info=IMPERSONAL),
    UniqueConstraint("kind", "subject_id", "part", name="outbox_message_surface"),
    _partial_index("outbox_message_due", "due_at", text("wanted_revision > shown_revision")),
    Index("outbox_message_guild", "guild_id"),
    sqlite_autoincrement=True,
)
"""The desired state of each message. A message is up to date if `shown_revision` has reached `wanted_revision`.

`subject_id` is the id of a challenge, a person (reminders), a server (season results and deals of the day) or a match
(all other kinds).
`part` is a seat for hands and pings, the deal's number for showdowns, the board's number minus one for tables, the
season as a number for season results, the number of the day for deals of the day, and 0 for all other kinds. `guild_id`
is the server whose shard delivers the message; null for practice and reminders.

The revisions are revisions of the subject; for a person's reminders, they count the changes of the message. If
`repost_revision` is above `posted_revision`, the message is posted again instead of edited. `removed` requests its
deletion. `posts` counts the posts so far. The nonce of a post consists of `posts` and the id of the row.
"""

stale_message = _table(
    "stale_message",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("guild_id", SNOWFLAKE, nullable=False, info=IMPERSONAL),
    Column("channel_id", SNOWFLAKE, nullable=False, info=personal(None, ROW)),
    Column("message_id", SNOWFLAKE, nullable=False, info=personal(None, ROW)),
    Column("attempts", Integer, nullable=False, info=IMPERSONAL),
    Column("due_at", MOMENT, nullable=False, info=IMPERSONAL),
    Column("problem", Text, info=IMPERSONAL),
    Index("stale_message_due", "due_at"),
    Index("stale_message_guild", "guild_id"),
)
"""Messages that were replaced by a newer post but could not be deleted yet."""

key_value = _table(
    "key_value",
    Column("key", Text, primary_key=True, info=IMPERSONAL),
    Column("value", Text, nullable=False, info=IMPERSONAL),
)
"""Values that the program keeps between runs, such as the commands it last registered."""
