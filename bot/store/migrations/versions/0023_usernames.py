"""Store account names, to distinguish people whose display names look equal."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the column. It stays empty until the person uses the bot again."""
    op.add_column("person", sa.Column("username", sa.Text()))
