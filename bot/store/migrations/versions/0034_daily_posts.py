"""Store the posts of the deal of the day, and the channel and the hour in which a server wants them."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table and the settings."""
    op.add_column("guild", sa.Column("daily_channel", SNOWFLAKE))
    op.add_column("guild", sa.Column("daily_hour", sa.Integer(), nullable=False, server_default="9"))
    op.add_column("guild", sa.Column("daily_offered", FLAG, nullable=False, server_default="0"))
    has_daily = sa.text("daily_channel IS NOT NULL")
    op.create_index("guild_daily", "guild", ["id"], sqlite_where=has_daily, postgresql_where=has_daily)
    op.create_table(
        "daily_post",
        sa.Column("guild_id", SNOWFLAKE, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("channel_id", SNOWFLAKE, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("choice", sa.Text()),
        sqlite_strict=True,
    )
    op.create_index("daily_post_day", "daily_post", ["day", "guild_id"])
    unfinished = sa.text("revision < 3")
    op.create_index(
        "daily_post_unfinished", "daily_post", ["day"], sqlite_where=unfinished, postgresql_where=unfinished
    )
