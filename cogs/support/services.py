"""What every cog is given."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.application import Application
from cogs.kit.components import ComponentHandlers
from cogs.panels.pictures import Pictures
from cogs.support.courier import Courier


@dataclass(frozen=True, slots=True)
class Services:
    """The application, the pictures, the courier, and the handlers of buttons and menus."""

    app: Application
    pictures: Pictures
    courier: Courier
    components: ComponentHandlers
