"""Let several processes share the work, divided by the servers' shards."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

SNOWFLAKE = MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the server id of an outbox message, an index for servers that removed the bot, and the table of leases."""
    op.add_column("outbox_message", sa.Column("guild_id", SNOWFLAKE))
    op.execute(
        "UPDATE outbox_message SET guild_id = CASE kind"
        " WHEN 'reminder' THEN NULL"
        " WHEN 'season' THEN subject_id"
        " WHEN 'challenge' THEN (SELECT guild_id FROM challenge WHERE challenge.id = subject_id)"
        " ELSE (SELECT guild_id FROM match WHERE match.id = subject_id) END"
    )
    has_left = sa.text("left_at IS NOT NULL")
    op.create_index("guild_left", "guild", ["id"], sqlite_where=has_left, postgresql_where=has_left)
    op.create_table(
        "lease",
        sa.Column("shard", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("shards", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("until", MOMENT, nullable=False),
        sa.Column("wanted_by", sa.Text()),
        sqlite_strict=True,
    )
