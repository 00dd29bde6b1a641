"""The phases of a deal."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """The phases of a deal.

    In `DISCARD` the current player discards, knocks or goes gin. At the `WALL` the stock is used up, and the last
    discard may be taken, but only to go out. In `RESHUFFLE` the deal waits until the discards are shuffled into a new
    stock. In `LAY_OFF` an opponent responds to a knock.
    """

    OFFER = "offer"
    DRAW = "draw"
    DISCARD = "discard"
    WALL = "wall"
    RESHUFFLE = "reshuffle"
    LAY_OFF = "lay_off"
    DONE = "done"
