"""Add settings for the appearance of pictures, for each person and for a server's public messages."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

FLAG = sa.Integer().with_variant(sa.SmallInteger(), "postgresql")


def upgrade() -> None:
    """Add the columns. By default, pictures look the same as before."""
    for table in ("person", "guild"):
        op.add_column(table, sa.Column("theme", sa.Text(), server_default="classic", nullable=False))
        op.add_column(table, sa.Column("four_colours", FLAG, server_default="0", nullable=False))
