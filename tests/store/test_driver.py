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
