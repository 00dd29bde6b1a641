"""What people ask for, which a process that stops refuses: it could save it, but no longer answer."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from bot.play.refusals import Stopping

_is_request: Final = ContextVar("is_request", default=False)


class Requests:
    """Whether changes that people ask for may still be saved. Those of the background always may."""

    def __init__(self) -> None:
        self._refused = False

    def begin(self) -> None:
        """Note that what the calling task does, and the tasks that it starts, is what somebody asked for."""
        _is_request.set(True)

    def refuse(self) -> None:
        """Save nothing more that somebody asked for."""
        self._refused = True

    def check(self) -> None:
        """Raise `Stopping` if the calling task works on a request and those are refused."""
        if self._refused and _is_request.get():
            raise Stopping
