"""Store the avatars of people, and whether pictures may show them."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns. Avatars are stored when people use the bot the next time."""
    op.add_column("person", sa.Column("avatar", sa.Text()))
    op.add_column("person", sa.Column("shows_avatar", FLAG, nullable=False, server_default="1"))
