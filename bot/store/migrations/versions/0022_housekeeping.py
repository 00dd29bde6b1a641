"""Add indexes for all housekeeping statements.

Without the index `challenge_match`, removing a match scans all challenges. The index `seat_without_result` speeds up
moves: the search for other matches in which it is the player's turn no longer reads the seats of finished matches.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

INDEXES = (
    ("challenge_match", "challenge", "match_id"),
    ("challenge_guild", "challenge", "guild_id"),
    ("challenge_expires", "challenge", "expires_at"),
    ("holiday_to", "holiday", "to_at"),
    ("outbox_message_guild", "outbox_message", "guild_id"),
    ("stale_message_guild", "stale_message", "guild_id"),
)
PARTIAL_INDEXES = (
    ("challenge_draft", "challenge", "challenger_id", "status = 'draft'"),
    ("challenge_open", "challenge", "expires_at", "status IN ('draft', 'pending')"),
    ("seat_without_result", "seat", "person_id", "drawn IS NULL"),
)


def upgrade() -> None:
    for name, table, column in INDEXES:
        op.create_index(name, table, [column])
    for name, table, column, condition in PARTIAL_INDEXES:
        where = sa.text(condition)
        op.create_index(name, table, [column], sqlite_where=where, postgresql_where=where)
