"""Engines and connection settings for PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import URL, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

STATEMENT_CACHE_SIZE: Final = 500
"""Size of each connection's cache of prepared statements.

A query with a list of parameters is a separate statement for each length of the list.
"""

CONNECT_TIMEOUT: Final = 10.0
"""Timeout for connecting, in seconds."""
COMMAND_TIMEOUT: Final = 60.0
"""Timeout for a statement, in seconds."""

SESSION_SETTINGS: Final = {
    "application_name": "deadwood",
    # A process that hangs in a transaction must not keep its rows locked.
    "idle_in_transaction_session_timeout": "30s",
    "lock_timeout": "10s",
    # Disable just-in-time compilation: all queries are short, and compiling one takes longer than running it.
    "jit": "off",
    "timezone": "UTC",
    # After half a minute, free the locks of a process whose machine has disappeared.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "4",
    # Use the same timeout for unacknowledged data: until it is acknowledged, no keepalives are sent.
    "tcp_user_timeout": "30s",
}

PATIENT_SESSION_SETTINGS: Final = SESSION_SETTINGS | {"idle_in_transaction_session_timeout": "0", "lock_timeout": "0"}
"""Settings of a session that waits for locks without a timeout."""


def create_engine(
    address: URL,
    connections: int,
    isolation_level: str = "REPEATABLE READ",
    *,
    no_timeout: bool = False,
    session: Mapping[str, str] = SESSION_SETTINGS,
    statement_timeout: float = COMMAND_TIMEOUT,
) -> AsyncEngine:
    """Return an engine whose transactions each see one snapshot of the database.

    If two transactions change the same row, one of them fails and is retried. If each only reads rows that the other
    changes, both commit (write skew). To prevent that, both must change the same row: a match, a server or a person
    (`people.touch`).

    `statement_timeout` is the timeout for a statement in seconds; `no_timeout` disables it. `session` are the
    session settings, including the lock timeout.
    """
    engine = create_async_engine(
        address.set(drivername="postgresql+asyncpg", query={}),
        isolation_level=isolation_level,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=COMMAND_TIMEOUT,
        # Errors are logged, and must not show parameters of queries, which may hold a whole deck.
        hide_parameters=True,
        # Connections are used only for whole transactions, so there is never anything to reset.
        pool_reset_on_return=None,
        connect_args={
            "timeout": CONNECT_TIMEOUT,
            "command_timeout": None if no_timeout else statement_timeout,
            "server_settings": dict(session),
            "prepared_statement_cache_size": STATEMENT_CACHE_SIZE,
            # Let the driver parse options such as sslmode, as PostgreSQL's own programs do.
            "dsn": URL.create("postgresql", query=address.query).render_as_string(),
        },
    )
    event.listen(engine.sync_engine, "checkout", _reject_closed)
    return engine


def _reject_closed(connection: Any, *_: object) -> None:
    """Make the pool replace a connection that the driver knows to be closed."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def create_reader(address: URL, connections: int) -> AsyncEngine:
    """Return an engine for read-only transactions."""
    return create_engine(address, connections).execution_options(postgresql_readonly=True)
