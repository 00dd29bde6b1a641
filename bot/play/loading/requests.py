"""Changes that people request. A process that is stopping refuses them, because it could no longer answer."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from bot.play.refusals import Stopping

_is_request: Final = ContextVar("is_request", default=False)


class Requests:
    """Refuses people's requests for changes once the process is stopping and can no longer answer.

    Background work is never refused.
    """

    def __init__(self) -> None:
        self._refused = False

    def begin(self) -> None:
        """Mark the calling task, and all tasks that it starts, as working on a request."""
        _is_request.set(True)

    def refuse(self) -> None:
        """Refuse all requests from now on."""
        self._refused = True

    def check(self) -> None:
        """Raise `Stopping` if requests are refused and the calling task works on a request."""
        if self._refused and _is_request.get():
            raise Stopping
