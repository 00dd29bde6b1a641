"""Store the worst result of each day, which unfinished tries count as, and whether people could play on that day."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"

FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns, with the worst results of past days."""
    op.add_column("daily_deal", sa.Column("worst_points", sa.Integer()))
    op.add_column("daily_deal", sa.Column("worst_turns", sa.Integer()))
    op.add_column("daily_deal", sa.Column("was_down", FLAG, nullable=False, server_default="0"))
    for column in ("points", "turns"):
        op.execute(f"""
            UPDATE daily_deal SET worst_{column} = (
                SELECT {column} FROM daily_try WHERE daily_try.day = daily_deal.day AND points IS NOT NULL
                ORDER BY points, turns DESC LIMIT 1
            ) WHERE closed_at IS NOT NULL
        """)
