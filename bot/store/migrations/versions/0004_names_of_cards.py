"""Add settings for card names, the order of a person's hand, and pictures."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

FLAG = sa.Integer().with_variant(sa.SmallInteger(), "postgresql")


def upgrade() -> None:
    """Add the columns. By default, cards and hands are shown as before."""
    for table in ("person", "guild"):
        op.add_column(table, sa.Column("language", sa.Text(), server_default="en", nullable=False))
    op.add_column("person", sa.Column("hand_order", sa.Text(), server_default="melds", nullable=False))
    op.add_column("person", sa.Column("pictures", FLAG, server_default="1", nullable=False))
