"""What is remembered, as tables. Each change here needs a migration in `migrations/versions`.

SQLite's STRICT tables take INTEGER, TEXT, REAL and BLOB only; the types below map onto them and onto PostgreSQL's own.
Ids that buttons and nonces carry are never given twice (`sqlite_autoincrement`), so that an old button cannot reach a
new match.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)

metadata = MetaData()

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def snowflake() -> BigInteger:
    """A Discord id: 64 bits."""
    return BigInteger().with_variant(Integer, "sqlite")


class Moment(TypeDecorator[datetime]):
    """An aware UTC time, kept as whole milliseconds since 1970."""

    impl = BigInteger().with_variant(Integer, "sqlite")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """From a time to its number."""
        return None if value is None else (value - _EPOCH) // _MILLISECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """From the number to the time."""
        return None if value is None else _EPOCH + value * _MILLISECOND


class Flag(TypeDecorator[bool]):
    """True or false, kept as 1 or 0."""

    impl = Integer().with_variant(SmallInteger, "postgresql")
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> int | None:
        """From the truth value to its number."""
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> bool | None:
        """From the number to the truth value."""
        return None if value is None else bool(value)


person = Table(
    "person",
    metadata,
    Column("id", snowflake(), primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("hand_by_dm", Flag, nullable=False, server_default="1"),
    Column("push", Text, nullable=False, server_default="dm"),
    Column("challengers", Text, nullable=False, server_default="anyone"),
    Column("dm_channel_id", snowflake()),
    Column("dm_closed_at", Moment),
    Column("seen_at", Moment, nullable=False),
    Column("theme", Text, nullable=False, server_default="classic"),
    Column("four_colours", Flag, nullable=False, server_default="0"),
    Column("language", Text, nullable=False, server_default="en"),
    Column("hand_order", Text, nullable=False, server_default="melds"),
    Column("pictures", Flag, nullable=False, server_default="1"),
    sqlite_strict=True,
)
"""People who used the bot: the name they had last and when they had it, and what they prefer."""

guild = Table(
    "guild",
    metadata,
    Column("id", snowflake(), primary_key=True, autoincrement=False),
    Column("rules", Text, nullable=False, server_default="classic"),
    Column("target", Integer),
    Column("channels", Text, nullable=False, server_default=""),
    Column("reset_at", Moment),
    Column("left_at", Moment),
    Column("offered", Text, nullable=False, server_default=""),
    Column("theme", Text, nullable=False, server_default="classic"),
    Column("four_colours", Flag, nullable=False, server_default="0"),
    Column("language", Text, nullable=False, server_default="en"),
    sqlite_strict=True,
)
"""Servers: their defaults for a challenge, the channels to play in and the presets they offer (by spaces; empty: all),
how cards look and are named in public, and their standing."""

house_rule = Table(
    "house_rule",
    metadata,
    Column("guild_id", snowflake(), ForeignKey("guild.id", ondelete="CASCADE"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("rules", Text, nullable=False),
    sqlite_strict=True,
)
"""Rules that a server gave a name of its own; `key` is the name without regard to case."""

match = Table(
    "match",
    metadata,
    Column("id", snowflake(), primary_key=True),
    Column("guild_id", snowflake(), nullable=False),
    Column("channel_id", snowflake(), nullable=False),
    Column("rules", Text, nullable=False),
    Column("homeless", Flag, nullable=False),
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("started_at", Moment, nullable=False),
    Column("moved_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("system", Text, nullable=False, server_default="classic"),
    Column("ladder", Text, nullable=False, server_default="points"),
    CheckConstraint("status IN ('running', 'finished', 'cancelled')", name="match_status"),
    Index(
        "match_running_channel",
        "channel_id",
        unique=True,
        sqlite_where=text("status = 'running'"),
        postgresql_where=text("status = 'running'"),
    ),
    Index("match_guild_ended", "guild_id", "ended_at"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""Matches. `version` counts the actions of the log; `revision` every change that a message could show.

`rules` is the whole text; `system` the preset or house rule it was agreed by, and `ladder` the standing it counts in.
A match is homeless while its channel is gone: it goes on, and may move to another channel. `moved_at` is the time of
the last move, or, once the match is over, of the last offer to play again.
"""

seat = Table(
    "seat",
    metadata,
    Column("match_id", snowflake(), ForeignKey("match.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person_id", snowflake()),
    Column("wants", Text),
    Column("won", Flag),
    Column("deals_won", Integer),
    Column("deals_lost", Integer),
    Column("points", Integer),
    Column("gins", Integer),
    Column("undercuts", Integer),
    Column("drawn", Flag),
    Column("version", Integer),
    Column("moved_at", Moment),
    Index("seat_person", "person_id"),
    sqlite_strict=True,
)
"""Who sits where; what they propose (`cancel`, `rematch`); and, once the match is over, how they did.

A person who was forgotten leaves a seat without a person. `won` is null while the match runs, where it was drawn, and
where somebody else's resignation left no result. `version` and `moved_at` tell when the seat's board last changed, in
matches of several boards; they are null in others.
"""

action = Table(
    "action",
    metadata,
    Column("match_id", snowflake(), ForeignKey("match.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("interaction_id", snowflake(), unique=True),
    Column("at", Moment, nullable=False),
    sqlite_strict=True,
)
"""The move log: every action of a match in notation, chance included. It is the truth; all else follows from it."""

deal = Table(
    "deal",
    metadata,
    Column("match_id", snowflake(), ForeignKey("match.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("winner", Integer),
    Column("points", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("ended_at", Moment, nullable=False),
    sqlite_strict=True,
)
"""Finished deals with their result. `number` counts them in the order of their ends; `version` is the match's once the
deal was over: where no other was in play, the log can be cut there."""

challenge = Table(
    "challenge",
    metadata,
    Column("id", snowflake(), primary_key=True),
    Column("guild_id", snowflake(), nullable=False),
    Column("channel_id", snowflake(), nullable=False),
    Column("challenger_id", snowflake(), nullable=False),
    Column("rules", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("match_id", snowflake(), ForeignKey("match.id", ondelete="SET NULL")),
    Column("interaction_id", snowflake(), unique=True),
    Column("system", Text, nullable=False, server_default="classic"),
    Column("pairing", Integer, nullable=False, server_default="0"),
    CheckConstraint(
        "status IN ('draft', 'pending', 'accepted', 'declined', 'withdrawn', 'expired')", name="challenge_status"
    ),
    Index(
        "challenge_pending",
        "challenger_id",
        sqlite_where=text("status = 'pending'"),
        postgresql_where=text("status = 'pending'"),
    ),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""Invitations. `system` and `rules` are as in a match; `pairing` tells which of four players are partners."""

guest = Table(
    "guest",
    metadata,
    Column("challenge_id", snowflake(), ForeignKey("challenge.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", snowflake(), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("joined", Flag, nullable=False),
    Index("guest_person", "person_id"),
    sqlite_strict=True,
)
"""Who an invitation is to by name, and, once `joined`, who plays; `number` is the order of naming, then of joining."""

notice = Table(
    "notice",
    metadata,
    Column("id", snowflake(), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("subject", snowflake(), nullable=False),
    Column("part", Integer, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("fresh", Integer, nullable=False),
    Column("posted", Integer, nullable=False),
    Column("gone", Flag, nullable=False),
    Column("channel_id", snowflake()),
    Column("message_id", snowflake()),
    Column("posted_at", Moment),
    Column("posts", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Moment, nullable=False),
    Column("trouble", Text),
    UniqueConstraint("kind", "subject", "part", name="notice_surface"),
    Index("notice_due", "due_at", sqlite_where=text("wanted > shown"), postgresql_where=text("wanted > shown")),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""Messages as they should be, one row for each: delivered when `shown` has caught up with `wanted`.

`subject` is a match or (for `challenge`) an invitation; `part` a seat, a finished deal's place in the order of ending,
a board less one, or 0. `wanted`, `shown`, `fresh` and `posted` are revisions of the subject: a new post is due, rather
than an edit, while `fresh` is above `posted`. `gone` asks for the message's removal. A message that a new post replaced
is a `leftover` of the same subject until it is removed; `part` then only counts. `posts` counts the posts so far: with
the id it makes the nonce.
"""

setting = Table(
    "setting",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
    sqlite_strict=True,
)
"""What the program itself remembers, such as the commands it last registered."""
