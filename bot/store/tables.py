"""Tables. Each change here needs a migration in `migrations/versions`.

Each column says in its `info` what it holds of people, and `docs/privacy.md` lists what they say.

Ids that buttons and nonces carry are never reused (`sqlite_autoincrement`), so no old button reaches a new match.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Integer, MetaData, Text, TextClause, or_, text
from sqlalchemy.schema import CheckConstraint, Column, ForeignKey, Index, SchemaItem, Table, UniqueConstraint

from bot.opponent.levels import Level
from bot.store.columns import BYTES, CLOCK, FLAG, FLOAT, MOMENT, RULES, SNOWFLAKE, SPAN, member, words
from bot.store.personal import IMPERSONAL, Forgotten, personal
from bot.values.appearance import HandOrder
from bot.values.challenges import ChallengeStatus
from bot.values.clocks import Standstill, TimeChange
from bot.values.fairness import Fairness
from bot.values.ids import PersonId
from bot.values.matches import MadeCasual, MatchKind, MatchStatus, Proposal
from bot.values.outbox import MessageKind
from bot.values.people import Challengers, Push, Reminders, ShowsProfileTo
from bot.values.records import RecordKind
from bot.values.seasons import Award, Seasons
from bot.values.standings import Order
from bot.values.statistics import Category

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
IS_OPEN = text("closed_at IS NULL")
IS_OBSOLETE = text("obsolete_since IS NOT NULL")
HAS_LEFT = text("left_at IS NOT NULL")
IS_UNUSED = text("match_id IS NULL")
HAS_NO_RESULT = text("drawn IS NULL")
LUCK_IS_DUE = text("status = 'finished' AND kind = 'standard' AND NOT luck_counted")
"""The conditions of partial indexes. Queries need the same words: SQLite cannot tell that a parameter fits an index."""


def _table(name: str, *parts: SchemaItem, **options: Any) -> Table:
    return Table(name, metadata, *parts, sqlite_strict=True, **options)


def _partial_index(name: str, column: str, condition: TextClause, *, unique: bool = False) -> Index:
    return Index(name, column, unique=unique, sqlite_where=condition, postgresql_where=condition)


person = _table(
    "person",
    Column("id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("person.id", ROW)),
    Column("name", Text, nullable=False, info=personal("person.name", ROW)),
    Column("username", Text, info=personal("person.username", ROW)),
    Column("hand_by_dm", FLAG, nullable=False, server_default="1", info=personal("person.hand_by_dm", ROW)),
    Column("push", member(Push), nullable=False, server_default="dm", info=personal("person.push", ROW)),
    Column(
        "challengers",
        member(Challengers),
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
        "hand_order", member(HandOrder), nullable=False, server_default="melds", info=personal("person.hand_order", ROW)
    ),
    Column("pictures", FLAG, nullable=False, server_default="1", info=personal("person.pictures", ROW)),
    Column("confirmations", FLAG, nullable=False, server_default="1", info=personal("person.confirmations", ROW)),
    Column(
        "reminders", member(Reminders), nullable=False, server_default="usual", info=personal("person.reminders", ROW)
    ),
    Column("nudges", FLAG, nullable=False, server_default="1", info=personal("person.nudges", ROW)),
    Column("time_zone", Text, info=personal("person.time_zone", ROW)),
    Column("quiet_from", Integer, info=personal("person.quiet_from", ROW)),
    Column("quiet_to", Integer, info=personal("person.quiet_to", ROW)),
    Column("away_from", MOMENT, info=personal("person.away_from", ROW)),
    Column("away_until", MOMENT, info=personal("person.away_until", ROW)),
    Column(
        "shows_profile_to",
        member(ShowsProfileTo),
        nullable=False,
        server_default="everyone",
        info=personal("person.shows_profile_to", ROW),
    ),
)
"""People who used the bot: the names they last had and when, and what they prefer.

Quiet hours are in minutes since midnight in their time zone. `away_from` and `away_until` are their holiday, if it is
not over.
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
"""Holidays of people, those that go on included: their time stood still in these."""

lesson = _table(
    "lesson",
    Column("person_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("person.id", ROW)),
    Column("step", Integer, nullable=False, info=personal("lessons.step", ROW)),
)
"""How many steps of the lesson people have taken; those who are at its beginning have no row."""

guild = _table(
    "guild",
    Column("id", SNOWFLAKE, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("rules", Text, nullable=False, server_default="classic", info=personal(None, NAMELESS)),
    Column("target", Integer, info=IMPERSONAL),
    Column("channels", words(int), nullable=False, server_default="", info=IMPERSONAL),
    Column("left_at", MOMENT, info=IMPERSONAL),
    Column("offered", words(str), nullable=False, server_default="", info=personal(None, NAMELESS)),
    Column("theme", Text, nullable=False, server_default="classic", info=IMPERSONAL),
    Column("four_colours", FLAG, nullable=False, server_default="0", info=IMPERSONAL),
    Column("language", Text, nullable=False, server_default="en", info=IMPERSONAL),
    Column("clock", CLOCK, nullable=False, server_default="none", info=IMPERSONAL),
    Column("era", Integer, nullable=False, server_default="0", info=IMPERSONAL),
    Column("matches_finished", Integer, nullable=False, server_default="0", info=IMPERSONAL),
    Column("seasons", member(Seasons), nullable=False, server_default="none", info=IMPERSONAL),
    Column("time_zone", Text, nullable=False, server_default="UTC", info=IMPERSONAL),
    Column("season_channel", SNOWFLAKE, info=IMPERSONAL),
    Column("unavailable_since", MOMENT, info=IMPERSONAL),
    # Without it PostgreSQL reads all servers each time it looks for messages of those that are not frozen.
    _partial_index("guild_left", "id", HAS_LEFT),
)
"""Servers: their settings, when they removed the bot, and since when Discord reports them as unavailable.

`era` counts the resets of the leaderboard, and `matches_finished` the matches that were finished there: clocks may
jump, numbers do not.
"""

season = _table(
    "season",
    Column("guild_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("key", Text, primary_key=True, info=IMPERSONAL),
    Column("ends_at", MOMENT, nullable=False, info=IMPERSONAL),
    Column("closed_at", MOMENT, info=IMPERSONAL),
    _partial_index("season_open", "ends_at", IS_OPEN),
    _partial_index("season_running", "guild_id", IS_OPEN, unique=True),
)
"""The seasons of servers, of which one is running at most; the others are over, and their boards stay as they are."""

season_award = _table(
    "season_award",
    Column("guild_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("awards.server", ROW)),
    Column("key", Text, primary_key=True, info=personal("awards.season", ROW)),
    Column("award", member(Award), primary_key=True, info=personal("awards.award", ROW)),
    Column("category", Text, primary_key=True, info=personal("awards.category", ROW)),
    Column("place", Integer, primary_key=True, autoincrement=False, info=personal("awards.place", ROW)),
    Column("person_id", SNOWFLAKE, primary_key=True, autoincrement=False, info=personal("person.id", ROW)),
    Column("value", Integer, nullable=False, info=personal("awards.value", ROW)),
    Column("match_id", SNOWFLAKE, info=personal("awards.match", ROW)),
    Index("season_award_person", "person_id"),
)
"""Who led in a category when a season ended, and who had most gins, the longest streak or the largest deals in it.

Only podiums have a category; elsewhere it is empty. Only deals have a match, and several places: what a server is told
must come from a channel that everybody there sees, and which of the largest deals do is not known before.
"""

house_rule = _table(
    "house_rule",
    Column("guild_id", SNOWFLAKE, ForeignKey("guild.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("key", Text, primary_key=True, info=personal(None, NAMELESS)),
    Column("name", Text, nullable=False, info=personal(None, NAMELESS)),
    Column("rules", RULES, nullable=False, info=IMPERSONAL),
)
"""Rules that a server saved under a name; `key` is the name without regard to case."""

match = _table(
    "match",
    Column("id", SNOWFLAKE, primary_key=True, info=personal("matches.id", NAMELESS)),
    Column("guild_id", SNOWFLAKE, info=personal("matches.server", NAMELESS)),
    Column("channel_id", SNOWFLAKE, info=personal("matches.channel", NAMELESS)),
    Column("rules", RULES, nullable=False, info=personal("matches.record", NAMELESS)),
    Column("channel_deleted", FLAG, nullable=False, info=IMPERSONAL),
    Column("status", member(MatchStatus), nullable=False, info=personal("matches.status", NAMELESS)),
    Column("version", Integer, nullable=False, info=IMPERSONAL),
    Column("revision", Integer, nullable=False, info=IMPERSONAL),
    Column("started_at", MOMENT, nullable=False, info=personal("matches.started", NAMELESS)),
    Column("moved_at", MOMENT, nullable=False, info=personal("matches.moved", NAMELESS)),
    Column("ended_at", MOMENT, info=personal("matches.ended", NAMELESS)),
    Column("ruleset", Text, nullable=False, server_default="classic", info=personal(None, NAMELESS)),
    Column("category", member(Category), nullable=False, server_default="points", info=IMPERSONAL),
    Column(
        "kind", member(MatchKind), nullable=False, server_default="standard", info=personal("matches.kind", NAMELESS)
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
    Column("fairness", member(Fairness), nullable=False, server_default="none", info=IMPERSONAL),
    Column("luck_counted", FLAG, nullable=False, server_default="0", info=IMPERSONAL),
    Column("made_casual", member(MadeCasual), info=personal("matches.made_casual", NAMELESS)),
    Column("vacant_seat", Integer, info=personal("matches.vacant", NAMELESS)),
    Column("vacant_at", MOMENT, info=personal("matches.vacant", NAMELESS)),
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
    sqlite_autoincrement=True,
)
"""Matches. `version` counts the actions of the log; `revision` counts every change that a message could show.

`rules` is their full text, `ruleset` the preset or house rule they come from. A match whose channel was deleted goes on
and can be moved; practice has neither server nor channel. `moved_at` is the time of the last move, or, once the match
is over, of the last proposed rematch. `computer_due_at` is since when a computer is to act. `to_act` has a bit for each
seat that is to act, the lowest for the first. `turn_at` is when the present turn began, and `time_due_at` when the
timekeeper is to look at the match next: to remind somebody, or because a time is used up. A match that is paused runs
on, but not in its channel. `fairness` says whether its deals are verifiable.

`vacant_seat` is the seat of a player who lost on time, and `vacant_at` since when, while the others decide whether a
computer plays on.

`number` is the place of a finished match in the order in which those of its server ended, and `era` the server's at
that time; `recent_until` is when it leaves the boards of the last 30 days, if it is on them. `season` is the key of the
season it counts in. `made_casual` is why the match became casual while it ran; null if its terms made it what it is.
"""

seat = _table(
    "seat",
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("seat", Integer, primary_key=True, info=personal("matches.seat", NAMELESS)),
    Column("person_id", SNOWFLAKE, info=personal("matches.seat", FIELD)),
    Column("proposal", member(Proposal), info=personal("matches.wish", FIELD)),
    Column("won", FLAG, info=personal("matches.record", NAMELESS)),
    Column("deals_won", Integer, info=personal("matches.record", NAMELESS)),
    Column("deals_lost", Integer, info=personal("matches.record", NAMELESS)),
    Column("points", Integer, info=personal("matches.record", NAMELESS)),
    Column("gins", Integer, info=personal("matches.record", NAMELESS)),
    Column("undercuts", Integer, info=personal("matches.record", NAMELESS)),
    Column("drawn", FLAG, info=personal("matches.record", NAMELESS)),
    Column("version", Integer, info=IMPERSONAL),
    Column("moved_at", MOMENT, info=personal("matches.times", NAMELESS)),
    Column("computer", member(Level), info=personal("matches.computers", NAMELESS)),
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
    Index("seat_person", "person_id"),
    _partial_index("seat_absent", "person_id", IS_ABSENT),
    _partial_index("seat_leaver", "leaver_id", IS_REPLACED),
    # A match that is over has results in all its seats, unless it was called off. So this finds those that run.
    _partial_index("seat_without_result", "person_id", HAS_NO_RESULT),
)
"""Who sits where, what they propose, and, once the match is over, how they did.

A forgotten person leaves a seat without a person, and so has a `computer`, whose level it is. If the computer took the
seat over during the match, `leaver_id` is the person it plays on for: they have lost, and nothing else treats the seat
as theirs.

`won` is null while the match runs, for a draw, and where another player's forfeit left no result. `version` and
`moved_at` tell when the seat's board last changed, and `turn_at` when its turn began; they are used in matches with
several boards only.

`time_left` is what the seat had when its turn began, or will have when it begins; null stands for all of the clock's
time. The rest is about the present turn: since when its time stands still because the player cannot reach the table,
when the others were told that it is used up, how often and when the player was last reminded, and when nudged.

`gone_at` is when the bot found out that the player had left the server; null once they act again. `continue_asked_at`
is when the player first asked to go on with the match in its present pause.

Only rated matches have `place` (from which the ratings follow, equal for those who tied) and the rating of the player
before and after the match.
"""


def played_by(person_id: PersonId) -> ColumnElement[bool]:
    """Return the condition for seats that a person has or had, including those that computers took over from them."""
    return or_(seat.c.person_id == person_id, seat.c.leaver_id == person_id)


board = _table(
    "board",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("guild_id", SNOWFLAKE, nullable=False, info=personal("standings.server", NAMELESS)),
    Column("era", Integer, nullable=False, info=personal("standings.era", NAMELESS)),
    Column("category", member(Category), nullable=False, info=personal("standings.category", NAMELESS)),
    Column("ruleset", Text, nullable=False, info=personal("standings.ruleset", NAMELESS)),
    Column("period", Text, nullable=False, info=personal("standings.period", NAMELESS)),
    Column("obsolete_since", MOMENT, info=IMPERSONAL),
    UniqueConstraint("guild_id", "era", "category", "ruleset", "period", name="board_key"),
    _partial_index("board_obsolete", "obsolete_since", IS_OBSOLETE),
)
"""What people are compared by: the matches of a server, an era, a category and a period.

The period is `all`, `recent` or the key of a season. A ruleset leaves out matches with others; an empty one stands for
any. After a reset the boards of the era before are obsolete, and removed bit by bit.
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
"""How people stand on boards: the sums over their matches there, and on those of a whole category their rating.

The keys sort people in each order, the best with the least; `by_rating` is null without a place by rating. All of it
follows from the seats: it is made for reading.
"""

standing_chunk = _table(
    "standing_chunk",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("board_id", SNOWFLAKE, ForeignKey("board.id", ondelete="CASCADE"), nullable=False, info=IMPERSONAL),
    Column("sorted_by", member(Order), nullable=False, info=IMPERSONAL),
    Column("from_key", SNOWFLAKE, nullable=False, info=IMPERSONAL),
    Column("from_person", SNOWFLAKE, nullable=False, info=personal(None, ROW)),
    Column("people", Integer, nullable=False, info=IMPERSONAL),
    UniqueConstraint("board_id", "sorted_by", "from_key", "from_person", name="standing_chunk_start"),
    Index("standing_chunk_person", "from_person"),
)
"""How many people there are on each stretch of a board in one order, from a key and a person on to the next stretch.

A place is counted from these and one stretch of `standing`, however many people there are.
"""

time_change = _table(
    "time_change",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), nullable=False, info=IMPERSONAL),
    Column("seat", Integer, info=personal("matches.time_changes", NAMELESS)),
    Column("kind", member(TimeChange), nullable=False, info=personal("matches.time_changes", NAMELESS)),
    Column("span", SPAN, nullable=False, info=personal("matches.time_changes", NAMELESS)),
    Column("at", MOMENT, nullable=False, info=personal("matches.time_changes", NAMELESS)),
    Index("time_change_match", "match_id"),
)
"""What changed the times of a match besides its turns: a gift of time, a pause, a standstill.

`seat` is whose time it is, null for all seats, and `span` is how much longer it became.
"""

shard = _table(
    "shard",
    Column("number", Integer, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("shards", Integer, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("seen_at", MOMENT, nullable=False, info=IMPERSONAL),
)
"""When each shard of the gateway was last connected; `shards` is how many there were in all."""

lease = _table(
    "lease",
    Column("shard", Integer, primary_key=True, autoincrement=False, info=IMPERSONAL),
    Column("shards", Integer, nullable=False, info=IMPERSONAL),
    Column("owner", Text, nullable=False, info=IMPERSONAL),
    Column("until", MOMENT, nullable=False, info=IMPERSONAL),
    Column("wanted_by", Text, info=IMPERSONAL),
)
"""Which process works for a shard, and until when, by the clock of the database; nobody if `owner` is empty.

`shards` is how many shards there are in all. `wanted_by` is the process that is connected as this one, while another
works for it. Only PostgreSQL has rows.
"""

standstill = _table(
    "standstill",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("kind", member(Standstill), nullable=False, info=IMPERSONAL),
    Column("number", SNOWFLAKE, nullable=False, info=IMPERSONAL),
    Column("shards", Integer, nullable=False, info=IMPERSONAL),
    Column("from_at", MOMENT, nullable=False, info=IMPERSONAL),
    Column("to_at", MOMENT, nullable=False, info=IMPERSONAL),
    Index("standstill_to", "to_at"),
)
"""When the times of many matches stood still: the shard with this number was not connected, or the
server with this id had removed the bot or was unavailable."""

action = _table(
    "action",
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("number", Integer, primary_key=True, info=IMPERSONAL),
    Column("text", Text, nullable=False, info=personal("matches.record", NAMELESS)),
    Column("interaction_id", SNOWFLAKE, unique=True, info=personal(None, NAMELESS)),
    Column("at", MOMENT, nullable=False, info=personal("matches.times", NAMELESS)),
)
"""The move log: every action of a match in notation, chance included. Everything else follows from it."""

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
"""Finished deals with their results. `number` counts them in the order in which they ended; `version` is the match's
right after the deal, so the log can be cut there when no other deal was in play."""

review = _table(
    "review",
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("number", Integer, primary_key=True, info=IMPERSONAL),
    Column("seat", Integer, primary_key=True, info=IMPERSONAL),
    Column("text", Text, nullable=False, info=personal("matches.reviews", ROW)),
)
"""Reviews of what a seat did in finished deals, as JSON; `number` is as in `deal`."""

luck = _table(
    "luck",
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="CASCADE"), primary_key=True, info=IMPERSONAL),
    Column("seat", Integer, primary_key=True, info=IMPERSONAL),
    *(
        Column(name, Integer, nullable=False, info=personal("matches.luck", NAMELESS))
        for name in ("deals", "opening", "draws", "useful", "gins", "undercuts")
    ),
)
"""How the cards of a finished match fell for a seat; see `bot.luck.measures.Luck`. It follows from the log.

Matches by other rules, and those without a deal that counts, have no rows.
"""

server_record = _table(
    "server_record",
    Column("guild_id", SNOWFLAKE, primary_key=True, info=personal("records.server", NAMELESS)),
    Column("kind", member(RecordKind), primary_key=True, info=personal("records.kind", NAMELESS)),
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
"""The best few of each kind of record on a server since its leaderboard was last reset; see `bot.values.records.Entry`.

They are found from the matches that are over. Whose they are is said by the seat alone.
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
"""How many matches people have won in a row on a server up to now, and the seat and match with which that began.

Who has no row has not finished a match since this table was made, or since the leaderboard was last reset.
"""

challenge = _table(
    "challenge",
    Column("id", SNOWFLAKE, primary_key=True, info=personal("challenges.id", ROW)),
    Column("guild_id", SNOWFLAKE, nullable=False, info=personal("challenges.server", ROW)),
    Column("channel_id", SNOWFLAKE, nullable=False, info=personal("challenges.channel", ROW)),
    Column("challenger_id", SNOWFLAKE, nullable=False, info=personal("challenges.challenger", ROW)),
    Column("rules", RULES, nullable=False, info=personal("challenges.rules", ROW)),
    Column("status", member(ChallengeStatus), nullable=False, info=personal("challenges.status", ROW)),
    Column("revision", Integer, nullable=False, info=IMPERSONAL),
    Column("created_at", MOMENT, nullable=False, info=personal("challenges.created", ROW)),
    Column("expires_at", MOMENT, nullable=False, info=personal("challenges.expires", ROW)),
    Column("match_id", SNOWFLAKE, ForeignKey("match.id", ondelete="SET NULL"), info=IMPERSONAL),
    Column("interaction_id", SNOWFLAKE, unique=True, info=personal(None, ROW)),
    Column("ruleset", Text, nullable=False, server_default="classic", info=personal(None, ROW)),
    Column("pairing", Integer, nullable=False, server_default="0", info=IMPERSONAL),
    Column("exact_players", Integer, info=personal("challenges.exact_players", ROW)),
    Column("casual", FLAG, nullable=False, server_default="0", info=personal("challenges.casual", ROW)),
    Column("computers", words(Level), nullable=False, server_default="", info=personal("challenges.computers", ROW)),
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
"""Challenges. `ruleset` and `rules` are as in a match; `pairing` says which of four players are partners.

`exact_players` is how many are to play, if the rules leave that open and the challenger does not. `computers` are the
levels of those that take places.
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
"""People a place is kept for in a challenge, and, once `joined`, its players. `number` is their order.

`pinged` says whether a new post of the challenge notifies them.
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
"""Chains of server seeds, each made for one match: `commitment` is its first value, which everybody may know.

It belongs to an invitation - a challenge, the rematch of a match, or the practice that a person is about to begin - and
then to its match. `checkpoints` are secret: every 128th value, from the commitment on (`bot.engine.fair`). They go when
the match is over. `message_id` is the message that shows the commitment, once it is posted.
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
"""The words that players add to the shuffles of a match, in the order in which they gave them.

`counts_from` is the first deal for which they count, null for what was given before the cut. They are `early` if they
were given before the commitment was posted. The log has only their hash.
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
"""Who notified whom by an offer within the last hour: a challenge, calling a match off, pausing it, or a
rematch."""

outbox_message = _table(
    "outbox_message",
    Column("id", SNOWFLAKE, primary_key=True, info=IMPERSONAL),
    Column("kind", member(MessageKind), nullable=False, info=IMPERSONAL),
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
"""Messages as they should be, one row each. One is delivered when `shown_revision` has reached `wanted_revision`.

`subject_id` is a challenge for messages of that kind, a person for reminders, a server for results of seasons, else a
match. `part` is a seat for hands and pings, the place in the order of ending for showdowns, the board minus one for
tables, the season as a number for its result, else 0. `guild_id` is the server whose shard delivers them: of no server
are practice and reminders. The revisions are the subject's, or for a person's reminders how
often they changed. While `repost_revision` is above `posted_revision` a new post is due rather than an edit. `removed`
asks for the message to be deleted. `posts` counts the posts so far; with the id it makes the nonce.
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
"""Messages that a newer post replaced and that could not be deleted yet."""

key_value = _table(
    "key_value",
    Column("key", Text, primary_key=True, info=IMPERSONAL),
    Column("value", Text, nullable=False, info=IMPERSONAL),
)
"""What the program remembers between runs, such as the commands it last registered."""
