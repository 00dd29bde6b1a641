"""`deadwood move-database`: copies a database to an empty one, and checks the copy.

No bot may use either database meanwhile.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import structlog

from bot.exit_codes import RETRY
from bot.model.ids import MatchId
from bot.model.words import count
from bot.play.matches.checking import find_fault
from bot.store import matches
from bot.store.address import database_name
from bot.store.copying import begin_filling, compare, copy, end_filling, last_ids
from bot.store.database import Database, Lane
from bot.store.errors import ConflictError, DatabaseError, DatabaseUnavailableError
from bot.store.opening import exclusive_database, open_unchecked
from bot.store.transaction import Transaction

log = structlog.get_logger(__name__)

BATCH: Final = 500
"""Number of match ids to load at a time."""
PROGRESS_INTERVAL: Final = 1_000
"""Number of matches between two progress lines in the log."""


def move_database(source_url: str, target_url: str) -> int:
    """Copy everything to an empty database, check the copy, print a summary, and return the exit code.

    After an interruption, the command can be run again. Raise `DatabaseError` if a database cannot be used or is in
    use, the target is not empty, or the check fails. After a failed check, no bot can use the target.
    """
    try:
        print(asyncio.run(_move(source_url, target_url)))
    except KeyboardInterrupt:
        print("stopped before the end: run the same command again", file=sys.stderr)
        return RETRY
    return 0


async def _move(source_url: str, target_url: str) -> str:
    source_name, target_name = _name(source_url), _name(target_url)
    if source_name == target_name:
        raise DatabaseError(f"both addresses name {source_name}: name an empty database to move to")
    try:
        async with AsyncExitStack() as stack:
            source = await stack.enter_async_context(exclusive_database(source_url))
            target = await open_unchecked(target_url)
            stack.push_async_callback(target.close)
            await begin_filling(target, target_name, source_name)
            async with source.read(Lane.LONG) as reading:
                last = await last_ids(reading)
                copied = await copy(reading, target)
            async with target.read(Lane.LONG) as reading:
                await compare(reading, copied)
            checked, faulty = await check_matches(source, target)
            await end_filling(target, last)
    except ConflictError as error:
        raise DatabaseUnavailableError(f"{error}: run the same command again") from error
    rows = count(sum(contents.rows for contents in copied.values()), "row", "rows")
    lines = [f"{rows} moved to {target_name}, {count(checked, 'match', 'matches')} checked there"]
    if faulty:
        match_ids = ", ".join(map(str, faulty))
        lines.append(f"these matches were copied unchanged, but contradict their logs: {match_ids}")
    return "\n".join(lines)


def _name(url: str) -> str:
    """Return the address without secrets. Different paths to the same file give the same name."""
    place = database_name(url)
    return f"sqlite:///{os.path.realpath(place)}" if isinstance(place, Path) else place


async def check_matches(source: Database, target: Database) -> tuple[int, tuple[MatchId, ...]]:
    """Replay all matches of a copy. Return their number, and the ids of those that contradict their logs.

    Raise `DatabaseError` if the copy has a contradiction that the source does not have.
    """
    checked, faulty = 0, list[MatchId]()
    async with target.read(Lane.LONG) as reading:
        async for match_id in _all_matches(reading):
            fault = await find_fault(reading, match_id)
            if fault is not None:
                async with source.read(Lane.LONG) as source_reading:
                    if await find_fault(source_reading, match_id) != fault:
                        raise DatabaseError(f"match {match_id} was not copied correctly: {fault}")
                faulty.append(match_id)
            checked += 1
            if checked % PROGRESS_INTERVAL == 0:
                log.info("matches are being checked", matches=checked)
    return checked, tuple(faulty)


async def _all_matches(transaction: Transaction) -> AsyncGenerator[MatchId]:
    last_id = 0
    while batch := await matches.next_ids(transaction, last_id, BATCH):
        for match_id in batch:
            yield match_id
        last_id = batch[-1]
