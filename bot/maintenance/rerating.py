"""`deadwood rerate`: recomputes all ratings of a database that no bot is using, and reports the differences."""

from __future__ import annotations

import asyncio

from bot.model.words import count
from bot.play.application import Application
from bot.play.standing.rerating import ReratingResult
from bot.store.opening import exclusive_database


def rerate(url: str) -> int:
    """Recompute the ratings of a database, print whether they differed, and return the exit code.

    Raise `DatabaseError` if the database does not exist, cannot be used, or is in use by a bot.
    """
    print(rerating_summary(asyncio.run(_rerate(url))))
    return 0


async def _rerate(url: str) -> ReratingResult:
    async with exclusive_database(url) as database:
        app = Application(database)
        while await app.standings_backfill.do_batch():
            pass
        return await app.rerating.rerate()


def rerating_summary(result: ReratingResult) -> str:
    """Return the text that the command prints: one line, or two if some matches were unreadable."""
    rated = count(result.matches, "rated match", "rated matches")
    if not result.differing_matches and not result.differing_people:
        lines = [f"{rated}: every number is as it was stored"]
    else:
        matches = count(result.differing_matches, "match", "matches")
        people = count(result.differing_people, "rating", "ratings")
        lines = [f"{rated}: the numbers of {matches} and {people} of people differed, and were replaced"]
    if result.unreadable:
        match_ids = ", ".join(map(str, result.unreadable))
        lines.append(f"the logs of these matches cannot be read, and their numbers stay: {match_ids}")
    return "\n".join(lines)
