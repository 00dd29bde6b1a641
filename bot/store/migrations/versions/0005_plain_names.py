"""Rename tables and columns to match the code, and give replaced messages their own table.

So far, a replaced message was an outbox row with the id of a match or a challenge, and it was unknown which of the two.
Removing one server's match could therefore remove the row for another server's challenge.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

SNOWFLAKE = MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FLAG = sa.Boolean().with_variant(sa.Integer(), "sqlite")

_RENAMED = {
    "match": {"homeless": "channel_deleted", "system": "ruleset", "ladder": "category"},
    "seat": {"wants": "proposal"},
    "challenge": {"system": "ruleset"},
    "setting": {"name": "key"},
}

_KEPT = {
    "id": "id",
    "kind": "kind",
    "subject": "subject_id",
    "part": "part",
    "wanted": "wanted_revision",
    "shown": "shown_revision",
    "fresh": "repost_revision",
    "posted": "posted_revision",
    "gone": "removed",
    "channel_id": "channel_id",
    "message_id": "message_id",
    "posted_at": "posted_at",
    "posts": "posts",
    "attempts": "attempts",
    "due_at": "due_at",
    "trouble": "problem",
}


def upgrade() -> None:
    """Rename columns, and divide the outbox rows into a table of messages and a table of replaced messages."""
    for table, columns in _RENAMED.items():
        for old, new in columns.items():
            op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    op.rename_table("setting", "key_value")
    _create_outbox()
    _create_stale_messages()
    old, new = ", ".join(_KEPT), ", ".join(_KEPT.values())
    op.execute(f"INSERT INTO outbox_message ({new}) SELECT {old} FROM notice WHERE kind <> 'leftover'")
    # Outbox ids must never be reused: they are part of the nonces of messages.
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'outbox_message'")
    op.execute(
        "INSERT INTO sqlite_sequence (name, seq)"
        " SELECT 'outbox_message', seq FROM sqlite_sequence WHERE name = 'notice'"
    )
    # `subject` is the id of a match or a challenge. If both exist, the wrong server may be stored. This is harmless:
    # the message is found by its channel, and nothing else depends on the server.
    op.execute(
        "INSERT INTO stale_message (guild_id, channel_id, message_id, attempts, due_at, problem)"
        " SELECT COALESCE((SELECT guild_id FROM match WHERE match.id = subject),"
        " (SELECT guild_id FROM challenge WHERE challenge.id = subject), 0),"
        " channel_id, message_id, attempts, due_at, trouble"
        " FROM notice WHERE kind = 'leftover' AND channel_id IS NOT NULL AND message_id IS NOT NULL"
    )
    op.drop_table("notice")


def _create_outbox() -> None:
    op.create_table(
        "outbox_message",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject_id", SNOWFLAKE, nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("wanted_revision", sa.Integer(), nullable=False),
        sa.Column("shown_revision", sa.Integer(), nullable=False),
        sa.Column("repost_revision", sa.Integer(), nullable=False),
        sa.Column("posted_revision", sa.Integer(), nullable=False),
        sa.Column("removed", FLAG, nullable=False),
        sa.Column("channel_id", SNOWFLAKE, nullable=True),
        sa.Column("message_id", SNOWFLAKE, nullable=True),
        sa.Column("posted_at", MOMENT, nullable=True),
        sa.Column("posts", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "subject_id", "part", name="outbox_message_surface"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    undelivered = sa.text("wanted_revision > shown_revision")
    op.create_index(
        "outbox_message_due",
        "outbox_message",
        ["due_at"],
        unique=False,
        sqlite_where=undelivered,
        postgresql_where=undelivered,
    )


def _create_stale_messages() -> None:
    op.create_table(
        "stale_message",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("channel_id", SNOWFLAKE, nullable=False),
        sa.Column("message_id", SNOWFLAKE, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("stale_message_due", "stale_message", ["due_at"], unique=False)
