"""Add server records, and the setting to show one's profile only to people with whom one has played.

The records of earlier matches are found by replaying them, which takes too long for a migration.
`bot.play.records.filling` backfills them while the bot runs.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("person", sa.Column("shows_profile_to", sa.Text(), nullable=False, server_default="everyone"))
    op.create_table(
        "server_record",
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("match_id", SNOWFLAKE, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("at", SNOWFLAKE, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("guild_id", "kind", "match_id", "number", "seat"),
        sqlite_strict=True,
    )
    op.create_index("server_record_match", "server_record", ["match_id"])
    op.create_table(
        "streak",
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("person_id", SNOWFLAKE, nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("match_id", SNOWFLAKE),
        sa.Column("seat", sa.Integer()),
        sa.PrimaryKeyConstraint("guild_id", "person_id"),
        sqlite_strict=True,
    )
    op.create_index("streak_person", "streak", ["person_id"])
