"""A challenge may be for exactly so many players where its rules leave open how many play."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column."""
    op.add_column("challenge", sa.Column("exact_players", sa.Integer()))
