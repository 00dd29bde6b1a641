"""What every cog is given."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.application import Application
from cogs.support.courier import Courier
from cogs.panels.pictures import Pictures
from cogs.kit.components import ComponentHandlers


@dataclass(frozen=True, slots=True)
class Services:
    """The services of the app, the pictures, the courier, and the register of components."""

    app: Application
    pictures: Pictures
    courier: Courier
    components: ComponentHandlers
