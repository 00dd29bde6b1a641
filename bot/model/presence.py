"""The presence of players at the table of a match."""

from __future__ import annotations

from enum import StrEnum


class Presence(StrEnum):
    """A player's presence at a match's table: able to reach it, shut out of it, or gone from the server."""

    REACHABLE = "reachable"
    """The player is a member of the server and sees the table."""
    SHUT_OUT = "shut_out"
    """The player is a member but cannot reach the table, because its channel is hidden from them or was deleted."""
    GONE = "gone"
    """The player is not a member: they left, were removed, or deleted their account."""
