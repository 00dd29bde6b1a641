"""Add verifiable deals: matches have hash chains of server seeds, and players contribute shuffle words."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

SNOWFLAKE = MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables of hash chains and shuffle words. Existing matches and challenges have neither."""
    op.add_column("match", sa.Column("fairness", sa.Text(), nullable=False, server_default="none"))
    op.create_table(
        "chain",
        sa.Column("id", SNOWFLAKE, primary_key=True),
        sa.Column("challenge_id", SNOWFLAKE, sa.ForeignKey("challenge.id", ondelete="CASCADE"), unique=True),
        sa.Column("rematch_of", SNOWFLAKE, sa.ForeignKey("match.id", ondelete="CASCADE"), unique=True),
        sa.Column("person_id", SNOWFLAKE, unique=True),
        sa.Column("match_id", SNOWFLAKE, sa.ForeignKey("match.id", ondelete="CASCADE"), unique=True),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("checkpoints", sa.LargeBinary()),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("channel_id", SNOWFLAKE),
        sa.Column("message_id", SNOWFLAKE),
        sa.Column("posted_at", MOMENT),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    unused = sa.text("match_id IS NULL")
    op.create_index("chain_unused", "chain", ["created_at"], sqlite_where=unused, postgresql_where=unused)
    op.create_table(
        "player_words",
        sa.Column("id", SNOWFLAKE, primary_key=True),
        sa.Column("chain_id", SNOWFLAKE, sa.ForeignKey("chain.id", ondelete="CASCADE"), nullable=False),
        sa.Column("person_id", SNOWFLAKE, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("counts_from", sa.Integer()),
        sa.Column("early", FLAG, nullable=False),
        sa.Column("given_at", MOMENT, nullable=False),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("player_words_chain", "player_words", ["chain_id", "person_id"])
    op.create_index("player_words_person", "player_words", ["person_id"])
