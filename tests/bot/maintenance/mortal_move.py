"""`deadwood move-database` in a process that kills itself just before or after one of its transactions commits.

    python -m tests.bot.maintenance.mortal_move NUMBER before|after FROM TO

NUMBER is the number of the transaction, from 1. Batches are small, so that there are many transactions.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count

from bot.__main__ import main
from bot.store import copying
from bot.store.database import Database
from bot.store.transaction import Transaction

BATCH = 20


def kill_at_transaction(transaction_number: int, when: str) -> None:
    """Make this process kill itself before or after it commits the write transaction with this number, from 1 on."""
    write, transactions = Database.write, count(1)

    @asynccontextmanager
    async def write_or_die(self: Database) -> AsyncGenerator[Transaction]:
        is_last = next(transactions) == transaction_number
        async with write(self) as transaction:
            yield transaction
            if is_last and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)

    setattr(Database, "write", write_or_die)  # noqa: B010 - a method


if __name__ == "__main__":
    setattr(copying, "BATCH_SIZE", BATCH)  # noqa: B010 - a constant
    kill_at_transaction(int(sys.argv[1]), sys.argv[2])
    sys.exit(main(["move-database", *sys.argv[3:]]))
