"""Store the last showdown that each player has seen, and where the matches of a server are played."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

SNOWFLAKE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns. Deals that ended before count as seen, and servers that have played keep to their channels."""
    op.add_column("seat", sa.Column("seen_deal", sa.Integer(), nullable=False, server_default="0"))
    op.execute(
        "UPDATE seat SET seen_deal = (SELECT COALESCE(MAX(number), 0) FROM deal WHERE deal.match_id = seat.match_id)"
        " WHERE match_id IN (SELECT id FROM match WHERE status = 'running')"
    )
    op.add_column("match", sa.Column("card_channel_id", SNOWFLAKE))
    op.add_column("guild", sa.Column("match_home", sa.Text(), nullable=False, server_default="thread"))
    op.execute(
        "INSERT INTO guild (id, match_home) SELECT DISTINCT guild_id, 'channel' FROM match WHERE guild_id > 0"
        " ON CONFLICT (id) DO UPDATE SET match_home = 'channel'"
    )
