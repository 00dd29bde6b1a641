"""Names that look equal are told apart by the names of the accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the name of a person's account; it is unknown until they use the bot again."""
    op.add_column("person", sa.Column("username", sa.Text()))
