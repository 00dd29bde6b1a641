"""Let a challenge fix the number of players if its rules allow different numbers."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("challenge", sa.Column("exact_players", sa.Integer()))
