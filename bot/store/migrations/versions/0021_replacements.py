"""At tables of three and four a computer can take over the seat of somebody who lost on time.

While the others decide, the match says which seat is vacant. A seat that was taken over keeps the person it was taken
over from in a column of its own: as long as `person_id` is empty, nothing treats the seat as theirs.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the vacant seat of a match, and the person a computer plays on for."""
    op.add_column("match", sa.Column("vacant_seat", sa.Integer()))
    op.add_column("match", sa.Column("vacant_at", SNOWFLAKE))
    op.add_column("seat", sa.Column("leaver_id", SNOWFLAKE))
    is_replaced = sa.text("leaver_id IS NOT NULL")
    op.create_index("seat_leaver", "seat", ["leaver_id"], sqlite_where=is_replaced, postgresql_where=is_replaced)
