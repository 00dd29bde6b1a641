"""The driver: what aiosqlite gives, in fewer trips to its thread."""

from pathlib import Path

import pytest

from bot.store.driver import connect


async def test_a_statement_gives_its_rows_its_count_and_its_columns(tmp_path: Path) -> None:
    """Queries, changes and changes that give rows back work as with aiosqlite itself."""
    connection = await connect(tmp_path / "file.db")
    cursor = connection.cursor()
    await cursor.execute("CREATE TABLE t (n INTEGER)")
    await cursor.executemany("INSERT INTO t VALUES (?)", [(1,), (2,), (3,)])
    await cursor.execute("UPDATE t SET n = n + 1 WHERE n > ?", (1,))
    assert cursor.rowcount == 2
    await cursor.execute("DELETE FROM t WHERE n = 4 RETURNING n")
    assert await cursor.fetchall() == [(4,)]
    await cursor.execute("SELECT n FROM t ORDER BY n")
    assert cursor.description[0][0] == "n"
    assert await cursor.fetchall() == [(1,), (3,)]
    await connection.close()


async def test_a_closed_connection_gives_no_cursor(tmp_path: Path) -> None:
    """Using a connection that is closed is an error, not a wait for ever."""
    connection = await connect(tmp_path / "file.db")
    await connection.close()
    with pytest.raises(ValueError, match="no active connection"):
        connection.cursor()


async def test_a_transaction_begins_with_its_first_statement(tmp_path: Path) -> None:
    """Beginning waits for a statement, lasts until the commit or the undoing, and without a statement is nothing."""
    connection = await connect(tmp_path / "file.db")
    cursor = connection.cursor()
    await cursor.execute("CREATE TABLE t (n INTEGER)")
    connection.begin("BEGIN IMMEDIATE")
    assert not connection.in_transaction
    await connection.commit()
    connection.begin("BEGIN IMMEDIATE")
    await cursor.executemany("INSERT INTO t VALUES (?)", [(1,), (2,)])
    assert connection.in_transaction
    await connection.rollback()
    connection.begin("BEGIN IMMEDIATE")
    await cursor.execute("SELECT count(*) FROM t")
    assert await cursor.fetchall() == [(0,)]
    await connection.commit()
    assert not connection.in_transaction
    await connection.close()
