"""Add luck statistics to profiles, and statistical tests of the decks dealt on a server or on all servers.

The luck in earlier matches is computed from their logs, which takes too long for a migration.
`bot.play.luck.counting` backfills it while the bot runs.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table of luck, a flag for matches whose luck was counted, and indexes for the matches of a server."""
    op.add_column("match", sa.Column("luck_counted", FLAG, server_default="0", nullable=False))
    is_due = sa.text("status = 'finished' AND kind = 'standard' AND NOT luck_counted")
    op.create_index("match_luck_due", "match", ["id"], sqlite_where=is_due, postgresql_where=is_due)
    op.create_index("match_guild", "match", ["guild_id", "id"])
    op.create_index("match_fairness", "match", ["fairness", "guild_id", "status"])
    op.create_table(
        "luck",
        sa.Column("match_id", SNOWFLAKE, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("deals", "opening", "draws", "useful", "gins", "undercuts")
        ),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "seat"),
        sqlite_strict=True,
    )
