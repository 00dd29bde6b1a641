"""Faults on purpose: what the next matching requests or events suffer.

`faults.requests(Refuse(50007), on="POST /channels/*/messages", times=2)` makes the next two sends fail. The pattern is
`METHOD /path` below `/api/v10` with the wildcards of `fnmatch`.
"""

from dataclasses import dataclass, field
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Delay:
    """Wait before the request is applied, or before its answer leaves; for an event, before it is sent."""

    seconds: float
    applied: bool = False


@dataclass(frozen=True, slots=True)
class Reset:
    """Reset the connection (TCP RST) instead of answering."""

    applied: bool = False


@dataclass(frozen=True, slots=True)
class Hangup:
    """Close the connection in good order without an answer."""

    applied: bool = False


@dataclass(frozen=True, slots=True)
class ServerError:
    """Answer 5xx, either without applying the request or although it was applied."""

    status: int = 500
    applied: bool = False


@dataclass(frozen=True, slots=True)
class RateLimited:
    """Answer 429; without `via` it looks like a ban by the proxy in front of Discord."""

    retry_after: float = 0.05
    via: bool = True
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Refuse:
    """Answer with one of Discord's JSON error codes; `retry_after` (seconds) only matters to those that are 429."""

    code: int
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """Never send the event."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Send the event twice."""


RequestFault = Delay | Reset | Hangup | ServerError | RateLimited | Refuse
EventFault = Delay | Drop | Duplicate


@dataclass(slots=True, eq=False)
class Armed:
    """A fault that waits for its victims; `left` counts down to 0 and `hits` up."""

    fault: RequestFault | EventFault
    pattern: str
    left: int
    hits: int = 0

    def disarm(self) -> None:
        """Spare whoever would come next."""
        self.left = 0


@dataclass(slots=True)
class Faults:
    """The faults that are armed, oldest first."""

    armed_requests: list[Armed] = field(default_factory=list[Armed])
    armed_events: list[Armed] = field(default_factory=list[Armed])

    def requests(self, fault: RequestFault, *, on: str = "*", times: int = 1) -> Armed:
        """Arm a fault for the next `times` requests that match."""
        armed = Armed(fault, on, times)
        self.armed_requests.append(armed)
        return armed

    def events(self, fault: EventFault, *, on: str = "INTERACTION_CREATE", times: int = 1) -> Armed:
        """Arm a fault for the next `times` gateway events of that name."""
        armed = Armed(fault, on, times)
        self.armed_events.append(armed)
        return armed

    def clear(self) -> None:
        """Disarm everything."""
        self.armed_requests.clear()
        self.armed_events.clear()

    def for_request(self, method: str, path: str) -> RequestFault | None:
        """Take the fault that strikes this request, if any."""
        fault = _take(self.armed_requests, f"{method} {path}") if self.armed_requests else None
        return fault if not isinstance(fault, Drop | Duplicate) else None

    def for_event(self, name: str) -> EventFault | None:
        """Take the fault that strikes this event, if any."""
        fault = _take(self.armed_events, name) if self.armed_events else None
        return fault if isinstance(fault, Delay | Drop | Duplicate) else None


def _take(armed: list[Armed], subject: str) -> RequestFault | EventFault | None:
    for one in armed:
        if one.left > 0 and fnmatchcase(subject, one.pattern):
            one.left -= 1
            one.hits += 1
            if one.left == 0:
                armed.remove(one)
            return one.fault
    return None
