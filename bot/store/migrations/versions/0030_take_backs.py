"""Store whether a person may be asked to let others take a discard back, and the last deal in which a seat asked."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns."""
    op.add_column("person", sa.Column("take_backs", FLAG, nullable=False, server_default="0"))
    op.add_column("seat", sa.Column("asked_back", sa.Integer()))
