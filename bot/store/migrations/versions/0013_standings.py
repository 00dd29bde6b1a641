"""Add ratings, seasons and precomputed standings. Replace the time of a server's last reset by an era number.

Standings are computed from finished matches. `bot.play.standing.filling` backfills them gradually after the migration.
If there are finished matches, the migration saves the progress value from which the backfill starts.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

SNOWFLAKE = MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLOAT = sa.Double[float]().with_variant(sa.REAL(), "sqlite")
SUMS = ("matches", "won", "lost", "drawn", "deals_won", "deals_lost", "points", "gins", "undercuts", "net")


def upgrade() -> None:
    """Add the tables and columns, and number the finished matches."""
    _add_columns()
    _number_matches()
    op.drop_column("guild", "reset_at")
    _create_tables()
    _add_seasons()
    op.execute(
        "INSERT INTO key_value (key, value) SELECT 'standings to fill', '0 0'"
        " WHERE EXISTS (SELECT * FROM match WHERE number IS NOT NULL)"
    )


def _add_columns() -> None:
    for name in ("era", "matches_finished"):
        op.add_column("guild", sa.Column(name, sa.Integer(), server_default="0", nullable=False))
    for name in ("era", "number"):
        op.add_column("match", sa.Column(name, sa.Integer()))
    op.add_column("match", sa.Column("recent_until", MOMENT))
    op.add_column("match", sa.Column("season", sa.Text()))
    op.add_column("seat", sa.Column("place", sa.Integer()))
    for name in ("mu_before", "sigma_before", "mu_after", "sigma_after"):
        op.add_column("seat", sa.Column(name, FLOAT))


def _number_matches() -> None:
    """Number finished matches in the order of their ends. Matches before a server's last reset get an earlier era."""
    op.execute(
        "INSERT INTO guild (id) SELECT DISTINCT guild_id FROM match"
        " WHERE status = 'finished' AND guild_id IS NOT NULL AND guild_id NOT IN (SELECT id FROM guild)"
    )
    op.execute("UPDATE guild SET era = 1 WHERE reset_at IS NOT NULL")
    op.execute(
        "UPDATE match SET number = numbered.number, era = numbered.era FROM ("
        "SELECT match.id, row_number() OVER (PARTITION BY guild_id ORDER BY ended_at, match.id) AS number,"
        " CASE WHEN ended_at < reset_at THEN 0 ELSE guild.era END AS era"
        " FROM match JOIN guild ON guild.id = match.guild_id WHERE status = 'finished'"
        ") AS numbered WHERE numbered.id = match.id"
    )
    op.create_index("match_guild_number", "match", ["guild_id", "number"])
    op.execute(
        "UPDATE guild SET matches_finished = coalesce("
        "(SELECT max(number) FROM match WHERE match.guild_id = guild.id), 0)"
    )
    is_recent = sa.text("recent_until IS NOT NULL")
    op.create_index("match_recent", "match", ["recent_until"], sqlite_where=is_recent, postgresql_where=is_recent)


def _add_seasons() -> None:
    op.add_column("guild", sa.Column("seasons", sa.Text(), server_default="none", nullable=False))
    op.add_column("guild", sa.Column("time_zone", sa.Text(), server_default="UTC", nullable=False))
    op.create_table(
        "season",
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("ends_at", MOMENT, nullable=False),
        sa.Column("closed_at", MOMENT),
        sa.PrimaryKeyConstraint("guild_id", "key"),
        sqlite_strict=True,
    )
    is_open = sa.text("closed_at IS NULL")
    op.create_index("season_open", "season", ["ends_at"], sqlite_where=is_open, postgresql_where=is_open)
    op.create_index(
        "season_running", "season", ["guild_id"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_index("match_season", "match", ["guild_id", "season", "number"])
    running = sa.text("status = 'running'")
    op.create_index("match_running_guild", "match", ["guild_id"], sqlite_where=running, postgresql_where=running)
    op.create_table(
        "season_award",
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("award", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("person_id", SNOWFLAKE, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "key", "award", "category", "person_id"),
        sqlite_strict=True,
    )
    op.create_index("season_award_person", "season_award", ["person_id"])


def _create_tables() -> None:
    op.create_table(
        "board",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("era", sa.Integer(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("obsolete_since", MOMENT),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("guild_id", "era", "category", "ruleset", "period", name="board_key"),
        sqlite_strict=True,
    )
    is_obsolete = sa.text("obsolete_since IS NOT NULL")
    op.create_index(
        "board_obsolete", "board", ["obsolete_since"], sqlite_where=is_obsolete, postgresql_where=is_obsolete
    )
    op.create_table(
        "standing",
        sa.Column("board_id", SNOWFLAKE, sa.ForeignKey("board.id", ondelete="CASCADE"), nullable=False),
        sa.Column("person_id", SNOWFLAKE, nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in SUMS),
        sa.Column("mu", FLOAT),
        sa.Column("sigma", FLOAT),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("by_rating", SNOWFLAKE),
        sa.Column("by_wins", SNOWFLAKE, nullable=False),
        sa.Column("by_points", SNOWFLAKE, nullable=False),
        sa.PrimaryKeyConstraint("board_id", "person_id"),
        sqlite_strict=True,
    )
    for key in ("by_rating", "by_wins", "by_points"):
        op.create_index(f"standing_{key}", "standing", ["board_id", key, "person_id"])
    op.create_index("standing_person", "standing", ["person_id"])
    op.create_table(
        "standing_chunk",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("board_id", SNOWFLAKE, sa.ForeignKey("board.id", ondelete="CASCADE"), nullable=False),
        sa.Column("sorted_by", sa.Text(), nullable=False),
        sa.Column("from_key", SNOWFLAKE, nullable=False),
        sa.Column("from_person", SNOWFLAKE, nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("board_id", "sorted_by", "from_key", "from_person", name="standing_chunk_start"),
        sqlite_strict=True,
    )
    op.create_index("standing_chunk_person", "standing_chunk", ["from_person"])
