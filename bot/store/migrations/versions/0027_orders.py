"""Store standing orders, and the preference to draw for a person."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns."""
    op.add_column("seat", sa.Column("orders", sa.Text()))
    op.add_column("person", sa.Column("draws_for_me", FLAG, nullable=False, server_default="0"))
