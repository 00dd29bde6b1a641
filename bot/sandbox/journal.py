"""What the bot asked of the sandbox: every request for observers, and the counters a test suite looks at."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.wire import Upload

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """One request and how it ended; `route` is the path with `{names}`, `status` is None when no answer left."""

    method: str
    path: str
    route: str
    query: Mapping[str, str]
    payload: Any
    files: tuple[Upload, ...]
    status: int | None
    code: int | None
    answer: Any


@dataclass(slots=True)
class Journal:
    """Counters over all requests; `refusals` counts JSON error codes, `statuses` HTTP statuses."""

    observers: list[Callable[[Request], None]] = field(default_factory=list[Callable[[Request], None]])
    refusals: Counter[int] = field(default_factory=Counter[int])
    statuses: Counter[int] = field(default_factory=Counter[int])
    routes: Counter[str] = field(default_factory=Counter[str])
    unknown_routes: list[str] = field(default_factory=list[str])

    def note(self, request: Request) -> None:
        """Count a request and offer it to the observers."""
        self.routes[f"{request.method} {request.route}"] += 1
        if request.status is not None:
            self.statuses[request.status] += 1
        if request.code is not None:
            self.refusals[request.code] += 1
        for observer in self.observers:
            observer(request)

    def unknown(self, method: str, path: str) -> None:
        """Note a route that this sandbox does not have."""
        log.error("the sandbox has no route for %s %s", method, path)
        self.unknown_routes.append(f"{method} {path}")
