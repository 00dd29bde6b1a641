"""Deliberate faults for the next matching requests or gateway events.

`faults.requests(Refuse(50007), on="POST /channels/*/messages", times=2)` makes the next two sends fail. A pattern has
the form `METHOD /path`, with the wildcards of `fnmatch`. The path is relative to `/api/v10`.
"""

from dataclasses import dataclass, field
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Delay:
    """Wait before applying a request or sending an event. With `applied`, wait before sending the answer instead.

    `seconds` are measured by the sandbox's clock.
    """

    seconds: float
    applied: bool = False


@dataclass(frozen=True, slots=True)
class Reset:
    """Reset the connection (TCP RST) instead of answering. The request is applied only with `applied`."""

    applied: bool = False


@dataclass(frozen=True, slots=True)
class Hangup:
    """Close the connection (TCP FIN) instead of answering. The request is applied only with `applied`."""

    applied: bool = False


@dataclass(frozen=True, slots=True)
class ServerError:
    """Answer with a 5xx status. The request is applied only with `applied`."""

    status: int = 500
    applied: bool = False


@dataclass(frozen=True, slots=True)
class RateLimited:
    """Answer 429. `is_global` makes it a global rate limit; without `via` it looks like a ban by Discord's proxy."""

    retry_after: float = 0.05
    via: bool = True
    is_global: bool = False


@dataclass(frozen=True, slots=True)
class Refuse:
    """Answer with one of Discord's JSON error codes. Codes with status 429 use `retry_after`, in seconds.

    With `files`, only requests that upload files match.
    """

    code: int
    retry_after: float | None = None
    files: bool = False


@dataclass(frozen=True, slots=True)
class Expire:
    """Let an interaction expire just before its first response arrives: the response gets 10062.

    The interaction then counts as failed, but it is not listed in `unanswered`.
    """


@dataclass(frozen=True, slots=True)
class Reupload:
    """Before applying a request, give new ids to the files of the clicked or edited message.

    The effect is the same as if the files had been uploaded again.
    """


@dataclass(frozen=True, slots=True)
class Drop:
    """Never send the event."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Send the event twice."""


RequestFault = Delay | Reset | Hangup | ServerError | RateLimited | Refuse | Expire | Reupload
EventFault = Delay | Drop | Duplicate


@dataclass(slots=True, eq=False)
class ArmedFault:
    """A fault waiting for matching requests or events.

    `remaining` is the number of times that it will still be applied, and `hits` the number of times it was applied.
    """

    fault: RequestFault | EventFault
    pattern: str
    remaining: int
    hits: int = 0

    def disarm(self) -> None:
        """Stop applying the fault."""
        self.remaining = 0


@dataclass(slots=True)
class Faults:
    """All armed faults, oldest first. At most one of them is applied to each request or event."""

    armed_requests: list[ArmedFault] = field(default_factory=list[ArmedFault])
    armed_events: list[ArmedFault] = field(default_factory=list[ArmedFault])

    def requests(self, fault: RequestFault, *, on: str = "*", times: int = 1) -> ArmedFault:
        """Arm a fault for the next `times` matching requests."""
        armed = ArmedFault(fault, on, times)
        self.armed_requests.append(armed)
        return armed

    def events(self, fault: EventFault, *, on: str = "INTERACTION_CREATE", times: int = 1) -> ArmedFault:
        """Arm a fault for the next `times` gateway events with this name."""
        armed = ArmedFault(fault, on, times)
        self.armed_events.append(armed)
        return armed

    def clear(self) -> None:
        """Disarm all faults."""
        self.armed_requests.clear()
        self.armed_events.clear()

    def take_for_request(self, method: str, path: str, *, has_files: bool = False) -> RequestFault | None:
        """Return the fault to apply to this request, and count a hit. Return None if no fault matches."""
        fault = _take(self.armed_requests, f"{method} {path}", has_files=has_files) if self.armed_requests else None
        return fault if not isinstance(fault, Drop | Duplicate) else None

    def take_for_event(self, name: str) -> EventFault | None:
        """Return the fault to apply to this event, and count a hit. Return None if no fault matches."""
        fault = _take(self.armed_events, name) if self.armed_events else None
        return fault if isinstance(fault, Delay | Drop | Duplicate) else None


def _take(armed: list[ArmedFault], subject: str, *, has_files: bool = False) -> RequestFault | EventFault | None:
    for candidate in armed:
        needs_files = isinstance(candidate.fault, Refuse) and candidate.fault.files
        if candidate.remaining > 0 and (has_files or not needs_files) and fnmatchcase(subject, candidate.pattern):
            candidate.remaining -= 1
            candidate.hits += 1
            if candidate.remaining == 0:
                armed.remove(candidate)
            return candidate.fault
    return None
