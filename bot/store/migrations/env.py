"""How Alembic runs a migration here: on the connection that `bot.store.migrate` hands over."""

from alembic import context

from bot.store.tables import metadata

connection = context.config.attributes["connection"]
# SQLite's DDL is transactional; Alembic only assumes that it is not.
context.configure(
    connection=connection, target_metadata=metadata, transactional_ddl=True, transaction_per_migration=True
)
with context.begin_transaction():
    context.run_migrations()
