"""Add clocks: turn times, reminders, quiet hours, holidays, pauses and standstills.

After the next start, the timekeeper checks all running matches and stores whose turn it is. A paused match is removed
from the index that allows one running match per channel.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

SNOWFLAKE = MOMENT = SPAN = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _add_columns()
    _add_tables()
    running = sa.text("status = 'running' AND paused_at IS NULL")
    op.drop_index("match_running_channel", "match")
    op.create_index(
        "match_running_channel", "match", ["channel_id"], unique=True, sqlite_where=running, postgresql_where=running
    )
    op.create_index("match_channel", "match", ["channel_id", "ended_at"])
    is_due, is_stopped = sa.text("time_due_at IS NOT NULL"), sa.text("stopped_at IS NOT NULL")
    op.create_index("match_time_due", "match", ["time_due_at"], sqlite_where=is_due, postgresql_where=is_due)
    op.create_index("seat_stopped", "seat", ["person_id"], sqlite_where=is_stopped, postgresql_where=is_stopped)
    op.execute("UPDATE match SET turn_at = moved_at, time_due_at = moved_at WHERE status = 'running'")
    op.execute("UPDATE seat SET turn_at = moved_at WHERE moved_at IS NOT NULL")


def _add_columns() -> None:
    op.add_column("person", sa.Column("reminders", sa.Text(), server_default="usual", nullable=False))
    op.add_column("person", sa.Column("nudges", FLAG, server_default="1", nullable=False))
    op.add_column("person", sa.Column("time_zone", sa.Text()))
    op.add_column("person", sa.Column("quiet_from", sa.Integer()))
    op.add_column("person", sa.Column("quiet_to", sa.Integer()))
    op.add_column("person", sa.Column("away_from", MOMENT))
    op.add_column("person", sa.Column("away_until", MOMENT))
    for table in ("guild", "match", "challenge"):
        op.add_column(table, sa.Column("clock", sa.Text(), server_default="none", nullable=False))
    op.add_column("match", sa.Column("to_act", sa.Integer(), server_default="0", nullable=False))
    for column in ("turn_at", "time_due_at", "paused_at"):
        op.add_column("match", sa.Column(column, MOMENT))
    for column in ("turn_at", "time_left", "stopped_at", "used_up_at", "reminded_at", "nudged_at"):
        op.add_column("seat", sa.Column(column, SPAN))
    op.add_column("seat", sa.Column("reminders", sa.Integer(), server_default="0", nullable=False))


def _add_tables() -> None:
    op.create_table(
        "holiday",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("person_id", SNOWFLAKE, nullable=False),
        sa.Column("from_at", MOMENT, nullable=False),
        sa.Column("to_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("holiday_person", "holiday", ["person_id", "to_at"])
    op.create_table(
        "time_change",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("match_id", SNOWFLAKE, nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("span", SPAN, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], ondelete="CASCADE"),
        sqlite_strict=True,
    )
    op.create_index("time_change_match", "time_change", ["match_id"])
    op.create_table(
        "shard",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shards", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("number", "shards"),
        sqlite_strict=True,
    )
    op.create_table(
        "standstill",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", SNOWFLAKE, nullable=False),
        sa.Column("shards", sa.Integer(), nullable=False),
        sa.Column("from_at", MOMENT, nullable=False),
        sa.Column("to_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("standstill_to", "standstill", ["to_at"])
