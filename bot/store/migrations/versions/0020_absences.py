"""Players who left the server, and matches that one player can call off.

A seat stores when its player was found to have left, and when they asked to continue after a pause. A match stores why
it became casual. The timekeeper looks at matches with stopped time, since their other players may now call them off.
Proposals to continue count from this migration, since nothing says when they were made.
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns, and find absent people by one index."""
    op.add_column("match", sa.Column("made_casual", sa.Text()))
    op.add_column("seat", sa.Column("gone_at", MOMENT))
    op.add_column("seat", sa.Column("continue_asked_at", MOMENT))
    absent = sa.text("(stopped_at IS NOT NULL OR gone_at IS NOT NULL)")
    op.drop_index("seat_stopped", "seat")
    op.create_index("seat_absent", "seat", ["person_id"], sqlite_where=absent, postgresql_where=absent)
    op.execute(
        "UPDATE match SET time_due_at = moved_at WHERE status = 'running' AND paused_at IS NULL"
        " AND id IN (SELECT match_id FROM seat WHERE stopped_at IS NOT NULL)"
    )
    now = round(datetime.now(UTC).timestamp() * 1000)
    op.execute(sa.text("UPDATE seat SET continue_asked_at = :now WHERE proposal = 'continue'").bindparams(now=now))
    op.execute(
        "UPDATE match SET time_due_at = moved_at WHERE status = 'running' AND paused_at IS NOT NULL"
        " AND id IN (SELECT match_id FROM seat WHERE continue_asked_at IS NOT NULL)"
    )
