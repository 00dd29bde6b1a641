"""Store when seasons began: a season that was switched on in the middle of a month says so."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Add the column. It stays empty for seasons that began before, because nobody knows when they did."""
    op.add_column("season", sa.Column("begins_at", sa.BigInteger().with_variant(sa.Integer(), "sqlite")))
