"""Let a computer take over the seat of a player who lost on time, in matches of three or four.

While the other players decide, the match stores the vacant seat. A seat that was taken over stores the previous player
in a separate column: `person_id` is empty, so the seat is no longer treated as theirs.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add columns for the vacant seat of a match, and for the person that a computer replaced in a seat."""
    op.add_column("match", sa.Column("vacant_seat", sa.Integer()))
    op.add_column("match", sa.Column("vacant_at", SNOWFLAKE))
    op.add_column("seat", sa.Column("leaver_id", SNOWFLAKE))
    is_replaced = sa.text("leaver_id IS NOT NULL")
    op.create_index("seat_leaver", "seat", ["leaver_id"], sqlite_where=is_replaced, postgresql_where=is_replaced)
