"""Requests and replies, as the route handlers see them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.sandbox.server.errors import RefusalError
from bot.sandbox.server.journal import Upload
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json, as_object, as_objects


@dataclass(frozen=True, slots=True)
class Call:
    """A request with its JSON `payload` and uploaded `files`. `params` are the parameters in the path."""

    method: str
    path: str
    query: Mapping[str, str]
    params: Mapping[str, str]
    payload: Any
    files: tuple[Upload, ...]

    @property
    def body(self) -> Json:
        """The payload as an object, empty if the payload is not an object."""
        return as_object(self.payload)

    @property
    def rows(self) -> list[Json]:
        """The payload as a list of objects, empty if the payload is not a list."""
        return as_objects(self.payload)

    def flag(self, name: str) -> bool:
        """Return a boolean parameter of the query string. A missing parameter is False."""
        return self.query.get(name, "").lower() in ("1", "true")

    def id(self, name: str) -> int:
        """Return a snowflake id from the path. Raises `RefusalError` 50035 if it is not a number."""
        text = self.params[name]
        if not text.isdecimal():
            raise RefusalError(50035, errors={name: {"_errors": [{"code": "NUMBER_TYPE_COERCE", "message": text}]}})
        return int(text)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply whose HTTP status is given explicitly."""

    status: int
    body: Any = None


NO_CONTENT = Reply(204)
Handler = Callable[[ServerState, Call], Any]
"""The function that handles requests to one route.

It returns a `Reply`, or JSON to send with status 200. It raises `RefusalError` to refuse a request.
"""
