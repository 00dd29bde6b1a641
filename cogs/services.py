"""What every cog is given."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.house import House
from cogs.delivery import Courier
from cogs.pictures import Pictures
from cogs.presses import Presses


@dataclass(frozen=True, slots=True)
class Services:
    """The services of the house, the pictures, the courier, and the register of presses."""

    house: House
    pictures: Pictures
    courier: Courier
    presses: Presses
