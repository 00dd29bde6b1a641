"""`deadwood call-off`: ends the matches and challenges of a restored database, while no bot uses it."""

from __future__ import annotations

import asyncio

from bot.play.application import Application
from bot.play.fairness.restoring import CalledOff
from bot.store.opening import alone_with
from cardart.text.phrases import count


def call_off(url: str) -> int:
    """Call off the verifiable matches of a database, print how many there were, and return the exit code.

    Raise `DatabaseError` if the database does not exist, cannot be used, or is in use by a bot.
    """
    print(told(asyncio.run(_call_off(url))))
    return 0


async def _call_off(url: str) -> CalledOff:
    async with alone_with(url) as database:
        return await Application(database).restoring.call_off()


def told(result: CalledOff) -> str:
    """Return the output line."""
    matches, challenges = count(result.matches, "match", "matches"), count(result.challenges, "challenge")
    return f"{matches} called off and {challenges} withdrawn: players are told once the bot runs"
