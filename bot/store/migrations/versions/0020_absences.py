"""Track players who left the server, and let another player call off a match without the consent of absent players.

A seat stores the time at which the bot noticed that its player had left, and the time at which the player asked to
continue after a pause. A match stores why it became casual. After the migration, the timekeeper checks matches with a
stopped clock, because the other players may now call them off. Existing proposals to continue get the time of the
migration, because their own time was not stored.
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

MOMENT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns, and replace the index of stopped clocks with an index of all absent people."""
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
