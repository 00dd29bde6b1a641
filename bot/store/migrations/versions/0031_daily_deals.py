"""Store the deals of the day, and people's tries at them."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables, and the day of a match."""
    op.add_column("match", sa.Column("day", sa.Integer()))
    running = sa.text("status = 'running' AND day IS NOT NULL")
    op.create_index("match_daily", "match", ["day"], sqlite_where=running, postgresql_where=running)
    op.create_table(
        "daily_deal",
        sa.Column("day", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("chain_id", SNOWFLAKE, sa.ForeignKey("chain.id", ondelete="SET NULL")),
        sa.Column("closed_at", SNOWFLAKE),
        sqlite_strict=True,
    )
    op.create_index("daily_deal_chain", "daily_deal", ["chain_id"])
    is_open = sa.text("closed_at IS NULL")
    op.create_index("daily_deal_open", "daily_deal", ["day"], sqlite_where=is_open, postgresql_where=is_open)
    op.create_table(
        "daily_try",
        sa.Column("day", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("person_id", SNOWFLAKE, primary_key=True, autoincrement=False),
        sa.Column("match_id", SNOWFLAKE, sa.ForeignKey("match.id", ondelete="CASCADE"), nullable=False, unique=True),
        sa.Column("points", sa.Integer()),
        sa.Column("turns", sa.Integer()),
        sa.Column("kind", sa.Text()),
        sqlite_strict=True,
    )
    op.create_index("daily_try_person", "daily_try", ["person_id", "day"])
    op.create_table(
        "daily_entry",
        sa.Column("guild_id", SNOWFLAKE, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("person_id", SNOWFLAKE, primary_key=True, autoincrement=False),
        sqlite_strict=True,
    )
    op.create_index("daily_entry_person", "daily_entry", ["person_id", "day"])
