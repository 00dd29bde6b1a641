"""`deadwood move-database` in a process that kills itself just before or after one of its transactions commits.

    python -m tests.bot.mortal_move NUMBER before|after FROM TO

Batches are small, so that there are many transactions.
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


def doom(number: int, when: str) -> None:
    """Kill this process before or after it commits the write transaction with this number."""
    write, transactions = Database.write, count(1)

    @asynccontextmanager
    async def mortal(self: Database) -> AsyncGenerator[Transaction]:
        is_last = next(transactions) == number
        async with write(self) as transaction:
            yield transaction
            if is_last and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)

    setattr(Database, "write", mortal)  # noqa: B010 - a method


if __name__ == "__main__":
    setattr(copying, "BATCH", BATCH)  # noqa: B010 - a constant
    doom(int(sys.argv[1]), sys.argv[2])
    sys.exit(main(["move-database", *sys.argv[3:]]))
