"""A journal of the bot's requests: observers for each request, and counters for assertions."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart request. `index` is the n of its form field `files[n]`."""

    index: int
    filename: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """A request and its outcome.

    `path` is relative to `/api/v10`. `route` is the same path with `{names}` in place of its parameters. `status` is
    None if the sandbox cut the connection instead of answering. `code` is Discord's JSON error code of a refused
    request.
    """

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
    """Counters of all requests: `refusals` by JSON error code, `statuses` by HTTP status, `routes` by `METHOD /route`.

    Every observer is called with every request, after the request is handled and before its answer is sent.
    """

    observers: list[Callable[[Request], None]] = field(default_factory=list[Callable[[Request], None]])
    refusals: Counter[int] = field(default_factory=Counter[int])
    statuses: Counter[int] = field(default_factory=Counter[int])
    routes: Counter[str] = field(default_factory=Counter[str])
    unknown_routes: list[str] = field(default_factory=list[str])

    def record(self, request: Request) -> None:
        """Count a request and pass it to the observers."""
        self.routes[f"{request.method} {request.route}"] += 1
        if request.status is not None:
            self.statuses[request.status] += 1
        if request.code is not None:
            self.refusals[request.code] += 1
        for observer in self.observers:
            observer(request)

    def record_unknown_route(self, method: str, path: str) -> None:
        """Record a request for a route that the sandbox does not have."""
        log.error("the sandbox has no route for %s %s", method, path)
        self.unknown_routes.append(f"{method} {path}")
