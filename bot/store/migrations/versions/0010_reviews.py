"""Store reviews of finished deals."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "review",
        sa.Column("match_id", SNOWFLAKE, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "number", "seat"),
        sqlite_strict=True,
    )
