"""One HTTP request as the handlers see it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.sandbox.core import Core
from bot.sandbox.errors import RefusalError
from bot.sandbox.wire import Json, Upload, mapping, rows


@dataclass(frozen=True, slots=True)
class Call:
    """A request whose body is read: JSON (`payload`) and files."""

    method: str
    path: str
    query: Mapping[str, str]
    params: Mapping[str, str]
    payload: Any
    files: tuple[Upload, ...]

    @property
    def body(self) -> Json:
        """The payload as an object."""
        return mapping(self.payload)

    @property
    def rows(self) -> list[Json]:
        """The payload as a list of objects."""
        return rows(self.payload)

    def id(self, name: str) -> int:
        """Read a snowflake in the path; raise 50035."""
        text = self.params[name]
        if not text.isdecimal():
            raise RefusalError(50035, errors={name: {"_errors": [{"code": "NUMBER_TYPE_COERCE", "message": text}]}})
        return int(text)


@dataclass(frozen=True, slots=True)
class Reply:
    """A handler's answer with a status of its own."""

    status: int
    body: Any = None


NO_CONTENT = Reply(204)
Handler = Callable[[Core, Call], Any]
"""Answers with a `Reply`, or with JSON that is sent with status 200; raises `RefusalError`."""
