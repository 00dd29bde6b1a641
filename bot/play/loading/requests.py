"""Requests of people: a process that stops saves nothing more for them, since it could no longer answer."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from bot.play.refusals import Stopping

_is_request: Final = ContextVar("is_request", default=False)


class Requests:
    """Tells whether changes that people ask for may still be saved. Background work is never refused."""

    def __init__(self) -> None:
        self._refused = False

    def begin(self) -> None:
        """Note that the calling task, and each task that it starts, works on a request."""
        _is_request.set(True)

    def refuse(self) -> None:
        """Refuse all requests from now on."""
        self._refused = True

    def check(self) -> None:
        """Raise `Stopping` if the calling task works on a request and those are refused."""
        if self._refused and _is_request.get():
            raise Stopping
