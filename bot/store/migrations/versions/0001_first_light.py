"""Create the first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SNOWFLAKE = MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Integer().with_variant(sa.SmallInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "guild",
        sa.Column("id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("rules", sa.Text(), server_default="classic", nullable=False),
        sa.Column("target", sa.Integer(), nullable=True),
        sa.Column("channels", sa.Text(), server_default="", nullable=False),
        sa.Column("reset_at", MOMENT, nullable=True),
        sa.Column("left_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_table(
        "match",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("channel_id", SNOWFLAKE, nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("homeless", FLAG, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("moved_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.CheckConstraint("status IN ('running', 'finished', 'cancelled')", name="match_status"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("match_guild_ended", "match", ["guild_id", "ended_at"], unique=False)
    op.create_index(
        "match_running_channel",
        "match",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_table(
        "notice",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", SNOWFLAKE, nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("fresh", sa.Integer(), nullable=False),
        sa.Column("posted", sa.Integer(), nullable=False),
        sa.Column("gone", FLAG, nullable=False),
        sa.Column("channel_id", SNOWFLAKE, nullable=True),
        sa.Column("message_id", SNOWFLAKE, nullable=True),
        sa.Column("posted_at", MOMENT, nullable=True),
        sa.Column("posts", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "subject", "part", name="notice_surface"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index(
        "notice_due",
        "notice",
        ["due_at"],
        unique=False,
        sqlite_where=sa.text("wanted > shown"),
        postgresql_where=sa.text("wanted > shown"),
    )
    op.create_table(
        "person",
        sa.Column("id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hand_by_dm", FLAG, server_default="1", nullable=False),
        sa.Column("push", sa.Text(), server_default="dm", nullable=False),
        sa.Column("challengers", sa.Text(), server_default="anyone", nullable=False),
        sa.Column("dm_channel_id", SNOWFLAKE, nullable=True),
        sa.Column("dm_closed_at", MOMENT, nullable=True),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_table(
        "setting",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
        sqlite_strict=True,
    )
    op.create_table(
        "action",
        sa.Column("match_id", SNOWFLAKE, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("interaction_id", SNOWFLAKE, nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "number"),
        sa.UniqueConstraint("interaction_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "challenge",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("channel_id", SNOWFLAKE, nullable=False),
        sa.Column("challenger_id", SNOWFLAKE, nullable=False),
        sa.Column("opponent_id", SNOWFLAKE, nullable=True),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("match_id", SNOWFLAKE, nullable=True),
        sa.Column("interaction_id", SNOWFLAKE, nullable=True),
        sa.CheckConstraint(
            "status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')", name="challenge_status"
        ),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("interaction_id"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index(
        "challenge_pending",
        "challenge",
        ["challenger_id"],
        unique=False,
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_table(
        "deal",
        sa.Column("match_id", SNOWFLAKE, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ended_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "number"),
        sqlite_strict=True,
    )
    op.create_table(
        "seat",
        sa.Column("match_id", SNOWFLAKE, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", SNOWFLAKE, nullable=True),
        sa.Column("wants", sa.Text(), nullable=True),
        sa.Column("won", FLAG, nullable=True),
        sa.Column("deals_won", sa.Integer(), nullable=True),
        sa.Column("deals_lost", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("gins", sa.Integer(), nullable=True),
        sa.Column("undercuts", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "seat"),
        sqlite_strict=True,
    )
    op.create_index("seat_person", "seat", ["person_id"], unique=False)
