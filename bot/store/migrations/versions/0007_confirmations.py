"""People choose whether a button that gives up gin, or cards that could be laid off, asks first."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the column."""
    op.add_column("person", sa.Column("confirmations", FLAG, server_default="1", nullable=False))
