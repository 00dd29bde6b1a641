"""Times stand still while an outage makes a server unavailable, so the database says since when it is.

The gateway reports the beginning of an outage once, and a restart must not forget it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the column. No server is known to be unavailable yet."""
    op.add_column("guild", sa.Column("unavailable_since", MOMENT))
