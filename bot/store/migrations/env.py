"""Alembic environment: runs migrations on the connection that `bot.store.migrate` passes in."""

from alembic import context

from bot.store.tables import metadata

connection = context.config.attributes["connection"]
# SQLite's DDL is transactional, although Alembic assumes the opposite.
context.configure(
    connection=connection, target_metadata=metadata, transactional_ddl=True, transaction_per_migration=True
)
with context.begin_transaction():
    context.run_migrations()
