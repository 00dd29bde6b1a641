"""Connections to PostgreSQL, and how they are set up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import URL, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

STATEMENTS: Final = 500
"""How many prepared statements each connection keeps, those that were used last.

A query with a list of parameters is another statement for each length of the list.
"""

CONNECT_TIMEOUT: Final = 10.0
COMMAND_TIMEOUT: Final = 60.0
"""Seconds that a connection and a statement may take."""

SESSION: Final = {
    "application_name": "deadwood",
    # A process that is stuck in a transaction must not keep the others from its rows.
    "idle_in_transaction_session_timeout": "30s",
    "lock_timeout": "10s",
    # All queries are short, and compiling them takes longer than running them.
    "jit": "off",
    "timezone": "UTC",
    # The locks of a process whose machine is gone are free after half a minute.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "4",
    # The same while something that was sent to it is not acknowledged: nothing else asks after it then.
    "tcp_user_timeout": "30s",
}

UNLIMITED: Final = SESSION | {"idle_in_transaction_session_timeout": "0", "lock_timeout": "0"}
"""The settings of a session that waits for locks however long they are held."""


def create_engine(
    address: URL,
    connections: int,
    isolation_level: str = "REPEATABLE READ",
    *,
    patient: bool = False,
    session: Mapping[str, str] = SESSION,
    answers_within: float = COMMAND_TIMEOUT,
) -> AsyncEngine:
    """Return an engine whose transactions see one state each.

    Of two that change the same row at the same time one fails, and is made again. Two that only rely on what the other
    changes both commit, so each must change a row that the other one changes as well: of a match, of a server, or of a
    person (`people.touch`). A statement may take `answers_within` seconds; those of one that is `patient` may take as
    long as they need. `session` says how long they wait for locks.
    """
    engine = create_async_engine(
        address.set(drivername="postgresql+asyncpg", query={}),
        isolation_level=isolation_level,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=COMMAND_TIMEOUT,
        # The parameters of a failing query may be a whole deck, and the error reaches the log.
        hide_parameters=True,
        # Connections are only used in whole transactions, which leave nothing open that a reset could end.
        pool_reset_on_return=None,
        connect_args={
            "timeout": CONNECT_TIMEOUT,
            "command_timeout": None if patient else answers_within,
            "server_settings": dict(session),
            "prepared_statement_cache_size": STATEMENTS,
            # The driver reads options as PostgreSQL's own programs do, sslmode among them.
            "dsn": URL.create("postgresql", query=address.query).render_as_string(),
        },
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    return engine


def _refuse_closed(connection: Any, *_: object) -> None:
    """Let the pool make another connection in the place of one that the server has closed: the driver knows that."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def create_reader(address: URL, connections: int) -> AsyncEngine:
    """Return an engine whose transactions can change nothing."""
    return create_engine(address, connections).execution_options(postgresql_readonly=True)
