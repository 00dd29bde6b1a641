"""Whether a player can reach the table of a match."""

from __future__ import annotations

from enum import StrEnum


class Presence(StrEnum):
    """The ways in which a player is, or is not, at the table of a match."""

    REACHABLE = "reachable"
    """They are a member of the server, and see the table."""
    SHUT_OUT = "shut_out"
    """They are a member, but cannot reach the table, as if its channel is hidden from them or was deleted."""
    GONE = "gone"
    """They are not a member: they left, were removed, or deleted their account."""
