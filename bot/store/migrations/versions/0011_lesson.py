"""Store progress in the lesson, so that people can leave it and resume later."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "lesson",
        sa.Column("person_id", SNOWFLAKE, primary_key=True, autoincrement=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sqlite_strict=True,
    )
