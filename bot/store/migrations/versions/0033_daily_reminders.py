"""Store the hour at which a person is reminded of the deal of the day, and when that was last done."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns."""
    op.add_column("person", sa.Column("daily_hour", sa.Integer()))
    op.add_column("person", sa.Column("daily_reminded_at", SNOWFLAKE))
    wanted = sa.text("daily_hour IS NOT NULL")
    op.create_index("person_daily_reminder", "person", ["daily_hour"], sqlite_where=wanted, postgresql_where=wanted)
