"""Add computer players, practice without a server or channel, and casual matches that do not count in standings."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

SNOWFLAKE = MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Rebuild the match table, because SQLite cannot drop a NOT NULL in place, and add the other columns."""
    _rebuild_matches()
    op.add_column("seat", sa.Column("computer", sa.Text()))
    op.add_column("challenge", sa.Column("casual", FLAG, server_default="0", nullable=False))
    op.add_column("challenge", sa.Column("computers", sa.Text(), server_default="", nullable=False))


def _rebuild_matches() -> None:
    kept = (
        "id, guild_id, channel_id, rules, channel_deleted, status, version, revision, started_at, moved_at, ended_at,"
        " ruleset, category"
    )
    op.create_table(
        "match_new",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("guild_id", SNOWFLAKE),
        sa.Column("channel_id", SNOWFLAKE),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("channel_deleted", FLAG, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("moved_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT),
        sa.Column("ruleset", sa.Text(), server_default="classic", nullable=False),
        sa.Column("category", sa.Text(), server_default="points", nullable=False),
        sa.Column("kind", sa.Text(), server_default="standard", nullable=False),
        sa.Column("computer_due_at", MOMENT),
        sa.CheckConstraint("status IN ('running', 'finished', 'cancelled')", name="match_status"),
        sa.CheckConstraint(
            "kind = 'practice' OR (guild_id IS NOT NULL AND channel_id IS NOT NULL)", name="match_place"
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.execute(f"INSERT INTO match_new ({kept}) SELECT {kept} FROM match")
    # The id of a deleted match must not be reused.
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'match_new'")
    op.execute(
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'match_new', seq FROM sqlite_sequence WHERE name = 'match'"
    )
    op.drop_table("match")
    op.rename_table("match_new", "match")
    running = sa.text("status = 'running'")
    op.create_index(
        "match_running_channel", "match", ["channel_id"], unique=True, sqlite_where=running, postgresql_where=running
    )
    op.create_index("match_guild_ended", "match", ["guild_id", "ended_at"])
    is_due = sa.text("computer_due_at IS NOT NULL")
    op.create_index("match_computer_due", "match", ["computer_due_at"], sqlite_where=is_due, postgresql_where=is_due)
