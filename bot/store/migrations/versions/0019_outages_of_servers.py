"""Store the start of a server's outage, because clocks stand still during it.

The gateway reports the start of an outage only once, so the bot must remember it across restarts.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the column. At first, all servers count as available."""
    op.add_column("guild", sa.Column("unavailable_since", MOMENT))
