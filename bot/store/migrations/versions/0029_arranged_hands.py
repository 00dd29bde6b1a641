"""Store the order in which players have arranged their cards."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Add the column."""
    op.add_column("seat", sa.Column("arranged", sa.Text()))
