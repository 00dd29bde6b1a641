"""Engines and connection settings for PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import URL, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

STATEMENTS: Final = 500
"""Size of each connection's cache of prepared statements.

A query with a list of parameters is a separate statement for each length of the list.
"""

CONNECT_TIMEOUT: Final = 10.0
COMMAND_TIMEOUT: Final = 60.0
"""Timeouts for connecting and for a statement, in seconds."""

SESSION: Final = {
    "application_name": "deadwood",
    # A process that hangs in a transaction must not keep its rows locked.
    "idle_in_transaction_session_timeout": "30s",
    "lock_timeout": "10s",
    # All queries are short, and compiling them takes longer than running them.
    "jit": "off",
    "timezone": "UTC",
    # Free the locks of a process whose machine is gone after half a minute.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "4",
    # The same timeout while sent data is unacknowledged: no keepalives are sent during that time.
    "tcp_user_timeout": "30s",
}

UNLIMITED: Final = SESSION | {"idle_in_transaction_session_timeout": "0", "lock_timeout": "0"}
"""Settings of a session that waits for locks without a timeout."""


def create_engine(
    address: URL,
    connections: int,
    isolation_level: str = "REPEATABLE READ",
    *,
    patient: bool = False,
    session: Mapping[str, str] = SESSION,
    answers_within: float = COMMAND_TIMEOUT,
) -> AsyncEngine:
    """Return an engine whose transactions each see one snapshot of the database.

    If two transactions change the same row, one of them fails and is retried. If each only reads rows that the other
    changes, both commit (write skew). To prevent that, both must change a common row: a match, a server or a person
    (`people.touch`).

    `answers_within` is the timeout for a statement in seconds; `patient` means no timeout. `session` has the timeouts
    for locks.
    """
    engine = create_async_engine(
        address.set(drivername="postgresql+asyncpg", query={}),
        isolation_level=isolation_level,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=COMMAND_TIMEOUT,
        # Errors are logged, and a query's parameters may hold a whole deck.
        hide_parameters=True,
        # Connections are used only for whole transactions, so there is never anything to reset.
        pool_reset_on_return=None,
        connect_args={
            "timeout": CONNECT_TIMEOUT,
            "command_timeout": None if patient else answers_within,
            "server_settings": dict(session),
            "prepared_statement_cache_size": STATEMENTS,
            # The driver parses options such as sslmode like PostgreSQL's own programs.
            "dsn": URL.create("postgresql", query=address.query).render_as_string(),
        },
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    return engine


def _refuse_closed(connection: Any, *_: object) -> None:
    """Make the pool replace a connection that the server has closed, which the driver has already noticed."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def create_reader(address: URL, connections: int) -> AsyncEngine:
    """Return an engine for read-only transactions."""
    return create_engine(address, connections).execution_options(postgresql_readonly=True)
