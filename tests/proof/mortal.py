"""Processes that run the bot as `python -m bot` does, and that kill themselves at a chosen point of its work.

`python -m tests.proof.mortal` has everything imported once. For each line that it reads it forks a process, writes the
process's id, and once that has ended, its exit code. The line names the point and how many times the process may come
there, as `after commit:3`; after an empty one it lives until it is told to stop.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

from bot.__main__ import main
from bot.play.matches.match_writer import MatchWriter
from bot.play.outbox.outbox import Outbox
from cogs.kit.answers import Answer
from cogs.support.courier import Courier

POINTS: Final[dict[str, tuple[type, str, bool]]] = {
    "before commit": (MatchWriter, "advance", True),
    "after commit": (MatchWriter, "begin", True),
    "after the answer": (Answer, "update", True),
    "before delivery": (Outbox, "current", True),
    "after a post": (Outbox, "posted", False),
    "after an edit": (Outbox, "shown", False),
    "before a removal": (Courier, "_remove", False),
}
"""Where to die: the class and method, and whether once its work is done or before it begins."""


def doom(point: str, count: int) -> None:
    """Make this process kill itself the `count`-th time it comes to a point."""
    owner, name, done = POINTS[point]
    method: Callable[..., Awaitable[Any]] = getattr(owner, name)
    left = count

    async def mortal(*args: Any, **options: Any) -> Any:
        nonlocal left
        result = await method(*args, **options) if done else None
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result if done else await method(*args, **options)

    setattr(owner, name, mortal)


def live(fate: str) -> int:
    """Run the bot to its end; gives the exit code."""
    point, _, count = fate.partition(":")
    if point:
        doom(point, int(count))
    return main(["run"])


if __name__ == "__main__":
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            sys.exit(live(line.strip()))
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
