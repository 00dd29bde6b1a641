"""Add invitations for several people, matches with several boards, house rules, and standings per rule system."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

SNOWFLAKE = MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Integer().with_variant(sa.SmallInteger(), "postgresql")

_PRESET = "substr(rules, 1, instr(rules || ' ', ' ') - 1)"


def upgrade() -> None:
    """Create the new tables and columns, and fill them for existing matches."""
    op.create_table(
        "house_rule",
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["guild_id"], ["guild.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("guild_id", "key"),
        sqlite_strict=True,
    )
    op.create_table(
        "guest",
        sa.Column("challenge_id", SNOWFLAKE, nullable=False),
        sa.Column("person_id", SNOWFLAKE, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("joined", FLAG, nullable=False),
        sa.ForeignKeyConstraint(["challenge_id"], ["challenge.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("challenge_id", "person_id"),
        sqlite_strict=True,
    )
    op.create_index("guest_person", "guest", ["person_id"], unique=False)
    op.execute(
        "INSERT INTO guest (challenge_id, person_id, number, joined)"
        " SELECT id, opponent_id, 1, status = 'accepted' FROM challenge WHERE opponent_id IS NOT NULL"
    )
    _rebuild_challenges()
    op.add_column("match", sa.Column("system", sa.Text(), server_default="classic", nullable=False))
    op.add_column("match", sa.Column("ladder", sa.Text(), server_default="points", nullable=False))
    op.execute(f"UPDATE match SET system = {_PRESET}")
    op.add_column("seat", sa.Column("drawn", FLAG, nullable=True))
    op.add_column("seat", sa.Column("version", sa.Integer(), nullable=True))
    op.add_column("seat", sa.Column("moved_at", MOMENT, nullable=True))
    op.execute("UPDATE seat SET drawn = won IS NULL WHERE match_id IN (SELECT id FROM match WHERE status = 'finished')")
    op.add_column("guild", sa.Column("offered", sa.Text(), server_default="", nullable=False))


def _rebuild_challenges() -> None:
    """Rebuild the challenge table: drop the opponent columns and allow drafts.

    SQLite cannot change a constraint in place.
    """
    kept = "id, guild_id, channel_id, challenger_id, rules, status, revision, created_at, expires_at, match_id"
    op.create_table(
        "challenge_new",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("channel_id", SNOWFLAKE, nullable=False),
        sa.Column("challenger_id", SNOWFLAKE, nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("match_id", SNOWFLAKE, nullable=True),
        sa.Column("interaction_id", SNOWFLAKE, nullable=True),
        sa.Column("system", sa.Text(), server_default="classic", nullable=False),
        sa.Column("pairing", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint(
            "status IN ('draft', 'pending', 'accepted', 'declined', 'withdrawn', 'expired')", name="challenge_status"
        ),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("interaction_id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.execute(
        f"INSERT INTO challenge_new ({kept}, interaction_id, system)"
        f" SELECT {kept}, interaction_id, {_PRESET} FROM challenge"
    )
    # Keep the counter of the ids: the id of a deleted challenge must not be reused.
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'challenge_new'")
    op.execute(
        "INSERT INTO sqlite_sequence (name, seq)"
        " SELECT 'challenge_new', seq FROM sqlite_sequence WHERE name = 'challenge'"
    )
    op.drop_table("challenge")
    op.rename_table("challenge_new", "challenge")
    op.create_index(
        "challenge_pending",
        "challenge",
        ["challenger_id"],
        unique=False,
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
