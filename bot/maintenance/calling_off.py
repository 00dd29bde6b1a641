"""`deadwood call-off`: ends the matches and challenges of a restored database, while no bot uses it."""

from __future__ import annotations

import asyncio

from bot.model.words import count
from bot.play.application import Application
from bot.play.fairness.restoring import CalledOff
from bot.store.opening import exclusive_database


def call_off(url: str) -> int:
    """Call off a database's verifiable matches, and withdraw its challenges.

    Print how many matches and challenges there were, and return the exit code.

    Raise `DatabaseError` if the database does not exist, cannot be used, or is in use by a bot.
    """
    print(call_off_summary(asyncio.run(_call_off(url))))
    return 0


async def _call_off(url: str) -> CalledOff:
    async with exclusive_database(url) as database:
        return await Application(database).restoring.call_off()


def call_off_summary(result: CalledOff) -> str:
    """Return the line that the command prints."""
    matches, challenges = count(result.matches, "match", "matches"), count(result.challenges, "challenge")
    return f"{matches} called off and {challenges} withdrawn: players are told once the bot runs"
