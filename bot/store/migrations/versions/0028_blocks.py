"""Store the people that a person has blocked."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "block",
        sa.Column("blocker_id", SNOWFLAKE, primary_key=True, autoincrement=False),
        sa.Column("blocked_id", SNOWFLAKE, primary_key=True, autoincrement=False),
        sqlite_strict=True,
    )
    op.create_index("block_blocked", "block", ["blocked_id"])
