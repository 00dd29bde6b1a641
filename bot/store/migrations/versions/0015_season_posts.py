"""Add posts with the results of a season.

A post shows the largest deal that was played in a channel visible to all members. Therefore, awards for deals now store
the match, and a person can have several such awards. Earlier awards have no match.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the channel for season results, and rebuild the table of awards: SQLite cannot change a key in place."""
    op.add_column("guild", sa.Column("season_channel", SNOWFLAKE))
    op.create_table(
        "season_award_new",
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("award", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("person_id", SNOWFLAKE, nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("match_id", SNOWFLAKE),
        sa.PrimaryKeyConstraint("guild_id", "key", "award", "category", "place", "person_id"),
        sqlite_strict=True,
    )
    columns = "guild_id, key, award, category, place, person_id, value"
    op.execute(f"INSERT INTO season_award_new ({columns}) SELECT {columns} FROM season_award")
    op.drop_table("season_award")
    op.rename_table("season_award_new", "season_award")
    op.create_index("season_award_person", "season_award", ["person_id"])
