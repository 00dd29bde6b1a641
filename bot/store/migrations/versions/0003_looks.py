"""How pictures look: to each person, and in public on a server."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

FLAG = sa.Integer().with_variant(sa.SmallInteger(), "postgresql")


def upgrade() -> None:
    """Everybody keeps what they see now."""
    for table in ("person", "guild"):
        op.add_column(table, sa.Column("theme", sa.Text(), server_default="classic", nullable=False))
        op.add_column(table, sa.Column("four_colours", FLAG, server_default="0", nullable=False))
