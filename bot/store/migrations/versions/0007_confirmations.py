"""Add the setting that asks for confirmation when a button would give up gin or possible layoffs."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("person", sa.Column("confirmations", FLAG, server_default="1", nullable=False))
