"""Count the pings that people's offers send, and store the guests that a challenge's message pings.

Messages of existing open challenges continue to ping all named people.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

SNOWFLAKE = MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "offer_ping",
        sa.Column("id", SNOWFLAKE, primary_key=True),
        sa.Column("from_id", SNOWFLAKE, nullable=False),
        sa.Column("to_id", SNOWFLAKE, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("offer_ping_people", "offer_ping", ["from_id", "to_id"])
    op.create_index("offer_ping_to", "offer_ping", ["to_id"])
    op.create_index("offer_ping_at", "offer_ping", ["at"])
    op.add_column("guest", sa.Column("pinged", FLAG, server_default="1", nullable=False))
