"""The deal of the day in words."""

from __future__ import annotations

from datetime import date
from typing import Final

from bot.engine.deals.showdown import OutcomeKind
from bot.model.daily import DailyScore
from bot.model.words import signed
from cardart.text.daily import name, not_finished, result

OFFER: Final = (
    "-# New: a deal of the day, the same for everyone. A manager can have it posted here: `/gin-admin settings`."
)
"""The line that tells the players of a server's first match about the deal of the day."""

COUNTS_HERE: Final = (
    "The result counts and is shown on this server, and on others where you open the deal before you finish."
)
COUNTS_ON_SERVERS: Final = (
    "**Played from here, the result counts on no server.** To have it count on yours, use `/gin daily` there "
    "before you finish."
)
"""Where the result of a try counts, and is shown, that begins on a server (`COUNTS_HERE`) or in direct messages."""
COUNTS_ELSEWHERE: Final = "Your result doesn't count here: you finished before you opened the deal on this server."
"""The notice to a person whose result does not count on a server."""
PRICE_OF_STOPPING: Final = (
    "A deal that you begin but don't finish counts as the worst result anyone had that day, but never better than "
    "\N{MINUS SIGN}25."
)
"""The rule for unfinished tries."""
COUNTS_NOWHERE: Final = "-# It counts on no server, because you opened it only in direct messages."
SHARED: Final = "Shared. Everyone here can see it."
CALLED_OFF: Final = "Something went wrong, so I called off your try.\n-# It doesn't count, and your streak continues."
_DAY_ENDED: Final = "The day ended before you finished."
WAS_DOWN: Final = "People couldn't play for much of that day, so your deal doesn't count, and your streak continues."


def headline(day: date, score: DailyScore | None, price: int | None = None) -> str:
    """Return the result of a try, without cards: `Daily 214: +32 in 9 turns`, `Daily 214: not finished (−25)`.

    `price` are the points that an unfinished try counts as, if they are known.
    """
    return f"{name(day)}: {not_finished(price) if score is None else result(score)}"


def unfinished(*, was_called_off: bool, was_down: bool, price: int | None = None) -> str:
    """Say why a try has no result, and how it counts. The day `was_down` if people could not play for much of it.

    `price` are the points that the try counts as, if they are known.
    """
    if was_called_off:
        return CALLED_OFF
    counts = PRICE_OF_STOPPING if price is None else f"{PRICE_OF_STOPPING} This one counts as {signed(price)}."
    return f"{_DAY_ENDED}\n-# {WAS_DOWN if was_down else counts}"


def ending(score: DailyScore) -> str:
    """Say how a finished try ended."""
    won = score.points > 0
    if score.kind is OutcomeKind.UNDERCUT:
        return "You undercut the computer." if won else "The computer undercut you."
    return f"{'You' if won else 'The computer'} {_ENDINGS[score.kind]}."


_ENDINGS = {OutcomeKind.KNOCK: "knocked", OutcomeKind.GIN: "went gin", OutcomeKind.BIG_GIN: "went big gin"}
